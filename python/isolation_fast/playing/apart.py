"""Games of programs in a process of their own, which runs them as machine code.

Machine code is several times as fast as the machine of the engine, with the same values at the same prices.
But it comes from a stranger's text, by a compiler that may have faults. So it runs in a locked process, which
holds the engine and the programs and nothing of a submission's Python: a fault reaches their games alone.

```text
 referee -- PLAY: programs, sizes of boards --> a fork of the nursery: makes machine code, is locked
    |    <- LOCKED
    +------ PLAY: two players, openings, seed -> plays
         <- REPORTED: what `play_series` gives
```

What comes back is looked through: each game must be one by the rules, with the winner that is named.
Where the process ends, or sends anything else, the machine plays these games here: they are the same.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from math import inf
from typing import Any, Final, TypeAlias

from isolation_fast import _native
from isolation_fast._native import Board, Program
from isolation_fast.exceptions import IsolationError
from isolation_fast.playing.counted import engine_form
from isolation_fast.playing.entrants import Chunk, CountedEntrant
from isolation_fast.playing.records import replayed
from isolation_fast.process import Channel, Child, Frame, Kind
from isolation_fast.worker.messages import Locked
from isolation_fast.worker.policy import NOBODY, Policy, lock_down

MOST_BYTES: Final = 2**32 - 1
"""Of the programs, or of what is played."""
ONE_THREAD: Final = 1
"""A locked process starts no threads."""
LOCK_SECONDS: Final = 60.0
"""By the wall clock: to make machine code takes some milliseconds."""

Played: TypeAlias = tuple[Any, ...]
"""What `play_series` gives."""


def programs_of(chunk: Chunk) -> list[Program]:
    """The programs that play in it."""
    return [each.program for each in chunk.entrants if isinstance(each, CountedEntrant)]


def sizes_of(chunk: Chunk) -> set[tuple[int, int]]:
    """The sizes of its boards."""
    found = (opening.split(maxsplit=1)[0].split("x") for opening in chunk.openings)
    return {(int(width), int(height)) for width, height in found}


# ---- the referee's side


def start(
    programs: Sequence[Program], sizes: Iterable[tuple[int, int]], interrupted: Callable[[], bool] | None
) -> Child:
    """A locked process with machine code of these programs; a `Fault` or a `WorkerError` without one."""
    # Not at the top: what plays no programs needs nothing of the jail.
    from isolation_fast.jail import shared_pool

    process = shared_pool().take(interrupted, most_bytes=MOST_BYTES)
    try:
        user = NOBODY if os.geteuid() == 0 else None
        content = pickle.dumps((serve, list(programs), sorted(sizes), user, process.parent))
        process.ask(Kind.PLAY, content, Kind.LOCKED, inf, LOCK_SECONDS, interrupted)
    except BaseException:
        process.close()
        raise
    return process


def play(process: Child, chunk: Chunk, interrupted: Callable[[], bool] | None) -> Played:
    """The games of a chunk, played there; a `Fault` where it sends something else than games."""
    content = BytesIO()
    order = chunk.openings, chunk.first_opening, chunk.seed, ONE_THREAD, chunk.record, chunk.exact
    _Pickler(content, programs_of(chunk)).dump((chunk.entrants, chunk.time_limit, *order))
    answer = process.ask(Kind.PLAY, content.getvalue(), Kind.REPORTED, inf, inf, interrupted)
    try:
        played = json.loads(answer.frame.content)
        return _require_games(played, chunk)
    except (ValueError, TypeError, KeyError, RecursionError, IsolationError) as error:
        raise process.break_off(f"sent no games: {error}") from None


class _Pickler(pickle.Pickler):
    """Names the programs that the process has."""

    def __init__(self, file: BytesIO, programs: list[Program]) -> None:
        super().__init__(file)
        self._programs = programs

    def persistent_id(self, thing: object) -> int | None:
        return self._programs.index(thing) if isinstance(thing, Program) else None


def _require_games(played: Any, chunk: Chunk) -> Played:
    """What was played, if it can be: a ValueError or a TypeError where it cannot."""
    outcomes, *sums, games, judged, missing = played
    count = 2 * len(chunk.openings)
    outcomes = bytes(outcomes)
    if len(outcomes) != count or not set(outcomes) <= {0, 1}:
        raise ValueError(f"{len(outcomes)} outcomes of {count} games")
    if not all(isinstance(each, int) and each >= 0 for pair in sums for each in pair):
        raise ValueError("sums that are none")
    sums = [(first, second) for first, second in sums]
    missing = [(int(game), str(position), int(who), bool(much)) for game, position, who, much in missing]
    ended = {game for game, _, player, _ in missing if player in (1, 2)}
    if len(ended) != len(missing) or not ended <= set(range(count)):
        raise ValueError("games without a value that are none")
    if (games is None) is chunk.record or (judged is None) is not (chunk.exact is None):
        raise ValueError("other things than were asked for")
    if games is not None:
        games = [list(map(_turn, game)) for game in games]
        for number, turns in enumerate(games):
            _require_rules(chunk, number, outcomes[number], [each[0] for each in turns], number in ended)
    if judged is not None and not (len(judged) == count and all(isinstance(each, str) for each in judged)):
        raise ValueError("outcomes of positions that are none")
    return outcomes, *sums, games, judged, missing


def _turn(turn: Any) -> Played:
    (row, column), value, depth, nodes, reason = turn
    if not all(type(each) is int for each in (row, column, depth, nodes)):
        raise ValueError(f"no turn: {turn}")
    if not (value is None or type(value) is float) or not (reason is None or type(reason) is str):
        raise ValueError(f"no turn: {turn}")
    return (row, column), value, depth, nodes, reason


def _require_rules(chunk: Chunk, number: int, first_won: int, moves: list[Any], has_ended: bool) -> None:
    """A ValueError where these are no moves of a whole game that this player won."""
    board = replayed(Board.from_text(chunk.openings[number // 2]), moves)
    # In every other game the first of the two is player 2. Who is to move has lost.
    has_lost = board.active_player == "player 1"
    has_won = (first_won == 1) is (number % 2 == 0)
    if has_lost is has_won or (board.get_legal_moves() and not has_ended):
        raise ValueError(f"game {number} ends otherwise")


# ---- the process's side


def serve(
    channel: Channel,
    number: int,
    programs: list[Program],
    sizes: list[tuple[int, int]],
    user: int | None,
    parent: int,
) -> None:
    """Make machine code of the programs, be locked, and play. The process ends here."""
    for program in programs:
        for width, height in sizes:
            # The machine runs what is too large for machine code.
            with suppress(IsolationError):
                program.play_by_machine_code(width, height)
    level = lock_down(Policy(memory=None, user=user, parent=parent, keeps_engine=True))
    locked = Locked(level.enforced, level.missing, level.landlock)
    channel.send(Frame(locked.kind, number, locked.content()))
    while (frame := channel.receive(Kind.PLAY)) is not None:
        unpickler = _Unpickler(BytesIO(frame.content), programs)
        entrants, time_limit, *order = unpickler.load()
        first, second = (engine_form(each, time_limit) for each in entrants)
        outcomes, *rest = _native.play_series(first, second, *order)
        content = json.dumps((list(outcomes), *rest), separators=(",", ":")).encode()
        channel.send(Frame(Kind.REPORTED, frame.number, content))
    os._exit(0)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BytesIO, programs: list[Program]) -> None:
        super().__init__(file)
        self._programs: list[Program] = programs

    def persistent_load(self, pid: int) -> Program:
        return self._programs[pid]
