"""What a loop walks over: ranges, cells, lists, tuples, and what `zip`, `map`, comprehensions make of them.

`each` writes the loop. What can be walked once only, such as a generator, is a `Stream`: it is walked where
it is made, so nobody sees whether it was made step by step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

from isolation_fast.compiled.arithmetic import operated
from isolation_fast.compiled.assembly import SMALL
from isolation_fast.compiled.calls import called
from isolation_fast.compiled.conditions import branch, truth
from isolation_fast.compiled.elements import loaded
from isolation_fast.compiled.flow import Edge, Key
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import METHODS, Call, builtin, expression, family
from isolation_fast.compiled.targets import assign
from isolation_fast.compiled.types import (
    CELL,
    GAME,
    INT,
    NEVER,
    NONE,
    NUMBERS,
    PLAYER,
    WHOLE,
    Grouping,
    Known,
    Listing,
    Region,
    Type,
)
from isolation_fast.compiled.values import Stream, Value, known, number, tuple_of

Body = Callable[[Value], None]
Walk = Callable[[Lowering, Hashable, Body, Iterable[Key], bool], list[Edge]]
"""Writes a loop: its key, what is done with each item, the variables assigned, whether the order matters."""

LONGEST_UNROLLED: Final = 32
SHUFFLED: Final = "the order of a set matters here: sort it, or use a list"


def stream(walk: Walk) -> Value:
    """The value of what can be walked over once."""
    return known(Stream(walk), "an iterator")


def stream_of(parts: tuple[Value, ...]) -> Value:
    """The value of what gives these items once."""

    def walk(
        low: Lowering, key: Hashable, body: Body, _variables: Iterable[Key], _ordered: bool
    ) -> list[Edge]:
        return _unrolled(low, parts, key, body)

    return known(Stream(walk, tuple(parts)), "an iterator")


def each(
    low: Lowering,
    value: Value,
    key: Hashable,
    body: Body,
    variables: Iterable[Key] = (),
    *,
    ordered: bool = True,
) -> list[Edge]:
    """Write a loop over a value: the edges on which it has ended."""
    value = _walkable(low, value, ordered)
    kind = value.type
    if isinstance(kind, Known) and isinstance(kind.value, Stream):
        return kind.value.walk(low, key, body, variables, ordered)
    if value.parts is not None:
        return _unrolled(low, value.parts, key, body)
    if isinstance(kind, Listing):
        if kind.region.element is NEVER and not kind.region.cells:
            return [low.leave()]
        if kind.region.cells:
            return _cells(low, value, key, body, variables, ordered)
        return _list(low, value, key, body, variables)
    if kind in NUMBERS or kind is NONE or kind in (GAME, PLAYER):
        raise low.bail()
    return low.refuse("loop", f"a loop over {kind.label} is left to Python: loop over a list or a range")


def _walkable(low: Lowering, value: Value, ordered: bool) -> Value:
    """What is walked over as a tuple, a list or a stream, if it is something of that kind."""
    value = low.settled(low.present(value))
    handler = METHODS.get((family(value.type), "__iter__"))
    if handler is not None:
        at: Any = low.at
        return handler(low, value, Call(at, [], {}))
    if ordered and is_shuffled(value.type):
        low.refuse("set", SHUFFLED)
    if isinstance(value.type, Grouping):
        return as_list(low, value)
    return low.pair(value) if value.type is CELL else value


def is_shuffled(kind: Type) -> bool:
    """Whether the order of what is walked over is that of a set."""
    return isinstance(kind, Grouping) or (isinstance(kind, Listing) and kind.region.root().shuffled)


def written(low: Lowering, key: Hashable, items: Value, region: Region, loop: Callable[[bool], bool]) -> None:
    """Fill a list in order; from a set in any, which is noted of the list."""
    if is_shuffled(items.type):
        region.shuffle()
        low.in_any_order(key, loop)
    else:
        loop(True)


def as_list(low: Lowering, value: Value) -> Value:
    """A set as a list that has what is in it, each once."""
    assert isinstance(value.type, Grouping)
    kind = Listing(region=value.type.region)
    row = low.row(value)
    return Value(kind, (*row, low.constant_register("ConstI", -1, "i")) if kind.region.cells else row)


def _unrolled(low: Lowering, parts: tuple[Value, ...], key: Hashable, body: Body) -> list[Edge]:
    """A loop over a tuple: its body once for each part."""
    del key
    if len(parts) > LONGEST_UNROLLED:
        low.refuse("loop", "a loop over a long tuple: make it a list")
    for part in parts:
        if low.env is None:
            break
        low.attempt(lambda part=part: body(part))  # type: ignore[misc]
    return [] if low.env is None else [low.leave()]


def _counter(low: Lowering, start: int) -> int:
    """A register that a loop counts in."""
    register = low.copy(start)
    low.rewritten.add(register)
    return register


def _list(low: Lowering, value: Value, key: Hashable, body: Body, variables: Iterable[Key]) -> list[Edge]:
    """A loop over a list, which may change meanwhile."""
    handle = low.one(value)
    index = _counter(low, low.constant_register("ConstI", 0, "i"))

    def turn(exits: list[Edge]) -> None:
        length = low.made("ListLen", handle)
        exits.append(low.jump("JumpLeI", length, index))
        address = low.made("ListAt", handle, index)
        low.emit("AddN", index, index, 1)
        assert isinstance(value.type, Listing)
        body(loaded(low, value.type.region.element, address))

    return low.loop(key, turn, variables)


def _cells(
    low: Lowering, value: Value, key: Hashable, body: Body, variables: Iterable[Key], ordered: bool
) -> list[Edge]:
    """A loop over cells: by index, or in the order of the board's list."""
    assert isinstance(value.type, Listing)
    mask, origin = low.row(value)
    natural = value.asked is not None and value.asked[0] == "Blank"
    if ordered and not natural and value.type.region.filtered:
        value.type.region.spell_out()
    left = low.copy(mask)
    cell = low.fresh("i")
    low.rewritten |= {left, cell}
    if natural or not ordered:

        def pop(exits: list[Edge]) -> None:
            exits.append(low.jump("MaskPop", cell, left))
            body(Value(CELL, (cell,)))

        return low.loop(key, pop, variables)
    placed = low.pure("LeI", low.constant_register("ConstI", 0, "i"), origin)
    packed = low.fresh("i")
    low.rewritten.add(packed)
    low.copy(low.constant_register("ConstI", 0, "i"), packed)
    before = dict(low.reached())
    unplaced = low.jump("JumpIfNot", placed)
    low.emit("PackMoves", packed, left, origin)
    low.enter([low.leave(), unplaced])
    low.env = before

    def turn(exits: list[Edge]) -> None:
        env = dict(low.reached())
        by_index = low.jump("JumpIfNot", placed)
        exits.append(low.jump("NextPacked", cell, packed))
        on = low.leave()
        low.enter([by_index])
        exits.append(low.jump("MaskPop", cell, left))
        low.enter([on, low.leave()])
        low.env = env
        body(Value(CELL, (cell,)))

    return low.loop(key, turn, variables)


# ---- ranges and what is made of others


def _range(low: Lowering, call: Call) -> Value:
    """`range` with a step that is known."""
    if call.named or not 1 <= len(call.arguments) <= 3:
        raise low.bail()
    bounds = [low.present(low.settled(value)) for value in call.arguments]
    if any(bound.type not in WHOLE for bound in bounds):
        if all(bound.type in NUMBERS for bound in bounds) and not any(
            bound.type.layout == "if" for bound in bounds
        ):
            raise low.bail()
        low.refuse("range", "range of what is no integer: use int(...) first")
    start, stop = (number(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = (
        bounds[2].constant if len(bounds) == 3 and bounds[2].is_constant else 1 if len(bounds) < 3 else None
    )
    if step == 0:
        raise low.bail()
    if step is None or not isinstance(step, int) or abs(step) >= SMALL:
        low.refuse("range", "range with a step that is not constant, or very large: write a small number")

    def walk(
        low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], _ordered: bool
    ) -> list[Edge]:
        index = _counter(low, low.one(start))
        end = low.one(stop)

        def turn(exits: list[Edge]) -> None:
            exits.append(low.jump("JumpLeI", *((end, index) if step > 0 else (index, end))))
            item = low.copy(index)
            low.emit("AddN", index, index, int(step))
            body(Value(INT, (item,)))

        return low.loop(key, turn, variables)

    return known(Range(walk, start, stop, int(step)), "an iterator")


class Range(Stream):
    """A range, which has a length too."""

    def __init__(self, walk: Walk, start: Value, stop: Value, step: int) -> None:
        super().__init__(walk)
        self.start, self.stop, self.step = start, stop, step


BUILTIN_RANGE: Final = builtin(range)(_range)


@builtin(enumerate)
def lower_enumerate(low: Lowering, call: Call) -> Value:
    """`enumerate`: items with their numbers."""
    items, first = call.taken(low, ("iterable", "start"), 1)
    assert items is not None
    begin = number(0) if first is None else low.settled(low.present(first))
    if begin.type not in WHOLE:
        raise low.bail()
    items = low.settled(items)

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], _o: bool) -> list[Edge]:
        index = _counter(low, low.one(begin))

        def with_number(item: Value) -> None:
            place = low.copy(index)
            low.emit("AddN", index, index, 1)
            body(tuple_of((Value(INT, (place,)), item)))

        return each(low, items, key, with_number, variables)

    return stream(walk)


@builtin(map)
def lower_map(low: Lowering, call: Call) -> Value:
    """`map` of a function over one iterable."""
    if len(call.arguments) != 2 or call.named:
        low.refuse("map", "map over several lists: write a comprehension")
    function, items = call.arguments
    items = low.settled(items)

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], ordered: bool) -> list[Edge]:
        return each(
            low, items, key, lambda item: body(applied(low, function, [item])), variables, ordered=ordered
        )

    return stream(walk)


@builtin(filter)
def lower_filter(low: Lowering, call: Call) -> Value:
    """`filter` of an iterable by a function, or by truth."""
    function, items = call.only(low, 2)
    items = low.settled(items)

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], ordered: bool) -> list[Edge]:
        def passed(item: Value) -> None:
            test = item if function.type is NONE else applied(low, function, [item])
            _where(low, truth(low, test), lambda: body(item))

        return each(low, items, key, passed, variables, ordered=ordered)

    return stream(walk)


def applied(low: Lowering, function: Value, arguments: list[Value]) -> Value:
    """The result of a function that was given as an argument."""
    # A call of its own: what gives the function its arguments is under way, with names by its own call.
    kind, at = function.type, low.at
    key = (id(at), id(kind.value) if isinstance(kind, Known) else 0)
    if key not in low.unit.applied:
        call = ast.Call(at, [], [])  # type: ignore[arg-type]
        low.unit.applied[key] = ast.copy_location(call, at)
    node = low.unit.applied[key]
    return called(low, function, Call(node, arguments, {}))


def _where(low: Lowering, ways: tuple[list[Edge], list[Edge]], write: Callable[[], None]) -> None:
    """Write something for the case that a test is true."""
    true, false = ways
    low.enter(true)
    if low.env is not None:
        low.attempt(write)
    if low.env is not None:
        false = [*false, low.leave()]
    low.enter(false)


@builtin(reversed)
def lower_reversed(low: Lowering, call: Call) -> Value:
    """`reversed` of a range, a tuple or a list."""
    (items,) = (low.present(value) for value in call.only(low))
    if items.parts is not None:
        return stream_of(items.parts[::-1])
    if (
        isinstance(items.type, Known)
        and isinstance(items.type.value, Range)
        and abs(items.type.value.step) == 1
    ):
        the = items.type.value
        step = number(-the.step)
        ends = [operated(low, ast.Add(), bound, step) for bound in (the.stop, the.start)]
        backwards: Any = _range(low, Call(call.node, [*ends, step], {})).type
        return stream(backwards.value.walk)
    if isinstance(items.type, Listing):
        return _backwards(low, low.spelt_out(low.settled(items)))
    return low.refuse("reversed", f"reversed of {items.type.label}: use a list or a range")


def _backwards(low: Lowering, value: Value) -> Value:
    """What walks over a list from its end, as long as it was when this was made."""
    handle = low.one(value)
    last = low.made("AddN", low.made("ListLen", handle), -1)

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], ordered: bool) -> list[Edge]:
        assert isinstance(value.type, Listing)
        region = value.type.region.root()
        if ordered and region.shuffled:
            low.refuse("set", SHUFFLED)
        if region.element is NEVER:
            return [low.leave()]
        index = _counter(low, last)

        def turn(exits: list[Edge]) -> None:
            exits.append(low.jump("JumpLtI", index, low.constant_register("ConstI", 0, "i")))
            # Where the list became shorter meanwhile, Python knows what to do.
            low.bail_if("JumpLeI", low.made("ListLen", handle), index)
            address = low.made("ListAt", handle, index)
            low.emit("AddN", index, index, -1)
            body(loaded(low, region.root().element, address))

        return low.loop(key, turn, variables)

    return stream(walk)


@builtin(zip)
def lower_zip(low: Lowering, call: Call) -> Value:
    """`zip` of tuples, or of lists that are walked by index."""
    if call.named:
        low.refuse("zip", "zip with `strict`: do without")
    items = [low.settled(low.present(value)) for value in call.arguments]
    items = [low.pair(value) if value.type is CELL else value for value in items]
    if all(value.parts is not None for value in items):
        rows = zip(*(value.parts or () for value in items))  # noqa: B905 - Python's own stops at the shortest
        return stream_of(tuple(map(tuple_of, rows)))
    lists = [low.spelt_out(value) for value in items]
    if any(is_shuffled(value.type) for value in lists):
        low.refuse("set", SHUFFLED)
    if not all(isinstance(value.type, Listing) for value in lists):
        low.refuse("zip", "zip of what is no list: make lists of it")

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], _o: bool) -> list[Edge]:
        index = _counter(low, low.constant_register("ConstI", 0, "i"))

        def turn(exits: list[Edge]) -> None:
            parts = []
            for value in lists:
                assert isinstance(value.type, Listing)
                exits.append(low.jump("JumpLeI", low.made("ListLen", low.one(value)), index))
                if value.type.region.element is NEVER:
                    raise low.bail()
                parts.append(
                    loaded(low, value.type.region.element, low.made("ListAt", low.one(value), index))
                )
            low.emit("AddN", index, index, 1)
            body(tuple_of(tuple(parts)))

        return low.loop(key, turn, variables)

    return stream(walk)


# ---- comprehensions


@expression(ast.GeneratorExp)
def lower_generator(low: Lowering, node: ast.GeneratorExp) -> Value:
    """A generator, walked where it is made."""
    first = low.settled(low.value(node.generators[0].iter))
    outside = low.scope

    def walk(low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], ordered: bool) -> list[Edge]:
        with low.within(outside):
            return comprehended(low, node, first, lambda: body(low.value(node.elt)), key, variables, ordered)

    return stream(walk)


def comprehended(
    low: Lowering,
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
    first: Value,
    write: Callable[[], None],
    key: Hashable,
    variables: Iterable[Key],
    ordered: bool,
) -> list[Edge]:
    """The loops of a comprehension, with what is done for each item; its names are its own."""
    scope = low.scoped(("comprehension", id(node)), node)
    variables = list(variables)

    def clause(place: int, items: Value) -> list[Edge]:
        generator = node.generators[place]
        if generator.is_async:
            low.refuse("async", "an asynchronous comprehension: leave `async` out", node)

        def body(item: Value) -> None:
            with low.within(scope):
                assign(low, generator.target, item)
                _filtered(low, list(generator.ifs), lambda: _next(place))

        return each(low, items, (key, scope.key, place), body, variables, ordered=ordered)

    def _next(place: int) -> None:
        if place == len(node.generators) - 1:
            write()
            return
        items = low.value(node.generators[place + 1].iter)
        low.enter(clause(place + 1, items))

    exits = clause(0, first)
    low.enter(exits)
    low.forget(scope)
    return [] if low.env is None else [low.leave()]


def _filtered(low: Lowering, tests: list[ast.expr], write: Callable[[], None]) -> None:
    if not tests:
        write()
        return
    _where(low, branch(low, tests[0]), lambda: _filtered(low, tests[1:], write))
