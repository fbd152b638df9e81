"""The five reports measured again: rows, differences, claims, the sample each needs, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.output import Cell
from isolation_fast.statistics import Difference, Interval
from isolation_fast.study.claims import (
    BASELINE,
    Claim,
    Judgement,
    Row,
    Sample,
    difference,
    judge,
    reports,
    sample_for,
)
from isolation_fast.study.measuring import MARGIN, MOST_GAMES, Measured, Measurer
from isolation_fast.text import unknown_word


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows and claims that are asked for, by the letters of reports and the name of a row."""

    letters: tuple[str, ...]
    name: str | None
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A row that was printed and measured: both rates, from 0 to 1, with their intervals."""

    row: Row
    printed: float
    printed_interval: Interval
    rate: float
    interval: Interval

    @property
    def excess(self) -> float:
        """How far the printed rate is above the measured one."""
        return self.printed - self.rate

    @property
    def is_by_chance(self) -> bool:
        """Whether chance explains the distance: the errors of two samples add up.

        An interval near 0 or 100 % is longer to one side, so the side counts that faces the other rate.
        """
        if self.excess > 0:
            margins = (self.printed - self.printed_interval.low, self.interval.high - self.rate)
        else:
            margins = (self.printed_interval.high - self.printed, self.rate - self.interval.low)
        return self.excess**2 <= margins[0] ** 2 + margins[1] ** 2

    def __str__(self) -> str:
        return f"{self.row.percent} % printed, {100 * self.rate:.1f} % measured"


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """A row of a report beside what came of it here; None where there was no time for it."""

    row: Row
    roster: str
    measured: Measured | None
    baseline: Measured | None

    @property
    def difference(self) -> Difference | None:
        """How far it is above `improved`; None for the baseline itself."""
        if self.measured is None or self.baseline is None or self.row.heuristic == BASELINE:
            return None
        return difference(self.measured.means, self.baseline.means)

    @property
    def needed(self) -> Sample | None:
        """The games a row that would show that difference."""
        found = self.difference
        if found is None or self.measured is None or self.baseline is None:
            return None
        return sample_for(found, self.measured.means, self.baseline.means, bound=0.0)

    @property
    def point(self) -> Point | None:
        """The printed rate beside the measured one, where there are both."""
        row, measured = self.row, self.measured
        if row.percent is None or row.interval is None or measured is None:
            return None
        return Point(row, row.percent / 100, row.interval, measured.rate.rate, measured.rate.interval)

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON knows it."""
        row, found = self.row, self.difference
        return {
            "report": row.report,
            "row": row.name,
            **{name: getattr(row, name) for name in ("label", "heuristic", "note")},
            "roster": self.roster,
            "printed": {
                "percent": row.percent,
                "games": row.games,
                "interval": row.interval and asdict(row.interval),
                "tournaments": row.tournaments,
                "by_opponent": row.by_opponent,
            },
            "measured": self.measured and self.measured.to_dict(),
            "difference": found and asdict(found),
            "needed": self.needed and asdict(self.needed),
        }


@dataclass(frozen=True, slots=True)
class Table:
    """All rows and claims at one budget."""

    budget: str
    rows: tuple[MeasuredRow, ...]
    judgements: tuple[Judgement, ...]

    @property
    def points(self) -> list[Point]:
        """The rows that were printed and measured."""
        return [each.point for each in self.rows if each.point is not None]

    def row(self, report: str, name: str) -> MeasuredRow:
        """One row of one report."""
        return next(each for each in self.rows if (each.row.report, each.row.name) == (report, name))

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON knows it."""
        return {
            "budget": self.budget,
            "rows": [each.to_dict() for each in self.rows],
            "claims": [each.to_dict() for each in self.judgements],
        }


@dataclass(frozen=True, slots=True)
class Study:
    """The whole result. It holds no times, and nothing that depends on the workers."""

    seed: int
    games: int | None
    what: Chosen
    tables: tuple[Table, ...]
    reproducible: bool

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON knows it."""
        return {
            "schema": "isolation-fast/study/1",  # another number is another meaning of the fields
            "reports": list(self.what.letters),
            "row": self.what.name,
            "seed": self.seed,
            "games": self.games,
            "games_until": {"margin": MARGIN, "most": MOST_GAMES} if self.games is None else None,
            "reproducible": self.reproducible,
            "tables": [each.to_dict() for each in self.tables],
        }


def chosen(letters: Sequence[str] = (), name: str | None = None) -> Chosen:
    """What is to be measured: some reports, or all; one row, or all.

    >>> [len(each) for each in (chosen().rows, chosen().claims)]
    [50, 9]
    >>> [(row.report, row.name) for row in chosen(name="aggressive").rows]
    [('E', 'aggressive')]
    """
    known = reports()
    for letter in letters:
        if letter not in known:
            raise InvalidArgumentError(unknown_word("report", letter, list(known)))
    wanted = [known[letter] for letter in known if not letters or letter in letters]
    rows = [row for report in wanted for row in report.rows]
    claims = [claim for report in wanted for claim in report.claims]
    if name is not None:
        names = sorted({row.name for row in rows})
        if name not in names:
            raise InvalidArgumentError(unknown_word("row", name, names))
        rows = [row for row in rows if row.name == name]
        claims = [claim for claim in claims if any(name in pair for pair in claim.comparisons)]
    return Chosen(tuple(report.letter for report in wanted), name, tuple(rows), tuple(claims))


def study(what: Chosen, measurer: Measurer, budgets: Sequence[str]) -> Study:
    """Measure what is asked for, one table for each budget.

    >>> done = study(chosen(["E"], "aggressive"), Measurer(games=28, seed=1), ["nodes=50"])
    >>> (row,) = done.tables[0].rows
    >>> row.measured.games, row.difference is None, done.reproducible
    (28, False, True)
    """
    tables = tuple(_table(what, measurer, budget) for budget in budgets)
    return Study(measurer.seed, measurer.games, what, tables, measurer.reproducible)


def _table(what: Chosen, measurer: Measurer, budget: str) -> Table:
    rows, judgements = [], []
    for row in what.rows:
        roster = reports()[row.report].roster
        baseline = measurer.measured(budget, roster, BASELINE)
        rows.append(MeasuredRow(row, roster, measurer.measured(budget, roster, row.heuristic), baseline))
    for claim in what.claims:
        found = {each.row.name: each.measured for each in rows if each.row.report == claim.report}
        # It is compared with, even where its own row is not asked for.
        found[BASELINE] = measurer.measured(budget, reports()[claim.report].roster, BASELINE)
        means = {name: each.means for name, each in found.items() if each is not None}
        judgements.append(judge(claim, means))
    return Table(budget, tuple(rows), tuple(judgements))


def measurements(what: Chosen) -> list[tuple[str, str]]:
    """The different rosters and heuristics that are measured, baselines first: a row may stand twice."""
    pairs = [(reports()[row.report].roster, row.heuristic) for row in what.rows]
    baselines = [(roster, BASELINE) for roster, _ in pairs]
    return list(dict.fromkeys([*baselines, *pairs]))


ROW_HEADERS: Final = (
    *("report", "row"),
    *("printed", "95 % interval", "games"),
    *("measured", "95 % interval", "games"),
    *("to improved", "95 % interval", "games needed"),
)
CLAIM_HEADERS: Final = ("claim", "what it says", "comparisons", "verdict", "because", "games needed")
DATA_HEADERS: Final = (
    *("budget", "report", "row", "heuristic"),
    *("printed", "printed_low", "printed_high", "printed_games"),
    *("measured", "measured_low", "measured_high", "measured_games"),
    *("difference", "difference_low", "difference_high", "needed", "needed_at_least"),
)


def row_rows(table: Table) -> list[list[Cell]]:
    """A line for each row, in percent and points: what is printed with the digits that it is printed with.

    >>> done = study(chosen(["D"], "space"), Measurer(games=28, seed=1), ["nodes=50"])
    >>> row_rows(done.tables[0])[0][:6]
    ['D', 'space', '69.29 %', '61.2 to 76.3 %', '140', '14.3 %']
    """
    return [_row(each) for each in table.rows]


def _row(each: MeasuredRow) -> list[Cell]:
    row, measured, found = each.row, each.measured, each.difference
    name = f"{row.name} (as {row.heuristic})" if row.is_substitute else row.name
    printed: list[Cell] = ["not measured", None, None]
    if row.interval is not None:
        printed = [f"{row.percent} %", between(row.interval), f"{row.games:,}"]
    if measured is None:
        return [row.report, name, *printed, "no time", *[None] * 5]
    ours = [f"{100 * measured.rate.rate:.1f} %", between(measured.rate.interval), f"{measured.games:,}"]
    above: list[Cell] = ["baseline" if row.heuristic == BASELINE else None, None, None]
    if found is not None:
        above = [f"{100 * found.value:+.1f}", between(found.interval, "+"), str(each.needed)]
    return [row.report, name, *printed, *ours, *above]


def between(interval: Interval, sign: str = "") -> str:
    """An interval as a cell: of rates in percent, with a sign of differences in points."""
    text = f"{100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f}"
    return text if sign else f"{text} %"


def claim_rows(table: Table) -> list[list[Cell]]:
    """A line for each claim."""
    lines: list[list[Cell]] = []
    for each in table.judgements:
        claim, needed = each.claim, None if each.needed is None else str(each.needed)
        lines.append([claim.id, claim.says, len(claim.comparisons), each.verdict, each.reason, needed])
    return lines


def data_rows(study: Study) -> list[list[Cell]]:
    """A line for each row at each budget, as numbers: rates from 0 to 1."""
    return [[table.budget, *_numbers(each)] for table in study.tables for each in table.rows]


def _numbers(each: MeasuredRow) -> list[Cell]:
    row, measured, found, needed = each.row, each.measured, each.difference, each.needed
    line: list[Cell] = [row.report, row.name, row.heuristic]
    line += [None if row.percent is None else round(row.percent / 100, 6), *_ends(row.interval), row.games]
    rate = None if measured is None else measured.rate
    line += [rate.rate, *_ends(rate.interval), measured.games] if measured and rate else [None] * 4
    if found is None or needed is None:
        return [*line, *[None] * 5]
    return [*line, found.value, *_ends(found.interval), needed.games, int(needed.at_least)]


def _ends(interval: Interval | None) -> tuple[Cell, Cell]:
    return (None, None) if interval is None else (interval.low, interval.high)


def notes(study: Study) -> list[str]:
    """What there is to say below the tables."""
    rows = dict.fromkeys(each.row for table in study.tables for each in table.rows)
    claims = dict.fromkeys(each.claim for table in study.tables for each in table.judgements)
    lines = [f"{row.report}, {row.name}: {row.note}" for row in rows if row.note]
    lines += [f"{claim.id}: {claim.note}" for claim in claims if claim.note]
    if not study.reproducible:
        lines.append("a clock has decided something: these results are not the same twice")
    return lines
