"""Constants of a module as plain data: as they were, bounded, and of no other types."""

import json
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast.submission.constants import (
    DEEPEST,
    MOST_BITS,
    MOST_ITEMS,
    MOST_LETTERS,
    NoDataError,
    told_of,
    written,
)

KEYS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
DATA = st.recursive(
    KEYS,
    lambda each: st.lists(each) | st.lists(each).map(tuple) | st.dictionaries(KEYS, each),
    max_leaves=20,
)


class Integer(int):
    pass


class Listing(list[int]):
    pass


def cycle() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


def nested(depth: int) -> list[Any]:
    items: list[Any] = []
    for _ in range(depth):
        items = [items]
    return items


@given(DATA)
def test_what_is_told_is_what_was_written(value: object) -> None:
    told = told_of(json.loads(json.dumps(written(value))))
    assert repr(told) == repr(value)


def test_floats_are_told_to_the_bit() -> None:
    assert repr(told_of(written([nan, inf, -inf, -0.0, 0.1]))) == "[nan, inf, -inf, -0.0, 0.1]"


@pytest.mark.parametrize(
    "value",
    [
        Integer(1),
        Listing(),
        {1, 2},
        1j,
        len,
        cycle(),
        nested(DEEPEST + 1),
        1 << MOST_BITS,
        "a" * (MOST_LETTERS + 1),
        [0] * MOST_ITEMS,
        [[0] * 100] * 100,
        {(1, Integer(2)): 3},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_plain_data_or_too_much_is_not_written(value: object) -> None:
    with pytest.raises(NoDataError):
        written(value)


@pytest.mark.parametrize(
    "content",
    [
        1.5,
        {"a": 1},
        [],
        ["set", 1],
        ["float", "x"],
        ["float"],
        ["dict", 1],
        ["dict", ["list"], 1],
        ["why", "it is secret"],
        [["list"]],
        nested(DEEPEST + 2),
        ["list", *range(MOST_ITEMS)],
    ],
    ids=str,
)
def test_what_nobody_writes_is_refused(content: object) -> None:
    with pytest.raises(NoDataError):
        told_of(content)
