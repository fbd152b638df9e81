"""Statements: assignments, `if`, loops, and what is left out because it does nothing here."""

from __future__ import annotations

import ast
import sys
from types import ModuleType
from typing import Any

from isolation_fast.compiled.expressions import item_of, method_called, value_of
from isolation_fast.compiled.flow import Edge, Env, Memo
from isolation_fast.compiled.iteration import assign, each
from isolation_fast.compiled.lowering import METHODS, Call, Jumps, Lowering, family, statement
from isolation_fast.compiled.names import bound_in
from isolation_fast.compiled.operators import branch, operated
from isolation_fast.compiled.source import of_loaded
from isolation_fast.compiled.types import NOTHING, SOME_TEXT, Known, Value

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
        if not isinstance(target, ast.Name) or scope is None or scope.holds(target.id):
            low.refuse("del", "an item is deleted: make a list without it", target)
        low.value(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        env = dict(low.reached())
        del env[scope.variable(target.id)]
        low.env = env


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
    for target in node.targets:
        assign(low, target, value)


@statement(ast.AnnAssign)
def lower_annotated(low: Lowering, node: ast.AnnAssign) -> None:
    """`a: type = value`."""
    if not isinstance(node.target, ast.Name):
        low.refuse("annotation", "what is no name has an annotation: leave it out", node.target)
    if node.value is not None:
        assign(low, node.target, low.value(node.value))


@statement(ast.AugAssign)
def lower_augmented(low: Lowering, node: ast.AugAssign) -> None:
    """`a += value`; a list is changed in its place."""
    if isinstance(node.target, ast.Name):
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        before = low.value(load)
        low.assign(node.target.id, _augmented(low, node, before, low.value(node.value)))
        return
    if isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
        container = low.present(low.value(node.target.value))
        index = low.value(node.target.slice)
        low.at = node
        before = item_of(low, container, index)
        after = _augmented(low, node, before, low.value(node.value))
        method_called(low, container, "__setitem__", [index, after])
        return
    low.refuse("assignment", "an attribute or a slice is assigned: use a variable")


def _augmented(low: Lowering, node: ast.AugAssign, before: Value, operand: Value) -> Value:
    word = f"__i{type(node.op).__name__.lower()}__"
    low.at = node
    handler = METHODS.get((family(before.kind), word))
    if handler is None:
        return operated(low, node.op, before, operand)
    return handler(low, low.present(before), Call([operand]))


# ---- control


@statement(ast.If)
def lower_if(low: Lowering, node: ast.If) -> None:
    """`if`, of which a side that is never taken is not looked at."""
    true, false = branch(low, node.test)
    out: list[Edge] = []
    for edges, body in ((true, node.body), (false, node.orelse)):
        low.enter(edges)
        low.statements(body)
        out += low.left()
    low.enter(out)


@statement(ast.While)
def lower_while(low: Lowering, node: ast.While) -> None:
    """`while`, with its `else`."""
    jumps = Jumps()

    def body(exits: list[Edge]) -> None:
        true, false = branch(low, node.test)
        exits += false
        low.enter(true)
        _body(low, node, jumps)

    _after(low, node, low.loop(low.site("while", node), body), jumps)


@statement(ast.For)
def lower_for(low: Lowering, node: ast.For) -> None:
    """`for`, with its `else`."""
    jumps = Jumps()
    value = low.value(node.iter)
    low.at = node

    def body(item: Value) -> None:
        assign(low, node.target, item)
        _body(low, node, jumps)

    _after(low, node, each(low, value, body), jumps)


def _body(low: Lowering, node: ast.For | ast.While, jumps: Jumps) -> None:
    jumps.continues = []
    low.jumps.append(jumps)
    low.statements(node.body)
    low.jumps.pop()
    low.enter([*jumps.continues, *low.left()])


def _after(low: Lowering, node: ast.For | ast.While, exits: list[Edge], jumps: Jumps) -> None:
    low.enter(exits)
    low.statements(node.orelse)
    low.enter([*jumps.breaks, *low.left()])


@statement(ast.Break)
def lower_break(low: Lowering, _node: ast.Break) -> None:
    """`break`."""
    low.jumps[-1].breaks.append(low.leave())


@statement(ast.Continue)
def lower_continue(low: Lowering, _node: ast.Continue) -> None:
    """`continue`."""
    low.jumps[-1].continues.append(low.leave())


@statement(ast.Return)
def lower_return(low: Lowering, node: ast.Return) -> None:
    """`return`: of the function, or of one that is written in place of its call."""
    value = NOTHING if node.value is None else low.value(node.value)
    low.at = node
    low.returned(value)


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
    kept = low.env, low.code, low.jumps, low.returns, low.memo
    low.code, low.jumps, low.returns = [], [Jumps()], {scope: [] for scope in low.returns}
    low.memo = Memo(low.memo)
    low.env = {**before, **(kept[0] or {})}
    if name is not None:
        low.assign(name, SOME_TEXT)
    low.statements(body)
    end = low.env
    low.env, low.code, low.jumps, low.returns, low.memo = kept
    return end


@statement(ast.Import)
def lower_import(low: Lowering, node: ast.Import) -> None:
    """`import` of what is imported already."""
    for alias in node.names:
        name = alias.name if alias.asname else alias.name.partition(".")[0]
        low.assign(alias.asname or name, Value(Known("a module", _module(low, alias.name, name))))


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
