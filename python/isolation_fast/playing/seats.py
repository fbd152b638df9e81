"""From an entrant to a player at the board: one that the engine plays, one in this process, one in the jail.

The referee sees the same of each. A jailed submission's process holds a board of its own and
answers with cells; which of them are legal, how long it took and who won, the referee alone says.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Searcher, game_stream
from isolation_fast.board.turns import get_move_of, ignores_the_clock
from isolation_fast.budgets import Budget
from isolation_fast.compiled import use_of
from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.measuring import scale_here
from isolation_fast.numbers import Nan
from isolation_fast.players import (
    AlphaBetaPlayer,
    PerfectPlayer,
    RandomPlayer,
)
from isolation_fast.players.bases import ReadyMadePlayer, ScoringPlayer, SearchingPlayer
from isolation_fast.playing.counted import CountedPlayer, player_of
from isolation_fast.playing.entrants import (
    CountedEntrant,
    Entrant,
    NativeEntrant,
    ObjectEntrant,
    SubmissionEntrant,
)
from isolation_fast.playing.jailed import LITTLE_TIME
from isolation_fast.playing.loaded import searcher_of
from isolation_fast.playing.outcomes import ProgramUse
from isolation_fast.playing.referee import Beginning, Turn
from isolation_fast.reports import Move, SearchReport
from isolation_fast.submission import SubmissionError, load
from isolation_fast.submission.asking import (
    Chance,
    Clock,
    answered_cell,
    asked,
    fault_of,
    made,
    own_stream,
    raised_line,
    seated,
    seed_game,
)
from isolation_fast.text import value_line

if TYPE_CHECKING:
    pass

OUR_MODULES: Final = (
    "isolation_fast.players.ready_made",
    "isolation_fast.players.perfect",
    "isolation_fast.submission.asking",
)


@dataclass(slots=True)
class PlayerSeat:
    """A player in this process, and the rules that it plays under."""

    player: Any
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
    searcher: Searcher | None = field(default=None, init=False, repr=False)
    """How it searches in a game, where it does nothing else in it."""
    _clock: Clock = field(default_factory=Clock, init=False, repr=False)
    _limit: float = field(default=0.0, init=False, repr=False)
    _ran_out: bool = field(default=False, init=False, repr=False)

    @property
    def runs_here(self) -> bool:
        """Whether other people's code runs in this process for it."""
        return not self.is_native

    @property
    def programs(self) -> ProgramUse:
        """What the compiled form of its heuristic has done in this process so far."""
        heuristic = getattr(self.player, "score", None) if isinstance(self.player, ScoringPlayer) else None
        used = use_of(heuristic)
        return ProgramUse() if used is None else ProgramUse(used.values, used.bails)

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
        if not isinstance(self.player, ScoringPlayer | CountedPlayer):
            return 0, None
        known = vars(self.player)
        nodes, report = known.get("searched_nodes"), known.get("report")
        return (nodes if type(nodes) is int else 0), (report if type(report) is SearchReport else None)

    def begin(self, game: Beginning) -> None:
        """Prepare for a game: a clock, and the same random numbers each time."""
        self._clock, self._limit, self._ran_out = Clock(), game.time_limit, False
        self.searcher = searcher_of(self.player)
        if self.is_native:
            if isinstance(self.player, RandomPlayer):
                # Not the stream itself, from which the board's order of moves comes.
                self.player = RandomPlayer(seed=game_stream(game.stream, self.entrant, 0))
            return
        seed_game(own_stream(game.stream))
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

    def _asked(self, turn: Turn) -> Move:
        # The player gets a copy of the board, with the players at it.
        game = seated(turn.board, turn.players, turn.side)
        legal_moves, clock = turn.legal_moves, self._clock
        offered = tuple(legal_moves)
        # A player without a limit always sees the full time, so that it does the same each time.
        runs = self.limited or self.goes_by_clock
        try:
            with self.activated():
                answer = asked(self.player, game, legal_moves, clock, self._limit, runs=runs)
                self._ran_out = self.limited and clock.left() < 0
        except BaseException as error:
            if self.is_native:  # a `Fault`, or our own mistake
                raise
            # SystemExit and KeyboardInterrupt are a player's too.
            raise fault_of(error, self.folder) from None
        if self._ran_out:
            raise Fault("timeout", f"it answered after the turn's {self._limit:g} ms")
        cell = answered_cell(answer, offered, legal_moves, self.folder)
        if cell not in offered:
            raise Fault("illegal move", f"it answered {value_line(cell)}")
        return cell


def seat_of(entrant: Entrant, number: int, nan: Nan = "course") -> PlayerSeat:
    """Make the player in this process; whatever goes wrong in its own code comes out as it is.

    A `WorkerError` says that it is defined where its process cannot find it: the script's fault, not its own.

    A class is instantiated, and an object unpickled, once: it plays all games of its chunk.

    >>> seat_of(NativeEntrant("Ann", "random"), 0).is_native
    True
    """
    if isinstance(entrant, NativeEntrant):
        player = player_of(entrant)
        return PlayerSeat(player, number, is_native=True, goes_by_clock=_goes_by_clock(player))
    if isinstance(entrant, CountedEntrant):
        return PlayerSeat(CountedPlayer(entrant), number, True, goes_by_clock=entrant.budget.ms is not None)
    if isinstance(entrant, SubmissionEntrant):
        return _of_submission(entrant, number, nan)
    return _of_object(entrant, number, nan)


def _of_submission(entrant: SubmissionEntrant, number: int, nan: Nan) -> PlayerSeat:
    submission = load(entrant.path, players_alone=True)
    if any(b"numpy" in Path(file).read_bytes() for file in submission.files):
        # Even a game that imports it must find its random numbers seeded.
        with suppress(ImportError):
            import_module("numpy")
    kind = submission.kind_of(entrant.member)
    if kind is not None:
        entrant.require(kind)
    budget = entrant.budget
    player = made(submission, entrant.member, _known(budget), entrant.mode, nan)
    _spend(player, budget, entrant.value_work)
    seat = _seated(player, number, str(submission.folder))
    if kind == "player":
        seat.activated = submission.activated
    return seat


def _of_object(entrant: ObjectEntrant, number: int, nan: Nan) -> PlayerSeat:
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
    player = AlphaBetaPlayer(thing, budget=_known(entrant.budget), mode=entrant.mode, nan=nan)
    _spend(player, entrant.budget)
    return _seated(player, number, folder)


def _spends(budget: Budget | None) -> bool:
    """Whether work is spent as a search goes."""
    return budget is not None and budget.work is not None and budget.cost is None


def _known(budget: Budget | None) -> Budget | None:
    """The budget, or any other where a player could not be made with it."""
    return Budget(nodes=1) if _spends(budget) else budget


def _spend(player: Any, budget: Budget | None, value_work: int | None = None) -> None:
    if (_spends(budget) or value_work is not None) and isinstance(player, SearchingPlayer):
        player.scale, player.budget, player.value_work = scale_here, budget, value_work


def _seated(player: Any, number: int, folder: str | None) -> PlayerSeat:
    get_move_of(player, "it")
    limited = not ignores_the_clock(player)
    by_clock = isinstance(player, SearchingPlayer) and player.scale is not None
    if limited and isinstance(player, ReadyMadePlayer) and type(player).__module__ in OUR_MODULES:
        # Without another budget the turn's time is its limit, and decides its moves.
        limited = isinstance(player, SearchingPlayer | PerfectPlayer) and player.budget is None
        by_clock = limited or _goes_by_clock(player)
    return PlayerSeat(player, number, limited=limited, goes_by_clock=by_clock, folder=folder)


def _goes_by_clock(player: object) -> bool:
    if not isinstance(player, SearchingPlayer) or player.budget is None:
        return False
    return player.scale is not None or player.budget.ms is not None


def _folder_of(thing: Any) -> str | None:
    """The folder of the file that an object's class, or a function, is defined in."""
    function, module = getattr(thing, "__code__", None), sys.modules.get(type(thing).__module__)
    file = getattr(module, "__file__", None) if function is None else function.co_filename
    if not isinstance(file, str) or not Path(file).is_file():
        return None
    folder = Path(file).parent.absolute()
    return None if folder == Path(os.__file__).parent else str(folder)


def equal_one(first: PlayerSeat, second: PlayerSeat) -> int | None:
    """Which of two players says that they are equal, if one does.

    >>> class Ann(str):
    ...     get_move = None
    >>> equal_one(PlayerSeat(Ann(), 0), PlayerSeat(Ann(), 1))
    0
    """
    # Whether a class leaves open what equals its objects.
    general: Any = object.__eq__
    plain = [type(each.player).__eq__ is general for each in (first, second)]
    if all(plain):
        return None
    if not (first.player == second.player):  # noqa: SIM201 - boards ask by `==`, which may not be the opposite
        return None
    return second.entrant if plain[0] else first.entrant


def why_not_loaded(error: BaseException, entrant: Entrant) -> str:
    """One line about an exception by which a player was not made."""
    if isinstance(error, Fault):
        return error.detail
    if not isinstance(entrant, SubmissionEntrant):
        return raised_line(error)
    file = Path(entrant.path)
    if not isinstance(error, SubmissionError):
        return raised_line(error, str(file.parent))
    return str(error).replace(f"{file.parent}{os.sep}", "")
