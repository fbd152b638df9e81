"""Playing one chunk, wherever that is: in this process, in a pool, on another machine.

The engine plays native players by itself. The code of Python players runs in fresh processes, which are
watched: in a jailed one for each submission, while the games are played here, in the thread that plays the
chunk; or in one for the whole chunk, where players are objects of a script or there is no jail.

A player may end its process, or never answer. Then the player whose turn it was loses the game, and the whole
chunk is played again in fresh processes, in which that game is decided: what becomes of the other games does
not depend on where the process ended. A player gains nothing by that: a game that it had lost stays lost.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Lock
from time import perf_counter, process_time, thread_time
from typing import Any, Final, Literal, TypeAlias

from isolation_fast import _native
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.exceptions import InvalidArgumentError, WorkerError
from isolation_fast.playing import apart
from isolation_fast.playing.counted import engine_form, no_value
from isolation_fast.playing.entrants import (
    Chunk,
    ObjectEntrant,
    SubmissionEntrant,
    is_played_by_engine,
    main_again,
    refuse_in_a_script_run_again,
)
from isolation_fast.playing.games import ChunkGames
from isolation_fast.playing.outcomes import LOST, STRIKES, ChunkResult, Use, unplayed, weaker
from isolation_fast.playing.protocol import MOST_BYTES, Lost, Order, Report, Stopped, WatchedMemory, report_of
from isolation_fast.playing.records import COLUMNS, game_record
from isolation_fast.process import Child, Kind, Python, program_of
from isolation_fast.submission import digest_of
from isolation_fast.worker.policy import Level, available

PROGRAM: Final = program_of("isolation_fast.playing.worker")
LOOK_SECONDS: Final = 0.05

OPPONENTS_PATIENCE: Final = 10
"""A player may be silent so many times as long after its turn, while an opponent thinks that nobody watches
here."""

HANG_LIMIT: Final = 60.0
"""How many seconds a player may take for an answer, where no turn's time says less."""

NativeTurn: TypeAlias = tuple[tuple[int, int], float | None, int, int, str | None]
"""A move as the engine reports it: cell, value, depth, nodes, reason."""


def run_chunk(
    chunk: Chunk,
    *,
    threads: int = 1,
    interrupted: Callable[[], bool] | None = None,
    used: Callable[[Use], object] | None = None,
    processes: KeptProcesses | None = None,
) -> ChunkResult:
    """Play the games of a chunk.

    A function of its argument alone, but for the times that it took: chunks can be handed to joblib, MPI or
    a batch system as well. `threads` are for native players; a chunk with a Python player is played in fresh
    processes, game by game. Where `interrupted` is true, a `KeyboardInterrupt` is raised. `used` is called
    with what each process of a submission in the jail used and printed. Of `processes` one is taken that is
    as good as fresh, and left there if it still is.
    """
    _native.require_free_engine("a tournament")
    # The engine's searches may take long too.
    _native.interrupt_when(interrupted)
    try:
        if chunk.is_native:
            return _run_native_chunk(chunk, threads, interrupted, processes)
        return run_python_chunk(chunk, interrupted=interrupted, used=used, processes=processes)
    finally:
        _native.interrupt_when(None)


def _run_native_chunk(
    chunk: Chunk,
    threads: int,
    interrupted: Callable[[], bool] | None,
    processes: KeptProcesses | None,
) -> ChunkResult:
    """Play a chunk of native players on so many threads, detached from the interpreter."""
    started, cpu_started = perf_counter(), process_time()
    played = None if processes is None else _played_apart(chunk, interrupted, processes)
    if played is None:
        first, second = (engine_form(each, chunk.time_limit) for each in chunk.entrants)
        order = chunk.openings, chunk.first_opening, chunk.seed, threads, chunk.record, chunk.exact
        played = _native.play_series(first, second, *order)
    outcomes, nodes, turns, paid, games, judged, missing = played
    endings: dict[int, tuple[GameEnding, str]] = {
        game: no_value(position, player, too_much) for game, position, player, too_much in missing
    }
    records = None
    if games is not None:
        records = tuple(
            _native_record(chunk, game, outcomes[game], endings.get(game), made)
            for game, made in enumerate(games)
        )
    return replace(
        unplayed(chunk),
        outcomes=outcomes,
        endings=endings,
        nodes=nodes,
        turns=turns,
        paid=paid,
        reproducible=all(each.budget is None or each.budget.ms is None for each in chunk.entrants),
        records=records,
        judged=None if judged is None else tuple(judged),
        seconds=perf_counter() - started,
        cpu_seconds=process_time() - cpu_started,
    )


def _played_apart(
    chunk: Chunk, interrupted: Callable[[], bool] | None, processes: KeptProcesses
) -> apart.Played | None:
    """The games as a locked process plays them, by machine code; None where it does not.

    It does where programs play, and there is a jail.
    """
    programs, sizes = apart.programs_of(chunk), apart.sizes_of(chunk)
    if not programs or available().name == "none":
        return None
    of = (programs, sizes)
    try:
        process = processes.take(of) or apart.start(programs, sizes, interrupted)
        with ExitStack() as stack:
            stack.push(process)
            played = apart.play(process, chunk, interrupted)
            stack.pop_all()
            processes.leave(of, process)
            return played
    except (Fault, WorkerError):
        return None


def _native_record(
    chunk: Chunk,
    game: int,
    first_won: int,
    ended: tuple[GameEnding, str] | None,
    turns: Sequence[NativeTurn],
) -> dict[str, Any]:
    # In every other game the pairing's first entrant is player 2.
    winner: Literal[1, 2] = 1 if first_won == (game % 2 == 0) else 2
    searched: list[Any] = [turn if turn[4] is not None else (turn[0], *(None,) * 4) for turn in turns]
    columns: dict[str, Any] = {
        name: [turn[at] for turn in searched] for at, name in enumerate(COLUMNS, start=1)
    }
    if ended is not None:
        columns["ending"], columns["detail"] = ended
    return game_record(chunk, game, moves=[turn[0] for turn in turns], winner=winner, **columns)


def run_python_chunk(
    chunk: Chunk,
    *,
    hang_limit: float = HANG_LIMIT,
    interrupted: Callable[[], bool] | None = None,
    used: Callable[[Use], object] | None = None,
    processes: KeptProcesses | None = None,
) -> ChunkResult:
    """Play a chunk with a Python player.

    `hang_limit` is how many seconds a player may take for an answer where no turn's time limits it, and to be
    loaded. `interrupted` is asked every 50 ms: if it says yes, the processes are ended and a
    `KeyboardInterrupt` is raised. However this ends, they are gone, with all that players have started in
    their process groups; also if this process is killed. A player that starts a process in a session of its
    own (`setsid`) means to escape, and that process is not found.

    >>> from isolation_fast.playing.entrants import NativeEntrant
    >>> players = (NativeEntrant("Ann", "random"), NativeEntrant("Ben", "random"))
    >>> result = run_python_chunk(Chunk(0, 0, players, ("3x3 3/3/3 - - 1",), 0, 1, 150.0, record=False))
    >>> len(result.outcomes), result.endings
    (2, {})
    """
    started = perf_counter()
    refuse_in_a_script_run_again()
    require_unchanged_files(chunk)
    in_a_process = any(chunk.runs_here(each) for each in chunk.entrants)
    # Who wins its positions is found out here, once the chunk is played, and not where players are timed.
    order = Order(chunk if chunk.exact is None else replace(chunk, record=True))
    level: Level | None = None
    while True:
        if in_a_process:
            report = reported(order, hang_limit, interrupted, processes)
        else:
            report = _played_here(order, interrupted, used)
        if isinstance(report, ChunkResult):
            report = _judged(chunk, replace(report, jail=weaker(level, report.jail)), interrupted)
            return replace(report, seconds=perf_counter() - started)
        assert isinstance(report, Stopped)
        level = weaker(level, report.jail)
        losers = enumerate(0 if outcome == LOST else 1 for outcome in report.outcomes)
        order.held.update(
            (game, loser) for game, loser in losers if game not in order.lost and loser == report.entrant
        )
        _blame(report, order)


def _judged(chunk: Chunk, result: ChunkResult, interrupted: Callable[[], bool] | None) -> ChunkResult:
    """The result with what its records say of who wins, where the plan asks for it."""
    if chunk.exact is None:
        return result
    began = thread_time()
    _native.interrupt_when(interrupted)
    try:
        judged = tuple(
            _native.judge(each["start"], [(row, column) for row, column in each["moves"]], chunk.exact)[0]
            for each in result.records or ()
        )
    finally:
        _native.interrupt_when(None)
    return replace(
        result,
        judged=judged,
        records=result.records if chunk.record else None,
        cpu_seconds=result.cpu_seconds + thread_time() - began,
    )


def _played_here(
    order: Order, interrupted: Callable[[], bool] | None, used: Callable[[Use], object] | None
) -> Report:
    """Play the games in this thread, each submission in a jailed process.

    Should the nursery of these end, the games are played again, as if none of them had begun.
    """
    # Not at the top: a process that plays without the jail starts sooner.
    from isolation_fast.jail import survives_its_nursery

    return survives_its_nursery(lambda: ChunkGames(order, None, interrupted, used).play())()


def require_unchanged_files(chunk: Chunk) -> None:
    """An error where a file is no longer what it was when the tournament was planned."""
    for entrant in (each for each in chunk.entrants if isinstance(each, SubmissionEntrant)):
        try:
            digest = digest_of(Path(entrant.path))
        except OSError as error:
            raise InvalidArgumentError(f"{entrant.path} cannot be read: {error.strerror}") from error
        if digest != entrant.digest:
            raise InvalidArgumentError(f"{entrant.path} has changed since the tournament was planned")


class KeptProcesses:
    """Processes that played a chunk, and may play another one with the same Python players.

    `playing.loaded` says when. Used as a context, at the end of which they are gone. Threads may share it.
    """

    def __init__(self) -> None:
        self._idle: list[tuple[object, Child]] = []
        self._lock = Lock()

    def take(self, of: object) -> Child | None:
        """One that was left with the same players and surroundings."""
        with self._lock:
            at = next((at for at, (known, _) in enumerate(self._idle) if known == of), None)
            return None if at is None else self._idle.pop(at)[1]

    def leave(self, of: object, child: Child) -> None:
        """Keep one that has answered."""
        with self._lock:
            self._idle.append((of, child))

    def __enter__(self) -> KeptProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        while self._idle:
            self._idle.pop()[1].close()


def reported(
    order: Order,
    hang_limit: float,
    interrupted: Callable[[], bool] | None = None,
    processes: KeptProcesses | None = None,
) -> Report:
    """What the process of an order reports; `Stopped` if it cannot.

    `hang_limit` is how many seconds it may give no sign.
    """
    chunk = order.chunk
    of_main = any(isinstance(each, ObjectEntrant) and b"__main__" in each.pickled for each in chunk.entrants)
    descriptor, file = tempfile.mkstemp(prefix="isolation-fast-")
    os.close(descriptor)
    sizes = (opening.split(maxsplit=1)[0].split("x") for opening in chunk.openings)
    known: Child | None = None
    progress = WatchedMemory(file, max(int(width) * int(height) for width, height in sizes))
    try:
        main = main_again() if of_main else None
        if order.lost or order.not_loaded or chunk.jail is not None:
            processes = None
        whole = replace(order, path=tuple(sys.path), main=main, progress=file, goes_on=processes is not None)
        content = pickle.dumps(whole)
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
        players = [None if is_played_by_engine(each) else each for each in chunk.entrants]
        of = (players, chunk.nan, whole.path, main, kept)
        known = None if processes is None else processes.take(of)
        with ExitStack() as stack:
            child = known or Child(Python(PROGRAM, environment=kept), most_bytes=MOST_BYTES)
            stack.push(child)
            patience = _Patience(chunk, progress, hang_limit)
            answer = child.ask(Kind.PLAY, content, Kind.REPORTED, inf, patience, interrupted)
            try:
                report = report_of(answer.frame.content, order)
            except (ValueError, RecursionError):
                return _stopped("killed", "something else than our report came from its process", progress)
            if processes is not None and isinstance(report, ChunkResult) and not report.endings:
                stack.pop_all()
                processes.leave(of, child)
            return report
    except Fault as fault:
        if known is not None:
            # It may have ended since: a fresh one decides.
            return reported(order, hang_limit, interrupted)
        return _stopped("hung" if fault.ending == "hung" else "killed", fault.detail, progress)
    finally:
        progress.close()
        Path(file).unlink(missing_ok=True)


def _stopped(ending: GameEnding, detail: str, progress: WatchedMemory) -> Stopped:
    place = progress.place
    if place is None:
        raise WorkerError(f"the process of a chunk ended before it played: {detail}")
    return Stopped(place.entrant, ending, detail, progress.moves, ending == "hung", place.game)


class _Patience:
    """How long the process may give no sign: many times a turn's time, where that holds.

    The watch never stops: a player's code may run after its turn too, such as a signal's handler.
    """

    left: Final = LOOK_SECONDS

    def __init__(self, chunk: Chunk, progress: WatchedMemory, hang_limit: float) -> None:
        self._progress, self._hang_limit = progress, hang_limit
        self._turn = chunk.time_limit / 1000
        # An innocent player does not lose by the time that its opponent's deep search takes, nor by that of a
        # jailed one, which has limits of its own.
        self._opponent_thinks = any(
            chunk.is_jailed(each) or (is_played_by_engine(each) and each.budget is not None)
            for each in chunk.entrants
        )
        self._waited, self._mark = 0.0, progress.mark

    def over(self, seconds: float, _cpu_seconds: float) -> Fault | None:
        place, mark = self._progress.place, self._progress.mark
        if place is None or mark != self._mark:
            self._waited, self._mark = 0.0, mark
            return None
        self._waited += seconds
        limit = self._hang_limit
        if self._opponent_thinks and not place.asked:
            limit *= OPPONENTS_PATIENCE
        elif place.limited:
            limit = max(2 * self._turn, min(10 * self._turn + 5, limit))
        if self._waited <= limit:
            return None
        after = "" if place.asked else ", after its turn"
        return Fault("hung", f"no answer within {limit:g} s{after}", by_clock=True)


def _blame(stopped: Stopped, order: Order) -> None:
    """Note in the order whose loss it is that the process ended."""
    entrant, by_clock = stopped.entrant, stopped.by_clock
    if stopped.game is None:
        detail = f"while it was loaded: {stopped.detail}"
        order.not_loaded[entrant] = Lost(entrant, "not loaded", detail, by_clock=by_clock)
        return
    # Should a player end the process when its game is over, it loses that game or the next one all the same.
    undecided = [game for game in range(2 * len(order.chunk.openings)) if game not in order.lost]
    strikes = sum(each.entrant == entrant for each in order.lost.values())
    if not undecided or (stopped.game in order.lost and strikes >= STRIKES):
        # It has lost what there is to lose, and ends the process all the same: it is not let in any more.
        if entrant in order.not_loaded:
            raise WorkerError(f"the process of a chunk ended after its last game: {stopped.detail}")
        detail = f"after its last game: {stopped.detail}"
        order.not_loaded[entrant] = Lost(entrant, "not loaded", detail, by_clock=by_clock)
        return
    game = min((each for each in undecided if each >= stopped.game), default=undecided[-1])
    moves = stopped.moves if game == stopped.game else ()
    order.lost[game] = Lost(entrant, stopped.ending, stopped.detail, moves, by_clock)
