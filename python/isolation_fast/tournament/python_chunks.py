"""Chunks in which a Python player takes part: each is played in a fresh process, which is watched over.

A player may end that process, or never answer. Then the game is lost by the player whose turn it was, and the
whole chunk is played again in a fresh process, in which that game is decided: so what becomes of the other
games does not depend on where the process ended.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from isolation_fast.exceptions import InvalidArgumentError, WorkerError
from isolation_fast.tournament._protocol import Lost, Order
from isolation_fast.tournament.entrants import ObjectEntrant, SubmissionEntrant
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.pickling import main_again
from isolation_fast.tournament.plan import Chunk
from isolation_fast.tournament.strikes import STRIKES
from isolation_fast.tournament.supervision import Stopped, Worker

__all__ = [
    "main_of_this_process",
    "refuse_in_a_script_run_again",
    "require_unchanged_files",
    "run_python_chunk",
]

HANG_LIMIT: Final = 60.0
"""Seconds without an answer after which a player is not waited for, where no turn's time says less."""


def run_python_chunk(
    chunk: Chunk, *, hang_limit: float = HANG_LIMIT, interrupted: Callable[[], bool] | None = None
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
    main = main_of_this_process(chunk)
    cells = max(map(_cells, chunk.openings))
    lost: dict[int, Lost] = {}
    not_loaded: dict[int, Lost] = {}
    while True:
        with Worker(Order(chunk, lost, not_loaded, tuple(sys.path), main), cells) as worker:
            report = worker.report(hang_limit, interrupted)
        if not isinstance(report, Stopped):
            return _result(chunk, report, perf_counter() - started)
        _blame(report, lost, not_loaded, 2 * len(chunk.openings))


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
    place, by_clock = stopped.place, stopped.ending == "hung"
    if place.game is None:
        detail = f"while it was loaded: {stopped.detail}"
        not_loaded[place.entrant] = Lost(place.entrant, "not loaded", detail, by_clock=by_clock)
        return
    # Should a player end the process when its game is over, it loses that game or the next one all the same.
    undecided = [game for game in range(games) if game not in lost]
    strikes = sum(each.entrant == place.entrant for each in lost.values())
    if not undecided or (place.game in lost and strikes >= STRIKES):
        # It has lost what there is to lose, and ends the process all the same: it is not let in any more.
        if place.entrant in not_loaded:
            raise WorkerError(f"the process of a chunk ended behind its last game: {stopped.detail}")
        detail = f"behind its last game: {stopped.detail}"
        not_loaded[place.entrant] = Lost(place.entrant, "not loaded", detail, by_clock=by_clock)
        return
    game = min((each for each in undecided if each >= place.game), default=undecided[-1])
    moves = stopped.moves if game == place.game else ()
    lost[game] = Lost(place.entrant, stopped.ending, stopped.detail, moves, by_clock)


def _cells(opening: str) -> int:
    width, height = opening.split(maxsplit=1)[0].split("x")
    return int(width) * int(height)


def _result(chunk: Chunk, report: Mapping[str, Any], seconds: float) -> ChunkResult:
    if "failed" in report:
        raise WorkerError(report["failed"])
    records = report["records"]
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
    )
