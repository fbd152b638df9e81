"""Objects of a module as values: lists, sets, dicts, and functions that were given something."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from isolation_fast.compiled.expressions import CONSTANTS, in_data, value_of
from isolation_fast.compiled.lists import fixed_if_mixed, kept_as
from isolation_fast.compiled.lowering import LASTING, Call, Lowering
from isolation_fast.compiled.modules import partial_of
from isolation_fast.compiled.sets import hold_pair, plain_item
from isolation_fast.compiled.types import Container, Grouping, Listing, Mapping, Region, Value, tuple_of


def _region(low: Lowering, found: Any, word: str) -> Region:
    """That of a list, set or dict of a module, which the guard watches and nobody changes."""
    low.scope.source.constant(found)
    region = low.unit.region(("module", id(found), word))
    if region.is_changed:
        low.refuse("global", LASTING)
    region.note("lasting")
    return region


def _constant_list(low: Lowering, found: list[Any]) -> Value:
    region = _region(low, found, "list")
    values = [value_of(low, item, "an item of a list") for item in found]
    return fixed_if_mixed(values) or _in_data(low, Listing(region), values)


def _in_data(low: Lowering, kind: Container, values: list[Value]) -> Value:
    """A list, set or dict of these, in the program's data."""
    for value in values:
        low.hold(kind.region, value.type)
    kept = in_data(low, kind.region, values)
    if kept is None:
        if not low.facts.have_changed:
            low.refuse(
                "constant", f"{kind.label} of the module holds more than numbers, texts, tuples and lists"
            )
        kept = low.number(0)
    return kept_as(low, kind, kept)


def _constant_set(low: Lowering, found: Any) -> Value:
    region = _region(low, found, "set")
    if isinstance(found, frozenset):
        region.note("frozen")
    values = [plain_item(low, value_of(low, item, "an item of a set")) for item in found]
    return _in_data(low, Grouping(region), values)


def _constant_dict(low: Lowering, found: dict[Any, Any]) -> Value:
    region = _region(low, found, "dict")
    pairs = []
    for key, value in found.items():
        pair = value_of(low, key, "a key of a dict"), value_of(low, value, "a value of a dict")
        hold_pair(low, region, *pair)
        pairs.append(tuple_of(pair))
    return _in_data(low, Mapping(region), pairs)


def _constant_partial(low: Lowering, found: Any) -> Value:
    read = low.scope.source.guard.read
    function, given, named = (read(found, getattr, name) for name in ("func", "args", "keywords"))
    low.scope.source.constant((given, named))
    parts = [value_of(low, each, "an argument of a partial") for each in (function, *given)]
    return partial_of(low, Call(parts, {name: value_of(low, each, name) for name, each in named.items()}))


def _constant_getter(low: Lowering, found: Any) -> Value:
    return low.prelude("item_getter", value_of(low, found.__reduce__()[1], "itemgetter"))


CONSTANTS.update({list: _constant_list, set: _constant_set, frozenset: _constant_set, dict: _constant_dict})
CONSTANTS.update({partial: _constant_partial, operator.itemgetter: _constant_getter})
