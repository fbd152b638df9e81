"""Calls: of builtins and methods by their tables, of Python functions as functions of the program.

A small function, and one that is defined inside another, is written in place of its call. Any other becomes a
function of the program, for each function that a module has and each row of types that it is called with.
"""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.expressions import items_of, spread, value_of
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
"""So many functions are written in one another: programs nest 64 calls, and Python must have room for all."""
MOST_IN_ITSELF: Final = 4
MOST_ALWAYS: Final = 10
"""So many of those that can only be written in place: 64 calls of as many have room in Python."""
UNSTARRED: Final[dict[int, Callable[[Lowering, Value], Value]]] = {}
"""Calls of builtins with a star before a list alone."""
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
def closure(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> Value:
    """The function that is defined here, with its defaults and the variables around it that stay the same."""
    _annotations(low, node)
    held = {f"{name}=": low.value(default) for name, default in _defaults(node.args)}
    for value in held.values():
        low.refuse_iterator(value)
    is_bound = False
    for name in sorted({*names_read(node)} - set(names_of(node).bound)):
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


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that have defaults, with those."""
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    for each, default in zip(with_default, arguments.defaults, strict=True):
        yield each.arg, default
    for each, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if given is not None:
            yield each.arg, given


def _is_itself(node: ast.AST, name: str) -> bool:
    """Whether a name in a function is the function."""
    return isinstance(node, ast.FunctionDef) and name == node.name and not node.decorator_list


def _annotations(low: Lowering, node: ast.FunctionDef | ast.Lambda) -> None:
    """Refuse annotations that may raise: Python computes them where the function is defined."""
    flags = low.scope.source.function.__code__.co_flags
    if LAZY_ANNOTATIONS or flags & __future__.annotations.compiler_flag or isinstance(node, ast.Lambda):
        return
    parameters = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    for each in (*parameters, node.returns):
        if isinstance(each, ast.Name) and low.scope.binding(each.id) is None:
            try:
                low.scope.source.lookup(each.id)
            except KeyError:
                raise low.bail() from None
        elif each is not None and not isinstance(each, ast.Constant):
            low.refuse("annotation", "an annotation inside the function is computed: leave it out", each)


# ---- calls


@expression(ast.Call)
def _call(low: Lowering, node: ast.Call) -> Value:
    """A call, its function first, then its arguments in order."""
    function = low.value(node.func)
    unstarred = UNSTARRED.get(id(getattr(function.type, "value", None)))
    if unstarred and len(node.args) == 1 and isinstance(node.args[0], ast.Starred) and not node.keywords:
        value = low.present(low.value(node.args[0].value))
        low.at = node
        items = items_of(low, value)
        return unstarred(low, value) if items is None else called(low, function, Call(list(items)))
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


def _of_function(low: Lowering, function: FunctionType, call: Call) -> Value:
    source = low.unit.helper(low, function)
    given = _bound(low, source.tree, call, lambda name: value_of(low, source.default(name), name))
    if not _is_in_place(low, source.tree, given):
        return _as_instance(low, source, source.tree, None, given)
    path = low.unit.path(low.path, id(low.at), id(function))
    return low.in_place(Scope(path, source.tree, source, None), given, path)


def _of_closure(low: Lowering, kind: Closure, function: Value, call: Call) -> Value:
    held = _held(kind, function)
    given = _bound(low, kind.node, call, lambda name: held[f"{name}="])
    if kind.is_bound and kind.scope not in low.scopes:
        message = "a function is called that reads variables of a call that has ended: give it defaults"
        low.refuse("closure", message)
    if not _is_in_place(low, kind.node, given, always=kind.is_bound):
        return _as_instance(low, kind.source, kind.node, function, given)
    path = low.unit.path(low.path, id(low.at), id(kind.node))
    return low.in_place(_scope_of(low, kind, function, path), given, path)


def _must_be_in_place(value: Value) -> bool:
    """Whether it is of use in this function alone."""
    return any(
        isinstance(each, Known) or (isinstance(each, Closure) and each.is_bound)
        for each in parts_in(value.type)
    )


def _held(kind: Closure, function: Value) -> dict[str, Value]:
    """What a closure has with it."""
    return dict(zip(kind.names, split(function.row, kind.held.parts), strict=True))


def _scope_of(low: Lowering, kind: Closure, function: Value, path: int) -> Scope:
    """The scope of a call of a closure: what it has with it, and where it was made, if it needs that."""
    inside = {name: value for name, value in _held(kind, function).items() if not name.endswith("=")}
    outer = low.scopes[kind.scope] if kind.is_bound else None
    own = getattr(kind.node, "name", "")
    if _is_itself(kind.node, own) and (outer is None or outer.names.is_final(own)):
        inside.setdefault(own, function)
    return Scope(path, kind.node, kind.source, outer, inside)


def _bound(low: Lowering, node: Any, call: Call, default: Callable[[str], Value]) -> dict[str, Value]:
    """The argument of each parameter, or its default, which raises a `KeyError` where there is none."""
    arguments = node.args
    if arguments.kwarg is not None:
        low.refuse("call", "a function takes any named arguments: name its parameters", node)
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    given: dict[str, Value | None] = dict.fromkeys(
        [*positional, *(each.arg for each in arguments.kwonlyargs)]
    )
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
    try:
        values = {name: default(name) if value is None else value for name, value in given.items()}
    except KeyError:
        raise low.bail() from None
    if not low.scope.source.is_prelude:
        for value in values.values():
            low.refuse_iterator(value)
    return values


def _is_in_place(low: Lowering, node: ast.AST, given: dict[str, Value], *, always: bool = False) -> bool:
    """Whether a function is written in place of its call."""
    inside = [scope.function.node for _, scope in low.calls if not scope.source.is_prelude]
    inside += [low.scope.function.node, low.instance.node]
    if always or names_of(node).yields or any(map(_must_be_in_place, given.values())):
        if inside.count(node) > MOST_IN_ITSELF or len(inside) > MOST_ALWAYS:
            low.refuse(
                "recursion",
                "a function that is given functions calls itself: define it at the top of the file",
            )
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
    instance = _in_recursion(unit, source, node, kind, kinds) or unit.instance(source, node, kind, kinds)
    kinds = instance.parameters
    if instance.lowering is None:
        effects = unit.effects
        unit.busy.append(instance)
        lowered(unit, instance)
        unit.busy.pop()
        if unit.effects != effects:
            unit.facts.learn((instance, "effects"), True)
    if unit.facts.newest((instance, "effects"), False):
        unit.effects += 1
    result = unit.result(instance)
    if result is NEVER:
        raise low.bail()
    rows = [low.converted(value, kinds[name]).row for name, value in given.items()]
    if function is not None and instance.closure is not None:
        rows.append(low.converted(function, instance.closure).row)
    made = low.new_row(result)
    low.emit("Call", instance, [each for row in rows for each in row], list(made.row))
    return NOTHING if result is NONE else made


def _in_recursion(
    unit: Unit, source: Source, node: Any, kind: Closure | None, kinds: dict[str, Type]
) -> Instance | None:
    """The function that is being written and calls itself, if its arguments can be of the same types."""
    for instance in reversed(unit.busy):
        if instance.node is node and instance.source.function is source.function:
            known = (instance.closure or NONE, *instance.parameters.values())
            given = (kind or NONE, *kinds.values())
            if all(join(one, other) == one for one, other in zip(known, given, strict=True)):
                return instance
    return None


def lowered(unit: Unit, instance: Instance, defaults: dict[str, Any] | None = None) -> None:
    """Write a function of the program, once through; what it returns is a fact."""
    low = instance.lowering = Lowering(unit, instance)
    low.line = instance.node.lineno if instance.source.filename == unit.source.filename else 0
    given = {name: low.new_row(kind) for name, kind in instance.parameters.items()}
    row = [each for value in given.values() for each in value.row]
    if instance.closure is not None:
        function = low.new_row(instance.closure)
        row += function.row
        low.scope = _scope_of(low, instance.closure, function, low.path)
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
