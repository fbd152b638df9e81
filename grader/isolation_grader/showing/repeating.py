"""The command that grades one heuristic of a report once more, with the same result."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields, replace
from typing import Final

from isolation_fast.tournament import budget_text, cost_text, parse_budget
from isolation_grader.options import COURSE_BUDGET, DEFAULT_BUDGET
from isolation_grader.question import Question
from isolation_grader.report import Graded, Report

__all__ = ["DEFAULT_ROSTER", "Repeat", "quoted"]

DEFAULT_ROSTER: Final = "classic"


@dataclass(frozen=True, slots=True)
class Repeat:
    """What a report does not know of the command that made it."""

    submission: str | None = None
    """Where it was; None for the name that the report has."""
    options: tuple[str, ...] = ()
    """Those that are not in the report, as words."""

    def bare(self) -> Repeat:
        """The same without the place of the submission, for those who are not to know it."""
        return replace(self, submission=None)

    def command(self, report: Report, graded: Graded | None = None) -> str:
        """It, for a shell: of one heuristic alone, or of all."""
        submission = report.submission if self.submission is None else self.submission
        # What begins with a dash would be taken for an option.
        words = ["isolation-grade", "check", f"./{submission}" if submission.startswith("-") else submission]
        question = report.question
        alpha = question.alpha
        if graded is not None:
            words += ["--heuristics", graded.name]
            # It had a share of what all together may have; alone it has that share.
            alpha = alpha if graded.grading.alpha is None else graded.grading.alpha
        words += ["--players"] if report.plays == "players" else []
        words += ["--roster", report.roster] if report.roster != DEFAULT_ROSTER else []
        words += ["--seed", str(report.seed)] if report.seed else []
        default_budget = COURSE_BUDGET if report.plays == "players" else DEFAULT_BUDGET
        if report.budget != budget_text(parse_budget(default_budget)):
            words += ["--budget", report.budget]
        default = Question()
        for each in fields(Question):
            value = alpha if each.name == "alpha" else getattr(question, each.name)
            if value != getattr(default, each.name):
                words += [f"--{each.name}", f"{value!r}"]
        if graded is not None and graded.grading.cost is not None:
            words += ["--cost", cost_text(graded.grading.cost.cost)]
        return " ".join(quoted(each) for each in (*words, *self.options))


def quoted(word: str) -> str:
    r"""A word for a shell, in which nothing does anything to a terminal.

    >>> print(quoted("game_agent.py"), quoted("a b; c"), quoted("a\x1b[2J'\n"))
    game_agent.py 'a b; c' $'a\x1b[2J\'\n'
    """
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + "".join(_escaped(each) for each in word) + "'"


def _escaped(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # a byte of a name that is no text
        return f"\\x{ord(character) - 0xDC00:02x}"
    # For a shell \x is a byte: two digits are enough for ASCII alone.
    escaped = character.encode("unicode_escape").decode("ascii")
    return escaped if ord(character) < 0x80 or not escaped.startswith("\\x") else f"\\u{ord(character):04x}"
