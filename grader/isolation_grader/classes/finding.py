"""Finding the submissions of a class: whose they are, which file is graded, and what is none.

```text
 a download, a folder or a zip -> layouts: what belongs to whom -> people: the roster's names
                               -> for each student: a Python file to grade, or why there is none
```

Nothing is dropped in silence: what belongs to nobody is `left`, and what cannot be graded has a problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from isolation_fast.jail import (
    InMemory,
    OnDisk,
    Tree,
    content_digest,
    is_python,
    remove_folder,
    share,
    take_in,
)
from isolation_fast.submission import FILE_NAME, NotCopiedError
from isolation_fast.text import unknown_word
from isolation_grader.classes.downloads import AGENTS, opened_download
from isolation_grader.classes.layouts import LAYOUTS, Handed, Sorted, sorted_by_student
from isolation_grader.classes.people import Roster, Student, slug, told_apart
from isolation_grader.exceptions import GraderError, UsageError
from isolation_grader.report import Problem
from isolation_grader.showing.wording import one_line

MARK: Final = b"custom_score"
"""Stands in every submission of the course, whatever its file is called."""
MOST_SHARED: Final = 2**20
"""Bytes of a file that belongs to all."""
MOST_READ: Final = 2**20
"""Bytes of a file in which the mark is looked for."""
SKIPPED: Final = frozenset(["site-packages", "venv", "env"])
HELP: Final = f"hand in one {FILE_NAME}, or a folder or a zip that has one"


class RefusedError(GraderError):
    """Files of which none can be graded: the reason in a sentence."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Files that belong to all: each submission has those of which it has none of its own."""

    files: Mapping[str, bytes]

    @property
    def name(self) -> str:
        """Their names."""
        return ", ".join(self.files)


def read_shared(paths: Sequence[Path]) -> Shared:
    """The files of these paths; a `UsageError` where one cannot be read."""
    files: dict[str, bytes] = {}
    for each in paths:
        try:
            with each.open("rb") as file:
                files[each.name] = file.read(MOST_SHARED + 1)
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise UsageError(f"a shared file cannot be read: {each}: {why}") from error
        if len(files[each.name]) > MOST_SHARED:
            raise UsageError(f"a shared file has more than {MOST_SHARED:,} bytes: {each}")
    return Shared(files)


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
    """The same file as a command may name it that grades it again: where it was handed in, or ours."""

    name: str = ""
    """The names of its students, so that it is told apart from others."""


@dataclass(frozen=True, slots=True)
class FoundClass:
    """The submissions of a class, in the order of their names."""

    layout: str
    found: tuple[Found, ...]
    left: tuple[tuple[str, str], ...] = ()
    """What is no submission, each with the reason."""
    missing: tuple[Student, ...] = ()
    """The students of the roster who have handed in nothing."""


def find(
    place: Path,
    unpacked: Path,
    roster: Roster | None = None,
    layout: str | None = None,
    shared: Shared | None = None,
) -> FoundClass:
    """The submissions in a folder or a zip, each taken into a folder of its own below `unpacked`, anew.

    What is `shared` belongs to all: each submission has it that has no such file of its own.
    """
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(unknown_word("layout", layout, list(LAYOUTS)))
    remove_folder(unpacked)
    roster = roster or Roster(())
    with ExitStack() as opened:
        download = opened_download(place, opened)
        of_all = {} if shared is None else shared.files
        entries = [each for each in download.entries if each.name not in of_all]
        sorted_ = sorted_by_student(download.folder, entries, layout)
        if not sorted_.handed:
            seen = "; ".join(f"{name}: {why}" for name, why in (*download.left, *sorted_.left)[:3])
            raise UsageError(
                f"there are no submissions in {place}{f' ({seen})' if seen else ''}",
                f"layouts that are known: {', '.join(LAYOUTS)}",
            )
        found = tuple(_found(sorted_, roster, unpacked, of_all))
    names = told_apart([each.students for each in found])
    found = tuple(replace(each, name=name) for each, name in zip(found, names, strict=True))
    seen_students = [student for each in found for student in each.students]
    left = (*download.left, *sorted_.left)
    return FoundClass(sorted_.layout, found, left, roster.unseen(seen_students))


def _found(sorted_: Sorted, roster: Roster, unpacked: Path, shared: Mapping[str, bytes]) -> Iterator[Found]:
    keys = set[str]()
    for handed in sorted_.handed:
        students = tuple(roster.completed(each, handed.entry) for each in handed.students)
        plain = base = slug(" ".join(each.name for each in students))
        number = 1
        while plain in keys:
            number += 1
            plain = f"{base}-{number}"
        keys.add(plain)
        one = _one(plain, students, handed, unpacked / plain, shared)
        yield replace(one, is_late=handed.is_late)


def _one(
    key: str, students: tuple[Student, ...], handed: Handed, own: Path, shared: Mapping[str, bytes]
) -> Found:
    """A submission whose file is known, or the problem of one that has none.

    Whatever its files raise is the problem of this one alone, but for what the system lacks.
    """
    try:
        if handed.refused is not None:
            raise RefusedError(handed.refused, HELP)
        of_all = [(name, InMemory(content)) for name, content in shared.items()]
        file = agent_in(take_in(handed.files, own))
        share(of_all, file.parent)
        digest = content_digest(file)
        named = _named_as(handed, file.relative_to(own), digest) or file
        return Found(key, students, handed.entry, file, digest, named=named)
    except Exception as error:
        if isinstance(error, OSError) and not isinstance(error, NotCopiedError):
            raise
        remove_folder(own)
        problem = _problem(error)
        content = f"{handed.entry}\0{problem.reason}"
        digest = sha256(content.encode(errors="surrogateescape")).hexdigest()
        return Found(key, students, handed.entry, None, digest, problem)


def _named_as(handed: Handed, name: Path, digest: str) -> Path | None:
    """Where a file or a folder alone was handed in, if what is graded there is the same."""
    items = [item for _, item in handed.files]
    if len(items) != 1 or not isinstance(items[0], OnDisk):
        return None
    place = items[0].path
    file = place / name if place.is_dir() else place
    if file.name != name.name or (file == place and file.name == FILE_NAME):
        return None
    with suppress(NotCopiedError, OSError):
        if content_digest(file) == digest:
            return file
    return None


def _problem(error: Exception) -> Problem:
    """Why the files of a student cannot be used, in words that name no place of ours."""
    if isinstance(error, RefusedError):
        return Problem("not loaded", one_line(str(error)), error.hint or HELP)
    why = str(error) or type(error).__name__
    reason = why if isinstance(error, NotCopiedError) else f"its files cannot be read: {why}"
    return Problem("not loaded", one_line(reason), HELP)


def agent_in(tree: Tree) -> Path:
    """The file of a submission that is graded, at any depth; a `RefusedError` where that is not clear."""
    files = [name for name in tree.names if is_python(name) and not any(map(_is_skipped, name.split("/")))]
    for agent in AGENTS:
        named = [name for name in files if name.rpartition("/")[2] == agent]
        top = min((name.count("/") for name in named), default=0)
        nearest = [name for name in named if name.count("/") == top]
        if len(nearest) == 1:
            return tree.folder / nearest[0]
        if nearest:
            raise RefusedError(f"it has {len(nearest)} files called {agent}: {_listed(nearest)}", HELP)
        for name, why in tree.left:
            # Another file must not be taken for it.
            if name.rpartition("/")[2] == agent or not files:
                raise RefusedError(f"{name} {why}", HELP)
    marked = [name for name in files if MARK in _read(tree.folder / name)]
    likely = marked or files
    if len(likely) == 1:
        return tree.folder / likely[0]
    if not files:
        raise RefusedError("it has no Python file", HELP)
    seen = f"{len(likely)} others{' with a custom_score' if marked else ''}: {_listed(likely)}"
    raise RefusedError(f"it has no {FILE_NAME}, and {seen}", HELP)


def _is_skipped(part: str) -> bool:
    return part.startswith(".") or part in SKIPPED


def _read(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MOST_READ)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
