"""The forms of a report, all of them from the one model in `isolation_grader.report`."""

from isolation_grader.showing.forms import FORMS, shown
from isolation_grader.showing.repeating import Repeat

__all__ = ["FORMS", "Repeat", "shown"]
