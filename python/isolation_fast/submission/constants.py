"""Constants that the text of a module does not tell: written where it was imported, and read elsewhere.

Numbers, texts, tuples, lists and dicts, of these very types. The process that writes them runs the
submission, so they may be anything: what is read is bounded, and data that lies makes another heuristic.

>>> told = told_of(written((1, [2.5, "a"], {True: None})))
>>> told
(1, [2.5, 'a'], {True: None})
>>> written({1, 2})
Traceback (most recent call last):
...
isolation_fast.submission.constants.NoDataError: it is a set, and no plain data
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

MOST_ITEMS: Final = 4_096
"""In all: as many as a program has data."""
MOST_LETTERS: Final = 4_096
MOST_BITS: Final = 4_096
DEEPEST: Final = 16
SINGLE: Final = (bool, str, type(None))
MANY: Final[dict[str, type]] = {"tuple": tuple, "list": list, "dict": dict}


class NoDataError(Exception):
    """Why a value is not told."""


def written(value: Any) -> Any:
    """As JSON holds it; a `NoDataError` for what is no plain data, or too much."""
    return _written(value, [MOST_ITEMS], 0)


def _written(value: Any, left: list[int], depth: int) -> Any:
    kind = type(value)
    left[0] -= 1
    if left[0] < 0 or depth > DEEPEST:
        raise NoDataError("it is too large, or nested too deep")
    if kind is float:
        return ["float", value.hex()]
    if kind is int and value.bit_length() <= MOST_BITS:
        return value
    if kind in SINGLE and (kind is not str or len(value) <= MOST_LETTERS):
        return value
    if kind in (int, str) or (kind in MANY.values() and len(value) > left[0]):
        raise NoDataError("it is too large, or nested too deep")
    if kind not in MANY.values():
        raise NoDataError(f"it is a {kind.__name__}, and no plain data")
    items = chain.from_iterable(value.items()) if kind is dict else value
    return [kind.__name__, *(_written(each, left, depth + 1) for each in items)]


def told_of(content: Any) -> Any:
    """The value that was written; a `NoDataError` where none was."""
    return _told_of(content, [MOST_ITEMS], 0)


def _told_of(content: Any, left: list[int], depth: int) -> Any:
    left[0] -= 1
    if left[0] < 0 or depth > DEEPEST:
        raise NoDataError("it is too large, or nested too deep")
    if type(content) in (*SINGLE, int):
        return content
    try:
        kind, *items = content
        if kind == "why":
            raise NoDataError(str(*items))
        if kind == "float":
            (number,) = items
            return float.fromhex(number)
        made = [_told_of(each, left, depth + 1) for each in items]
        return dict(zip(made[::2], made[1::2], strict=True)) if kind == "dict" else MANY[kind](made)
    except (TypeError, ValueError, KeyError, OverflowError):
        raise NoDataError("what was told of it is no plain data") from None
