"""What happened in each lost game: which move lost it, how long the win was, what its search believed.

Every position of a lost game is solved, from the end backwards. On 7 by 7 all of them can be; on larger
boards the first position without a result ends it.

```text
 start . . . . . . . . x o x o x o x
                       |   |   |   `- no move left
                       |   |   `- lost
                       |   `- lost            a move between "won" and "lost" lost the game
                       `- won
```
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Literal, TypeAlias

from isolation_fast import Annotation, Board, annotate
from isolation_fast.cost import band_of
from isolation_fast.endings import GameEnding
from isolation_fast.output import visible
from isolation_fast.text import counted
from isolation_fast.tournament import GameRecord
from isolation_grader.report import Document, fields_of

Stage: TypeAlias = Literal["early", "middle", "late"]
"""Of a game. On 7x7: 35 cells left or more, 20 to 34, and fewer; on other boards the same shares."""
STAGES: Final[tuple[Stage, ...]] = ("late", "middle", "middle", "middle", "early")
"""Of each band of blank cells."""

NODES: Final = 4_000_000
"""For each position. Openings of 7 by 7 mostly need 300,000, and none of a sample more than two million."""
DISTANCE_NODES: Final = 50_000
"""To find how long a win took. With 30 cells left that nearly always suffices, see docs/decisions."""

EARLIER: Final = "An earlier move lost the game. Which one is not proven: too many cells were left."

ANSWERED: Final = re.compile(r"it answered \((-?\d{1,9}), (-?\d{1,9})\)")

FAULTS: Final[dict[GameEnding, str]] = {
    "illegal move": "It made no legal move",
    "timeout": "It took too long",
    "raised": "It raised",
    "bad answer": "It gave no usable answer",
    "hung": "It gave no answer",
    "killed": "Its process ended",
    "not loaded": "It could not be loaded",
    "not played": "It was not played",
    "out of memory": "It asked for more memory than it is allowed",
    "refused": "It asked the system for something that a submission may not have",
    "protocol broken": "Its process sent something other than an answer",
    "overspent": "Its turn took far more work than its budget is worth",
    "no value": "Its program had no value for a position",
    "value overspent": "One value of it took more work than it may",
}


@dataclass(frozen=True, slots=True)
class LosingMove(Document):
    """The move that is proved to have lost a won game.

    >>> LosingMove(19, (0, 4), ((2, 4),), blank=29).stage
    'middle'
    """

    JSON = "number move instead distance line blank stage preferred"

    number: int
    """1 for the first move of the game."""
    move: tuple[int, int]
    instead: tuple[tuple[int, int], ...]
    """The moves that would have kept the win."""
    blank: int
    """Cells left before it."""
    cells: int = 49
    """Of the whole board."""
    line: tuple[tuple[int, int], ...] = ()
    """A line that wins, from there to the end of the game; best play of both where `distance` is known."""
    distance: int | None = None
    """Moves that the win takes with best play, both players' counted; None where that is too far to find."""
    preferred: tuple[int, int] | None = None
    """What the heuristic values highest there if it looks one move ahead; None if it was not asked."""

    @property
    def stage(self) -> Stage:
        """When it was played."""
        return STAGES[band_of(self.blank, self.cells)]


@dataclass(frozen=True)
class LostGame(Document):
    """A lost game, and what happened in it."""

    JSON = """opponent opening=record.opening player ending happened turning losing lost_from_start verdicts
        trace record"""

    opponent: str
    record: GameRecord
    """The game, move by move; `record.opening` and `record.side` name it."""
    happened: str = ""
    """A few sentences; empty in a probe."""
    losing: LosingMove | None = None
    """None where it never had a won position, or a fault lost the game."""
    annotation: Annotation | None = None
    """What each move of the game did to the result of its player; None in a probe, and after a fault."""
    trace: tuple[str, ...] = ()

    @property
    def turning(self) -> int | None:
        """The index of the losing move in the record's moves."""
        return None if self.losing is None else self.losing.number - 1

    @property
    def lost_from_start(self) -> bool:
        """Whether it was proved that the opponent could win all along."""
        return self.annotation is not None and self.annotation.lost_from_start

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What each move did, in a word or three."""
        return tuple(each.verdict for each in self.annotation.moves) if self.annotation else ()

    @property
    def ending(self) -> GameEnding:
        """How it was lost."""
        return self.record.ending

    @property
    def player(self) -> Literal[1, 2]:
        """Which player of the game the submission was."""
        return 1 if self.record.side == 0 else 2

    @property
    def position(self) -> str:
        """The last position, in which the submission was to move, as text."""
        *_, last = self.record.boards()
        return last.to_text()

    def in_probe(self) -> dict[str, Any]:
        """As the JSON of a probe has it, which is without the moves."""
        named = "opponent opening=record.opening player ending detail=record.detail position trace"
        return fields_of(self, named)

    def __str__(self) -> str:
        detail = self.record.detail
        return f"{self.ending}: {detail}" if detail else self.ending


def lost_game(record: GameRecord, opponent: str, trace: tuple[str, ...]) -> LostGame:
    """A lost game, and what happened in it."""
    if record.ending != "no moves":
        return LostGame(opponent, record, _fault(record), trace=trace)
    annotation = annotate(record, nodes=NODES, distance_nodes=DISTANCE_NODES)
    boards = list(record.boards())
    losing = _losing(annotation, boards)
    happened = _played_to_the_end(record, annotation, boards, losing)
    return LostGame(opponent, record, happened, losing, annotation, trace)


def _losing(annotation: Annotation, boards: Sequence[Board]) -> LosingMove | None:
    """The losing move, and how long the win was: with best play, or if that is too far the line found."""
    found = annotation.losing_move
    if found is None:
        return None
    board = boards[found.number - 1]
    return LosingMove(
        found.number,
        found.move,
        annotation.instead,
        len(board.get_blank_spaces()),
        board.width * board.height,
        annotation.line,
        annotation.distance,
    )


def _played_to_the_end(
    record: GameRecord, annotation: Annotation, boards: Sequence[Board], losing: LosingMove | None
) -> str:
    own = own_moves(record)
    if not own:
        return "It had no move from the start."
    if losing is not None:
        turn, move = losing.number - 1, _plain(losing.move)
        kept = f"{_either(losing.instead)} would have kept the win.{_length(losing)}"
        return (
            f"With {_left(boards[turn])} it moved to {move} and lost a won game: {kept}"
            f"{_belief(record, turn, move)}"
        )
    if annotation.lost_from_start:
        return (
            "The drawn opening was already lost for it, before its first move: "
            f"with {_left(boards[own[0]])} every move loses."
        )
    lost = [turn for turn in own if annotation.moves[turn].verdict == "could not help"]
    if not lost:
        return f"It ran out of moves. {EARLIER}"
    belief = _belief(record, lost[0], "its best move")
    return f"With {_left(boards[lost[0]])} every move loses.{belief} {EARLIER}"


def _length(losing: LosingMove) -> str:
    """How long the win was, a sentence."""
    if losing.distance is not None:
        return f" With best play the win takes {counted(losing.distance, 'move')}, both players' counted."
    took = f" One way to win takes {counted(len(losing.line), 'move')}, both players' counted."
    return took if losing.line else ""


def _left(board: Board) -> str:
    return f"{counted(len(board.get_blank_spaces()), 'cell')} left"


def _either(moves: Sequence[tuple[int, int]]) -> str:
    """The moves in words: one, one or another, or several."""
    *most, last = map(str, moves)
    return f"{', '.join(most)} or {last}" if most else last


def _belief(record: GameRecord, index: int, what: str) -> str:
    """What its own search believed there, a sentence; empty where it made none."""
    depth, value = record.depths[index], record.values[index]
    if depth is None:
        return ""
    if value is None or depth == 0:
        return " Its search ended before it had looked one move ahead."
    looked = f" Its search looked {counted(depth, 'move')} ahead and"
    if value == inf:
        return f"{looked} took {what} for a win."
    if value == -inf:
        return f"{looked} took every move for a loss."
    return f"{looked} valued {what} at {value + 0.0:+.3g}."


def _fault(record: GameRecord) -> str:
    """What the submission did instead of moving."""
    fault = FAULTS.get(record.ending, "It lost")
    answered = ANSWERED.fullmatch(record.detail) if record.ending == "illegal move" else None
    if answered:
        row, column = int(answered[1]), int(answered[2])
        return f"It answered ({row}, {column}), {_why_illegal(record, row, column)}."
    detail = _plain(record.detail).strip()
    if not detail.strip("."):
        return f"{fault}."
    if not detail.endswith("..."):  # which say that it was cut
        detail = f"{detail.rstrip('.')}."
    return f"{fault} {detail}" if record.ending == "raised" else f"{fault}: {detail}"


def _why_illegal(record: GameRecord, row: int, column: int) -> str:
    *_, board = record.boards()
    if not (0 <= row < board.height and 0 <= column < board.width):
        return "which is off the board"
    location = board.get_player_location(board.active_player)
    steps = sorted((abs(row - location[0]), abs(column - location[1]))) if location else [1, 2]
    if steps != [1, 2]:
        return f"which is no knight's move from {location}"
    return "which is blocked" if (row, column) not in board.get_blank_spaces() else "which is no legal move"


def _plain(content: object) -> str:
    """One line without control characters."""
    return " ".join(visible(str(content)).split())


def own_moves(record: GameRecord) -> range:
    """Which moves of the game were the submission's."""
    # `mover` reads the start each time; the player of the first move made every second one.
    first = 1 if record.moves and record.mover(0) != record.side + 1 else 0
    return range(first, len(record.moves), 2)
