"""One function on its way to a program: expressions and statements, each by the table of its kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NoReturn

from isolation_fast.compiled.assembly import Instruction
from isolation_fast.compiled.flow import Dead, Edge, Flow, Key
from isolation_fast.compiled.scopes import Names, Scope, names_of
from isolation_fast.compiled.source import Refusal
from isolation_fast.compiled.tables import EXPRESSIONS, STATEMENTS
from isolation_fast.compiled.types import (
    MIXED,
    Again,
    Known,
    Listing,
    Optional,
    Region,
    Tuple,
    Type,
    Unset,
    join,
)
from isolation_fast.compiled.unit import Instance, Unit
from isolation_fast.compiled.values import Value

LASTING: Final = "a list that outlives the call is changed: make a new one, list(...), and change that"


class Jumps:
    """Where `break` and `continue` of the innermost loop leave from."""

    def __init__(self) -> None:
        self.breaks: list[Edge] = []
        self.continues: list[Edge] = []


class Lowering(Flow):
    """The lowering of one function of the program, and of all that is written in place of its calls."""

    def __init__(self, unit: Unit, instance: Instance) -> None:
        super().__init__()
        self.unit, self.instance = unit, instance
        self.scope = Scope((), instance.node, self.names(instance.node), instance.source, None)
        self.jumps: list[Jumps] = []
        self.depth = 0
        """How many calls and comprehensions are written in place around here."""
        self.inlined: list[object] = []
        """The functions that are being written in place of their calls; the nodes of inner ones."""
        self.start: list[Any] = []
        """Code at the start of the function."""
        self._scratch: tuple[int, Instruction] | None = None
        self.at: ast.AST = instance.node
        self.call_node: ast.AST = instance.node

    def names(self, node: ast.AST) -> Names:
        """The names that a function or comprehension binds."""
        if id(node) not in self.unit.names:
            names = self.unit.names[id(node)] = names_of(node)
            if (names.within or names.of_outer) and not self.unit.careful:
                self.unit.careful = True
                raise Again
        return self.unit.names[id(node)]

    # ---- errors

    def refuse(self, construct: str, message: str, node: ast.AST | None = None) -> NoReturn:
        """Give up: say which line, and what to write instead."""
        node = self.at if node is None else node
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        filename = self.scope.source.filename
        elsewhere = None if filename == self.unit.source.filename else filename
        raise Refusal(line, column, construct, message, filename=elsewhere)

    # ---- dispatch

    def value(self, node: ast.AST) -> Value:
        """The value of an expression."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            word = type(node).__name__
            self.refuse(word, f"`{_shown(node)}` is left to Python: write it with simpler expressions", node)
        self.unit.count(self)
        before, self.at = self.at, node
        value = handler(self, node)
        self.at = before
        return value

    def write_into(self, region: Region) -> Region:
        """Note that a list, set or dict is written into."""
        self.unit.effects += 1
        if region.lasting:
            self.refuse("global", LASTING)
        region.change()
        return region

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Statements one after the other, as far as control comes."""
        for node in nodes:
            if self.env is None:
                return
            handler = STATEMENTS.get(type(node))
            self.at = node
            if handler is None:
                word = type(node).__name__
                self.refuse(word, f"`{_shown(node)}` is left to Python: leave it out")
            self.unit.count(self)
            try:
                handler(self, node)
            except Dead:
                self.env = None

    # ---- variables

    def key(self, name: str) -> Key | None:
        """The key of a variable, None for a name of the module."""
        scope = self.scope.binding(name)
        return None if scope is None else scope.variable(name)

    def assign(self, name: str, value: Value) -> None:
        """Bind a name."""
        self.refuse_iterator(value)
        scope = self.scope.binding(name)
        if scope is None:
            self.refuse("global", f"the global {name} is assigned: pass it as an argument")
        if scope is not self.scope:
            self.unit.effects += 1
        self.assign_key(scope.variable(name), value)

    def assign_key(self, key: Key, value: Value) -> None:
        """Bind a variable, in its home if it has one for that type."""
        value = self.settled(value)
        home = self.homes.get((key, value.type))
        if home is not None and not value.is_constant and home.type is not MIXED:
            self.move(value, home)
            value = home
        self.reached()[key] = value

    def kept(self, value: Value) -> Value:
        """A value read before something else is, which may bind variables in the middle of an expression."""
        return self.settled(value) if self.unit.careful else value

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        """Look names up from another scope."""
        outside, self.scope = self.scope, scope
        self.depth += 1
        try:
            yield
        finally:
            self.scope = outside
            self.depth -= 1

    def scoped(self, key: Hashable, node: ast.AST) -> Scope:
        """A scope inside this one, for a comprehension or a function that is written in place."""
        return Scope((self.scope.key, key), node, self.names(node), self.scope.source, self.scope)

    def in_any_order(self, key: Hashable, write: Callable[[bool], bool]) -> None:
        """Write a loop in whatever order, or in order if it says that this matters.

        `write` gets whether it is in order, and says whether that was right. What changes something on the
        way needs the order too.
        """
        if key not in self.unit.ordered:
            code, self.code = self.code, []
            env, mark, effects = dict(self.reached()), len(self.edges), self.unit.effects
            risks = self.risks
            try:
                is_right = write(False)
            except Dead:
                is_right = False
            if is_right and effects == self.unit.effects:
                code.append(self.code)
                self.code = code
                return
            self.unit.ordered.add(key)
            for edge in self.edges[mark:]:
                edge.dead = True
            self.code, self.env, self.risks = code, env, risks
        write(True)

    def either(self, key: Hashable, arms: Sequence[tuple[list[Edge], Callable[[], Value]]]) -> Value:
        """The value that one of several ways gives, each written where its edges lead."""
        name = ("$", self.scope.key, key)
        out: list[Edge] = []

        def write(make: Callable[[], Value]) -> None:
            value = make()
            self.reached()[name] = value
            out.append(self.leave())

        for edges, make in arms:
            self.enter(edges)
            if self.env is not None:
                self.attempt(partial(write, make))
        self.enter(out)
        value = self.settled(self.reached()[name])
        self.env = {key: each for key, each in self.reached().items() if key != name}
        return value

    def forget(self, scope: Scope) -> None:
        """Drop the variables of a scope that has ended."""
        scope.has_ended = True
        if self.env is not None:
            self.env = {key: value for key, value in self.env.items() if key[0] != scope.key}

    def place(self, node: ast.AST) -> Hashable:
        """A key for something at this place in the program."""
        return (self.scope.key, id(node))

    # ---- types

    def bound(self, value: Value) -> Value:
        """The value of a variable that is bound: else the run ends."""
        if isinstance(value.type, Unset):
            tag, *row = self.row(value)
            self.bail_if("JumpIfNot", tag)
            value = self.held(value.type.of, row)
        return value

    def present(self, value: Value) -> Value:
        """The value where Python wants one that is not None: else the run ends."""
        value = self.bound(value)
        if isinstance(value.type, Optional):
            if len(value.type.layout) == 1 and value.type.of.layout == "i":
                cell = self.one(value)
                self.bail_if("JumpLtI", cell, self.constant_register("ConstI", 0, "i"))
                return self.held(value.type.of, (cell,))
            tag, *row = self.row(value)
            self.bail_if("JumpIfNot", tag)
            value = self.held(value.type.of, row)
        return value

    def refuse_iterator(self, value: Value) -> None:
        """What can be walked once only is walked where it is made."""
        if _has_iterator(value.type):
            self.refuse("iterator", "an iterator is kept or passed on: make a list of it")

    def region(self, node: ast.AST, name: str, *, cells: bool = False) -> Region:
        """The lists that are made at this place of the source."""
        return self.unit.region(id(node), name, cells=cells)

    def hold(self, region: Region, kind: Type) -> None:
        """Note that an element of a type is put into lists."""
        self.refuse_iterator(Value(kind))
        if join(region.element, kind) is MIXED:
            what = f"a list holds {kind.label} and {region.element.label}: keep to one of them"
            self.refuse("list", what)
        region.hold(kind)

    def scratch(self, words: int) -> int:
        """The address of some words that are written and read at once."""
        if self._scratch is None:
            size, address = self.fresh("i"), self.fresh("i")
            constant = Instruction("ConstI", [size, 0])
            self.start += [constant, Instruction("Alloc", [address, size])]
            self._scratch = address, constant
        address, constant = self._scratch
        constant.operands[1] = max(constant.operands[1], words)
        return address

    def spelt_out(self, value: Value) -> Value:
        """A list as a list, not as a set of cells."""
        if isinstance(value.type, Listing):
            value.type.region.spell_out()
        return value


def _has_iterator(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return any(map(_has_iterator, kind.parts))
    if isinstance(kind, (Optional, Unset)):
        return _has_iterator(kind.of)
    return isinstance(kind, Known) and kind.label == "an iterator"


def _shown(node: ast.AST) -> str:
    shown = ast.unparse(node).partition("\n")[0]
    return shown if len(shown) <= 40 else shown[:37] + "..."
