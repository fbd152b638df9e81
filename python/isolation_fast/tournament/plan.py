"""The plan of a tournament: who plays whom from which openings, cut into chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count
from typing import Literal

from isolation_fast._native import Heuristic
from isolation_fast.budgets import Budget, budget_text
from isolation_fast.jail import Limits
from isolation_fast.numbers import Nan
from isolation_fast.playing.entrants import (
    Chunk,
    CountedEntrant,
    Entrant,
    SubmissionEntrant,
    is_played_by_engine,
)
from isolation_fast.tournament.openings import Openings

Format = Literal["match", "gauntlet", "round robin"]

PYTHON_OPENINGS = 10
"""Openings in a chunk with a Python player: twenty games, some seconds, in one fresh process, whose start
takes a quarter of a second."""

NATIVE_GAMES_PER_CHUNK = (100, 2000)
"""Enough games for threads to share them evenly, few enough that an interruption loses little."""

COUNTED_OPENINGS = 6
"""Of a chunk at least, where programs play: a test often decides after twelve, and more are for nothing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants by their index in the plan; the first is the tested one, or the one listed first."""

    first: int
    second: int


@dataclass(frozen=True)
class Plan:
    """A whole tournament, before it is played."""

    format: Format
    entrants: tuple[Entrant, ...]
    tested: tuple[int, ...]
    """The indices of the test players of a gauntlet; of all entrants in other formats."""
    pairings: tuple[Pairing, ...]
    openings: Openings
    seed: int = 0
    time_limit: float = 150.0
    record: bool = False
    jail: Limits | None = None
    """The limits of submissions in the jail; None where they run outside it, or there are none."""
    nan: Nan = "course"
    """What our searches do where a Python heuristic returns NaN."""
    exact: int | None = None
    """With so many nodes for each position, who wins it is found out; None: not at all."""

    @property
    def has_submissions(self) -> bool:
        """Whether code of players' files is run."""
        return any(isinstance(each, SubmissionEntrant) for each in self.entrants)

    @property
    def is_native(self) -> bool:
        """Whether the engine alone plays all of it."""
        return all(map(is_played_by_engine, self.entrants))

    @property
    def games(self) -> int:
        """The number of games: every pairing plays every opening from both sides."""
        return 2 * len(self.openings) * len(self.pairings)

    @cached_property
    def openings_per_chunk(self) -> int:
        """How many openings a chunk has, the same for all pairings, so that blocks are completed in order.

        With Python players this decides which games share a process: it is part of the plan. Where programs
        play all against all, as on a leaderboard, a player of the other kind may join them.
        """
        is_counted = any(isinstance(each, CountedEntrant) for each in self.entrants)
        if self.is_native and not (is_counted and self.format == "round robin"):
            if any(each.budget is not None and each.budget.ms is not None for each in self.entrants):
                return 1  # a game takes seconds
            fewest, most = (games // 2 for games in NATIVE_GAMES_PER_CHUNK)
            if is_counted:
                fewest = min(fewest, COUNTED_OPENINGS)
            return max(1, fewest, min(most, -(-len(self.openings) // 20)))
        return PYTHON_OPENINGS

    @property
    def chunk_count(self) -> int:
        """The number of chunks."""
        return -(-len(self.openings) // self.openings_per_chunk) * len(self.pairings)

    def chunks(self) -> Iterator[Chunk]:
        """The chunks in the plan's order: all pairings on the first openings, then on the next.

        Each is made when it is needed: a plan may have millions of openings.
        """
        step, index = self.openings_per_chunk, count()
        alike = self.time_limit, self.record, self.jail, self.nan, self.exact
        for start in range(0, len(self.openings), step):
            end = min(start + step, len(self.openings))
            texts = tuple(self.openings[each] for each in range(start, end))
            for number, pairing in enumerate(self.pairings):
                both = self.entrants[pairing.first], self.entrants[pairing.second]
                yield Chunk(next(index), number, both, texts, start, self.pairing_seed(pairing), *alike)

    def pairing_seed(self, pairing: Pairing) -> int:
        """64 bits of the seed and the two names: other players make no difference."""
        names = [self.entrants[each].name for each in (pairing.first, pairing.second)]
        digest = sha256("\0".join([str(self.seed), *names]).encode()).digest()
        return int.from_bytes(digest[:8], "big")

    def described(self) -> dict[str, object]:
        """For JSON, all that decides the results: a journal and a report begin with it."""
        # No native heuristic returns NaN.
        nan: dict[str, object] = {} if self.is_native else {"nan": self.nan}
        exact: dict[str, object] = {} if self.exact is None else {"exact": self.exact}
        return {
            "format": self.format,
            "seed": self.seed,
            "entrants": [_described(each) for each in self.entrants],
            "tested": list(self.tested),
            "pairings": [[each.first, each.second] for each in self.pairings],
            "openings": self.openings.described(),
            "time_limit": self.time_limit,
            **nan,
            **exact,
            "openings_per_chunk": self.openings_per_chunk,
            "record": self.record,
            "jail": None if self.jail is None else asdict(self.jail),
        }


def _described(entrant: Entrant) -> dict[str, object]:
    known: dict[str, object] = {"name": entrant.name, "type": type(entrant).__name__}
    for name in entrant.__slots__:
        if name not in ("name", "path", "pickled", "program"):
            value = getattr(entrant, name)
            value = value.name if isinstance(value, Heuristic) else value
            known[name] = budget_text(value) if isinstance(value, Budget) else value
    return known
