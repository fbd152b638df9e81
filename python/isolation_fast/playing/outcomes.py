"""What came of a chunk: its games in one byte each, also as a line of JSON; and what it took.

What it took, in time or output, is no part of any result.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from isolation_fast.endings import ENDINGS, GameEnding
from isolation_fast.numbers import integer
from isolation_fast.playing.entrants import Chunk
from isolation_fast.process import Output
from isolation_fast.worker.policy import Level

LOST: Final = 0
WON: Final = 1
"""The pairing's first entrant lost, or won."""
NOT_PLAYED: Final = 2
"""One of the two was broken by then."""

STRIKES: Final = 3
"""After so many games that it lost by its own fault a player is broken."""


@dataclass(frozen=True, slots=True)
class ProgramUse:
    """What the compiled form of a heuristic did."""

    values: int = 0
    """How many values it gave."""
    bails: int = 0
    """How often it left the answer to Python."""

    def __add__(self, other: ProgramUse) -> ProgramUse:
        return ProgramUse(self.values + other.values, self.bails + other.bails)

    def __sub__(self, other: ProgramUse) -> ProgramUse:
        return ProgramUse(self.values - other.values, self.bails - other.bails)


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The games of a chunk: opening by opening, the pairing's first entrant as player 1, then as player 2."""

    index: int
    pairing: int
    first_opening: int
    outcomes: bytes
    """A byte a game: `WON`, `LOST` or `NOT_PLAYED`."""
    endings: Mapping[int, tuple[GameEnding, str]] = field(default_factory=dict)
    """By the game's place in `outcomes`: how it was lost and one line of detail, where not by `no moves`."""
    nodes: tuple[int, int] = (0, 0)
    """What first and second searched."""
    turns: tuple[int, int] = (0, 0)
    """How many moves first and second made."""
    reproducible: bool = True
    """False where a clock decided something."""
    records: tuple[Mapping[str, Any], ...] | None = None
    """A record of each game, if the plan asks for them."""
    seconds: float = 0.0
    """How long it took: for progress and timings alone, never among results."""
    cpu_seconds: float = 0.0
    clock_from: int = 0
    """Where it is not reproducible: the first game in which a clock decided something; those before are."""
    jail: Level | None = None
    """What of the jail was enforced, if submissions ran in it."""
    nans: tuple[int, int] = (0, 0)
    """How often the heuristics of first and second returned NaN."""
    programs: Mapping[int, ProgramUse] = field(default_factory=dict, compare=False)
    """What compiled forms of the heuristics of first (0) and second (1) did: for timings alone."""
    judged: tuple[str, ...] | None = None
    """If the plan asks for it, of each game that was played: who wins its start and the position after each
    move with best play, a letter each: `w` the player to move, `l` the other one, `u` unknown."""
    paid: tuple[int, int] = (0, 0)
    """What the heuristics of first and second paid, where their work is counted or spent as it goes, in
    nanoseconds of the reference machine."""

    def cut(self, games: int) -> ChunkResult:
        """The chunk with its first games alone; the others are `NOT_PLAYED`."""
        last = (self.first_opening + games // 2, games % 2)
        records = self.records and tuple(
            each for each in self.records if (each["opening"], each["side"]) < last
        )
        return replace(
            self,
            outcomes=self.outcomes[:games] + bytes([NOT_PLAYED]) * (len(self.outcomes) - games),
            endings={game: ending for game, ending in self.endings.items() if game < games},
            reproducible=self.reproducible or self.clock_from >= games,
            records=records,
            judged=self.judged and self.judged[:games],
        )


def unplayed(chunk: Chunk) -> ChunkResult:
    """A chunk before it is played."""
    games = 2 * len(chunk.openings)
    return ChunkResult(chunk.index, chunk.pairing, chunk.first_opening, bytes([NOT_PLAYED]) * games)


def chunk_line(result: ChunkResult) -> dict[str, Any]:
    """What a line of JSON says of a chunk: all but the seconds that it took."""
    # Eight games a byte, after a 1; a game that was not played is a zero.
    bits = result.outcomes.replace(bytes([NOT_PLAYED]), b"\0").translate(bytes.maketrans(b"\0\1", b"01"))
    packed = int(b"1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")
    line: dict[str, Any] = {
        "chunk": result.index,
        "pairing": result.pairing,
        "opening": result.first_opening,
        "games": len(result.outcomes),
        "won": b64encode(packed).decode(),
        "nodes": result.nodes,
        "turns": result.turns,
    }
    if any(result.paid):
        line["paid"] = result.paid
    if any(result.nans):
        line["nans"] = result.nans
    if NOT_PLAYED in result.outcomes:
        line["played"] = result.outcomes.index(NOT_PLAYED)
    if result.endings:
        line["endings"] = {str(game): ending for game, ending in sorted(result.endings.items())}
    if not result.reproducible:
        line["reproducible"] = False
        line["clock_from"] = result.clock_from
    if result.jail is not None:
        line["jail"] = result.jail.to_dict()
    if result.records is not None:
        line["records"] = result.records
    if result.judged is not None:
        line["judged"] = result.judged
    return line


def chunk_of(
    line: Mapping[str, Any], expected: ChunkResult, *, record: bool, exact: bool = False
) -> ChunkResult:
    """The chunk of a line, which must have the place and the games of `expected`; else a ValueError.

    `record` says whether there must be a record of each game, `exact` whether each must be judged.
    """
    games = len(expected.outcomes)
    place = (expected.index, expected.pairing, expected.first_opening, games)
    for name, wanted in zip(("chunk", "pairing", "opening", "games"), place, strict=True):
        if (given := integer(name, line.get(name), 0)) != wanted:
            raise ValueError(f"{name} is {given} and not {wanted}, as of chunk {expected.index}")
    held: dict[str, Any] = {"played": games, "nans": [0, 0], "paid": [0, 0], **_USUAL, **line}
    for name, kind in _KINDS.items():
        if not isinstance(held.get(name), kind):
            raise ValueError(f"{name} is {held.get(name)!r}")
    records, jail = held.get("records"), held.get("jail")
    if (records is not None) != record:
        raise ValueError("the games have no records" if record else "there are records")
    for each in records or ():
        at = [each.get(name) for name in ("opening", "pairing", "side")] if isinstance(each, dict) else []
        if [type(number) for number in at] != [int, int, int]:
            raise ValueError("a record does not say which game it is of")
    played = integer("played", held["played"], 0, games)
    bits = bin(int.from_bytes(b64decode(held["won"], validate=True), "big"))[3:].encode()
    if len(bits) < played:
        raise ValueError(f"{played} games in {len(bits)} bits")
    return replace(
        expected,
        outcomes=bits[:played].translate(bytes.maketrans(b"01", b"\0\1")) + expected.outcomes[played:],
        endings=_endings(held["endings"], games),
        nodes=_two_counts("nodes", held["nodes"]),
        turns=_two_counts("turns", held["turns"]),
        paid=_two_counts("paid", held["paid"]),
        nans=_two_counts("nans", held["nans"]),
        reproducible=held["reproducible"],
        records=None if records is None else tuple(records),
        clock_from=integer("clock_from", held["clock_from"], 0, games),
        jail=None if jail is None else Level.from_dict(jail),
        judged=_judged(held.get("judged"), played, exact),
    )


_USUAL: Final[Mapping[str, Any]] = {"endings": {}, "reproducible": True, "clock_from": 0}
"""What a line leaves out."""

_KINDS: Final[Mapping[str, Any]] = {
    "won": str,
    "nodes": list,
    "turns": list,
    "nans": list,
    "paid": list,
    "endings": dict,
    "reproducible": bool,
    "jail": dict | None,
    "records": list | None,
    "judged": list | None,
}
"""What the fields of a line may be that are no integers."""


def _judged(value: list[object] | None, played: int, exact: bool) -> tuple[str, ...] | None:
    if (value is not None) != exact:
        raise ValueError("the games are not judged" if exact else "the games are judged")
    if value is None:
        return None
    texts = tuple(each for each in value if isinstance(each, str) and not each.strip("wlu"))
    if len(texts) != played or len(value) != played:
        raise ValueError("judged does not say of each game who wins its positions")
    return texts


def _two_counts(name: str, value: list[object]) -> tuple[int, int]:
    if len(value) != 2:
        raise ValueError(f"{name} is {value!r}")
    return integer(name, value[0], 0), integer(name, value[1], 0)


def _endings(value: Mapping[str, Any], games: int) -> dict[int, tuple[GameEnding, str]]:
    places = {str(game): game for game in range(games)}
    for game, ending in value.items():
        is_one = isinstance(ending, list) and [type(each) for each in ending] == [str, str]
        if game not in places or not is_one or ending[0] not in ENDINGS:
            raise ValueError(f"of the endings that of game {game!r} is {ending!r}")
    return {places[game]: (ending, detail) for game, (ending, detail) in value.items()}


def weaker(one: Level | None, other: Level | None) -> Level | None:
    """What both of two levels enforce. One of them may be unknown."""
    if one is None or other is None:
        return one or other
    enforced = tuple(each for each in one.enforced if each in other.enforced)
    missing = (*one.missing, *(each for each in other.missing if each not in one.missing))
    return replace(one, enforced=enforced, missing=missing)


@dataclass(frozen=True, slots=True)
class Use:
    """What one process of a submission used and printed, from its start to its end."""

    entrant: int
    """Which of the pairing's two entrants it is."""
    moves: int
    """How often it was asked for a move."""
    cpu_seconds: float
    """Processor time of these moves, read from outside."""
    longest: float
    """Processor time of the longest of them."""
    output: Output
    """What it printed, while it was loaded and as it played."""
    traces: Mapping[tuple[str, Literal[0, 1]] | None, str] = field(default_factory=dict)
    """The tracebacks within its own files, by the game's opening and its side in it; None is its loading."""
