"""What a report for students leaves out where the openings are to stay secret.

A replay shows its opening, and a submission can say what it saw: in what it prints, and in the text of an
error. So these go with the seed. Verdicts, figures and advice stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from isolation_grader.report import Graded, Printed, Report

FOR_STUDENTS: Final = ("markdown", "gradescope", "html")
"""The forms that leave it out; the others are for staff and programs."""
LEFT_OUT: Final = "what it said in them is in the report for staff"


def without_secrets(report: Report) -> Report:
    """The report without its seed, its games, and all that the submission said in play."""
    return replace(report, seed=None, graded=tuple(map(_without_games, report.graded)))


def _without_games(graded: Graded) -> Graded:
    problem, result = graded.problem, graded.grading.result
    if problem is not None and result is not None and result.faults:
        endings = ", ".join(sorted({repr(each.ending) for each in result.faults}))
        reason = f"it lost {len(result.faults)} games by {endings}; {LEFT_OUT}"
        problem = replace(problem, reason=reason, trace=())
    return replace(graded, problem=problem, lost_games=(), printed=Printed())
