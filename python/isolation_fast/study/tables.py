"""The tables of a study: for people, and line by line for programs."""

from __future__ import annotations

from typing import Final

from isolation_fast.output import Cell
from isolation_fast.statistics import Interval
from isolation_fast.study.printed import BASELINE
from isolation_fast.study.studying import MeasuredRow, Study, Table

__all__ = [
    "CLAIM_HEADERS",
    "DATA_HEADERS",
    "ROW_HEADERS",
    "between",
    "claim_rows",
    "data_rows",
    "notes",
    "row_rows",
]

ROW_HEADERS: Final = (
    "report",
    "row",
    "printed",
    "95 % interval",
    "games",
    "measured",
    "95 % interval",
    "games",
    "to improved",
    "95 % interval",
    "games needed",
)
CLAIM_HEADERS: Final = ("claim", "what it says", "comparisons", "verdict", "because", "games needed")
DATA_HEADERS: Final = (
    "budget",
    "report",
    "row",
    "heuristic",
    "printed",
    "printed_low",
    "printed_high",
    "printed_games",
    "measured",
    "measured_low",
    "measured_high",
    "measured_games",
    "difference",
    "difference_low",
    "difference_high",
    "needed",
    "needed_at_least",
)


def row_rows(table: Table) -> list[list[Cell]]:
    """A line for each row, in percent and points: what is printed with the digits that it is printed with.

    >>> from isolation_fast.study import Measurer, chosen, study
    >>> done = study(chosen(["D"], "space"), Measurer(games=28, seed=1), ["nodes=50"])
    >>> row_rows(done.tables[0])[0][:6]
    ['D', 'space', '69.29 %', '61.2 to 76.3 %', '140', '14.3 %']
    """
    return [_row(each) for each in table.rows]


def _row(each: MeasuredRow) -> list[Cell]:
    row, measured, found = each.row, each.measured, each.difference
    name = f"{row.name} (as {row.heuristic})" if row.is_substitute else row.name
    cells: list[Cell] = [row.report, name]
    if row.percent is None or row.interval is None:
        cells += ["not measured", None, None]
    else:
        cells += [f"{row.percent} %", between(row.interval), f"{row.games:,}"]
    if measured is None:
        return [*cells, "no time", None, None, None, None, None]
    cells += [f"{100 * measured.rate.rate:.1f} %", between(measured.rate.interval), f"{measured.games:,}"]
    if found is None:
        return [*cells, "baseline" if row.heuristic == BASELINE else None, None, None]
    return [*cells, f"{100 * found.value:+.1f}", between(found.interval, "+"), str(each.needed)]


def between(interval: Interval, sign: str = "") -> str:
    """An interval as a cell: of rates in percent, with a sign of differences in points.

    >>> between(Interval(0.612, 0.763, 0.95)), between(Interval(-0.01, 0.02, 0.95), "+")
    ('61.2 to 76.3 %', '-1.0 to +2.0')
    """
    told = f"{100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f}"
    return told if sign else f"{told} %"


def claim_rows(table: Table) -> list[list[Cell]]:
    """A line for each claim.

    >>> from isolation_fast.study import Measurer, chosen, study
    >>> done = study(chosen(["C"], "improved"), Measurer(games=28, seed=1), ["nodes=50"])
    >>> [row[:4] for row in claim_rows(done.tables[0])][-1]
    ['C2', 'no positional heuristic beats improved', 4, 'open']
    """
    return [
        [
            each.claim.id,
            each.claim.says,
            len(each.claim.comparisons),
            each.verdict,
            each.reason,
            None if each.needed is None else str(each.needed),
        ]
        for each in table.judgements
    ]


def data_rows(study: Study) -> list[list[Cell]]:
    """A line for each row at each budget, as numbers: rates from 0 to 1."""
    return [[table.budget, *_numbers(each)] for table in study.tables for each in table.rows]


def _numbers(each: MeasuredRow) -> list[Cell]:
    row, found, needed = each.row, each.difference, each.needed
    line: list[Cell] = [row.report, row.name, row.heuristic]
    line += [None if row.percent is None else round(row.percent / 100, 6), *_ends(row.interval), row.games]
    if each.measured is None:
        line += [None] * 4
    else:
        rate = each.measured.rate
        line += [rate.rate, *_ends(rate.interval), each.measured.games]
    if found is None or needed is None:
        return [*line, *[None] * 5]
    return [*line, found.value, *_ends(found.interval), needed.games, int(needed.at_least)]


def _ends(interval: Interval | None) -> list[Cell]:
    return [None, None] if interval is None else [interval.low, interval.high]


def notes(study: Study) -> list[str]:
    """What there is to say below the tables."""
    rows = dict.fromkeys(each.row for table in study.tables for each in table.rows)
    claims = dict.fromkeys(each.claim for table in study.tables for each in table.judgements)
    lines = [f"{row.report}, {row.name}: {row.note}" for row in rows if row.note]
    lines += [f"{claim.id}: {claim.note}" for claim in claims if claim.note]
    if not study.reproducible:
        lines.append("a clock has decided something: these results are not the same twice")
    return lines
