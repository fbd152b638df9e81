"""A player in this process, asked for its moves by calling `get_move`."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

from isolation_fast._native import game_stream
from isolation_fast.endings import Fault
from isolation_fast.players import RandomPlayer
from isolation_fast.players.bases import ScoringPlayer
from isolation_fast.reports import Move, SearchReport
from isolation_fast.submission.asking import Chance, Clock, answered_cell, asked, fault_of, reseed
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
    _clock: Clock = field(default_factory=Clock, init=False, repr=False)
    _limit: float = field(default=0.0, init=False, repr=False)
    _ran_out: bool = field(default=False, init=False, repr=False)

    @property
    def runs_here(self) -> bool:
        """Whether other people's code runs in this process for it."""
        return not self.is_native

    @property
    def by_clock(self) -> bool:
        """Whether a clock has decided something in this game."""
        saw_little = self.limited and self._clock.least < LITTLE_TIME * self._limit
        return self.goes_by_clock or self._ran_out or saw_little

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
        self._clock, self._limit, self._ran_out = Clock(), game.time_limit, False
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
        # A player without a limit always sees the full time, so that it does the same each time.
        runs = self.limited or self.goes_by_clock
        try:
            with self.activated():
                answer = asked(self.player, game, legal_moves, clock, self._limit, runs=runs)
                self._ran_out = self.limited and clock.left() < 0
        except BaseException as error:
            if self.is_native:  # whoever is at fault, it is not
                raise
            # SystemExit and KeyboardInterrupt are a player's too.
            raise fault_of(error, self.folder) from None
        if self._ran_out:
            raise Fault("timeout", f"it answered after the turn's {self._limit:g} ms")
        cell = answered_cell(answer, offered, legal_moves, self.folder)
        if cell not in offered:
            raise Fault("illegal move", f"it answered {value_line(cell)}")
        return cell
