"""The plot of a study: what was printed against what was measured, each with its interval, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from isolation_fast.statistics import Interval
from isolation_fast.study.studying import MeasuredRow, Table

__all__ = ["plot"]

SIDE: Final = 640
EDGE: Final = 60
COLOURS: Final = {"A": "#1b6ca8", "B": "#b5651d", "C": "#2e8b57", "D": "#a23b72", "E": "#6b5b95"}
STYLE: Final = "text { font: 13px sans-serif; fill: #222 } .grid { stroke: #ddd } .same { stroke: #888 }"


def plot(table: Table) -> str:
    """A point for each row that was printed and measured; on the diagonal both say the same.

    >>> plot(Table("course", (), ())).splitlines()[-1]
    '</svg>'
    """
    rows = [each for each in table.rows if each.row.interval is not None and each.measured is not None]
    low, high = _limits(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 90} {SIDE}" role="img">',
        f"<title>Printed against measured, budget {escape(table.budget)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{SIDE + 90}" height="{SIDE}" fill="#fff"/>',
        *_axes(low, high),
        *(line for each in rows for line in _point(each, low, high)),
        *_legend(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _limits(rows: Sequence[MeasuredRow]) -> tuple[float, float]:
    """The ends of both axes, in whole tens of percent."""
    ends = []
    for each in rows:
        assert each.row.interval is not None
        assert each.measured is not None
        found = each.measured.rate.interval
        ends += [each.row.interval.low, each.row.interval.high, found.low, found.high]
    if not ends:
        return 0.0, 1.0
    return int(10 * min(ends)) / 10, min(1.0, (int(10 * max(ends)) + 1) / 10)


def _place(value: float, low: float, high: float) -> float:
    return round(EDGE + (SIDE - 2 * EDGE) * (value - low) / (high - low), 1)


def _axes(low: float, high: float) -> Iterator[str]:
    bottom, top = SIDE - EDGE, EDGE
    for step in range(round((high - low) * 10) + 1):
        value = low + step / 10
        at = _place(value, low, high)
        yield f'<line class="grid" x1="{at}" y1="{bottom}" x2="{at}" y2="{top}"/>'
        yield f'<line class="grid" x1="{EDGE}" y1="{SIDE - at}" x2="{SIDE - EDGE}" y2="{SIDE - at}"/>'
        yield f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{100 * value:.0f} %</text>'
        yield f'<text x="{EDGE - 8}" y="{SIDE - at + 4}" text-anchor="end">{100 * value:.0f} %</text>'
    yield f'<line class="same" x1="{EDGE}" y1="{bottom}" x2="{SIDE - EDGE}" y2="{top}"/>'
    yield f'<text x="{SIDE / 2}" y="{SIDE - 16}" text-anchor="middle">printed, games won</text>'
    yield f'<text transform="translate(16 {SIDE / 2}) rotate(-90)" text-anchor="middle">measured</text>'


def _point(each: MeasuredRow, low: float, high: float) -> Iterator[str]:
    row, measured = each.row, each.measured
    assert row.interval is not None
    assert row.percent is not None
    assert measured is not None
    rate = measured.rate
    across, up = _place(row.percent / 100, low, high), SIDE - _place(rate.rate, low, high)
    left, right = (_place(end, low, high) for end in _ends(row.interval))
    below, above = (SIDE - _place(end, low, high) for end in _ends(rate.interval))
    told = f"{row.report} {row.name}: {row.percent} % printed, {100 * rate.rate:.1f} % measured"
    yield f'<g stroke="{COLOURS[row.report]}" fill="{COLOURS[row.report]}"><title>{escape(told)}</title>'
    yield f'<line opacity="0.45" x1="{left}" y1="{up}" x2="{right}" y2="{up}"/>'
    yield f'<line x1="{across}" y1="{below}" x2="{across}" y2="{above}"/>'
    yield f'<circle cx="{across}" cy="{up}" r="4"/></g>'


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _legend() -> Iterator[str]:
    for number, (report, colour) in enumerate(COLOURS.items()):
        y = EDGE + 22 * number
        yield f'<circle cx="{SIDE - EDGE + 24}" cy="{y}" r="5" fill="{colour}"/>'
        yield f'<text x="{SIDE - EDGE + 36}" y="{y + 4}">report {report}</text>'
