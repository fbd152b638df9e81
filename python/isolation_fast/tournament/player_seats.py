"""A player in this process, asked for its moves by calling `get_move`."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any, Final

from isolation_fast._native import game_stream
from isolation_fast.board.turns import cell_of, get_move_of, meant_move, takes_legal_moves
from isolation_fast.endings import Fault
from isolation_fast.players import RandomPlayer
from isolation_fast.players.bases import ScoringPlayer
from isolation_fast.reports import Move, SearchReport
from isolation_fast.submission.faults import fault_of
from isolation_fast.submission.reseeding import Chance, reseed
from isolation_fast.text import value_line
from isolation_fast.tournament.referee import Beginning, Turn

__all__ = ["LITTLE_TIME", "PlayerSeat"]

LITTLE_TIME: Final = 0.25
"""The part of a turn's time below which a player that sees it may well decide by it.

Players of the course stop their search when 10 of 150 ms are left; those that look at the clock without need
see nearly all of it.
"""


@dataclass(slots=True)
class PlayerSeat:
    """A player and the rules that it plays under."""

    player: Any
    """Who has `get_move`."""
    entrant: int = 0
    """Which of a pairing's two entrants it is."""
    is_native: bool = False
    """Whether the engine alone chooses its moves, so that nothing can go wrong."""
    limited: bool = False
    """Whether an answer after the turn's time loses."""
    goes_by_clock: bool = False
    """Whether its budget is a time, so that its games cannot be repeated."""
    folder: str | None = None
    """Where its source files are: they are named when it raises."""
    activated: Callable[[], AbstractContextManager[None]] = nullcontext
    """Gives the process to the player for a turn, if it needs that."""
    chance: Chance | None = None
    """Its own random numbers, where the opponent draws from the same process's."""
    _clock: _Clock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._clock = _Clock(self, 0.0)

    @property
    def runs_here(self) -> bool:
        """Whether other people's code runs in this process for it."""
        return not self.is_native

    @property
    def by_clock(self) -> bool:
        """Whether a clock has decided something in this game."""
        return self.goes_by_clock or self._clock.has_decided

    @property
    def searched(self) -> tuple[int, SearchReport | None]:
        """The positions that one of our players has searched so far, and its last report; of others nothing.

        Looked up without any code of the player's own.
        """
        if not isinstance(self.player, ScoringPlayer):
            return 0, None
        known = vars(self.player)
        nodes, report = known.get("searched_nodes"), known.get("report")
        return (nodes if type(nodes) is int else 0), (report if type(report) is SearchReport else None)

    def begin(self, game: Beginning) -> None:
        """Prepare for a game: a clock, and the same random numbers each time."""
        self._clock = _Clock(self, game.time_limit)
        if self.is_native:
            if isinstance(self.player, RandomPlayer):
                # Not the stream itself, from which Python's `random` and so the board are seeded.
                self.player = RandomPlayer(seed=game_stream(game.stream, self.entrant, 0))
            return
        reseed(game.stream)
        # The first bits of the stream are the board's, as where making the board draws them.
        random.getrandbits(64)
        if self.chance is not None:
            self.chance.keep()

    def ask(self, turn: Turn) -> Move:
        """The move that the player answers; a `Fault` if it does anything else."""
        if self.chance is None:
            return self._asked(turn)
        self.chance.put_back()
        try:
            return self._asked(turn)
        finally:
            self.chance.keep()

    def close(self) -> None:
        """Nothing is to be let go of."""

    def _asked(self, turn: Turn) -> Move:
        game, legal_moves, clock = turn.seated_board(), turn.legal_moves, self._clock
        offered = tuple(legal_moves)
        try:
            with self.activated():
                get_move = get_move_of(self.player, "it")
                clock.start()
                if takes_legal_moves(get_move):
                    answer = get_move(game, legal_moves, clock.time_left)
                else:
                    answer = get_move(game, clock.time_left)
                clock.stop()
        except BaseException as error:
            if self.is_native:  # whoever is at fault, it is not
                raise
            # SystemExit and KeyboardInterrupt are a player's too.
            raise fault_of(error, self.folder) from None
        if clock.ran_out:
            raise Fault("timeout", f"it answered after the turn's {clock.limit:g} ms")
        move = meant_move(answer, offered, legal_moves)
        if move is not None:
            return move
        cell = cell_of(answer)
        if cell is None:
            raise Fault(
                "bad answer", f"a move is a tuple (row, column), and it answered {value_line(answer)}"
            )
        if cell in offered:
            raise Fault("illegal move", f"it took its move {value_line(cell)} out of the list of legal moves")
        raise Fault("illegal move", f"it answered {value_line(cell)}")


class _Clock:
    """The clock of one player: one for the whole game, since some keep the first `time_left` they get."""

    def __init__(self, seat: PlayerSeat, limit: float) -> None:
        self.limit = limit
        self.ran_out = False
        self._limited = seat.limited
        # To who is not bound by it the time stands still, so that what it does is always the same.
        self._stands_still = not (seat.limited or seat.goes_by_clock)
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
