"""The players that a worker has loaded, and whether it may play another chunk with them.

A player's code may leave anything behind in its process, so a chunk has a fresh one. A heuristic that is
compiled leaves nothing: its program stands for all that the function does. Where programs gave all values of
a chunk, the process is as it was when its players had been loaded, and the next chunk needs no other. A game
between players that do nothing but search, by programs or natively, is played by the engine.
"""

from __future__ import annotations

import random
import sys
import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Compiled, Heuristic, Searcher
from isolation_fast.compiled import use_of
from isolation_fast.players import AlphaBetaPlayer, GreedyPlayer, MinimaxPlayer
from isolation_fast.players.bases import SearchingPlayer
from isolation_fast.searching import agent_limits
from isolation_fast.submission import SubmissionPlayer

if TYPE_CHECKING:
    from isolation_fast.playing.seats import PlayerSeat

SEARCHING: Final = (AlphaBetaPlayer, GreedyPlayer, MinimaxPlayer, SubmissionPlayer)
"""The players of ours that only their heuristic can make do anything else than search."""


class LoadedPlayers:
    """The seats of a worker's Python players by their number in the pairing."""

    def __init__(self, goes_on: bool) -> None:
        """Keep them for further chunks only where the process goes on."""
        self.goes_on = goes_on
        self.seats: dict[int, PlayerSeat] = {}
        self._programs: list[Compiled] = []

    def loaded(self, number: int, seat: PlayerSeat, seeded: Any) -> None:
        """Note a player, which was loaded with these random numbers: its heuristic is compiled now."""
        if not self.goes_on:
            return
        self.seats[number] = seat
        # Another pairing loads its players with other random numbers.
        self.goes_on = random.getstate() == seeded and "numpy" not in sys.modules and self._is_compiled(seat)

    def are_untouched(self) -> bool:
        """Whether the process is as it was when they had been loaded."""
        programs = (each.is_ready and not each.bails for each in self._programs)
        return self.goes_on and bool(self.seats) and all(programs) and threading.active_count() == 1

    def _is_compiled(self, seat: PlayerSeat) -> bool:
        player = seat.player
        if not _only_searches(player):
            return False
        if isinstance(player.score, Heuristic):
            return True
        is_submission = isinstance(player, SubmissionPlayer)
        with player.submission.activated() if is_submission else nullcontext():
            used = use_of(player.score)
            if used is None or not used.compile(player.score):
                return False
        self._programs.append(used)
        return True


def searcher_of(player: object) -> Searcher | None:
    """How a player searches, where it does nothing else in its turns and no clock decides."""
    if not isinstance(player, SearchingPlayer) or not _only_searches(player):
        return None
    if player.budget is None or player.budget.ms is not None or player.scale is not None:
        return None
    program = None if isinstance(player.score, Heuristic) else use_of(player.score)
    if program is None and not isinstance(player.score, Heuristic):
        return None
    depth, nodes, _, bands = agent_limits(player.budget, player.score)
    minimax, fast = player._method == "minimax", player.mode == "fast"
    return Searcher(player.score, program, depth, nodes, bands, minimax, fast, player.seed)


def _only_searches(player: Any) -> bool:
    """Whether nothing runs in a player's turns but our search with its heuristic, which may be compiled."""
    if type(player) not in SEARCHING or "get_move" in vars(player) or not player.compile:
        return False
    return not isinstance(player, SubmissionPlayer) or _is_plain(player.stand_in)


def _is_plain(stand_in: Any) -> bool:
    """Whether no code of its own runs where a search seats it, and sets its clock."""
    kind: Any = type(stand_in)
    general: Any = object
    clock = type(getattr(kind, "time_left", None))
    return (
        kind.__eq__ is general.__eq__
        and kind.__setattr__ is general.__setattr__
        and not hasattr(clock, "__set__")
    )
