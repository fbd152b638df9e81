"""Chunks come in as they are finished; what counts is found in the order of the plan, whatever that was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level
from isolation_fast.tournament.outcomes import NOT_PLAYED, ChunkResult, weaker
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.strikes import STRIKES, Strike, StrikeCount

__all__ = ["Counted", "Searched", "Tally", "place_of_chunk"]


@dataclass(frozen=True, slots=True)
class Searched:
    """How many positions an entrant searched for how many moves."""

    nodes: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts of a tournament: the openings that were played against all, from the first one on."""

    openings: int
    outcomes: tuple[bytes, ...]
    """Of each pairing, the outcomes on these openings, as in `ChunkResult`."""
    strikes: tuple[Strike, ...]
    """Those in games on these openings."""
    broken: frozenset[int]
    """The entrants whose three strikes are among these, or left games on these openings unplayed."""
    searched: tuple[Searched | None, ...]
    """Of each entrant; None where some of its games do not count: only the sum over a chunk is known."""
    reproducible: bool
    jail: Level | None
    """What of the jail was enforced in all chunks with submissions in it."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What came of all pairings on the openings of one chunk each."""

    openings: int
    """How many there are up to its end."""
    strikes: tuple[Strike, ...]
    searched: tuple[Searched | None, ...]
    reproducible_openings: int
    """Up to where it is reproducible: its end, or the opening in which a clock first decided something."""
    jail: Level | None
    """Of all chunks up to its end."""


class Tally:
    r"""Adds up the chunks of a plan, in any order, in a byte a game.

    With `records=True` it also holds the records of games that count, until they are taken.

    >>> from isolation_fast.tournament.entrants import NativeEntrant
    >>> from isolation_fast.tournament.openings import RandomOpenings
    >>> from isolation_fast.tournament.plan import Pairing
    >>> players = (NativeEntrant("Ann", "random"), NativeEntrant("Ben", "random"))
    >>> plan = Plan("match", players, (0, 1), (Pairing(0, 1),), RandomOpenings(60))
    >>> tally = Tally(plan)
    >>> tally.add(ChunkResult(1, 0, 50, bytes([0, 1] * 10)))
    >>> tally.openings
    0
    >>> tally.add(ChunkResult(0, 0, 0, bytes([1, 1] * 50)))
    >>> tally.openings, tally.counted().outcomes == (bytes([1, 1] * 50 + [0, 1] * 10),)
    (60, True)
    """

    def __init__(self, plan: Plan, *, records: bool = False) -> None:
        self.plan = plan
        self.strikes = StrikeCount(plan)
        """The strikes in those chunks before which none is missing."""
        self._waiting: dict[int, ChunkResult] = {}
        self._left_out: set[int] = set()
        self._next = 0
        self._row: list[ChunkResult] = []
        self._rows: list[_Row] = []
        self._outcomes = [bytearray() for _ in plan.pairings]
        self._records: list[Mapping[str, Any]] | None = [] if records else None

    @property
    def openings(self) -> int:
        """How many openings, from the first one on, are played against all."""
        return self._rows[-1].openings if self._rows else 0

    @property
    def is_complete(self) -> bool:
        """Whether all chunks are there, but for those that need not be played."""
        return self._next == self.plan.chunk_count

    def add(self, result: ChunkResult) -> None:
        """Add a chunk that was played."""
        self._check(result)
        if result.index in self._left_out:
            # It was being played when one of the two turned out to be broken.
            self._left_out.remove(result.index)
            return
        if result.index < self._next or result.index in self._waiting:
            raise InvalidArgumentError(f"chunk {result.index} was given twice")
        self._waiting[result.index] = replace(result, records=None) if self._records is None else result
        while not self.is_complete:
            following = self._waiting.pop(self._next, None)
            if following is None:
                if not self.strikes.is_over(self._next % len(self.plan.pairings)):
                    break
                following = self._not_played()
                self._left_out.add(self._next)
            self._take(following)

    def missing(self) -> list[int]:
        """The chunks that are not there and have to be played, as far as that is known."""
        return [
            index
            for index in range(self._next, self.plan.chunk_count)
            if index not in self._waiting and not self.strikes.is_over(index % len(self.plan.pairings))
        ]

    def take_records(self) -> list[Mapping[str, Any]]:
        """The records that have come to count since they were last taken, in the order of the openings."""
        if self._records is None:
            return []
        taken, self._records = self._records, []
        return taken

    def counted(self, openings: int | None = None) -> Counted:
        """What counts, of all openings so far or of the first ones."""
        wanted = self.openings if openings is None else openings
        if wanted > self.openings:
            raise InvalidArgumentError(
                f"openings={wanted!r} are wanted, and {self.openings} are played so far"
            )
        rows = [each for each in self._rows if each.openings <= wanted]
        ends_in_a_row = wanted > (rows[-1].openings if rows else 0)
        last = self._rows[len(rows)] if ends_in_a_row else rows[-1] if rows else None
        # Only the sum over a chunk is known, and where a test stops must not tell how the plan was cut.
        is_stopped = openings is not None and openings < len(self.plan.openings)
        searched: Iterable[Searched | None] = (
            None if is_stopped else _sum(row.searched[entrant] for row in rows)
            for entrant in range(len(self.plan.entrants))
        )
        outcomes = tuple(bytes(each[: 2 * wanted]) for each in self._outcomes)
        strikes = last.strikes if last else ()
        seen = tuple(each for each in strikes if each.opening < wanted)
        reached = self._rows[: len(rows) + 1] if ends_in_a_row else rows
        return Counted(
            wanted,
            outcomes,
            seen,
            frozenset(_broken(seen) | (_broken(strikes) & self._not_played_out(outcomes))),
            tuple(searched),
            all(row.reproducible_openings >= min(row.openings, wanted) for row in reached),
            reached[-1].jail if reached else None,
        )

    def _not_played_out(self, outcomes: Sequence[bytes]) -> set[int]:
        """The entrants of pairings in which a game was not played."""
        left = (each for each, games in zip(self.plan.pairings, outcomes, strict=True) if NOT_PLAYED in games)
        return {entrant for each in left for entrant in (each.first, each.second)}

    def _take(self, result: ChunkResult) -> None:
        played = self.strikes.counted(result)
        self._next += 1
        if NOT_PLAYED in played.outcomes and not self.strikes.is_over(played.pairing):
            raise InvalidArgumentError(
                f"chunk {played.index} has games that were not played, and none of its players is broken"
            )
        self._row.append(played)
        if len(self._row) < len(self.plan.pairings):
            return
        for each in self._row:
            self._outcomes[each.pairing] += each.outcomes
        self._rows.append(
            _Row(
                self.openings + len(played.outcomes) // 2,
                self.strikes.strikes,
                self._searched(),
                min(map(_reproducible_openings, self._row)),
                reduce(
                    weaker, (each.jail for each in self._row), self._rows[-1].jail if self._rows else None
                ),
            )
        )
        if self._records is not None:
            records = [record for each in self._row for record in each.records or ()]
            self._records += sorted(records, key=_place_of_game)
        self._row = []

    def _searched(self) -> tuple[Searched | None, ...]:
        """What each entrant searched in the row that is complete."""
        sums: list[Searched | None] = [Searched()] * len(self.plan.entrants)
        for each in self._row:
            if each.outcomes[0] == NOT_PLAYED:
                continue
            whole = NOT_PLAYED not in each.outcomes
            pairing = self.plan.pairings[each.pairing]
            for entrant, nodes, turns in zip(
                (pairing.first, pairing.second), each.nodes, each.turns, strict=True
            ):
                sums[entrant] = _sum((sums[entrant], Searched(nodes, turns) if whole else None))
        return tuple(sums)

    def _not_played(self) -> ChunkResult:
        first, openings = place_of_chunk(self.plan, self._next)
        nothing = bytes([NOT_PLAYED]) * (2 * openings)
        return ChunkResult(self._next, self._next % len(self.plan.pairings), first, nothing)

    def _check(self, result: ChunkResult) -> None:
        if not 0 <= result.index < self.plan.chunk_count:
            raise InvalidArgumentError(
                f"the plan has {self.plan.chunk_count} chunks, and there is no chunk {result.index}"
            )
        first, openings = place_of_chunk(self.plan, result.index)
        pairing = result.index % len(self.plan.pairings)
        given = result.pairing, result.first_opening, len(result.outcomes)
        if given != (pairing, first, 2 * openings):
            raise InvalidArgumentError(
                f"chunk {result.index} is not of this plan: pairing {given[0]} from opening {given[1]} with "
                f"{given[2]} games, and not pairing {pairing} from opening {first} with {2 * openings} games"
            )
        if result.outcomes.translate(None, b"\0\1") != b"\2" * result.outcomes.count(NOT_PLAYED):
            raise InvalidArgumentError(
                f"chunk {result.index} has outcomes other than LOST, WON and NOT_PLAYED"
            )
        if NOT_PLAYED in result.outcomes.rstrip(b"\2"):
            raise InvalidArgumentError(f"chunk {result.index} has games behind one that was not played")


def place_of_chunk(plan: Plan, index: int) -> tuple[int, int]:
    """The first opening of a chunk, and how many it has."""
    first = index // len(plan.pairings) * plan.openings_per_chunk
    return first, min(plan.openings_per_chunk, len(plan.openings) - first)


def _reproducible_openings(result: ChunkResult) -> int:
    games = len(result.outcomes) if result.reproducible else result.clock_from
    return result.first_opening + games // 2


def _broken(strikes: Iterable[Strike]) -> set[int]:
    return {
        entrant for entrant, count in Counter(each.entrant for each in strikes).items() if count >= STRIKES
    }


def _place_of_game(record: Mapping[str, Any]) -> tuple[int, int, int]:
    return record["opening"], record["pairing"], record["side"]


def _sum(parts: Iterable[Searched | None]) -> Searched | None:
    nodes = turns = 0
    for each in parts:
        if each is None:
            return None
        nodes, turns = nodes + each.nodes, turns + each.turns
    return Searched(nodes, turns)
