"""The reference board in a process where a cost is measured: the one board that a submission sees there.

A process has either this board or the engine's, never both. As far as Python allows, the two say the same of
themselves, so that nothing plain tells a submission where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from isolation_fast import reference
from isolation_fast._native import Board
from isolation_fast.classic import board
from isolation_fast.measuring.nodes import OPPONENT, PLAYER, YARDSTICK, nodes_of
from isolation_fast.submission.asking import reseed
from isolation_fast.worker.messages import Measure, Measured

NAMES = ("__module__", "__name__", "__qualname__", "__doc__")


class Measuring:
    """Searches with heuristics on the reference board."""

    def __init__(self, package: ModuleType) -> None:
        """`package` is what a submission has of this package."""
        self._package = package
        for kind in (reference.Board, reference.EarlyBoard):
            for name in NAMES:
                setattr(kind, name, getattr(Board, name))
        self.serve_board(early=False)

    def serve_board(self, *, early: bool) -> None:
        """Let `isolation.Board` be the board that the heuristic will be asked about."""
        for module in (self._package, board):
            vars(module)["Board"] = _kind(early)

    def nodes_of(
        self, heuristic: Callable[[Any, Any], float], players: tuple[object, object], asked: Measure
    ) -> int:
        """The nodes of the search that was asked for."""
        return nodes_of(heuristic, asked.position, players, asked.nodes, _kind(asked.early))


def yardstick_measured(asked: Measure) -> Measured:
    """A search with `improved`, in a process without a submission."""
    reseed(asked.seed)
    players = PLAYER, OPPONENT
    return Measured(nodes_of(YARDSTICK, asked.position, players, asked.nodes, _kind(asked.early)))


def _kind(early: bool) -> type[reference.Board]:
    return reference.EarlyBoard if early else reference.Board
