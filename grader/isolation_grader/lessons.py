"""What happened in a lost game: which move lost it, or what the submission did instead of moving.

The game is searched from its end backwards. What a search says of a position is taken only where it is a
proof; where there is none any more, the game before that cannot be judged.

```text
 start . . . . . . . . x o x o x o x
                       |   |   |   `- no move left
                       |   |   `- proved: lost
                       |   `- proved: lost            a move between "won" and "lost" lost the game
                       `- proved: won
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from isolation_fast import Board, search
from isolation_fast.endings import GameEnding
from isolation_fast.output import visible
from isolation_fast.reports import Move
from isolation_fast.tournament import GameRecord
from isolation_grader.advising import advice
from isolation_grader.report import LostGame

__all__ = ["advice", "lost_game"]

NODES: Final = 20_000
"""For each position. Of 119 games lost at `work=2000`, 36 turn at a move that 5,000 nodes can judge, 45 with
20,000, and few more with 100,000; two thousand games take some seconds then."""

KNOWS_THE_END: Final = "null"
"""The heuristic of the proofs: infinite where a game is over, else 0, so that infinite values are proofs."""

ANSWERED: Final = re.compile(r"it answered \((-?\d{1,9}), (-?\d{1,9})\)")

FAULTS: Final[dict[GameEnding, str]] = {
    "illegal move": "It made no legal move",
    "timeout": "It took too long",
    "raised": "It raised",
    "bad answer": "It gave no answer that can be used",
    "hung": "It gave no answer at all",
    "killed": "Its process ended",
    "not loaded": "It could not be loaded",
    "not played": "It was not played",
    "out of memory": "It asked for more memory than it may have",
    "refused": "It asked the system for what a submission may not have",
    "protocol broken": "Its process sent something else than an answer",
}


def lost_game(record: GameRecord, opponent: str, trace: tuple[str, ...]) -> LostGame:
    """A lost game, and what happened in it.

    >>> quiet = (None,) * 4
    >>> moves = ((1, 2), (0, 2), (0, 0), (1, 0))
    >>> played = (4, 4, "4x4 4/4/1x2/3x 3,3 2,1 1", moves, quiet, quiet, quiet, quiet)
    >>> record = GameRecord(0, 0, 0, ("mine", "other"), *played, winner=2, ending="no moves", detail="")
    >>> lost = lost_game(record, "other", ())
    >>> lost.turning, lost.happened
    (2, 'With 12 cells left it went to (0, 0) and lost a game that was won: (2, 0) would have kept the win.')
    """
    turning = None
    if record.ending == "no moves":
        happened, turning = _played_to_the_end(record)
    else:
        happened = _fault(record)
    return LostGame(opponent, record, happened, turning, trace)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A position in which it was the submission's turn, and what is proved of it."""

    index: int
    """Of the move that it made there."""
    blank: int
    is_won: bool
    best: Move | None
    """A move that wins, if it is won."""


def _played_to_the_end(record: GameRecord) -> tuple[str, int | None]:
    boards = list(record.boards())
    own = [index for index in range(len(record.moves)) if record.mover(index) == record.side + 1]
    if not own:
        return "It had no move from the beginning.", None
    lost: _Judged | None = None
    for judged in _judged(boards, own):
        if judged.is_won:
            move = _plain(record.moves[judged.index])
            told = _belief(record, judged.index, "that")
            return (
                f"With {_cells(judged.blank)} left it went to {move} and lost a game that was won: "
                f"{judged.best} would have kept the win{told}.",
                judged.index,
            )
        lost = judged
    if lost is None:
        return "It had no move left; which move lost the game lies too far from its end to be proved.", None
    if lost.index == own[0]:
        return f"It was lost from its first turn on, with {_cells(lost.blank)} left, whatever it did.", None
    told = _belief(record, lost.index, "its best move")
    return (
        f"With {_cells(lost.blank)} left every move lost{told}; "
        "which move before lost the game lies too far from its end to be proved.",
        None,
    )


def _judged(boards: Sequence[Board], own: Sequence[int]) -> Iterator[_Judged]:
    """Its turns from the last one backwards, to the first of which nothing can be proved."""
    for index in reversed(own):
        report = search(boards[index], KNOWS_THE_END, nodes=NODES, mode="fast", seed=0)
        if report.value not in (inf, -inf):
            return
        is_won = report.value == inf
        blank = len(boards[index].get_blank_spaces())
        yield _Judged(index, blank, is_won, report.move if is_won else None)
        if is_won:
            return


def _belief(record: GameRecord, index: int, what: str) -> str:
    """What its own search believed there, as the end of a sentence; empty where none was made."""
    depth, value = record.depths[index], record.values[index]
    if depth is None:
        return ""
    if value is None or depth == 0:
        return "; its search did not come to the end of looking one move ahead"
    looked = f"; its search looked {depth} move{'' if depth == 1 else 's'} ahead and"
    if value == inf:
        return f"{looked} held {what} for won"
    if value == -inf:
        return f"{looked} held every move for lost"
    return f"{looked} valued {what} at {value + 0.0:+.3g}"


def _fault(record: GameRecord) -> str:
    """What it did instead of moving."""
    told = FAULTS.get(record.ending, "It lost")
    answered = ANSWERED.fullmatch(record.detail) if record.ending == "illegal move" else None
    if answered:
        told = f"It answered ({answered[1]}, {answered[2]})"
        return f"{told}, {_why_illegal(record, int(answered[1]), int(answered[2]))}."
    detail = _plain(record.detail).strip()
    if not detail.strip("."):
        return f"{told}."
    if not detail.endswith("..."):  # which say that it was cut
        detail = f"{detail.rstrip('.')}."
    return f"{told} {detail}" if record.ending == "raised" else f"{told}: {detail}"


def _why_illegal(record: GameRecord, row: int, column: int) -> str:
    *_, board = record.boards()
    if not (0 <= row < board.height and 0 <= column < board.width):
        return "which is off the board"
    location = board.get_player_location(board.active_player)
    steps = sorted((abs(row - location[0]), abs(column - location[1]))) if location else [1, 2]
    if steps != [1, 2]:
        return f"which is no knight's move from {location}"
    return "which is blocked" if (row, column) not in board.get_blank_spaces() else "which is no legal move"


def _cells(blank: int) -> str:
    return f"{blank} cell{'' if blank == 1 else 's'}"


def _plain(content: object) -> str:
    """One line that does nothing to a terminal."""
    return " ".join(visible(str(content)).split())
