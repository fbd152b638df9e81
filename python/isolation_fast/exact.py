"""Exact play: who wins a position, which moves win, how soon, and where a game was thrown away.

No heuristic takes part: a solver goes through the game to its end. On 7 by 7 that takes milliseconds, and
who wins from the placements on, and for some moves more, is in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import index
from typing import Any, Final, Literal, Protocol, TypeAlias, cast

from isolation_fast import _native
from isolation_fast._native import Board
from isolation_fast.budgets import LARGEST_NODES, Budget, engine_limits
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.numbers import integer
from isolation_fast.reports import Move
from isolation_fast.searching import require_native_board
from isolation_fast.text import counted, described

Outcome: TypeAlias = Literal["win", "loss", "unknown"]
"""The result with best play of both; `unknown`: the budget was spent before it was certain."""
Verdict: TypeAlias = Literal["kept", "threw away", "could not help", "unknown"]
"""What a move did to the result of its player.

- `kept`: a won position, and it still is;
- `threw away`: the position was won, and this move lost it;
- `could not help`: every move lost;
- `unknown`: the budget was spent before it was certain.
"""

MOST_THREADS: Final = 1024

# The order in which graded moves are listed.
_BEST_FIRST: Final = ("win", "unknown", "loss")
_OF_LETTER: Final[dict[str, Outcome]] = {"w": "win", "l": "loss", "u": "unknown"}
_WORDS: Final = {"win": "wins", "loss": "loses", "unknown": "is not decided"}


@dataclass(frozen=True, slots=True)
class GradedMove:
    """A legal move and what comes of it.

    - `move`: the cell.
    - `outcome`: the result for the player who makes it.
    - `distance`: with best play, how many moves of both players the game still has, this one included;
      None where it was not asked for, or not found.

    >>> print(GradedMove((2, 3), "win", 7))
    (2, 3) wins in 7
    """

    move: Move
    outcome: Outcome
    distance: int | None = None

    def __str__(self) -> str:
        soon = "" if self.distance is None else f" in {self.distance}"
        return f"{self.move} {_WORDS[self.outcome]}{soon}"


@dataclass(frozen=True, slots=True)
class Solution:
    """What `solve` found, for the side to move.

    - `outcome`: `"win"`, `"loss"` or `"unknown"`.
    - `moves`: every legal move with its outcome, the best first.
    - `line`: where it was asked for, moves of both players to the end of the game, in which the winner keeps
      the win; with `distance=True` the winner wins as soon as possible and the loser resists as long as
      possible. It is shorter where the budget was spent.
    - `distance`: how many moves the game still has with best play; None unless asked for.
    - `nodes`: the positions that it took, without those whose winner is plain to see.
    - `looked_up`: whether all of it is from the table of 7 by 7, so that nothing was searched.

    >>> print(Solution("loss", (GradedMove((2, 3), "loss", 2),), ((2, 3), (0, 2)), 2, 1))
    loss in 2 moves: none of 1 legal move wins (1 node)
    """

    outcome: Outcome
    moves: tuple[GradedMove, ...]
    line: tuple[Move, ...]
    distance: int | None
    nodes: int
    looked_up: bool = False

    @property
    def winning_moves(self) -> tuple[Move, ...]:
        """The moves that are certain to win, the soonest first where the distances are known."""
        return tuple(each.move for each in self.moves if each.outcome == "win")

    def __str__(self) -> str:
        soon = f" in {counted(self.distance, 'move')}" if self.distance else ""
        won, of = len(self.winning_moves), counted(len(self.moves), "legal move")
        if not self.moves:
            winning = "no legal move"
        elif any(each.outcome == "unknown" for each in self.moves):
            winning = f"{won or 'none'} of {of} {'are' if won > 1 else 'is'} proven to win"
        else:
            winning = f"{won or 'none'} of {of} win{'' if won > 1 else 's'}"
        return f"{self.outcome}{soon}: {winning} ({counted(self.nodes, 'node')})"


def solve(
    board: Board,
    *,
    nodes: int | None = None,
    ms: float | None = None,
    moves: bool = True,
    line: bool = False,
    distance: bool = False,
    table: bool = True,
    threads: int = 1,
) -> Solution:
    """Find out for certain who wins a position, and what each move of the side to move leads to.

    `nodes` and `ms` limit the work, by default nothing does: what is not certain by then is `"unknown"`.
    Ctrl-C ends it with a `KeyboardInterrupt`. `moves=False` asks for the outcome alone, which takes a third
    of the work: which moves win is then not said of all of them. `line=True` adds a line in which the winner
    keeps the win. `distance=True` counts the moves to the end of the game, for every move; the line is then
    one of best play. On 7 by 7 that takes 15 to 60 times the nodes, and seconds in an opening.

    On several `threads` the moves are looked at side by side, each within `nodes`. Solution and nodes are
    those of one thread, unless `ms` ends it.

    Every position of 7 by 7 can be solved. Who wins its openings, some moves after the placements, is looked
    up in a table, at no node; `table=False` searches them like any other. A position with more than 1024
    blank cells is not tried.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("5x5 1x3/1xx2/xxx2/x1x2/xx3 1,2 2,1 1")
    >>> solution = solve(board, distance=True)
    >>> print(solution)
    win in 7 moves: 2 of 5 legal moves win (97 nodes)
    >>> for graded in solution.moves:
    ...     print(graded)
    (0, 4) wins in 7
    (3, 1) wins in 7
    (2, 4) loses in 8
    (3, 3) loses in 4
    (0, 0) loses in 2
    >>> solution.line
    ((3, 1), (0, 2), (2, 3), (1, 4), (4, 2), (3, 3), (3, 4))
    >>> solve(board, nodes=1).outcome
    'unknown'
    """
    require_native_board("solve", board)
    limits = (None, None) if nodes is None and ms is None else engine_limits(Budget(nodes=nodes, ms=ms))[1:]
    wanted = bool(moves), bool(line), bool(distance), bool(table)
    workers = integer("threads", threads, 1, MOST_THREADS)
    outcome, found, played, left, used, looked_up = _native.solve(board, *wanted, workers, *limits)
    graded = [GradedMove(move, cast(Outcome, word), soon) for move, word, soon in found]
    graded.sort(key=_from_best_to_worst)
    return Solution(cast(Outcome, outcome), tuple(graded), tuple(played), left, used, looked_up)


def _from_best_to_worst(graded: GradedMove) -> tuple[int, int, Move]:
    """Winning moves from the soonest on, then losing ones from the longest on; unknown distances last."""
    if graded.outcome == "win":
        soon = LARGEST_NODES if graded.distance is None else graded.distance
    else:
        soon = -(graded.distance or 0)
    return _BEST_FIRST.index(graded.outcome), soon, graded.move


class Played(Protocol):
    """A game that was played: a `GameResult`, a `GameRecord` of a tournament, or anything like them."""

    @property
    def start(self) -> str:
        """The position that it began from, as text."""

    @property
    def moves(self) -> Sequence[Move]:
        """The moves from there on."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a game, and what it did to the result.

    - `number`: 1 for the first move of the game.
    - `player`: who made it, 1 or 2.
    - `move`: the cell.
    - `verdict`: `"kept"`, `"threw away"`, `"could not help"` or `"unknown"`.

    >>> print(JudgedMove(12, 2, (4, 5), "threw away"))
    move 12: player 2 moved to (4, 5) and threw away a won position
    """

    number: int
    player: Literal[1, 2]
    move: Move
    verdict: Verdict

    def __str__(self) -> str:
        result = {
            "kept": "and kept the win",
            "threw away": "and threw away a won position",
            "could not help": "in a lost position",
            "unknown": "with an unknown result",
        }[self.verdict]
        return f"move {self.number}: player {self.player} moved to {self.move} {result}"


@dataclass(frozen=True, slots=True)
class Annotation:
    """A game with a verdict on each of its moves.

    - `moves`: the moves in order.
    - `winner`: who wins the last position with best play, 1 or 2; None where it is unknown. In a game that
      was played to its end it is who won; a forfeit or a timeout is not looked at.
    - `losing_move`: the move by which the other player lost the game for good; None where the game was lost
      from its start (`lost_from_start`), or where it is unknown.
    - `instead`: the moves that would have kept the win there.
    - `line`: a winning line from there, to the end of the game.
    - `nodes`: the positions that it took, without those whose winner is plain to see.
    - `distance`: how many moves the win took there with best play, both players' counted; None where that
      was not asked for, or not found. The line is then best play.

    >>> annotation = annotate([(0, 0)], start="5x5 1x3/1xx2/xxx2/x1x2/xx3 1,2 2,1 1")
    >>> print(annotation)
    player 2 wins: move 1: player 1 moved to (0, 0) and threw away a won position
    >>> annotation.instead, annotation.lost_from_start
    (((0, 4), (3, 1)), False)
    """

    moves: tuple[JudgedMove, ...]
    winner: Literal[1, 2] | None
    losing_move: JudgedMove | None
    instead: tuple[Move, ...]
    line: tuple[Move, ...]
    nodes: int
    distance: int | None = None

    @property
    def lost_from_start(self) -> bool:
        """Whether the winner's win was never in doubt: a certain win in every position of the game."""
        return self.winner is not None and all(
            each.verdict == ("kept" if each.player == self.winner else "could not help")
            for each in self.moves
        )

    def __str__(self) -> str:
        if self.winner is None:
            return f"not proven who wins after {counted(len(self.moves), 'move')}"
        if self.losing_move is not None:
            return f"player {self.winner} wins: {self.losing_move}"
        how = "from the start on" if self.lost_from_start else "by a move that is not proven"
        return f"player {self.winner} wins {how}"


def annotate(
    game: Played | Sequence[Move],
    *,
    start: Board | str | None = None,
    nodes: int | None = None,
    distance_nodes: int = 0,
) -> Annotation:
    """Say of each move of a game whether it kept the win, threw it away, or could not help.

    `game` is the result of `play_game`, the record of a tournament's game, or the moves alone; then `start`
    is the position before the first of them, by default an empty board of 7 by 7. `nodes` limits the work for
    each position, as in `solve`; what comes before a position that is not decided by then is `"unknown"` too.
    With `distance_nodes` so many more find out how long the win lasted, and the line is best play.

    >>> from isolation_fast import GreedyPlayer, RandomPlayer, play_game
    >>> start = "5x5 1x3/5/2x2/x4/5 2,2 3,0 2"
    >>> annotation = annotate(play_game(GreedyPlayer(), RandomPlayer(), start=start, seed=1))
    >>> print(annotation)
    player 1 wins: move 9: player 2 moved to (0, 2) and threw away a won position
    >>> annotation.instead, annotation.line
    (((4, 0),), ((4, 0), (4, 1), (3, 2), (2, 0), (1, 1)))
    """
    board, moves = _beginning(game, start)
    limit = None if nodes is None else engine_limits(Budget(nodes=nodes))[1]
    integer("distance_nodes", distance_nodes, 0, error=InvalidBudgetError)
    moves = [_pair(move) for move in moves]
    letters, used = _native.judge(board.to_text(), moves, limit)
    outcomes = [_OF_LETTER[each] for each in letters]
    first: Literal[1, 2] = 1 if board.active_player == "player 1" else 2
    second: Literal[1, 2] = 2 if first == 1 else 1
    players: tuple[Literal[1, 2], Literal[1, 2]] = (first, second)
    judged = tuple(
        JudgedMove(at + 1, players[at % 2], move, _verdict(outcomes[at], outcomes[at + 1]))
        for at, move in enumerate(moves)
    )
    ahead = {"win": players[len(moves) % 2], "loss": players[(len(moves) + 1) % 2]}.get(outcomes[-1])
    thrown = [each for each in judged if each.verdict == "threw away"]
    if not thrown:
        return Annotation(judged, ahead, None, (), (), used)
    losing = thrown[-1]
    there = reduce(Board.forecast_move, moves[: losing.number - 1], board)
    right = solve(there, nodes=distance_nodes, distance=True) if distance_nodes else None
    used += right.nodes if right else 0
    if right is None or len(right.line) != right.distance:
        right = solve(there, nodes=nodes, line=True)
        used += right.nodes
    instead = tuple(sorted(right.winning_moves))
    return Annotation(judged, ahead, losing, instead, right.line, used, right.distance)


def _beginning(game: Played | Sequence[Move], start: Board | str | None) -> tuple[Board, list[Move]]:
    """A board of our own before the first move, and the moves."""
    if hasattr(game, "moves") and hasattr(game, "start"):
        if start is not None:
            raise TypeError("start= is for moves alone: this game says where it began")
        return Board.from_text(game.start), list(game.moves)
    if isinstance(game, str) or not isinstance(game, Sequence):
        raise TypeError(
            f"annotate takes a game with `start` and `moves`, or a list of moves, not {described(game)}"
        )
    if start is not None and not isinstance(start, Board | str):
        raise TypeError(
            f"annotate takes an isolation_fast.Board or its text as start, not {described(start)}"
        )
    text = start.to_text() if isinstance(start, Board) else start
    return Board() if text is None else Board.from_text(text), list(game)


def _pair(move: Any) -> Move:
    """A move as a tuple: from JSON it comes as a list."""
    try:
        row, column = move
        return index(row), index(column)
    except (TypeError, ValueError):
        raise TypeError(f"a move is a pair of integers (row, column), not {move!r}") from None


def _verdict(before: Outcome, after: Outcome) -> Verdict:
    """From the outcome for the player to move, before the move and after it: what is unknown comes first."""
    if before == "unknown":
        return "unknown"
    if before == "loss":
        return "could not help"
    return "kept" if after == "loss" else "threw away"
