"""Zip files of strangers, unpacked: nothing leaves the folder, nothing is larger than it may be.

What a zip says of itself is not believed: sizes are counted while it is read, and names are looked at piece
by piece. Nothing in it but files and folders is taken, and what an archiver of macOS adds is left out.
"""

from __future__ import annotations

import lzma
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shutil import rmtree
from typing import IO, Final

from isolation_fast.output import visible
from isolation_grader.exceptions import GraderError

BESIDE: Final = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What systems add to folders, and nobody hands in."""
PART: Final = 2**16
ENTRY: Final = b"PK\x01\x02"
"""What each entry in a zip's list of files begins with."""
ENCRYPTED: Final = 0x1
DEFLATED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LONGEST_NAME: Final = 200
MEBIBYTE: Final = 2**20


class RefusedError(GraderError):
    """A zip, or an entry of one, that is not unpacked: the reason in a sentence."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a zip may hold.

    >>> Bounds.of_one()
    Bounds(entries=5000, unpacked=67108864, packed=67108864)
    """

    entries: int
    unpacked: int
    """Bytes of all files together."""
    packed: int
    """Bytes of the zip itself."""

    @classmethod
    def of_one(cls) -> Bounds:
        """Of one submission: as much as is copied of a folder."""
        return cls(5_000, 64 * MEBIBYTE, 64 * MEBIBYTE)

    @classmethod
    def of_all(cls) -> Bounds:
        """Of a download, which holds those of a whole class."""
        return cls(200_000, 4_096 * MEBIBYTE, 2_048 * MEBIBYTE)


def unpack(
    archive: Path, into: Path, bounds: Bounds, leave_out: Callable[[str, str], object] | None = None
) -> None:
    """Unpack a zip into a folder, which is made; a `RefusedError` says why one is not.

    With `leave_out` an entry that cannot be taken is left out, and reported there by its name with the
    reason; without it the whole zip is refused. Times and rights are not kept.
    """
    with _opened(archive, bounds) as opened:
        left, taken = bounds.unpacked, set[str]()
        for entry in opened.infolist():
            try:
                target = _target(entry)
                if target is None:
                    continue
                # Where names differ in nothing but case, some systems would write one file over the other.
                if str(target).casefold() in taken:
                    raise RefusedError(f"it has two files called {_shown(str(target))}")
                taken.add(str(target).casefold())
                left -= _written(opened, entry, into / target, left, bounds.unpacked)
            except RefusedError as error:
                if leave_out is None:
                    raise
                leave_out(entry.filename, str(error))
    into.mkdir(parents=True, exist_ok=True)


@contextmanager
def unpacked_anew(place: Path) -> Iterator[Path]:
    """A place to unpack to. What was unpacked there before is back if the block ends with an error."""
    before = place.with_name(f"{place.name}.before")
    rmtree(before, ignore_errors=True)
    if place.exists():
        place.rename(before)
    try:
        yield place
    except BaseException:
        rmtree(place, ignore_errors=True)
        if before.exists():
            before.rename(place)
        raise
    rmtree(before, ignore_errors=True)


@contextmanager
def _opened(archive: Path, bounds: Bounds) -> Iterator[zipfile.ZipFile]:
    """The zip, once it is known how long its list of files is; whatever is wrong with it is a refusal."""
    try:
        with archive.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > bounds.packed:
                raise RefusedError(_too_large("the zip itself", bounds.packed))
            # Python reads the whole list at once, and a zip of some megabytes can list a million files.
            if _count(file) > bounds.entries:
                raise RefusedError(f"it has more than {bounds.entries:,} files")
            file.seek(0)
            with zipfile.ZipFile(file) as opened:
                yield opened
    except RefusedError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
        ValueError,
        OverflowError,
    ) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RefusedError(
            f"it is no zip that can be read: {_shown(what or type(error).__name__)}"
        ) from error


def _count(file: IO[bytes]) -> int:
    """How many entries the list has, or more."""
    found, before = 0, b""
    while part := file.read(PART):
        found += (before + part).count(ENTRY)
        # As much as an entry's first bytes may lack, and never all of them.
        before = part[1 - len(ENTRY) :]
    return found


def _target(entry: zipfile.ZipInfo) -> Path | None:
    """Where an entry goes, within the folder; None for a folder, and for what is left out."""
    name, kind = entry.filename.replace("\\", "/"), stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise RefusedError(f"{_shown(name)} is a link")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise RefusedError(f"{_shown(name)} is neither a file nor a folder")
    path = PurePosixPath(name)
    if path.is_absolute() or (path.parts and path.parts[0].endswith(":")):
        raise RefusedError(f"{_shown(name)} is an absolute path")
    if ".." in path.parts:
        raise RefusedError(f"{_shown(name)} leads out of its folder")
    if any(not each.isprintable() or len(each.encode()) > LONGEST_NAME for each in path.parts):
        raise RefusedError(f"{_shown(name)} is no name for a file")
    if entry.is_dir() or name.endswith("/") or kind == stat.S_IFDIR or set(path.parts) & set(BESIDE):
        return None
    if not path.parts:
        raise RefusedError("it has a file without a name")
    if entry.flag_bits & ENCRYPTED:
        raise RefusedError(f"{_shown(name)} is encrypted")
    if entry.compress_type not in DEFLATED:
        raise RefusedError(f"{_shown(name)} is compressed in an unusual way: use a usual zip")
    return Path(*path.parts)


def _written(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int, most: int) -> int:
    """Write a file; gives its bytes, which may be no more than are left."""
    size = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(entry) as source, target.open("xb") as file:
            while part := source.read(PART):
                size += len(part)
                if size > left:
                    raise RefusedError(_too_large("what it holds", most))
                file.write(part)
    except (FileExistsError, NotADirectoryError) as error:
        raise RefusedError(f"{_shown(entry.filename)} is a file and a folder at once") from error
    return size


def _too_large(what: str, most: int) -> str:
    return f"{what} is larger than {most // MEBIBYTE:,} MiB"


def _shown(name: str) -> str:
    """A name of somebody else's, short and harmless."""
    shown = visible(name).replace("\n", r"\n")
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}..."
