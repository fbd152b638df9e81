"""One function on its way to a program: expressions and statements, each by the table of its kind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from isolation_fast.compiled.code import Code, Instruction, Register
from isolation_fast.compiled.flow import Dead, Edge, Flow, Key
from isolation_fast.compiled.names import Scope
from isolation_fast.compiled.scalars import of_python
from isolation_fast.compiled.source import Prelude, Refusal
from isolation_fast.compiled.types import (
    CELL,
    MIXED,
    NOTHING,
    NUMBERS,
    Closure,
    Form,
    Grouping,
    Known,
    Listing,
    Mapping,
    Optional,
    Region,
    Tuple,
    Type,
    Unset,
    Value,
    join,
    parts_in,
)

if TYPE_CHECKING:
    from isolation_fast.compiled.programs import Instance, Unit

LASTING: Final = "a list that outlives the call is changed: make a new one, list(...), and change that"
MOST_IN_PLACE: Final = 40
Body = Callable[[Value], None]
Handler = TypeVar("Handler", bound=Callable[..., Any])

EXPRESSIONS: dict[type[ast.AST], Callable[[Lowering, Any], Value]] = {}
STATEMENTS: dict[type[ast.AST], Callable[[Lowering, Any], None]] = {}
BUILTINS: dict[int, tuple[object, Callable[[Lowering, Call], Value]]] = {}
"""By the identity of the builtin, which is kept beside: what equals one is another."""
METHODS: dict[tuple[str, str], Callable[[Lowering, Value, Call], Value]] = {}
ATTRIBUTES: dict[tuple[str, str], Callable[[Lowering, Value], Value]] = {}


def _into(table: dict[Any, Any], keys: Iterable[Any]) -> Callable[[Handler], Handler]:
    def note(handler: Handler) -> Handler:
        table.update(dict.fromkeys(keys, handler))
        return handler

    return note


def expression(*kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Lowers expressions of these kinds."""
    return _into(EXPRESSIONS, kinds)


def statement(*kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Lowers statements of these kinds."""
    return _into(STATEMENTS, kinds)


def attribute(of: str, *names: str) -> Callable[[Handler], Handler]:
    """Lowers these attributes."""
    return _into(ATTRIBUTES, [(of, name) for name in names])


def builtin(*functions: Any) -> Callable[[Handler], Handler]:
    """Lowers calls of these functions or classes."""

    def note(handler: Handler) -> Handler:
        BUILTINS.update({id(function): (function, handler) for function in functions})
        return handler

    return note


def method(
    of: str, *names: str, takes: tuple[str, ...] = (), required: int | None = None, named: bool | None = None
) -> Callable[[Handler], Handler]:
    """Lowers calls of these methods; the handler gets the receiver, and each parameter's value or None.

    Of what is no board, nothing is taken by name but where `named` says so; then nothing in order.
    """

    def note(handler: Handler) -> Handler:
        def lower(low: Lowering, receiver: Value, call: Call) -> Value:
            unwanted = call.arguments if named else call.named if named is False or of != "board" else ()
            if unwanted:
                raise low.bail()
            given = call.taken(low, takes, len(takes) if required is None else required)
            return handler(low, receiver, *given)  # type: ignore[no-any-return]

        METHODS.update(dict.fromkeys([(of, name) for name in names], lower))
        return handler

    return note


def family(kind: Type) -> str:
    """The word under which the methods of a type stand in the tables."""
    if isinstance(kind, (Optional, Unset)):
        return family(kind.of)
    if isinstance(kind, Tuple) or kind is CELL:
        return "tuple"
    if isinstance(kind, Known):
        return "iterator" if isinstance(kind.value, Stream) else "known"
    return "number" if kind in NUMBERS else kind.label.split()[-1]


class Call:
    """A call with its arguments, in order and by name."""

    def __init__(self, arguments: list[Value], named: dict[str, Value] | None = None) -> None:
        self.arguments, self.named = arguments, named or {}

    def taken(
        self, low: Lowering, names: tuple[str, ...], required: int, nameless: int = 0
    ) -> list[Value | None]:
        """The arguments by parameter, None where one is not given. What does not fit raises in Python.

        The first ones, so many as are `nameless`, are not taken by name.
        """
        given: list[Value | None] = [None] * len(names)
        if len(self.arguments) > len(names) or not set(self.named) <= set(names[nameless:]):
            raise low.bail()
        given[: len(self.arguments)] = self.arguments
        for name, value in self.named.items():
            if given[names.index(name)] is not None:
                raise low.bail()
            given[names.index(name)] = value
        if any(value is None for value in given[:required]):
            raise low.bail()
        return given

    def only(self, low: Lowering, count: int = 1) -> list[Value]:
        """So many arguments, given in order."""
        if self.named or len(self.arguments) != count:
            raise low.bail()
        return self.arguments


@dataclass(frozen=True)
class Stream:
    """What can be walked over once."""

    walk: Callable[[Body, bool], list[Edge]]
    """Writes the loop, given what is done with each item, and whether the order matters; its exits."""
    items: tuple[Value, ...] | None = None
    bounds: tuple[Value, Value, int] | None = None
    """Those of a range."""


def stream(
    walk: Callable[[Body, bool], list[Edge]],
    items: tuple[Value, ...] | None = None,
    bounds: tuple[Value, Value, int] | None = None,
) -> Value:
    """The value of what can be walked over once."""
    return Value(Known("an iterator", Stream(walk, items, bounds)))


def is_stream(value: Value) -> bool:
    """Whether it can be walked over once only."""
    return isinstance(value.type, Known) and isinstance(value.type.value, Stream)


@dataclass
class Jumps:
    """Where `break` and `continue` of the innermost loop leave from."""

    breaks: list[Edge] = field(default_factory=list)
    continues: list[Edge] = field(default_factory=list)


class Lowering(Flow):
    """The lowering of one function of the program, and of all that is written in place of its calls."""

    def __init__(self, unit: Unit, instance: Instance) -> None:
        super().__init__(unit.facts, unit.texts)
        self.unit, self.instance = unit, instance
        self.path = unit.path(instance)
        self.scope = Scope(self.path, instance.node, instance.source, None)
        self.jumps: list[Jumps] = []
        self.calls: list[tuple[ast.AST, Scope]] = []
        """The calls that are being written in place, with where they stand."""
        self.at: ast.AST = instance.node
        self.returns: dict[Scope, list[Edge]] = {}
        """The ways that `return` leaves a function by which is written in place of its call."""
        self.consumers: dict[Scope, tuple[Body, bool]] = {}
        """What is done with that which a generator yields, and whether the order matters."""
        self.is_hashed = False
        """Whether what is looked for just now is looked for in a set or a dict."""
        self.kept: dict[Key, int] = {}
        """How often something had been written that others see when an iterator was bound to a name."""
        self.written_out = 1
        """So many turns of loops in one another are being written out."""
        self.scopes: dict[Hashable, Scope] = {}
        """The scopes of functions that are not ended, in which closures were made."""
        self._scratch: tuple[Register, Instruction] | None = None
        self._start: Code = []
        self.code.append(self._start)

    # ---- errors

    def refuse(self, construct: str, message: str, node: ast.AST | None = None) -> NoReturn:
        """Give up: say which line, and what to write instead."""
        node = self.at if node is None else node
        source = self.scope.source
        for call, scope in reversed(self.calls):
            if not source.is_prelude:
                break
            node, source = call, scope.source
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        elsewhere = None if source.filename == self.unit.source.filename else source.filename
        raise Refusal(line, column, construct, message, filename=elsewhere)

    # ---- dispatch

    def value(self, node: ast.AST) -> Value:
        """The value of an expression."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            what = f"`{_shown(node)}` is left to Python: write it with simpler expressions"
            self.refuse(type(node).__name__, what, node)
        self.unit.count(self)
        before, self.at = self.at, node
        value = handler(self, node)
        self.at = before
        return value

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Statements one after the other, as far as control comes."""
        for node in nodes:
            if self.env is None:
                return
            handler = STATEMENTS.get(type(node))
            self.at = node
            # What other files hold is the line's that calls it.
            if self.scope.source.filename == self.unit.source.filename:
                self.line = node.lineno
            if handler is None:
                self.refuse(type(node).__name__, f"`{_shown(node)}` is left to Python: leave it out")
            self.unit.count(self)
            try:
                handler(self, node)
            except Dead:
                self.env = None

    # ---- where we are

    def site(self, word: str = "", node: ast.AST | None = None) -> Hashable:
        """A name for this place, the same in all rounds."""
        return self.path, id(self.at if node is None else node), word

    def region(self, word: str, form: Form = Form.LIST, node: ast.AST | None = None) -> Region:
        """The lists that are made at this place."""
        return self.unit.region(self.site(word, node), form)

    @contextmanager
    def turned(self, turn: Hashable) -> Iterator[None]:
        """Write one of several turns that are written out: what it makes is its own."""
        before, self.path = self.path, self.unit.path(self.path, turn)
        try:
            yield
        finally:
            self.path = before

    @contextmanager
    def within(self, scope: Scope, path: int) -> Iterator[None]:
        """Look names up from another scope."""
        outside = self.scope, self.path, self.at
        self.scope, self.path = scope, path
        try:
            yield
        finally:
            self.scope, self.path, self.at = outside

    def here(self, write: Body) -> Body:
        """The same callback, which always runs in the scope of this place."""
        scope, path, at, calls = self.scope, self.path, self.at, list(self.calls)

        def from_here(value: Value) -> None:
            before, self.calls = self.calls, calls
            try:
                with self.within(scope, self.unit.path(path, "here", self.path)):
                    self.at = at
                    write(value)
            finally:
                self.calls = before

        return from_here

    # ---- variables

    def assign(self, name: str, value: Value) -> None:
        """Bind a name."""
        scope = self.scope.binding(name)
        if scope is None:
            self.refuse("global", f"the global {name} is assigned: pass it as an argument")
        if is_stream(value) and scope is self.scope and scope.is_read_once(name):
            self.kept[scope.variable(name)] = self.unit.effects
        else:
            self.refuse_iterator(value)
        if scope.function is not self.scope.function or scope.holds(name):
            if scope.holds(name):
                self.refuse("closure", f"{name} outlives the call that bound it: pass it as an argument")
            self.refuse_bound(value.type)
            self.unit.effects += 1
        self.reached()[scope.variable(name)] = value

    def forget(self, scope: Scope) -> None:
        """Drop the variables of a scope that has ended."""
        self.scopes.pop(scope.path, None)
        if self.env is not None:
            self.env = {key: value for key, value in self.env.items() if key[0] != scope.path}

    def bind_all(self, values: dict[Key, Value]) -> None:
        """Bind variables."""
        self.env = {**self.reached(), **values}

    # ---- types

    def bound(self, value: Value) -> Value:
        """The value of a variable that is bound: else the run ends."""
        if isinstance(value.type, Unset):
            tag, *row = value.row
            self.bail_if("JumpIfNot", tag)
            value = self.held(value.type.of, row)
        return value

    def present(self, value: Value) -> Value:
        """The value where Python wants one that is not None: else the run ends."""
        value = self.bound(value)
        if isinstance(value.type, Optional):
            if value.type.of is CELL:
                self.bail_if("JumpLtI", value.one, self.number(0))
            else:
                self.bail_if("JumpIfNot", value.row[0])
            value = self.inside(value)
        return value

    def inside(self, value: Value) -> Value:
        """What an optional value is where it is not None."""
        assert isinstance(value.type, Optional)
        return self.held(value.type.of, value.row if value.type.of is CELL else value.row[1:])

    def unmixed(self, value: Value, message: str, construct: str = "type") -> Value:
        """A value of one type; else refuse."""
        if value.type is MIXED:
            self.refuse(construct, message)
        return value

    def refuse_iterator(self, value: Value) -> None:
        """What can be walked once only is walked where it is made."""
        if any(is_stream(Value(each)) for each in parts_in(value.type)) and not self.scope.source.is_prelude:
            self.refuse("iterator", "an iterator is kept or passed on: make a list of it")

    def refuse_bound(self, kind: Type) -> None:
        """A function that reads what changes in the scope it was made in stays in that scope."""
        if _bound_in(kind):
            what = "a function that reads variables around it is kept or passed on: give it defaults"
            self.refuse("closure", what)

    # ---- calls that are written in place

    def in_place(self, scope: Scope, given: dict[str, Value], path: int) -> Value:
        """A function written in place of its call: `return` goes to its end.

        A generator is written where it is walked.
        """
        if scope.names.yields:
            return stream(lambda body, ordered: self._generated(scope, given, path, body, ordered))
        return self._call_in_place(scope, given, path)

    def _call_in_place(self, scope: Scope, given: dict[str, Value], path: int) -> Value:
        self.bind_all({scope.variable(name): value for name, value in given.items()})
        jumps, self.jumps = self.jumps, []
        self.returns[scope] = []
        self.calls.append((self.at, self.scope))
        try:
            with self.within(scope, path):
                if isinstance(scope.node, ast.Lambda):
                    self.returned(self.value(scope.node.body))
                else:
                    self.statements(scope.node.body)  # type: ignore[attr-defined]
                    if self.env is not None:
                        self.returned(NOTHING)
                self.enter(self.returns.pop(scope))
        finally:
            self.calls.pop()
            self.jumps = jumps
        value = self.reached()[scope.variable("return")]
        self.forget(scope)
        if any(each.scope == scope.path for each in _bound_in(value.type)):
            what = "a function is returned that reads what changes around it: give it defaults"
            self.refuse("closure", what)
        return self.unmixed(value, "a function returns different types: let it return one", "return")

    def _generated(
        self, scope: Scope, given: dict[str, Value], path: int, body: Body, ordered: bool
    ) -> list[Edge]:
        self.consumers[scope] = body, ordered
        self._call_in_place(scope, given, path)
        return [self.leave()]

    def returned(self, value: Value) -> None:
        """Leave the function with a value."""
        scope = self.scope.function
        if scope.names.yields:
            value = NOTHING
        self.refuse_iterator(value)
        if self.instance.is_entry and scope.outer is None and not self.calls:
            self.emit("Ret", [self._result(value)])
            self.env = None
            return
        self.bind_all({scope.variable("return"): self.bound(value)})
        self.returns[scope].append(self.leave())

    def _result(self, value: Value) -> Register:
        """The value of a heuristic as the engine takes it: a float."""
        value = of_python(self.present(value))
        if value.kind not in NUMBERS:
            if isinstance(value.type, (Tuple, Listing)) or value.type is CELL:
                self.refuse("return", f"{value.type.label} is returned: return a number")
            raise self.bail()
        return self.as_float(value)

    def prelude(self, name: str, *given: Value) -> Value:
        """What a function of the prelude gives."""
        source = Prelude.of(name)
        path = self.unit.path(self.path, id(self.at), name)
        scope = Scope(path, source.tree, source, None)
        if len(self.calls) > MOST_IN_PLACE:
            self.refuse("call", "calls are nested too deep here: use variables")
        return self.in_place(scope, dict(zip(source.parameters, given, strict=True)), path)

    def looked_up(self, name: str, *operands: Register, kind: str = "i") -> Register:
        """What an attribute of a board says; once for all times, if no board changes."""
        return (self.made if self.unit.boards_change else self.pure)(name, *operands, kind=kind)

    # ---- lists, sets and dicts

    def write_into(self, value: Value) -> Region:
        """Note that a list, set or dict is written into."""
        assert isinstance(value.type, (Listing, Grouping, Mapping))
        region = value.type.region
        self.unit.effects += 1
        if region.is_lasting:
            self.refuse("global", LASTING)
        if region.is_frozen:
            self.refuse("set", "a tuple or a frozenset is changed: use a list or a set")
        region.note("changed")
        region.need(Form.LIST)
        return region

    def hold(self, region: Region, kind: Type) -> Type:
        """Note that an element of a type is put into lists; the type of their elements."""
        self.refuse_iterator(Value(kind))
        self.refuse_bound(kind)
        kind = kind.of if isinstance(kind, Unset) else kind
        if join(region.element, kind) is MIXED:
            what = f"a list holds {kind.label} and {region.element.label}: keep to one of them"
            self.refuse("list", what)
        wider = region.hold(kind)
        if wider is MIXED or len(parts_in(wider)) > 64:
            self.refuse("list", "a list holds values of different types: keep to one of them")
        element: Type = region.element
        return element

    def scratch(self, row: Sequence[Register]) -> Register:
        """The address of some words that are written, and read at once."""
        if self._scratch is None:
            size, address = self.fresh("i"), self.fresh("i")
            constant = self._instruction("ConstI", [size, 0])
            self._start += [constant, self._instruction("Alloc", [address, size])]
            self._scratch = address, constant
        address, constant = self._scratch
        constant.operands[1] = max(constant.operands[1], len(row))
        for offset, register in enumerate(row):
            self.emit("StoreI", address, offset, register)
        return address


def _bound_in(kind: Type) -> list[Closure]:
    return [each for each in parts_in(kind) if isinstance(each, Closure) and each.is_bound]


def _shown(node: ast.AST) -> str:
    shown = ast.unparse(node).partition("\n")[0]
    return shown if len(shown) <= 40 else shown[:37] + "..."
