"""Grading a class: whose turn it is, where it is graded, what is kept, and going on after any interruption.

```text
 RESULTS/
   index.html  grades.csv  canvas.csv  gradescope.csv    for staff: all of the class; canvas-reports.zip
   staff/KEY.html  .json  .txt                           for staff: seed, games, what was printed; HTML: marks
   students/KEY.html  .json                              for the student: none of that
   state/journal.jsonl                                   what is finished, and what was asked of all
   state/given.json  class.json                          what was given, and each student's submission
   state/baselines  state/pages  state/unpacked
```

A line of the journal is written once the files that it names are there. What it does not name is graded
again when the class is resumed.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from isolation_fast import JournalError, __version__
from isolation_fast.jail import available, remove_folder
from isolation_fast.numbers import integer
from isolation_fast.output import LineFile
from isolation_fast.tournament import (
    available_processors,
    budget_text,
    executor_of,
    played_by,
    played_here,
)
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.classes import summary, tables
from isolation_grader.classes.apart import end_waiting, grade_apart
from isolation_grader.classes.facts import read_facts
from isolation_grader.classes.finding import Found, FoundClass, find
from isolation_grader.classes.jobs import Asked, Job, Outcome
from isolation_grader.classes.remembered import (
    SCHEMA,
    Earlier,
    Given,
    earlier,
    read_given,
    renamed,
    require_all,
    require_same,
    seed_of,
)
from isolation_grader.classes.rubric import default_rubric, require_opponents
from isolation_grader.classes.tables import Marked
from isolation_grader.exceptions import LessSandboxError, UsageError
from isolation_grader.options import (
    SEED_BITS,
    write_whole,
)

STATE: Final = "state"
RESUMES: Final = "--resume goes on with it; for another grading name another folder"


@dataclass(frozen=True, slots=True)
class Step:
    """How far a class is, after one more submission was begun or graded."""

    done: int
    of: int
    running: int
    failed: int
    """How many could not be graded so far."""
    last: Outcome | None
    """None where one was begun."""


class ClassRun:
    """One run of a class, which can be asked what it has found. It closes its journal at the end of a `with`.

    Its files are the same for any workers, executor and interruption, where nothing is timed.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        out: str | os.PathLike[str],
        asked: Asked | None = None,
        given: Given | None = None,
        *,
        seed: int | None = None,
        workers: int | None = None,
        executor: Any = None,
        resume: bool = False,
        remove_missing: bool = False,
    ) -> None:
        self.asked, self.out = asked or Asked(), Path(out)
        self._workers = None if workers is None else integer("workers", workers, 1, error=UsageError)
        self._executor = executor
        _require_apart(Path(folder), self.out)
        require_sandbox(required=self.asked.sandbox_required)
        state = self.out / STATE
        journal = state / "journal.jsonl"
        self.seed = _seed(seed, seed_of(journal) if resume else None)
        self.options = self.asked.options(self.seed, state)
        is_new = not self.out.exists()
        try:
            state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the results cannot be written: {self.out}: {error.strerror}") from error
        with ExitStack() as opened:
            # Of two runs at once one would unpack what the other reads.
            opened.enter_context(_locked(state / "lock"))
            if not resume and journal.exists():
                raise UsageError(f"there is a graded class already: {self.out}", RESUMES)
            with _no_trace_of_a_failure(self.out, is_new=is_new):
                before, given = read_given(state / "given.json") if resume else Given(), given or Given()
                # To be told to the user: what was not given, and which keys are others than the last time.
                self.taken = tuple(given.taken_from(before))
                self.given = given.completed(before)
                if self.given.rubric:
                    require_opponents(self.given.rubric, self.asked.roster)
                if self.given.rubric and self.asked.value_work is None:
                    self.asked = replace(self.asked, value_work=self.given.rubric.value_work)
                    self.options = self.asked.options(self.seed, state)
                if self.given.needs_tests:
                    self.asked = replace(self.asked, conformance=True)
                known = self._found(opened, Path(folder), remove_missing=remove_missing)
            self._files = opened.pop_all()
        self.renamed = renamed(known, self.found.found)
        self._write("state/given.json", self.given.written())
        self._write("state/class.json", _document(self.found, self.out))

    def _found(self, opened: ExitStack, folder: Path, *, remove_missing: bool) -> tuple[Earlier, ...]:
        """Find the submissions and open the journal; gives those that were finished before."""
        with _taken_anew(self._state("unpacked")) as unpacked:
            self.found: FoundClass = find(
                folder, unpacked, self.given.roster, self.given.layout, self.given.shared
            )
            header = {"schema": SCHEMA, "version": __version__, "asked": self.asked.described(self.options)}
            requires = partial(require_same, header)
            self._journal = opened.enter_context(
                _journal(self._state("journal.jsonl"), header=header, require=requires, resume=True)
            )
            self._finished = {each["key"]: each for each in self._lines()}
            graded = {key: each["digest"] for key, each in self._finished.items() if not each["failed"]}
            known = earlier(self._state("class.json"), graded)
            if not remove_missing:
                require_all(known, self.found.found, folder)
            return known

    def __enter__(self) -> ClassRun:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._files.close()

    @property
    def waiting(self) -> tuple[Found, ...]:
        """The submissions that are still to be graded."""
        return tuple(each for each in self.found.found if not self._is_finished(each))

    def grade(self, progress: Callable[[Step], object] | None = None) -> None:
        """Grade what is waiting. Ctrl-C raises a KeyboardInterrupt; what is finished is kept."""
        waiting, tell = self.waiting, progress or (lambda _: None)
        done = before = len(self.found.found) - len(waiting)
        handed = 0
        failed = sum(each["verdict"] == "not graded" for each in self._finished.values())
        workers = self._workers or available_processors()

        def jobs() -> Iterator[Job]:
            nonlocal handed
            for each in waiting:
                handed += 1
                tell(step())
                yield self._job(each)

        def step(last: Outcome | None = None) -> Step:
            running = min(handed - (done - before), workers)
            return Step(done, len(self.found.found), running, failed, last)

        tell(step())
        if any(each.file is not None for each in waiting):
            # Once for all, with every core; the gradings find it in the store.
            blocks = self.asked.question.terms("timed").blocks
            asked = BaselineAsked(self.asked.roster, self.options.budget, blocks)
            baseline(asked, self.options.store, workers=workers)
        try:
            for outcome in self._outcomes(jobs(), workers):
                self._keep(outcome)
                done += 1
                failed += outcome.verdict == "not graded"
                tell(step(outcome))
        finally:
            end_waiting()

    def write(self) -> Marked:
        """Mark what is graded, and write the tables, the page about all, and what each student may have."""
        rubric = self.given.rubric or default_rubric()
        marked = Marked.of(read_facts(self.out), rubric)
        self._write("state/rubric.toml", rubric.text)
        self._write("grades.csv", tables.grades(marked))
        self._write("canvas.csv", tables.canvas(marked, self.given.column))
        self._write("gradescope.csv", tables.gradescope(marked))
        asked, budget = self.asked, budget_text(self.options.budget)
        settings = summary.Settings(self.seed, budget, asked.roster, asked.question.points)
        self._write("index.html", summary.page(marked, settings))
        for key, marks in marked.marks.items():
            # As bytes, since a line may end as no text file's does.
            staff = summary.without_marks((self.out / "staff" / f"{key}.html").read_bytes().decode())
            self._write(f"staff/{key}.html", summary.with_marks(staff, marks))
            page = self._state("pages", f"{key}.html").read_text("utf-8")
            self._write(f"students/{key}.html", summary.with_marks(page, marks.shown()))
            report = json.loads(self._state("pages", f"{key}.json").read_text("utf-8"))
            document = {**report, "marks": marks.shown().to_dict()}
            self._write(f"students/{key}.json", json.dumps(document, indent=2) + "\n")
        given_back = tables.canvas_reports(
            marked, lambda key: (self.out / "students" / f"{key}.html").read_bytes()
        )
        if given_back is not None:
            self._write("canvas-reports.zip", given_back)
        self._forget_others(set(marked.marks))
        return marked

    def _forget_others(self, keys: set[str]) -> None:
        """Remove the reports on what an earlier run found and this one did not."""
        for folder in ("staff", "students", "state/pages"):
            for path in (self.out / folder).glob("*.*"):
                if path.name.partition(".")[0] not in keys and path.suffix in (".html", ".json", ".txt"):
                    path.unlink()

    def timings(self) -> dict[str, Any]:
        """The times of each submission that is finished; another run has others."""
        return {key: each["timings"] for key, each in sorted(self._finished.items())}

    def _outcomes(self, jobs: Iterator[Job], workers: int) -> Iterator[Outcome]:
        if self._executor is None:
            return played_here(jobs, workers, grade_apart)
        executor, at_a_time = executor_of(self._executor)
        return played_by(executor, jobs, self._workers or at_a_time, grade_apart)

    def _job(self, found: Found) -> Job:
        options = replace(self.options, store=self.options.store.absolute())
        if self.asked.keep_games:
            # What an interruption left of it is gone on from.
            options = replace(options, journal=options.store / "games" / found.key, resume=True)
        return Job(
            key=found.key,
            name=found.name,
            file=None if found.file is None else found.file.absolute(),
            digest=found.digest,
            problem=found.problem,
            options=options,
            shown="" if found.named is None else str(found.named),
            words=self.asked.words,
            conformance=self.asked.conformance,
            sandbox_required=self.asked.sandbox_required,
        )

    def _keep(self, outcome: Outcome) -> None:
        """Write the reports, then the line of the journal that says so."""
        texts = {f"staff/{outcome.key}.{ending}": text for ending, text in outcome.staff.items()}
        texts |= {f"state/pages/{outcome.key}.{ending}": text for ending, text in outcome.student.items()}
        for name, text in texts.items():
            self._write(name, text)
        line = {
            "key": outcome.key,
            "digest": outcome.digest,
            "verdict": outcome.verdict,
            "failed": outcome.has_failed,
            "files": {name: _digest(text.encode()) for name, text in texts.items()},
            "timings": outcome.timings,
        }
        self._journal.add(line)
        self._finished[outcome.key] = line

    def _is_finished(self, found: Found) -> bool:
        line = self._finished.get(found.key)
        if line is None or line["failed"] or line["digest"] != found.digest:
            return False
        return all(self._has(name, digest) for name, digest in line["files"].items())

    def _has(self, name: str, digest: str) -> bool:
        try:
            content = (self.out / name).read_bytes()
        except OSError:
            return False
        if name.endswith(".html"):
            # Marks depend on the rubric and on others, and are no part of what was graded.
            content = summary.without_marks(content.decode("utf-8", "replace")).encode()
        return _digest(content) == digest

    def _lines(self) -> Iterator[dict[str, Any]]:
        for number, line in self._journal.lines():
            try:
                content = json.loads(line)
                if set(content) != {"key", "digest", "verdict", "failed", "files", "timings"}:
                    raise ValueError("it is of another form")
            except (ValueError, TypeError, RecursionError) as error:
                where = f"line {number} of {self._journal.path}"
                raise UsageError(f"{where} is none of a class: {error}", "name another folder") from error
            yield content

    def _state(self, *names: str) -> Path:
        return self.out.joinpath(STATE, *names)

    def _write(self, name: str, text: str | bytes) -> None:
        write_whole(self.out / name, text)


def _journal(path: Path, **settings: Any) -> LineFile:
    try:
        return LineFile(path, **settings)
    except JournalError as error:
        raise UsageError(str(error), RESUMES) from error


def _locked(path: Path) -> LineFile:
    try:
        return LineFile(path, resume=True)
    except JournalError as error:
        raise UsageError(f"another run grades this class: {error}", "wait for its end") from error


@contextmanager
def _no_trace_of_a_failure(out: Path, *, is_new: bool) -> Iterator[None]:
    """Remove the folders of a class that has not begun: the next one would find results there."""
    try:
        yield
    except BaseException:
        state = out / STATE
        if not (state / "journal.jsonl").exists():
            (state / "lock").unlink(missing_ok=True)
            with suppress(OSError):  # something else is there
                state.rmdir()
                if is_new:
                    out.rmdir()
        raise


@contextmanager
def _taken_anew(place: Path) -> Iterator[Path]:
    """A place for the files of submissions. Those of before are back if the block ends with an error."""
    before = place.with_name(f"{place.name}.before")
    remove_folder(before)
    if before.is_symlink() or before.is_file():  # of somebody who moved the files elsewhere
        before.unlink()
    if place.exists():
        place.rename(before)
    try:
        yield place
    except BaseException:
        remove_folder(place)
        if before.exists():
            before.rename(place)
        raise
    remove_folder(before)


def _seed(given: int | None, before: int | None) -> int:
    """The seed that is given, that of the last time, or one that is drawn."""
    if given is not None:
        return integer("seed", given, 0, error=UsageError)
    return secrets.randbits(SEED_BITS) if before is None else before


def _require_apart(folder: Path, out: Path) -> None:
    """Refuse results among the submissions, which a submission could read, and the next run would grade."""
    place, within = Path(os.path.realpath(out)), Path(os.path.realpath(folder))
    if place.is_relative_to(within):
        raise UsageError(f"{out} lies in the folder of the submissions", "name a folder beside it: --out")
    if out.exists() and not out.is_dir():
        raise UsageError(f"the results go to a folder, and {out} is none")


def require_sandbox(*, required: bool) -> None:
    """A `LessSandboxError` where all of the jail is required, and this system has less."""
    level = available()
    if required and level.name != "full":
        raise LessSandboxError(
            f"the sandbox of this system is {level.name!r}, and --require-sandbox asks for 'full'"
        )


def _document(found: FoundClass, out: Path) -> str:
    content = {
        "schema": SCHEMA,
        "layout": found.layout,
        "submissions": [
            {
                "key": each.key,
                "entry": each.entry,
                # As seen from the results, so that both may be moved together.
                "file": None if each.file is None else os.path.relpath(each.file, out),
                "students": [student.known for student in each.students],
                "late": each.is_late,
            }
            for each in found.found
        ],
        "left": [list(each) for each in found.left],
        "missing": [each.known for each in found.missing],
    }
    return json.dumps(content, indent=1) + "\n"


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
