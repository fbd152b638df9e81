"""Random positions of all stages and sizes, on which random programs are compared."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from isolation_fast import Board

PLAYERS: Final = ("player 1", "player 2")
# Width and height: on both sides of each width of the engine's cell sets, and not square in both ways.
SIZES: Final = (
    (7, 7),
    (3, 3),
    (5, 6),
    (6, 5),
    (4, 7),
    (8, 8),
    (9, 8),
    (11, 11),
    (16, 8),
    (3, 43),
    (14, 10),
    (1, 5),
)
LIKELY: Final = (16, 3, 3, 3, 2, 2, 2, 3, 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Spot:
    """A position, the bits by which its moves are ordered, the moves made so far, and the player to score."""

    text: str
    order_bits: int
    move_count: int
    player: int

    def board(self) -> Board:
        """The position on a new board."""
        board = Board.from_text(self.text, *PLAYERS)
        board._order_bits = self.order_bits
        board.move_count = self.move_count
        return board

    @property
    def scored(self) -> str:
        """The player to score."""
        return PLAYERS[self.player]

    def code(self) -> str:
        """Lines of Python that make the board, to paste."""
        return (
            f"board = Board.from_text({self.text!r}, *{PLAYERS!r})\n"
            f"board._order_bits, board.move_count = {self.order_bits}, {self.move_count}\n"
            f"player = {self.scored!r}"
        )


def random_spots(count: int, seed: str) -> tuple[Spot, ...]:
    """As many positions as asked for, each for both players in turn."""
    stream = Random(seed)
    spots: list[Spot] = []
    while len(spots) < count:
        board = _random_board(stream)
        bits = stream.getrandbits(64)
        moves = board.move_count if stream.random() < 0.9 else stream.randint(0, 300)
        spots += [Spot(board.to_text(), bits, moves, player) for player in (0, 1)]
    return tuple(spots[:count])


def _random_board(stream: Random) -> Board:
    width, height = stream.choices(SIZES, LIKELY)[0]
    board = Board(*PLAYERS, width=width, height=height)
    # By knight's moves, or by jumps to any blank cell.
    jumps = stream.random() < 0.3
    stage = stream.random()
    cells = width * height
    wanted = (
        stream.choice([0, 1])
        if stage < 0.12
        else cells
        if stage > 0.9 and not jumps
        else stream.randint(2, cells)
    )
    if jumps and stage > 0.8:
        wanted = max(2, cells - stream.randint(0, 4))
    for _ in range(wanted):
        moves = sorted(board.get_blank_spaces() if jumps else board.get_legal_moves())
        if not moves:
            break
        board.apply_move(stream.choice(moves))
    if board.move_count > 1 and stream.random() < 0.05:
        # Both on one cell.
        location = board.get_player_location(board.inactive_player)
        assert location is not None
        board.apply_move(location)
    return board
