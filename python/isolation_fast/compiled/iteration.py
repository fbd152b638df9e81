"""Loops over ranges, cells, lists and tuples; comprehensions and generators; targets.

`each` writes the loop. What can be walked once only is a `Stream`: it is walked where it is made, so nobody
sees whether it was made step by step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from isolation_fast.compiled import prelude
from isolation_fast.compiled.code import SMALL, Register
from isolation_fast.compiled.expressions import (
    item_of,
    items_of,
    listed,
    listed_if_alike,
    loaded,
    method_called,
    tuple_parts,
)
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import (
    METHODS,
    Body,
    Call,
    Lowering,
    Stream,
    builtin,
    expression,
    family,
    is_stream,
    stream,
)
from isolation_fast.compiled.names import Scope
from isolation_fast.compiled.operators import branch, operated
from isolation_fast.compiled.source import PYTHON
from isolation_fast.compiled.types import (
    CELL,
    GAME,
    INT,
    NEVER,
    NONE,
    NOTHING,
    NUMBERS,
    PLAYER,
    WHOLE,
    Form,
    Grouping,
    Known,
    Listing,
    Tuple,
    Type,
    Value,
    constant,
    is_plain,
    tuple_of,
)

LONGEST_WRITTEN_OUT: Final = 8
"""A loop over a tuple of more parts, all of one type, is one over a list."""
MOST_WRITTEN_OUT: Final = 64
"""So many turns of loops in one another are written out, if there is another way."""
MOST_TURNS: Final = 256
SHUFFLED: Final = "the order of a set matters here: sort it, or use a list"


def each(low: Lowering, value: Value, body: Body, *, ordered: bool = True) -> list[Edge]:
    """Write a loop over a value: the edges on which it has ended."""
    value = low.present(value)
    handler = METHODS.get((family(value.kind), "__iter__"))
    if handler is not None:
        value = handler(low, value, Call([]))
    kind = value.type
    if isinstance(kind, Known) and isinstance(kind.value, Stream):
        return kind.value.walk(low.here(body), ordered)
    parts = tuple_parts(low, value)
    if parts is not None:
        return _each_part(low, parts, body)
    if ordered and is_shuffled(kind):
        low.refuse("set", SHUFFLED)
    if isinstance(kind, (Listing, Grouping)):
        if kind.region.form < Form.LIST:
            kind.region.need(Form.CELLS)
            return _each_cell(low, value, body, ordered=ordered)
        return _each_item(low, value, body)
    low.unmixed(value, "a loop over what is sometimes one type, sometimes another: use two variables")
    if kind in NUMBERS or value.kind in NUMBERS or kind in (NONE, GAME, PLAYER):
        raise low.bail()
    return low.refuse("loop", f"a loop over {kind.label} is left to Python: loop over a list or a range")


def is_shuffled(kind: Type) -> bool:
    """Whether the order of what is walked over is that of a set."""
    return isinstance(kind, Grouping) or (isinstance(kind, Listing) and kind.region.is_shuffled)


def _in_any_order(low: Lowering, value: Value, body: Body, *, may_end: bool) -> list[Edge]:
    """A loop in any order, where that cannot matter: it adds up whole numbers and writes nothing else.

    Where it `may_end` early, nothing in it may raise. What an earlier round found otherwise is in order.
    """
    key = (low.site("in order"), "ordered")
    if low.facts.get(key, False):
        return each(low, value, body)
    effects, risks, before = low.unit.effects, low.risks, dict(low.reached())
    matters = False

    def watched(item: Value) -> None:
        nonlocal matters
        body(item)
        for name, after in (low.env or {}).items():
            first = before.get(name)
            if first is None or (first.row == after.row and first.type == after.type):
                continue
            if isinstance(after.type, Listing) and is_shuffled(value.type):
                # In whatever order lists are joined, the sum has the same items.
                after.type.region.note("shuffled")
            else:
                matters = matters or not _is_countable(after.type)

    exits = each(low, value, watched, ordered=False)
    if matters or effects != low.unit.effects or (may_end and low.risks != risks):
        low.facts.learn(key, True)
    return exits


@builtin(prelude.in_any_order)
def _walked_in_any_order(low: Lowering, call: Call) -> Value:
    items, *more = call.arguments
    return stream(lambda body, _ordered: _in_any_order(low, items, body, may_end=bool(more)))


@builtin(prelude.as_asked)
def _walked_as_asked(low: Lowering, call: Call) -> Value:
    (items,) = call.arguments
    _, ordered = low.consumers[low.scope.function]
    return stream(lambda body, _ordered: each(low, items, body, ordered=ordered))


@builtin(prelude.unordered)
def _walked_unordered(low: Lowering, call: Call) -> Value:
    (items,) = call.arguments
    is_set = isinstance(items.type, Grouping)
    return stream(lambda body, _ordered: each(low, items, body, ordered=not is_set))


def unless_seen(low: Lowering, loop: Callable[[bool], list[Edge]]) -> None:
    """Write a loop in any order; in order, if a round before wrote something in it that others see."""
    key, effects = low.site("in order"), low.unit.effects
    low.enter(loop(low.facts.get(key, False)))
    if effects != low.unit.effects:
        low.facts.learn(key, True)


def _is_countable(kind: Type) -> bool:
    """Whether the sum or the extreme of such values is the same in every order."""
    return all(letter == "i" for letter in kind.layout) and is_plain(kind)


def _each_part(low: Lowering, parts: tuple[Value, ...], body: Body) -> list[Edge]:
    """A loop over a tuple: its body once for each part, or over a list of them."""
    is_long = len(parts) > LONGEST_WRITTEN_OUT or low.written_out * len(parts) > MOST_WRITTEN_OUT
    if is_long and not low.scope.source.is_prelude:
        items = listed_if_alike(low, parts)
        if items is not None:
            return _each_item(low, items, body)
        if low.written_out * len(parts) > MOST_TURNS:
            low.refuse("loop", "a loop over a long tuple of different types: make it a list of one type")
    low.written_out *= max(len(parts), 1)
    for place, part in enumerate(parts):
        if low.env is None:
            break
        with low.turned(place):
            low.attempt(lambda part=part: body(part))  # type: ignore[misc]
    low.written_out //= max(len(parts), 1)
    return [] if low.env is None else [low.leave()]


def _each_item(low: Lowering, value: Value, body: Body) -> list[Edge]:
    """A loop over a list, which may change meanwhile."""
    assert isinstance(value.type, (Listing, Grouping))
    element = value.type.region.element
    if element is NEVER:
        return [low.leave()]
    index = low.copied(low.number(0))

    def turn(exits: list[Edge]) -> None:
        long = low.made("ListLen", value.one)
        exits.append(low.jump("JumpLeI", long, index))
        address = low.made("ListAt", value.one, index)
        low.emit("AddN", index, index, 1)
        body(loaded(low, element, address))

    return low.loop(low.site("items"), turn)


def _each_cell(low: Lowering, value: Value, body: Body, *, ordered: bool) -> list[Edge]:
    """A loop over cells: by index, or in the order of the board's list."""
    assert isinstance(value.type, (Listing, Grouping))
    if len(value.row) == 1 and isinstance(value.type, Listing):
        # This round has only their number.
        return [low.leave()]
    if ordered and value.type.region.is_filtered:
        value.type.region.need(Form.LIST)
    left, cell = low.copied(value.row[0]), low.fresh("i")
    if not ordered or value.asked:

        def pop(exits: list[Edge]) -> None:
            exits.append(low.jump("MaskPop", cell, left))
            body(Value(CELL, (cell,)))

        return low.loop(low.site("cells"), pop)
    return _each_move(low, value.row[1], left, cell, body)


def _each_move(low: Lowering, origin: Register, left: Register, cell: Register, body: Body) -> list[Edge]:
    """A loop over at most eight moves in the board's order, or over all cells from nowhere."""
    placed = low.pure("LeI", low.number(0), origin)
    packed = low.copied(low.number(0))
    unplaced = low.jump("JumpIfNot", placed)
    low.emit("PackMoves", packed, left, origin)
    low.enter([low.leave(), unplaced])

    def turn(exits: list[Edge]) -> None:
        by_index = low.jump("JumpIfNot", placed)
        exits.append(low.jump("NextPacked", cell, packed))
        on = low.leave()
        low.enter([by_index])
        exits.append(low.jump("MaskPop", cell, left))
        low.enter([on, low.leave()])
        body(Value(CELL, (cell,)))

    return low.loop(low.site("moves"), turn)


# ---- ranges and tests


@builtin(PYTHON.range)
def _range(low: Lowering, call: Call) -> Value:
    """`range` with a step that is known."""
    if call.named or not 1 <= len(call.arguments) <= 3:
        raise low.bail()
    bounds = [low.present(value) for value in call.arguments]
    if any(bound.kind not in WHOLE for bound in bounds):
        if all(bound.kind in NUMBERS and len(bound.kind.layout) == 1 for bound in bounds):
            raise low.bail()
        low.refuse("range", "range of what is no integer: use int(...) first")
    start, stop = (constant(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) == 3 else constant(1)
    if not step.is_constant:
        low.refuse("range", "range with a step that is not constant: write the step as a number")
    if int(step.constant) == 0 or abs(step.constant) >= SMALL:
        raise low.bail()
    return range_of(low, start, stop, int(step.constant))


def range_of(low: Lowering, start: Value, stop: Value, step: int) -> Value:
    """What walks over a range."""
    site = low.site("range")

    def walk(body: Body, _ordered: bool) -> list[Edge]:
        index, end = low.copied(low.one(start)), low.one(stop)

        def turn(exits: list[Edge]) -> None:
            exits.append(low.jump("JumpLeI", *((end, index) if step > 0 else (index, end))))
            item = low.copied(index)
            low.emit("AddN", index, index, step)
            body(Value(INT, (item,)))

        return low.loop(site, turn)

    return stream(walk, bounds=(start, stop, step))


@builtin(PYTHON.reversed)
def _reversed(low: Lowering, call: Call) -> Value:
    """`reversed` of a range, a tuple or a list."""
    items = low.present(*call.only(low))
    parts = tuple_parts(low, items)
    if parts is not None:
        return stream_of(low, parts[::-1])
    bounds = items.type.value.bounds if isinstance(items.type, Known) and is_stream(items) else None
    if bounds is not None and abs(bounds[2]) == 1:
        start, stop, step = bounds
        first, end = (operated(low, ast.Sub(), bound, constant(step)) for bound in (stop, start))
        return range_of(low, first, end, -step)
    if isinstance(items.type, Listing):
        if not items.type.region.need(Form.LIST):
            return stream_of(low, ())
        if items.type.region.is_shuffled:
            low.refuse("set", SHUFFLED)
        last = low.made("AddN", low.made("ListLen", items.one), -1)
        return low.prelude("backwards", items, Value(INT, (last,)))
    return low.refuse("reversed", f"reversed of {items.type.label}: use a list or a range")


def stream_of(low: Lowering, parts: tuple[Value, ...]) -> Value:
    """What gives these items once."""
    return stream(lambda body, _ordered: _each_part(low, parts, body), parts)


@builtin(PYTHON.zip)
def in_step(low: Lowering, call: Call) -> Value:
    """`zip` of tuples, or of lists that are walked by index."""
    if {name: value.constant for name, value in call.named.items()} not in ({}, {"strict": False}):
        low.refuse("zip", "zip with `strict`: do without")
    items = [low.present(value) for value in call.arguments]
    parts = [items_of(low, value) for value in items]
    if all(some is not None for some in parts):
        rows = zip(*(some or () for some in parts))  # noqa: B905 - Python's own stops at the shortest
        return stream_of(low, tuple(map(tuple_of, rows)))
    lists = [
        _to_be_zipped(low, *each, f"zip {place}") for place, each in enumerate(zip(items, parts, strict=True))
    ]
    known = [place for place, value in enumerate(lists) if isinstance(value.type, Tuple)]
    if len(known) > 1:
        low.refuse("zip", "zip of several lists of different things: write a loop over one of them")
    if any(is_shuffled(value.type) for value in lists):
        low.refuse("set", SHUFFLED)
    are_lists = [value.type.region.need(Form.LIST) for value in lists if isinstance(value.type, Listing)]
    if not all(are_lists):
        return stream_of(low, ())
    if not known:
        return low.prelude("zipped", tuple_of(tuple(lists)))
    before, after = lists[: known[0]], lists[known[0] + 1 :]
    return low.prelude("zipped_beside", lists[known[0]], tuple_of(tuple(before)), tuple_of(tuple(after)))


def _to_be_zipped(low: Lowering, value: Value, parts: tuple[Value, ...] | None, word: str) -> Value:
    """As a list, or as a tuple of what no list can hold."""
    if parts is not None:
        with low.turned(word):
            return listed_if_alike(low, parts) or tuple_of(parts)
    if is_stream(value):
        effects = low.unit.effects
        with low.turned(word):
            value = low.prelude("collected", value)
        if effects != low.unit.effects:
            low.refuse("zip", "what is zipped changes something on the way: make a list of it first")
    if not isinstance(value.type, Listing):
        low.refuse("zip", "zip of what is no list: make lists of it")
    return value


# ---- targets


def assign(low: Lowering, target: ast.expr, value: Value) -> None:
    """Bind a target, taking the value apart where it is a list of targets."""
    if isinstance(target, ast.Name):
        low.assign(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(low, target, value)
    elif isinstance(target, ast.Subscript):
        container = low.present(low.value(target.value))
        if isinstance(target.slice, ast.Slice):
            low.refuse("slice", "a slice is assigned: make a new list", target)
        index = low.value(target.slice)
        low.at = target
        method_called(low, container, "__setitem__", [index, value])
    else:
        low.refuse("assignment", "an attribute is assigned: use a variable", target)


def _unpack(low: Lowering, target: ast.Tuple | ast.List, value: Value) -> None:
    count = len(target.elts)
    value = low.present(value)
    items = items_of(low, value)
    if any(isinstance(one, ast.Starred) for one in target.elts):
        items = _with_rest(low, target, items)
    elif items is None and isinstance(value.type, Listing):
        long = method_called(low, value, "__len__", [])
        low.bail_if("JumpNeI", low.one(long), low.number(count))
        items = tuple(item_of(low, value, constant(place)) for place in range(count))
    if items is None:
        if value.kind in NUMBERS:
            raise low.bail()
        low.refuse("assignment", f"{value.type.label} is taken apart: take a tuple or a list apart", target)
    if len(items) != count:
        raise low.bail()
    for one, part in zip(target.elts, items, strict=True):
        assign(low, one.value if isinstance(one, ast.Starred) else one, part)


def _with_rest(
    low: Lowering, target: ast.Tuple | ast.List, items: tuple[Value, ...] | None
) -> tuple[Value, ...]:
    """The items for each target, those for the star as a list."""
    if items is None:
        low.refuse("assignment", "a star takes the rest of a list: name each part", target)
    place = next(place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred))
    after = len(target.elts) - place - 1
    if len(items) < place + after:
        raise low.bail()
    rest = listed(low, items[place : len(items) - after], "rest", target)
    return (*items[:place], rest, *items[len(items) - after :])


# ---- comprehensions and generators


@expression(ast.GeneratorExp)
def _generator(low: Lowering, node: ast.GeneratorExp) -> Value:
    """A generator, walked where it is made."""
    first = low.value(node.generators[0].iter)
    scope, path = low.scope, low.path

    def walk(body: Body, ordered: bool) -> list[Edge]:
        with low.within(scope, path):
            low.at = node
            return comprehended(low, node, first, lambda: body(low.value(node.elt)), ordered=ordered)

    return stream(walk)


def comprehended(
    low: Lowering,
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
    first: Value,
    write: Callable[[], None],
    *,
    ordered: bool,
) -> list[Edge]:
    """The loops of a comprehension, with what is done for each item; its names are its own."""
    path = low.unit.path(low.path, id(node))
    scope = Scope(path, node, low.scope.source, low.scope)

    def clause(place: int, items: Value) -> list[Edge]:
        generator = node.generators[place]
        if generator.is_async:
            low.refuse("async", "an asynchronous comprehension: leave `async` out", node)

        def body(item: Value) -> None:
            with low.within(scope, low.unit.path(low.path, place)):
                assign(low, generator.target, item)
                tested(list(generator.ifs), place)

        low.at = generator.iter
        return each(low, items, body, ordered=ordered)

    def tested(tests: list[ast.expr], place: int) -> None:
        if tests:
            true, false = branch(low, tests[0])
            where(low, (true, false), lambda: tested(tests[1:], place))
        elif place == len(node.generators) - 1:
            write()
        else:
            low.enter(clause(place + 1, low.value(node.generators[place + 1].iter)))

    low.enter(clause(0, first))
    low.forget(scope)
    return [] if low.env is None else [low.leave()]


def where(low: Lowering, ways: tuple[list[Edge], list[Edge]], write: Callable[[], None]) -> None:
    """Write something for the way on which a test is true."""
    true, false = ways
    low.enter(true)
    if low.env is not None:
        low.attempt(write)
    if low.env is not None:
        false = [*false, low.leave()]
    low.enter(false)


@expression(ast.Yield)
def _yield(low: Lowering, node: ast.Yield) -> Value:
    """`yield`: what walks over the generator takes the value from here."""
    value = NOTHING if node.value is None else low.value(node.value)
    low.at = node
    low.consumers[low.scope.function][0](value)
    low.reached()
    return NOTHING


@expression(ast.YieldFrom)
def _yield_from(low: Lowering, node: ast.YieldFrom) -> Value:
    """`yield from`: all that something else gives."""
    value = low.value(node.value)
    low.at = node
    low.enter(each(low, value, low.consumers[low.scope.function][0]))
    low.reached()
    return NOTHING
