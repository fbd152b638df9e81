"""The command that repeats a grading, as a shell takes it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields, replace
from typing import Final

from isolation_fast.output import OLD_COMMAND
from isolation_fast.tournament import budget_text, parse_budget
from isolation_grader.options import COURSE_BUDGET, DEFAULT_BUDGET, Question
from isolation_grader.report import Graded, Report

DEFAULT_ROSTER: Final = "classic"


@dataclass(frozen=True, slots=True)
class Repeat:
    """The command that grades one heuristic of a report once more: what the report does not know of it."""

    submission: str | None = None
    """Its path; None for the name of the file alone."""
    options: tuple[str, ...] = ()
    """Options that are not in the report, as words."""
    heuristics: tuple[str, ...] = ()
    """Those that were asked for, where the command is for all."""

    def bare(self) -> Repeat:
        """The same without the path of the submission, which staff alone may see."""
        return replace(self, submission=None)

    def command(self, report: Report, graded: Graded | None = None) -> str:
        """The command for a shell, for one heuristic alone or for all."""
        submission = report.file if self.submission is None else self.submission
        # A name that begins with a dash would be an option.
        words = ["isolation-grade", "check", f"./{submission}" if submission.startswith("-") else submission]
        question, terms = report.question, graded.grading.terms if graded else None
        heuristics = self.heuristics if graded is None else (graded.name,)
        words += ["--heuristics", *heuristics] if heuristics else []
        if terms is not None and terms.alpha != question.terms(terms.work).alpha:
            # Of the alpha of all together it had a share; alone it keeps that share.
            question = replace(question, alpha=terms.alpha)
        words += ["--players"] if report.plays == "players" else []
        words += ["--roster", report.roster] if report.roster != DEFAULT_ROSTER else []
        words += [] if report.seed is None else ["--seed", str(report.seed)]
        default_budget = COURSE_BUDGET if report.plays == "players" else DEFAULT_BUDGET
        if report.budget != budget_text(parse_budget(default_budget)):
            words += ["--budget", report.budget]
        words += ["--nan", report.nan] if report.nan != "course" else []
        words += [] if report.value_work is None else ["--value-work", str(report.value_work)]
        words += ["--exact"] if any(each.grading.thrown is not None for each in report.graded) else []
        for each in fields(Question):
            value = getattr(question, each.name)
            if value != each.default:
                words += [f"--{each.name}", f"{value!r}"]
        return " ".join(quoted(each) for each in (*words, *self.options))


def quoted(word: str) -> str:
    """A word for a shell, without control characters."""
    if word.isprintable() and not OLD_COMMAND.search(word):
        return shlex.quote(word)
    return "$'" + OLD_COMMAND.sub(r"\\x23#", "".join(_escaped(each) for each in word)) + "'"


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
