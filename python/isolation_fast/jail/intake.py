"""Taking in what a student hands in, once: whatever it is, what comes of it is a folder of plain files.

```text
 a file, a folder --- read by descriptors, no link is followed ---+
 a zip ------- archives.py: a locked process reads it ------------+--> names as ours, limits --> a new folder
```

Whatever is graded, compared or copied afterwards is read from that folder, the *tree* of a submission. What
cannot be taken in is a `NotCopiedError` with the reason, and leaves nothing.
"""

from __future__ import annotations

import errno
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from isolation_fast.jail.archives import Archive, Interrupted
from isolation_fast.jail.folders import (
    LEFT_OUT,
    MOST_FILES,
    MOST_LEVELS,
    Handed,
    reason,
    remove_folder,
    shown,
    too_deep,
)
from isolation_fast.submission.sources import NotCopiedError

MOST_SIZE: Final = 64 * 2**20
"""Bytes of these."""
MOST_LISTED: Final = 50_000
"""Entries of a zip of one student, with all that is left out of it, such as an environment."""
LONGEST_NAME: Final = 255
LONGEST_PATH: Final = 1_000
"""Bytes, below the folder of the submission: with that of the grader it is none that a system refuses."""
MOST_GROWTH: Final = 100
"""How many times as large as a zip its content may be, beyond the first bytes: texts are ten times."""
FREE_GROWTH: Final = 4 * 2**20
MOST_ZIPS: Final = 3
"""Zips within each other."""
OF_THE_SYSTEM: Final = frozenset(
    [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE]
)
"""Errors of writing that no submission can be blamed for."""
MEBIBYTE: Final = 2**20
DAMAGED_NAME: Final = "is no name for a file"
FOR_PEOPLE: Final = (".md", ".rst")
TWIN: Final = "has the name of another file but for the case"


class Item(Protocol):
    """A file or a folder that was handed in, wherever it lies."""

    def files(self, name: str) -> Iterator[Handed]:
        """Each file of it; `name` is its own, or that of the folder around all."""


@dataclass(frozen=True, slots=True)
class InZip:
    """A file of a zip that is open, by its number there."""

    archive: Archive
    number: int

    def files(self, name: str) -> Iterator[Handed]:
        """The file itself."""
        yield name, 0, self.archive.parts(self.number)


@dataclass(frozen=True, slots=True)
class InMemory:
    """A file that is known."""

    content: bytes

    def files(self, name: str) -> Iterator[Handed]:
        """The file itself."""
        yield name, len(self.content), [self.content]


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a submission, which are ours: no links, no odd names, within the limits."""

    folder: Path
    names: tuple[str, ...]
    left: tuple[tuple[str, str], ...] = ()
    """What was handed in, is no file, and so is not there: each with the reason."""


def take_in(
    handed: Sequence[tuple[str, Item]],
    folder: Path,
    interrupted: Interrupted = None,
) -> Tree:
    """Take in what one student handed in, each by its name there; a zip where there is no Python file."""
    taking = Taking(folder)
    try:
        for name, item in handed:
            taking.take(item.files(name))
        for _ in range(MOST_ZIPS):
            if (zipped := taking.only_zip()) is None:
                break
            taking.unpack(zipped, interrupted)
    except BaseException:
        remove_folder(folder)
        raise
    return Tree(folder, tuple(sorted(taking.sizes)), tuple(taking.left))


def share(files: Sequence[tuple[str, Item]], folder: Path) -> None:
    """Put what belongs to all into a folder of a tree, where that has no file of that name in any case.

    It comes after the file to grade was found: none of it may be taken for one that was handed in.
    """
    there = {_same(each.name) for each in folder.iterdir()}
    taking = Taking(folder)
    for name, item in files:
        if _same(name) not in there:
            taking.take(item.files(name))


@dataclass(slots=True)
class Taking:
    """A tree that grows."""

    folder: Path
    sizes: dict[str, int] = field(default_factory=dict)
    left: list[tuple[str, str]] = field(default_factory=list)
    keeps_names: bool = False
    """Whether names are of this system already, and stay as they are."""
    _kinds: dict[str, str] = field(default_factory=dict)
    """`file` or `folder`, by a name in which neither case nor form counts."""

    def take(self, files: Iterable[Handed], most: int = MOST_SIZE) -> None:
        """Take files with that many bytes in all, beside those that are there."""
        allowed, most = most, min(most, MOST_SIZE - sum(self.sizes.values()))
        allowed = min(allowed, MOST_SIZE)
        for name, size, content in files:
            parts = tuple(name.split("/")) if self.keeps_names else plain_name(name)
            if parts is None:
                continue
            if isinstance(content, str):
                self.left.append(("/".join(parts), content))
                continue
            if self._is_twin(parts):
                self.left.append(("/".join(parts), TWIN))
                continue
            self._count(parts)
            taken = self._write(parts, content, most) if size <= most else None
            if taken is None:
                raise NotCopiedError(f"it has more than {allowed / MEBIBYTE:.0f} MiB")
            self.sizes["/".join(parts)] = taken
            most -= taken

    def only_zip(self) -> str | None:
        """The name of a zip that is all there is to be graded."""
        if any(is_python(each) for each in self.sizes):
            return None
        zips = [each for each in self.sizes if each.lower().endswith(".zip")]
        return zips[0] if len(zips) == 1 else None

    def unpack(self, name: str, interrupted: Interrupted) -> None:
        """Take what a zip holds in place of the zip itself."""
        place = self.folder / name
        packed = self.sizes.pop(name)
        self._kinds.pop(_same(name))
        with place.open("rb") as file:
            place.unlink()
            with Archive(file.fileno(), MOST_LISTED, interrupted=interrupted) as archive:
                for each, problem in archive.entries:
                    if problem and plain_name(each) is not None:
                        raise NotCopiedError(f"{shown(each)} {problem}")
                self.take(_named(files_in(archive)), FREE_GROWTH + MOST_GROWTH * packed)

    def _is_twin(self, parts: tuple[str, ...]) -> bool:
        """Whether it is a text for people, and another file has its name but for the case, as in clones."""
        name = "/".join(parts)
        is_there = self._kinds.get(_same(name)) == "file" and name not in self.sizes
        return is_there and name.lower().endswith(FOR_PEOPLE)

    def _count(self, parts: tuple[str, ...]) -> None:
        """Refuse a file that is there already, and one too many."""
        for place in range(1, len(parts) + 1):
            name = "/".join(parts[:place])
            kind = "file" if place == len(parts) else "folder"
            before = self._kinds.get(_same(name))
            if before == kind == "file":
                raise NotCopiedError(f"it has two files called {shown(name)}")
            if before not in (None, kind):
                raise NotCopiedError(f"{shown(name)} is a file and a folder at once")
            self._kinds[_same(name)] = kind
        if len(self._kinds) > MOST_FILES:
            raise NotCopiedError(f"it has more than {MOST_FILES:,} files and folders")

    def _write(self, parts: tuple[str, ...], content: Iterable[bytes], most: int) -> int | None:
        """Write a file; gives its bytes, or None where they are more than are left."""
        size, place = 0, self.folder.joinpath(*parts)
        with _writing(parts):
            place.parent.mkdir(parents=True, exist_ok=True)
            file = place.open("xb")
        with file:
            for part in content:
                size += len(part)
                if size > most:
                    return None
                with _writing(parts):
                    file.write(part)
        return size


def files_in(archive: Archive) -> Iterator[tuple[str, InZip]]:
    """The files of a zip by their names; nothing of those that have a problem, and no folders."""
    for number, (name, problem) in enumerate(archive.entries):
        if not problem and not name.endswith(("/", "\\")):
            yield name, InZip(archive, number)


def _named(files: Iterable[tuple[str, InZip]]) -> Iterator[Handed]:
    for name, item in files:
        yield name, 0, _naming(name, item.archive.parts(item.number))


def _naming(name: str, content: Iterator[bytes]) -> Iterator[bytes]:
    try:
        yield from content
    except NotCopiedError as error:
        raise NotCopiedError(f"{shown(name)}: {error}") from error


@contextmanager
def _writing(parts: tuple[str, ...]) -> Iterator[None]:
    """An error of the system, such as a full disk, is nobody's; another one is that of a name."""
    try:
        yield
    except OSError as error:
        if error.errno in OF_THE_SYSTEM:
            raise
        raise NotCopiedError(f"{shown('/'.join(parts))} cannot be written: {reason(error)}") from error


# ---- names


def plain_name(name: str) -> tuple[str, ...] | None:
    r"""The parts of a name as ours; None for what nobody hands in. A `NotCopiedError` for what is no name.

    >>> plain_name("a/./b\\cafe\u0301.py"), plain_name("__MACOSX/._a.py"), plain_name("a\udce9.py")
    (('a', 'b', 'café.py'), None, ('a_.py',))
    """
    name = name.replace("\\", "/")
    parts = [each for each in name.split("/") if each not in ("", ".")]
    if set(parts) & LEFT_OUT:
        return None
    if not parts:
        raise NotCopiedError("it has a file without a name")
    if name.startswith("/") or parts[0].endswith(":"):
        raise NotCopiedError(f"{shown(name)} is an absolute path")
    if ".." in parts:
        raise NotCopiedError(f"{shown(name)} leads out of its folder")
    # Two ways to write an accent are one name, as on the systems on which it was typed.
    plain = tuple(_harmless(unicodedata.normalize("NFC", each), name) for each in parts)
    if len(plain) > MOST_LEVELS:
        raise too_deep(name)
    if len("/".join(plain).encode()) > LONGEST_PATH:
        raise NotCopiedError(f"{shown(name)} {DAMAGED_NAME}: its path has more than {LONGEST_PATH:,} bytes")
    return plain


def _harmless(part: str, name: str) -> str:
    if any(unicodedata.category(each) == "Cc" for each in part):
        raise NotCopiedError(f"{shown(name)} {DAMAGED_NAME}")
    part = "".join(each if each.isprintable() else "_" for each in part)
    if len(part.encode()) > LONGEST_NAME:
        raise NotCopiedError(f"{shown(name)} {DAMAGED_NAME}: it has more than {LONGEST_NAME} bytes")
    return part


def _same(name: str) -> str:
    """A name in which neither case nor form counts, as on some systems."""
    return unicodedata.normalize("NFKC", name.casefold())


def is_python(name: str) -> bool:
    """Whether a file is Python that somebody wrote, and not what an archiver of macOS adds."""
    return name.endswith(".py") and not name.rpartition("/")[2].startswith(".")
