"""Grading one submission of a class, as `check` does it: what is asked of each, and what comes of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter, process_time
from traceback import format_exc
from typing import Any, Final

from isolation_fast import Budget, IsolationError
from isolation_fast.jail import Limits
from isolation_fast.numbers import Nan
from isolation_fast.tournament import budget_text
from isolation_grader.conforming import conformance
from isolation_grader.exceptions import LessSandboxError, UsageError
from isolation_grader.grading import grade_by, not_begun
from isolation_grader.options import GradingOptions, Question, checked_budget, seed_of_tests
from isolation_grader.report import GradingTimings, Problem, Report
from isolation_grader.showing import Repeat, shown
from isolation_grader.showing.conformance import text as in_words
from isolation_grader.showing.forms import document_of, without_secrets
from isolation_grader.showing.wording import causes, one_line, summary

CLASS_WALL: Final = 900.0
"""Seconds for one submission. Most take half a minute."""
CLASS_PRECISION: Final = 3.0
"""Points: a class is to end in an evening."""
FAILED: Final = "grader failed"
"""The cause of a problem that is not the submission's: the grading is tried again when a class is resumed."""
MOST_KNOWN: Final = 160
"""Characters of the line that says what came of a submission."""
OURS: Final = (IsolationError, OSError, MemoryError, RecursionError, ValueError, TypeError, KeyError)
"""What a failure of the grader's own may raise."""
LEAST_LEFT: Final = 1.0
"""Seconds for the course's tests, where its games took all: then they say that they were not run."""
OUTSIDE: Final = "grade it alone, with isolation-grade check, and report what that says"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of each submission of a class."""

    members: tuple[str, ...] | None = None
    """Heuristics, or players; None for those of the course."""
    roster: str = "classic"
    budget: Budget | str | None = None
    question: Question = Question(precision=CLASS_PRECISION)  # noqa: RUF009 - it is frozen
    players: bool = False
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen
    nan: Nan = "course"
    exact: bool = False
    value_work: int | None = None
    """How much one value of a heuristic may take; None: what the rubric says."""
    total_wall: float = CLASS_WALL
    """Seconds for one submission, after which its grading ends with what is known."""
    conformance: bool = False
    """Whether the course's own tests are run too, for a rubric with a part of that name."""
    sandbox_required: bool = False
    keep_games: bool = False
    """Whether each recorded game is kept."""
    words: tuple[str, ...] = ()
    """Options of a command that grades one submission alone, for limits that are not the usual ones."""

    def options(self, seed: int, store: Path) -> GradingOptions:
        """As a grading takes it; a `UsageError` where that cannot be."""
        return GradingOptions(
            members=self.members,
            roster=self.roster,
            seed=seed,
            budget=checked_budget(self.budget, players=self.players),
            question=self.question,
            players=self.players,
            limits=self.limits,
            # All cores are busy with other submissions.
            workers=1,
            store=store,
            journal=None,
            resume=False,
            total_wall=self.total_wall,
            nan=self.nan,
            exact=self.exact,
            value_work=self.value_work,
        )

    def described(self, options: GradingOptions) -> dict[str, Any]:
        """All that the results depend on, but for the submissions."""
        return {
            "seed": options.seed,
            "members": None if options.members is None else list(options.members),
            "roster": options.roster,
            "budget": budget_text(options.budget),
            "question": asdict(options.question),
            "players": options.players,
            "limits": asdict(options.limits),
            "nan": options.nan,
            "exact": options.exact,
            "value_work": options.value_work,
            "conformance": self.conformance,
        }


@dataclass(frozen=True, slots=True)
class Job:
    """A submission of a class, and what is asked of all of them."""

    key: str
    name: str
    file: Path | None
    digest: str
    problem: Problem | None
    """Why there is no file."""
    options: GradingOptions
    shown: str = ""
    """The path of the file as a command names it that repeats the grading."""
    words: tuple[str, ...] = ()
    """Options of that command."""
    conformance: bool = False
    """Whether the course's own tests are run too."""
    sandbox_required: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of a job."""

    key: str
    digest: str
    verdict: str
    known: str
    """The answer in a sentence, for a line on a terminal."""
    has_failed: bool
    """By the grader's fault."""
    staff: dict[str, str]
    """The report for staff by the ending of its file: with seed, games, and what the submission said."""
    student: dict[str, str]
    """The same for students, without these."""
    timings: dict[str, Any]


class _Clock:
    """How long a grading takes."""

    def __init__(self) -> None:
        self._began, self._cpu_began = perf_counter(), process_time()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._began

    @property
    def cpu_seconds(self) -> float:
        return process_time() - self._cpu_began


def failed(job: Job, why: str) -> Outcome:
    """The outcome of a submission whose grading ended by the grader's fault."""
    return _outcome(job, _without_file(job, _ours(why)), _Clock(), has_failed=True)


def graded(job: Job) -> Outcome:
    """Grade a submission in this process. Whatever happens, there is a report."""
    clock = _Clock()
    if job.file is None:
        assert job.problem is not None
        return _outcome(job, _without_file(job, job.problem), clock)
    try:
        report = grade_by(job.options, job.file, job.name, sandbox_required=job.sandbox_required)
    except LessSandboxError:
        raise
    except UsageError as error:
        # Of what all are asked, this one has not everything, such as a heuristic of that name.
        report = _without_file(job, Problem("not loaded", str(error), error.hint or OUTSIDE))
    except OURS as error:
        problem = _ours(f"{type(error).__name__}: {error}")
        outcome = _outcome(job, _without_file(job, problem), clock, has_failed=True)
        outcome.staff["txt"] += f"\n{format_exc()}"
        return outcome
    outcome = _outcome(job, report, clock)
    if job.conformance:
        outcome.staff.update(_conformance(job, job.options.total_wall - clock.seconds))
    return outcome


def _conformance(job: Job, left: float) -> dict[str, str]:
    """What of the course's tests it passes, in the time that is left for it."""
    assert job.file is not None
    try:
        found = conformance(
            job.file,
            seed=seed_of_tests(job.options.seed),
            limits=job.options.limits,
            total_wall=max(left, LEAST_LEFT),
            sandbox_required=job.sandbox_required,
        )
    except LessSandboxError:
        raise
    except OURS:
        # Without its document the tests were not run, and nobody is marked for them.
        return {"tests.txt": format_exc()}
    return {"tests.json": _compact(found.to_dict()), "tests.txt": in_words(found)}


def _ours(reason: str) -> Problem:
    return Problem(FAILED, reason, OUTSIDE)


def _without_file(job: Job, problem: Problem) -> Report:
    report = not_begun(job.options, job.file or Path(job.name), job.name, problem)
    return replace(report, digest=job.digest)


def _outcome(job: Job, report: Report, clock: _Clock, *, has_failed: bool = False) -> Outcome:
    timings = report.timings.to_dict()
    # Reports are compared, and times are kept apart.
    report = replace(report, timings=GradingTimings())
    repeat, hidden = Repeat(job.shown, job.words), without_secrets(report)
    staff = {"html": shown(report, "html"), "txt": shown(report, "simple", repeat)}
    return Outcome(
        job.key,
        job.digest,
        report.verdict,
        _in_a_line(report),
        has_failed,
        {"json": _compact(document_of(report)), **staff},
        {form: shown(hidden, form) for form in ("json", "html")},
        {**timings, "seconds": clock.seconds, "cpu_seconds": clock.cpu_seconds},
    )


def _in_a_line(report: Report) -> str:
    if report.problem is not None:
        return one_line(report.problem.reason)
    found = summary(report) if report.verdict != "not graded" else next(causes(report), summary(report))
    return found if len(found) <= MOST_KNOWN else f"{found[:MOST_KNOWN]}..."


def _compact(document: dict[str, Any]) -> str:
    """Without spaces: with its lost games it would have megabytes."""
    return json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"
