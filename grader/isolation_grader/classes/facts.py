"""What is known of each submission of a graded class, as marks, tables and the page take it.

It is read from the reports for staff, one after another: together they are large.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from isolation_fast.statistics import Difference, Interval
from isolation_grader.classes.jobs import FAILED
from isolation_grader.classes.people import Student, told_apart
from isolation_grader.exceptions import UsageError
from isolation_grader.report import SCHEMA, Verdict

CUT: Final = "its time was over (--total-wall) before its test had decided"
LEADERBOARD: Final = "leaderboard"
"""The folder, in the results of a class, that its leaderboard is written to."""
UNFINISHED: Final = "isolation-grade class FOLDER --out RESULTS --resume goes on with it"
ABSENT: Final = "isolation-grade class FOLDER --out RESULTS grades one"
BAD_NUMBERS: Final = ("bad answer", "raised")
"""Endings of games in which a heuristic gave no number where it was asked for one."""


@dataclass(frozen=True, slots=True)
class Against:
    """What one heuristic won against one opponent."""

    games: int
    rate: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Heuristic:
    """One heuristic, or player, of a submission."""

    name: str
    verdict: Verdict
    cause: str
    """Why it was not graded, in a word or two; empty where it was."""
    problem: str
    """The same in a sentence."""
    rate: float | None
    difference: Difference | None
    """To the baseline; None where it is not known."""
    cost: float | None
    """Of a node, where `improved` is 1."""
    program: str | None
    """SHA-256 of its program, where its work was counted."""
    games: int
    looked_into: int
    """The games of these among which lost ones were looked into."""
    thrown: int
    """Of those, the lost ones in which it had a won position and threw it away."""
    returns_numbers: bool
    """Whether it returned a number, and no NaN, wherever it was asked."""
    opponents: Mapping[str, Against]


@dataclass(frozen=True, slots=True)
class Tests:
    """How the course's own tests went."""

    outcomes: Mapping[str, str]
    """By the name of each test: `passed`, `failed` or `not run`."""

    def called(self, outcome: str) -> list[str]:
        """The tests that ended so."""
        return [name for name, each in self.outcomes.items() if each == outcome]


@dataclass(frozen=True, slots=True)
class Facts:
    """One submission."""

    key: str
    entry: str
    students: tuple[Student, ...]
    verdict: Verdict
    headline: str
    cause: str
    """Of the problem of the whole submission, in a word or two; empty where there is none."""
    problem: str
    heuristics: tuple[Heuristic, ...]
    is_cut: bool
    digest: str
    file: Path | None = None
    """What was graded; None where there was nothing, or an older version has not kept it."""
    tests: Tests | None = None
    """None where they were not asked for."""
    is_late: bool = False
    """Whether the download says so."""
    place: int | None = None
    """On the leaderboard of the class; None where it has none there."""
    equal: tuple[int, int] | None = None
    """The places there from the first to the last that its games do not tell it from."""
    called: str = ""
    """The names of its students, so that it is told apart from others."""

    @property
    def name(self) -> str:
        """The names of its students."""
        return self.called or ", ".join(each.name for each in self.students)

    @property
    def is_loaded(self) -> bool:
        """Whether it was loaded, and has something to grade that is written."""
        return not self.cause and any(each.cause != "template" for each in self.heuristics)

    @property
    def has_failed(self) -> bool:
        """Whether that it is not graded is not its fault."""
        return self.cause == FAILED

    @property
    def best(self) -> Heuristic | None:
        """The heuristic that is furthest above the baseline; None where none has a difference.

        A verdict `better` comes before any other.
        """
        known = [
            (each.verdict == "better", each.difference.value, each)
            for each in self.heuristics
            if each.difference
        ]
        return max(known, key=lambda each: each[:2], default=(False, 0.0, None))[2]

    @property
    def not_graded_since(self) -> str:
        """Why there is no verdict, or none that counts, in a line; empty where there is one."""
        if self.verdict == "undecided" and self.is_cut:
            return CUT
        if self.verdict != "not graded":
            return ""
        causes = [f"{each.name}: {_said(each.cause, each.problem)}" for each in self.heuristics if each.cause]
        return _said(self.cause, self.problem) if self.cause else "; ".join(causes) or self.headline


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """A graded class: its submissions in the order of the download, and who has handed in nothing."""

    layout: str
    submissions: tuple[Facts, ...]
    left: tuple[tuple[str, str], ...]
    missing: tuple[Student, ...]


def _said(cause: str, problem: str) -> str:
    """Both, the cause once."""
    return problem if problem.startswith(f"{cause}: ") else f"{cause}: {problem}"


def read_facts(out: Path) -> ClassFacts:
    """What the results of a class say; a `UsageError` where there are none."""
    try:
        content = json.loads((out / "state" / "class.json").read_text("utf-8"))
        facts = tuple(_submissions(out, content))
        names = told_apart([each.students for each in facts])
        submissions = tuple(replace(each, called=name) for each, name in zip(facts, names, strict=True))
        missing = tuple(Student(**each) for each in content["missing"])
        left = tuple((name, why) for name, why in content["left"])
        return ClassFacts(content["layout"], submissions, left, missing)
    except UsageError:
        raise
    except OSError as error:
        if (out / "state" / "class.json").exists():
            told = f"the class in {out} is not finished: {error.filename} is missing"
            raise UsageError(told, UNFINISHED) from error
        raise UsageError(f"{out} has no graded class: {error.filename}: {error.strerror}", ABSENT) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{out} has no class that this version can read: {error!r}") from error


def _submissions(out: Path, content: dict[str, Any]) -> Iterator[Facts]:
    places = _places(out)
    for each in content["submissions"]:
        report = json.loads((out / "staff" / f"{each['key']}.json").read_text("utf-8"))
        if report["schema"] != SCHEMA:
            raise ValueError(f"its schema is {report['schema']!r}")
        students = tuple(Student(**student) for student in each["students"])
        file = None if each.get("file") is None else out / each["file"]
        facts = facts_of(report, each["key"], each["entry"], students)
        place, equal = places.get((facts.key, facts.digest), (None, None))
        is_late = each.get("late", False)
        yield replace(
            facts, file=file, tests=_tests(out, each["key"]), is_late=is_late, place=place, equal=equal
        )


def _places(out: Path) -> dict[tuple[str, str], tuple[int | None, tuple[int, int] | None]]:
    """The places on the leaderboard, if it was played, by key and content of a submission."""
    path = out / LEADERBOARD / "staff.json"
    try:
        content = json.loads(path.read_text("utf-8"))
        return {(each["key"], each["digest"]): _place(each) for each in content["places"]}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "remove it: isolation-grade leaderboard writes it again, without playing a game again"
        raise UsageError(f"{path} is no leaderboard of this version: {error!r}", hint) from error


def _place(row: dict[str, Any]) -> tuple[int | None, tuple[int, int] | None]:
    return row["place"], None if row["place"] is None else (row["equal_from"], row["equal_to"])


def _tests(out: Path, key: str) -> Tests | None:
    try:
        content = json.loads((out / "staff" / f"{key}.tests.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    return Tests({each["name"]: each["outcome"] for each in content["tests"]})


def facts_of(report: dict[str, Any], key: str, entry: str, students: tuple[Student, ...]) -> Facts:
    """What a report for staff says, as JSON has it."""
    problem = report["problem"] or {"cause": "", "reason": ""}
    return Facts(
        key=key,
        entry=entry,
        students=students,
        verdict=report["verdict"],
        headline=report["headline"],
        cause=problem["cause"],
        problem=problem["reason"],
        heuristics=tuple(map(_heuristic, report["graded"])),
        is_cut=report["cut"],
        digest=report["digest"],
    )


def _heuristic(graded: dict[str, Any]) -> Heuristic:
    grading, problem = graded["grading"], graded["problem"] or {"cause": "", "reason": ""}
    difference = grading["difference"]
    bad = sum(grading["endings"].get(each, 0) for each in BAD_NUMBERS)
    return Heuristic(
        name=graded["name"],
        verdict=graded["verdict"],
        cause=problem["cause"],
        problem=problem["reason"],
        rate=grading["rate"],
        difference=difference
        and Difference(**{**difference, "interval": Interval(**difference["interval"])}),
        cost=None if grading["cost"] is None else grading["cost"]["value"],
        program=graded["program"],
        games=grading["games"],
        looked_into=grading["looked_into"],
        thrown=sum(each["losing"] is not None for each in graded["lost_games"]),
        returns_numbers=bool(grading["games"]) and not bad and not graded["nans"],
        opponents={each["name"]: _against(each) for each in grading["opponents"]},
    )


def _against(score: dict[str, Any]) -> Against:
    interval = score["interval"]
    return Against(score["games"], score["rate"], None if interval is None else Interval(**interval))
