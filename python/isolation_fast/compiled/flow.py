"""The way that control takes through a function, and what its variables hold on each.

While code is written, `env` says what each variable holds: registers that are written once, or a constant.
So a variable may hold a number here and a list further down. Where two ways meet, a variable that differs
gets a *home*, registers of its own for that type, and each way copies there. The copies are written into a
place that each way has, after it is known what they are.

A loop is written with what its variables hold at first. Where one of them holds something else at the end
of the body, the loop is written anew with a home for it, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

from isolation_fast.compiled.assembly import MOVES, Code, Instruction, Label
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FLOAT,
    INT,
    MIXED,
    NONE,
    NUM,
    PAIR,
    WHOLE,
    Optional,
    Tuple,
    Type,
    Unset,
    join,
)
from isolation_fast.compiled.values import NOTHING, Value, alike

Key = tuple[Hashable, ...]
Env = dict[Key, Value]


HARMLESS: Final = frozenset("ListNew ListLen ListCopy LoadI LoadF OrderedList AddF SubF MulF NegF".split())  # noqa: SIM905
"""What bails nowhere that Python raises, though it may not be left out or done once."""


class Dead(Exception):  # noqa: N818 - no error: what follows is never reached
    """Control does not come back from what was just written."""


class Edge:
    """A way that control leaves by: what variables hold there, and the place for copies."""

    __slots__ = ("code", "dead", "env")

    def __init__(self, env: Env) -> None:
        self.env = env
        self.code: Code = []
        self.dead = False


class Flow:
    """Code with the variables that live in it."""

    def __init__(self) -> None:
        self.code: Code = []
        self.env: Env | None = {}
        self.classes: dict[int, str] = {}
        self.homes: dict[tuple[Key, Type], Value] = {}
        self.rewritten: set[int] = set()
        """Registers that are written more than once."""
        self.edges: list[Edge] = []
        self.loops: list[tuple[Code, dict[Hashable, int]]] = []
        """The place before each loop around here, and the constants that are already there."""
        self.shapes: dict[Hashable, dict[Key, Type]] = {}
        """What each loop needs homes for."""
        self.bails: list[Edge] = []
        self.risks = 0
        """How often something was written that may raise in Python."""

    # ---- instructions

    def fresh(self, kind: str) -> int:
        """A new register."""
        register = len(self.classes)
        self.classes[register] = kind
        return register

    def emit(self, name: str, *operands: Any) -> None:
        """Write an instruction."""
        if name == "Call":
            self.risks += 1
        self.code.append(Instruction(name, list(operands)))

    def made(self, name: str, *operands: Any, kind: str = "i") -> int:
        """Write an instruction with a result: the register of that."""
        if name not in HARMLESS:
            self.risks += 1
        register = self.fresh(kind)
        self.code.append(Instruction(name, [register, *operands]))
        return register

    def pure(self, name: str, *operands: Any, kind: str = "i") -> int:
        """The same for one that gives the same each time and raises nothing in Python: it is written once."""
        env = self.reached()
        key = (None, name, *operands)
        found = env.get(key)
        if found is not None and found.row is not None:
            return found.row[0]
        register = self.fresh(kind)
        self.code.append(Instruction(name, [register, *operands], pure=True))
        if self.rewritten.isdisjoint(operands):
            env[key] = Value(INT, (register,))
        return register

    def constant_register(self, name: str, value: float, kind: str) -> int:
        """A register with a constant; before the loops, where there are some."""
        if not self.loops:
            # The text tells -0.0 from 0.0.
            key = (None, name, repr(value))
            env = self.reached()
            if key not in env:
                register = self.fresh(kind)
                self.code.append(Instruction(name, [register, value], pure=True))
                env[key] = Value(INT, (register,))
            row = env[key].row
            assert row is not None
            return row[0]
        before, known = self.loops[0]
        known_key = (name, repr(value))
        if known_key not in known:
            known[known_key] = self.fresh(kind)
            before.append(Instruction(name, [known[known_key], value], pure=True))
        return known[known_key]

    def copy(self, source: int, to: int | None = None) -> int:
        """Copy a register, into a new one unless it is said where to."""
        kind = self.classes[source]
        to = self.fresh(kind) if to is None else to
        if to != source:
            self.code.append(Instruction(MOVES[kind], [to, source], pure=True))
        return to

    # ---- values and registers

    def row(self, value: Value) -> tuple[int, ...]:
        """The registers of a value."""
        if value.parts is not None:
            return tuple(register for part in value.parts for register in self.row(part))
        if value.row is None:
            constant = value.constant
            if value.type is FLOAT:
                return (self.constant_register("ConstF", constant, "f"),)
            return (self.constant_register("ConstI", int(constant), "i"),)
        return value.row

    def held(self, kind: Type, row: Iterable[int]) -> Value:
        """A value of a type in registers."""
        row = tuple(row)
        if isinstance(kind, Tuple):
            parts, at = [], 0
            for part in kind.parts:
                parts.append(self.held(part, row[at : at + len(part.layout)]))
                at += len(part.layout)
            return Value(kind, None, parts=tuple(parts))
        return NOTHING if kind is NONE else Value(kind, row)

    def one(self, value: Value) -> int:
        """The only register of a value."""
        (register,) = self.row(value)
        return register

    def settled(self, value: Value) -> Value:
        """The value in registers that nobody writes again."""
        if value.parts is not None:
            parts = tuple(map(self.settled, value.parts))
            return Value(value.type, None, parts=parts)
        if value.row is None or self.rewritten.isdisjoint(value.row):
            return value
        return Value(value.type, tuple(map(self.copy, value.row)), constant=value.constant)

    def home(self, key: Key, kind: Type) -> Value:
        """The registers that a variable has for a type where ways meet."""
        if (key, kind) not in self.homes:
            row = tuple(map(self.fresh, kind.layout))
            self.rewritten.update(row)
            self.homes[key, kind] = self.held(kind, row)
        return self.homes[key, kind]

    def move(self, value: Value, home: Value) -> None:
        """Copy a value into a home, converted to its type."""
        row = self.row(self.converted(value, home.type))
        for source, to in zip(row, self.row(home), strict=True):
            self.copy(source, to)

    def converted(self, value: Value, to: Type) -> Value:
        """The value as one of a wider type."""
        kind = value.type
        if kind == to or to is MIXED or (kind in WHOLE and to in WHOLE):
            return value
        if isinstance(to, Unset):
            if isinstance(kind, Unset):
                tag, *inside = self.row(value)
                inner = self.held(kind.of, inside)
                return self._under(tag, to, inner, to.of)
            return self._tagged(to, 1, self.row(self.converted(value, to.of)))
        if isinstance(to, Optional):
            return self._optional(value, to)
        if to is NUM:
            if kind is FLOAT:
                return self._tagged(to, 1, self.row(value))
            exact = self.pure("IToFExact", self.one(value), kind="f")
            return self._tagged(to, 0, (exact,))
        if kind is CELL:
            value = self.pair(value)
        if value.parts is not None and isinstance(to, Tuple):
            parts = tuple(map(self.converted, value.parts, to.parts))
            return Value(to, None, parts=parts)
        raise TypeError(f"{kind.label} is not {to.label}")

    def pair(self, cell: Value) -> Value:
        """A cell as row and column."""
        register = self.one(cell)
        parts = [Value(INT, (self.pure(name, register),)) for name in ("RowOf", "ColOf")]
        return Value(PAIR, None, parts=tuple(parts))

    def _tagged(self, to: Type, tag: int, row: Iterable[int]) -> Value:
        return self.held(to, (self.constant_register("ConstI", tag, "i"), *row))

    def _optional(self, value: Value, to: Optional) -> Value:
        kind = value.type
        if kind is NONE:
            if to.of is CELL:
                return Value(to, (self.constant_register("ConstI", -1, "i"),))
            return self._tagged(to, 0, self.zeros(to.of.layout))
        if not isinstance(kind, Optional):
            row = self.row(self.converted(value, to.of))
            return Value(to, row) if to.of is CELL else self._tagged(to, 1, row)
        if kind.of is CELL:
            cell = self.one(value)
            tag = self.pure("LeI", self.constant_register("ConstI", 0, "i"), cell)
            return self._under(tag, to, Value(CELL, (cell,)), to.of)
        tag, *inside = self.row(value)
        return self._under(tag, to, self.held(kind.of, inside), to.of)

    def _under(self, tag: int, to: Type, inner: Value, of: Type) -> Value:
        """Convert what is inside a tagged value, where there is something."""
        if inner.type == of or (inner.type in WHOLE and of in WHOLE):
            return self.held(to, (tag, *self.row(inner)))
        row = [self.copy(zero) for zero in self.zeros(of.layout)]
        over = Label()
        self.code.append(Instruction("JumpIfNot", [tag, over]))
        kept = self.env
        self.env = dict(self.reached())
        for source, register in zip(self.row(self.converted(inner, of)), row, strict=True):
            self.copy(source, register)
        self.env = kept
        self.code.append(over)
        # They are written twice, but not again.
        return self.held(to, (tag, *row))

    def zeros(self, layout: str) -> list[int]:
        """Registers with nothing in them."""
        row = []
        for kind in layout:
            if kind == "m":
                row.append(self.pure("MaskEmpty", kind="m"))
            else:
                name, zero = ("ConstF", 0.0) if kind == "f" else ("ConstI", 0)
                row.append(self.constant_register(name, zero, kind))
        return row

    # ---- ways

    def reached(self) -> Env:
        """The variables here, where control comes along."""
        if self.env is None:
            raise Dead
        return self.env

    def leave(self) -> Edge:
        """Control goes from here to where the edge will be entered."""
        edge = Edge(self.reached())
        self.env = None
        self.code.append(edge.code)
        self.edges.append(edge)
        return edge

    def jump(self, name: str, *operands: Any) -> Edge:
        """Control may leave here, by a jump with a condition."""
        edge = Edge(dict(self.reached()))
        taken, on = Label(), Label()
        self.code.append(Instruction(name, [*operands, taken]))
        self.code.append(Instruction("Jump", [on]))
        self.code += [taken, edge.code, on]
        self.edges.append(edge)
        return edge

    def bail_if(self, name: str, *operands: Any) -> None:
        """Where that jump would be taken, the run ends, and Python is asked."""
        self.risks += 1
        edge = self.jump(name, *operands)
        edge.env = {}
        self.bails.append(edge)

    def bail(self) -> Dead:
        """The run ends here: raise what this returns."""
        self.risks += 1
        if self.env is not None:
            self.env = {}
            self.bails.append(self.leave())
        return Dead()

    def enter(self, edges: Iterable[Edge]) -> None:
        """Control goes on here from these edges; from none if all are dead."""
        alive = [edge for edge in edges if not edge.dead]
        if not alive:
            self.env = None
            return
        label = Label()
        self.env = alive[0].env if len(alive) == 1 else self._met(alive)
        for edge in alive:
            edge.code.append(Instruction("Jump", [label]))
        self.code.append(label)

    def attempt(self, write: Callable[[], None]) -> None:
        """Write something that control may not come back from."""
        try:
            write()
        except Dead:
            self.env = None

    def _met(self, edges: list[Edge]) -> Env:
        met: Env = {}
        keys = dict.fromkeys(key for edge in edges for key in edge.env)
        for key in keys:
            values = [edge.env.get(key) for edge in edges]
            value = values[0]
            if value is not None and all(
                other is value or (other is not None and other.type == value.type and alike(value, other))
                for other in values[1:]
            ):
                met[key] = value
            elif key[0] is not None:
                met[key] = self._met_one(key, edges, values)
        return met

    def _met_one(self, key: Key, edges: list[Edge], values: list[Value | None]) -> Value:
        kind: Type | None = None
        for value in values:
            if value is not None:
                kind = value.type if kind is None else join(kind, value.type)
        assert kind is not None
        if None in values:
            kind = _unset(kind)
        home = self.home(key, kind)
        for edge, value in zip(edges, values, strict=True):
            self._bring(edge, value, home)
        return home

    def _bring(self, edge: Edge, value: Value | None, home: Value) -> None:
        """Copy what a variable holds on an edge into its home."""
        if home.type is MIXED or not home.type.layout:
            return
        here, self.code = self.code, edge.code
        env, self.env = self.env, edge.env
        if value is None:
            value = self.held(home.type, self.zeros(home.type.layout))
        self.move(value, home)
        self.code, self.env = here, env

    # ---- loops

    def loop(
        self, key: Hashable, body: Callable[[list[Edge]], None], variables: Iterable[Key] = ()
    ) -> list[Edge]:
        """Write a loop: the edges by which it is left.

        `body` writes the test and what is repeated; it appends the edges that leave to its argument.
        `variables` are those that it assigns, as far as that is known.
        """
        entry = self.reached()
        shape = self.shapes.setdefault(key, {})
        for name in variables:
            if name in entry and name not in shape and entry[name].type is not MIXED:
                kind = entry[name].type
                shape[name] = INT if kind is BOOL else kind
        code = self.code
        dropped: set[Key] = set()
        while True:
            mark = len(self.edges)
            before: Code = []
            self.code = before
            self.env = {name: value for name, value in entry.items() if name not in dropped}
            for name in list(shape):
                self._open(name, entry.get(name), shape)
            head = dict(self.env)
            constants: Code = []
            self.loops.append((constants, {}))
            before.append(constants)
            label = Label()
            self.code.append(label)
            exits: list[Edge] = []
            self.attempt(lambda exits=exits: body(exits))  # type: ignore[misc]
            done = self._close(head, shape, dropped)
            if self.env is not None:
                self.emit("Jump", label)
            self.loops.pop()
            self.code = code
            if done:
                break
            for edge in self.edges[mark:]:
                edge.dead = True
        code.append(before)
        self.env = None
        return exits

    def _open(self, name: Key, value: Value | None, shape: dict[Key, Type]) -> None:
        """Bring a variable into its home before a loop."""
        kind = shape[name]
        kind = _unset(kind) if value is None else join(kind, value.type)
        shape[name] = kind
        home = self.home(name, kind)
        if kind is not MIXED and kind.layout:
            if value is None:
                value = self.held(kind, self.zeros(kind.layout))
            self.move(value, home)
        self.reached()[name] = home

    def _close(self, head: Env, shape: dict[Key, Type], dropped: set[Key]) -> bool:
        """At the end of a loop's body: whether all is in its home for the next turn."""
        if self.env is None:
            return True
        known = (len(dropped), dict(shape))
        self._compare(head, shape, dropped)
        if known != (len(dropped), shape):
            return False
        for name, kind in shape.items():
            value = self.env.get(name)
            if kind is not MIXED and kind.layout and value is not None:
                self.move(value, self.home(name, kind))
        return True

    def _compare(self, head: Env, shape: dict[Key, Type], dropped: set[Key]) -> None:
        """Note which variables hold something else than at the start of the turn."""
        env = self.reached()
        for name in {**head, **env}:
            start, value = head.get(name), env.get(name)
            if name[0] is None:
                if start is not None and (value is None or not alike(start, value)):
                    dropped.add(name)
            elif start is None and value is not None:
                shape[name] = _unset(value.type)
            elif start is not None and value is None:
                shape[name] = _unset(start.type)
            elif start is not None and value is not None and not _as_before(start, value):
                shape[name] = join(start.type, value.type)


def _as_before(start: Value, value: Value) -> bool:
    return start.type == value.type and alike(start, value)


def _unset(kind: Type) -> Type:
    return kind if kind is MIXED or isinstance(kind, Unset) else Unset(kind)
