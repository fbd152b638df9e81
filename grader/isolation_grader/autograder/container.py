"""What runs in the container of an autograder: it grades one submission, and results.json is always valid.

Usage: python -m isolation_grader.autograder.container ROOT [--since SECONDS] [--prairielearn SOURCE]

ROOT is /autograder: `source` is the unpacked zip, `submission` what a student has handed in, `results` what
Gradescope reads. PrairieLearn's is /grade, with `student` and `results`, and the zip is unpacked elsewhere.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from isolation_fast.jail import OnDisk, take_in
from isolation_fast.output import write_whole
from isolation_fast.submission import NotCopiedError
from isolation_grader.autograder.bundle import RUBRIC, SETTINGS, Settings, results
from isolation_grader.classes.facts import Tests, facts_of
from isolation_grader.classes.finding import RefusedError, agent_in
from isolation_grader.classes.marks import Conformance as ConformancePart
from isolation_grader.classes.marks import Given, Rubric
from isolation_grader.classes.rubric import read_rubric
from isolation_grader.conforming import Conformance, conformance
from isolation_grader.exceptions import GraderError
from isolation_grader.grading import grade
from isolation_grader.options import seed_of_tests
from isolation_grader.report import Report
from isolation_grader.showing.forms import shown

RESERVE: Final = 10.0
"""Seconds to end and to write the results, on half a core."""
SHORTEST: Final = 5.0
OURS: Final = "The grader failed, which is no fault of the submission. Tell the staff: its output says why."


def main() -> int:
    """Grade; 0 where results were written, whatever they say."""
    parser = argparse.ArgumentParser(prog="python -m isolation_grader.autograder.container")
    parser.add_argument("root", type=Path, help="the folder /autograder")
    since = "when run_autograder began, in seconds since 1970 (default: now)"
    parser.add_argument("--since", type=float, default=time.time(), help=since)
    prairielearn = "ROOT is PrairieLearn's /grade, and the zip is unpacked here"
    parser.add_argument("--prairielearn", type=Path, metavar="SOURCE", help=prairielearn)
    options = parser.parse_args()
    root, file = options.root, options.root / "results" / "results.json"
    to_learn = options.prairielearn is not None
    places = Places(root / "student", options.prairielearn) if to_learn else Places.of(root)

    def write(found: dict[str, Any]) -> None:
        shaped = for_prairielearn(found) if to_learn else found
        write_whole(file, json.dumps(shaped, indent=2, allow_nan=False))

    grade_into(places, options.since, write)
    return 0


class Places(NamedTuple):
    """Where things are in a container."""

    submission: Path
    source: Path
    metadata: Path | None = None

    @classmethod
    def of(cls, root: Path) -> Places:
        """Those of Gradescope."""
        return cls(root / "submission", root / "source", root / "submission_metadata.json")


def grade_into(places: Places, since: float, write: Callable[[dict[str, Any]], object]) -> None:
    """Grade the submission, and give each state of its results to `write`; nothing is raised."""
    try:
        _grade(places, since, write)
    except (RefusedError, NotCopiedError) as error:
        write(results(f"There is nothing to grade: {error}"))
    except Exception as error:  # noqa: BLE001 - staff reads what it was, and the student that it is ours
        traceback.print_exc()
        told = f"It cannot be graded: {error}" if isinstance(error, GraderError) else OURS
        write(results(told))


def _grade(places: Places, since: float, write: Callable[[dict[str, Any]], object]) -> None:
    source = places.source
    settings = Settings.of(json.loads((source / SETTINGS).read_text("utf-8")))
    rubric = read_rubric(source / RUBRIC) if (source / RUBRIC).exists() else None
    with TemporaryDirectory(prefix="isolation-autograder-") as own:
        tree = take_in([("", OnDisk(places.submission))], Path(own) / "submission")
        _grade_file(agent_in(tree), settings, rubric, places, since, write)


def _grade_file(
    submission: Path,
    settings: Settings,
    rubric: Rubric | None,
    places: Places,
    since: float,
    write: Callable[[dict[str, Any]], object],
) -> None:
    until = since + settings.time_limit - RESERVE
    tested: Conformance | None = None
    if rubric is not None and any(isinstance(each, ConformancePart) for each in rubric.parts):
        # First, since they take a known time and games take what is left.
        share = max(SHORTEST, (until - time.time()) / 2)
        tested = conformance(submission, seed=seed_of_tests(settings.seed), total_wall=share)
    with TemporaryDirectory(prefix="isolation-autograder-") as store:
        report = grade(
            submission,
            members=settings.heuristics,
            roster=settings.opponents,
            seed=settings.seed,
            budget=settings.budget,
            question=settings.question,
            workers=settings.workers,
            store=store,
            total_wall=max(SHORTEST, until - time.time()),
            name=_name(places.metadata) or submission.name,
            on_partial=lambda so_far: write(document(so_far, rubric, tested)),
        )
    write(document(report, rubric, tested))
    # Gradescope shows it to staff alone.
    sys.stdout.write(shown(report, "simple"))


def document(report: Report, rubric: Rubric | None, tested: Conformance | None = None) -> dict[str, Any]:
    """The results of a report, without what the openings could be had from; with the marks of a rubric.

    `tested` are the course's own tests, where the rubric gives points for them.
    """
    found: dict[str, Any] = json.loads(shown(report, "gradescope", secret=True))
    # Gradescope takes whatever is in it.
    found["extra_data"]["most"] = 1.0 if rubric is None else rubric.most
    if rubric is None:
        return found
    facts = facts_of(json.loads(shown(report, "json")), report.submission, report.file, ())
    if facts.verdict == "undecided" and not report.went_to_its_end:
        # A limit of time earns nobody points.
        facts = replace(facts, verdict="not graded")
    if tested is not None:
        facts = replace(facts, tests=Tests({each.name: each.outcome for each in tested.tests}))
    marks = rubric.marks(facts, None)
    informational = [
        {name: each[name] for name in each if name not in ("score", "max_score")} for each in found["tests"]
    ]
    return {**found, "score": marks.decided, "tests": [*map(_test, marks.parts), *informational]}


def _test(part: Given) -> dict[str, Any]:
    """A part of the rubric as a test; one that a person has to decide on has no points yet."""
    visibility = "visible" if part.is_visible else "hidden"
    formats = {"name_format": "text", "output_format": "text", "visibility": visibility}
    told = {"name": part.label, "output": part.why, **formats}
    if part.points is None:
        return {**told, "status": "failed", "output": f"{part.why}. Open: a person decides."}
    status = "passed" if part.points >= part.most else "failed"
    # What is a bonus counts above the sum of the others.
    return {**told, "status": status, "score": part.points, "max_score": 0.0 if part.is_bonus else part.most}


def for_prairielearn(found: dict[str, Any]) -> dict[str, Any]:
    """The same results as PrairieLearn reads them; what could not be graded costs no attempt.

    >>> test = {"name": "verdict", "output": "better", "score": 90.0, "visibility": "visible"}
    >>> found = {"score": 90.0, "output": "", "tests": [test], "extra_data": {"most": 100.0}}
    >>> shaped = for_prairielearn(found)
    >>> shaped["gradable"], shaped["score"]
    (True, 0.9)
    """
    tests = [
        {
            "name": each["name"],
            "output": each["output"],
            "points": each.get("score", 0.0),
            "max_points": each.get("max_score", 0.0),
        }
        for each in found["tests"]
        if each["visibility"] != "hidden"
    ]
    told = {"message": found["output"], "tests": tests}
    if not any("score" in each for each in found["tests"]):
        return {**told, "gradable": False, "format_errors": [found["output"]]}
    return {**told, "gradable": True, "score": min(1.0, found["score"] / found["extra_data"]["most"])}


def _name(metadata: Path | None) -> str | None:
    """The names of those who handed it in, as Gradescope's metadata say."""
    try:
        if metadata is None:
            return None
        users = json.loads(metadata.read_text("utf-8"))["users"]
        return ", ".join(str(each["name"]) for each in users) or None
    except (OSError, ValueError, KeyError, TypeError):
        return None


if __name__ == "__main__":
    sys.exit(main())
