"""A heuristic's source as a program for the engine."""

from __future__ import annotations

from typing import Any

from isolation_fast import _native
from isolation_fast.compiled import functions, sets, statements  # noqa: F401 - each fills its part of the tables
from isolation_fast.compiled.calls import lowered
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.compiled.types import GAME, PLAYER
from isolation_fast.compiled.unit import MOST_ROUNDS, Instance, Unit


def lower(source: Source) -> _native.Program:
    """The program that computes what a function of a board and a player does; else a `Refusal`.

    >>> from isolation_fast import Board
    >>> def mobility(game, player):
    ...     return len(game.get_legal_moves(player))
    >>> lower(Source.of(mobility)).run(Board("Ann", "Ben"), "Ann")
    49.0
    """
    node = source.tree
    arguments = node.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    if len(positional) < 2 or arguments.vararg is not None or arguments.kwarg is not None:
        message = "a heuristic takes the board and the player: def name(game, player)"
        raise Refusal(node.lineno, node.col_offset, "parameters", message)
    unit = Unit(source)
    entry = unit.instance(source, node, None, {positional[0]: GAME, positional[1]: PLAYER})
    entry.is_entry = True
    others = [*positional[2:], *(each.arg for each in arguments.kwonlyargs)]
    try:
        for _ in range(MOST_ROUNDS):
            unit.begin()
            lowered(unit, entry, _defaults(unit, entry, others))
            if not unit.facts.commit():
                program: _native.Program = unit.program(entry)
                return program
    except RecursionError:
        raise Refusal(node.lineno, 0, "size", "the function is nested too deep: split it up") from None
    raise Refusal(node.lineno, 0, "size", "the function is too deep: split it into smaller ones")


def _defaults(unit: Unit, entry: Instance, names: list[str]) -> dict[str, Any]:
    """The parameters of a heuristic beyond the board and the player, each with its default."""
    found: dict[str, Any] = {}
    for name in names:
        try:
            found[name] = unit.source.default(name)
        except KeyError:
            low = Lowering(unit, entry)
            low.refuse("parameters", f"a heuristic takes the board and the player: give {name} a default")
    return found

