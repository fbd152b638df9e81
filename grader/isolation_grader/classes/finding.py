"""Finding the submissions of a class: whose they are, which file is graded, and what is none.

```text
 a download, a folder or a zip -> layouts: what belongs to whom -> people: the roster's names
                               -> for each student: a Python file to grade, or why there is none
```

Nothing is dropped in silence: what belongs to nobody is `left`, and what cannot be graded has a problem.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from isolation_fast.jail import content_digest
from isolation_fast.submission import FILE_NAME, NotCopiedError
from isolation_fast.text import unknown_word
from isolation_grader.classes.layouts import LAYOUTS, Handed, Sorted, listed, sorted_by_student
from isolation_grader.classes.people import Roster, Student, slug
from isolation_grader.classes.unpacking import BESIDE, Bounds, RefusedError, unpack
from isolation_grader.exceptions import UsageError
from isolation_grader.report import Problem

AGENTS: Final = (FILE_NAME, "my_custom_player.py")
"""What the course calls the file that is graded, the usual name first."""
MARK: Final = b"custom_score"
"""Stands in every submission of the course, whatever its file is called."""
MOST_LOOKED_AT: Final = 20_000
"""Entries of one submission. A submission may have 5,000 files."""
MOST_READ: Final = 2**20
"""Bytes of a file in which the mark is looked for."""
SKIPPED: Final = (*BESIDE, "__pycache__", "node_modules", "site-packages", "venv", "env")
HELP: Final = f"hand in one {FILE_NAME}, or a folder or a zip that has one"


@dataclass(frozen=True, slots=True)
class Found:
    """One submission: a student's, or that of a group."""

    key: str
    """Its name in addresses and files; another one for each."""
    students: tuple[Student, ...]
    entry: str
    """What it is called in the download."""
    file: Path | None
    """What is graded; None where there is nothing, and the problem says why."""
    digest: str
    """Of the file and what it may import: another submission has another one."""
    problem: Problem | None = None
    is_late: bool = False
    """Whether the download says so."""

    @property
    def name(self) -> str:
        """The names of its students."""
        return ", ".join(each.name for each in self.students)


@dataclass(frozen=True, slots=True)
class FoundClass:
    """The submissions of a class, in the order of their names."""

    layout: str
    found: tuple[Found, ...]
    left: tuple[tuple[str, str], ...] = ()
    """What is no submission, each with the reason."""
    missing: tuple[Student, ...] = ()
    """The students of the roster who have handed in nothing."""


def find(place: Path, unpacked: Path, roster: Roster | None = None, layout: str | None = None) -> FoundClass:
    """The submissions in a folder or a zip. What zips hold is unpacked into a folder of our own, anew."""
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(unknown_word("layout", layout, list(LAYOUTS)))
    shutil.rmtree(unpacked, ignore_errors=True)
    folder, left = _opened(place, unpacked)
    roster = roster or Roster(())
    sorted_ = sorted_by_student(folder, _entries(folder), layout)
    if not sorted_.handed:
        seen = "; ".join(f"{name}: {why}" for name, why in sorted_.left[:3])
        raise UsageError(
            f"there are no submissions in {place}{f' ({seen})' if seen else ''}",
            f"layouts that are known: {', '.join(LAYOUTS)}",
        )
    sorted_ = replace(sorted_, left=(*left, *sorted_.left))
    found = tuple(_found(sorted_, roster, unpacked))
    seen_students = [student for each in found for student in each.students]
    return FoundClass(sorted_.layout, found, sorted_.left, roster.unseen(seen_students))


def _opened(place: Path, unpacked: Path) -> tuple[Path, list[tuple[str, str]]]:
    """The folder that has the submissions: of a download its only folder, as it is often packed."""
    left: list[tuple[str, str]] = []
    if not place.exists():
        raise UsageError(f"there is no such folder or zip: {place}")
    folder = place
    if place.is_file():
        if place.suffix == ".py":
            hint = "name the folder that has it; isolation-grade check grades one file"
            raise UsageError(f"{place} is neither a folder nor a zip", hint)
        folder = unpacked / "download" / place.stem
        try:
            unpack(place, folder, Bounds.of_all(), lambda name, why: left.append((name, why)))
        except RefusedError as error:
            raise UsageError(f"{place}: {error}", "name a folder, or a zip of submissions") from error
    try:
        inner = _entries(folder)
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror}") from error
    is_wrapped = len(inner) == 1 and inner[0].is_dir() and not _has_agent(inner[0])
    return (inner[0] if is_wrapped else folder), left


def _entries(folder: Path) -> list[Path]:
    return list(listed(folder, BESIDE))


def _has_agent(folder: Path) -> bool:
    return any((folder / each).is_file() for each in AGENTS)


def _found(sorted_: Sorted, roster: Roster, unpacked: Path) -> Iterator[Found]:
    keys = set[str]()
    for handed in sorted_.handed:
        students = tuple(roster.completed(each, handed.entry) for each in handed.students)
        plain = base = slug(" ".join(each.name for each in students))
        number = 1
        while plain in keys:
            number += 1
            plain = f"{base}-{number}"
        keys.add(plain)
        one = _one(plain, students, handed, unpacked / "each" / plain)
        yield replace(one, is_late=handed.is_late)


def _one(key: str, students: tuple[Student, ...], handed: Handed, own: Path) -> Found:
    """A submission whose file is known, or the problem of one that has none."""
    try:
        gathered = _gathered(handed.files, own)
        file = _agent_or_zipped(gathered, own) if gathered.is_dir() else gathered
    except RefusedError as error:
        digest = sha256(f"{handed.entry}\0{error}".encode(errors="surrogateescape")).hexdigest()
        problem = Problem("not loaded", str(error), error.hint or HELP)
        return Found(key, students, handed.entry, None, digest, problem)
    try:
        digest = content_digest(file)
    except (NotCopiedError, OSError) as error:
        # To grade it says the same, and better.
        digest = sha256(str(error).encode(errors="surrogateescape")).hexdigest()
    return Found(key, students, handed.entry, file, digest)


def _gathered(files: Sequence[tuple[str, Path]], own: Path) -> Path:
    """The folder or Python file that was handed in; else our folder, with all files and what zips hold."""
    (name, path), *others = files
    # All that lies beside a file of the usual name would come with it, and may be that of others.
    is_alone = path.suffix == ".py" and path.name == name != FILE_NAME
    if not others and (path.is_dir() or is_alone):
        return path
    for _, path in files:
        if path.suffix.lower() == ".zip":
            unpack(path, own, Bounds.of_one())
    own.mkdir(parents=True, exist_ok=True)
    for name, path in files:
        if path.is_dir():
            shutil.copytree(path, own, symlinks=True, dirs_exist_ok=True)
        elif path.suffix.lower() != ".zip" and path.is_file() and not path.is_symlink():
            target = own / (Path(name or path.name).name)
            if target.exists():
                raise RefusedError(f"it has two files called {target.name}", HELP)
            shutil.copyfile(path, target)
    return own


def _agent_or_zipped(folder: Path, own: Path) -> Path:
    """The file of a folder that is graded, in its only zip where it has no Python file."""
    zips = [each for each in listed(folder, SKIPPED) if each.suffix.lower() == ".zip" and each.is_file()]
    if folder == own or len(zips) != 1 or next(_python_files(folder), None) is not None:
        return agent_in(folder)
    unpack(zips[0], own, Bounds.of_one())
    return agent_in(own)


def agent_in(folder: Path) -> Path:
    """The file of a folder that is graded, at whatever depth; a `RefusedError` where that is not clear."""
    files = list(_python_files(folder))
    for name in AGENTS:
        named = [each for each in files if each.name == name]
        top = min((len(each.parts) for each in named), default=0)
        nearest = [each for each in named if len(each.parts) == top]
        if len(nearest) == 1:
            return nearest[0]
        if nearest:
            raise RefusedError(f"it has {len(nearest)} files called {name}: {_named(nearest, folder)}", HELP)
    marked = [each for each in files if MARK in _read(each)]
    likely = marked or files
    if len(likely) == 1:
        return likely[0]
    if not files:
        raise RefusedError("it has no Python file", HELP)
    seen = f"{len(likely)} others{' with a custom_score' if marked else ''}: {_named(likely, folder)}"
    raise RefusedError(f"it has no {FILE_NAME}, and {seen}", HELP)


def _python_files(folder: Path) -> Iterator[Path]:
    """Those of a folder in the order of their names; nothing that links lead to, nothing hidden."""
    count = 0
    for place, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count > MOST_LOOKED_AT:
            raise RefusedError(f"it has more than {MOST_LOOKED_AT:,} files", HELP)
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        yield from (Path(place, each) for each in sorted(files) if _is_python(each))


def _is_python(name: str) -> bool:
    return name.endswith(".py") and not name.startswith((".", "._"))


def _read(file: Path) -> bytes:
    if file.is_symlink() or not file.is_file():
        return b""
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_READ)
    except OSError:
        return b""


def _named(files: Sequence[Path], folder: Path) -> str:
    names = [each.relative_to(folder).as_posix() for each in files]
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
