"""From an entrant to a player at the board, in the process that it plays in."""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from isolation_fast.board.turns import get_move_of
from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.players.bases import ReadyMadePlayer, SearchingPlayer
from isolation_fast.submission import SubmissionError, load
from isolation_fast.submission.asking import made, raised_line
from isolation_fast.tournament.entrants import Entrant, NativeEntrant, ObjectEntrant, SubmissionEntrant
from isolation_fast.tournament.native_chunks import player_of
from isolation_fast.tournament.player_seats import PlayerSeat

__all__ = ["equal_one", "seat_of", "why_not_loaded"]

OUR_MODULES: Final = ("isolation_fast.players.ready_made", "isolation_fast.submission.playing")


def seat_of(entrant: Entrant, number: int) -> PlayerSeat:
    """Make the player; whatever goes wrong in its own code comes out as it is.

    A `WorkerError` says that it is defined where its process cannot find it: the script's fault, not its own.

    A class is instantiated, and an object unpickled, once: it plays all games of its chunk.

    >>> seat_of(NativeEntrant("Ann", "random"), 0).is_native
    True
    """
    if isinstance(entrant, NativeEntrant):
        player = player_of(entrant)
        return PlayerSeat(player, number, is_native=True, goes_by_clock=_goes_by_clock(player))
    if isinstance(entrant, SubmissionEntrant):
        return _of_submission(entrant, number)
    return _of_object(entrant, number)


def equal_one(first: PlayerSeat, second: PlayerSeat) -> int | None:
    """Which of two players says that they are equal, if one does.

    >>> class Ann(str):
    ...     get_move = None
    >>> equal_one(PlayerSeat(Ann(), 0), PlayerSeat(Ann(), 1))
    0
    """
    if _is_itself_alone(first.player) and _is_itself_alone(second.player):
        return None
    if not (first.player == second.player):  # noqa: SIM201 - boards ask by `==`, which may not be the opposite
        return None
    return second.entrant if _is_itself_alone(first.player) else first.entrant


def _is_itself_alone(player: Any) -> bool:
    """Whether nobody has said what equals it."""
    own: Any = type(player).__eq__
    return own is object.__eq__


def _of_submission(entrant: SubmissionEntrant, number: int) -> PlayerSeat:
    submission = load(entrant.path, players_alone=True)
    if any(b"numpy" in Path(file).read_bytes() for file in submission._modules.files):
        # If it is imported in a game only, its random numbers are to be seeded by then.
        with suppress(ImportError):
            import_module("numpy")
    is_player = entrant.member in submission.players
    if is_player or entrant.member in submission.heuristics:
        entrant.require("player" if is_player else "heuristic")
    player = made(submission, entrant.member, entrant.budget, entrant.mode)
    seat = _seated(player, number, str(submission.folder))
    if is_player:
        seat.activated = submission.activated
    return seat


def _of_object(entrant: ObjectEntrant, number: int) -> PlayerSeat:
    try:
        thing = pickle.loads(entrant.pickled)
    except AttributeError as error:
        if "__main__" not in str(error):
            raise
        raise WorkerError(
            f"{entrant.name} is defined in a script or a session that other processes cannot import: "
            "put its class or function into a module"
        ) from error
    folder = _folder_of(thing)
    if callable(getattr(thing, "get_move", None)):
        return _seated(thing, number, folder)
    return _seated(AlphaBetaPlayer(thing, budget=entrant.budget, mode=entrant.mode), number, folder)


def _seated(player: Any, number: int, folder: str | None) -> PlayerSeat:
    get_move_of(player, "it")
    if isinstance(player, ReadyMadePlayer) and type(player).__module__ in OUR_MODULES:
        # Where it has no other budget a turn's time is its limit, and decides its moves.
        limited = isinstance(player, SearchingPlayer) and player.budget is None
        by_clock = limited or _goes_by_clock(player)
        return PlayerSeat(player, number, limited=limited, goes_by_clock=by_clock, folder=folder)
    return PlayerSeat(player, number, limited=True, folder=folder)


def _goes_by_clock(player: object) -> bool:
    return isinstance(player, SearchingPlayer) and player.budget is not None and player.budget.ms is not None


def _folder_of(thing: Any) -> str | None:
    """The folder of the file that an object's class, or a function, is defined in."""
    if (function := getattr(thing, "__code__", None)) is not None:
        file = function.co_filename
    else:
        file = getattr(sys.modules.get(type(thing).__module__), "__file__", None)
    if not isinstance(file, str) or not Path(file).is_file():
        return None
    folder = Path(file).parent.absolute()
    return None if folder == Path(os.__file__).parent else str(folder)


def why_not_loaded(error: BaseException, entrant: Entrant) -> str:
    """One line about an exception by which a player was not made."""
    if isinstance(error, Fault):
        return error.detail
    if not isinstance(entrant, SubmissionEntrant):
        return raised_line(error)
    file = Path(entrant.path)
    if not isinstance(error, SubmissionError):
        return raised_line(error, str(file.parent))
    told = str(error)
    return told.replace(f"{file.parent}{os.sep}", "")
