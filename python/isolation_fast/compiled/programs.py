"""A source as a program: its functions, and the rounds in which it is found what every value can be.

Each round goes through all functions that are called, with the facts of the rounds before. When a round
learns nothing, what it wrote is the program; what earlier ones wrote is thrown away.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from types import FunctionType
from typing import Any, Final

from isolation_fast import _native
from isolation_fast.compiled import constants, functions, statements  # noqa: F401 - they fill the tables
from isolation_fast.compiled.arrays import note_numpy
from isolation_fast.compiled.calls import lowered
from isolation_fast.compiled.code import Encoded, Encoder, Instruction, Register, counted, flat
from isolation_fast.compiled.finishing import TooManyRegisters, allocated, tidied
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.compiled.types import GAME, NEVER, PLAYER, Closure, Form, Region, Type

MOST_ROUNDS: Final = 48
MOST_STEPS: Final = 40_000
"""Expressions and statements in all rounds together."""
MOST_FUNCTIONS: Final = 256
MOST_CODE: Final = 20_000
MOST_DATA: Final = 4_096


class Facts:
    """What was learnt in earlier rounds. It only grows, and stays the same throughout a round."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._next: dict[Hashable, Any] = {}

    def get(self, key: Hashable, default: Any) -> Any:
        """What is known in this round."""
        return self._known.get(key, default)

    def newest(self, key: Hashable, default: Any) -> Any:
        """The same with what this round learnt."""
        return self._next.get(key, self._known.get(key, default))

    def learn(self, key: Hashable, value: Any) -> None:
        """Know that from the next round on."""
        if self.newest(key, None) != value:
            self._next[key] = value

    @property
    def have_changed(self) -> bool:
        """Whether this round will have to be done again."""
        return bool(self._next)

    def commit(self) -> bool:
        """Begin the next round; whether anything is new in it."""
        changed = self.have_changed
        self._known.update(self._next)
        self._next.clear()
        return changed


class Instance:
    """A function of the program: one of Python's, with what it has with it, for types of arguments."""

    def __init__(
        self, source: Source, node: Any, closure: Closure | None, parameters: dict[str, Type]
    ) -> None:
        self.source, self.node, self.closure = source, node, closure
        self.parameters = parameters
        self.is_entry = False
        self.lowering: Lowering | None = None
        """What this round wrote of it."""
        self.row: tuple[Register, ...] = ()
        """The registers of its parameters."""


class Unit:
    """What all functions of a program share."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.facts = Facts()
        self.steps = 0
        self.effects = 0
        """How often something was written that others see."""
        self._paths: dict[Hashable, int] = {}
        self._regions: dict[Hashable, Region] = {}
        self._instances: dict[Hashable, Instance] = {}
        self._helpers: dict[int, Source] = {}
        self._sizes: dict[ast.AST, int] = {}
        self.busy: list[Instance] = []
        """The functions that are being written, each called by the one before."""
        self.texts: dict[str, int] = {}
        """The number of each text that is kept in a register."""
        self.data: list[int] = []
        self.placed: dict[Register, int] = {}
        """The registers that hold the address of a list in the data."""
        self.addresses: dict[Hashable, int] = {}

    def begin(self) -> None:
        """Start another round."""
        self.busy.clear()
        self.data.clear()
        self.placed.clear()
        self.addresses.clear()
        for instance in self._instances.values():
            instance.lowering = None

    # ---- what stays the same from round to round

    def path(self, *elements: Hashable) -> int:
        """A number for a way to come to a place: by calls in place, and turns that are written out."""
        return self._paths.setdefault(elements, len(self._paths))

    def region(self, site: Hashable, form: Form = Form.LIST) -> Region:
        """The lists that are made at a place."""
        if site not in self._regions:
            self._regions[site] = Region(self.facts, form)
        return self._regions[site].root()

    def instance(
        self, source: Source, node: Any, closure: Closure | None, parameters: dict[str, Type]
    ) -> Instance:
        """The function of the program for a function and the types of its arguments."""
        key = (id(source.function), id(node), closure, tuple(parameters.items()))
        if key not in self._instances:
            self._instances[key] = Instance(source, node, closure, parameters)
        return self._instances[key]

    def helper(self, low: Lowering, function: FunctionType) -> Source:
        """The source of a function that is called."""
        if id(function) not in self._helpers:
            try:
                self._helpers[id(function)] = self.source.helper(function)
            except Refusal as refusal:
                low.refuse(refusal.construct, f"{function.__name__}: {refusal.message}")
        return self._helpers[id(function)]

    def size(self, node: ast.AST) -> int:
        """How many nodes a function has."""
        if node not in self._sizes:
            self._sizes[node] = sum(1 for _ in ast.walk(node))
        return self._sizes[node]

    # ---- facts

    @property
    def boards_change(self) -> bool:
        """Whether a move is made on a board itself, so that what was asked of a board is asked again."""
        return self.facts.get("boards change", False)  # type: ignore[no-any-return]

    def result(self, instance: Instance) -> Type:
        """What a function returns, as far as that is known."""
        return self.facts.newest((instance, "result"), NEVER)  # type: ignore[no-any-return]

    def count(self, low: Lowering) -> None:
        """Count a step; refuse what takes too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            low.refuse("size", "the function is too long, with all that it calls: make it shorter")

    # ---- the program

    def program(self, entry: Instance, make: Callable[..., Any]) -> Any:
        """What `make` makes of the parts of the program that this round wrote."""
        order: list[Instance] = []
        numbers: dict[Instance, int] = {}

        def number(instance: Instance) -> int:
            if instance not in numbers:
                numbers[instance] = len(order)
                order.append(instance)
            return numbers[instance]

        encoder = Encoder(number)
        number(entry)
        encoded: list[Encoded] = []
        lines: list[list[int]] = []
        while len(encoded) < len(order):
            function, its_lines = self._encoded(order[len(encoded)], encoder)
            encoded.append(function)
            lines.append(its_lines)
        if len(encoded) > MOST_FUNCTIONS or len(self.data) > MOST_DATA:
            raise _too_large(entry.node)
        pools = encoder.integers.values, encoder.floats.values
        return make(encoded, *pools, self.data, lines=lines)

    def _encoded(self, instance: Instance, encoder: Encoder) -> tuple[Encoded, list[int]]:
        """A function, and the line of the source that each of its instructions is for."""
        low = instance.lowering
        assert low is not None
        lines = list(flat(low.code))
        if len(lines) > MOST_CODE:
            raise _too_large(instance.node)
        lines = tidied([*lines, low.bailing, Instruction("Bail", [])])
        try:
            lines, sizes = allocated(lines, instance.row)
        except TooManyRegisters:
            raise _too_large(instance.node) from None
        layout = "".join(each.kind for each in instance.row)
        results = "f" if instance.is_entry else self.result(instance).layout
        code = encoder.encode(lines)
        most = [max(each) for each in zip(sizes, counted(layout), counted(results), strict=True)]
        of_source = [line.line for line in lines if isinstance(line, Instruction)]
        return ((most[0], most[1], most[2]), counted(layout), counted(results), code), of_source


def _too_large(node: ast.AST) -> Refusal:
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return Refusal(line, column, "size", "the function is too large: split it into smaller ones")


def lower(source: Source, make: Callable[..., Any] | None = None) -> Any:
    """The program that computes what a function of a board and a player does; else a `Refusal`.

    >>> from isolation_fast import Board
    >>> def mobility(game, player):
    ...     return len(game.get_legal_moves(player))
    >>> lower(Source.of(mobility)).run(Board("Ann", "Ben"), "Ann")
    49.0
    """
    note_numpy()
    node = source.tree
    arguments = node.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    if len(positional) < 2 or arguments.vararg is not None or arguments.kwarg is not None:
        message = "a heuristic takes the board and the player: def name(game, player)"
        raise Refusal(node.lineno, node.col_offset, "parameters", message)
    if not set(source.given) <= {each.arg for each in (*arguments.args, *arguments.kwonlyargs)} - {
        *positional[:2]
    }:
        message = "a partial gives what the function does not take by name, or the board and the player"
        raise Refusal(node.lineno, node.col_offset, "parameters", message)
    unit = Unit(source)
    # Not one of the unit's: where it calls itself, that is another function of the program.
    entry = Instance(source, node, None, {positional[0]: GAME, positional[1]: PLAYER})
    entry.is_entry = True
    others = [*positional[2:], *(each.arg for each in arguments.kwonlyargs)]
    try:
        for _ in range(MOST_ROUNDS):
            unit.begin()
            lowered(unit, entry, {name: _default(unit, entry, name) for name in others})
            if not unit.facts.commit():
                return unit.program(entry, make or _native.Program)
    except RecursionError:
        raise Refusal(node.lineno, 0, "size", "the function is nested too deep: split it up") from None
    raise Refusal(node.lineno, 0, "size", "the function is too deep: split it into smaller ones")


def _default(unit: Unit, entry: Instance, name: str) -> Any:
    """The default of a parameter of a heuristic beyond the board and the player."""
    try:
        return unit.source.default(name)
    except KeyError:
        low = Lowering(unit, entry)
        return low.refuse("parameters", f"a heuristic takes the board and the player: give {name} a default")
