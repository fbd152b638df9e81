r"""What a child process and the one that started it send each other: small binary frames, a pipe each way.

```text
 kind     1 byte    what it is
 length   4 bytes   of the content, little end first; at most MOST_BYTES for a jailed process
 number   8 bytes   of the request, counted from a number that nobody can guess; an answer repeats it
 content
```

From a child that runs other people's code anything may come. Only the form of a frame is trusted, once it
has been checked.

A content is a `Message`: a dataclass whose fields declare its bytes. It begins with the numbers among the
fields, packed in their order, little end first. Then come moves: their count and the row and column of each,
16 bits a number. The rest is a text, bytes, or the other fields as a JSON object with exactly these names.
Anything else is a `FrameError`.

>>> reader = FrameReader()
>>> reader.feed(Frame(Kind.LOAD, 7, b"{}").encoded())
>>> reader.next()
Frame(kind=<Kind.LOAD: 16>, number=7, content=b'{}')
>>> reader.next() is None
True
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cache
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_type_hints

from isolation_fast.exceptions import IsolationError
from isolation_fast.reports import Move

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:  # which Python has from 3.11 on

    def dataclass_transform(**_: object) -> Any:  # noqa: D103
        return lambda base: base


MOST_BYTES: Final = 64 * 1024
"""Of a content, where its sender is not trusted."""

MOST_NAME: Final = 100
"""Bytes of a name."""

HEADER: Final = struct.Struct("<BIQ")
COUNT: Final = struct.Struct("<H")


class Kind(IntEnum):
    """What a frame is: answers below 15, requests from there on. `serving.rs` repeats some numbers."""

    READY = 1
    LOCKED = 2
    LOADED = 3
    DONE = 4
    MOVED = 5
    FAULT = 6
    MEASURED = 7
    READ = 8
    VALUES = 9
    REPORTED = 10
    FORKED = 11
    ENDED = 12
    LISTED = 13
    PART = 14

    ASSIGN = 15
    LOAD = 16
    GAME = 17
    SEARCH = 18
    MOVE = 19
    MEASURE = 20
    OUTLINE = 21
    PLAY = 22
    FORK = 23
    END = 24
    KEY = 25
    CALL = 26
    READING = 27
    EVALUATE = 28
    CONSTANTS = 29
    UNPACK = 30
    ENTRIES = 31
    CONTENT = 32


class FrameError(IsolationError):
    """Something else than a frame came."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A kind, the number of a request, and a content."""

    kind: Kind
    number: int
    content: bytes = b""

    def encoded(self, most: int = MOST_BYTES) -> bytes:
        """Its bytes; a `FrameError` if the content has more than `most`."""
        if len(self.content) > most:
            raise FrameError(f"a frame holds at most {most} bytes, not {len(self.content)}")
        return HEADER.pack(self.kind, len(self.content), self.number) + self.content


class FrameReader:
    """Takes bytes in whatever pieces they come, gives frames."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._received, self._most = bytearray(), most

    def feed(self, content: bytes) -> None:
        """Take what came."""
        self._received += content

    def next(self, wanted: int | None = None) -> Frame | None:
        """The next frame, None while it is not complete; a `FrameError` if it cannot become one.

        With the number that is `wanted`, another one is refused at once: a forged head must not make its
        reader wait for the content that it announces.
        """
        if len(self._received) < HEADER.size:
            return None
        kind, length, number = HEADER.unpack_from(self._received)
        if length > self._most:
            raise FrameError(f"a frame of {length} bytes was announced, and {self._most} are allowed")
        try:
            known = Kind(kind)
        except ValueError:
            raise FrameError(f"there is no frame of kind {kind}") from None
        if wanted is not None and number != wanted:
            raise FrameError("sent an answer with another number than that of the request")
        end = HEADER.size + length
        if len(self._received) < end:
            return None
        content = bytes(self._received[HEADER.size : end])
        del self._received[:end]
        return Frame(known, number, content)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left over."""
        return not self._received


class Channel:
    """The child's side of the pipes. It never reads ahead: what follows a frame may be for another reader."""

    def __init__(self, requests: int, answers: int, most: int = MOST_BYTES) -> None:
        self.requests = requests
        self._answers, self._most = answers, most
        for descriptor in (requests, answers):
            # What this process starts must not hold its pipes open.
            os.set_inheritable(descriptor, False)

    def seal(self) -> None:
        """Let nobody open the pipes again by `/proc/self/fd`: the referee alone has an end for requests."""
        for descriptor in (self.requests, self._answers):
            os.fchmod(descriptor, 0)

    def send(self, frame: Frame) -> None:
        """Write a frame whole."""
        content = memoryview(frame.encoded(self._most))
        while content:
            content = content[os.write(self._answers, content) :]

    def receive(self, *kinds: Kind) -> Frame | None:
        """The next request, which must be of one of these kinds; None where the pipe ends."""
        header = self._exactly(HEADER.size)
        if header is None:
            return None
        found, length, number = HEADER.unpack(header)
        if found not in kinds or length > self._most:
            raise FrameError(f"the request is {kinds[0].name}, not one of kind {found}")
        content = self._exactly(length)
        return None if content is None else Frame(Kind(found), number, content)

    def _exactly(self, length: int) -> bytes | None:
        content = bytearray()
        while len(content) < length:
            part = os.read(self.requests, length - len(content))
            if not part:
                return None
            content += part
        return bytes(content)


# ---- what a field can be: `_sent` gives what is packed, `_taken` the value of what came, or a `FrameError`


class Number:
    """A number of this code of `struct`. With `or_none` a 0 is None, and what is too large is the largest."""

    def __init__(self, code: str, *, or_none: bool = False) -> None:
        self.code, self.or_none = code, or_none
        self.largest = 256 ** struct.calcsize(f"<{code}") - 1

    def _sent(self, value: Any) -> Any:
        return min(value or 0, self.largest) if self.or_none else value

    def _taken(self, name: str, number: Any) -> Any:  # noqa: ARG002 - others name the field
        return (number or None) if self.or_none else number


class Milliseconds(Number):
    """A time."""

    def __init__(self, *, or_none: bool = False) -> None:
        super().__init__("d", or_none=or_none)

    def _taken(self, name: str, number: Any) -> Any:
        if not (isfinite(number) and number >= 0):
            raise FrameError(f"{name} is a number of milliseconds, not {number}")
        return super()._taken(name, number)


class Choice(Number):
    """One of some values, by its number; and of those only the `allowed` ones."""

    def __init__(self, values: tuple[Any, ...], allowed: frozenset[Any] | None = None) -> None:
        super().__init__("B")
        self.values, self.allowed = values, frozenset(values) if allowed is None else allowed

    def _sent(self, value: Any) -> Any:
        return self.values.index(value)

    def _taken(self, name: str, number: Any) -> Any:
        if number >= len(self.values) or self.values[number] not in self.allowed:
            raise FrameError(f"{name} number {number} is none that a process may send")
        return self.values[number]


class Moves:
    """Moves, after the numbers."""


class Rest:
    """A text that takes what is left."""


class Raw(Rest):
    """Bytes that do."""


@dataclass(eq=False, repr=False)
class Held:
    """A value in the JSON object: of exactly that type, and a number within bounds; or one `among` some."""

    kind: type
    or_none: bool = False
    least: int | None = None
    most: int = 2**64 - 1
    among: tuple[str | None, ...] | None = None

    def _sent(self, value: Any) -> Any:
        return value

    def _taken(self, name: str, value: Any) -> Any:
        if self.among is not None and value not in self.among:
            raise FrameError(f"{name} is one of {self.among}")
        if value is None and (self.or_none or self.among is not None):
            return None
        if type(value) is not self.kind:  # True would be an int
            raise FrameError(f"{name} is no {self.kind.__name__}")
        if self.least is not None and not (isinstance(value, int) and self.least <= value <= self.most):
            raise FrameError(f"{name} is a number from {self.least} to {self.most}, not {value}")
        return value


class Shown(Held):
    """A text of at most so many bytes that a terminal shows as it is: of one line, or of several."""

    def __init__(self, most: int, *, lines: bool = False, or_none: bool = False) -> None:
        super().__init__(str, or_none=or_none, most=most)
        self.lines = lines

    def _sent(self, value: Any) -> Any:
        if value is None:
            return None
        shown = shown_text(value, self.most)
        return shown if self.lines else shown.replace("\n", " ")

    def _taken(self, name: str, value: Any) -> Any:
        if (text := super()._taken(name, value)) is None:
            return None
        if not (text.replace("\n", "") if self.lines else text).isprintable():
            raise FrameError(f"{name} holds what is no text to be shown")
        if len(text.encode()) > self.most:
            raise FrameError(f"{name} has at most {self.most} bytes")
        return text


class Texts(Held):
    """A list of texts."""

    def __init__(self) -> None:
        super().__init__(list)

    def _taken(self, name: str, value: Any) -> Any:
        found = super()._taken(name, value)
        if not all(type(each) is str for each in found):
            raise FrameError(f"{name} is no list of texts")
        return tuple(found)


class Integers(Held):
    """A list of at most so many integers. More are not sent."""

    def __init__(self, most: int) -> None:
        super().__init__(list, most=most)

    def _sent(self, value: Any) -> Any:
        return list(value[: self.most])

    def _taken(self, name: str, value: Any) -> Any:
        found = super()._taken(name, value)
        if len(found) > self.most or not all(type(each) is int and abs(each) < 2**63 for each in found):
            raise FrameError(f"{name} is no list of at most {self.most} integers")
        return tuple(found)


class Names(Texts):
    """A list of at most so many names. Others are not sent. With `dotted` each is one of Python's."""

    def __init__(self, most: int, *, dotted: bool = False, of: frozenset[str] | None = None) -> None:
        super().__init__()
        self.most, self.dotted, self.of = most, dotted, of

    def _sent(self, value: Any) -> Any:
        return [each for each in value if self._fits(each)][: self.most]

    def _taken(self, name: str, value: Any) -> Any:
        found = super()._taken(name, value)
        if len(found) > self.most or not all(map(self._fits, found)):
            raise FrameError(f"{name} is no list of at most {self.most} names")
        return found

    def _fits(self, text: str) -> bool:
        if self.of is not None and text not in self.of:
            return False
        named = not self.dotted or all(each.isidentifier() for each in text.split("."))
        return named and text.isprintable() and len(text.encode()) <= MOST_NAME


def shown_text(text: str, most: int) -> str:
    """The text with an escape for what cannot be shown, cut to so many bytes of UTF-8."""
    # Not more than can be of use is looked at: it may be long.
    text = text[: most + 1]
    if not text.replace("\n", "").isprintable():
        text = "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)
    if len(encoded := text.encode()) <= most:
        return text
    return encoded[: most - 3].decode(errors="ignore") + "..."


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# ---- from fields to bytes


class _Form:
    """The parts of a content, as the fields of a class declare them."""

    def __init__(self, message: type[Message]) -> None:
        hints = get_type_hints(message, include_extras=True)
        parts = {each.name: hints[each.name].__metadata__[0] for each in fields(message)}  # type: ignore[arg-type]
        self.message = message
        self.numbers = {name: part for name, part in parts.items() if isinstance(part, Number)}
        self.moves = next((name for name, part in parts.items() if isinstance(part, Moves)), None)
        self.rest = next((name for name, part in parts.items() if isinstance(part, Rest)), None)
        self.is_raw = any(isinstance(part, Raw) for part in parts.values())
        self.held = {name: part for name, part in parts.items() if isinstance(part, Held)}
        self.struct = struct.Struct("<" + "".join(part.code for part in self.numbers.values()))

    def content(self, message: Message) -> bytes:
        content = self.struct.pack(*_sent(self.numbers, message).values())
        if self.moves is not None:
            cells = list(chain.from_iterable(getattr(message, self.moves)))
            content += struct.pack(f"<H{len(cells)}H", len(cells) // 2, *cells)
        if self.rest is not None:
            rest = getattr(message, self.rest)
            content += rest if isinstance(rest, bytes) else rest.encode()
        if self.held:
            held = _sent(self.held, message)
            try:  # Names as they are: escapes would make them longer than a frame.
                content += json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode()
            except UnicodeEncodeError:  # With escapes any path can be sent.
                content += json.dumps(held, separators=(",", ":")).encode()
        return content

    def values(self, content: bytes) -> dict[str, Any]:
        start, length = self.struct.size, len(content)
        ends = self.moves is None and self.rest is None and not self.held
        if length < start or (ends and length > start):
            holds = f"{start} bytes" if ends else f"at least {start} bytes"
            raise FrameError(f"a {self.message.kind.name} frame holds {holds}, not {length}")
        values = _taken(self.numbers, dict(zip(self.numbers, self.struct.unpack_from(content), strict=True)))
        if self.moves is not None:
            values[self.moves], start = _moves(content, start)
        if self.rest is not None:
            try:
                values[self.rest] = content[start:] if self.is_raw else content[start:].decode()
            except UnicodeDecodeError:
                raise FrameError("what should be a text is none") from None
        elif self.held:
            held = _json_object(content[start:])
            if held.keys() != self.held.keys():
                raise FrameError(f"it has other fields than those of {self.message.__name__}")
            values |= _taken(self.held, held)
        elif start != length:
            raise FrameError(f"{length - start} bytes follow the moves")
        return values


_form: Final[Callable[[Any], _Form]] = cache(_Form)


def _sent(parts: Mapping[str, Number | Held], message: Message) -> dict[str, Any]:
    return {name: part._sent(getattr(message, name)) for name, part in parts.items()}


def _taken(parts: Mapping[str, Number | Held], values: dict[str, Any]) -> dict[str, Any]:
    return {name: part._taken(name, values[name]) for name, part in parts.items()}


def _moves(content: bytes, start: int) -> tuple[tuple[Move, ...], int]:
    """The moves that stand there, and where they end."""
    try:
        (count,) = COUNT.unpack_from(content, start)
        cells = struct.unpack_from(f"<{2 * count}H", content, start + COUNT.size)
    except struct.error:
        raise FrameError("the list of moves is cut off") from None
    return tuple(zip(cells[::2], cells[1::2], strict=True)), start + COUNT.size + 4 * count


def _json_object(content: bytes) -> dict[str, Any]:
    try:
        held = json.loads(content.decode())
    except (ValueError, RecursionError):
        held = None
    if type(held) is not dict:
        raise FrameError("what should be a JSON object is none")
    return held


@dataclass_transform(eq_default=False)
class Message:
    """What a frame of one kind holds: a dataclass, each of whose fields is annotated with its part."""

    kind: ClassVar[Kind]

    def __init_subclass__(cls, *, kind: Kind, kw_only: bool = False) -> None:
        # Only `__init__`: the rest, of twenty of them, would take a twentieth of the start of a process.
        dataclass(eq=False, repr=False, kw_only=kw_only)(cls)
        cls.kind = kind

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((self.kind, *vars(self).values()))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"

    def content(self) -> bytes:
        """As it is sent."""
        return _form(type(self)).content(self)

    @classmethod
    def prepare(cls) -> None:
        """Read the fields of all kinds now, while `sys.modules` still has what their annotations name."""
        for each in cls.__subclasses__():
            _form(each)

    @classmethod
    def of(cls, content: bytes) -> Self:
        """As it came; a `FrameError` for what is no content of this kind."""
        found = cls(**_form(cls).values(content))
        found.require_sense()
        return found

    def require_sense(self) -> None:
        """A `FrameError` where the fields contradict each other."""
