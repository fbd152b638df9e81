"""A player that plays perfectly wherever it can prove what is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from isolation_fast.board.turns import counting
from isolation_fast.budgets import Budget
from isolation_fast.exact import Solution, solve
from isolation_fast.heuristics import HeuristicLike
from isolation_fast.numbers import number
from isolation_fast.players.bases import (
    DEFAULT_MARGIN,
    ScoringPlayer,
    has_no_clock,
    limits_of_turn,
    native_board,
)
from isolation_fast.reports import NO_MOVE, Move

FOR_PROOF: Final = 2 / 3
"""The share of a turn's time for the proof. The rest is for a search where the proof was not finished."""


class PerfectPlayer(ScoringPlayer):
    """Wins as soon as possible, and resists as long as possible, wherever it can prove how.

    Elsewhere it answers the best move of an alpha-beta search with `heuristic`, and no move that is proven to
    lose while there is another. Without a budget it uses what the turn's clock leaves, less a margin of
    `timeout` milliseconds. With `nodes=` it ignores the clock and gives the same move every time: so many
    positions for the proof, and as many for the search. In the openings of 7 by 7 it plays at once a move of
    which the table says that it wins, not always the soonest, and searches where there is none. `solution`
    holds what was proved of the last position, `report` the search for the last move, if there was one, and
    `searched_nodes` the number of positions so far.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 2")
    >>> player = PerfectPlayer(nodes=100_000)
    >>> player.get_move(board, lambda: 150.0), player.solution.outcome, player.solution.distance
    ((1, 1), 'loss', 16)
    """

    def __init__(
        self,
        heuristic: HeuristicLike = "improved",
        *,
        nodes: int | None = None,
        timeout: float = DEFAULT_MARGIN,
        compile: bool = True,  # noqa: A002 - as `search` has it
    ) -> None:
        super().__init__(heuristic, "improved", None, "refuse", compile)
        self.budget = None if nodes is None else Budget(nodes=nodes)
        self.timeout = number("timeout in milliseconds", timeout, least=0)
        self.solution: Solution | None = None

    @counting(has_no_clock)
    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The best move, `(-1, -1)` where there is none, the first legal one where no time is left."""
        self._start_turn(time_left)
        self.report = self.solution = None
        board, _ = native_board(game)
        limits = limits_of_turn(self.budget, self.timeout, time_left)
        if limits is None:
            legal_moves: list[Move] = game.get_legal_moves()
            return legal_moves[0] if legal_moves else NO_MOVE
        self.solution = solution = solve(board, nodes=1)
        # From the table it plays at once: how soon the game ends takes seconds there.
        if not solution.looked_up:
            ms = None if limits.ms is None else FOR_PROOF * limits.ms
            self.solution = solution = solve(board, nodes=limits.nodes, ms=ms, distance=True)
        self.searched_nodes += solution.nodes
        if not solution.moves:
            return NO_MOVE
        if solution.outcome == "win" or solution.distance is not None:
            return solution.moves[0].move
        # Of the moves that are not proven to lose, if there are any, the best one of a search.
        unproven = [each.move for each in solution.moves if each.outcome != "loss"]
        candidates = unproven or [each.move for each in solution.moves]
        limits = limits_of_turn(self.budget, self.timeout, time_left)
        if limits is None:
            return candidates[0]
        found = self._search(game, budget=limits, mode="fast", root_values=True).root_values or {}
        return max(candidates, key=lambda move: found.get(move, 0.0))

    def _shown_arguments(self) -> list[str]:
        shown = super()._shown_arguments()
        if self.budget is not None:
            shown.append(f"nodes={self.budget.nodes}")
        if self.timeout != DEFAULT_MARGIN:
            shown.append(f"timeout={self.timeout!r}")
        return [*shown, *self._shown_options()]
