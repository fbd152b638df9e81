"""What a search and a game return: frozen records that print readably."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from isolation_fast._native import Board
from isolation_fast.endings import Ending

Move: TypeAlias = tuple[int, int]
"""A cell as (row, column)."""
NO_MOVE: Final = (-1, -1)
"""What classic players answer where there is no legal move."""
Reason: TypeAlias = Literal["depth", "nodes", "time", "exhausted", "heuristic"]
"""Which limit ended a search.

- `exhausted`: every line was searched to the end of the game;
- `heuristic`: a submission's heuristic raised the submission's own timeout, which ends a search as a spent
  budget does;
- `depth`: also without a limit of depth, at the 1024 moves that no search exceeds.
"""

_ENDED_BY = {
    "depth": "the depth asked for",
    "nodes": "out of nodes",
    "time": "out of time",
    "exhausted": "every line searched to its end",
    "heuristic": "ended by its heuristic",
}


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What a search found, how far it came, and why it stopped.

    - `move`: the first move in the root's order that has the best value; None where there is no legal move.
    - `value`: the minimax value at that depth, for the side to move; None if not even depth 1 was finished.
    - `depth`: the last depth that was finished.
    - `nodes`: the positions generated, at all depths together.
    - `reason`: `"depth"`, `"nodes"`, `"time"`, `"exhausted"` or `"heuristic"`.
    - `root_values`: on request, the exact value of each root move, in the root's order.
    - `nans`: how often the heuristic returned NaN, where it may.

    >>> print(SearchReport((2, 3), 4.0, 5, 12345, "depth"))
    (2, 3) is worth 4 at depth 5 (12,345 nodes; the depth asked for)
    """

    move: Move | None
    value: float | None
    depth: int
    nodes: int
    reason: Reason
    # A dict has no hash; reports without it are equal often enough for a hash to be of use.
    root_values: Mapping[Move, float] | None = field(default=None, hash=False)
    nans: int = 0

    def __str__(self) -> str:
        how = f"({self.nodes:,} nodes; {_ENDED_BY[self.reason]})"
        if self.move is None:
            worth = "unsearched" if self.value is None else f"worth {self.value:g}"
            return f"no legal move, {worth} {how}"
        if self.value is None:
            return f"{self.move}, unsearched: no depth was finished {how}"
        return f"{self.move} is worth {self.value:g} at depth {self.depth} {how}"


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game.

    - `winner`: 1 or 2, for `player_1` or `player_2`, not for the order of moves.
    - `moves`: the moves played from `start` on.
    - `reason`: how the loser lost: `"no moves"`, `"forfeit"` or `"timeout"`.
    - `nodes`: the positions that each of the two searched, 0 for a player that does not count them.
    - `start`: the position that the game began from, as text.

    >>> result = GameResult(2, ((0, 1), (2, 2)), "no moves", (0, 0), "3x3 3/3/3 - - 1")
    >>> print(result)
    player 2 won after 2 moves: player 1 had no move left
    >>> result.history
    [[0, 1], [2, 2]]
    >>> result.board().to_text()
    '3x3 1x1/3/2x 0,1 2,2 1'
    """

    winner: Literal[1, 2]
    moves: tuple[Move, ...]
    reason: Ending
    nodes: tuple[int, int]
    start: str

    @property
    def loser(self) -> Literal[1, 2]:
        """The other side, 1 or 2."""
        return 2 if self.winner == 1 else 1

    @property
    def history(self) -> list[list[int]]:
        """The moves as `Board.play` returns them: a list of `[row, column]` lists."""
        return [list(move) for move in self.moves]

    def board(self) -> Board:
        """A new board that shows the end of the game."""
        board = Board.from_text(self.start)
        for move in self.moves:
            board.apply_move(move)
        return board

    def __str__(self) -> str:
        ended = {
            "no moves": "had no move left",
            "forfeit": "gave no legal move though there was one",
            "timeout": "ran out of time",
        }[self.reason]
        count = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        return f"player {self.winner} won after {count}: player {self.loser} {ended}"
