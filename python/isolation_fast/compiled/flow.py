"""Code with the way that control takes through it, and what the variables hold on each way.

A register is written once, so a value stays what it is. Where two ways meet, a variable that differs gets
registers of its own, and each way copies there, all at once. A loop begins with registers for the variables
that change in it, of the types found in earlier rounds; what differs at its end is a fact for the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.code import MOVES, REGISTERS, Code, Instruction, Label, Register, in_parallel
from isolation_fast.compiled.scalars import Scalar
from isolation_fast.compiled.types import (
    CELL,
    FLOAT,
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    PAIR,
    STRING,
    WHOLE,
    Closure,
    Constant,
    Container,
    Optional,
    Row,
    Tuple,
    Type,
    Unset,
    Value,
    base,
    join,
    tuple_of,
    unset,
)

if TYPE_CHECKING:
    from isolation_fast.compiled.programs import Facts

Key = tuple[Hashable, ...]
Env = dict[Key, Value]
LARGEST: Final = 2.0**53

HARMLESS: Final = frozenset(
    {"ListNew", "ListLen", "ListCopy", "LoadI", "LoadF", "OrderedList", "AddF", "SubF", "MulF", "NegF"}
    | {"Opponent"}
)
"""What bails nowhere that Python raises, though it may not be left out or done once."""


class Dead(Exception):  # noqa: N818 - no error: what follows is never reached
    """Control does not come back from what was just written."""


MOST_REMEMBERED: Final = 32


class Memo:
    """What was computed on the way here and need not be computed again; what is too far back is forgotten."""

    __slots__ = ("before", "depth", "known")

    def __init__(self, before: Memo | None) -> None:
        self.before = None if before is None or before.depth == MOST_REMEMBERED else before
        self.depth: int = 0 if self.before is None else self.before.depth + 1
        self.known: dict[Hashable, Register] = {}

    def _backwards(self) -> Iterator[Memo]:
        memo: Memo | None = self
        while memo is not None:
            yield memo
            memo = memo.before

    def find(self, key: Hashable) -> Register | None:
        """The register of that."""
        memo: Memo | None = self
        while memo is not None:
            if key in memo.known:
                return memo.known[key]
            memo = memo.before
        return None

    def common(self, other: Memo) -> Memo:
        """What both have come by."""
        passed = set(other._backwards())
        return next((memo for memo in self._backwards() if memo in passed), Memo(None))


class Edge:
    """A way that control leaves by: what variables hold there, and the place for copies."""

    __slots__ = ("code", "env", "memo")

    def __init__(self, env: Env, memo: Memo) -> None:
        self.env, self.memo = env, memo
        self.code: Code = []


class Flow:
    """Code of one function, with the variables that live in it."""

    def __init__(self, facts: Facts, texts: dict[str, int]) -> None:
        self.facts, self._texts = facts, texts
        self.code: Code = []
        self.env: Env | None = {}
        self.memo = Memo(None)
        self.line = 0
        self.loops: list[tuple[Code, dict[Hashable, Register]]] = []
        """The place before each loop around here, and the constants that are already there."""
        self.bailing = Label()
        self.risks = 0
        """How often something was written that may raise in Python."""
        self._registers = 0

    # ---- instructions

    def fresh(self, kind: str) -> Register:
        """A new register."""
        self._registers += 1
        return Register(self, kind, self._registers)

    def _write(self, name: str, operands: list[Any], *, pure: bool = False) -> None:
        self.code.append(self._instruction(name, operands, pure=pure))

    def _instruction(self, name: str, operands: list[Any], *, pure: bool = False) -> Instruction:
        if name not in ("Call", "Ret"):
            for place in REGISTERS[name]:
                assert operands[place].owner is self, f"{name} names a register of another function"
        return Instruction(name, operands, pure=pure, line=self.line)

    def emit(self, name: str, *operands: Any) -> None:
        """Write an instruction."""
        if name == "Call":
            self.risks += 1
            assert all(each.owner is self for row in operands[1:] for each in row)
        if name == "Ret":
            assert all(each.owner is self for each in operands[0])
        self._write(name, list(operands))

    def made(self, name: str, *operands: Any, kind: str = "i") -> Register:
        """Write an instruction with a result: the register of that."""
        if name not in HARMLESS:
            self.risks += 1
        register = self.fresh(kind)
        self._write(name, [register, *operands])
        return register

    def pure(self, name: str, *operands: Any, kind: str = "i") -> Register:
        """The same for one that gives the same each time and raises nothing in Python: it is written once."""
        key = (name, *operands)
        found = self.memo.find(key)
        if found is None:
            found = self.memo.known[key] = self.fresh(kind)
            self._write(name, [found, *operands], pure=True)
        return found

    def number(self, value: float) -> Register:
        """A register with a constant; before the loops, where there are some."""
        name, kind = ("ConstF", "f") if isinstance(value, float) else ("ConstI", "i")
        # The text tells -0.0 from 0.0.
        key = (name, repr(value))
        before, known = self.loops[0] if self.loops else (self.code, self.memo.known)
        found = known.get(key) if self.loops else self.memo.find(key)
        if found is None:
            found = known[key] = self.fresh(kind)
            before.append(self._instruction(name, [found, value], pure=True))
        return found

    def copies(self, row: Iterable[Register], to: Iterable[Register]) -> None:
        """Copy registers, all at once."""
        for target, source in in_parallel(zip(to, row, strict=True), lambda each: self.fresh(each.kind)):
            self._write(MOVES[source.kind], [target, source], pure=True)

    def copied(self, register: Register) -> Register:
        """A new register that may be written again."""
        new = self.fresh(register.kind)
        self._write(MOVES[register.kind], [new, register], pure=True)
        return new

    # ---- values and registers

    def row(self, value: Value) -> Row:
        """The registers of a value, those of what is known among them."""
        return self._plain(value).row

    def one(self, value: Value) -> Register:
        """The only register of a value."""
        (register,) = self.row(value)
        return register

    def _plain(self, value: Value) -> Value:
        """The value with its numbers in registers."""
        if isinstance(value.type, Constant):
            held = value.constant
            if isinstance(held, str):
                held = self.text_number(held)
            return Value(value.kind, (self.number(held if isinstance(held, float) else int(held)),))
        if isinstance(value.type, Tuple):
            return tuple_of(tuple(map(self._plain, value.parts or ())))
        return value

    def text_number(self, text: str) -> int:
        """The number of a text; 0 of the empty one."""
        return 0 if not text else self._texts.setdefault(text, len(self._texts) + 1)

    def held(self, kind: Type, row: Iterable[Register]) -> Value:
        """A value of a type in registers."""
        return NOTHING if kind is NONE else Value(kind, tuple(row))

    def new_row(self, kind: Type) -> Value:
        """Registers for a type."""
        return Value(kind, tuple(map(self.fresh, kind.layout)))

    def pair(self, cell: Value) -> Value:
        """A cell as row and column."""
        return Value(PAIR, tuple(self.pure(name, cell.one) for name in ("RowOf", "ColOf")))

    def converted(self, value: Value, to: Type) -> Value:
        """The value as one of a wider type."""
        if value.type == to:
            return value
        made = self._converted(value, to)
        return made if len(made.row) == len(to.layout) else self._unknown(to)

    def _unknown(self, to: Type) -> Value:
        """What was not known when this round began: the next one will do it right."""
        assert self.facts.have_changed, f"nothing becomes {to.label}"
        return Value(to, self.zeros(to.layout))

    def _converted(self, value: Value, to: Type) -> Value:
        if to is MIXED or to is STRING:
            return Value(to)
        if isinstance(to, Unset):
            return self._unset(value, to)
        if isinstance(to, Optional):
            return self._optional(value, to)
        if value.kind is to or (value.kind in WHOLE and to in WHOLE):
            return Value(to, self.row(value))
        if isinstance(to, Scalar):
            return Value(to, self.converted(value, to.of).row)
        if to is NUM and value.kind in NUMBERS:
            return Value(NUM, (self.number(int(value.kind is FLOAT)), self.as_float(value, exact=True)))
        return self._composed(value, to)

    def _composed(self, value: Value, to: Type) -> Value:
        """What has parts, part by part."""
        kind = value.type
        if isinstance(kind, Closure) and isinstance(to, Closure):
            return Value(to, self.converted(Value(kind.held, value.row), to.held).row)
        if isinstance(kind, Container) and type(kind) is type(to) and kind.layout == to.layout:
            return Value(to, value.row)
        parts = (self.pair(value) if kind is CELL else value).parts
        if parts is not None and isinstance(to, Tuple) and len(parts) == len(to.parts):
            rows = (self.converted(part, wanted).row for part, wanted in zip(parts, to.parts, strict=True))
            return Value(to, tuple(each for row in rows for each in row))
        return self._unknown(to)

    def as_float(self, value: Value, *, exact: bool = False) -> Register:
        """The register of a number as a float; `exact` where Python takes the integer itself."""
        if value.is_constant and (isinstance(value.constant, float) or abs(value.constant) <= LARGEST):
            return self.number(float(value.constant))
        if value.kind in (FLOAT, NUM):
            return self.row(value)[-1]
        return self.pure("IToFExact" if exact else "IToF", self.one(value), kind="f")

    def _unset(self, value: Value, to: Unset) -> Value:
        if isinstance(value.type, Unset):
            tag, *inside = value.row
            return self._under(tag, to, self.held(value.type.of, inside), to.of)
        return Value(to, (self.number(1), *self.converted(value, to.of).row))

    def _optional(self, value: Value, to: Optional) -> Value:
        kind = value.type
        if kind is NONE:
            if to.of is CELL:
                return Value(to, (self.number(-1),))
            return Value(to, (self.number(0), *self.zeros(to.of.layout)))
        if not isinstance(kind, Optional):
            row = self.converted(value, to.of).row
            return Value(to, row if to.of is CELL else (self.number(1), *row))
        if kind.of is CELL:
            tag = self.pure("LeI", self.number(0), value.one)
            return self._under(tag, to, Value(CELL, value.row), to.of)
        tag, *inside = value.row
        return self._under(tag, to, self.held(kind.of, inside), to.of)

    def _under(self, tag: Register, to: Type, inner: Value, of: Type) -> Value:
        """Convert what is inside a tagged value, where there is something."""
        if inner.type == of or (inner.kind in WHOLE and of in WHOLE):
            return Value(to, (tag, *self.row(inner)))
        row = tuple(map(self.fresh, of.layout))
        self.copies(self.zeros(of.layout), row)
        over = Label()
        self._write("JumpIfNot", [tag, over])
        memo, self.memo = self.memo, Memo(self.memo)
        self.copies(self.converted(inner, of).row, row)
        self.code.append(over)
        # What is computed later is computed on both ways.
        self.memo = Memo(memo)
        return Value(to, (tag, *row))

    def zeros(self, layout: str) -> Row:
        """Registers with nothing in them."""
        return tuple(
            self.pure("MaskEmpty", kind="m") if kind == "m" else self.number(0.0 if kind == "f" else 0)
            for kind in layout
        )

    # ---- ways

    def reached(self) -> Env:
        """The variables here, where control comes along."""
        if self.env is None:
            raise Dead
        return self.env

    def leave(self) -> Edge:
        """Control goes from here to where the edge will be entered."""
        edge = Edge(self.reached(), self.memo)
        self.env = None
        self.code.append(edge.code)
        return edge

    def left(self) -> list[Edge]:
        """The way on from here, where control comes here at all."""
        return [] if self.env is None else [self.leave()]

    def jump(self, name: str, *operands: Any) -> Edge:
        """Control may leave here, by a jump with a condition."""
        edge = Edge(dict(self.reached()), self.memo)
        taken, on = Label(), Label()
        self._write(name, [*operands, taken])
        self._write("Jump", [on])
        self.code += [taken, edge.code, on]
        self.memo = Memo(self.memo)
        return edge

    def bail_if(self, name: str, *operands: Any) -> None:
        """Where that jump would be taken, the run ends, and Python is asked."""
        self.risks += 1
        self.reached()
        self._write(name, [*operands, self.bailing])

    def bail(self) -> Dead:
        """The run ends here: raise what this returns."""
        self.risks += 1
        if self.env is not None:
            self._write("Jump", [self.bailing])
            self.env = None
        return Dead()

    def enter(self, edges: Iterable[Edge]) -> None:
        """Control goes on here from these edges."""
        edges = list(edges)
        assert self.env is None, "control comes here from above too"
        if not edges:
            return
        label = Label()
        memo = edges[0].memo
        for edge in edges[1:]:
            memo = memo.common(edge.memo)
        env = edges[0].env if len(edges) == 1 else self._met(edges)
        for edge in edges:
            edge.code.append(Instruction("Jump", [label], line=self.line))
        self.code.append(label)
        self.env, self.memo = env, Memo(memo)

    def attempt(self, write: Callable[[], None]) -> None:
        """Write something that control may not come back from."""
        try:
            write()
        except Dead:
            self.env = None

    def _met(self, edges: list[Edge]) -> Env:
        met: Env = {}
        differing: list[tuple[list[Value | None], Value]] = []
        for key in dict.fromkeys(key for edge in edges for key in edge.env):
            values = [edge.env.get(key) for edge in edges]
            value = values[0]
            if value is not None and all(other is not None and is_same(value, other) for other in values[1:]):
                met[key] = value
                continue
            kind: Type = NEVER
            for each in values:
                kind = unset(kind) if each is None else join(kind, each.type)
            met[key] = self.new_row(unset(kind) if None in values else kind)
            differing.append((values, met[key]))
        here, memo, env = self.code, self.memo, self.env
        for place, edge in enumerate(edges):
            self.code, self.memo, self.env = edge.code, Memo(edge.memo), edge.env
            self._bring([(values[place], home) for values, home in differing])
        self.code, self.memo, self.env = here, memo, env
        return met

    def _bring(self, pairs: list[tuple[Value | None, Value]]) -> None:
        """Copy values into the registers of others; for what is unbound there is nothing to copy."""
        row: list[Register] = []
        to: list[Register] = []
        for value, home in pairs:
            layout = home.type.layout
            if home.type is not MIXED and layout:
                row += self.zeros(layout) if value is None else self.converted(value, home.type).row
                to += home.row
        self.copies(row, to)

    # ---- choices

    def either(self, arms: Iterable[tuple[list[Edge], Callable[[], Value]]]) -> Value:
        """The value that one of several ways gives, each written where its edges lead."""
        name: Key = (object(),)
        out: list[Edge] = []

        def write(make: Callable[[], Value]) -> None:
            value = make()
            self.reached()[name] = value
            out.append(self.leave())

        for edges, make in arms:
            self.enter(edges)
            if self.env is not None:
                self.env = dict(self.env)
                self.attempt(lambda make=make: write(make))  # type: ignore[misc]
        self.enter(out)
        env = dict(self.reached())
        value = env.pop(name)
        self.env = env
        return value

    # ---- loops

    def loop(self, site: Hashable, body: Callable[[list[Edge]], None]) -> list[Edge]:
        """Write a loop: the edges by which it is left.

        `body` writes the test and what is repeated; it appends the edges that leave to its argument.
        """
        entry = dict(self.reached())
        key = (site, "loop")
        shape: dict[Key, Type] = self.facts.get(key, {})
        homes: Env = {}
        for name, kind in shape.items():
            value = entry.get(name)
            homes[name] = self.new_row(join(kind, NEVER if value is None else value.type))
            if value is None:
                homes[name] = self.new_row(unset(kind))
        constants: Code = []
        self.code.append(constants)
        self._bring([(entry.get(name), home) for name, home in homes.items()])
        self.loops.append((constants, {}))
        label = Label()
        self.code.append(label)
        self.env, self.memo = {**entry, **homes}, Memo(self.memo)
        exits: list[Edge] = []
        self.attempt(lambda: body(exits))
        if self.env is not None:
            ends = self._turned({**entry, **homes}, key)
            self._bring([(ends.get(name), home) for name, home in homes.items()])
            self._write("Jump", [label])
            self.env = None
        self.loops.pop()
        return exits

    def _turned(self, start: Env, key: Hashable) -> Env:
        """What the variables hold at the end of a turn; what differs from its start is noted."""
        ends = self.reached()
        shape: dict[Key, Type] = dict(self.facts.newest(key, {}))
        for name in {**start, **ends}:
            before, after = start.get(name), ends.get(name)
            if before is not None and after is not None and is_same(before, after):
                continue
            known = shape.get(name, NEVER)
            for value in (before, after):
                known = unset(known) if value is None else join(known, value.type)
            shape[name] = known
        if shape != self.facts.newest(key, {}):
            self.facts.learn(key, shape)
        return ends


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are the same registers, and of one type."""
    return one is other or (one.row == other.row and one.type == other.type)


def is_whole(kind: Type) -> bool:
    """Whether it is an integer or a truth."""
    return base(kind) in WHOLE
