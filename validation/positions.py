"""The positions on which heuristics are compared: seeded random play, of all stages and some other sizes.

The benchmark of submissions asks about the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from isolation_fast import reference
from isolation_fast.reports import Move

__all__ = ["Spot", "seeded_positions"]

CLASSIC_SIZE: Final = (7, 7)
# Width and height. Wider than high and the other way round, since many heuristics confuse the two.
OTHER_SIZES: Final = ((5, 6), (9, 8), (11, 11), (3, 4), (8, 5))
EVERY_TENTH: Final = 10
# Of 21 positions one has nobody placed, two have one player placed, two are finished games. 21 has no common
# factor with 10 nor with the number of other sizes, so each of them gets positions of every stage too.
STAGES: Final = 21


@dataclass(frozen=True, slots=True)
class Spot:
    """A position, as the moves that lead to it from an empty board.

    >>> spot = Spot(5, 6, ((0, 1), (2, 2)))
    >>> spot.on(reference.Board).to_text()
    '5x6 1x3/5/2x2/5/5/5 0,1 2,2 1'
    """

    width: int
    height: int
    moves: tuple[Move, ...]

    def on(self, board_class: Any, players: Sequence[object] = ("player 1", "player 2")) -> Any:
        """The position on a new board of any class that has the classic constructor and `apply_move`."""
        board = board_class(players[0], players[1], width=self.width, height=self.height)
        for move in self.moves:
            board.apply_move(move)
        return board


def seeded_positions(count: int, seed: int) -> tuple[Spot, ...]:
    """As many positions as asked for, the same ones for the same seed; more of them begin with the same ones.

    >>> spots = seeded_positions(200, seed=0)
    >>> spots[:50] == seeded_positions(50, seed=0), len({(spot.width, spot.height) for spot in spots})
    (True, 6)
    """
    return tuple(_positions(count, Random(seed)))


def _positions(count: int, stream: Random) -> Iterator[Spot]:
    others = 0
    for number in range(count):
        width, height = CLASSIC_SIZE
        if number % EVERY_TENTH == EVERY_TENTH - 1:
            width, height = OTHER_SIZES[others % len(OTHER_SIZES)]
            others += 1
        game = _random_game(width, height, stream)
        stage = number % STAGES
        if stage == 0:
            length = 0
        elif stage in (1, 2):
            length = 1
        elif stage in (3, 4):
            length = len(game)
        else:
            length = stream.randint(2, len(game))
        yield Spot(width, height, game[:length])


def _random_game(width: int, height: int, stream: Random) -> tuple[Move, ...]:
    board = reference.Board(width=width, height=height)
    moves: list[Move] = []
    # Sorted, so that the game depends on the stream alone and not on the order in which a board lists moves.
    while legal := sorted(board.get_legal_moves()):
        moves.append(stream.choice(legal))
        board.apply_move(moves[-1])
    return tuple(moves)
