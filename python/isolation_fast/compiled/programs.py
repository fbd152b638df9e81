"""A heuristic's source as a program for the engine."""

from __future__ import annotations

from typing import Final

from isolation_fast import _native
from isolation_fast.compiled import (  # noqa: F401 - each fills its part of the tables
    boards,
    calls,
    dictionaries,
    expressions,
    iteration,
    lists,
    mathematics,
    ordering,
    reductions,
    sets,
    statements,
)
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.compiled.types import GAME, PLAYER, Again, Type
from isolation_fast.compiled.unit import Instance, Unit

MOST_ROUNDS: Final = 64
"""So often is a heuristic lowered anew because something was learnt of its types."""


def lower(source: Source) -> _native.Program:
    """The program that computes what a function of a board and a player does; else a `Refusal`.

    >>> from isolation_fast import Board
    >>> def mobility(game, player):
    ...     return len(game.get_legal_moves(player))
    >>> lower(Source.of(mobility)).run(Board("Ann", "Ben"), "Ann")
    49.0
    """
    unit = Unit(source)
    for _ in range(MOST_ROUNDS):
        program = _once(unit, source)
        if program is not None:
            return program
        unit.begin()
    raise Refusal(source.tree.lineno, 0, "size", "the function is too deep: split it into smaller ones")


def _once(unit: Unit, source: Source) -> _native.Program | None:
    """One round: None if what was learnt changes what was lowered before."""
    try:
        return _round(unit, source)
    except Again:
        return None
    except RecursionError:
        line = source.tree.lineno
        raise Refusal(line, 0, "size", "the function is nested too deep: split it up") from None


def _round(unit: Unit, source: Source) -> _native.Program:
    node = source.tree
    arguments = node.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    if len(positional) < 2 or arguments.vararg is not None or arguments.kwarg is not None:
        message = "a heuristic takes the board and the player: def name(game, player)"
        raise Refusal(node.lineno, node.col_offset, "parameters", message)
    parameters: dict[str, Type] = {positional[0]: GAME, positional[1]: PLAYER}
    entry = Instance(("entry",), source, dict(parameters))
    entry.is_entry = True
    others = [*positional[2:], *(each.arg for each in arguments.kwonlyargs)]
    unit.finish(entry, lambda each: calls.lowered(unit, each, {}, others))
    program: _native.Program = unit.program(entry)
    return program
