"""Statements: assignments, `if`, loops, `return`, and what is left out because it does nothing here."""

from __future__ import annotations

import ast
import sys
from types import ModuleType
from typing import Any

from isolation_fast.compiled.arithmetic import operated
from isolation_fast.compiled.conditions import branch
from isolation_fast.compiled.expressions import value_of
from isolation_fast.compiled.flow import Env
from isolation_fast.compiled.iteration import each
from isolation_fast.compiled.lowering import Jumps, Lowering
from isolation_fast.compiled.scopes import bound_in
from isolation_fast.compiled.source import of_loaded
from isolation_fast.compiled.tables import METHODS, Call, family, statement
from isolation_fast.compiled.targets import assign, method_called
from isolation_fast.compiled.types import TEXT
from isolation_fast.compiled.values import Value, known

LEAVING = (ast.Return, ast.Break, ast.Continue)


@statement(ast.Pass, ast.Nonlocal)
def lower_nothing(_low: Lowering, _node: ast.stmt) -> None:
    """What does nothing."""


@statement(ast.Global)
def lower_global(low: Lowering, node: ast.Global) -> None:
    """Reading a global variable needs no statement, and assigning one is refused."""
    if set(node.names) & bound_in(getattr(low.scope.function.node, "body", [])):
        low.refuse(
            "global", f"the global variable {node.names[0]} is assigned: pass it as an argument instead"
        )


@statement(ast.Delete)
def lower_delete(low: Lowering, node: ast.Delete) -> None:
    """`del name`."""
    for target in node.targets:
        scope = low.scope.binding(target.id) if isinstance(target, ast.Name) else None
        if not isinstance(target, ast.Name) or scope is None:
            low.refuse("del", "an item is deleted: make a list without it", target)
        low.value(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        del low.reached()[scope.variable(target.id)]


@statement(ast.Expr)
def lower_expression(low: Lowering, node: ast.Expr) -> None:
    """An expression for its effect; a text is a comment."""
    if not isinstance(node.value, ast.Constant):
        low.value(node.value)


# ---- assignments


@statement(ast.Assign)
def lower_assign(low: Lowering, node: ast.Assign) -> None:
    """`a = b = value`, and what is taken apart."""
    value = low.value(node.value)
    if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Name):
        value = low.settled(value)
    for target in node.targets:
        assign(low, target, value)


@statement(ast.AnnAssign)
def lower_annotated(low: Lowering, node: ast.AnnAssign) -> None:
    """`a: type = value`."""
    if node.value is not None:
        assign(low, node.target, low.value(node.value))
    elif not isinstance(node.target, ast.Name):
        low.refuse("annotation", "an annotation without a value computes what it stands at: leave it out")


@statement(ast.AugAssign)
def lower_augmented(low: Lowering, node: ast.AugAssign) -> None:
    """`a += value`; a list is changed in its place."""
    if isinstance(node.target, ast.Name):
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        before = low.kept(low.value(load))
        low.assign(node.target.id, _augmented(low, node, before, low.value(node.value)))
        return
    if isinstance(node.target, ast.Subscript):
        container = low.settled(low.present(low.value(node.target.value)))
        index = low.settled(low.value(node.target.slice))
        before = method_called(low, container, "__getitem__", [index])
        after = _augmented(low, node, before, low.value(node.value))
        method_called(low, container, "__setitem__", [index, after])
        return
    low.refuse("assignment", "an attribute is assigned: use a variable")


def _augmented(low: Lowering, node: ast.AugAssign, before: Value, operand: Value) -> Value:
    word = f"__i{type(node.op).__name__.lower()}__"
    low.at = node
    handler = METHODS.get((family(before.type), word))
    if handler is not None:
        return handler(low, low.present(before), Call(node, [operand], {}))  # type: ignore[arg-type]
    return operated(low, node.op, before, operand)


# ---- control


@statement(ast.If)
def lower_if(low: Lowering, node: ast.If) -> None:
    """`if`, of which a side that is never taken is not looked at."""
    true, false = branch(low, node.test)
    out = []
    for edges, body in ((true, node.body), (false, node.orelse)):
        low.enter(edges)
        low.statements(body)
        if low.env is not None:
            out.append(low.leave())
    low.enter(out)


@statement(ast.While)
def lower_while(low: Lowering, node: ast.While) -> None:
    """`while`, with its `else`."""
    jumps = Jumps()

    def body(exits: list[Any]) -> None:
        true, false = branch(low, node.test)
        exits += false
        low.enter(true)
        _body(low, node, jumps)

    names = [low.key(name) for name in bound_in(node.body)]
    exits = low.loop(low.place(node), body, [key for key in names if key is not None])
    _after(low, node, exits, jumps)


@statement(ast.For)
def lower_for(low: Lowering, node: ast.For) -> None:
    """`for`, with its `else`."""
    jumps = Jumps()
    value = low.value(node.iter)
    low.at = node

    def body(item: Value) -> None:
        assign(low, node.target, item)
        _body(low, node, jumps)

    names = [low.key(name) for name in bound_in(node.body) | bound_in([node.target])]
    exits = each(low, value, low.place(node), body, [key for key in names if key is not None])
    _after(low, node, exits, jumps)


def _body(low: Lowering, node: ast.For | ast.While, jumps: Jumps) -> None:
    jumps.continues = []
    low.jumps.append(jumps)
    low.statements(node.body)
    low.jumps.pop()
    if low.env is not None:
        jumps.continues.append(low.leave())
    low.enter(jumps.continues)


def _after(low: Lowering, node: ast.For | ast.While, exits: list[Any], jumps: Jumps) -> None:
    low.enter(exits)
    low.statements(node.orelse)
    out = list(jumps.breaks)
    if low.env is not None:
        out.append(low.leave())
    low.enter(out)


@statement(ast.Break)
def lower_break(low: Lowering, _node: ast.Break) -> None:
    """`break`."""
    low.jumps[-1].breaks.append(low.leave())


@statement(ast.Continue)
def lower_continue(low: Lowering, _node: ast.Continue) -> None:
    """`continue`."""
    low.jumps[-1].continues.append(low.leave())


# ---- what raises, and what only Python does


@statement(ast.Raise)
def lower_raise(low: Lowering, _node: ast.Raise) -> None:
    """What raises is Python's own."""
    raise low.bail()


@statement(ast.Assert)
def lower_assert(low: Lowering, node: ast.Assert) -> None:
    """`assert`: what fails is Python's own. Under `python -O` it does nothing."""
    if not __debug__:
        return
    true, false = branch(low, node.test)
    low.enter(false)
    if low.env is not None:
        low.bail()
    low.enter(true)


@statement(ast.Try)
def lower_try(low: Lowering, node: ast.Try) -> None:
    """The body of `try` as it stands: what raises there is Python's own."""
    if node.finalbody and any(isinstance(within, LEAVING) for within in ast.walk(node)):
        low.refuse("try", "`finally` after a `return`, `break` or `continue`: do without")
    before = dict(low.reached())
    low.statements(node.body)
    low.statements(node.orelse)
    ends = [_looked_at(low, handler.body, before, handler.name) for handler in node.handlers]
    if low.env is None:
        # Only Python comes here, after a bail: what follows is looked at too.
        low.env = next((end for end in ends if end is not None), None)
    if low.env is None:
        _looked_at(low, node.finalbody, before, None)
    low.statements(node.finalbody)


def _looked_at(low: Lowering, body: list[ast.stmt], before: Env, name: str | None) -> Env | None:
    """Look at what only Python runs, after a bail: it may change nothing that outlives the call.

    Gives what the variables hold at its end, if control comes there.
    """
    env, code, mark, jumps = low.env, low.code, len(low.edges), low.jumps
    low.code, low.jumps = [], [Jumps()]
    low.env = {**before, **(env or {})}
    if name is not None:
        low.assign(name, Value(TEXT, ()))
    low.statements(body)
    end = low.env
    for edge in low.edges[mark:]:
        edge.dead = True
    low.env, low.code, low.jumps = env, code, jumps
    return end


@statement(ast.Import)
def lower_import(low: Lowering, node: ast.Import) -> None:
    """`import` of what is imported already."""
    for alias in node.names:
        name = alias.name if alias.asname else alias.name.partition(".")[0]
        low.assign(alias.asname or name, known(_module(low, alias.name, name), "a module"))


def _module(low: Lowering, whole: str, name: str) -> Any:
    read = low.scope.source.guard.read
    found = [read(sys, of_loaded, each) for each in (whole, name)]
    if not all(isinstance(each, ModuleType) for each in found):
        low.refuse("import", f"{whole} is imported inside the function: import it at the top of the file")
    return found[1]


@statement(ast.ImportFrom)
def lower_import_from(low: Lowering, node: ast.ImportFrom) -> None:
    """`from a import b` of what is imported already."""
    if node.level or node.module is None:
        low.refuse("import", "a relative import inside the function: import it at the top of the file")
    module = _module(low, node.module, node.module)
    for alias in node.names:
        try:
            found = low.scope.source.attribute(module, alias.name)
        except KeyError:
            low.refuse(
                "import", f"{alias.name} is imported inside the function: import it at the top of the file"
            )
        low.assign(alias.asname or alias.name, value_of(low, found, alias.name))
