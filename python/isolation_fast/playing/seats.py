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
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from isolation_fast._native import Searcher, game_stream
from isolation_fast.board.turns import get_move_of, ignores_the_clock
from isolation_fast.budgets import Budget
from isolation_fast.compiled import use_of
from isolation_fast.cost import checked_cost
from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.measuring import MOST_OF_A_TURN, Meter, Spent
from isolation_fast.numbers import Nan
from isolation_fast.players import (
    AlphaBetaPlayer,
    GreedyPlayer,
    MinimaxPlayer,
    PerfectPlayer,
    Player,
    RandomPlayer,
)
from isolation_fast.players.bases import DEFAULT_MARGIN, ReadyMadePlayer, ScoringPlayer, SearchingPlayer
from isolation_fast.playing.counted import CountedPlayer
from isolation_fast.playing.entrants import (
    CountedEntrant,
    Entrant,
    NativeEntrant,
    ObjectEntrant,
    SubmissionEntrant,
)
from isolation_fast.playing.loaded import searcher_of
from isolation_fast.playing.outcomes import ProgramUse, Use
from isolation_fast.playing.referee import Beginning, Turn
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import without_work
from isolation_fast.submission import SubmissionError, load
from isolation_fast.submission.asking import (
    Chance,
    Clock,
    answered_cell,
    asked,
    fault_of,
    made,
    order_bits_of,
    own_stream,
    raised_line,
    seated,
    seed_game,
)
from isolation_fast.text import value_line

if TYPE_CHECKING:
    from isolation_fast.jail import Answer, Limits

LITTLE_TIME: Final = 0.25
"""The part of a turn's time below which a player that sees it may well decide by it.

Players of the course stop their search when 10 of 150 ms are left; those that look at the clock without need
see nearly all of it.
"""

MS_FACTOR: Final = 1.5
MS_ADDED: Final = 50.0
"""The process of a player with a limit in milliseconds is ended after so many times as many and so many more:
a search looks at the clock between two heuristic calls, and a player whenever it likes."""

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


class JailedSeat:
    """A submission's process in the jail; fresh for its chunk.

    A `Fault` says that the submission cannot be taken into it, such as for links out of its folder.
    """

    runs_here: Final = False
    limited: Final = False
    searcher: Final = None

    def __init__(
        self,
        entrant: SubmissionEntrant,
        number: int,
        limits: Limits,
        interrupted: Callable[[], bool] | None = None,
        used: Callable[[Use], object] | None = None,
        *,
        nan: Nan = "course",
    ) -> None:
        self.entrant = number
        self.player = object()
        """What an opponent in this process sees in its place."""
        self.by_clock = False
        self.is_gone = False
        """Whether its process had to be replaced: what it remembers is lost."""
        self.searched: tuple[int, SearchReport | None] = (0, None)
        self.programs = ProgramUse()
        self._submission, self._limits, self._nan = entrant, limits, nan
        self._time_limit = 0.0
        self._sent = 0
        self._used = used
        self._game: tuple[str, Literal[0, 1]] | None = None
        self._traces: dict[tuple[str, Literal[0, 1]] | None, str] = {}
        self._seconds: list[float] = []
        # Not at the top: a process that plays without the jail starts sooner.
        from isolation_fast.jail import Assignment, JailedProcess, shared_yardstick

        assignment = Assignment(Path(entrant.path), entrant.member, entrant.digest)
        self._process = JailedProcess.start(assignment, limits, interrupted=interrupted)
        self.level: Final = self._process.level
        """What of the jail was enforced."""
        self._meter: Meter | None = None
        budget = entrant.budget
        if budget is not None and budget.work is not None and budget.cost is not None:
            yardstick = partial(shared_yardstick().node_seconds, self._process.pid)
            self._meter = Meter(budget.work, checked_cost(budget.cost), yardstick)
        self._counted = 0.0

    @property
    def cpu_seconds(self) -> float:
        """The processor time of its process."""
        return self._process.cpu_seconds

    @property
    def spent(self) -> Spent | None:
        """What its turns took; None where no work limits them."""
        return None if self._meter is None else self._meter.spent

    def load(self, stream: int) -> None:
        """Load the submission, which draws from this stream meanwhile; a `Fault` if that fails."""
        # The plan took from its source what the member is: loaded, it cannot choose to be something else.
        try:
            member_is = self._process.load(own_stream(stream)).member_is
        except Fault as fault:
            self._note(fault)
            raise
        if member_is is None:
            raise Fault("not loaded", f"{self._submission.member} is neither a heuristic nor a player")
        self._submission.require(member_is)
        self._counted = self.cpu_seconds

    def begin(self, game: Beginning) -> None:
        """Tell it that a game begins."""
        self.by_clock = False
        self._sent, self._time_limit = 0, game.time_limit
        self._game = game.opening, game.side
        try:
            own, order_bits = own_stream(game.stream), order_bits_of(game.stream)
            self._process.begin_game(game.opening, own, order_bits, game.side)
        except Fault as fault:
            self._note(fault)
            raise

    def ask(self, turn: Turn) -> Move:
        """The legal move that it answers; a `Fault` if it does anything else."""
        before = self._process.cpu_seconds_read
        try:
            move = self._searched(turn) if self._submission.member_is == "heuristic" else self._answered(turn)
        except Fault as fault:
            self._note(fault)
            raise
        finally:
            self._seconds.append(self._process.cpu_seconds_read - before)
        if move not in turn.legal_moves:
            raise Fault("illegal move", f"it answered {value_line(move)}")
        return move

    def close(self) -> None:
        """End its process, and report once what it used."""
        self._process.close()
        used, self._used = self._used, None
        if used is not None:
            longest = max(self._seconds, default=0.0)
            output, moves = self._process.output, len(self._seconds)
            compiled = self.programs.values, self.programs.bails
            used(Use(self.entrant, moves, sum(self._seconds), longest, output, self._traces, *compiled))

    def _note(self, fault: Fault) -> None:
        if fault.trace:
            self._traces[self._game] = fault.trace
        self.is_gone = not self._process.is_alive

    def _searched(self, turn: Turn) -> Move:
        """The move of our search with its heuristic; both run in its process."""
        # What it may spend here, as `SearchingPlayer` has it.
        assert self._submission.budget is not None
        budget = without_work(self._submission.budget, self._submission.member, turn.board)
        cpu_limit = None
        if budget.ms is not None:
            self.by_clock = True
            budget = replace(budget, ms=(ms := min(budget.ms, self._time_limit - DEFAULT_MARGIN)))
            cpu_limit = _patience(ms)
        answer = self._process.search(
            self._moves_since(turn),
            turn.board.to_text(),
            budget,
            self._submission.mode,
            cpu_limit,
            self._nan,
        )
        report = answer.report
        if report is None or not _is_possible(report, answer.move, budget):
            raise Fault("protocol broken", "what it reports is no search of ours")
        self.searched = (self.searched[0] + report.nodes, report)
        self.programs += ProgramUse(answer.compiled.values, answer.compiled.bails)
        self._account(turn, report.nodes, answer)
        return answer.move

    def _seconds_since(self) -> float:
        """The CPU time of a turn with that since the turn before, such as when its game began."""
        before, self._counted = self._counted, self._process.cpu_seconds_read
        return self._counted - before

    def _account(self, turn: Turn, nodes: int, answer: Answer) -> None:
        """Count the turn's work; a `Fault` if it is too much."""
        seconds = self._seconds_since()
        if self._meter is None:
            return
        times = self._meter.add(turn.board, nodes, seconds, answer.asked, answer.compiled)
        if times > MOST_OF_A_TURN:
            took = f"{times:.3g} times the work of its budget ({1000 * seconds:.0f} ms of CPU time)"
            allowed = f"at most {MOST_OF_A_TURN:g} times are allowed"
            raise Fault("overspent", f"its turn took {took}; {allowed}", by_clock=True)

    def _answered(self, turn: Turn) -> Move:
        """The move of its own player."""
        cpu_limit = max(self._limits.move_cpu, _patience(self._time_limit))
        answer = self._process.move(self._moves_since(turn), self._time_limit, cpu_limit)
        used = 1000 * self._seconds_since()
        # It may have seen how little time was left.
        self.by_clock = self.by_clock or used > (1 - LITTLE_TIME) * self._time_limit
        if used > self._time_limit:
            detail = f"it used {used:.0f} ms of CPU time, and the turn has {self._time_limit:g} ms"
            raise Fault("timeout", detail, by_clock=True)
        return answer.move

    def _moves_since(self, turn: Turn) -> list[Move]:
        """The moves that were not sent to it yet, its own among them."""
        moves = list(turn.moves[self._sent :])
        self._sent = len(turn.moves)
        return moves


def _patience(milliseconds: float) -> float:
    """The seconds after which the process of a player with so many milliseconds is ended."""
    return (MS_FACTOR * milliseconds + MS_ADDED) / 1000


def _is_possible(report: SearchReport, move: Move, budget: Budget) -> bool:
    """Whether a search with that budget may report that. It is not trusted, but it must not break a sum."""
    nodes = report.nodes if budget.nodes is None else min(report.nodes, budget.nodes)
    number = report.value is None or not isnan(report.value)
    counts = 0 <= report.nodes == nodes and report.depth >= 0 and 0 <= report.nans <= report.nodes
    return report.move == move and counts and number


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


def player_of(entrant: NativeEntrant) -> Player:
    """The player that scripts know by the same heuristic and budget.

    >>> player_of(NativeEntrant("any", "random"))
    RandomPlayer()
    """
    if entrant.kind == "random":
        return RandomPlayer()
    if entrant.heuristic is None:
        raise TypeError(f"{entrant.name} is a {entrant.kind} player without a heuristic")
    if entrant.kind == "greedy":
        return GreedyPlayer(entrant.heuristic)
    if entrant.kind == "minimax":
        return MinimaxPlayer(entrant.heuristic, budget=entrant.budget)
    return AlphaBetaPlayer(entrant.heuristic, budget=entrant.budget, mode=entrant.mode)


def _of_submission(entrant: SubmissionEntrant, number: int, nan: Nan) -> PlayerSeat:
    submission = load(entrant.path, players_alone=True)
    if any(b"numpy" in Path(file).read_bytes() for file in submission.files):
        # Even a game that imports it must find its random numbers seeded.
        with suppress(ImportError):
            import_module("numpy")
    kind = submission.kind_of(entrant.member)
    if kind is not None:
        entrant.require(kind)
    player = made(submission, entrant.member, entrant.budget, entrant.mode, nan)
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
    player = AlphaBetaPlayer(thing, budget=entrant.budget, mode=entrant.mode, nan=nan)
    return _seated(player, number, folder)


def _seated(player: Any, number: int, folder: str | None) -> PlayerSeat:
    get_move_of(player, "it")
    limited, by_clock = not ignores_the_clock(player), False
    if limited and isinstance(player, ReadyMadePlayer) and type(player).__module__ in OUR_MODULES:
        # Without another budget the turn's time is its limit, and decides its moves.
        limited = isinstance(player, SearchingPlayer | PerfectPlayer) and player.budget is None
        by_clock = limited or _goes_by_clock(player)
    return PlayerSeat(player, number, limited=limited, goes_by_clock=by_clock, folder=folder)


def _goes_by_clock(player: object) -> bool:
    return isinstance(player, SearchingPlayer) and player.budget is not None and player.budget.ms is not None


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
