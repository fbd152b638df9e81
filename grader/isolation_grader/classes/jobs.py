"""Grading one submission of a class, as `check` does it, in a process of its own: here or on another machine.

```text
 grade_apart(job)             a thread of ours, or a worker of an executor
   |  the job as a pickle, over a pipe; should the process end, it is started once more
   v
 a fresh process: graded(job)
   |  the nursery, the jail, the games: all that a grading starts ends with it
   v
 Outcome: the report in each form, as text
```

So a grading that ends its process, or fills its memory, is nobody else's trouble.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from time import perf_counter, process_time
from traceback import format_exc
from typing import Any, Final

from isolation_fast import Budget, IsolationError
from isolation_fast.jail import Fault, Limits, shared_pool
from isolation_fast.numbers import Nan
from isolation_fast.process import (
    Channel,
    Child,
    Frame,
    Kind,
    Python,
    end_with_the_parent,
    out_of_the_way,
    program_of,
)
from isolation_fast.tournament import budget_text
from isolation_grader.conforming import conformance
from isolation_grader.exceptions import LessSandboxError, UsageError
from isolation_grader.grading import grade_by, not_begun
from isolation_grader.options import GradingOptions, Question, checked_budget, seed_of_tests
from isolation_grader.report import GradingTimings, Problem, Report
from isolation_grader.showing import Repeat, shown
from isolation_grader.showing.conformance import text as in_words
from isolation_grader.showing.forms import without_secrets
from isolation_grader.showing.wording import causes, one_line, summary

PROGRAM: Final = program_of("isolation_grader.classes.jobs")
MOST_BYTES: Final = 2**32 - 1
"""Of a job or an outcome: a report holds hundreds of games."""
GRACE: Final = 120.0
"""Seconds after `--total-wall` in which a grading looks into lost games and writes its reports."""
CLASS_WALL: Final = 900.0
"""Seconds for one submission. Most take half a minute."""
TRIES: Final = 2
"""The system may have ended the process, as where memory is short."""
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
    question: Question = Question()  # noqa: RUF009 - it is frozen
    players: bool = False
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen
    nan: Nan = "course"
    exact: bool = False
    total_wall: float = CLASS_WALL
    """Seconds for one submission, after which its grading ends with what is known."""
    conformance: bool = False
    """Whether the course's own tests are run too, for a rubric with a part of that name."""
    sandbox_required: bool = False
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


def grade_apart(job: Job, interrupted: Callable[[], bool] | None = None) -> Outcome:
    """Grade a submission in a fresh process, and be back after its time in any case."""
    for left in reversed(range(TRIES)):
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
        python = Python(PROGRAM, environment=kept)
        with Child(python, keeps_output=True, most_bytes=MOST_BYTES) as child:
            try:
                limit = job.options.total_wall + GRACE
                content = pickle.dumps((tuple(sys.path), job))
                asked = child.ask(Kind.PLAY, content, Kind.REPORTED, inf, limit, interrupted)
                return _outcome_of(asked.frame.content)
            except Fault as fault:
                said = child.output.last_line
                why = f"its process ended: {fault.detail}{f': {said}' if said else ''}"
                if fault.by_clock or not left:
                    return _outcome(job, _without_file(job, _ours(why)), perf_counter(), has_failed=True)
    raise AssertionError  # the last try returns


def main(requests: int, answers: int) -> None:
    """Grade the submission of the job that comes. The process ends here."""
    channel = Channel(*out_of_the_way(requests, answers), MOST_BYTES)
    frame = channel.receive(Kind.PLAY)
    if frame is None:  # the parent is gone
        os._exit(1)
    sys.path[:], job = pickle.loads(frame.content)
    end_with_the_parent(channel.requests)
    try:
        report: dict[str, Any] = {"outcome": asdict(graded(job))}
    except LessSandboxError as error:
        report = {"less": str(error)}
    # Its end would be waited for.
    shared_pool().close()
    channel.send(Frame(Kind.REPORTED, frame.number, json.dumps(report).encode()))
    os._exit(0)


def _outcome_of(content: bytes) -> Outcome:
    report = json.loads(content)
    if "less" in report:
        raise LessSandboxError(report["less"])
    return Outcome(**report["outcome"])


def graded(job: Job) -> Outcome:
    """Grade a submission in this process. Whatever happens, there is a report."""
    began = perf_counter()
    if job.file is None:
        assert job.problem is not None
        return _outcome(job, _without_file(job, job.problem), began)
    try:
        report = grade_by(job.options, job.file, job.name, sandbox_required=job.sandbox_required)
    except LessSandboxError:
        raise
    except UsageError as error:
        # Of what all are asked, this one has not everything, such as a heuristic of that name.
        report = _without_file(job, Problem("not loaded", str(error), error.hint or OUTSIDE))
    except OURS as error:
        problem = _ours(f"{type(error).__name__}: {error}")
        outcome = _outcome(job, _without_file(job, problem), began, has_failed=True)
        outcome.staff["txt"] += f"\n{format_exc()}"
        return outcome
    outcome = _outcome(job, report, began)
    if job.conformance:
        outcome.staff.update(_conformance(job, job.options.total_wall - (perf_counter() - began)))
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
    document = json.dumps(found.to_dict(), separators=(",", ":")) + "\n"
    return {"tests.json": document, "tests.txt": in_words(found)}


def _ours(reason: str) -> Problem:
    return Problem(FAILED, reason, OUTSIDE)


def _without_file(job: Job, problem: Problem) -> Report:
    report = not_begun(job.options, job.file or Path(job.name), job.name, problem)
    return replace(report, digest=job.digest)


def _outcome(job: Job, report: Report, began: float, *, has_failed: bool = False) -> Outcome:
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
        {"json": _compact(shown(report, "json")), **staff},
        {form: shown(hidden, form) for form in ("json", "html")},
        {**timings, "seconds": perf_counter() - began, "cpu_seconds": process_time()},
    )


def _in_a_line(report: Report) -> str:
    if report.problem is not None:
        return one_line(report.problem.reason)
    found = summary(report) if report.verdict != "not graded" else next(causes(report), summary(report))
    return found if len(found) <= MOST_KNOWN else f"{found[:MOST_KNOWN]}..."


def _compact(document: str) -> str:
    """The same document without spaces: with its lost games it would have megabytes."""
    return json.dumps(json.loads(document), separators=(",", ":")) + "\n"
