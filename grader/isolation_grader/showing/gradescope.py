"""A report as the results.json that Gradescope reads.

Its format is described on https://gradescope-autograders.readthedocs.io/en/latest/specs/. A valid file at any
time: also while grading is going on, when it says so.

A heuristic has 1 point if it is better than the baseline, half a point if that is undecided, and 0 if it is
not better. One that could not be graded has no points and no maximum: how good it is is not known. The same
holds for one that is undecided while grading is going on: nobody gains by a limit of time.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import Any, Final

from isolation_grader.report import SCHEMA, Graded, Report, Verdict
from isolation_grader.showing.repeating import Repeat
from isolation_grader.showing.terminal import about, head
from isolation_grader.showing.wording import one_line, problem_lines, warnings

__all__ = ["POINTS", "document", "text"]

POINTS: Final[Mapping[Verdict, float]] = {"better": 1.0, "undecided": 0.5, "not better": 0.0}
"""What each verdict is worth."""
MOST_POINTS: Final = 1.0
VISIBLE: Final = "visible"
HIDDEN: Final = "hidden"
"""What the command prints is for staff: it may name paths."""


def text(report: Report, repeat: Repeat | None = None) -> str:
    """One document; times are not in it, so that it is the same on every run."""
    return dumps(document(report, repeat), indent=2, allow_nan=False)


def document(report: Report, repeat: Repeat | None = None) -> dict[str, Any]:
    """As JSON knows it."""
    return {
        # Overrides the sum of the tests, which it is, and is there where no test has points.
        # The best of them: copies of a heuristic earn nothing.
        "score": max((_points(report, each) or 0.0 for each in report.graded), default=0.0),
        "output": "\n".join(head(report)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": VISIBLE,
        "stdout_visibility": HIDDEN,
        "extra_data": _extra_data(report),
        "tests": [_loading(report), *(_test(report, each, repeat) for each in report.graded)],
        "leaderboard": _leaderboard(report),
    }


def _loading(report: Report) -> dict[str, Any]:
    """Informational: it has no points."""
    problem = report.problem
    output = "it was loaded" if problem is None else "\n".join(problem_lines(problem))
    status = "passed" if problem is None else "failed"
    return _informational(f"{one_line(report.submission)} can be graded", status, output)


def _test(report: Report, graded: Graded, repeat: Repeat | None) -> dict[str, Any]:
    base = report.baseline_name
    name = f"{one_line(graded.name)} beats {base}"
    lines = [*warnings(report), *about(report, graded)]
    points = _points(report, graded)
    if points is None:
        why = "It could not be graded." if graded.verdict == "not graded" else "It is not decided yet."
        lines.insert(0, f"{why} That is no 0: how good it is is not known.")
        return _informational(name, "failed", "\n".join(lines))
    if graded.verdict != "better":
        lines += ["", f"to repeat it: {(repeat or Repeat()).bare().command(report, graded)}"]
    status = "passed" if graded.verdict == "better" else "failed"
    score = {"score": points, "max_score": MOST_POINTS}
    return {**score, **_informational(name, status, "\n".join(lines))}


def _points(report: Report, graded: Graded) -> float | None:
    is_over = report.is_complete or graded.verdict != "undecided"
    return POINTS.get(graded.verdict) if is_over else None


def _informational(name: str, status: str, output: str) -> dict[str, Any]:
    shown = {"output": output, "output_format": "text", "visibility": VISIBLE}
    return {"name": name, "name_format": "text", "status": status, **shown}


def _leaderboard(report: Report) -> list[dict[str, Any]]:
    """Of the one that is furthest above the baseline; nothing where no block is complete."""
    known = [(each.grading.difference, each.grading.rate) for each in report.graded]
    above = max(((d.value, rate) for d, rate in known if d is not None and rate is not None), default=None)
    if above is None:
        return []
    base = report.baseline_name
    return [
        {"name": f"Points above {base}", "value": round(100 * above[0], 1), "order": "desc"},
        {"name": "Games won, in %", "value": round(100 * above[1], 1), "order": "desc"},
    ]


def _extra_data(report: Report) -> dict[str, Any]:
    """What a program that collects results wants to know, for every submission in the same place."""
    names = ("verdict", "reproducible", "seed", "budget", "roster", "plays", "digest", "version")
    heuristics = []
    for each in report.graded:
        cost = each.grading.cost
        difference = each.grading.difference
        heuristics.append(
            {
                "name": one_line(each.name),
                "verdict": each.verdict,
                "difference": None if difference is None else difference.value,
                "cost": None if cost is None else cost.to_dict(),
            }
        )
    return {
        "schema": SCHEMA,
        "complete": report.is_complete,
        "status": int(report.status),
        **{name: getattr(report, name) for name in names},
        "sandbox": report.sandbox.to_dict(),
        "question": report.question.to_dict(),
        "graded": heuristics,
    }
