"""What the numbers of a report mean, in sentences."""

from __future__ import annotations

from typing import Final

from isolation_fast import Cost
from isolation_fast.cost.definition import band_in_words
from isolation_fast.statistics import Difference, Interval
from isolation_grader.report import CostUsed, Grading, Report, Verdict
from isolation_grader.showing.wording import ends, percent, points

__all__ = [
    "MARKS",
    "NOTHING",
    "band_costs",
    "cost_source",
    "difference_words",
    "hypothesis",
    "interval_words",
    "level",
    "points_wanted",
    "seconds",
    "summary",
    "test_words",
    "verdict_words",
]

MARKS: Final[dict[Verdict, str]] = {"better": "✓", "not better": "✗", "undecided": "?", "not graded": "!"}
"""A sign for each verdict, so that none is told by its colour."""

NOTHING: Final = percent(None)
"""What stands where there is nothing to tell."""
SOURCES: Final = {
    "measured": "measured for this report",
    "stored": "stored: it was measured earlier",
    "given": "given by who started this",
    "observed": "observed in play, where it was more than measured",
}


def level(share: float | None) -> str:
    """An error rate, with as many digits as it has.

    >>> level(0.05), level(0.05 / 3), level(None)
    ('5 %', '1.667 %', '-')
    """
    return NOTHING if share is None else f"{100 * share:.4g} %"


def points_wanted(number: float) -> str:
    """So many points.

    >>> points_wanted(5.0), points_wanted(1)
    ('5 points', '1 point')
    """
    return f"{number:g} point{'' if number == 1 else 's'}"


def interval_words(interval: Interval | None) -> str:
    """An interval of a rate; nothing where it says nothing.

    >>> interval_words(Interval(0.36, 0.49, 0.95)), interval_words(Interval(0.0, 1.0, 0.95))
    ('36.0 to 49.0 %', '')
    """
    return "" if ends(interval) == NOTHING else ends(interval)


def difference_words(difference: Difference | None) -> str:
    """How far from the baseline."""
    return NOTHING if difference is None else f"{points(difference)} points"


def seconds(number: float) -> str:
    """A time by the wall clock.

    >>> seconds(0.04), seconds(12.34), seconds(754)
    ('0.04 s', '12.3 s', '754 s')
    """
    return f"{number:.2f} s" if number < 1 else f"{number:.1f} s" if number < 100 else f"{number:.0f} s"


def cost_source(cost: CostUsed) -> str:
    """Where a cost is from."""
    return SOURCES[cost.source]


def band_costs(cost: Cost) -> tuple[tuple[str, str], ...]:
    """The cost in each band of blank cells, where they differ: band and cost.

    >>> band_costs(Cost(2.0, (4.0, 2.0, 2.0, 2.0, 2.0)))[0]
    ('0-19 blank', '4')
    """
    return tuple((band_in_words(band), f"{each:.4g}") for band, each in enumerate(cost.bands or ()))


def summary(report: Report, baseline: str) -> str:
    """The answer to the question of the page, in a sentence."""
    named: dict[Verdict, list[str]] = {}
    for each in report.graded:
        named.setdefault(each.verdict, []).append(each.name)
    if not report.graded:
        return "Nothing of it could be graded. That is no verdict, and it is not 0 either."
    if report.verdict == "better":
        names = named["better"]
        return f"Yes: {_listed(names)} {'is' if len(names) == 1 else 'are'} better than {baseline}."
    if report.verdict == "undecided":
        names = named["undecided"]
        verb = "beats" if len(names) == 1 else "beat"
        return f"Undecided: the games do not tell whether {_listed(names)} {verb} {baseline}."
    if report.verdict == "not better":
        names = named["not better"]
        return f"No: {_listed(names)} {'is' if len(names) == 1 else 'are'} not better than {baseline}."
    return "It could not be graded. That is no verdict, and it is not 0 either."


def verdict_words(grading: Grading, report: Report, baseline: str) -> str:
    """What a verdict says, and how often it would be wrong."""
    more = points_wanted(report.question.points)
    if grading.verdict == "better":
        return (
            f"H1 was accepted: the games speak for one that is {more} above {baseline}, and against one that "
            f"is no better. Of those that are no better, {level(grading.alpha)} are called better, at most."
        )
    if grading.verdict == "not better":
        return (
            f"H0 was accepted: the games speak against one that is {more} above {baseline}. Of "
            f"those that are {more} better, {level(report.question.beta)} are called not better, at most."
        )
    if grading.verdict == "undecided":
        played = grading.test.count if grading.test else 0
        most = report.question.blocks
        told = f"All {most} blocks were" if played >= most else f"{played} of at most {most} blocks were"
        return f"{told} played, and neither H0 nor H1 was accepted: the games leave it open."
    return "There is no verdict. That is not the same as 0: it says that the question was not answered."


def test_words(grading: Grading) -> str:
    """How far the test went."""
    test = grading.test
    if test is None:
        return "no block is complete"
    return (
        (
            f"{test.count} blocks, log-likelihood ratio {test.llr:.2f} "
            f"(H0 is accepted at {test.lower:.2f}, H1 at {test.upper:.2f})"
        )
        .replace("-0.00", "0.00")
        .replace(" -", " −")
    )


def hypothesis(baseline_rate: float | None, more: float, baseline: str) -> str:
    """H0 with no more points than the baseline, H1 with so many.

    >>> hypothesis(0.553, 5.0, "AB_Improved")
    'It wins 60.3 % of the games, 5 points more than AB_Improved.'
    >>> hypothesis(None, 0.0, "AB_Improved")
    'It wins as often as AB_Improved.'
    """
    told = f"{points_wanted(more)} more than {baseline}" if more else f"as often as {baseline}"
    rate = None if baseline_rate is None else baseline_rate + more / 100
    if rate is None or rate >= 1:
        return f"It wins {told}."
    return f"It wins {percent(rate)} of the games, {told}."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
