"""Which lost games can be replayed, as the script of the page takes them: short, since there are many.

A game is a start and the cells that were gone to; the script makes the moves again. Its fields, and those of
the start, have their meaning in `_game` and `_start`.
"""

from __future__ import annotations

from math import inf, isfinite, isnan
from typing import Any, Final

from isolation_fast import Board
from isolation_fast.exceptions import IsolationError
from isolation_fast.output import visible
from isolation_grader.report import Graded, LostGame, Report

__all__ = ["MOST_GAMES", "game_number", "replays"]

MOST_GAMES: Final = 200
"""Of each heuristic: a page of all would be of megabytes."""


def replays(report: Report) -> list[dict[str, Any]]:
    """The lost games of each heuristic that has any."""
    return [_member(each) for each in report.graded if each.lost_games]


def game_number(game: LostGame) -> str:
    """Which of the games against an opponent it is, in words."""
    return f"opening {game.record.opening}, as player {game.player}"


def _member(graded: Graded) -> dict[str, Any]:
    games = [each for each in map(_game, graded.lost_games[:MOST_GAMES]) if each is not None]
    return {"name": visible(graded.name), "lost": len(graded.lost_games), "games": games}


def _game(game: LostGame) -> dict[str, Any] | None:
    """None for a record that is no game; those that the grader keeps are."""
    record = game.record
    start = _start(record.start)
    if start is None:
        return None
    turning = game.turning
    return {
        "against": visible(game.opponent),
        "called": game_number(game),
        "me": game.player,
        "ending": visible(game.ending),
        "happened": visible(game.happened),
        "turning": turning if turning is not None and 0 <= turning < len(record.moves) else None,
        "start": start,
        "moves": [row * start["width"] + column for row, column in record.moves],
        "values": [_number(each) for each in record.values],
        "depths": list(record.depths),
        "nodes": list(record.nodes),
    }


def _start(text: str) -> dict[str, Any] | None:
    """Cells are counted along the rows, from 0."""
    try:
        board = Board.from_text(text)
    except IsolationError:
        return None
    width, height = board.width, board.height

    def index(cell: tuple[int, int] | None) -> int | None:
        return None if cell is None else cell[0] * width + cell[1]

    blank = {index(cell) for cell in board.get_blank_spaces()}
    return {
        "width": width,
        "height": height,
        "used": [cell for cell in range(width * height) if cell not in blank],
        "players": [index(board.get_player_location(f"player {number}")) for number in (1, 2)],
        "first": 1 if board.active_player == "player 1" else 2,
    }


def _number(value: float | None) -> float | str | None:
    """As a person reads it; JSON knows no infinity."""
    if value is None:
        return None
    try:
        value = float(value)
    except OverflowError:
        value = inf if value > 0 else -inf
    if isnan(value):
        return None
    return float(f"{value:.4g}") if isfinite(value) else f"{'-' if value < 0 else ''}∞"
