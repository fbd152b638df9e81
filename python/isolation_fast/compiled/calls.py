"""Calls: of builtins and methods by their tables, of Python functions as functions of the program.

A small function, and one that is defined inside another, is written in place of its call. Any other becomes a function of
the program, for each function that a module has and each row of types that it is called with.
"""

from __future__ import annotations
import __future__

import ast
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.expressions import spread, value_of
from isolation_fast.compiled.lowering import BUILTINS, METHODS, Call, Lowering, expression, family, statement
from isolation_fast.compiled.names import Scope, names_of, names_read
from isolation_fast.compiled.source import Source
from isolation_fast.compiled.types import (
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUMBERS,
    Closure,
    Known,
    Method,
    Tuple,
    Type,
    Value,
    join,
    parts_in,
    plain,
    split,
    tuple_of,
)

if TYPE_CHECKING:
    from isolation_fast.compiled.programs import Instance, Unit

SMALL: Final = 60
"""A function with fewer nodes is written in place of its calls."""
DEEPEST: Final = 6
"""So many functions are written in one another. Programs nest 64 calls, and Python must have room for all of them."""
MOST_IN_ITSELF: Final = 4
LAZY_ANNOTATIONS: Final = sys.version_info >= (3, 14)


# ---- functions that are defined inside others


@statement(ast.FunctionDef)
def lower_function(low: Lowering, node: ast.FunctionDef) -> None:
    """A function inside another one, with its decorators."""
    decorators = [low.value(each) for each in node.decorator_list]
    made = closure(low, node)
    for decorator in reversed(decorators):
        low.at = node
        made = called(low, decorator, Call([made]))
    low.assign(node.name, made)


@expression(ast.Lambda)
def lower_lambda(low: Lowering, node: ast.Lambda) -> Value:
    """A function without a name."""
    return closure(low, node)


def closure(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> Value:
    """The function that is defined here, with its defaults and the variables around it that stay as they are."""
    _annotations(low, node)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    defaults += [(each, value) for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    held = {f"{argument.arg}=": low.value(default) for argument, default in defaults}
    for value in held.values():
        low.refuse_iterator(value)
    own, is_bound = names_of(node), False
    for name in sorted({*names_read(node)} - set(own.bound)):
        scope = low.scope.binding(name)
        if scope is None:
            continue
        found = scope.held[name] if scope.holds(name) else low.reached().get(scope.variable(name))
        if found is not None and (scope.holds(name) or scope.names.is_final(name)):
            held[name] = found
        elif not (_is_itself(node, name) and scope.names.is_final(name)):
            is_bound = True
    parts = tuple_of(tuple(held.values()))
    assert isinstance(parts.type, Tuple)
    low.scopes[low.scope.path] = low.scope
    kind = Closure(node, low.scope.source, low.scope.path, tuple(held), parts.type, is_bound=is_bound)
    return Value(kind, parts.row)


def _is_itself(node: ast.AST, name: str) -> bool:
    """Whether a name in a function is the function."""
    return isinstance(node, ast.FunctionDef) and name == node.name and not node.decorator_list


def _annotations(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> None:
    """Refuse annotations that may raise: Python computes them where the function is defined."""
    flags = low.scope.source.function.__code__.co_flags
    if LAZY_ANNOTATIONS or flags & __future__.annotations.compiler_flag or isinstance(node, ast.Lambda):
        return
    for each in (*(each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)), node.returns):
        if isinstance(each, ast.Name) and low.scope.binding(each.id) is None:
            try:
                low.scope.source.lookup(each.id)
            except KeyError:
                raise low.bail() from None
        elif each is not None and not isinstance(each, ast.Constant):
            low.refuse("annotation", "an annotation inside the function is computed: leave it out", each)


# ---- calls


@expression(ast.Call)
def lower_call(low: Lowering, node: ast.Call) -> Value:
    """A call, its function first, then its arguments in order."""
    function = low.value(node.func)
    arguments = spread(low, node.args)
    named = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            low.refuse("call", "two stars in a call: name the arguments", keyword.value)
        named[keyword.arg] = low.value(keyword.value)
    low.at = node
    return called(low, function, Call(arguments, named))


def called(low: Lowering, function: Value, call: Call) -> Value:
    """The result of a call."""
    function = low.present(function)
    kind = function.type
    if isinstance(kind, Method):
        return METHODS[family(kind.of), kind.name](low, low.held(kind.of, function.row), call)
    if isinstance(kind, Closure):
        return _of_closure(low, kind, function, call)
    if isinstance(kind, Known):
        if kind.label == "a builtin":
            return BUILTINS[id(kind.value)][1](low, call)
        if isinstance(kind.value, FunctionType):
            return _of_function(low, kind.value, call)
    if function.kind in NUMBERS or kind is NONE:
        raise low.bail()
    return low.refuse("call", f"{kind.label} is called: call a function or a method of the board")


def applied(low: Lowering, function: Value, arguments: list[Value]) -> Value:
    """The result of a function that was given as an argument."""
    with low.turned("applied"):
        return called(low, function, Call(arguments))


def _of_function(low: Lowering, function: FunctionType, call: Call) -> Value:
    source = low.unit.helper(low, function)
    given = _bound(low, source.tree, call)
    for name in [name for name, value in given.items() if value is None]:
        try:
            given[name] = value_of(low, source.default(name), name)
        except KeyError:
            raise low.bail() from None
    arguments: dict[str, Value] = given  # type: ignore[assignment]
    if _is_in_place(low, source.tree, always=any(map(_must_be_in_place, arguments.values()))):
        path = low.unit.path(low.path, id(low.at), id(function))
        return low.in_place(Scope(path, source.tree, source, None), arguments, path)
    return _as_instance(low, source, source.tree, None, arguments)


def _must_be_in_place(value: Value) -> bool:
    """Whether it is of use in this function alone."""
    return any(
        isinstance(each, Known) or (isinstance(each, Closure) and each.is_bound) for each in parts_in(value.type)
    )


def _of_closure(low: Lowering, kind: Closure, function: Value, call: Call) -> Value:
    held = dict(zip(kind.names, split(function.row, kind.held.parts), strict=True))
    given = _bound(low, kind.node, call)
    for name in [name for name, value in given.items() if value is None]:
        if f"{name}=" not in held:
            raise low.bail()
        given[name] = held[f"{name}="]
    arguments: dict[str, Value] = given  # type: ignore[assignment]
    if kind.is_bound and kind.scope not in low.scopes:
        low.refuse("closure", "a function is called that reads variables of a call that has ended: give it defaults")
    always = kind.is_bound or any(map(_must_be_in_place, arguments.values()))
    if not _is_in_place(low, kind.node, always=always):
        return _as_instance(low, kind.source, kind.node, function, arguments)
    path = low.unit.path(low.path, id(low.at), id(kind.node))
    return low.in_place(_scope_of(low, kind, function, held, path), arguments, path)


def _scope_of(low: Lowering, kind: Closure, function: Value, held: dict[str, Value], path: int) -> Scope:
    """The scope of a call of a closure: what it has with it, and where it was made, if it needs that."""
    inside = {name: value for name, value in held.items() if not name.endswith("=")}
    outer = low.scopes[kind.scope] if kind.is_bound else None
    if _is_itself(kind.node, kind.node.name if isinstance(kind.node, ast.FunctionDef) else ""):
        if outer is None or outer.names.is_final(kind.node.name):
            inside.setdefault(kind.node.name, function)
    return Scope(path, kind.node, kind.source, outer, inside)


def _bound(low: Lowering, node: Any, call: Call) -> dict[str, Value | None]:
    """The argument of each parameter, None where its default is wanted."""
    arguments = node.args
    if arguments.kwarg is not None:
        low.refuse("call", "a function takes any named arguments: name its parameters", node)
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    given: dict[str, Value | None] = dict.fromkeys([*positional, *(each.arg for each in arguments.kwonlyargs)])
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
    for value in given.values():
        if value is not None and not low.scope.source.is_prelude:
            low.refuse_iterator(value)
    return given


def _is_in_place(low: Lowering, node: ast.AST, *, always: bool = False) -> bool:
    """Whether a function is written in place of its call."""
    inside = [scope.function.node for _, scope in low.calls if not scope.source.is_prelude]
    inside += [low.scope.function.node, low.instance.node]
    if always or names_of(node).yields:
        if inside.count(node) > MOST_IN_ITSELF or len(inside) > MOST_IN_ITSELF * DEEPEST:
            low.refuse("recursion", "a function that is given functions calls itself: define it at the top of the file")
        return True
    return node not in inside and len(inside) <= DEEPEST + 1 and low.unit.size(node) <= SMALL


# ---- functions of the program


def _as_instance(
    low: Lowering, source: Source, node: Any, function: Value | None, given: dict[str, Value]
) -> Value:
    """A call of a function of the program."""
    if names_of(node).yields:
        low.refuse("generator", "a generator that is too large, or calls itself: write a comprehension")
    for value in given.values():
        low.refuse_iterator(value)
    kinds: dict[str, Type] = {name: plain(value.type, texts=False) for name, value in given.items()}
    kind = None if function is None else plain(function.type, texts=False)
    assert kind is None or isinstance(kind, Closure)
    unit = low.unit
    instance = unit.instance(source, node, kind, kinds)
    if instance.lowering is None:
        effects = unit.effects
        lowered(unit, instance)
        if unit.effects != effects:
            unit.facts.learn((instance, "effects"), True)
    if unit.facts.newest((instance, "effects"), False):
        unit.effects += 1
    result = unit.result(instance)
    if result is NEVER:
        raise low.bail()
    rows = [low.converted(value, kinds[name]).row for name, value in given.items()]
    if function is not None and kind is not None:
        rows.append(low.converted(function, kind).row)
    made = low.new_row(result)
    low.emit("Call", instance, [each for row in rows for each in row], list(made.row))
    return NOTHING if result is NONE else made


def lowered(unit: Unit, instance: Instance, defaults: dict[str, Any] | None = None) -> None:
    """Write a function of the program, once through; what it returns is a fact."""
    low = instance.lowering = Lowering(unit, instance)
    given = {name: low.new_row(kind) for name, kind in instance.parameters.items()}
    row = [each for value in given.values() for each in value.row]
    if instance.closure is not None:
        function = low.new_row(instance.closure)
        row += function.row
        held = dict(zip(instance.closure.names, split(function.row, instance.closure.held.parts), strict=True))
        low.scope = _scope_of(low, instance.closure, function, held, low.path)
    instance.row = tuple(row)
    given.update({name: value_of(low, found, name) for name, found in (defaults or {}).items()})
    low.bind_all({low.scope.variable(name): value for name, value in given.items()})
    low.returns[low.scope] = []
    if isinstance(instance.node, ast.Lambda):
        low.attempt(lambda: low.returned(low.value(instance.node.body)))
    else:
        low.statements(instance.node.body)
        if low.env is not None:
            low.attempt(lambda: low.returned(NOTHING))
    name = low.scope.variable("return")
    for edge in low.returns[low.scope]:
        edge.env = {name: edge.env[name]}
    low.enter(low.returns[low.scope])
    if low.env is not None:
        low.attempt(lambda: _give_back(low, instance, low.reached()[name]))


def _give_back(low: Lowering, instance: Instance, value: Value) -> None:
    low.refuse_bound(value.type)
    low.unmixed(value, "a function returns different types: let it return one", "return")
    key = (instance, "result")
    wider = join(low.facts.newest(key, NEVER), plain(value.type))
    if wider is MIXED or len(parts_in(wider)) > 64:
        low.refuse("return", "a function returns different types: let it return one", instance.node)
    low.facts.learn(key, wider)
    low.emit("Ret", list(low.converted(value, wider).row))
    low.env = None
