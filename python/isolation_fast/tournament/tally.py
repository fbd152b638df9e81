r"""What counts of a tournament: chunks come in as they are finished, and count in the order of the plan.

A strike is a game that a player loses by anything but having no move left. Three of them break the player,
and its later games do not count, though several workers may have played them already. So what counts depends
on the plan alone, and not on which chunk was played first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import itemgetter
from typing import Any

from isolation_fast.endings import NO_STRIKES, GameEnding
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, STRIKES, ChunkResult, weaker
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.thrown import OF_OPENING, counted


@dataclass(frozen=True, slots=True)
class Strike:
    """A game that an entrant lost by its own fault. Entrants are named by their index in the plan."""

    entrant: int
    opponent: int
    opening: int
    is_player_1: bool
    """Which player of that game the entrant was."""
    ending: GameEnding
    detail: str


class StrikeCount:
    r"""Counts the strikes of a tournament while its chunks come in, in the order of the plan.

    >>> from isolation_fast.tournament import Match
    >>> raised = {game: ("raised", "ValueError") for game in (0, 1, 4)}
    >>> strikes = StrikeCount(Match("Ann=Random", "Ben=Random", games=6).plan())
    >>> strikes.counted(ChunkResult(0, 0, 0, bytes([0, 0, 1, 0, 0, 1]), raised)).outcomes
    b'\x00\x00\x01\x00\x00\x02'
    >>> strikes.is_broken(0), strikes.is_broken(1)
    (True, False)
    """

    def __init__(self, plan: Plan) -> None:
        self._pairings = plan.pairings
        self._strikes: dict[int, list[Strike]] = {}

    def is_broken(self, entrant: int) -> bool:
        """Whether an entrant has had its three strikes."""
        return len(self._strikes.get(entrant, ())) >= STRIKES

    def is_over(self, pairing: int) -> bool:
        """Whether a player of the pairing is broken: the rest of its games does not count."""
        return self.is_broken(self._pairings[pairing].first) or self.is_broken(self._pairings[pairing].second)

    @property
    def strikes(self) -> tuple[Strike, ...]:
        """All strikes so far, entrant by entrant."""
        return tuple(strike for _, each in sorted(self._strikes.items()) for strike in each)

    def counted(self, result: ChunkResult) -> ChunkResult:
        """The next chunk with only those of its games that count; the others are `NOT_PLAYED`."""
        if self.is_over(result.pairing):
            return result.cut(0)
        pairing = self._pairings[result.pairing]
        for game, (ending, detail) in sorted(result.endings.items()):
            if ending in NO_STRIKES or result.outcomes[game] == NOT_PLAYED:
                continue
            first_lost = result.outcomes[game] == LOST
            both = (pairing.first, pairing.second)
            loser, winner = both if first_lost else both[::-1]
            # The pairing's first is player 1 in the first game of each opening.
            is_player_1 = first_lost == (game % 2 == 0)
            strike = Strike(loser, winner, result.first_opening + game // 2, is_player_1, ending, detail)
            self._strikes.setdefault(loser, []).append(strike)
            if self.is_over(result.pairing):
                return result.cut(game + 1)
        return result


@dataclass(frozen=True, slots=True)
class Searched:
    """How many positions an entrant searched for how many moves, and how often its heuristic returned NaN."""

    nodes: int = 0
    turns: int = 0
    nans: int = 0
    paid: int = 0
    """What its program paid, in nanoseconds of the price list."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts of a tournament: the openings that were played by all, from the first one on."""

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
    judged: tuple[array[int], ...] | None = None
    """Of each pairing, the numbers of `thrown.counted` on these openings; None where nobody asked."""


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
    """Adds up the chunks of a plan, in any order, in a byte a game.

    With `records=True` it also holds the records of games that count, until they are taken.
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
        self._judged = None if plan.exact is None else tuple(array("H") for _ in plan.pairings)
        self._records: list[Mapping[str, Any]] | None = [] if records else None

    @property
    def openings(self) -> int:
        """How many openings, from the first one on, are played by all."""
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
                if not self._need_not_be_played(self._next):
                    break
                following = unplayed_chunk(self.plan, self._next)
                self._left_out.add(self._next)
            self._take(following)

    def missing(self) -> list[int]:
        """The chunks that are not there and have to be played, as far as that is known."""
        rest = range(self._next, self.plan.chunk_count)
        return [each for each in rest if each not in self._waiting and not self._need_not_be_played(each)]

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
            raise InvalidArgumentError(f"openings={wanted!r}, and only {self.openings} were played so far")
        rows = [each for each in self._rows if each.openings <= wanted]
        ends_in_a_row = wanted > (rows[-1].openings if rows else 0)
        reached = self._rows[: len(rows) + 1] if ends_in_a_row else rows
        # Only the sum over a chunk is known, and a result must not depend on how the plan was cut.
        is_stopped = openings is not None and openings < len(self.plan.openings)
        searched = (
            None if is_stopped else _sum(row.searched[entrant] for row in rows)
            for entrant in range(len(self.plan.entrants))
        )
        outcomes = tuple(bytes(each[: 2 * wanted]) for each in self._outcomes)
        strikes = reached[-1].strikes if reached else ()
        counting = tuple(each for each in strikes if each.opening < wanted)
        unplayed = {
            entrant
            for each, games in zip(self.plan.pairings, outcomes, strict=True)
            if NOT_PLAYED in games
            for entrant in (each.first, each.second)
        }
        return Counted(
            wanted,
            outcomes,
            counting,
            frozenset(_broken(counting) | (_broken(strikes) & unplayed)),
            tuple(searched),
            all(row.reproducible_openings >= min(row.openings, wanted) for row in reached),
            reached[-1].jail if reached else None,
            self._judged and tuple(each[: OF_OPENING * wanted] for each in self._judged),
        )

    def _need_not_be_played(self, index: int) -> bool:
        return self.strikes.is_over(index % len(self.plan.pairings))

    def _take(self, result: ChunkResult) -> None:
        played = self.strikes.counted(result)
        if NOT_PLAYED in played.outcomes and not self.strikes.is_over(played.pairing):
            raise InvalidArgumentError(
                f"chunk {played.index} has games that were not played, and none of its players is broken"
            )
        self._next += 1
        self._row.append(played)
        if len(self._row) == len(self.plan.pairings):
            self._end_row(self._row)
            self._row = []

    def _end_row(self, row: list[ChunkResult]) -> None:
        for each in row:
            self._outcomes[each.pairing] += each.outcomes
            if self._judged is not None:
                numbers = range(each.first_opening, each.first_opening + len(each.outcomes) // 2)
                texts = [self.plan.openings[number] for number in numbers]
                self._judged[each.pairing].extend(counted(each, texts))
        before = self._rows[-1].jail if self._rows else None
        self._rows.append(
            _Row(
                self.openings + len(row[-1].outcomes) // 2,
                self.strikes.strikes,
                self._searched(row),
                min(
                    each.first_opening + (len(each.outcomes) if each.reproducible else each.clock_from) // 2
                    for each in row
                ),
                reduce(weaker, (each.jail for each in row), before),
            )
        )
        if self._records is not None:
            records = [record for each in row for record in each.records or ()]
            self._records += sorted(records, key=itemgetter("opening", "pairing", "side"))

    def _searched(self, row: list[ChunkResult]) -> tuple[Searched | None, ...]:
        """What each entrant searched in a row that is complete."""
        sums: list[Searched | None] = [Searched()] * len(self.plan.entrants)
        for each in row:
            if each.outcomes[0] == NOT_PLAYED:
                continue
            whole = NOT_PLAYED not in each.outcomes
            pairing = self.plan.pairings[each.pairing]
            both = (pairing.first, pairing.second)
            for entrant, *found in zip(both, each.nodes, each.turns, each.nans, each.paid, strict=True):
                sums[entrant] = _sum((sums[entrant], Searched(*found) if whole else None))
        return tuple(sums)

    def _check(self, result: ChunkResult) -> None:
        if not 0 <= result.index < self.plan.chunk_count:
            raise InvalidArgumentError(
                f"the plan has {self.plan.chunk_count} chunks, and there is no chunk {result.index}"
            )
        given, wanted = (
            f"pairing {each.pairing} from opening {each.first_opening} with {len(each.outcomes)} games"
            for each in (result, unplayed_chunk(self.plan, result.index))
        )
        if given != wanted:
            raise InvalidArgumentError(f"chunk {result.index} is not of this plan: {given}, and not {wanted}")
        if result.outcomes.translate(None, b"\0\1") != b"\2" * result.outcomes.count(NOT_PLAYED):
            raise InvalidArgumentError(
                f"chunk {result.index} has outcomes other than LOST, WON and NOT_PLAYED"
            )
        if NOT_PLAYED in result.outcomes.rstrip(b"\2"):
            raise InvalidArgumentError(f"chunk {result.index} has games after one that was not played")


def unplayed_chunk(plan: Plan, index: int) -> ChunkResult:
    """A chunk of the plan before it is played."""
    row, pairing = divmod(index, len(plan.pairings))
    first = row * plan.openings_per_chunk
    openings = min(plan.openings_per_chunk, len(plan.openings) - first)
    return ChunkResult(index, pairing, first, bytes([NOT_PLAYED]) * (2 * openings))


def _broken(strikes: Iterable[Strike]) -> set[int]:
    counts = Counter(each.entrant for each in strikes)
    return {entrant for entrant, count in counts.items() if count >= STRIKES}


def _sum(parts: Iterable[Searched | None]) -> Searched | None:
    known = list(parts)
    if None in known:
        return None
    return Searched(*(sum(getattr(each, name) for each in known) for name in Searched.__slots__))
