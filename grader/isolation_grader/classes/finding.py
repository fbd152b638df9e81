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
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from isolation_fast.jail import content_digest
from isolation_fast.submission import FILE_NAME, NotCopiedError, copy_folder
from isolation_fast.text import unknown_word
from isolation_grader.classes.layouts import LAYOUTS, Handed, Sorted, listed, sorted_by_student
from isolation_grader.classes.people import Roster, Student, slug
from isolation_grader.classes.unpacking import (
    BESIDE,
    LONGEST_NAME,
    MEBIBYTE,
    MOST_LEVELS,
    Bounds,
    RefusedError,
    remove_folder,
    unpack,
)
from isolation_grader.exceptions import UsageError
from isolation_grader.report import Problem
from isolation_grader.showing.wording import one_line

AGENTS: Final = (FILE_NAME, "my_custom_player.py")
"""What the course calls the file that is graded, the usual name first."""
MARK: Final = b"custom_score"
"""Stands in every submission of the course, whatever its file is called."""
MOST_LOOKED_AT: Final = 20_000
"""Entries of one submission. A submission may have 5,000 files."""
MOST_READ: Final = 2**20
"""Bytes of a file in which the mark is looked for."""
SKIPPED: Final = (*BESIDE, "__pycache__", "node_modules", "site-packages", "venv", "env")
MOST_OF_A_PLACE: Final = 3
"""Names of a path in a download that say whose it is: a folder around all, one of the student, and a file."""
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
    named: Path | None = None
    """The file as a command may name it that grades it again: our copy, or where it was handed in."""

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
    remove_folder(unpacked)
    folder, refused = _opened(place, unpacked)
    roster = roster or Roster(())
    sorted_ = sorted_by_student(folder, _entries(folder), layout)
    if not sorted_.handed:
        seen = "; ".join(f"{name}: {why}" for name, why in sorted_.left[:3])
        raise UsageError(
            f"there are no submissions in {place}{f' ({seen})' if seen else ''}",
            f"layouts that are known: {', '.join(LAYOUTS)}",
        )
    of_nobody = [each for each in refused if not any(_refused_of(one, [each]) for one in sorted_.handed)]
    left = [(name, why) for _, name, why in of_nobody]
    sorted_ = replace(sorted_, left=(*left, *sorted_.left))
    found = tuple(_found(sorted_, roster, unpacked, refused))
    seen_students = [student for each in found for student in each.students]
    return FoundClass(sorted_.layout, found, sorted_.left, roster.unseen(seen_students))


_Refused = tuple[Path, str, str]
"""Where something would be that a download holds and that could not be taken, its name, and the reason."""


def _opened(place: Path, unpacked: Path) -> tuple[Path, list[_Refused]]:
    """The folder that has the submissions: of a download its only folder, as it is often packed."""
    left: list[tuple[str, str]] = []
    if not _is_there(place):
        raise UsageError(f"there is no such folder or zip: {place}")
    folder = place
    if not place.is_dir():
        if place.suffix == ".py" or not place.is_file():
            hint = "name the folder that has it; isolation-grade check grades one file"
            raise UsageError(f"{place} is neither a folder nor a zip", hint)
        folder = unpacked / "download" / place.stem
        try:
            unpack(place, folder, Bounds.of_all(), lambda name, why: left.append((name, why)))
        except RefusedError as error:
            raise UsageError(f"{place}: {error}", "name a folder, or a zip of submissions") from error
    # A file at the top says nothing of whether one folder is around all submissions.
    refused = [(_kept(folder, name), name, why) for name, why in left if len(_names(name)) > 1]
    try:
        inner = _entries(folder)
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror}") from error
    refused += [(_kept(folder, name), name, why) for name, why in left if len(_names(name)) <= 1]
    is_wrapped = len(inner) == 1 and _is_folder(inner[0]) and not _has_agent(inner[0])
    return (inner[0] if is_wrapped else folder), refused


def _is_there(place: Path) -> bool:
    try:
        return place.exists()
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise UsageError(f"{place} cannot be read: {why}") from error


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _kept(folder: Path, name: str) -> Path:
    """The place of an entry that could not be taken, where a layout sees whose it is: it is empty."""
    parts = _names(name)
    if not parts or ".." in parts or parts[0] == "/":
        return folder
    path = folder.joinpath(*map(_harmless, parts[:MOST_OF_A_PLACE]))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if len(parts) > MOST_OF_A_PLACE:
            path.mkdir(exist_ok=True)
        else:
            path.touch()
    return path


def _names(name: str) -> tuple[str, ...]:
    return PurePosixPath(name.replace("\\", "/")).parts


def _harmless(name: str) -> str:
    """A name of somebody else's as one that a file may have: its ending is that of the original."""
    plain = "".join(each if each.isprintable() else "_" for each in name)
    if len(plain.encode()) <= LONGEST_NAME:
        return plain
    return plain.encode()[: LONGEST_NAME // 2].decode("utf-8", "ignore") + plain[-4:]


def _refused_of(handed: Handed, refused: Sequence[_Refused]) -> str | None:
    """Why something of what a student handed in could not be taken."""
    places = [path for _, path in handed.files]
    for path, _, why in refused:
        if any(path.is_relative_to(each) for each in places):
            return why
    return None


def _entries(folder: Path) -> list[Path]:
    return list(listed(folder, BESIDE))


def _has_agent(folder: Path) -> bool:
    return any((folder / each).is_file() for each in AGENTS)


def _found(sorted_: Sorted, roster: Roster, unpacked: Path, refused: Sequence[_Refused]) -> Iterator[Found]:
    keys = set[str]()
    for handed in sorted_.handed:
        students = tuple(roster.completed(each, handed.entry) for each in handed.students)
        plain = base = slug(" ".join(each.name for each in students))
        number = 1
        while plain in keys:
            number += 1
            plain = f"{base}-{number}"
        keys.add(plain)
        why = _refused_of(handed, refused)
        one = _one(plain, students, handed, unpacked / "each" / plain, why)
        yield replace(one, is_late=handed.is_late)


def _one(key: str, students: tuple[Student, ...], handed: Handed, own: Path, refused: str | None) -> Found:
    """A submission whose file is known, or the problem of one that has none.

    Whatever its files raise is the problem of this one alone.
    """
    try:
        if refused is not None:
            raise RefusedError(refused, HELP)
        gathered = _gathered(handed.files, own)
        file = _agent_or_zipped(gathered, own)
        if not file.is_file():
            raise RefusedError(f"{file.name} is not a regular file", HELP)
        if file.is_symlink() and Path(os.path.realpath(file)).parent != Path(os.path.realpath(file.parent)):
            raise RefusedError(f"{file.name} is a link out of its folder", HELP)
        try:
            digest = content_digest(file)
        except (NotCopiedError, OSError) as error:
            # To grade it says the same, and better.
            digest = sha256(str(error).encode(errors="surrogateescape")).hexdigest()
    except Exception as error:  # noqa: BLE001 - nobody's files end a class
        problem = _problem(error)
        content = f"{handed.entry}\0{problem.reason}"
        digest = sha256(content.encode(errors="surrogateescape")).hexdigest()
        return Found(key, students, handed.entry, None, digest, problem)
    return Found(key, students, handed.entry, file, digest, named=_named_as(handed.files[0][1], file, digest))


def _named_as(first: Path, file: Path, digest: str) -> Path:
    """Where a file alone was handed in, if nothing that lies beside it comes with it there."""
    with suppress(NotCopiedError, OSError):
        if first.name == file.name != FILE_NAME and content_digest(first) == digest:
            return first
    return file


def _problem(error: Exception) -> Problem:
    """Why the files of a student cannot be used, in words that name no place of ours."""
    if isinstance(error, RefusedError):
        return Problem("not loaded", one_line(str(error)), error.hint or HELP)
    why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    reason = why if isinstance(error, NotCopiedError) else f"its files cannot be read: {why}"
    return Problem("not loaded", one_line(reason), HELP)


def _gathered(files: Sequence[tuple[str, Path]], own: Path) -> Path:
    """The folder that was handed in; else our folder, with all files and what zips hold.

    A file alone is copied too: what lies beside it is that of others.
    """
    for _, path in files:
        _require_own(path)
    if len(files) == 1 and files[0][1].is_dir():
        return files[0][1]
    for _, path in files:
        if path.suffix.lower() == ".zip" and path.is_file():
            unpack(path, own, Bounds.of_one())
    own.mkdir(parents=True, exist_ok=True)
    for name, path in files:
        if path.is_dir():
            copy_folder(path, own, trusted=False)
        elif path.suffix.lower() != ".zip":
            target = own / (Path(name or path.name).name)
            if target.exists():
                raise RefusedError(f"it has two files called {target.name}", HELP)
            shutil.copyfile(path, target)
    return own


def _require_own(path: Path) -> None:
    """Refuse what may be that of others, and what cannot be copied."""
    most = Bounds.of_one().packed
    if path.is_symlink():
        raise RefusedError(f"{path.name} is a link: what it leads to may be that of others", HELP)
    if not path.is_dir() and not path.is_file():
        raise RefusedError(f"{path.name} is not a regular file", HELP)
    if path.is_file() and path.stat().st_size > most:
        raise RefusedError(f"{path.name} is larger than {most // MEBIBYTE} MiB", HELP)


def _agent_or_zipped(folder: Path, own: Path) -> Path:
    """The file of a folder that is graded, in its only zip where it has no Python file."""
    zips = [each for each in listed(folder, SKIPPED) if each.suffix.lower() == ".zip" and each.is_file()]
    if folder == own or len(zips) != 1 or next(_python_files(folder), None) is not None:
        return agent_in(folder)
    if zips[0].is_symlink():
        raise RefusedError(
            f"{one_line(zips[0].name)} is a link: what it leads to may be that of others", HELP
        )
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
    count, root = 0, len(folder.parts)
    for place, folders, files in os.walk(folder, onerror=_raised):
        count += len(folders) + len(files)
        if count > MOST_LOOKED_AT:
            raise RefusedError(f"it has more than {MOST_LOOKED_AT:,} files", HELP)
        if len(Path(place).parts) - root > MOST_LEVELS:
            raise RefusedError(f"it has more than {MOST_LEVELS} folders within each other", HELP)
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        yield from (Path(place, each) for each in sorted(files) if _is_python(each))


def _raised(error: OSError) -> None:
    """Called where a folder cannot be read: what it may hold is not passed over."""
    raise error


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
