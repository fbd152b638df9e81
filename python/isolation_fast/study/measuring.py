"""Measuring rows, each until its difference is known well enough, and ranking all heuristics."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import InitVar, asdict, dataclass, field
from math import inf, sqrt
from pathlib import Path
from time import monotonic
from typing import Any, Final

from isolation_fast import heuristics
from isolation_fast.budgets import budget_text
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer
from isolation_fast.statistics import GauntletRate, Interval, difference_to_baseline, gauntlet
from isolation_fast.study.claims import BASELINE, BLOCK, reports
from isolation_fast.tournament import ROSTERS, Gauntlet, Plan, Progress, RoundRobin, Run, TournamentResult
from isolation_fast.tournament.resolving import checked_budget

MARGIN: Final = 0.01
"""Half of the interval of a difference at which a row has enough games."""
MOST_GAMES: Final = 22_400
"""A row has no more of them, however it varies: twice what the usual one takes."""
LARGEST: Final = 14_000_000
"""Nobody may ask for more games of a row: the openings of all are drawn before the first is played."""
LOOK: Final = 40
"""Each time after so many blocks there may be enough: so workers and chunks make no difference."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one heuristic against a roster.

    `is_complete` is False where a time limit ended it before there were enough blocks.
    """

    heuristic: str
    roster: str
    means: tuple[float, ...]
    """The share of games won in each block."""
    by_opponent: tuple[float, ...]
    """The share of games won against each opponent of the roster."""
    is_complete: bool

    @property
    def rate(self) -> GauntletRate:
        """What the blocks say of the rate."""
        return gauntlet(self.means)

    @property
    def games(self) -> int:
        """How many games it has."""
        return BLOCK * len(self.means)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON knows it, without the blocks."""
        rate = self.rate
        opponents = [each.partition("=")[0] for each in ROSTERS[self.roster]]
        return {
            "games": self.games,
            **{name: getattr(rate, name) for name in ("blocks", "rate", "variance")},
            "interval": asdict(rate.interval),
            "by_opponent": dict(zip(opponents, self.by_opponent, strict=True)),
            "complete": self.is_complete,
        }


class _EnoughError(Exception):
    """Leaves a run that has played what is wanted of it, or has no time left."""


def enough(means: Sequence[float], baseline: Sequence[float] | None) -> int | None:
    """The number of blocks at which a row is known well enough, or None if there are not so many.

    Without a baseline it is the baseline itself: its share of the margin is one in the square root of 2, so
    that a row of the same variance takes about as many blocks.

    >>> enough([0.6, 0.8] * 500, None), enough([0.6, 0.8] * 500, [0.6, 0.8] * 400)
    (800, 760)
    """
    base = None if baseline is None else gauntlet(baseline)
    for count in range(LOOK, len(means) + 1, LOOK):
        first = means[:count]
        if base is None:
            margin = sqrt(2.0) * gauntlet(first).interval.margin
        else:
            found = difference_to_baseline(first, baseline_rate=base.rate, baseline_error=base.standard_error)
            margin = found.interval.margin
        if margin <= MARGIN:
            return count
    return None


@dataclass(kw_only=True, eq=False)
class Measurer:
    """Measures each heuristic once for each roster and budget, with a journal for each if there is a folder.

    >>> measurer = Measurer(games=28, seed=1)
    >>> bfs = measurer.measured("nodes=50", "classic", "bfs")
    >>> bfs.games, measurer.measured("nodes=50", "classic", "bfs") is bfs
    (28, True)
    """

    games: int | None = None
    seed: int = 0
    workers: int | None = None
    journal: str | os.PathLike[str] | None = None
    resume: bool = False
    time_limit: InitVar[float | None] = None
    progress: Callable[[str, int], object] = lambda _shown, _games: None
    """Called with what is measured now, and how many of its games there are."""
    reproducible: bool = field(default=True, init=False)
    """Whether the same again gives the same: False where a clock has decided something."""
    _known: dict[tuple[str, str, str, int | None], Measured | None] = field(default_factory=dict, init=False)

    def __post_init__(self, time_limit: float | None) -> None:
        if self.games is not None:
            self.games = integer("games", self.games, BLOCK, LARGEST)
            if self.games % BLOCK:
                raise InvalidArgumentError(
                    f"games must be a multiple of {BLOCK}, as a block is one opening from both sides against "
                    f"seven opponents, not {self.games}"
                )
        if self.resume and self.journal is None:
            raise InvalidArgumentError("resume=True needs the journal= that it goes on from")
        self._deadline = inf if time_limit is None else monotonic() + time_limit
        if self.journal is not None:
            Path(self.journal).mkdir(parents=True, exist_ok=True)

    def measured(
        self, budget: str, roster: str, heuristic: str, *, games: int | None = None
    ) -> Measured | None:
        """One heuristic against a roster; None where there was no time for a single block.

        The baseline of the roster is measured first, as it decides how many games are enough; `games` are
        those of this row instead.
        """
        wanted = self.games if games is None else games
        key = (budget, roster, heuristic, wanted)
        if key not in self._known:
            self._known[key] = self._measure(budget, roster, heuristic, wanted)
        return self._known[key]

    def _measure(self, budget: str, roster: str, heuristic: str, games: int | None) -> Measured | None:
        baseline = None
        if games is None and heuristic != BASELINE:
            baseline = self.measured(budget, roster, BASELINE)
        against = None if baseline is None else baseline.means

        def wanted(means: Sequence[float]) -> int | None:
            return enough(means, against) if games is None else None

        pairs = 2 * ((games or MOST_GAMES) // BLOCK)
        plan = Gauntlet([f"AB:{heuristic}"], roster, games=pairs, budget=budget, seed=self.seed).plan()
        name = f"{budget}-{roster}-{heuristic}-{games or 'until'}"
        shown = f"{budget} {roster} {heuristic}"
        result = self.played(plan, name, shown, lambda done: wanted(done.players[0].block_means) is not None)
        player = result.players[0]
        means = tuple(player.block_means)[: wanted(player.block_means)]
        if not means:
            return None
        count = len(means)
        by_opponent = tuple(sum(each.pair_wins[:count]) / (2 * count) for each in player.scores)
        is_complete = result.is_complete or wanted(means) is not None
        return Measured(heuristic, roster, means, by_opponent, is_complete)

    def played(
        self, plan: Plan, file: str, shown: str, stop: Callable[[TournamentResult], bool] = lambda _: False
    ) -> TournamentResult:
        """What came of a plan, played to its end, until `stop` says so, or as long as there is time."""
        name = "".join(each if each.isalnum() or each == "_" else "-" for each in file)
        journal = None if self.journal is None else Path(self.journal, f"{name}.journal")
        with Run(plan, workers=self.workers, journal=journal, resume=self.resume) as running:

            def look(progress: Progress) -> None:
                self.progress(shown, progress.games)
                if progress.games == progress.planned_games:
                    return
                # An opening is complete once it was played in all pairings.
                step = 2 * plan.openings_per_chunk * len(plan.pairings)
                if progress.games % step == 0 and stop(running.result()):
                    raise _EnoughError
                if monotonic() > self._deadline:
                    self.reproducible = False
                    raise _EnoughError

            with suppress(_EnoughError):
                look(Progress(running.games, plan.games))
                running.play(look)
            result = running.result()
        self.reproducible &= result.reproducible
        return result


def canonical_budget(budget: Any) -> str:
    """The one text of a budget, which says `course` where it is that."""
    made = checked_budget(budget)
    return "course" if made == checked_budget("course") else budget_text(made)


ROSTER: Final = "classic"
"""The roster that all are ranked against."""
RANKED_GAMES: Final = 2_800
"""Games of a heuristic that is measured for the ranking alone: an interval of about 3 points to each side."""
DUEL_GAMES: Final = 400
"""Games of two of the best against each other, 3,600 of each of ten."""
BEST: Final = 10
LADDER: Final = ("nodes=500", "nodes=2000", "nodes=20000")
"""The budgets at which the best meet again."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A heuristic with its rate; None where there was no time for it."""

    heuristic: str
    rate: float | None
    interval: Interval | None
    games: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Heuristics in the order of their rates, best first."""

    budget: str
    entries: tuple[Ranked, ...]

    def place(self, heuristic: str) -> int:
        """Where one stands, from 1 on."""
        return 1 + [each.heuristic for each in self.entries].index(heuristic)

    def level_with_first(self) -> list[Ranked]:
        """The first, and those whose interval reaches that of the first: the games do not separate them."""
        first, *others = self.entries
        low = inf if first.interval is None else first.interval.low
        return [first, *(each for each in others if each.interval is not None and each.interval.high >= low)]


@dataclass(frozen=True, slots=True)
class Rankings:
    """All of them: `gauntlet` of all heuristics, `duels` of the best at one budget, `ladder` at others."""

    gauntlet: Ranking
    duels: Ranking
    ladder: tuple[Ranking, ...]


def rankings(measurer: Measurer, budget: str, *, ladder: Sequence[str] = LADDER) -> Rankings:
    """Rank all, and let the best of them meet."""
    everybody = _gauntlet(measurer, budget)
    best = [each.heuristic for each in everybody.entries[:BEST]]
    duels, *others = (_duels(measurer, best, each) for each in (budget, *ladder))
    return Rankings(everybody, duels, tuple(others))


def _gauntlet(measurer: Measurer, budget: str) -> Ranking:
    # What the reports' rows have measured on this roster is not measured again with fewer games.
    known = {row.heuristic for each in reports().values() if each.roster == ROSTER for row in each.rows}
    entries = []
    for name in heuristics.names():
        games = measurer.games if name in known else measurer.games or RANKED_GAMES
        found = measurer.measured(budget, ROSTER, name, games=games)
        result = (None, None, 0) if found is None else (found.rate.rate, found.rate.interval, found.games)
        entries.append(Ranked(name, *result))
    return _ranking(budget, entries)


def _duels(measurer: Measurer, best: Sequence[str], budget: str) -> Ranking:
    games = DUEL_GAMES if measurer.games is None else 2 * (measurer.games // BLOCK)
    players = [f"AB:{each}" for each in best]
    plan = RoundRobin(players, games=games, budget=budget, seed=measurer.seed).plan()
    result = measurer.played(plan, f"duels-{budget}", f"{budget} duels of-the-best")
    results = zip(best, result.players, strict=True)
    return _ranking(budget, [Ranked(name, each.rate, each.interval, each.games) for name, each in results])


def _ranking(budget: str, entries: Sequence[Ranked]) -> Ranking:
    best_first = sorted(entries, key=lambda each: -1.0 if each.rate is None else each.rate, reverse=True)
    return Ranking(budget, tuple(best_first))
