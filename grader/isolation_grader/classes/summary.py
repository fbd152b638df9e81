"""The page about a whole class, and the marks in the page of each student."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from isolation_grader import __version__
from isolation_grader.classes.facts import Facts, Heuristic
from isolation_grader.classes.marks import Marks
from isolation_grader.classes.tables import Marked
from isolation_grader.options import BASELINE
from isolation_grader.showing import html
from isolation_grader.showing.html import Axis, axis_of

MOST_LISTED: Final = 10
"""Of the strongest, the slowest and those who threw most wins away."""
BIN: Final = 2.5
"""Points of a bar of the distribution."""
MAIN: Final = "<main>\n"
"""In the page of a report the marks go there; text of a submission's has no such characters."""
SECTION: Final = '<section aria-labelledby="marks">'
END: Final = "</section>\n"
"""What the marks begin and end with."""


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of the distribution, in units from 0 to 100."""

    left: float
    width: float
    height: float
    count: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked of all, for staff."""

    seed: int
    budget: str
    roster: str
    points: float


def page(marked: Marked, settings: Settings) -> str:
    """The page, for staff: it has the seed, and links to the report of each."""
    facts = marked.facts.submissions
    graded = sorted((each for each in facts if each.best is not None), key=_rank)
    differences = [each.best.difference for each in graded if each.best and each.best.difference]
    axis = axis_of(differences, settings.points)
    return html.page(
        "class.html.jinja",
        marked=marked,
        settings=settings,
        baseline=BASELINE,
        version=__version__,
        verdicts={verdict: len(found) for verdict, found in marked.by_verdict.items()},
        graded=graded,
        axis=axis,
        wanted=settings.points,
        bins=bins([each.value for each in differences], axis),
        not_graded=[each for each in facts if each.best is None or each.verdict == "not graded"],
        slowest=_first(graded, lambda best: best.cost),
        thrown=_first(graded, _thrown),
        strongest=graded[:MOST_LISTED],
    )


def with_marks(report: str, marks: Marks) -> str:
    """The page of a report with these marks."""
    if not marks.parts:
        return report
    return report.replace(MAIN, f"{MAIN}{html.rendered('marks.html.jinja', marks=marks)}\n", 1)


def without_marks(report: str) -> str:
    """The page as it was before `with_marks`."""
    before, main, after = report.partition(MAIN)
    if not after.startswith(SECTION):
        return report
    return f"{before}{main}{after.partition(END)[2]}"


def bins(differences: Sequence[float], axis: Axis) -> list[Bin]:
    """How many submissions have about which difference.

    >>> bins([0.01, 0.02, -0.04], Axis(-10, 10, 5))
    [Bin(left=25.0, width=12.5, height=50.0, count=1), Bin(left=50.0, width=12.5, height=100.0, count=2)]
    """
    counts: dict[int, int] = {}
    for each in differences:
        number = int(100 * each // BIN)
        counts[number] = counts.get(number, 0) + 1
    most = max(counts.values(), default=1)
    return [
        Bin(
            axis.at(number * BIN),
            round(axis.at((number + 1) * BIN) - axis.at(number * BIN), 2),
            100 * count / most,
            count,
        )
        for number, count in sorted(counts.items())
    ]


def _rank(facts: Facts) -> tuple[float, str]:
    best = facts.best
    return -(best.difference.value if best and best.difference else 0.0), facts.key


def _thrown(best: Heuristic) -> float | None:
    return best.thrown / best.looked_into if best.looked_into and best.thrown else None


def _first(
    graded: Sequence[Facts], measure: Callable[[Heuristic], float | None]
) -> list[tuple[Facts, Heuristic]]:
    """Those of whom a figure is largest, as far as it is known."""
    found = [(each, each.best, measure(each.best)) for each in graded if each.best is not None]
    known = [(-figure, each.key, each, best) for each, best, figure in found if figure is not None]
    return [(each, best) for *_, each, best in sorted(known, key=lambda one: one[:2])[:MOST_LISTED]]
