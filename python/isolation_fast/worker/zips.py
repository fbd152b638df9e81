r"""A zip of a stranger, read entry by entry: what it says of itself is not believed.

A locked process reads it, from the descriptor that it was given as stdin, and sends what its referee asks
for. It can open nothing, and an entry that is damaged is nobody else's: the list is read one by one.

```text
 UNPACK   how much it may use        -> DONE      the zip has a list
 ENTRIES  from which entry on        -> LISTED    names and problems
 CONTENT  the number of an entry     -> PART      of its content, an empty one at the end
                                        FAULT     may answer each of them
```

>>> import io, zipfile
>>> with zipfile.ZipFile(held := io.BytesIO(), "w") as archive:
...     archive.writestr("a.py", "one")
>>> read = Zip(held)
>>> read.entries[0].name, b"".join(read.parts(0))
('a.py', b'one')
"""

from __future__ import annotations

import json
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, BinaryIO, Final

from isolation_fast.exceptions import IsolationError
from isolation_fast.process.frames import (
    Channel,
    Frame,
    FrameError,
    Held,
    Kind,
    Message,
    Number,
    Raw,
    Texts,
)
from isolation_fast.text import error_line
from isolation_fast.worker import messages, policy

END: Final = struct.Struct("<4s8x2LH")
"""The end of a zip: its mark, the bytes of the list of entries, where that begins, the bytes of a comment."""
LOCATOR: Final = struct.Struct("<4s4xQ4x")
END_64: Final = struct.Struct("<4s36xQQ")
ENTRY: Final = struct.Struct("<4s2xBx2H4xL2L3H4x2L")
"""Of an entry in the list: mark, version, flags, method, sum, sizes, lengths, modes, where it begins."""
LOCAL: Final = struct.Struct("<4s22x2H")
WIDE: Final = 0xFFFFFFFF
"""In place of a number that stands in a field of 64 bits."""
FIELD: Final = struct.Struct("<2H")
SIZES: Final = 1
"""The number of that field."""
LONGEST_COMMENT: Final = 2**16
MOST_LIST: Final = 128 * 2**20
"""Bytes of the list: of 200,000 entries it has 20 MB."""
MOST_READ: Final = 2
"""How often the bytes of a zip are read: of files that lie over each other it could take hours."""
ENCRYPTED: Final = 0x1
IN_UTF_8: Final = 0x800
NEWEST: Final = 63
"""Ten times the last version of the form."""
STORED, DEFLATED = 0, 8
PART: Final = 48 * 1024
"""Bytes that are sent at once."""
MOST_LISTED: Final = 32 * 1024
LONGEST_NAME: Final = 2_000
"""Characters of a name that are sent. A longer one is refused."""
TOO_LONG: Final = "is no name for a file"
OLD_NAMES: Final = "cp437"
# Its tables are in a file, which a locked process cannot read.
b"".decode(OLD_NAMES)


class ZipError(IsolationError):
    """A zip, or an entry of one, cannot be read: the reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the list of a zip says of a file or folder; a problem where it is not to be had."""

    name: str
    problem: str
    method: int
    packed: int
    checksum: int
    start: int


class Zip:
    """The entries of a zip; a `ZipError` where that has no list that can be read."""

    def __init__(self, file: BinaryIO, most: int = 2**20) -> None:
        """With more than `most` entries it is refused."""
        self._file = file
        self._size = file.seek(0, os.SEEK_END)
        self._left = MOST_READ * self._size
        start, length, self._shift = self._place_of_the_list()
        listed = self._read(start, length)
        self.entries: list[Entry] = []
        place = 0
        while place < length:
            if len(self.entries) == most:
                raise ZipError(f"it has more than {most:,} files")
            entry, place = _entry(listed, place)
            self.entries.append(entry)

    def parts(self, number: int) -> Iterator[bytes]:
        """The content of an entry, in pieces; a `ZipError` where it is damaged."""
        entry = self.entries[number]
        if entry.problem:
            raise ZipError(entry.problem)
        start = entry.start + self._shift
        mark, name_bytes, extra_bytes = LOCAL.unpack(self._read(start, LOCAL.size))
        if mark != b"PK\x03\x04":
            raise ZipError("is not where the zip says")
        start += LOCAL.size + name_bytes + extra_bytes
        found = 0
        for part in self._unpacked(entry, start):
            found = zlib.crc32(part, found)
            yield part
        if found != entry.checksum:
            raise ZipError("is damaged: its checksum is another one")

    def _unpacked(self, entry: Entry, start: int) -> Iterator[bytes]:
        end = min(start + entry.packed, self._size)
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        while start < end and not unpacking.eof:
            part = self._read(start, min(PART, end - start))
            start += len(part)
            self._left -= len(part)
            if self._left < 0:
                raise ZipError("lies over other files of its zip, as in no usual one")
            if entry.method == STORED:
                yield part
                continue
            while part and not unpacking.eof:
                try:
                    if content := unpacking.decompress(part, PART):
                        yield content
                except zlib.error as error:
                    raise ZipError(f"is damaged: {error}") from error
                part = unpacking.unconsumed_tail
        if entry.method == DEFLATED and not unpacking.eof:
            raise ZipError("is cut off")

    def _place_of_the_list(self) -> tuple[int, int, int]:
        """Where it begins, its bytes, and how many bytes stand before the zip."""
        first = max(0, self._size - END.size - LONGEST_COMMENT)
        tail = self._read(first, self._size - first)
        found = _end(tail)
        _, length, start, _ = END.unpack_from(tail, found)
        end = first + found
        if end >= LOCATOR.size:
            mark, end_64 = LOCATOR.unpack(self._read(end - LOCATOR.size, LOCATOR.size))
            # Of more than 65,535 entries the number alone is too wide, which is not read.
            if mark == b"PK\x06\x07":
                mark, length, start = END_64.unpack(self._read(end_64, END_64.size))
                end = end_64
        shift = end - length - start
        if shift < 0 or length > MOST_LIST:
            raise ZipError("it is no zip that can be read: its list of files is cut off, or too long")
        return start + shift, length, shift

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        found = self._file.read(length)
        if len(found) != length:
            raise ZipError("it is no zip that can be read: it is cut off")
        return found


def _end(tail: bytes) -> int:
    """Where the end of a zip is in its last bytes: a comment may look like one, and bytes may follow."""
    last, found = -1, len(tail)
    while (found := tail.rfind(b"PK\x05\x06", 0, found + 3)) >= 0:
        if len(tail) - found >= END.size:
            last = max(last, found)
            if found + END.size + END.unpack_from(tail, found)[3] == len(tail):
                return found
    if last < 0:
        raise ZipError("it is no zip that can be read: it is cut off, or none")
    return last


def _entry(listed: bytes, place: int) -> tuple[Entry, int]:
    """The entry at a place of the list, and where the next one begins."""
    try:
        found = ENTRY.unpack_from(listed, place)
    except struct.error:
        found = (b"",)
    if found[0] != b"PK\x01\x02":
        raise ZipError("it is no zip that can be read: its list of files is damaged")
    _, version, flags, method, checksum, packed, size, *rest = found
    name_bytes, extra_bytes, comment_bytes, modes, start = rest
    place += ENTRY.size
    raw, place = listed[place : place + name_bytes], place + name_bytes
    extra = listed[place : place + extra_bytes]
    packed, start = _wide(extra, packed, size, start)
    name, problem = _name(raw, flags)
    kind = stat.S_IFMT(modes >> 16)
    if kind == stat.S_IFLNK:
        problem = "is a link"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        problem = "is neither a file nor a folder"
    elif flags & ENCRYPTED:
        problem = "is encrypted"
    elif method not in (STORED, DEFLATED) or version > NEWEST:
        problem = "is compressed in an unusual way: use a usual zip"
    if kind == stat.S_IFDIR and not name.endswith("/"):
        name += "/"
    return Entry(name, problem, method, packed, checksum, start), place + extra_bytes + comment_bytes


def _wide(extra: bytes, packed: int, size: int, start: int) -> tuple[int, int]:
    """Bytes and place of an entry, from its field of 64 bits where there they are."""
    while len(extra) >= FIELD.size:
        number, length = FIELD.unpack_from(extra)
        field, extra = extra[FIELD.size : FIELD.size + length], extra[FIELD.size + length :]
        if number == SIZES:
            wide = [each for (each,) in struct.iter_unpack("<Q", field[: len(field) // 8 * 8])]
            values = [wide.pop(0) if each == WIDE and wide else each for each in (size, packed, start)]
            return values[1], values[2]
    return packed, start


def _name(raw: bytes, flags: int) -> tuple[str, str]:
    """A name, and what is wrong with it. Some archivers write UTF-8 and do not say so."""
    try:
        return raw.decode(), ""
    except UnicodeDecodeError:
        if flags & IN_UTF_8:
            return raw.decode("utf-8", "replace"), "is no name for a file: it is no UTF-8"
        return raw.decode(OLD_NAMES), ""


# ---- in a locked process


class Unpack(Message, kind=Kind.UNPACK, kw_only=True):
    """Read the zip that is stdin; the first request to a process that is nobody's."""

    most: Annotated[int, Held(int, least=1)]
    """Entries."""
    memory: Annotated[int, Held(int, least=1)]
    cpu: Annotated[int, Held(int, least=1)]
    user: Annotated[int | None, Held(int, or_none=True)] = None
    parent: Annotated[int | None, Held(int, or_none=True)] = None


class EntriesAsked(Message, kind=Kind.ENTRIES):
    """List the entries from that number on."""

    first: Annotated[int, Number("I")]


class ContentAsked(Message, kind=Kind.CONTENT):
    """Send the next part of an entry; of another one than before, the first."""

    number: Annotated[int, Number("I")]


class Listed(Message, kind=Kind.LISTED):
    """Entries of a zip, as many as fit: their names, and what is wrong with each."""

    names: Annotated[tuple[str, ...], Texts()]
    problems: Annotated[tuple[str, ...], Texts()]

    def require_sense(self) -> None:
        """As many of both."""
        if len(self.names) != len(self.problems):
            raise FrameError(f"{len(self.problems)} problems of {len(self.names)} entries")


class Part(Message, kind=Kind.PART):
    """Some of an entry's content."""

    content_part: Annotated[bytes, Raw()]


def serve(channel: Channel, frame: Frame) -> None:
    """Be locked, and answer what is asked of the zip that is stdin. The process ends here."""
    asked = Unpack.of(frame.content)
    try:
        channel.seal()
        policy.lock_down(
            policy.Policy(memory=asked.memory, cpu_seconds=asked.cpu, user=asked.user, parent=asked.parent)
        )
        with os.fdopen(0, "rb", buffering=0, closefd=False) as file:
            answers = _Answers(Zip(file, asked.most))
            answer: Message = messages.Done()
            while True:
                channel.send(Frame(answer.kind, frame.number, answer.content()))
                found = channel.receive(Kind.ENTRIES, Kind.CONTENT)
                if found is None:
                    break
                frame, answer = found, answers.to(found)
    except Exception as error:  # noqa: BLE001 - the referee learns of it, whatever it is
        said = str(error) if isinstance(error, ZipError) else error_line(error)
        fault = messages.Faulted("not loaded", said)
        channel.send(Frame(fault.kind, frame.number, fault.content()))
    os._exit(0)


class _Answers:
    """What is asked of a zip, piece by piece."""

    def __init__(self, held: Zip) -> None:
        self._held = held
        self._number, self._parts = -1, iter(())

    _parts: Iterator[bytes]

    def to(self, frame: Frame) -> Message:
        if frame.kind is Kind.ENTRIES:
            return _listed(self._held.entries, EntriesAsked.of(frame.content).first)
        number = ContentAsked.of(frame.content).number
        if number != self._number:
            self._number, self._parts = number, self._held.parts(number)
        try:
            part = next(self._parts, b"")
        except ZipError as error:
            self._number = -1
            return messages.Faulted("not loaded", str(error))
        if not part:
            self._number = -1
        return Part(part)


def _listed(entries: list[Entry], first: int) -> Listed:
    """Names from that entry on, as many as fit into a frame."""
    names, problems, left = list[str](), list[str](), MOST_LISTED
    for each in entries[first:]:
        name, problem = each.name, each.problem
        if len(name) > LONGEST_NAME:
            name, problem = name[:LONGEST_NAME].rstrip("/\\"), problem or TOO_LONG
        left -= len(json.dumps([name, problem], ensure_ascii=False).encode())
        if left < 0 and names:
            break
        names.append(name)
        problems.append(problem)
    return Listed(tuple(names), tuple(problems))
