r"""What a jailed process and its referee send each other: small binary frames over a pipe for each direction.

```text
 kind     1 byte    what it is
 length   4 bytes   of the content, little end first; at most MOST_BYTES
 number   8 bytes   of the request, counted from a number that nobody can guess; an answer repeats it
 content
```

From a jailed process anything may come. Nothing is believed of a frame but its form, which is checked.

>>> reader = FrameReader()
>>> reader.feed(Frame(Kind.LOAD, 7, b"{}").encoded())
>>> reader.next()
Frame(kind=<Kind.LOAD: 16>, number=7, content=b'{}')
>>> reader.next() is None
True
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from isolation_fast.exceptions import IsolationError

__all__ = ["MOST_BYTES", "Frame", "FrameError", "FrameReader", "Kind"]

MOST_BYTES: Final = 64 * 1024
HEADER: Final = struct.Struct("<BIQ")


class Kind(IntEnum):
    """Which frame it is: requests of the referee from 15 on, answers below."""

    READY = 1
    LOCKED = 2
    LOADED = 3
    DONE = 4
    MOVED = 5
    FAULT = 6
    MEASURED = 7

    ASSIGN = 15
    LOAD = 16
    GAME = 17
    SEARCH = 18
    MOVE = 19
    MEASURE = 20
    OUTLINE = 21


class FrameError(IsolationError):
    """Something else than a frame came."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One of them."""

    kind: Kind
    number: int
    content: bytes = b""

    def encoded(self) -> bytes:
        """Its bytes."""
        if len(self.content) > MOST_BYTES:
            raise FrameError(f"a frame holds at most {MOST_BYTES} bytes, not {len(self.content)}")
        return HEADER.pack(self.kind, len(self.content), self.number) + self.content


class FrameReader:
    """Takes bytes in whatever pieces they come, gives frames."""

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, content: bytes) -> None:
        """Take what came."""
        self._received += content

    def next(self) -> Frame | None:
        """The next frame, None while it is not complete; a `FrameError` if it cannot become one."""
        if len(self._received) < HEADER.size:
            return None
        kind, length, number = HEADER.unpack_from(self._received)
        if length > MOST_BYTES:
            raise FrameError(f"a frame of {length} bytes was announced, and {MOST_BYTES} are allowed")
        try:
            known = Kind(kind)
        except ValueError:
            raise FrameError(f"there is no frame of kind {kind}") from None
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
