"""Who the students are: what file names and a CSV say of them."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

from isolation_fast.output import visible
from isolation_grader.exceptions import UsageError

MOST_ROSTER: Final = 16 * 2**20
"""Bytes. A roster of ten thousand has one."""

KINDS: Final = ("number", "sid", "email", "login")
"""What names one student, the surest first."""

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "full name", "student", "student name"),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "email": ("email", "email address", "e-mail"),
    "sid": ("sid", "student id", "sis user id", "id number"),
    "login": ("login", "sis login id", "username", "login id", "github_username"),
    "number": ("id", "canvas id", "identifier"),
    "section": ("section", "sections"),
    "file": ("file", "folder", "submission"),
}
"""The headings of a roster, in lower case: those of the rosters of Gradescope, Canvas, Moodle and GitHub."""

GRADEBOOK: Final = {"student", "id"}
"""Headings of a gradebook of Canvas, in lower case, that no other roster has."""
ASSIGNMENT: Final = re.compile(r".+ \(\d+\)")
"""How Canvas heads the column of an assignment."""


@dataclass(frozen=True, slots=True)
class Student:
    """A student, as far as is known.

    >>> Student("Ada Lovelace", sid="12").known
    {'name': 'Ada Lovelace', 'sid': '12'}
    """

    name: str
    email: str = ""
    sid: str = ""
    """The number that the school gives."""
    login: str = ""
    number: str = ""
    """The number that Canvas or Moodle gives, which stands in the names of files."""
    section: str = ""

    @property
    def known(self) -> dict[str, str]:
        """What is not empty."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name))}

    @property
    def split_name(self) -> tuple[str, str]:
        """First name and last name: of `Lovelace, Ada` as of `Ada Lovelace`.

        >>> Student("Lovelace, Ada").split_name, Student("Ada King Lovelace").split_name
        (('Ada', 'Lovelace'), ('Ada King', 'Lovelace'))
        """
        last, comma, first = self.name.partition(",")
        if not comma:
            first, _, last = self.name.rpartition(" ")
        return first.strip(), last.strip()


def told_apart(groups: Sequence[Sequence[Student]]) -> list[str]:
    """The names of each submission's students; the same ones with their numbers, or else counted.

    >>> told_apart([[Student("Li Wei", number="7")], [Student("Li Wei")], [Student("Ada")]])
    ['Li Wei (7)', 'Li Wei (2)', 'Ada']
    """
    names = [", ".join(each.name for each in group) for group in groups]
    many, seen, told = Counter(names), Counter[str](), list[str]()
    for name, group in zip(names, groups, strict=True):
        seen[name] += 1
        numbers = [next(filter(None, (getattr(each, kind) for kind in KINDS)), "") for each in group]
        number = ", ".join(filter(None, numbers)) or str(seen[name])
        told.append(name if many[name] == 1 else f"{name} ({number})")
    return told


@dataclass(frozen=True, slots=True)
class Row:
    """A student of the roster, and the file or folder of theirs, if it says so."""

    student: Student
    file: str = ""


class Roster:
    """The students of a CSV, to be found by whatever a file name says of them.

    >>> roster = Roster([Row(Student("Ada Lovelace", "ada@example.org", "12", login="ada"))])
    >>> roster.completed(Student("ada")).email, roster.completed(Student("Eve")).email
    ('ada@example.org', '')
    >>> [each.name for each in roster.unseen([Student("Eve")])]
    ['Ada Lovelace']
    """

    def __init__(
        self, rows: Sequence[Row], text: str = "", name: str = "", assignments: Sequence[str] = ()
    ) -> None:
        self._rows = tuple(rows)
        self.text, self.name = text, name
        """The CSV, and what its file is called."""
        self.assignments = tuple(assignments)
        """The headings of assignments, of a gradebook of Canvas."""
        self._by: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            for key in set(_keys(row)):
                self._by.setdefault(key, []).append(row)

    @property
    def students(self) -> tuple[Student, ...]:
        """All of them."""
        return tuple(each.student for each in self._rows)

    def completed(self, student: Student, file: str = "") -> Student:
        """A student of whom a file name says something, with what the roster says.

        What could mean two of them means none.
        """
        said = [("file", file), *((kind, getattr(student, kind)) for kind in KINDS), ("any", student.name)]
        for kind, word in said:
            found = self._by.get((kind, _plain(word)), []) if word else []
            if len(found) == 1:
                return replace(student, **found[0].student.known)
        return student

    def unseen(self, seen: Sequence[Student]) -> tuple[Student, ...]:
        """The students of the roster who are not among these."""
        return tuple(each for each in self.students if each not in seen)


def _keys(row: Row) -> Iterator[tuple[str, str]]:
    """The words by which a student is found, with what they are; `any` for what may be any."""
    student = row.student
    first, last = student.split_name
    names = (student.name, f"{first}{last}", f"{last}{first}", student.email.partition("@")[0])
    for kind in KINDS:
        yield kind, _plain(getattr(student, kind))
    for word in (*names, student.email, student.login, student.sid, row.file):
        yield "any", _plain(word)
    for word in (row.file, Path(row.file).stem):
        yield "file", _plain(word)


def read_roster(path: Path) -> Roster:
    """The roster in a CSV file; a `UsageError` says what is wrong with it."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_ROSTER + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise UsageError(f"the roster cannot be read: {path}: {why}") from error
    if len(content) > MOST_ROSTER:
        raise UsageError(f"the roster has more than {MOST_ROSTER // 2**20} MiB: {path}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Spreadsheets of some systems write no other, and every byte means something in it.
        text = content.decode("cp1252", "replace")
    return roster_of(text, path.name)


def roster_of(text: str, name: str) -> Roster:
    """The roster in the text of a CSV of that name."""
    lines = text.splitlines()
    # Some spreadsheets separate by what their country does not write in numbers.
    separator = max(",;\t", key=(lines[0] if lines else "").count)
    try:
        headings, *cells = list(csv.reader(lines, delimiter=separator)) or [[]]
        return Roster(list(_rows(headings, cells, name)), text, name, _assignments(headings))
    except csv.Error as error:
        raise UsageError(f"the roster is no CSV: {name}: {error}") from error


def _assignments(headings: Sequence[str]) -> list[str]:
    if not {each.strip().lower() for each in headings} >= GRADEBOOK:
        return []
    return [each.strip() for each in headings if ASSIGNMENT.fullmatch(each.strip())]


def _rows(headings: Sequence[str], lines: Sequence[Sequence[str]], file_name: str) -> Iterator[Row]:
    headings = [each.strip().lower() for each in headings]
    places = {
        name: place
        for name, known in COLUMNS.items()
        if (place := next((headings.index(each) for each in known if each in headings), None)) is not None
    }
    if not places.keys() & {"name", "last", "email", "sid", "login"}:
        seen = ", ".join(map(visible, headings)) or "nothing"
        raise UsageError(
            f"line 1 of the roster names no column of students: {file_name}: it has {seen}",
            "name a column Name, Email, SID or Login",
        )
    for cells in lines:
        held = {name: cells[place].strip() for name, place in places.items() if place < len(cells)}
        file, first, last = (held.pop(name, "") for name in ("file", "first", "last"))
        name = held.pop("name", "") or f"{first} {last}".strip()
        # The second line of a gradebook of Canvas has no student, and its last one is no person.
        if name in ("Points Possible", "Student, Test"):
            continue
        held["number"] = held.get("number", "").removeprefix("Participant ")
        name = name or held.get("login") or held.get("sid") or held.get("email", "")
        if name:
            yield Row(Student(name, **held), file)


def _plain(word: str) -> str:
    """A word as it is compared: without case, accents, spaces and signs.

    >>> _plain("García, Ana") == _plain("garcia ana"), _plain("-")
    (True, '-')
    """
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    kept = "".join(each for each in decomposed if each.isalnum() or each in "@.")
    return kept or decomposed.strip()


def slug(name: str) -> str:
    """A name for files and addresses.

    >>> slug("Lovelace, Ada"), slug("../Æther"), slug("李")
    ('lovelace-ada', 'ther', 'student')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "".join(each if each.isalnum() else " " for each in plain).split()
    return "-".join(words)[:60] or "student"
