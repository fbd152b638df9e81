"""Chunks in which a Python player takes part: its code runs in a fresh process, which is watched.

That is a jailed one for each submission, and the games are played here, in the thread that plays the chunk;
or one for the whole chunk, where players are objects of a script or there is no jail.

A player may end its process, or never answer. Then the player whose turn it was loses the game, and the whole
chunk is played again in fresh processes, in which that game is decided: what becomes of the other games does
not depend on where the process ended. A player gains nothing by that: a game that it had lost stays lost.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from isolation_fast._native import interrupt_when
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.exceptions import InvalidArgumentError, WorkerError
from isolation_fast.jail import Level
from isolation_fast.measuring import CpuUse
from isolation_fast.process import Child, Frame, Kind, program_of
from isolation_fast.tournament.chunk_games import ChunkGames
from isolation_fast.tournament.chunk_protocol import MOST_BYTES, Lost, Order, Place, Progress, Stopped
from isolation_fast.tournament.entrants import NativeEntrant, ObjectEntrant, SubmissionEntrant
from isolation_fast.tournament.outcomes import LOST, ChunkResult, Use, weaker
from isolation_fast.tournament.pickling import main_again
from isolation_fast.tournament.plan import Chunk
from isolation_fast.tournament.tally import STRIKES

__all__ = [
    "main_of_this_process",
    "refuse_in_a_script_run_again",
    "reported",
    "require_unchanged_files",
    "run_python_chunk",
]

PROGRAM: Final = program_of("isolation_fast.tournament._worker")
LOOK_SECONDS: Final = 0.05

OPPONENTS_PATIENCE: Final = 10
"""So many times as long may it be silent after a turn, while an opponent thinks that nobody watches here."""

HANG_LIMIT: Final = 60.0
"""Seconds without an answer after which a player is not waited for, where no turn's time says less."""


def run_python_chunk(
    chunk: Chunk,
    *,
    hang_limit: float = HANG_LIMIT,
    interrupted: Callable[[], bool] | None = None,
    used: Callable[[Use], object] | None = None,
) -> ChunkResult:
    """Play a chunk in a process of its own.

    `hang_limit` are the seconds that a player may take for an answer where no turn's time holds for it, and
    for being loaded. `interrupted` is asked every 50 ms: if it says yes, the process is ended and a
    `KeyboardInterrupt` raised. However this ends, the process is gone, with all that its players have started
    in its process group; also if this process is killed. A player that starts a process in a session of its
    own (`setsid`) means to escape, and that process is not found.

    >>> from isolation_fast.tournament.entrants import NativeEntrant
    >>> players = (NativeEntrant("Ann", "random"), NativeEntrant("Ben", "random"))
    >>> result = run_python_chunk(Chunk(0, 0, players, ("3x3 3/3/3 - - 1",), 0, 1, 150.0, record=False))
    >>> len(result.outcomes), result.endings
    (2, {})
    """
    started = perf_counter()
    refuse_in_a_script_run_again()
    require_unchanged_files(chunk)
    attempt: Callable[..., dict[str, Any] | Stopped] = partial(_in_this_thread, used)
    if any(chunk.runs_here(each) for each in chunk.entrants):
        attempt = partial(_in_a_process, main_of_this_process(chunk), hang_limit)
    lost: dict[int, Lost] = {}
    not_loaded: dict[int, Lost] = {}
    held: dict[int, int] = {}
    level: Level | None = None
    while True:
        report = attempt(Order(chunk, lost, not_loaded, held=held), interrupted)
        if not isinstance(report, Stopped):
            return _result(chunk, report, level, perf_counter() - started)
        level = weaker(level, report.jail)
        for game, outcome in enumerate(report.outcomes):
            if game not in lost and (0 if outcome == LOST else 1) == report.entrant:
                held[game] = report.entrant
        _blame(report, lost, not_loaded, 2 * len(chunk.openings))


def _in_this_thread(
    used: Callable[[Use], object] | None, order: Order, interrupted: Callable[[], bool] | None
) -> dict[str, Any] | Stopped:
    # A native opponent's search may take long too.
    interrupt_when(interrupted)
    try:
        return ChunkGames(order, None, interrupted, used).play()
    finally:
        interrupt_when(None)


def _in_a_process(
    main: Mapping[str, Any] | None,
    hang_limit: float,
    order: Order,
    interrupted: Callable[[], bool] | None,
) -> dict[str, Any] | Stopped:
    cells = max(map(_cells, order.chunk.openings))
    return reported(replace(order, path=tuple(sys.path), main=main), cells, hang_limit, interrupted)


def reported(
    order: Order, cells: int, hang_limit: float, interrupted: Callable[[], bool] | None = None
) -> dict[str, Any] | Stopped:
    """What the process of an order reports; where it cannot, how it ended.

    `cells` are those of the largest board, `hang_limit` the seconds without a sign of a player.
    """
    descriptor, file = tempfile.mkstemp(prefix="isolation-fast-")
    os.close(descriptor)
    progress = Progress(file, cells)
    try:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
        with Child(PROGRAM, environment=kept, most_bytes=MOST_BYTES) as child:
            content = pickle.dumps(replace(order, progress=file))
            patience = _Patience(order.chunk, progress, hang_limit)
            answer = child.ask(Kind.PLAY, content, Kind.REPORTED, inf, patience, interrupted)
            return _report_of(answer.frame, progress)
    except Fault as fault:
        return _stopped("hung" if fault.ending == "hung" else "killed", fault.detail, progress)
    finally:
        progress.close()
        Path(file).unlink(missing_ok=True)


def _report_of(frame: Frame, progress: Progress) -> dict[str, Any] | Stopped:
    try:
        report = dict(json.loads(frame.content))
        return Stopped.from_dict(report["stopped"]) if "stopped" in report else report
    except (ValueError, KeyError, TypeError):
        return _stopped("killed", "something else than our report came from its process", progress)


def _stopped(ending: GameEnding, detail: str, progress: Progress) -> Stopped:
    place = progress.place
    if place is None:
        raise WorkerError(f"the process of a chunk ended before it played: {detail}")
    return Stopped(ending, detail, place.entrant, place.game, progress.moves, by_clock=ending == "hung")


class _Patience:
    """How long the process may give no sign: many times a turn's time, where that holds.

    The watch never stops: a player's code may run after its turn too, such as a signal's handler.
    """

    left: Final = LOOK_SECONDS

    def __init__(self, chunk: Chunk, progress: Progress, hang_limit: float) -> None:
        self._progress, self._hang_limit = progress, hang_limit
        self._turn = chunk.time_limit / 1000
        # An innocent player does not lose by the time that its opponent's deep search takes, nor by that of a
        # jailed one, which has limits of its own.
        self._opponent_thinks = any(
            chunk.is_jailed(each) or (isinstance(each, NativeEntrant) and each.budget is not None)
            for each in chunk.entrants
        )
        self._waited, self._mark = 0.0, progress.mark

    def over(self, seconds: float, _cpu_seconds: float) -> Fault | None:
        place, mark = self._progress.place, self._progress.mark
        if place is None or mark != self._mark:
            self._waited, self._mark = 0.0, mark
            return None
        self._waited += seconds
        limit = self._limit(place)
        if self._waited <= limit:
            return None
        silent = f"no answer within {limit:g} s"
        return Fault("hung", silent if place.asked else f"{silent}, behind its turn", by_clock=True)

    def _limit(self, place: Place) -> float:
        if self._opponent_thinks and not place.asked:
            return self._hang_limit * OPPONENTS_PATIENCE
        if not place.limited:
            return self._hang_limit
        return max(2 * self._turn, min(10 * self._turn + 5, self._hang_limit))


def refuse_in_a_script_run_again() -> None:
    """An error in a process that only makes a script's `__main__` again, to find the players in it."""
    process: Any = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise WorkerError(
            "the script plays its tournament again where only its players are looked for: put what is to run "
            'when it is started behind `if __name__ == "__main__":`'
        )


def require_unchanged_files(chunk: Chunk) -> None:
    """An error where a file is no longer what it was when the tournament was planned."""
    for entrant in chunk.entrants:
        if not isinstance(entrant, SubmissionEntrant):
            continue
        try:
            content = Path(entrant.path).read_bytes()
        except OSError as error:
            raise InvalidArgumentError(f"{entrant.path} cannot be read: {error.strerror}") from error
        if sha256(content).hexdigest() != entrant.digest:
            raise InvalidArgumentError(f"{entrant.path} has changed since the tournament was planned")


def main_of_this_process(chunk: Chunk) -> Mapping[str, Any] | None:
    """What it takes to make `__main__` again in another process, if a player is defined there."""
    if not any(isinstance(each, ObjectEntrant) and b"__main__" in each.pickled for each in chunk.entrants):
        return None
    return main_again()


def _blame(stopped: Stopped, lost: dict[int, Lost], not_loaded: dict[int, Lost], games: int) -> None:
    """Note whose loss it is that the process ended."""
    entrant, by_clock = stopped.entrant, stopped.by_clock
    if stopped.game is None:
        detail = f"while it was loaded: {stopped.detail}"
        not_loaded[entrant] = Lost(entrant, "not loaded", detail, by_clock=by_clock)
        return
    # Should a player end the process when its game is over, it loses that game or the next one all the same.
    undecided = [game for game in range(games) if game not in lost]
    strikes = sum(each.entrant == entrant for each in lost.values())
    if not undecided or (stopped.game in lost and strikes >= STRIKES):
        # It has lost what there is to lose, and ends the process all the same: it is not let in any more.
        if entrant in not_loaded:
            raise WorkerError(f"the process of a chunk ended behind its last game: {stopped.detail}")
        detail = f"behind its last game: {stopped.detail}"
        not_loaded[entrant] = Lost(entrant, "not loaded", detail, by_clock=by_clock)
        return
    game = min((each for each in undecided if each >= stopped.game), default=undecided[-1])
    moves = stopped.moves if game == stopped.game else ()
    lost[game] = Lost(entrant, stopped.ending, stopped.detail, moves, by_clock)


def _cells(opening: str) -> int:
    width, height = opening.split(maxsplit=1)[0].split("x")
    return int(width) * int(height)


def _result(chunk: Chunk, report: Mapping[str, Any], level: Level | None, seconds: float) -> ChunkResult:
    if "failed" in report:
        raise WorkerError(report["failed"])
    records = report["records"]
    if report["jail"] is not None:
        level = weaker(level, Level.from_dict(report["jail"]))
    return ChunkResult(
        chunk.index,
        chunk.pairing,
        chunk.first_opening,
        bytes(report["outcomes"]),
        endings={game: (ending, detail) for game, (ending, detail) in report["endings"]},
        nodes=(report["nodes"][0], report["nodes"][1]),
        turns=(report["turns"][0], report["turns"][1]),
        reproducible=report["clock_from"] is None,
        records=None if records is None else tuple(records),
        seconds=seconds,
        cpu_seconds=report["cpu_seconds"],
        clock_from=report["clock_from"] or 0,
        jail=level,
        # JSON knows no numbers as names.
        cpu_uses={int(entrant): CpuUse(**use) for entrant, use in report["cpu_uses"].items()},
    )
