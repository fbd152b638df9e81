r"""What the frames hold, in both directions.

```text
 ASSIGN   JSON                                                               -> LOCKED  JSON, the level
 OUTLINE  nothing                                                            -> LOADED  JSON, in `outlines.py`
 LOAD     JSON                                                               -> LOADED  JSON
 GAME     stream u64, order bits u64, side u8, opening                       -> DONE    nothing
 SEARCH   depth u32, nodes u64, milliseconds f64, mode u8, moves, position   -> MOVED
 MOVE     milliseconds f64, moves                                            -> MOVED
 MEASURE  nodes u32, seed u64, position                                      -> MEASURED nodes u32
 MOVED    row i64, column i64, flags u8, value f64, depth u32, nodes u64, reason u8, asked u64
 FAULT    ending u8, JSON                                                         may answer each of them

 moves    count u16, then row u16 and column u16 of each: those made since the player's last turn
```

Numbers have their little end first; a depth, a number of nodes or a time of 0 is none. The flags say whether
there is a report (1) and whether that has a value (2). What was asked of boards is counted in thousandths of
a node with `improved` on the reference board. What is no content of its kind is a `FrameError`:
answers come from where anything may come from.

>>> Moved.of(Moved((2, 3), SearchReport((2, 3), 4.0, 5, 12345, "depth")).content()).move
(2, 3)
>>> Moved.of(b"(2, 3)")
Traceback (most recent call last):
...
isolation_fast.jail.frames.FrameError: a MOVED frame holds 46 bytes, not 6
"""

from __future__ import annotations

import struct
from dataclasses import asdict, dataclass
from math import isnan
from typing import ClassVar, Final, Literal, cast, get_args

from isolation_fast.endings import ENDINGS, SELF_REPORTED, GameEnding
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level
from isolation_fast.jail.fields import (
    MOST_NAME,
    MOST_NAMES,
    exact_object,
    is_shown,
    json_bytes,
    json_object,
    names,
    packed_moves,
    require_length,
    require_milliseconds,
    shown_text,
    text_of,
    texts,
    typed,
    typed_or_none,
    unpacked_moves,
)
from isolation_fast.jail.frames import FrameError, Kind
from isolation_fast.reports import Move, Reason, SearchReport
from isolation_fast.searching import MODES, Mode

__all__ = [
    "MOST_DETAIL",
    "MOST_TRACE",
    "Assign",
    "Faulted",
    "Game",
    "Load",
    "Loaded",
    "Locked",
    "Measure",
    "Measured",
    "MoveAsked",
    "Moved",
    "SearchAsked",
]

MOST_DETAIL: Final = 2048
"""Bytes of what a fault says in a line."""
MOST_TRACE: Final = 8192
"""Bytes of a traceback."""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)

GAME: Final = struct.Struct("<QQB")
SEARCH: Final = struct.Struct("<IQdB")
MOST_DEPTH: Final = 2**32 - 1
MOST_NODES: Final = 2**64 - 1
LIMIT: Final = struct.Struct("<d")
MEASURE: Final = struct.Struct("<IQ")
MEASURED: Final = struct.Struct("<I")
MOVED: Final = struct.Struct("<qqBdIQBQ")
NO_REPORT: Final = (0.0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign:
    """Whose process it is, and what may be used; the first thing that a process is told."""

    kind: ClassVar = Kind.ASSIGN

    path: str
    """The private copy of the submission's file."""
    member: str | None = None
    """The heuristic or player that is to play; None where only a list of them is wanted."""
    layout: str | None = None
    """The classic layout that it was written for, where that is not to be told from its source."""
    modules: tuple[str, ...] = ()
    """What to import before the process is locked, if it can be, besides what it has imported already."""
    readable: tuple[str, ...] = ()
    """Files and folders that it may read, besides Python, its packages and the submission's folder."""
    memory: int | None = 2048
    cpu: int | None = None
    user: int | None = None
    parent: int | None = None

    def content(self) -> bytes:
        """As it is sent."""
        return json_bytes(asdict(self))

    @staticmethod
    def of(content: bytes) -> Assign:
        """As it came."""
        held = exact_object(content, Assign)
        return Assign(
            path=typed(held, "path", str),
            member=typed_or_none(held, "member", str),
            layout=typed_or_none(held, "layout", str),
            modules=texts(held, "modules"),
            readable=texts(held, "readable"),
            memory=typed_or_none(held, "memory", int),
            cpu=typed_or_none(held, "cpu", int),
            user=typed_or_none(held, "user", int),
            parent=typed_or_none(held, "parent", int),
        )


@dataclass(frozen=True, slots=True)
class Locked:
    """The process is locked. Nothing of the submission has run by then."""

    kind: ClassVar = Kind.LOCKED

    level: Level

    def content(self) -> bytes:
        """As it is sent."""
        return json_bytes(self.level.to_dict())

    @staticmethod
    def of(content: bytes) -> Locked:
        """As it came."""
        try:
            return Locked(Level.from_dict(json_object(content)))
        except InvalidArgumentError as error:
            raise FrameError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Load:
    """Load the submission and make its player; what is drawn meanwhile comes from this stream."""

    kind: ClassVar = Kind.LOAD

    stream: int

    def content(self) -> bytes:
        """As it is sent."""
        return json_bytes(asdict(self))

    @staticmethod
    def of(content: bytes) -> Load:
        """As it came."""
        stream = typed(exact_object(content, Load), "stream", int)
        if not 0 <= stream < 2**64:
            raise FrameError(f"a stream is a number of 64 bits, not {stream}")
        return Load(stream)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a submission holds: what it says itself, so only to be shown."""

    kind: ClassVar = Kind.LOADED

    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    member_is: Literal["heuristic", "player"] | None = None
    """What the one that is to play is."""

    def content(self) -> bytes:
        """As it is sent: of names that are too many or too long only those that are not."""
        held = asdict(self)
        for name in ("heuristics", "players", "templates"):
            held[name] = [each for each in held[name] if is_shown(each, MOST_NAME)][:MOST_NAMES]
        return json_bytes(held)

    @staticmethod
    def of(content: bytes) -> Loaded:
        """As it came."""
        held = exact_object(content, Loaded)
        member_is = held["member_is"]
        if member_is not in ("heuristic", "player", None):
            raise FrameError("a member is a heuristic or a player")
        heuristics, players = names(held, "heuristics"), names(held, "players")
        return Loaded(heuristics, players, names(held, "templates"), member_is)


@dataclass(frozen=True, slots=True)
class Game:
    """A game begins."""

    kind: ClassVar = Kind.GAME

    opening: str
    stream: int
    """What `random` is seeded with."""
    order_bits: int
    """Those of the referee's board."""
    side: Literal[0, 1]
    """0 for player 1."""

    def content(self) -> bytes:
        """As it is sent."""
        return GAME.pack(self.stream, self.order_bits, self.side) + self.opening.encode()

    @staticmethod
    def of(content: bytes) -> Game:
        """As it came."""
        require_length(Kind.GAME, content, GAME.size)
        stream, order_bits, side = GAME.unpack_from(content)
        if side not in (0, 1):
            raise FrameError(f"a side is 0 or 1, not {side}")
        return Game(text_of(content[GAME.size :]), stream, order_bits, side)


@dataclass(frozen=True, slots=True)
class SearchAsked:
    """Search natively with the submission's heuristic. The engine reads it itself, in `serving.rs`."""

    kind: ClassVar = Kind.SEARCH

    moves: tuple[Move, ...]
    """Those made since its last turn."""
    position: str
    """What its board must show after them."""
    depth: int | None = None
    nodes: int | None = None
    ms: float | None = None
    mode: Mode = "plain"

    def content(self) -> bytes:
        """As it is sent."""
        # What is beyond the field is beyond every search: it holds as without a jail.
        limits = (min(self.depth or 0, MOST_DEPTH), min(self.nodes or 0, MOST_NODES), self.ms or 0.0)
        return (
            SEARCH.pack(*limits, MODES.index(self.mode)) + packed_moves(self.moves) + self.position.encode()
        )

    @staticmethod
    def of(content: bytes) -> SearchAsked:
        """As it came."""
        require_length(Kind.SEARCH, content, SEARCH.size)
        depth, nodes, ms, mode = SEARCH.unpack_from(content)
        require_milliseconds(ms)
        if mode >= len(MODES):
            raise FrameError(f"there is no mode {mode}")
        moves, end = unpacked_moves(content, SEARCH.size)
        return SearchAsked(
            moves, text_of(content[end:]), depth or None, nodes or None, ms or None, cast("Mode", MODES[mode])
        )


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """Ask the submission's player for a move."""

    kind: ClassVar = Kind.MOVE

    moves: tuple[Move, ...]
    """Those made since its last turn."""
    limit_ms: float = 0.0
    """What `time_left` counts down from; 0 where the time stands still."""

    def content(self) -> bytes:
        """As it is sent."""
        return LIMIT.pack(self.limit_ms) + packed_moves(self.moves)

    @staticmethod
    def of(content: bytes) -> MoveAsked:
        """As it came."""
        require_length(Kind.MOVE, content, LIMIT.size)
        (limit,) = LIMIT.unpack_from(content)
        require_milliseconds(limit)
        moves, end = unpacked_moves(content, LIMIT.size)
        if end != len(content):
            raise FrameError(f"{len(content) - end} bytes stand behind the moves")
        return MoveAsked(moves, limit)


@dataclass(frozen=True, slots=True)
class Measure:
    """Search a position on the reference board: with the heuristic that was loaded, or with `improved`."""

    kind: ClassVar = Kind.MEASURE

    position: str
    nodes: int
    """How many end the search."""
    seed: int
    """What `random` is seeded with."""

    def content(self) -> bytes:
        """As it is sent."""
        return MEASURE.pack(self.nodes, self.seed) + self.position.encode()

    @staticmethod
    def of(content: bytes) -> Measure:
        """As it came."""
        require_length(Kind.MEASURE, content, MEASURE.size)
        nodes, seed = MEASURE.unpack_from(content)
        return Measure(text_of(content[MEASURE.size :]), nodes, seed)


@dataclass(frozen=True, slots=True)
class Measured:
    """How many nodes that search had."""

    kind: ClassVar = Kind.MEASURED

    nodes: int

    def content(self) -> bytes:
        """As it is sent."""
        return MEASURED.pack(self.nodes)

    @staticmethod
    def of(content: bytes) -> Measured:
        """As it came."""
        if len(content) != MEASURED.size:
            raise FrameError(f"a MEASURED frame holds {MEASURED.size} bytes, not {len(content)}")
        return Measured(*MEASURED.unpack(content))


@dataclass(frozen=True, slots=True)
class Moved:
    """The cell that was answered, legal or not; its row and column are numbers of 64 bits."""

    kind: ClassVar = Kind.MOVED

    move: Move
    report: SearchReport | None = None
    """What the search behind it found; its `move` is the same."""
    asked: int = 0
    """What its heuristic asked of boards, in thousandths of a node with `improved` on the reference board."""

    def content(self) -> bytes:
        """As it is sent."""
        if (report := self.report) is None:
            return MOVED.pack(*self.move, 0, *NO_REPORT)
        flags, value = (1, 0.0) if report.value is None else (3, report.value)
        reason = REASONS.index(report.reason)
        return MOVED.pack(*self.move, flags, value, report.depth, report.nodes, reason, self.asked)

    @staticmethod
    def of(content: bytes) -> Moved:
        """As it came."""
        if len(content) != MOVED.size:
            raise FrameError(f"a MOVED frame holds {MOVED.size} bytes, not {len(content)}")
        row, column, flags, value, depth, nodes, reason, asked = MOVED.unpack(content)
        if flags == 0:
            if content[17:] != bytes(29):
                raise FrameError("a MOVED frame without a report holds one")
            return Moved((row, column))
        if flags not in (1, 3) or isnan(value) or (flags == 1 and content[17:25] != bytes(8)):
            raise FrameError("the value of a MOVED frame is none")
        if reason >= len(REASONS):
            raise FrameError(f"there is no reason {reason}")
        found = None if flags == 1 else value
        report = SearchReport((row, column), found, depth, nodes, REASONS[reason])
        return Moved((row, column), report, asked)


@dataclass(frozen=True, slots=True)
class Faulted:
    """What was done instead."""

    kind: ClassVar = Kind.FAULT

    ending: GameEnding
    detail: str
    """One line."""
    trace: str = ""
    """The traceback's part inside the submission, in lines."""

    def content(self) -> bytes:
        """As it is sent: cut to the lengths that are allowed."""
        held = {"detail": shown_text(self.detail, MOST_DETAIL), "trace": shown_text(self.trace, MOST_TRACE)}
        held["detail"] = held["detail"].replace("\n", " ")
        return bytes([ENDINGS.index(self.ending)]) + json_bytes(held)

    @staticmethod
    def of(content: bytes) -> Faulted:
        """As it came."""
        require_length(Kind.FAULT, content, 1)
        ending = ENDINGS[content[0]] if content[0] < len(ENDINGS) else None
        if ending not in SELF_REPORTED:
            raise FrameError(f"a process does not say of itself how its game ended by {content[0]}")
        held = json_object(content[1:])
        if held.keys() != {"detail", "trace"}:
            raise FrameError("a fault has a detail and a trace")
        detail, trace = typed(held, "detail", str), typed(held, "trace", str)
        if not (
            is_shown(detail, MOST_DETAIL) and all(is_shown(each, MOST_TRACE) for each in trace.split("\n"))
        ):
            raise FrameError("a fault holds what is no text to be shown")
        if len(trace.encode()) > MOST_TRACE:
            raise FrameError(f"a traceback has at most {MOST_TRACE} bytes")
        return Faulted(ending, detail, trace)
