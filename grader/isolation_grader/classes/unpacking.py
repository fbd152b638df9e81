"""Zip files of strangers, unpacked: nothing leaves the folder, nothing is larger than it may be.

What a zip says of itself is not believed: sizes are counted while it is read, and names are looked at piece
by piece. Nothing in it but files and folders is taken, and what an archiver of macOS adds is left out.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from isolation_fast.output import visible
from isolation_grader.exceptions import GraderError

BESIDE: Final = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
"""What systems add to folders, and nobody hands in."""
PART: Final = 2**16
ENTRY: Final = b"PK\x01\x02"
"""What each entry in a zip's list of files begins with."""
ENTRY_FIELDS: Final = struct.Struct("<28x3H12x")
"""Of an entry in the list: how long its name is, and what follows it."""
END: Final = struct.Struct("<4s8xLLH")
"""The end of a zip: its mark, the bytes of the list, where that begins, the bytes of a comment."""
END_MARK: Final = b"PK\x05\x06"
ENCRYPTED: Final = 0x1
DEFLATED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LONGEST_NAME: Final = 200
MOST_LEVELS: Final = 64
"""Folders within each other, in a download too; of a submission 32 are copied."""
MEBIBYTE: Final = 2**20


class RefusedError(GraderError):
    """A zip, or an entry of one, that is not unpacked: the reason in a sentence."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a zip may hold.

    >>> Bounds.of_one()
    Bounds(entries=5000, unpacked=67108864, packed=67108864, largest=67108864)
    """

    entries: int
    unpacked: int
    """Bytes of all files together."""
    packed: int
    """Bytes of the zip itself."""
    largest: int = 64 * MEBIBYTE
    """Bytes of one file."""

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
    with _opened(archive, bounds, leave_out) as opened:
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
                left -= _written(opened, entry, into / target, left, bounds)
            except Exception as error:
                # Whatever an entry raises is its own: the others are taken.
                refusal = _refusal(error, entry.filename)
                if leave_out is None:
                    raise refusal from error
                leave_out(entry.orig_filename, str(refusal))
    into.mkdir(parents=True, exist_ok=True)


def _refusal(error: Exception, name: str = "") -> RefusedError:
    """Whatever a zip, or its entry of that name, has raised, as a reason in a sentence."""
    if isinstance(error, RefusedError):
        return error
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    where = f"{_shown(name)}: " if name else ""
    return RefusedError(f"it is no zip that can be read: {where}{_shown(why or type(error).__name__)}")


def remove_folder(place: Path) -> None:
    """Remove a folder and all below it, as far as that can be: however deep it is, and its paths long.

    Each folder within another one is moved up before it is emptied. So nothing is called within itself.
    """
    if place.is_symlink():
        return
    number, before = 0, -1
    while number != before:
        before = number
        for inner in _emptied(place):
            for innermost in _emptied(inner):
                with suppress(OSError):
                    innermost.chmod(0o700)
                    innermost.rename(place / f".{os.urandom(8).hex()}")
                    number += 1
            with suppress(OSError):
                inner.rmdir()
                number += 1
    with suppress(OSError):
        place.rmdir()


def _emptied(folder: Path) -> list[Path]:
    """Remove the files of a folder; gives its folders."""
    with suppress(OSError):
        folder.chmod(0o700)
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError:
        return []
    for each in entries:
        if not each.is_dir(follow_symlinks=False):
            with suppress(OSError):
                os.unlink(each)  # noqa: PTH108 - of many files
    return [Path(each) for each in entries if each.is_dir(follow_symlinks=False)]


@contextmanager
def unpacked_anew(place: Path) -> Iterator[Path]:
    """A place to unpack to. What was unpacked there before is back if the block ends with an error."""
    before = place.with_name(f"{place.name}.before")
    remove_folder(before)
    if place.exists():
        place.rename(before)
    try:
        yield place
    except BaseException:
        remove_folder(place)
        if before.exists():
            before.rename(place)
        raise
    remove_folder(before)


@contextmanager
def _opened(
    archive: Path, bounds: Bounds, leave_out: Callable[[str, str], object] | None
) -> Iterator[zipfile.ZipFile]:
    """The zip, once it is known how long its list of files is; whatever is wrong with it is a refusal."""
    try:
        # A pipe would be waited for.
        if not archive.is_file():
            raise RefusedError("it is not a regular file")
        with archive.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > bounds.packed:
                raise RefusedError(_too_large("the zip itself", bounds.packed))
            # Python reads the whole list at once, and a zip of some megabytes can list a million files.
            if _count(file) > bounds.entries:
                raise RefusedError(f"it has more than {bounds.entries:,} files")
            file.seek(0)
            try:
                opened = zipfile.ZipFile(file)
            except Exception:
                if leave_out is None:
                    raise
                opened = zipfile.ZipFile(_without_bad_entries(file, size, leave_out))
            with opened:
                yield opened
    except Exception as error:
        raise _refusal(error) from error


class _Spliced(io.RawIOBase):
    """A file up to some place, and then other bytes."""

    def __init__(self, file: IO[bytes], size: int, rest: bytes) -> None:
        super().__init__()
        self._file, self._size, self._rest, self._place = file, size, rest, 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place}.get(whence, self._size + len(self._rest))
        if start + offset < 0:
            raise ValueError(f"{start + offset} is before the beginning")
        self._place = start + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        if self._place < self._size:
            self._file.seek(self._place)
            part = self._file.read(min(len(buffer), self._size - self._place))
        else:
            begin = self._place - self._size
            part = self._rest[begin : begin + len(buffer)]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)


def _without_bad_entries(
    file: IO[bytes], size: int, leave_out: Callable[[str, str], object]
) -> io.BufferedReader:
    """A zip that Python cannot list, as if it had only those entries that Python can list one by one."""
    file.seek(max(0, size - END.size - 2**16))
    tail = file.read()
    found = tail.rfind(END_MARK)
    if found < 0:
        raise RefusedError("it is no zip that can be read: it is cut off, or none")
    _, length, start, _ = END.unpack_from(tail, found)
    file.seek(start)
    listed, place, kept = file.read(length), 0, list[bytes]()
    while listed.startswith(ENTRY, place) and place + ENTRY_FIELDS.size <= len(listed):
        lengths = ENTRY_FIELDS.unpack_from(listed, place)
        end = place + ENTRY_FIELDS.size + sum(lengths)
        entry, name = listed[place:end], listed[place + ENTRY_FIELDS.size :][: lengths[0]]
        try:
            zipfile.ZipFile(io.BytesIO(entry + _end(1, len(entry), 0))).close()
            kept.append(entry)
        except Exception as error:  # noqa: BLE001 - whatever an entry raises is its own
            shown = name.decode("utf-8", "replace")
            leave_out(shown, str(_refusal(error, shown)))
        place = end
    rest = b"".join(kept)
    return io.BufferedReader(_Spliced(file, start, rest + _end(len(kept), len(rest), start)))


def _end(count: int, length: int, start: int) -> bytes:
    """The end of a zip with so many entries in a list of that length and place."""
    return struct.pack("<4s4H2LH", END_MARK, 0, 0, count, count, length, start, 0)


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
    # Python ends a name at its first zero, and another system may not.
    name, kind = entry.orig_filename.replace("\\", "/"), stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise RefusedError(f"{_shown(name)} is a link")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise RefusedError(f"{_shown(name)} is neither a file nor a folder")
    path = _path_of(name)
    if name.endswith("/") or kind == stat.S_IFDIR or set(path.parts) & set(BESIDE):
        return None
    if not path.parts:
        raise RefusedError("it has a file without a name")
    if entry.flag_bits & ENCRYPTED:
        raise RefusedError(f"{_shown(name)} is encrypted")
    if entry.compress_type not in DEFLATED:
        raise RefusedError(f"{_shown(name)} is compressed in an unusual way: use a usual zip")
    return Path(*path.parts)


def _path_of(name: str) -> PurePosixPath:
    """The path that a name says, if it stays within a folder and can be there."""
    path = PurePosixPath(name)
    if path.is_absolute() or (path.parts and path.parts[0].endswith(":")):
        raise RefusedError(f"{_shown(name)} is an absolute path")
    if ".." in path.parts:
        raise RefusedError(f"{_shown(name)} leads out of its folder")
    if any(not each.isprintable() or len(each.encode()) > LONGEST_NAME for each in path.parts):
        raise RefusedError(f"{_shown(name)} is no name for a file")
    if len(path.parts) > MOST_LEVELS:
        raise RefusedError(f"it has more than {MOST_LEVELS} folders within each other: {_shown(name)}")
    return path


def _written(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int, bounds: Bounds) -> int:
    """Write a file; gives its bytes, which may be no more than are left."""
    size, most = 0, min(left, bounds.largest)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = target.open("xb")
    except (FileExistsError, NotADirectoryError) as error:
        raise RefusedError(f"{_shown(entry.filename)} is a file and a folder at once") from error
    try:
        with file, opened.open(entry) as source:
            while part := source.read(PART):
                size += len(part)
                if size > most:
                    whole = most == left
                    what = "what it holds" if whole else _shown(entry.filename)
                    raise RefusedError(_too_large(what, bounds.unpacked if whole else most))
                file.write(part)
    except BaseException:
        # Nothing of it may pass for all of it.
        target.unlink(missing_ok=True)
        raise
    return size


def _too_large(what: str, most: int) -> str:
    return f"{what} is larger than {most // MEBIBYTE:,} MiB"


def _shown(name: str) -> str:
    """A name of somebody else's, short and harmless."""
    shown = visible(name).replace("\n", r"\n")
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}..."
