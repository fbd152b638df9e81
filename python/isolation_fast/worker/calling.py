"""Calling a method of a submission's player as the course's tests do.

The board counts, the heuristic is ours, and the clock runs out where the caller says. All of it is in the
submission's process, which can change it: its referee knows which answer is right, and the counts are claims.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Board, board_in_order
from isolation_fast.board.turns import cell_of, get_move_of, takes_legal_moves
from isolation_fast.reports import Move
from isolation_fast.submission import Submission
from isolation_fast.text import type_name, value_line
from isolation_fast.worker.messages import MOST_DEPTHS

if TYPE_CHECKING:
    from isolation_fast.worker.messages import Call

OPPONENT: Final = "null_agent"
ALWAYS: Final = 1e3
"""What the clock shows before it runs out, in milliseconds."""
WORD: Final = 2**64 - 1


def leaf_value(seed: int, own: Move, other: Move) -> float:
    """A number from -1024 to 1024 for the cells of the two players, exact and the same on every machine.

    >>> leaf_value(1, (2, 3), (0, 0)) == leaf_value(1, (2, 3), (0, 0)) != leaf_value(2, (2, 3), (0, 0))
    True
    """
    mixed = seed & WORD
    for number in (*own, *other):
        mixed = ((mixed ^ (number + 1)) * 0x9E3779B97F4A7C15 + 0x7F4A7C15) & WORD
        mixed ^= mixed >> 29
    return ((mixed >> 20) % 2**21 - 2**20) / 1024


class Count:
    """What a call did to the boards, and what it asked of the heuristic."""

    def __init__(self, expires: int | None) -> None:
        self.nodes, self.scored, self.late = 0, 0, 0
        self.cells: set[Move] = set()
        self.first: Move | None = None
        """The first move that was tried from the root."""
        self.depths: list[int] = []
        self.expires = expires
        self.is_expired = expires == 0


class CountingBoard(Board):
    """A board that counts the children made by `forecast_move`, as the board of the course's tests does."""

    count: Count
    root: Move | None = None
    """The move from the root that it comes after."""

    @classmethod
    def at(cls, position: str, players: Sequence[object], count: Count) -> CountingBoard:
        """A board of its own class, which the engine's reader of positions does not make."""
        read = Board.from_text(position, *players)
        board = cls(players[0], players[1], read.width, read.height)
        board._board_state = list(read._board_state)
        board._active_player, board._inactive_player = read._active_player, read._inactive_player
        board.move_count, board.count = read.move_count, count
        return board

    def copy(self) -> CountingBoard:
        """With what it counts in."""
        return Board.__copy__(self)

    def forecast_move(self, move: Sequence[int]) -> CountingBoard:
        """The board after the move, which is counted."""
        board = self.copy()
        board.apply_move(move)
        cell = (move[0], move[1])
        self.count.nodes += 1
        self.count.cells.add(cell)
        if board.root is None:
            board.root = cell
            self.count.first = self.count.first or cell
        return board


class Leaf:
    """The heuristic of a call; the clock runs out at the leaf at which enough children were made."""

    def __init__(self, call: Call, count: Count) -> None:
        self._seed, self._branch, self._count = call.seed, call.values == "first branch", count

    def __call__(self, game: Any, player: Any) -> float:
        """The value of a leaf."""
        count = self._count
        count.scored += 1
        count.late += count.is_expired
        if count.expires is not None and count.nodes >= count.expires:
            count.is_expired = True
        if self._branch:
            return float(count.first is not None and getattr(game, "root", None) == count.first)
        own, other = (game.get_player_location(each) for each in (player, game.get_opponent(player)))
        return leaf_value(self._seed, own or (-1, -1), other or (-1, -1))


def outcome(submission: Submission, call: Call) -> dict[str, Any]:
    """The fields of the answer to a call. What the submission raises comes out, but for its spent time."""
    count = Count(call.expires)
    if call.function == "score":
        heuristic = submission.heuristics[call.member]
        players = ("Player1", "Player2")
        answer = heuristic(Board.from_text(call.position, *players), players[call.side])
        return {**_number(answer), **_shown(answer, submission)}
    player = _player(submission, call, Leaf(call, count))
    board = CountingBoard.at(call.position, (OPPONENT, player) if call.side else (player, OPPONENT), count)
    player.time_left = lambda: -1.0 if count.is_expired else ALWAYS
    found: dict[str, Any]
    try:
        answer = _asked(submission, player, board, call)
    except submission.timeouts:
        found = {"timed_out": True}
    else:
        # The first layout's searches give the value with the move.
        is_pair = submission.layout == "v1" and call.function != "get_move"
        found = {**(_pair(answer) if is_pair else _cell(answer)), **_shown(answer, submission)}
    counted = {"nodes": count.nodes, "cells": len(count.cells), "scored": count.scored, "late": count.late}
    first = () if count.first is None else (count.first,)
    return {**found, **counted, "first": first, "depths": tuple(count.depths)}


def value_of(heuristic: Callable[[Any, Any], Any], position: str) -> str:
    """What a heuristic returns for the player to move: `float.hex` of a number, else the name of an error.

    >>> value_of(lambda game, player: len(game.get_legal_moves(player)), "3x3 3/3/3 - - 1")
    '0x1.2000000000000p+3'
    """
    board = board_in_order(position, "Player1", "Player2", 0)
    try:
        return float(heuristic(board, board.active_player)).hex()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may raise anything
        return type(error).__name__


def _player(submission: Submission, call: Call, leaf: Leaf) -> Any:
    """An instance, made as the course's tests make it."""
    kind = submission.players[call.member]
    if submission.layout == "v1":
        return kind(call.depth, leaf, call.iterative, call.method)
    return kind(call.depth, leaf)


def _asked(submission: Submission, player: Any, board: CountingBoard, call: Call) -> Any:
    if call.function != "get_move":
        return getattr(player, call.function)(board, call.depth)
    if call.searches:
        player.alphabeta = _search_of_ours(submission, board, call.searches)
    get_move = get_move_of(player, "it")
    if takes_legal_moves(get_move):
        return get_move(board, board.get_legal_moves(), player.time_left)
    return get_move(board, player.time_left)


def _search_of_ours(submission: Submission, board: CountingBoard, searches: int) -> Callable[..., Move]:
    """Stands in for `alphabeta`: another move at each call, and the time is over at the last one."""
    moves, depths = sorted(board.get_legal_moves()), board.count.depths

    def search(_game: object, depth: int, *_: object, **__: object) -> Move:
        if len(depths) < MOST_DEPTHS:
            depths.append(int(depth))
        if len(depths) >= searches:
            raise submission.timeouts[0]
        return moves[(len(depths) - 1) % len(moves)]

    return search


# ---- what an answer is


def _shown(answer: object, submission: Submission) -> dict[str, Any]:
    return {"shown": value_line(answer, str(submission.folder))}


def _cell(answer: Any) -> dict[str, Any]:
    cell = cell_of(answer)
    if cell is None or not all(-(2**63) <= each < 2**63 for each in cell):
        return {}
    return {"has_cell": True, "row": cell[0], "column": cell[1]}


def _pair(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return {}
    value, cell = answer
    return {**_number(value), **_cell(cell)}


def _number(value: Any) -> dict[str, Any]:
    """A value of any kind of number, and whether it is a float as the course asks for one."""
    found: dict[str, Any] = {"type": type_name(type(value)), "is_float": isinstance(value, float)}
    with suppress(TypeError, ValueError, OverflowError):
        found |= {"value": float(value), "has_value": True}
    return found
