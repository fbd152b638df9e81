"""A program on its way: its functions, constants and lists, and what earlier rounds found out of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from isolation_fast import _native
from isolation_fast.compiled.assembly import Encoded, Encoder, Pool, counted, flat
from isolation_fast.compiled.registers import TooManyRegisters, allocated
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.compiled.tidying import tidied
from isolation_fast.compiled.types import NEVER, Again, Region, Type

if TYPE_CHECKING:
    from isolation_fast.compiled.lowering import Lowering
    from isolation_fast.compiled.scopes import Names

MOST_STEPS = 60_000
"""Expressions and statements lowered for one heuristic, all rounds together."""
MOST_FUNCTIONS = 256
MOST_CODE = 65_535


class Instance:
    """A function of the program: one of Python's for arguments of certain types."""

    def __init__(self, key: Hashable, source: Source, parameters: dict[str, Type]) -> None:
        self.key, self.source = key, source
        self.node: Any = source.tree
        self.parameters = parameters
        self.result: Type = NEVER
        self.is_entry = False
        self.has_effects = True
        """It writes what others see; taken to be so until it is known."""
        self.busy = self.asked_early = False
        self.lowering: Lowering | None = None
        self.row: tuple[int, ...] = ()
        """The registers of its parameters."""


class Unit:
    """What all functions of a program share."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names: dict[int, Names] = {}
        self.regions: dict[Hashable, Region] = {}
        self.results: dict[Hashable, Type] = {}
        """What recursive functions were found to return."""
        self.careful = False
        """Variables are bound in the middle of expressions."""
        self.ordered: set[Hashable] = set()
        """Loops over cells whose order matters."""
        self.effects = 0
        """How often something was written that others see."""
        self.boards_change = False
        """A move is made on a board itself, so what was asked of a board is asked again."""
        self.steps = 0
        self.sizes: dict[int, int] = {}
        self.closures: dict[Hashable, Any] = {}
        self.applied: dict[Hashable, ast.Call] = {}
        """The calls of functions that are given as arguments."""
        self._helpers: dict[int, Source] = {}
        self.instances: dict[Hashable, Instance] = {}
        self.data: list[int] = []
        self.addresses: dict[Hashable, int] = {}

    def begin(self) -> None:
        """Start another round."""
        self.instances.clear()
        self.data.clear()
        self.addresses.clear()

    def region(self, key: Hashable, name: str, *, cells: bool = False) -> Region:
        """The lists of a key; they may have become those of another."""
        if key not in self.regions:
            self.regions[key] = Region(name, cells=cells)
        return self.regions[key].root()

    def count(self, low: Lowering) -> None:
        """Count a step of lowering; refuse what takes too many."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            low.refuse("size", "the function is too long, with all that it calls: make it shorter")

    def finish(self, instance: Instance, lower: Callable[[Instance], Lowering]) -> None:
        """Lower a function; all anew if it calls itself and its result is not what was taken for it."""
        instance.busy = True
        before = instance.result = self.results.get(instance.key, NEVER)
        instance.lowering = lower(instance)
        instance.busy = False
        if instance.asked_early and instance.result != before:
            self.results[instance.key] = instance.result
            raise Again

    def helper(self, low: Lowering, function: FunctionType) -> Source:
        """The source of a function that is called."""
        if id(function) not in self._helpers:
            try:
                self._helpers[id(function)] = self.source.helper(function)
            except Refusal as refusal:
                low.refuse(refusal.construct, f"{function.__name__}: {refusal.message}")
        return self._helpers[id(function)]

    def program(self, entry: Instance) -> Any:
        """The program of what was lowered."""
        order: list[Instance] = []
        numbers: dict[int, int] = {}

        def number(instance: Instance) -> int:
            if id(instance) not in numbers:
                numbers[id(instance)] = len(order)
                order.append(instance)
            return numbers[id(instance)]

        integers, floats = Pool(), Pool()
        encoder = Encoder(integers, floats, number)
        number(entry)
        functions: list[Encoded] = []
        while len(functions) < len(order):
            instance = order[len(functions)]
            functions.append(self._encoded(instance, encoder, instance is entry))
        if len(functions) > MOST_FUNCTIONS:
            raise _too_large(entry.node)
        return _native.Program(functions, integers.values, floats.values, self.data)

    def _encoded(self, instance: Instance, encoder: Encoder, is_entry: bool) -> Encoded:
        low = instance.lowering
        assert low is not None
        lines = tidied(list(flat([low.start, low.code])))
        try:
            lines, sizes = allocated(lines, low.classes, instance.row)
        except TooManyRegisters:
            raise _too_large(instance.node) from None
        layout = "".join(kind.layout for kind in instance.parameters.values())
        results = "f" if is_entry else instance.result.layout
        code = encoder.encode(lines)
        if len(code) > MOST_CODE:
            raise _too_large(instance.node)
        least = zip(sizes, counted(layout), counted(results), strict=True)
        sizes = tuple(max(each) for each in least)  # type: ignore[assignment]
        return sizes, counted(layout), counted(results), code


def _too_large(node: ast.AST) -> Refusal:
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return Refusal(line, column, "size", "the function is too large: split it into smaller ones")
