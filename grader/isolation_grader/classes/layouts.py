"""The layouts of downloads: which entries of a folder belong to which student.

| layout | its folder holds |
|---|---|
| `gradescope` | `submission_12345678` folders, and `submission_metadata.yml`, which says whose they are |
| `canvas` | files `lovelaceada_LATE_4567_89012_game_agent-1.py`: name, Canvas's numbers of student and file |
| `moodle` | folders `Ada Lovelace_123456_assignsubmission_file`, or files whose names begin so |
| `github` | clones `isolation-ada` in `isolation-submissions`, from `gh classroom clone student-repos` |
| `plain` | a folder, a zip or a Python file for each student, called as you like |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal, TypeAlias

from isolation_fast.jail import Item
from isolation_fast.output import visible
from isolation_fast.submission import NotCopiedError
from isolation_grader.classes.people import Student

METADATA: Final = "submission_metadata.yml"
EXPORT: Final = re.compile(r"assignment_\d+_export")
GRADESCOPE: Final = re.compile(r"submission_\w+")
# The late mark was written in small letters too, and students without a name have an `anon` of Canvas's own.
CANVAS: Final = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<file_number>\d+)_(?P<file>.+)", re.IGNORECASE
)
ANONYMOUS: Final = re.compile(
    r"anon_(?P<name>[0-9A-Za-z]+)(?P<late>_LATE)?_(?P<file_number>\d+)_(?P<file>.+)", re.IGNORECASE
)
AGAIN: Final = re.compile(r"-\d+(?=\.\w+\Z)")
"""What Canvas adds to the name of a file that was handed in again."""
MOODLE: Final = re.compile(
    r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?"
)
CLONES: Final = re.compile(r"(?P<slug>.+)-submissions")
PLAIN: Final = (".py", ".zip")
MOST_TEXT: Final = 2**28
"""Bytes of Gradescope's list, which has all that autograders printed."""

SUBMITTERS: Final = re.compile(r"  :submitters:(?P<none> \[\])?")
SUBMITTER: Final = re.compile(r"  (?P<first>- |  ):(?P<key>name|sid|email): ?(?P<value>.*)")


Kind: TypeAlias = Literal["folder", "file", "link", "other"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a download has at its top: a file, or a folder with all below it."""

    name: str
    kind: Kind
    items: tuple[tuple[str, Item], ...]
    """Of a folder of a zip each file by its name below it."""
    refused: str | None = None
    """Why some of it cannot be taken in."""

    @property
    def suffix(self) -> str:
        """The ending of its name in small letters, with the dot."""
        return PurePath(self.name).suffix.lower()

    @property
    def may_be_folder(self) -> bool:
        """Whether it is a folder, or a link that is called as one: that is of somebody too."""
        return self.kind == "folder" or (self.kind == "link" and self.suffix not in PLAIN)

    @property
    def may_be_file(self) -> bool:
        """Whether it is none, or is called as a file."""
        return self.kind != "folder"

    def text(self) -> str:
        """What a file says; nothing where it cannot be read."""
        found = b""
        try:
            for _, item in self.items:
                for _, size, content in item.files(self.name):
                    if size > MOST_TEXT or isinstance(content, str):
                        return ""
                    for part in content:
                        if len(found := found + part) > MOST_TEXT:
                            return ""
        except NotCopiedError:
            return ""
        return found.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Handed:
    """What one student, or a group, has handed in: what the download has of it, with their own names."""

    students: tuple[Student, ...]
    entry: str
    """What it is called in the download."""
    files: tuple[tuple[str, Item], ...]
    """Of a folder that was handed in whole, that folder alone, without a name."""
    is_late: bool = False
    """Whether the layout says so: that of Canvas alone does."""
    refused: str | None = None
    """Why some of it cannot be taken in."""

    @classmethod
    def of(
        cls, student: Student | tuple[Student, ...], *named: tuple[str, Entry], is_late: bool = False
    ) -> Handed:
        """What entries have, each file with the name that is given with it."""
        files = [
            (name if each.kind != "folder" else below, item)
            for name, each in named
            for below, item in each.items
        ]
        refused = next((each.refused for _, each in named if each.refused is not None), None)
        entry = ", ".join(each.name for _, each in named)
        students = (student,) if isinstance(student, Student) else student
        return cls(students, entry, tuple(files), is_late, refused)


@dataclass(frozen=True, slots=True)
class Sorted:
    """The entries of a download, by student, and those that belong to nobody with the reason."""

    layout: str
    handed: tuple[Handed, ...]
    left: tuple[tuple[str, str], ...] = ()


Entries = Sequence[Entry]
Layout = Callable[[str, Entries], "Sorted | None"]
"""Takes the name of the folder and its entries."""


def sorted_by_student(folder: str, entries: Entries, layout: str | None = None) -> Sorted:
    """What each student has handed in, by the layout named, else by the first that fits most entries."""
    if layout is not None:
        return LAYOUTS[layout](folder, entries) or Sorted(layout, ())
    for each in LAYOUTS.values():
        found = each(folder, entries)
        if found is not None and len(found.handed) >= len(found.left):
            return found
    return _plain(folder, entries)


# ---- Gradescope


def _gradescope(folder: str, entries: Entries) -> Sorted | None:
    metadata = next((each for each in entries if each.name == METADATA and each.kind == "file"), None)
    if metadata is None and not EXPORT.fullmatch(folder):
        return None
    whose = {} if metadata is None else dict(submitters(metadata.text()))
    handed, left = [], []
    for each in entries:
        if each.name == METADATA:
            continue
        students = whose.pop(each.name, ())
        if not each.may_be_folder or not GRADESCOPE.fullmatch(each.name):
            left.append((each.name, "it is no folder submission_... of Gradescope's"))
            continue
        handed.append(Handed.of(students or (Student(each.name),), ("", each)))
    left += [(name, f"{METADATA} has it, and there is no such folder") for name in whose]
    return Sorted("gradescope", tuple(handed), tuple(left))


def submitters(metadata: str) -> Mapping[str, tuple[Student, ...]]:
    r"""Who has handed in which folder, as Gradescope's list says it.

    Only its lines of that are read; it holds the output of autograders too, indented more.

    >>> text = "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '12'\n  :score: 2.0\n"
    >>> submitters(text)
    {'submission_1': (Student(name='Ada', email='', sid='12', login='', number='', section=''),)}
    """
    found: dict[str, list[dict[str, str]]] = {}
    people: list[dict[str, str]] | None = None
    within = False
    for line in metadata.splitlines():
        if line[:1] not in ("", " ", "-", "#"):
            people = found.setdefault(line.partition(":")[0].strip("'\""), [])
            within = False
        elif SUBMITTERS.fullmatch(line):
            within = True
        elif within and people is not None and (said := SUBMITTER.fullmatch(line)):
            if said["first"] == "- ":
                people.append({})
            if people:
                people[-1][said["key"]] = _scalar(said["value"])
        elif line.startswith("  :"):
            within = False
    return {
        folder: tuple(
            Student(**{**each, "name": each.get("name") or each.get("email") or folder}) for each in people
        )
        for folder, people in found.items()
    }


def _scalar(text: str) -> str:
    """A value of YAML in a line: plain, or in quotation marks of either kind."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) >= 2 and text[0] == text[-1] == '"':
        # JSON escapes as YAML does, but for a byte in two digits.
        inner = re.sub(r"\\x([0-9A-Fa-f]{2})", r"\\u00\1", text)
        try:
            return str(json.loads(inner))
        except ValueError:
            return text[1:-1]
    return "" if text in ("null", "~") else text


# ---- Canvas


def _canvas(_folder: str, entries: Entries) -> Sorted | None:
    found: dict[str, list[tuple[re.Match[str], Entry]]] = {}
    left = []
    for each in entries:
        said = _said_by_canvas(each.name) if each.may_be_file or each.suffix in PLAIN else None
        if said is None:
            left.append((each.name, "its name is none of Canvas's: NAME_NUMBER_NUMBER_FILE"))
        else:
            found.setdefault(said.groupdict().get("number") or said["name"], []).append((said, each))
    handed = []
    for number, files in found.items():
        said = files[0][0]
        student = Student(said["name"], number=number if "number" in said.groupdict() else "")
        named = [(AGAIN.sub("", one["file"]), each) for one, each in files]
        handed.append(Handed.of(student, *named, is_late=any(one["late"] for one, _ in files)))
    return Sorted("canvas", tuple(handed), tuple(left)) if handed else None


def _said_by_canvas(name: str) -> re.Match[str] | None:
    if name.startswith("anon_"):
        return ANONYMOUS.fullmatch(name)
    return CANVAS.fullmatch(name)


# ---- Moodle


def _moodle(_folder: str, entries: Entries) -> Sorted | None:
    found: dict[str, list[tuple[re.Match[str], Entry]]] = {}
    left = []
    for each in entries:
        said = MOODLE.fullmatch(each.name)
        if said is None or not (each.may_be_file if said["file"] else each.may_be_folder):
            reason = "its name is none of Moodle's: NAME_NUMBER_assignsubmission_file"
            left.append((each.name, reason))
        else:
            found.setdefault(said["number"], []).append((said, each))
    handed = []
    for number, files in found.items():
        # A text that was written into the page is no submission, unless there is nothing else.
        own = [each for each in files if each[0]["kind"] == "file"] or files
        named = [(said["file"] or "", each) for said, each in own]
        handed.append(Handed.of(Student(files[0][0]["name"], number=number), *named))
    return Sorted("moodle", tuple(handed), tuple(left)) if handed else None


# ---- GitHub Classroom


def _github(folder: str, entries: Entries) -> Sorted | None:
    named = CLONES.fullmatch(folder)
    if named is None:
        return None
    start = f"{named['slug']}-"
    handed, left = [], []
    for each in entries:
        login = each.name.removeprefix(start)
        if each.may_be_folder and login not in ("", each.name):
            handed.append(Handed.of(Student(login, login=login), ("", each)))
        else:
            left.append((each.name, f"it is no clone of an assignment: its name is not {visible(start)}USER"))
    return Sorted("github", tuple(handed), tuple(left)) if handed else None


# ---- no download


def _plain(_folder: str, entries: Entries) -> Sorted:
    handed, left = [], []
    for each in entries:
        if each.may_be_folder:
            handed.append(Handed.of(Student(each.name), ("", each)))
        elif each.suffix in PLAIN:
            handed.append(Handed.of(Student(PurePath(each.name).stem), (each.name, each)))
        else:
            left.append((each.name, "it is neither a folder nor a .py or .zip file"))
    return Sorted("plain", tuple(handed), tuple(left))


LAYOUTS: Final[Mapping[str, Layout]] = {
    "gradescope": _gradescope,
    "github": _github,
    "moodle": _moodle,
    "canvas": _canvas,
    "plain": _plain,
}
"""By name, in the order in which they are tried."""
