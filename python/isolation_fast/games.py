"""Playing one game between two players."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import inf
from numbers import Real
from typing import Any, Literal, cast

from isolation_fast import _native
from isolation_fast._native import Board
from isolation_fast.board.turns import COURSE_LIMIT, get_move_of
from isolation_fast.endings import CLASSIC_ENDINGS, Ending
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.players import Player, native_form
from isolation_fast.players.bases import ScoringPlayer
from isolation_fast.players.ready_made import HumanPlayer
from isolation_fast.reports import GameResult, Move
from isolation_fast.searching import seed_bits
from isolation_fast.text import described

CLASSIC_SIZE = (7, 7)


def play_game(
    player_1: Player,
    player_2: Player,
    *,
    start: Board | str | None = None,
    width: int = 7,
    height: int = 7,
    seed: int | None = None,
    time_limit: float | None = None,
) -> GameResult:
    """Play a game to its end.

    `start` is the position to begin from, a board or its text; by default an empty board of `width` by
    `height`. The players of a board given as `start` are ignored, and it is not changed. `time_limit` is a
    turn's time in milliseconds: 150 by default; none in a game with a `HumanPlayer`, or for a player of this
    package that counts depth, nodes or work. It also bounds a player's own `ms=`, so longer searches need a
    longer turn.

    The result names the winner, 1 or 2, and in `reason` how the other lost: "no moves", "forfeit" or
    "timeout". A player of your own is asked even where it has no move; the reason is then "no moves",
    whatever it answers.

    If both are players of this package with native heuristics, the engine plays the game by itself, without
    holding the interpreter; a budget of depth or nodes is then the only limit. Otherwise `Board.play` plays
    the game, and a player that exceeds the time limit, if there is one, loses.

    The same `seed` gives the same game of native players unless their budget is a time. For other games it
    seeds Python's `random`, and puts it back after the game.

    >>> from isolation_fast import AlphaBetaPlayer, RandomPlayer
    >>> result = play_game(AlphaBetaPlayer("improved", nodes=500), RandomPlayer(), seed=3)
    >>> result == play_game(AlphaBetaPlayer("improved", nodes=500), RandomPlayer(), seed=3)
    True
    >>> result.board().get_legal_moves()
    []
    """
    # A locked engine refuses by itself; a game that it has no part in would not.
    _native.require_free_engine("play_game")
    get_move_of(player_1, "player_1")
    get_move_of(player_2, "player_2")
    limit = _turn_limit(player_1, player_2, time_limit)
    bits = None if seed is None else seed_bits(seed)
    beginning = _start_text(start, width, height)
    first, second = native_form(player_1, limit), native_form(player_2, limit)
    if first is None or second is None:
        # Classic boards find a player's location by `==`, so two equal players would be one.
        if player_1 is player_2 or player_1 == player_2:
            raise InvalidArgumentError(
                f"player_1 and player_2 are equal, and a board cannot tell equal players apart: {player_1!r}"
            )
        # Around all of it: every new board draws its order of moves from `random`.
        with seeded_random(bits):
            return _play_on_a_board(player_1, player_2, beginning, limit)
    drawn = random.getrandbits(64) if bits is None else bits
    winner, moves, reason, nodes, beginning = _native.play_native(first, second, beginning, drawn)
    for player, searched in zip((player_1, player_2), nodes, strict=True):
        if isinstance(player, ScoringPlayer):
            player.searched_nodes += searched
    return GameResult(cast(Literal[1, 2], winner), tuple(moves), cast(Ending, reason), nodes, beginning)


def _play_on_a_board(player_1: Player, player_2: Player, beginning: str, limit: float) -> GameResult:
    board = Board.from_text(beginning, player_1, player_2)
    beginning = board.to_text()
    moves: list[Move] = []
    apply_move = board.apply_move

    def record_and_apply(move: Any) -> None:
        apply_move(move)
        moves.append((int(move[0]), int(move[1])))

    # `play` returns the history in the players' layout (pairs of answers for the course's first one); the
    # moves as they were applied are the same in both.
    vars(board)["apply_move"] = record_and_apply
    players = (player_1, player_2)
    before = [_searched_nodes(player) for player in players]
    winner, _, outcome = board.play(time_limit=limit)
    first, second = (_searched_nodes(each) - nodes for each, nodes in zip(players, before, strict=True))
    number: Literal[1, 2] = 1 if winner is player_1 else 2
    return GameResult(number, tuple(moves), CLASSIC_ENDINGS[outcome], (first, second), beginning)


def _start_text(start: Board | str | None, width: int, height: int) -> str:
    if start is None:
        return _empty_text(width, height)
    if not isinstance(start, Board | str):
        raise TypeError(
            f"play_game takes an isolation_fast.Board or its text as start, not {described(start)}"
        )
    if (width, height) != CLASSIC_SIZE:
        board = start if isinstance(start, Board) else Board.from_text(start)
        if (width, height) != (board.width, board.height):
            raise InvalidArgumentError(
                f"start is {board.width}x{board.height}, which width={width!r}, height={height!r} contradicts"
            )
    # A text is checked once, where it is read.
    return start.to_text() if isinstance(start, Board) else start


@lru_cache(maxsize=64)
def _empty_text(width: int, height: int) -> str:
    # Making a board draws from `random`, which a seeded game must not change.
    with seeded_random(0):
        return Board(width=width, height=height).to_text()


def _turn_limit(player_1: object, player_2: object, time_limit: float | None) -> float:
    if time_limit is None:
        return inf if isinstance(player_1, HumanPlayer) or isinstance(player_2, HumanPlayer) else COURSE_LIMIT
    if isinstance(time_limit, bool) or not isinstance(time_limit, Real) or not time_limit > 0:
        raise InvalidArgumentError(f"time_limit must be a number of milliseconds above 0, not {time_limit!r}")
    return time_limit


def _searched_nodes(player: object) -> int:
    searched = getattr(player, "searched_nodes", 0)
    return searched if isinstance(searched, int) else 0


@contextmanager
def seeded_random(bits: int | None) -> Iterator[None]:
    """Seed `random` for a game, so that it repeats, and put it back after."""
    if bits is None:
        yield
        return
    state = random.getstate()
    random.seed(bits)
    try:
        yield
    finally:
        random.setstate(state)
