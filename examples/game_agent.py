"""A submission as students of the course hand it in: three heuristics, and the players of its template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class SearchTimeout(Exception):  # noqa: N818 - the course's name
    """Raised by a search whose time is up."""


def custom_score(game: Any, player: Any) -> float:
    """Count the moves of both, the opponent's twice."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - 2 * len(other))


def custom_score_2(game: Any, player: Any) -> float:
    """Count the moves of both, and those two steps away by half."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    reach = 0.0
    for side, sign in ((player, 1.0), (game.get_opponent(player), -1.0)):
        moves = game.get_legal_moves(side)
        if game.get_player_location(side) is not None:
            reach += sign * (len(moves) + 0.5 * sum(len(game._Board__get_moves(move)) for move in moves))
    return reach


def custom_score_3(game: Any, player: Any) -> float:
    """Stay near the middle of the board, and count the moves of both."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    from_middle = abs(row - (game.height - 1) / 2) + abs(column - (game.width - 1) / 2)
    return float(len(own) - len(other) - 0.1 * from_middle)


class IsolationPlayer:
    """What both players share: a heuristic, a depth, and a margin on the clock."""

    def __init__(
        self,
        search_depth: int = 3,
        score_fn: Callable[[Any, Any], float] = custom_score,
        timeout: float = 10.0,
    ) -> None:
        self.search_depth = search_depth
        self.score = score_fn
        self.time_left: Callable[[], float] = lambda: 150.0
        self.TIMER_THRESHOLD = timeout

    def look_at_the_clock(self) -> None:
        """End the search where the margin is reached."""
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout


class MinimaxPlayer(IsolationPlayer):
    """Searches `search_depth` moves ahead."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        """Answer the best move, or any where the time is too short for it."""
        self.time_left = time_left
        moves = game.get_legal_moves()
        try:
            return self.minimax(game, self.search_depth)
        except SearchTimeout:
            return moves[0] if moves else (-1, -1)

    def minimax(self, game: Any, depth: int) -> Any:
        """Answer the move with the best minimax value."""
        moves = game.get_legal_moves()
        if not moves:
            return (-1, -1)
        return max(moves, key=lambda move: self.value(game.forecast_move(move), depth - 1))

    def value(self, game: Any, depth: int) -> float:
        """Give the minimax value of a position for this player."""
        self.look_at_the_clock()
        moves = game.get_legal_moves()
        if depth <= 0 or not moves:
            return self.score(game, self)
        values = [self.value(game.forecast_move(move), depth - 1) for move in moves]
        return max(values) if game.active_player == self else min(values)


class AlphaBetaPlayer(IsolationPlayer):
    """Searches deeper and deeper until its time is up."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        """Answer the best move of the last depth that was finished."""
        self.time_left = time_left
        moves = game.get_legal_moves()
        best = moves[0] if moves else (-1, -1)
        try:
            for depth in range(1, len(game.get_blank_spaces()) + 1):
                best = self.alphabeta(game, depth)
        except SearchTimeout:
            pass
        return best

    def alphabeta(
        self, game: Any, depth: int, alpha: float = float("-inf"), beta: float = float("inf")
    ) -> Any:
        """Answer the move that minimax would, without looking at what cannot matter."""
        best, best_value = (-1, -1), float("-inf")
        for move in game.get_legal_moves():
            value = self.value(game.forecast_move(move), depth - 1, alpha, beta)
            if value > best_value or best == (-1, -1):
                best, best_value = move, value
            alpha = max(alpha, best_value)
        return best

    def value(self, game: Any, depth: int, alpha: float, beta: float) -> float:
        """Give the value of a position for this player, or a bound that will do."""
        self.look_at_the_clock()
        moves = game.get_legal_moves()
        if depth <= 0 or not moves:
            return self.score(game, self)
        mine = game.active_player == self
        best = float("-inf") if mine else float("inf")
        for move in moves:
            value = self.value(game.forecast_move(move), depth - 1, alpha, beta)
            if mine:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best
