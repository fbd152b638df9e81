"""A report as the results.json that Gradescope reads.

Its format: https://gradescope-autograders.readthedocs.io/en/latest/specs/. The file is valid at any time, and
says so while grading goes on.

A heuristic gets 1 point if it is better than the baseline, half a point if it is undecided, and 0 if it is
not better. One that could not be graded has no points and no maximum, since how good it is is unknown. So has
one that is undecided while grading goes on, or where `--total-wall` ended it: a limit of time earns nobody
points.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import Any, Final

from isolation_grader.report import Graded, Report, Verdict, fields_of
from isolation_grader.showing.repeating import Repeat
from isolation_grader.showing.terminal import about, head
from isolation_grader.showing.wording import NO_ZERO, known, one_line, problem_lines, warnings

POINTS: Final[Mapping[Verdict, float]] = {"better": 1.0, "undecided": 0.5, "not better": 0.0}
"""What each verdict is worth."""


def text(report: Report, repeat: Repeat | None = None) -> str:
    """One document, without times: the same on every run."""
    document = {
        # In place of the sum of the tests: the best of them, so that copies of a heuristic earn nothing.
        "score": max((_points(report, each) or 0.0 for each in report.graded), default=0.0),
        "output": "\n".join(head(report)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        # The output of the command may name paths, so staff alone see it.
        "stdout_visibility": "hidden",
        "extra_data": _extra_data(report),
        "tests": [_loading(report), *(_test(report, each, repeat) for each in report.graded)],
        "leaderboard": _leaderboard(report),
    }
    return dumps(document, indent=2, allow_nan=False)


def _loading(report: Report) -> dict[str, Any]:
    """Whether it could be loaded: informational, without points."""
    problem = report.problem
    output = "It was loaded." if problem is None else "\n".join(problem_lines(problem))
    status = "passed" if problem is None else "failed"
    return _informational(f"{one_line(report.submission)} can be graded", status, output)


def _test(report: Report, graded: Graded, repeat: Repeat | None) -> dict[str, Any]:
    base = report.baseline_name
    name = f"{one_line(graded.name)} beats {base}"
    lines = [*warnings(report), *about(report, graded)]
    points = _points(report, graded)
    if points is None:
        state = "Not graded." if graded.verdict == "not graded" else "Not decided yet."
        lines.insert(0, f"{state} {NO_ZERO}")
        return _informational(name, "failed", "\n".join(lines))
    if graded.verdict != "better" and report.seed is not None:
        lines += ["", f"Repeat it with: {(repeat or Repeat()).bare().command(report, graded)}"]
    status = "passed" if graded.verdict == "better" else "failed"
    return {"score": points, "max_score": 1.0, **_informational(name, status, "\n".join(lines))}


def _points(report: Report, graded: Graded) -> float | None:
    test, terms = graded.grading.test, graded.grading.terms
    has_played_all = test is not None and terms is not None and test.count >= terms.blocks
    is_over = report.went_to_its_end or graded.verdict != "undecided" or has_played_all
    return POINTS.get(graded.verdict) if is_over else None


def _informational(name: str, status: str, output: str) -> dict[str, Any]:
    shown = {"output": output, "output_format": "text", "visibility": "visible"}
    return {"name": name, "name_format": "text", "status": status, **shown}


def _leaderboard(report: Report) -> list[dict[str, Any]]:
    """The figures of the heuristic that is furthest above the baseline; empty before the first block."""
    figures = [(each.grading.difference, each.grading.rate) for each in report.graded]
    above = max(((d.value, rate) for d, rate in figures if d is not None and rate is not None), default=None)
    if above is None:
        return []
    base = report.baseline_name
    return [
        {"name": f"Points above {base}", "value": round(100 * above[0], 1), "order": "desc"},
        {"name": "Games won, in %", "value": round(100 * above[1], 1), "order": "desc"},
    ]


def _extra_data(report: Report) -> dict[str, Any]:
    """For programs that collect results, in the same place for every submission."""
    facts = fields_of(
        report,
        """schema complete=went_to_its_end status verdict reproducible seed budget roster plays nan digest
        version sandbox question""",
    )
    graded = [
        {
            "name": one_line(each.name),
            "verdict": each.verdict,
            "known": known(report, each),
            "difference": each.grading.difference and each.grading.difference.value,
            "cost": each.grading.cost and each.grading.cost.to_dict(),
            "nans": each.nans,
        }
        for each in report.graded
    ]
    return {**facts, "graded": graded}
