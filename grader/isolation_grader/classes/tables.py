"""The tables of a class: `grades.csv` with all that is known, and what Canvas and Gradescope take."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from isolation_fast.output import visible
from isolation_grader.classes.facts import ClassFacts, Facts
from isolation_grader.classes.marks import Marks, Rubric, places_in_words
from isolation_grader.classes.people import Student
from isolation_grader.report import STATUS, Verdict

Value: TypeAlias = str | int | float | None

WHO: Final = ("name", "email", "sid", "login", "number", "section")
MEASURED: Final = ("heuristic", "difference", "low", "high", "won", "cost", "thrown")
NOTHING_HANDED_IN: Final = "no submission"
CANVAS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
GRADESCOPE: Final = ("First Name", "Last Name", "SID", "Email", "Total Score", "Max Points", "Status")
CANVAS_FILE: Final = re.compile(r".+?_\d+_\d+_")
"""What the name of a file of Canvas's begins with: the student, and the numbers of student and file."""
FORMULA: Final = re.compile(
    "(?:^|[,;|\t])[\\s\"']*[-=+@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]"
)
"""What a spreadsheet computes: at the beginning of a cell, and after each mark at which it may split one."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A graded class and its marks."""

    facts: ClassFacts
    rubric: Rubric
    places: Mapping[str, int]
    marks: Mapping[str, Marks]

    @classmethod
    def of(cls, facts: ClassFacts, rubric: Rubric) -> Marked:
        """The marks of all submissions."""
        places = rubric.places(facts.submissions)
        marks = {each.key: rubric.marks(each, places.get(each.key)) for each in facts.submissions}
        return cls(facts, rubric, places, marks)

    @property
    def by_verdict(self) -> dict[Verdict, list[Facts]]:
        """The submissions of each verdict, the best first."""
        return {
            verdict: [each for each in self.facts.submissions if each.verdict == verdict]
            for verdict in STATUS
        }


def part_columns(rubric: Rubric) -> list[str]:
    """The headings of its parts in `grades.csv`."""
    return [f"points: {each.label}" for each in rubric.parts]


def grades(marked: Marked) -> str:
    """A row for each student: of a group one each, and one for who has handed in nothing."""
    headings = ["key", *WHO, "submission", "late", "verdict", *MEASURED, "place", "equal"]
    headings += [*part_columns(marked.rubric), "total", "most", "open", "why", "report"]
    return csv_text([headings, *_grades(marked)])


def _grades(marked: Marked) -> Iterator[list[Value]]:
    nothing: list[Value] = [None] * (len(MEASURED) + 2 + len(marked.rubric.parts) + 1)
    for facts in marked.facts.submissions:
        marks = marked.marks[facts.key]
        points = [each.points for each in marks.parts]
        for student in facts.students:
            yield [
                *(facts.key, *_who(student), facts.entry, "late" if facts.is_late else None),
                *(facts.verdict, *_measured(facts)),
                *(marked.places.get(facts.key), facts.equal and places_in_words(facts.equal)),
                *(*points, marks.total, marks.most),
                *("open" if marks.is_open else None, facts.not_graded_since or None),
                f"staff/{facts.key}.html",
            ]
    for student in marked.facts.missing:
        yield [
            *(None, *_who(student), None, None, NOTHING_HANDED_IN),
            *(*nothing, marked.rubric.most, None, None, None),
        ]


def _who(student: Student) -> list[Value]:
    return [getattr(student, each) or None for each in WHO]


def _measured(facts: Facts) -> list[Value]:
    best = facts.best
    if best is None or best.difference is None:
        return [None] * len(MEASURED)
    value, interval = best.difference.value, best.difference.interval
    points = [round(100 * each, 2) for each in (value, interval.low, interval.high)]
    won = None if best.rate is None else round(100 * best.rate, 2)
    cost = None if best.cost is None else round(best.cost, 4)
    return [best.name, *points, won, cost, best.thrown]


def canvas(marked: Marked, assignment: str | None = None) -> str:
    """What Canvas's gradebook imports; who has no mark yet is left out, so that nothing is overwritten."""
    rows: list[list[Value]] = [
        [*CANVAS, assignment or marked.rubric.title],
        ["    Points Possible", None, None, None, None, marked.rubric.most],
    ]
    for student, marks, _ in _decided(marked):
        who = (student.number, student.sid, student.login, student.section)
        rows.append([student.name, *(each or None for each in who), marks.total])
    return csv_text(rows)


def canvas_reports(marked: Marked, pages: Callable[[str], bytes]) -> bytes | None:
    """A zip that Canvas takes under *Upload submissions*: each student's page, as a comment on their file.

    It goes by the numbers in the names of the files that it had given. None for another layout.
    """
    named = [(CANVAS_FILE.match(each.entry), each) for each in marked.facts.submissions]
    if marked.facts.layout != "canvas" or not any(found for found, _ in named):
        return None
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for found, facts in named:
            if found is not None:
                # With a time of its own it would have other bytes each time.
                info = zipfile.ZipInfo(f"{found[0]}report.html")
                archive.writestr(info, pages(facts.key), zipfile.ZIP_DEFLATED)
    return held.getvalue()


def gradescope(marked: Marked) -> str:
    """As Gradescope writes its own grades, with their names of columns."""
    rows: list[list[Value]] = [list(GRADESCOPE)]
    for student, marks, _ in _decided(marked):
        who = (*student.split_name, student.sid, student.email)
        rows.append([*(each or None for each in who), marks.total, marks.most, "Graded"])
    for student in marked.facts.missing:
        who = (*student.split_name, student.sid, student.email)
        rows.append([*(each or None for each in who), None, marked.rubric.most, "Missing"])
    return csv_text(rows)


def _decided(marked: Marked) -> Iterator[tuple[Student, Marks, Facts]]:
    for facts in marked.facts.submissions:
        marks = marked.marks[facts.key]
        if not marks.is_open:
            yield from ((student, marks, facts) for student in facts.students)


def csv_text(rows: Sequence[Sequence[Value]]) -> str:
    """Rows as CSV, in which no text of a student's is a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([_cell(each) for each in row] for row in rows)
    return buffer.getvalue()


def _cell(value: Value) -> Value:
    """A value as a spreadsheet may have it: no text of a student's is a formula."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if not isinstance(value, str):
        return value
    text = visible(value).replace("\n", " ")
    return FORMULA.sub(lambda found: f"{found[0][:-1]}'{found[0][-1]}", text)
