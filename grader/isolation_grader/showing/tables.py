"""The tables of a report: headers and rows, for whichever form draws them."""

from __future__ import annotations

from typing import Final, NamedTuple

from isolation_fast.output import Cell
from isolation_fast.statistics import GauntletRate, Interval
from isolation_fast.tournament import Score
from isolation_grader.report import Graded, Grading, Report
from isolation_grader.showing.wording import (
    NOTHING,
    cost_in_words,
    ends,
    noun,
    one_line,
    opponents,
    percent,
    points,
    points_ends,
)

__all__ = ["Table", "classic", "data", "rates", "verdicts"]

DATA_HEADERS: Final = (
    "name",
    "opponent",
    "games",
    "won",
    "lost",
    "rate",
    "low",
    "high",
    "verdict",
    "difference",
    "difference_low",
    "difference_high",
    "blocks",
    "cost",
    "source",
)


class Table(NamedTuple):
    """What `isolation_fast.output.tables.table_text` draws."""

    headers: tuple[str, ...]
    rows: list[list[Cell]]
    align: tuple[str, ...] | None = None


def classic(report: Report) -> Table:
    """As the course prints it: a row an opponent, a column for the baseline and for each."""
    columns = _columns(report)
    names = opponents(report)
    digits = max((len(str(each.games)) for _, _, scores in columns for each in scores.values()), default=1)
    digits = max(digits, len("Lost"))
    rows: list[list[Cell]] = [["", "", *("Won | Lost" for _ in columns)]]
    for number, opponent in enumerate(names, start=1):
        cells = [_won_lost(scores.get(opponent), digits) for _, _, scores in columns]
        rows.append([str(number), one_line(opponent), *cells])
    rows.append(["", "Win Rate:", *(percent(rate) for _, rate, _ in columns)])
    align = ("left", "left", *("right" for _ in columns))
    return Table(("Match #", "Opponent", *(name for name, _, _ in columns)), rows, align)


def rates(report: Report) -> Table:
    """The rate against each opponent with its interval, and against all."""
    columns = _columns(report)
    rows: list[list[Cell]] = [
        [one_line(opponent), *(_rate(scores.get(opponent)) for _, _, scores in columns)]
        for opponent in opponents(report)
    ]
    base = report.baseline
    totals = [] if base is None else [_rate(base.rate)]
    rows.append(["all", *totals, *(_rate(each.grading) for each in report.graded)])
    return Table(("won against, in % (95 %)", *(name for name, _, _ in columns)), rows)


def verdicts(report: Report) -> Table:
    """A row for each test: that which decides, and below it the one before."""
    name = report.baseline_name
    headers = (noun(report), "verdict", "won", f"to {name}", "95 %", "blocks", "cost", "its source")
    rows: list[list[Cell]] = []
    for each in report.graded:
        rows.append(_verdict(one_line(each.name), each.grading))
        if each.earlier is not None:
            rows.append(_verdict(f"{one_line(each.name)}, before", each.earlier))
    return Table(headers, rows)


def data(report: Report) -> Table:
    """For programs: a row for each opponent, then one against all, which names none and has the verdict."""
    rows: list[list[Cell]] = []
    if report.baseline is not None:
        base = report.baseline
        rows += [_score(base.name, each) for each in base.scores]
        won, games = sum(each.won for each in base.scores), sum(each.games for each in base.scores)
        counts: list[Cell] = [base.name, None, games, won, games - won, base.rate.rate]
        rows.append([*counts, *_ends(base.rate.interval), *(None,) * 4, base.rate.blocks, None, None])
    for graded in report.graded:
        rows += [_score(one_line(graded.name), each) for each in graded.grading.scores]
        rows.append(_total(graded))
    return Table(DATA_HEADERS, rows)


def _columns(report: Report) -> list[tuple[str, float | None, dict[str, Score]]]:
    """Name, rate, and scores by opponent: the baseline's first."""
    columns: list[tuple[str, float | None, dict[str, Score]]] = []
    if report.baseline is not None:
        base = report.baseline
        columns.append((base.name, base.rate.rate, {each.opponent: each for each in base.scores}))
    for each in report.graded:
        # Three games that it lost by itself are no rate against anybody.
        played = () if each.verdict == "not graded" else each.grading.scores
        scores = {score.opponent: score for score in played}
        columns.append((one_line(each.name), each.grading.rate, scores))
    return columns


def _won_lost(score: Score | None, digits: int) -> str:
    if score is None or not score.games:
        return NOTHING
    return f"{score.won} | {score.lost:>{digits}}"


def _rate(measured: Score | Grading | GauntletRate | None) -> str:
    if measured is None or measured.rate is None:
        return NOTHING
    return f"{100 * measured.rate:.1f} ({ends(measured.interval).removesuffix(' %')})"


def _verdict(name: str, grading: Grading) -> list[Cell]:
    blocks = None if grading.test is None else grading.test.count
    source = None if grading.cost is None else grading.cost.source
    to = [points(grading.difference), points_ends(grading.difference)]
    return [name, grading.verdict, percent(grading.rate), *to, blocks, cost_in_words(grading.cost), source]


def _score(name: str, score: Score) -> list[Cell]:
    counts: list[Cell] = [name, one_line(score.opponent), score.games, score.won, score.lost, score.rate]
    return [*counts, *_ends(score.interval), *(None,) * 7]


def _total(graded: Graded) -> list[Cell]:
    grading = graded.grading
    counts: list[Cell] = [one_line(graded.name), None, grading.games, grading.won]
    difference = grading.difference
    return [
        *counts,
        grading.games - grading.won,
        grading.rate,
        *_ends(grading.interval),
        grading.verdict,
        None if difference is None else difference.value,
        *_ends(None if difference is None else difference.interval),
        None if grading.test is None else grading.test.count,
        None if grading.cost is None else grading.cost.cost.value,
        None if grading.cost is None else grading.cost.source,
    ]


def _ends(interval: Interval | None) -> list[Cell]:
    return [None, None] if interval is None else [interval.low, interval.high]
