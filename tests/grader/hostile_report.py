"""Reports of all kinds, and any of them with a hostile text wherever a submission has one in it."""

from __future__ import annotations

from dataclasses import replace

from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_fast.tournament import PlayerResult
from isolation_grader.lost_games import LostGame
from isolation_grader.report import Graded, Grading, Printed, Problem, Report
from isolation_grader.showing.forms import without_secrets

__all__ = ["HOSTILE", "hostile", "kinds_of_reports"]

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\r\n\n```\n# 1. <script>alert(1)</script> & | \\ [a](javascript:b) "
    "**b** '\"`$(touch pwned); @everyone www.evil.example https://evil.example\ud800\udcff\x00"
)


def kinds_of_reports() -> dict[str, Report]:
    """Each kind that there may be, by a name for it."""
    whole = example_report()
    first = whole.graded[0]
    nothing = Grading("undecided")
    empty = PlayerResult("custom_score", ())
    return {
        "whole": whole,
        "not loaded": report_of_a_file_that_does_not_load(),
        "just begun": replace(whole, baseline=None, graded=(), is_complete=False),
        "partial": replace(
            whole, graded=(first, Graded("custom_score_2", nothing)), is_complete=False, reproducible=False
        ),
        "no games": replace(
            whole, graded=(Graded("custom_score", replace(nothing, result=empty)),), baseline=None
        ),
        "players": replace(whole, plays="players", roster="early", budget="ms=150", seed=-7),
        "secret": without_secrets(whole),
        "hostile": hostile(whole, HOSTILE),
        "hostile, secret": without_secrets(hostile(whole, HOSTILE)),
        "hostile, not loaded": hostile(report_of_a_file_that_does_not_load(), HOSTILE),
    }


def hostile(report: Report, text: str) -> Report:
    """The report of a submission that puts this text wherever it can."""
    printed = Printed(
        text.encode("utf-8", "surrogatepass"), b"\xff\x1b[31m" + text.encode("utf-8", "replace"), 9
    )
    return replace(
        report,
        submission=text,
        file=text,
        left_out=(text,),
        printed=printed,
        problem=_problem(report.problem, text),
        graded=tuple(_graded(each, text, printed) for each in report.graded),
    )


def _problem(problem: Problem | None, text: str) -> Problem | None:
    return None if problem is None else Problem(text, text, text, (text, text))


def _graded(graded: Graded, text: str, printed: Printed) -> Graded:
    return replace(
        graded,
        name=f"{graded.name}{text}",
        problem=_problem(graded.problem, text),
        lost_games=tuple(_lost(each, text) for each in graded.lost_games),
        advice=(text,),
        printed=printed,
    )


def _lost(game: LostGame, text: str) -> LostGame:
    record = replace(game.record, detail=text)
    return replace(game, happened=text, trace=(text,), record=record)
