"""Grading submissions for Knight's Isolation: they run without rights, and a referee decides.

| module | what it is for |
|---|---|
| `grading` | whether its heuristics are better than the baseline: `grade("game_agent.py")` gives a `Report` |
| `probing` | how a submission behaves: whether it loads, how its games end, what it uses and prints |
| `conforming` | whether it passes what the course's own checker tests |
| `report` | what comes of a grading; `showing` has its forms |
| `exceptions` | the exit status of each command, and the errors that lead to them |

It uses public names of `isolation_fast` alone, and has the same version.
"""

import sys
import traceback
from pathlib import Path

__all__ = [
    "Conformance",
    "ExitStatus",
    "Probe",
    "Question",
    "Report",
    "__version__",
    "conformance",
    "grade",
    "probe",
]

__version__ = "0.1.0"

try:
    from isolation_grader.conforming import Conformance, conformance
    from isolation_grader.exceptions import ExitStatus
    from isolation_grader.grading import grade
    from isolation_grader.options import Question
    from isolation_grader.probing import Probe, probe
    from isolation_grader.report import Report
except Exception as error:
    # A command must not end with Python's own status, 1, which would say something of the submission.
    if sys.argv[:1] != ["-m"] and Path(sys.argv[0]).stem != "isolation-grade":
        raise
    traceback.print_exc()
    sys.stderr.write(f"isolation-grade: error: the grader itself failed: {type(error).__name__}: {error}\n")
    sys.exit(5)
