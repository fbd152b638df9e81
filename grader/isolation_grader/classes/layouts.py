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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isolation_fast.output import visible
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

SUBMITTERS: Final = re.compile(r"  :submitters:(?P<none> \[\])?")
SUBMITTER: Final = re.compile(r"  (?P<first>- |  ):(?P<key>name|sid|email): ?(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class Handed:
    """What one student, or a group, has handed in: paths of the download, with their own names."""

    students: tuple[Student, ...]
    entry: str
    """What it is called in the download."""
    files: tuple[tuple[str, Path], ...]
    """Of a folder that was handed in whole, that folder alone, without a name."""
    is_late: bool = False
    """Whether the layout says so: that of Canvas alone does."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The entries of a download, by student, and those that belong to nobody with the reason."""

    layout: str
    handed: tuple[Handed, ...]
    left: tuple[tuple[str, str], ...] = ()


Entries = Sequence[Path]
Layout = Callable[[Path, Entries], "Sorted | None"]


def sorted_by_student(folder: Path, entries: Entries, layout: str | None = None) -> Sorted:
    """What each student has handed in, by the layout named, else by the first that fits most entries."""
    if layout is not None:
        return LAYOUTS[layout](folder, entries) or Sorted(layout, ())
    for each in LAYOUTS.values():
        found = each(folder, entries)
        if found is not None and len(found.handed) >= len(found.left):
            return found
    return _plain(folder, entries)


# ---- Gradescope


def _gradescope(folder: Path, entries: Entries) -> Sorted | None:
    metadata = folder / METADATA
    if not metadata.is_file() and not EXPORT.fullmatch(folder.name):
        return None
    whose = dict(submitters(metadata.read_text("utf-8", "replace"))) if metadata.is_file() else {}
    handed, left = [], []
    for each in entries:
        if each.name == METADATA:
            continue
        students = whose.pop(each.name, ())
        if not _is_folder(each) or not GRADESCOPE.fullmatch(each.name):
            left.append((each.name, "it is no folder submission_... of Gradescope's"))
            continue
        students = students or (Student(each.name),)
        handed.append(Handed(students, each.name, (("", each),)))
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


def _canvas(_folder: Path, entries: Entries) -> Sorted | None:
    found: dict[str, list[tuple[re.Match[str], Path]]] = {}
    left = []
    for each in entries:
        is_file = not each.is_dir() or each.suffix.lower() in PLAIN
        said = _said_by_canvas(each.name) if is_file else None
        if said is None:
            left.append((each.name, "its name is none of Canvas's: NAME_NUMBER_NUMBER_FILE"))
        else:
            found.setdefault(said.groupdict().get("number") or said["name"], []).append((said, each))
    handed = []
    for number, files in found.items():
        said = files[0][0]
        student = Student(said["name"], number=number if "number" in said.groupdict() else "")
        entry = ", ".join(path.name for _, path in files)
        taken = tuple((AGAIN.sub("", one["file"]), path) for one, path in files)
        handed.append(Handed((student,), entry, taken, any(one["late"] for one, _ in files)))
    return Sorted("canvas", tuple(handed), tuple(left)) if handed else None


def _said_by_canvas(name: str) -> re.Match[str] | None:
    if name.startswith("anon_"):
        return ANONYMOUS.fullmatch(name)
    return CANVAS.fullmatch(name)


# ---- Moodle


def _moodle(_folder: Path, entries: Entries) -> Sorted | None:
    found: dict[str, list[tuple[re.Match[str], Path]]] = {}
    left = []
    for each in entries:
        said = MOODLE.fullmatch(each.name)
        if said is None or (each.exists() and each.is_dir() == bool(said["file"])):
            reason = "its name is none of Moodle's: NAME_NUMBER_assignsubmission_file"
            left.append((each.name, reason))
        else:
            found.setdefault(said["number"], []).append((said, each))
    handed = []
    for number, files in found.items():
        entry = ", ".join(path.name for _, path in files)
        # A text that was written into the page is no submission, unless there is nothing else.
        own = [each for each in files if each[0]["kind"] == "file"] or files
        taken = tuple((said["file"] or "", path) for said, path in own)
        handed.append(Handed((Student(files[0][0]["name"], number=number),), entry, taken))
    return Sorted("moodle", tuple(handed), tuple(left)) if handed else None


# ---- GitHub Classroom


def _github(folder: Path, entries: Entries) -> Sorted | None:
    named = CLONES.fullmatch(folder.name)
    if named is None:
        return None
    start = f"{named['slug']}-"
    handed, left = [], []
    for each in entries:
        login = each.name.removeprefix(start)
        if _is_folder(each) and login not in ("", each.name):
            handed.append(Handed((Student(login, login=login),), each.name, (("", each),)))
        else:
            left.append((each.name, f"it is no clone of an assignment: its name is not {visible(start)}USER"))
    return Sorted("github", tuple(handed), tuple(left)) if handed else None


# ---- no download


def _plain(_folder: Path, entries: Entries) -> Sorted:
    handed, left = [], []
    for each in entries:
        if each.is_dir() or (each.suffix.lower() not in PLAIN and _is_folder(each)):
            handed.append(Handed((Student(each.name),), each.name, (("", each),)))
        elif each.suffix.lower() in PLAIN:
            handed.append(Handed((Student(each.stem),), each.name, ((each.name, each),)))
        else:
            left.append((each.name, "it is neither a folder nor a .py or .zip file"))
    return Sorted("plain", tuple(handed), tuple(left))


def _is_folder(path: Path) -> bool:
    """Whether it is a folder, or leads to nothing that is there, as a link does: that is of somebody too."""
    return path.is_dir() or not path.exists()


LAYOUTS: Final[Mapping[str, Layout]] = {
    "gradescope": _gradescope,
    "github": _github,
    "moodle": _moodle,
    "canvas": _canvas,
    "plain": _plain,
}
"""By name, in the order in which they are tried."""


def listed(folder: Path, leave_out: Sequence[str]) -> Iterator[Path]:
    """The entries of a folder in the order of their names, without hidden ones and those to leave out."""
    for each in sorted(folder.iterdir(), key=lambda path: path.name):
        if not each.name.startswith(".") and each.name not in leave_out:
            yield each
