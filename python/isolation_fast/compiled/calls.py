"""Calls: of builtins and methods by their tables, of Python functions as functions of the program.

A small function, and one that is defined inside another, is written in place of its call: it sees the
variables around it. Any other becomes a function of the program, once for each row of types that it is
called with.
"""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Hashable, Sequence
from types import FunctionType
from typing import Any, Final

from isolation_fast.compiled.expressions import spread, value_of
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.scopes import Scope
from isolation_fast.compiled.source import Source
from isolation_fast.compiled.tables import BUILTINS, METHODS, Call, expression, family, statement
from isolation_fast.compiled.types import (
    CELL,
    FLOAT,
    MIXED,
    NEVER,
    NONE,
    NUM,
    NUMBERS,
    Known,
    Listing,
    Method,
    Tuple,
    Type,
    Unset,
    join,
)
from isolation_fast.compiled.unit import Instance, Unit
from isolation_fast.compiled.values import NOTHING, Value, alike, known, tuple_of

SMALL: Final = 60
"""A function with fewer nodes is written in place of its calls."""
DEEPEST: Final = 24
DEEPEST_INSIDE: Final = 4
"""Calls in Python, those of comprehensions too, in one of the functions of the program that nest."""
SPARE: Final = 4
"""So many more comprehensions and inner functions may be around a call that nests."""
LAZY_ANNOTATIONS: Final = sys.version_info >= (3, 14)


class Closure:
    """A function that is defined inside another one."""

    def __init__(self, node: Any, low: Lowering, defaults: dict[str, Value]) -> None:
        self.node, self.defaults = node, defaults
        self.low, self.scope = low, low.scope
        """The function of the program in whose registers its variables and defaults are."""


def closure(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> Value:
    """The function that is defined here; its defaults are computed now."""
    key = low.place(node)
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        low.refuse("decorator", f"{node.name} has a decorator: do without", node)
    if any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
        low.refuse("generator", "a generator is defined inside the function: write a comprehension", node)
    _annotations(low, node)
    defaults = {}
    positional = [*node.args.posonlyargs, *node.args.args]
    for argument, default in zip(reversed(positional), reversed(node.args.defaults)):  # noqa: B905
        defaults[argument.arg] = default
    for argument, default_ in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default_ is not None:
            defaults[argument.arg] = default_
    values = {name: low.settled(low.value(default)) for name, default in defaults.items()}
    made = low.unit.closures.get(key)
    if (
        made is None
        or made.scope is not low.scope
        or not all(made.defaults[name].type == values[name].type for name in values)
        or not all(alike(made.defaults[name], values[name]) for name in values)
    ):
        made = low.unit.closures[key] = Closure(node, low, values)
    return known(made, "a function")


def _annotations(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> None:
    """Refuse annotations that may raise: Python computes them where the function is defined."""
    flags = low.scope.source.function.__code__.co_flags
    if LAZY_ANNOTATIONS or flags & __future__.annotations.compiler_flag or isinstance(node, ast.Lambda):
        return
    every = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    for each in (*every, node.returns):
        if isinstance(each, ast.Name):
            if low.scope.binding(each.id) is None:
                try:
                    low.scope.source.lookup(each.id)
                    continue
                except KeyError:
                    raise low.bail() from None
        elif each is None or isinstance(each, ast.Constant):
            continue
        low.refuse("annotation", "an annotation inside the function is computed: leave it out", each)


@statement(ast.FunctionDef)
def lower_function(low: Lowering, node: ast.FunctionDef) -> None:
    """A function inside another one."""
    low.assign(node.name, closure(low, node))


@expression(ast.Lambda)
def lower_lambda(low: Lowering, node: ast.Lambda) -> Value:
    """A function without a name."""
    return closure(low, node)


@expression(ast.Call)
def lower_call(low: Lowering, node: ast.Call) -> Value:
    """A call, its function first, then its arguments in order."""
    function = low.kept(low.value(node.func))
    arguments = spread(low, node.args)
    named = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            low.refuse("call", "two stars in a call: name the arguments", keyword.value)
        named[keyword.arg] = low.kept(low.value(keyword.value))
    low.at = node
    return called(low, function, Call(node, arguments, named))


def called(low: Lowering, function: Value, call: Call) -> Value:
    """The result of a call."""
    kind = low.present(function).type
    if isinstance(kind, Method):
        receiver = low.held(kind.of, low.row(function))
        return METHODS[family(kind.of), kind.name](low, receiver, call)
    if isinstance(kind, Known):
        if isinstance(kind.value, Closure):
            return _of_closure(low, kind.value, call)
        if isinstance(kind.value, FunctionType):
            return _of_function(low, kind.value, call)
        if kind.label == "a builtin":
            return BUILTINS[kind.value](low, call)
    if kind in NUMBERS or kind is NONE:
        raise low.bail()
    return low.refuse("call", f"{kind.label} is called: call a function or a method of the board")


# ---- Python functions


def _of_function(low: Lowering, function: FunctionType, call: Call) -> Value:
    source = low.unit.helper(low, function)
    node = source.tree
    given = _bound(low, node, call)
    for name in given:
        if given[name] is None:
            try:
                given[name] = value_of(low, source.default(name), name)
            except KeyError:
                raise low.bail() from None
    if _fits(low, source) or any(isinstance(each.type, Known) for each in given.values()):
        scope = Scope((low.scope.key, id(call.node)), node, low.names(node), source, None)
        return _in_place(low, scope, function, given)
    return _as_instance(low, source, given)


def _of_closure(low: Lowering, made: Closure, call: Call) -> Value:
    if made.low is not low:
        what = getattr(made.node, "name", "a lambda")
        low.refuse("closure", f"{what} leaves the function that defines it: call it there")
    given = _bound(low, made.node, call)
    for name in given:
        if given[name] is None:
            if name not in made.defaults:
                raise low.bail()
            given[name] = made.defaults[name]
    if made.node in low.inlined or _is_deep(low, SPARE):
        low.refuse(
            "recursion", "a function inside another one calls itself: define it at the top of the file"
        )
    scope = Scope(
        (low.scope.key, id(call.node)), made.node, low.names(made.node), made.scope.source, made.scope
    )
    return _in_place(low, scope, made.node, given)


def _bound(low: Lowering, node: Any, call: Call) -> dict[str, Any]:
    """The argument of each parameter, None where its default is wanted."""
    arguments = node.args
    if arguments.kwarg is not None:
        low.refuse("call", "a function takes any named arguments: name its parameters", node)
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    given: dict[str, Any] = dict.fromkeys([*positional, *(each.arg for each in arguments.kwonlyargs)])
    extra = call.arguments[len(positional) :]
    given.update(zip(positional, call.arguments))  # noqa: B905 - fewer may be given
    if arguments.vararg is not None:
        given[arguments.vararg.arg] = tuple_of(tuple(extra))
    elif extra:
        raise low.bail()
    by_name = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    for name, value in call.named.items():
        if name not in by_name or given[name] is not None:
            raise low.bail()
        given[name] = value
    return given


def _fits(low: Lowering, source: Source) -> bool:
    """Whether a function is written in place of its call; others may share its text."""
    around = [low.instance.source.function, *low.inlined]
    if any(source.function is each for each in around) or _is_deep(low):
        return False
    node, sizes = source.tree, low.unit.sizes
    if id(node) not in sizes:
        sizes[id(node)] = sum(1 for _ in ast.walk(node))
    return sizes[id(node)] <= SMALL


def _is_deep(low: Lowering, spare: int = 0) -> bool:
    """Whether Python nests so many calls here that more could be too many for it in all."""
    return low.depth >= (DEEPEST if low.instance.is_entry else DEEPEST_INSIDE) + spare


def _in_place(low: Lowering, scope: Scope, function: object, given: dict[str, Value]) -> Value:
    """A function written in place of its call: `return` goes to its end."""
    node: Any = scope.node
    jumps, at = low.jumps, low.at
    for name, value in given.items():
        low.refuse_iterator(value)
        low.reached()[scope.variable(name)] = low.settled(value)
    low.jumps = []
    scope.returns = []
    low.inlined.append(function)
    try:
        with low.within(scope):
            _body_in_place(low, scope, node)
    finally:
        low.inlined.pop()
        low.jumps, low.at = jumps, at
    value = low.settled(low.reached()[scope.variable("return")])
    low.forget(scope)
    if value.type is MIXED:
        low.refuse("return", "a function returns different types: let it return one")
    return value


def _body_in_place(low: Lowering, scope: Scope, node: Any) -> None:
    if isinstance(node, ast.Lambda):
        value = low.value(node.body)
        low.reached()[scope.variable("return")] = value
        return
    low.statements(node.body)
    if low.env is not None:
        returned(low, NOTHING)
    low.enter(scope.returns or ())


def _as_instance(low: Lowering, source: Source, given: dict[str, Value]) -> Value:
    """A call of a function of the program."""
    if _is_deep(low, SPARE):
        low.refuse("recursion", "calls are nested too deep here: call the function in a statement of its own")
    for value in given.values():
        low.refuse_iterator(value)
    kinds: dict[str, Type] = {name: value.type for name, value in given.items()}
    constants = tuple(_content(value) for value in given.values() if not value.type.layout)
    # Functions that one `def` makes have one node, and differ in their closures and defaults.
    key: Hashable = (id(source.function), tuple(kinds.items()), constants)
    unit = low.unit
    instance = unit.instances.get(key)
    if instance is None:
        instance = unit.instances[key] = Instance(key, source, kinds)
        fixed = {name: value for name, value in given.items() if not value.type.layout}
        effects = unit.effects
        unit.finish(instance, lambda each: lowered(unit, each, fixed))
        instance.has_effects = unit.effects != effects
    elif instance.busy:
        instance.asked_early = True
    if instance.has_effects:
        unit.effects += 1
    if instance.result is NEVER:
        raise low.bail()
    arguments = [register for value in given.values() for register in low.row(value)]
    row = tuple(map(low.fresh, instance.result.layout))
    low.emit("Call", instance, arguments, list(row))
    return low.held(instance.result, row)


def _content(value: Value) -> Hashable:
    """What a value without registers is: a text, None, a tuple of them."""
    return value.constant if value.parts is None else tuple(map(_content, value.parts))


def lowered(
    unit: Unit, instance: Instance, fixed: dict[str, Value], defaults: Sequence[str] = ()
) -> Lowering:
    """The code of a function of the program, once through; its result is noted.

    `defaults` are the parameters that a heuristic has beyond the board and the player.
    """
    low = Lowering(unit, instance)
    registers: list[int] = []
    env = low.reached()
    for name, kind in instance.parameters.items():
        row = tuple(map(low.fresh, kind.layout))
        registers += row
        env[low.scope.variable(name)] = fixed[name] if name in fixed else low.held(kind, row)
    instance.row = tuple(registers)
    for name in defaults:
        env[low.scope.variable(name)] = _default(low, name)
    low.scope.returns = None if instance.is_entry else []
    if isinstance(instance.node, ast.Lambda):
        low.statements([ast.copy_location(ast.Return(instance.node.body), instance.node)])
    else:
        low.statements(instance.node.body)
    _end(low, instance)
    return low


def _end(low: Lowering, instance: Instance) -> None:
    if low.env is not None:
        low.attempt(lambda: returned(low, NOTHING))
    returns: list[Edge] | None = low.scope.returns
    if returns is not None:
        name = low.scope.variable("return")
        for edge in returns:
            edge.env = {name: edge.env[name]} if not edge.dead else edge.env
        low.enter(returns)
        if low.env is not None:
            _give_back(low, instance, low.env[name])
    low.enter(low.bails)
    if low.env is not None:
        low.emit("Bail")


def _give_back(low: Lowering, instance: Instance, value: Value) -> None:
    if isinstance(value.type, Unset) or value.type is MIXED:
        low.refuse("return", "a function returns different types: let it return one", instance.node)
    wider = join(instance.result, value.type)
    if wider is MIXED:
        low.refuse("return", "a function returns different types: let it return one", instance.node)
    instance.result = wider
    low.emit("Ret", list(low.row(low.converted(value, wider))))
    low.env = None


def _default(low: Lowering, name: str) -> Value:
    """The default of a parameter of the heuristic, in registers of the function that reads it."""
    try:
        found = low.instance.source.default(name)
    except KeyError:
        low.refuse("parameters", f"a heuristic takes the board and the player: give {name} a default")
    return value_of(low, found, name)


# ---- return


@statement(ast.Return)
def lower_return(low: Lowering, node: ast.Return) -> None:
    """`return`: of the function, or of one that is written in place of its call."""
    value = NOTHING if node.value is None else low.value(node.value)
    low.at = node
    returned(low, value)


def returned(low: Lowering, value: Value) -> None:
    """Leave the function with a value."""
    scope = low.scope.function
    low.refuse_iterator(value)
    if low.instance.is_entry and scope.returns is None:
        low.emit("Ret", [result(low, value)])
        low.env = None
        return
    low.reached()[scope.variable("return")] = value
    assert scope.returns is not None
    scope.returns.append(low.leave())


def result(low: Lowering, value: Value) -> int:
    """The value of a heuristic as the engine takes it: a float."""
    value = low.present(value)
    if value.type not in NUMBERS:
        if isinstance(value.type, (Tuple, Listing)) or value.type is CELL:
            low.refuse("return", f"{value.type.label} is returned: return a number")
        raise low.bail()
    if value.type is FLOAT or value.type is NUM:
        return low.row(value)[-1]
    return low.pure("IToF", low.one(value), kind="f")
