"""The parts of the contents of frames: texts that can be shown, JSON with its right fields, moves."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import fields
from math import isfinite
from typing import Any, Final, TypeVar

from isolation_fast.jail.frames import FrameError, Kind
from isolation_fast.reports import Move

MOST_NAME: Final = 100
"""Bytes of a name."""
MOST_NAMES: Final = 64
"""In a list. Three lists fit into a frame whatever is in them."""

COUNT: Final = struct.Struct("<H")

_Field = TypeVar("_Field")


def shown_text(text: str, most: int) -> str:
    r"""The text with whatever cannot be shown written as an escape, cut to so many bytes of UTF-8.

    >>> shown_text("caf\xe9 \x1b[2J\udc80", 100), shown_text("\u2660" * 10, 12)
    ('café \\x1b[2J\\udc80', '♠♠♠...')
    """
    # Not more than can be of use is looked at: it may be long.
    text = text[: most + 1]
    if not text.replace("\n", "").isprintable():
        text = "".join(each if each.isprintable() or each == "\n" else _escaped(each) for each in text)
    if len(encoded := text.encode()) <= most:
        return text
    return encoded[: most - 3].decode(errors="ignore") + "..."


def json_object(content: bytes) -> dict[str, Any]:
    """A JSON object; a `FrameError` for whatever else the bytes may be.

    >>> json_object(b'{"stream": 7}')
    {'stream': 7}
    """
    try:
        held = json.loads(content.decode())
    except (ValueError, RecursionError):
        held = None
    if type(held) is not dict:
        raise FrameError("what should be a JSON object is none")
    return held


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_shown(text: object, most: int) -> bool:
    """Whether it is a text of one line, with nothing that a terminal would not show as it is."""
    return isinstance(text, str) and text.isprintable() and len(text.encode()) <= most


def json_bytes(held: Any) -> bytes:
    """As JSON. In ASCII, so that any path can be sent."""
    return json.dumps(held, separators=(",", ":")).encode()


def exact_object(content: bytes, kind: type) -> dict[str, Any]:
    """A JSON object with the fields of a class, no more and no fewer."""
    held = json_object(content)
    if held.keys() != {each.name for each in fields(kind)}:
        raise FrameError(f"it has other fields than those of {kind.__name__}")
    return held


def typed(held: dict[str, Any], name: str, kind: type[_Field]) -> _Field:
    """A field that is of exactly that type."""
    value = held[name]
    if type(value) is not kind:  # True would be an int
        raise FrameError(f"{name} is no {kind.__name__}")
    return value


def typed_or_none(held: dict[str, Any], name: str, kind: type[_Field]) -> _Field | None:
    """The same, or None."""
    return None if held[name] is None else typed(held, name, kind)


def texts(held: dict[str, Any], name: str) -> tuple[str, ...]:
    """A field that is a list of texts."""
    found = typed(held, name, list)
    if not all(type(each) is str for each in found):
        raise FrameError(f"{name} are no list of texts")
    return tuple(found)


def names(held: dict[str, Any], name: str) -> tuple[str, ...]:
    """A field that is a list of names, neither too many nor too long."""
    found = texts(held, name)
    if len(found) > MOST_NAMES or not all(is_shown(each, MOST_NAME) for each in found):
        raise FrameError(f"{name} are no list of at most {MOST_NAMES} names")
    return found


def text_of(content: bytes) -> str:
    """Bytes as a text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise FrameError("what should be a text is none") from None


def require_length(kind: Kind, content: bytes, least: int) -> None:
    """Refuse what is too short."""
    if len(content) < least:
        raise FrameError(f"a {kind.name} frame holds at least {least} bytes, not {len(content)}")


def require_milliseconds(ms: float) -> None:
    """Refuse what is no time."""
    if not (isfinite(ms) and ms >= 0):
        raise FrameError(f"a time is a number of milliseconds, not {ms}")


def packed_moves(moves: Iterable[Move]) -> bytes:
    """Moves as they are sent."""
    cells = [each for move in moves for each in move]
    return struct.pack(f"<H{len(cells)}H", len(cells) // 2, *cells)


def unpacked_moves(content: bytes, start: int) -> tuple[tuple[Move, ...], int]:
    """The moves that stand there, and where they end."""
    if len(content) >= start + COUNT.size:
        (count,) = COUNT.unpack_from(content, start)
        start += COUNT.size
        if len(content) >= start + 4 * count:
            cells = struct.unpack_from(f"<{2 * count}H", content, start)
            return tuple(zip(cells[::2], cells[1::2], strict=True)), start + 4 * count
    raise FrameError("the list of moves is cut off")
