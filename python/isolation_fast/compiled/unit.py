"""A program on its way: its functions, and the rounds in which it is found what every value can be.

Each round goes through all functions that are called, with the facts of the rounds before. When a round learns nothing,
what it wrote is the program; what earlier ones wrote is thrown away.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from isolation_fast import _native
from isolation_fast.compiled.allocation import TooManyRegisters, allocated
from isolation_fast.compiled.code import Encoded, Encoder, Instruction, Register, counted, flat
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.compiled.tidying import tidied
from isolation_fast.compiled.types import NEVER, Closure, Facts, Form, Region, Type

if TYPE_CHECKING:
    from isolation_fast.compiled.lowering import Lowering

MOST_ROUNDS: Final = 48
MOST_STEPS: Final = 40_000
"""Expressions and statements in all rounds together."""
MOST_FUNCTIONS: Final = 256
MOST_CODE: Final = 20_000
MOST_DATA: Final = 4_096


class Instance:
    """A function of the program: one of Python's, with what it has with it, for arguments of certain types."""

    def __init__(self, source: Source, node: Any, closure: Closure | None, parameters: dict[str, Type]) -> None:
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
        """A number for a way to come to a place: calls written in place, turns of a loop that is written out."""
        return self._paths.setdefault(elements, len(self._paths))

    def region(self, site: Hashable, form: Form = Form.LIST) -> Region:
        """The lists that are made at a place."""
        if site not in self._regions:
            self._regions[site] = Region(self.facts, site, form)
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

    def program(self, entry: Instance) -> Any:
        """The program of what this round wrote."""
        order: list[Instance] = []
        numbers: dict[Instance, int] = {}

        def number(instance: Instance) -> int:
            if instance not in numbers:
                numbers[instance] = len(order)
                order.append(instance)
            return numbers[instance]

        encoder = Encoder(number)
        number(entry)
        functions: list[Encoded] = []
        lines: list[list[int]] = []
        while len(functions) < len(order):
            function, its_lines = self._encoded(order[len(functions)], encoder)
            functions.append(function)
            lines.append(its_lines)
        if len(functions) > MOST_FUNCTIONS or len(self.data) > MOST_DATA:
            raise _too_large(entry.node)
        constants = encoder.integers.values, encoder.floats.values
        return _native.Program(functions, *constants, self.data, lines=lines)

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
