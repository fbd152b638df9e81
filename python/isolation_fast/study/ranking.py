"""Who is best: all heuristics against one roster, the ten best against each other, and at other budgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from isolation_fast import heuristics
from isolation_fast.statistics import Interval
from isolation_fast.study.claims import BLOCK
from isolation_fast.study.measuring import Measurer, round_robin
from isolation_fast.study.printed import reports

__all__ = ["BEST", "LADDER", "ROSTER", "Ranked", "Ranking", "Rankings", "rankings"]

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

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Heuristics in the order of their rates, best first.

    >>> one, two = Ranked("bfs", 0.6, Interval(0.5, 0.7, 0.95), 9), Ranked("open", 0.5, None, 9)
    >>> ranking = Ranking("course", (one, two))
    >>> ranking.place("open"), [each.heuristic for each in ranking.level_with_first()]
    (2, ['bfs'])
    """

    budget: str
    entries: tuple[Ranked, ...]

    def place(self, heuristic: str) -> int:
        """Where one stands, from 1 on."""
        return 1 + [each.heuristic for each in self.entries].index(heuristic)

    def level_with_first(self) -> list[Ranked]:
        """The first, and those whose interval reaches that of the first: the games do not tell them apart."""
        first = self.entries[0]
        if first.interval is None:
            return [first]
        low = first.interval.low
        rest = [each for each in self.entries[1:] if each.interval is not None and each.interval.high >= low]
        return [first, *rest]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {"budget": self.budget, "entries": [each.to_dict() for each in self.entries]}


@dataclass(frozen=True, slots=True)
class Rankings:
    """All of them: `gauntlet` of all heuristics, `duels` of the best at one budget, `ladder` at others."""

    gauntlet: Ranking
    duels: Ranking
    ladder: tuple[Ranking, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {
            "gauntlet": self.gauntlet.to_dict(),
            "duels": self.duels.to_dict(),
            "ladder": [each.to_dict() for each in self.ladder],
        }


def rankings(measurer: Measurer, budget: str, *, ladder: Sequence[str] = LADDER) -> Rankings:
    """Rank all, and let the best of them meet.

    >>> ranked = rankings(Measurer(games=14, seed=1), "nodes=20", ladder=["nodes=10"])
    >>> len(ranked.gauntlet.entries), len(ranked.duels.entries), ranked.ladder[0].budget
    (48, 10, 'nodes=10')
    """
    everybody = _gauntlet(measurer, budget)
    best = [each.heuristic for each in everybody.entries[:BEST]]
    games = DUEL_GAMES if measurer.games is None else 2 * (measurer.games // BLOCK)
    duels = _duels(measurer, best, budget, games)
    return Rankings(everybody, duels, tuple(_duels(measurer, best, each, games) for each in ladder))


def _gauntlet(measurer: Measurer, budget: str) -> Ranking:
    # What the reports' rows have measured on this roster is not measured again with fewer games.
    known = {row.heuristic for each in reports().values() if each.roster == ROSTER for row in each.rows}
    entries = []
    for name in heuristics.names():
        games = measurer.games if name in known else measurer.games or RANKED_GAMES
        found = measurer.measured(budget, ROSTER, name, games=games)
        if found is None:
            entries.append(Ranked(name, None, None, 0))
        else:
            entries.append(Ranked(name, found.rate.rate, found.rate.interval, found.games))
    return Ranking(budget, _in_order(entries))


def _duels(measurer: Measurer, best: Sequence[str], budget: str, games: int) -> Ranking:
    plan = round_robin(best, games=games, budget=budget, seed=measurer.seed)
    result = measurer.played(plan, f"duels-{budget}", f"{budget} duels of-the-best")
    entries = [
        Ranked(name, each.rate, each.interval, each.games)
        for name, each in zip(best, result.players, strict=True)
    ]
    return Ranking(budget, _in_order(entries))


def _in_order(entries: Sequence[Ranked]) -> tuple[Ranked, ...]:
    return tuple(sorted(entries, key=lambda each: -1.0 if each.rate is None else each.rate, reverse=True))
