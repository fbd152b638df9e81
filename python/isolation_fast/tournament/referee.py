"""One game between two players, at least one of which is played in Python: who is asked, and how it ends.

Unlike `Board.play`, the referee asks no player that has no move left, gives a typed ending to whatever a
player does instead of moving, and knows what its search has found.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any, Final, Literal, Protocol

from isolation_fast._native import Board
from isolation_fast._player_bases import ScoringPlayer
from isolation_fast._safe_texts import value_line
from isolation_fast._turns import cell_of, get_move_of, meant_move, takes_legal_moves
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.reports import Move, SearchReport
from isolation_fast.tournament.faults import fault_of

__all__ = ["PlayedGame", "Seat", "Watch", "play"]

NAMES: Final = ("player 1", "player 2")

LITTLE_TIME: Final = 0.25
"""The part of a turn's time below which a player that sees it may well decide by it.

Players of the course stop their search when 10 of 150 ms are left; those that look at the clock without need
see nearly all of it.
"""


class Watch(Protocol):
    """Who is told what happens in a game, so that it is known should the process not live to tell."""

    def asks(self, entrant: int, *, limited: bool) -> None:
        """A Python player is asked for a move, or made."""

    def answered(self) -> None:
        """It has come back, in whatever way."""

    def moved(self, cell: Move) -> None:
        """A move was made."""


class Unwatched:
    """Nobody is told."""

    def asks(self, entrant: int, *, limited: bool) -> None:
        """Pass over it."""

    def answered(self) -> None:
        """Pass over it."""

    def moved(self, cell: Move) -> None:
        """Pass over it."""


@dataclass(slots=True)
class Seat:
    """A player and the rules that it plays under."""

    player: Any
    """Who has `get_move`."""
    entrant: int = 0
    """Which of a pairing's two entrants it is."""
    is_native: bool = False
    """Whether the engine alone chooses its moves, so that nothing can go wrong."""
    limited: bool = False
    """Whether an answer after the turn's time loses."""
    by_clock: bool = False
    """Whether its budget is a time, so that its games cannot be repeated."""
    folder: str | None = None
    """Where its source files are: they are named when it raises."""
    activated: Callable[[], AbstractContextManager[None]] = nullcontext
    """Gives the process to the player for a turn, if it needs that."""


@dataclass(slots=True)
class PlayedGame:
    """How a game went. Players are numbered 0 and 1 here: player 1 and player 2."""

    first_to_move: Literal[0, 1]
    loser: Literal[0, 1] = 0
    ending: GameEnding = "no moves"
    detail: str = ""
    moves: list[Move] = field(default_factory=list)
    reports: list[SearchReport | None] = field(default_factory=list)
    """What was found by the search behind each move, where there was one."""
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    by_clock: bool = False
    """Whether a clock decided something."""

    @property
    def turns(self) -> tuple[int, int]:
        """How many moves each of the two made."""
        first, second = (len(self.moves) + 1) // 2, len(self.moves) // 2
        return (second, first) if self.first_to_move else (first, second)


def play(
    player_1: Seat, player_2: Seat, opening: str, time_limit: float = 150.0, watch: Watch | None = None
) -> PlayedGame:
    """Play a game to its end, with `time_limit` milliseconds a turn for those that it holds for.

    The board's order of moves is drawn from `random`, which the caller seeds.

    >>> from isolation_fast import GreedyPlayer
    >>> from isolation_fast._reseeding import reseed
    >>> reseed(1)
    >>> class Stubborn:
    ...     def get_move(self, game, time_left):
    ...         return (0, 0)
    >>> game = play(Seat(Stubborn()), Seat(GreedyPlayer()), "3x3 3/3/3 - - 1")
    >>> game.loser, game.ending, game.detail, game.turns
    (0, 'illegal move', 'it answered (0, 0)', (1, 1))
    """
    watch = watch or Unwatched()
    seats = (player_1, player_2)
    # The players are not at the referee's own board: it would ask their `==` which of them is which.
    board = Board.from_text(opening, *NAMES)
    clocks = [_Clock(seat, time_limit) for seat in seats]
    mover: Literal[0, 1] = 0 if board._active_player == NAMES[0] else 1
    game = PlayedGame(mover)
    while True:
        legal_moves = board.get_legal_moves()
        if not legal_moves:
            game.loser = mover
            break
        seat, clock = seats[mover], clocks[mover]
        searched, report = _searched(seat)
        if not seat.is_native:
            watch.asks(seat.entrant, limited=seat.limited)
        try:
            move = _ask(seat, clock, _seated(board, seats, mover), legal_moves)
        except Fault as fault:
            game.loser, game.ending, game.detail = mover, fault.ending, fault.detail
        finally:
            # Only now are its answer and its board gone, which may run code of its own when they are looked
            # at, or when they end.
            if not seat.is_native:
                watch.answered()
        now_searched, new_report = _searched(seat)
        game.nodes[mover] += max(0, now_searched - searched)
        game.by_clock = game.by_clock or seat.by_clock or clock.has_decided
        if game.ending != "no moves":
            break
        board.apply_move(move)
        game.moves.append(move)
        # A player that did not search this time still has the report of its last search.
        game.reports.append(None if new_report is report else new_report)
        watch.moved(move)
        mover = 0 if mover else 1
    return game


def _seated(board: Board, seats: tuple[Seat, Seat], mover: Literal[0, 1]) -> Board:
    """A copy of the board with the players at it."""
    copy = board.copy()
    copy._player_1, copy._player_2 = seats[0].player, seats[1].player
    copy._active_player, copy._inactive_player = seats[mover].player, seats[1 - mover].player
    return copy


def _ask(seat: Seat, clock: _Clock, game: Board, legal_moves: list[Move]) -> Move:
    """The move that a player answers; a `Fault` if it does anything else."""
    offered = tuple(legal_moves)
    try:
        with seat.activated():
            get_move = get_move_of(seat.player, "it")
            clock.start()
            if takes_legal_moves(get_move):
                answer = get_move(game, legal_moves, clock.time_left)
            else:
                answer = get_move(game, clock.time_left)
            clock.stop()
    except BaseException as error:
        if seat.is_native:  # whoever is at fault, it is not
            raise
        # SystemExit and KeyboardInterrupt are a player's too.
        raise fault_of(error, seat.folder) from None
    if clock.ran_out:
        raise Fault("timeout", f"it answered after the turn's {clock.limit:g} ms")
    move = meant_move(answer, offered, legal_moves)
    if move is not None:
        return move
    cell = cell_of(answer)
    if cell is None:
        raise Fault("bad answer", f"a move is a tuple (row, column), and it answered {value_line(answer)}")
    if cell in offered:
        raise Fault("illegal move", f"it took its move {value_line(cell)} out of the list of legal moves")
    raise Fault("illegal move", f"it answered {value_line(cell)}")


class _Clock:
    """The clock of one player: one for the whole game, since some keep the first `time_left` they get."""

    def __init__(self, seat: Seat, limit: float) -> None:
        self.limit = limit
        self.ran_out = False
        self._limited = seat.limited
        # To who is not bound by it the time stands still, so that what it does is always the same.
        self._stands_still = not (seat.limited or seat.by_clock)
        self._least = inf
        self._started = 0.0

    def start(self) -> None:
        self._started = perf_counter()

    def stop(self) -> None:
        self.ran_out = self._limited and self._left() < 0

    def time_left(self) -> float:
        """What players look at: the milliseconds left of their turn."""
        if self._stands_still:
            return self.limit
        left = self._left()
        if left < self._least:
            self._least = left
        return left

    @property
    def has_decided(self) -> bool:
        """Whether the time ran out, or the player has seen that there is little of it."""
        return self.ran_out or (self._limited and self._least < LITTLE_TIME * self.limit)

    def _left(self) -> float:
        return self.limit - 1000 * (perf_counter() - self._started)


def _searched(seat: Seat) -> tuple[int, SearchReport | None]:
    """The nodes that one of our players has searched so far, and its last report; of others nothing is known.

    Looked up without any code of the player's own.
    """
    if not isinstance(seat.player, ScoringPlayer):
        return 0, None
    known = vars(seat.player)
    nodes, report = known.get("searched_nodes"), known.get("report")
    return (nodes if type(nodes) is int else 0), (report if type(report) is SearchReport else None)
