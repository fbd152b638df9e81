"""What the process of a chunk gets, what it reports, and where it is meanwhile.

The order comes as a pickle in a PLAY frame, the report goes as JSON in a REPORTED frame. Where the process is
stands in memory that both see, since a process that is gone cannot be asked.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, TypeAlias

from isolation_fast.endings import GameEnding
from isolation_fast.exceptions import WorkerError
from isolation_fast.playing.entrants import Chunk
from isolation_fast.playing.outcomes import ChunkResult, ProgramUse, chunk_line, chunk_of, unplayed
from isolation_fast.reports import Move
from isolation_fast.worker.policy import Level

MOST_BYTES: Final = 2**32 - 1
"""Of an order or a report: it holds all games of a chunk."""


@dataclass(frozen=True, slots=True)
class Lost:
    """How an entrant has lost without being asked: its process ended, or it could not be made."""

    entrant: int
    ending: GameEnding
    detail: str
    moves: tuple[Move, ...] = ()
    by_clock: bool = False
    """Whether that was decided by a clock."""


@dataclass(frozen=True, slots=True)
class Stopped(Lost):
    """That a player's process ended, or had to be ended, so that its chunk is to be played again.

    The entrant is the Python player that was asked last: whose process it was, as far as that is known.
    """

    game: int | None = None
    jail: Level | None = None
    """What was enforced of the jail, if one of the chunk's players is in it."""
    outcomes: tuple[int, ...] = ()
    """Those of the games before, as far as they are known."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is to do."""

    chunk: Chunk
    lost: dict[int, Lost] = field(default_factory=dict)
    """Games that are not to be played, by their place in the chunk."""
    not_loaded: dict[int, Lost] = field(default_factory=dict)
    """Entrants that are not to be loaded, by their number, and how they lose their games."""
    held: dict[int, int] = field(default_factory=dict)
    """Games that an entrant has lost before it ended its process: played again, it cannot win them."""
    path: tuple[str, ...] = ()
    main: Mapping[str, Any] | None = None
    """What `multiprocessing` needs to make the parent's `__main__` again, if a player needs that."""
    progress: str = ""
    """The file of the shared memory."""
    goes_on: bool = False
    """Whether the process may be asked to play further chunks, if it is as good as fresh by then."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a worker is."""

    asked: bool
    """Whether the last of them has not come back yet."""
    limited: bool
    """Whether it is bound by a turn's time."""
    entrant: int
    """Whose turn it is: the Python player that was asked last in this process."""
    game: int | None
    """The game's place in the chunk; None while players are loaded."""


Report: TypeAlias = ChunkResult | Stopped


def report_bytes(report: Report | str) -> bytes:
    """A report as JSON; a text says that the process failed by our own fault, or by the script's."""
    held: dict[str, Any]
    if isinstance(report, str):
        held = {"failed": report}
    elif isinstance(report, ChunkResult):
        programs = {str(entrant): [each.values, each.bails] for entrant, each in report.programs.items()}
        held = {"chunk": chunk_line(report), "cpu_seconds": report.cpu_seconds, "programs": programs}
    else:
        held = {"stopped": asdict(report)}
    return json.dumps(held).encode()


def report_of(content: bytes, order: Order) -> Report:
    """The report on an order; a `WorkerError` for a failure, a ValueError for anything else."""
    held, chunk = json.loads(content), order.chunk
    try:
        if "failed" in held:
            raise WorkerError(held["failed"])
        if "stopped" in held:
            stopped = held["stopped"]
            moves = tuple((row, column) for row, column in stopped["moves"])
            jail = stopped["jail"] and Level.from_dict(stopped["jail"])
            return Stopped(
                **{**stopped, "moves": moves, "jail": jail, "outcomes": tuple(stopped["outcomes"])}
            )
        result = chunk_of(held["chunk"], unplayed(chunk), record=chunk.record)
        programs = {int(entrant): ProgramUse(*each) for entrant, each in held["programs"].items()}
        return replace(result, cpu_seconds=float(held["cpu_seconds"]), programs=programs)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("no report of ours") from error


# Words of 64 bits each. The first is written in one piece: bits 0 entrant, 1 limited, 2 asked, then the turn.
STATE, GAME, MOVES, CELLS = range(4)
WORD_BYTES: Final = 8
ASKED: Final = 4


class WatchedMemory:
    """The memory in which the child writes where it is. Writing costs a quarter of a microsecond."""

    def __init__(self, path: str, cells: int | None = None) -> None:
        """Open the file; with `cells`, the most moves that a game can have, it is made as long as needed."""
        with open(path, "r+b") as file:  # noqa: PTH123 - as quick as it goes
            if cells is not None:
                file.truncate(WORD_BYTES * (CELLS + cells))
            self._memory = mmap.mmap(file.fileno(), 0)
        self._words: memoryview = memoryview(self._memory).cast("Q")
        self._process = os.getpid()
        self._turn = self._state = 0

    def begins(self, game: int) -> None:
        """A game of the chunk begins; before the first one players are loaded."""
        self._words[MOVES] = 0
        self._words[GAME] = game + 1

    def begins_again(self) -> None:
        """The same game begins again."""
        self._words[MOVES] = 0

    def asks(self, entrant: int, *, limited: bool) -> None:
        """A Python player is asked, or made."""
        self._turn += 1
        self._state = self._turn << 3 | limited << 1 | entrant
        self._words[STATE] = self._state | ASKED

    def answered(self) -> None:
        """It has come back. If it has forked, its child has come back too, and ends here."""
        if os.getpid() != self._process:
            os._exit(0)
        self._words[STATE] = self._state

    def moved(self, cell: Move) -> None:
        """A move was made, by whichever player."""
        count = self._words[MOVES]
        self._words[CELLS + count] = cell[0] << 32 | cell[1]
        self._words[MOVES] = count + 1

    @property
    def mark(self) -> tuple[int, int, int]:
        """Another one when something went on: a turn has begun or ended, a move was made, a game begins."""
        return self._words[STATE], self._words[GAME], self._words[MOVES]

    @property
    def place(self) -> Place | None:
        """Where the child is; None before the first player is loaded."""
        state, game = self._words[STATE], self._words[GAME]
        if state == 0:
            return None
        asked, limited = bool(state & ASKED), bool(state & 2)
        return Place(asked, limited, state & 1, game - 1 if game else None)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the game that is being played."""
        cells = self._words[CELLS : CELLS + self._words[MOVES]]
        return tuple((cell >> 32, cell & 0xFFFFFFFF) for cell in cells)

    def close(self) -> None:
        """Give the memory back."""
        self._words.release()
        self._memory.close()
