r"""What the frames hold, in both directions: each message is a dataclass, and its fields declare its bytes.

```text
 ASSIGN   whose process it is, what may be used      -> LOCKED    what is enforced
 KEY      what answers to searches are signed with   -> DONE      nothing
 OUTLINE  nothing                                    -> LOADED    as `Outlined`: what the source says
 LOAD     a stream                                   -> LOADED    as `Loaded`: what the submission holds
 GAME     streams, side, opening                     -> DONE      nothing
 SEARCH   limits, scale, moves, position             -> MOVED     the move, a report, a tag
 MOVE     the turn's time, moves                     -> MOVED     the move alone
 MEASURE  nodes, position                            -> MEASURED  nodes
 CALL     method, position, depth, heuristic, clock  -> MEASURED  as `Called`: what it returned and counted
 READING  the name of a heuristic                    -> READ      its program, or why it has none
 CONSTANTS  their names                              -> READ      as `ConstantsGiven`: what they are
 EVALUATE a heuristic, positions                     -> VALUES    what it returns there
                                                        FAULT     may answer each of them
```

Those are a worker's. Its parent, the nursery, is asked:

```text
 FORK     nothing; descriptors come along            -> FORKED    the number of the new worker
 END      the number of a worker, whether to reap it -> ENDED     how it ended
                                                        FAULT     the system starts no more processes
```

>>> Moved.of(Moved.made((2, 3), SearchReport((2, 3), 4.0, 5, 12345, "depth")).content()).move
(2, 3)
>>> Moved.of(b"(2, 3)")
Traceback (most recent call last):
...
isolation_fast.process.frames.FrameError: a MOVED frame holds 70 bytes, not 6
"""

# No `from __future__ import annotations`: the annotations are read.
import json
import struct
from base64 import b85decode, b85encode
from math import isnan
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args
from zlib import compress, decompressobj
from zlib import error as ZlibError  # noqa: N812 - it is a class

from isolation_fast.board.early_names import EARLY_NAMES
from isolation_fast.classic import Layout
from isolation_fast.endings import ENDINGS, SELF_REPORTED, GameEnding
from isolation_fast.numbers import NANS, Nan
from isolation_fast.process.frames import (
    Choice,
    FrameError,
    Held,
    Integers,
    Kind,
    Message,
    Milliseconds,
    Moves,
    Names,
    Number,
    Rest,
    Shown,
    Texts,
)
from isolation_fast.reports import Move, Reason, SearchReport
from isolation_fast.searching import MODES, Mode
from isolation_fast.submission import MemberKind, Outline, SubmissionError
from isolation_fast.worker.policy import Level

MOST_NAMES: Final = 64
"""In a list. Three lists fit into a frame whatever is in them."""
MOST_BOUND: Final = 256
"""Names that a module binds: with the lists of an outline they fit into a frame whatever they are."""
MOST_DETAIL: Final = 2048
"""Bytes of what a fault, or Python about a file, says in a line."""
MOST_TRACE: Final = 8192
"""Bytes of a traceback."""

MOST_LINE: Final = 2**31
MOST_PARTS: Final = 4 * 2**20
"""Bytes of a program's parts. The largest program that is played has a quarter of that."""
MOST_DEPTHS: Final = 64
"""Of searches that are recorded."""
Function: TypeAlias = Literal["minimax", "alphabeta", "get_move", "score"]
"""What can be called: methods of its players, and its heuristics."""

KEY_BYTES: Final = 16
TAG_BYTES: Final = 8
"""At the end of a search's answer."""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)

# ---- requests


class Assign(Message, kind=Kind.ASSIGN, kw_only=True):
    """Whose process it is, and what may be used; the first request to a process."""

    path: Annotated[str, Held(str)]
    """The private copy of the submission's file."""
    member: Annotated[str | None, Held(str, or_none=True)] = None
    """The heuristic or player that is to play; None where only a list of them is wanted."""
    layout: Annotated[str | None, Held(str, or_none=True)] = None
    """The classic layout that it was written for, where its source does not tell."""
    modules: Annotated[tuple[str, ...], Texts()] = ()
    """What to import before the process is locked, if it can be, besides what it has imported already."""
    readable: Annotated[tuple[str, ...], Texts()] = ()
    """Files and folders that it may read, besides Python, its packages and the submission's folder."""
    memory: Annotated[int | None, Held(int, or_none=True)] = 2048
    cpu: Annotated[int | None, Held(int, or_none=True)] = None
    user: Annotated[int | None, Held(int, or_none=True)] = None
    parent: Annotated[int | None, Held(int, or_none=True)] = None


class KeyGiven(Message, kind=Kind.KEY):
    """What answers to searches are signed with; sent before anything of the submission is there.

    The engine reads it itself, in `serving.rs`, and Python never gets it.
    """

    key: Annotated[bytes, Number(f"{KEY_BYTES}s")]


class OutlineAsked(Message, kind=Kind.OUTLINE):
    """Parse the submission, and run nothing of it."""


class Load(Message, kind=Kind.LOAD):
    """Load the submission and make its player."""

    stream: Annotated[int, Held(int, least=0)]
    """Where what it draws meanwhile comes from."""


class Game(Message, kind=Kind.GAME):
    """A game begins."""

    opening: Annotated[str, Rest()]
    stream: Annotated[int, Number("Q")]
    """What `random` is seeded with."""
    order_bits: Annotated[int, Number("Q")]
    """Those of the referee's board."""
    side: Annotated[Literal[0, 1], Choice((0, 1))]
    """0 for player 1."""


class SearchAsked(Message, kind=Kind.SEARCH):
    """Search natively with the submission's heuristic. The engine reads it itself, in `serving.rs`."""

    moves: Annotated[tuple[Move, ...], Moves()]
    """Those made since its last turn."""
    position: Annotated[str, Rest()]
    """What its board must show after them."""
    depth: Annotated[int | None, Number("I", or_none=True)] = None
    nodes: Annotated[int | None, Number("Q", or_none=True)] = None
    ms: Annotated[float | None, Milliseconds(or_none=True)] = None
    mode: Annotated[Mode, Choice(MODES)] = "plain"
    nan: Annotated[Nan, Choice(NANS)] = "course"
    work: Annotated[int | None, Number("Q", or_none=True)] = None
    """What may be spent as the search goes: as much as so many nodes with `improved`."""
    scale: Annotated[float, Milliseconds()] = 0.0
    """Nanoseconds of the reference machine for each of this one, by which work is spent."""
    value_work: Annotated[int | None, Number("Q", or_none=True)] = None
    """What one value may take."""


class MoveAsked(Message, kind=Kind.MOVE):
    """Ask the submission's player for a move."""

    moves: Annotated[tuple[Move, ...], Moves()]
    """Those made since its last turn."""
    limit_ms: Annotated[float, Milliseconds()] = 0.0
    """What `time_left` counts down from; 0 where the time stands still."""


class Measure(Message, kind=Kind.MEASURE):
    """Search a position on the reference board with `improved`: a process without a submission does."""

    position: Annotated[str, Rest()]
    nodes: Annotated[int, Number("I")]
    """How many end the search."""


class Call(Message, kind=Kind.CALL, kw_only=True):
    """Call a method of an instance of one of its players, or one of its heuristics: see `worker.calling`."""

    function: Annotated[Function, Choice(get_args(Function))]
    member: Annotated[str, Held(str)]
    """The class, or with `score` the heuristic."""
    position: Annotated[str, Held(str)]
    side: Annotated[Literal[0, 1], Choice((0, 1))] = 0
    """0 where the submission's player is player 1."""
    depth: Annotated[int, Number("i")] = 1
    """That of the search, and the one that the instance is made with."""
    method: Annotated[Literal["minimax", "alphabeta"], Choice(("minimax", "alphabeta"))] = "minimax"
    """What an instance of the first layout is made with."""
    iterative: Annotated[bool, Choice((False, True))] = False
    """The same."""
    values: Annotated[Literal["cells", "first branch"], Choice(("cells", "first branch"))] = "cells"
    """What leaves are worth: `leaf_value` of the players' cells; or 1 below the first move tried, else 0."""
    seed: Annotated[int, Number("Q")] = 0
    """Of the values, and of `random`."""
    expires: Annotated[int | None, Held(int, or_none=True, least=0)] = None
    """The clock runs out at the first leaf at which so many children were made; 0 is at once, None never."""
    searches: Annotated[int, Number("H")] = 0
    """Where it is no 0, a search of ours stands in for its `alphabeta`, and is out of time at that call."""


class ReadingAsked(Message, kind=Kind.READING):
    """Read a heuristic from the text, and run nothing of it; asked before the submission is loaded."""

    name: Annotated[str, Held(str)]
    told: Annotated[str | None, Held(str, or_none=True)] = None
    """Constants that the text does not tell, as `ConstantsGiven` has them."""


class ConstantsAsked(Message, kind=Kind.CONSTANTS):
    """What constants of its modules are, now that it is loaded."""

    names: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)]


class Evaluate(Message, kind=Kind.EVALUATE):
    """Ask a heuristic about positions, each with fresh players."""

    member: Annotated[str, Held(str)]
    positions: Annotated[tuple[str, ...], Texts()]
    """Each is valued for the player to move."""


class ForkAsked(Message, kind=Kind.FORK):
    """Fork a worker, which gets the descriptors that come with this: `process.Ends`."""


class EndAsked(Message, kind=Kind.END):
    """Tell how a worker ended."""

    pid: Annotated[int, Number("I")]
    reap: Annotated[bool, Choice((False, True))]
    """Wait for its end, and let its number go."""


# ---- answers


class Forked(Message, kind=Kind.FORKED):
    """There is a new worker."""

    pid: Annotated[int, Number("I")]


class Ended(Message, kind=Kind.ENDED):
    """How a worker ended."""

    runs: Annotated[bool, Choice((False, True))]
    """Then the status says nothing."""
    status: Annotated[int, Number("i")]
    """As `Popen.poll` has it."""


class Locked(Message, kind=Kind.LOCKED):
    """The process is locked. Nothing of the submission has run by then."""

    enforced: Annotated[tuple[str, ...], Texts()]
    missing: Annotated[tuple[str, ...], Texts()]
    landlock: Annotated[int, Held(int, least=0)]

    @property
    def level(self) -> Level:
        """How much of a jail there is."""
        return Level(self.enforced, self.missing, self.landlock)


class Done(Message, kind=Kind.DONE):
    """A game has begun, or the key is kept."""


class Loaded(Message, kind=Kind.LOADED):
    """What a submission holds: what it says itself, so only to be shown. Each name is there once."""

    heuristics: Annotated[tuple[str, ...], Names(MOST_NAMES)]
    players: Annotated[tuple[str, ...], Names(MOST_NAMES)]
    templates: Annotated[tuple[str, ...], Names(MOST_NAMES)]
    member_is: Annotated[MemberKind | None, Held(str, among=(*get_args(MemberKind), None))] = None
    """What the one that is to play is."""
    misfits: Annotated[str | None, Shown(MOST_DETAIL, or_none=True)] = None
    """What each `custom_score` is that is no heuristic, as `custom_score=a class; ...`."""

    def __post_init__(self) -> None:
        """A name that is sent many times is no more work for the referee than one."""
        for name in ("heuristics", "players", "templates"):
            setattr(self, name, tuple(dict.fromkeys(getattr(self, name))))


class Outlined(Message, kind=Kind.LOADED, kw_only=True):
    """What the source says that a submission holds; or, as a `problem`, what Python says against it."""

    layout: Annotated[Layout | None, Held(str, among=(*get_args(Layout), None))] = None
    heuristics: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)] = ()
    players: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)] = ()
    templates: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)] = ()
    imports: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)] = ()
    early_names: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True, of=EARLY_NAMES)] = ()
    bound: Annotated[tuple[str, ...], Names(MOST_BOUND, dotted=True)] = ()
    problem: Annotated[str | None, Shown(MOST_DETAIL, or_none=True)] = None
    line: Annotated[int | None, Held(int, or_none=True, least=1, most=2**31 - 1)] = None
    remedy: Annotated[str | None, Shown(MOST_DETAIL, or_none=True)] = None

    def of_file(self, file: Path) -> Outline:
        """The outline of the file that was copied for the process; or the error."""
        if self.problem is not None or self.layout is None:
            raise SubmissionError(
                self.problem or "nothing is known of it",
                reason="syntax",
                path=str(file),
                line=self.line,
                remedy=self.remedy,
            )
        return Outline(path=file, layout=self.layout, **{name: getattr(self, name) for name in LISTS})

    def require_sense(self) -> None:
        """An outline has a layout, or else a problem."""
        if (self.layout is None) is (self.problem is None):
            raise FrameError("an outline has a layout, or else a problem")


LISTS: Final = ("heuristics", "players", "templates", "imports", "early_names", "bound")
"""The lists of an outline."""


class Measured(Message, kind=Kind.MEASURED):
    """How many nodes that search had."""

    nodes: Annotated[int, Number("I")]


class Called(Message, kind=Kind.MEASURED, kw_only=True):
    """What a call returned, and what the process says that it counted."""

    timed_out: Annotated[bool, Choice((False, True))] = False
    """Whether the submission raised its own exception for spent time."""
    has_cell: Annotated[bool, Choice((False, True))] = False
    row: Annotated[int, Number("q")] = 0
    column: Annotated[int, Number("q")] = 0
    has_value: Annotated[bool, Choice((False, True))] = False
    value: Annotated[float, Number("d")] = 0.0
    is_float: Annotated[bool, Choice((False, True))] = False
    """Whether the value is a `float`, as the course asks."""
    nodes: Annotated[int, Number("I")] = 0
    """Children that were made."""
    cells: Annotated[int, Number("I")] = 0
    """How many different cells these moves went to."""
    scored: Annotated[int, Number("I")] = 0
    """How often the heuristic was asked."""
    late: Annotated[int, Number("I")] = 0
    """How often of them after the clock had run out."""
    first: Annotated[tuple[Move, ...], Moves()] = ()
    """The move that was tried first from the root, if any was."""
    depths: Annotated[tuple[int, ...], Integers(MOST_DEPTHS)] = ()
    """That `alphabeta` was called with."""
    type: Annotated[str, Shown(MOST_DETAIL)] = ""
    """Of the value."""
    shown: Annotated[str, Shown(MOST_DETAIL)] = ""
    """What was returned, as Python shows it."""

    @property
    def cell(self) -> Move | None:
        """The cell that was returned; None where it was none."""
        return (self.row, self.column) if self.has_cell else None


class Moved(Message, kind=Kind.MOVED):
    """The cell that was answered, legal or not; and of a search what it found, written in `serving.rs`."""

    row: Annotated[int, Number("q")]
    column: Annotated[int, Number("q")]
    flags: Annotated[int, Number("B")] = 0
    """1: there is a report; 3: that has a value too."""
    value: Annotated[float, Number("d")] = 0.0
    depth: Annotated[int, Number("I")] = 0
    nodes: Annotated[int, Number("Q")] = 0
    reason: Annotated[int, Number("B")] = 0
    asked: Annotated[int, Number("Q")] = 0
    """What was asked of boards since the search before, in nanoseconds of the price list."""
    nans: Annotated[int, Number("Q")] = 0
    """How often its heuristic returned NaN."""
    paid: Annotated[int, Number("Q")] = 0
    """What was paid of its work besides its nodes, in nanoseconds of the reference machine."""
    tag: Annotated[int, Number("Q")] = 0
    """Of a search: made of the key, the request and all that stands before the tag."""

    @staticmethod
    def made(move: Move, report: SearchReport | None = None, asked: int = 0) -> "Moved":
        """Of a cell, and of what the search found that chose it."""
        if report is None:
            return Moved(*move)
        flags, value = (1, 0.0) if report.value is None else (3, report.value)
        reason = REASONS.index(report.reason)
        return Moved(*move, flags, value, report.depth, report.nodes, reason, asked, report.nans)

    @property
    def move(self) -> Move:
        """The cell."""
        return self.row, self.column

    @property
    def report(self) -> SearchReport | None:
        """What the search found; None where a player chose."""
        if not self.flags:
            return None
        value = self.value if self.flags == 3 else None
        reason = REASONS[self.reason]
        return SearchReport(self.move, value, self.depth, self.nodes, reason, nans=self.nans)

    def require_sense(self) -> None:
        """What is not there is 0 in every bit."""
        has_value = struct.pack("<d", self.value) != bytes(8)
        numbers = (self.depth, self.nodes, self.reason, self.asked, self.nans, self.paid, self.tag)
        if self.flags == 0 and (has_value or any(numbers)):
            raise FrameError("a MOVED frame without a report holds one")
        if self.flags not in (0, 1, 3) or isnan(self.value) or (self.flags == 1 and has_value):
            raise FrameError("the value of a MOVED frame is none")
        if self.reason >= len(REASONS):
            raise FrameError(f"there is no reason {self.reason}")


class ReadAnswer(Message, kind=Kind.READ):
    """What the text says of a heuristic: the parts of its program, or why it has none."""

    parts: Annotated[str | None, Held(str, or_none=True)] = None
    """As `packed` writes them."""
    line: Annotated[int, Held(int, least=0, most=MOST_LINE)] = 0
    construct: Annotated[str, Shown(MOST_DETAIL)] = ""
    why: Annotated[str, Shown(MOST_DETAIL)] = ""
    file: Annotated[str | None, Shown(MOST_DETAIL, or_none=True)] = None
    """Where the line is, if not in the submission's own file."""
    unread: Annotated[tuple[str, ...], Names(MOST_NAMES, dotted=True)] = ()
    """Constants that it uses, and that an import of the module may tell."""


class ConstantsGiven(Message, kind=Kind.READ):
    """What constants are, as `submission.constants` writes them and `packed` packs them.

    The process that says so is the submission's. The referee compares the text, and looks at nothing in it.
    """

    told: Annotated[str, Held(str)]


def packed(parts: object) -> str:
    """Plain data as a short text.

    >>> unpacked(packed([1, [2.5, "a"]]))
    [1, [2.5, 'a']]
    """
    return b85encode(compress(json.dumps(parts).encode())).decode()


def unpacked(text: str) -> Any:
    """What was packed; a `FrameError` where it was not, or is too large."""
    try:
        reader = decompressobj()
        content = reader.decompress(b85decode(text), MOST_PARTS)
        if not reader.eof:
            raise FrameError(f"the parts of a program do not end within {MOST_PARTS:,} bytes")
        return json.loads(content)
    except (ValueError, ZlibError, RecursionError) as error:
        raise FrameError(f"the parts of a program cannot be read: {error}") from None


class ValuesGiven(Message, kind=Kind.VALUES):
    """What a heuristic returned for each position, as `float.hex` writes it, or how it ended."""

    values: Annotated[tuple[str, ...], Texts()]


class Faulted(Message, kind=Kind.FAULT):
    """What was done instead."""

    ending: Annotated[GameEnding, Choice(ENDINGS, allowed=SELF_REPORTED)]
    detail: Annotated[str, Shown(MOST_DETAIL)]
    """One line."""
    trace: Annotated[str, Shown(MOST_TRACE, lines=True)] = ""
    """The traceback's part inside the submission, in lines."""
