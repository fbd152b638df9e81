"""Grading submissions for Knight's Isolation: they run without rights, and a referee decides.

| module | what it is for |
|---|---|
| `grading` | whether its heuristics are better than the baseline: `grade("game_agent.py")` gives a `Report` |
| `probing` | how a submission behaves: whether it loads, how its games end, what it uses and prints |
| `findings` | what that comes to |
| `exit_status` | with what status the commands of `isolation-grade` end |

It uses public names of `isolation_fast` alone, and has the same version.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isolation_grader.grading import grade
    from isolation_grader.question import Question
    from isolation_grader.report import Report

__all__ = ["Question", "Report", "__version__", "grade"]

# Not that of isolation_fast: this module is imported before an import that fails has its exit status.
__version__ = "0.1.0"

# Imported when they are asked for, for the same reason.
_MODULE_OF = {"grade": "grading", "Question": "question", "Report": "report"}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
