"""What a jailed process does for each request: outline, load, begin a game, prepare a search, ask for a move.

A submission computes here what it computes in a chunk without a jail: its player is made in the same way, it
gets boards of the same kind in the same order, and `random` is in the same state whenever it is asked.
Nothing here has to be safe from the submission, which can change all of it: `_native.serve` keeps it from the
engine, and the referee trusts nothing that comes out.
"""

from __future__ import annotations

import errno
import io
import linecache
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import process_time
from typing import Any, Final, Literal

from isolation_fast._native import Board, board_in_order
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT
from isolation_fast.process.frames import FrameError, Kind, Message
from isolation_fast.reports import Move
from isolation_fast.submission import (
    MemberKind,
    Submission,
    SubmissionError,
    SubmissionPlayer,
    asking,
    load,
    parse,
)
from isolation_fast.submission.constants import NoDataError, written
from isolation_fast.submission.failures import harmless_remedy
from isolation_fast.submission.reading import Parts, Reader
from isolation_fast.text import error_line, named_from_anywhere, value_line
from isolation_fast.worker import calling, messages
from isolation_fast.worker.refusals import is_refusal, refusal_line

NAMES: Final = ("player 1", "player 2")
FITTING: Final = range(-(2**63), 2**63)

FIRST, LAST = 4, 16
"""How many frames of a traceback are sent."""


REQUESTS: Final[dict[int, tuple[type[Message], str]]] = {
    Kind.GAME: (messages.Game, "_begin"),
    Kind.LOAD: (messages.Load, "_load"),
    Kind.MOVE: (messages.MoveAsked, "_move"),
    Kind.CALL: (messages.Call, "_called"),
    Kind.READING: (messages.ReadingAsked, "_read"),
    Kind.CONSTANTS: (messages.ConstantsAsked, "_constants"),
    Kind.EVALUATE: (messages.Evaluate, "_evaluated"),
}
"""What the requests that hold something are read as, and the method that answers them."""


class Opponent:
    """Stands for the other player, of which a submission is to know nothing."""


class Handler:
    """Answers the requests of one process. What it raises is the submission's."""

    def __init__(self, assign: messages.Assign) -> None:
        self._path, self._layout, self._member = assign.path, assign.layout, assign.member
        self._reader: Reader | None = None
        self._submission: Submission | None = None
        self._player: Any = None
        self._opponent = Opponent()
        self._board: Any = None
        self._side: Literal[0, 1] = 0
        self._clock = asking.Clock(process_time)
        self._stack = ExitStack()
        # Those of now, whatever is put in their places later.
        self._streams = (sys.stdout, sys.stderr)

    # ---- what the engine's loop calls

    def answer(self, kind: int, content: bytes) -> tuple[int, bytes]:
        """Kind and content of the answer to any request but a search."""
        if kind == Kind.OUTLINE:
            message: Message = self._outlined()
        elif kind in REQUESTS:
            asked, name = REQUESTS[kind]
            orders = [asked.of(content)]
            # The frames above a submission hold nothing of what it was asked with.
            del content
            message = getattr(self, name)(orders.pop())
        else:
            raise FrameError(f"there is no request of kind {kind}")
        self._flush()
        return message.kind, message.content()

    def turn(
        self, moves: Sequence[Move]
    ) -> tuple[Board, Callable[[Any, Any], float], tuple[type[BaseException], ...] | None]:
        """What a search needs: the board, the heuristic, its exceptions for spent time."""
        player: SubmissionPlayer = self._player
        board = asking.with_stand_ins(self._seated(moves))
        return board, player.score, player.submission.timeouts or None

    def searched(self) -> None:
        """A search has ended; called before it is answered."""
        self._flush()

    def fault(self, error: BaseException) -> bytes:
        """The content of a fault, of an exception that came out of one of the others, or of a search."""
        message = _faulted(error, self._folder())
        self._flush()
        return message.content()

    # ---- requests

    def _outlined(self) -> messages.Outlined | messages.Faulted:
        try:
            outline = parse(self._path)
            return messages.Outlined(
                layout=outline.layout, **{name: getattr(outline, name) for name in messages.LISTS}
            )
        except SubmissionError as error:
            return messages.Outlined(problem=error.problem, line=error.line, remedy=error.remedy)
        except BaseException as error:  # noqa: BLE001 - a parser gives up in many ways
            return _not_loaded(error, self._path)

    def _read(self, asked: messages.ReadingAsked) -> messages.ReadAnswer | messages.Faulted:
        try:
            layout: Any = self._layout
            if self._reader is None:
                self._reader = Reader(self._path, layout)
            if asked.told is not None:
                self._tell(asked.told)
            parts = self._reader.read(asked.name, Parts)
            if isinstance(parts, Parts):
                return messages.ReadAnswer(messages.packed(parts))
            file = None if parts.filename is None else Path(parts.filename).name
            return messages.ReadAnswer(None, parts.line, parts.construct, parts.message, file, parts.unread)
        except BaseException as error:  # noqa: BLE001 - a parser gives up in many ways
            return _not_loaded(error, self._path)

    def _tell(self, told: str) -> None:
        """What the submission's process says may be anything."""
        assert self._reader is not None
        with suppress(FrameError):
            content = messages.unpacked(told)
            self._reader.tell(content if type(content) is dict else {})

    def _constants(self, asked: messages.ConstantsAsked) -> messages.ConstantsGiven | messages.Faulted:
        try:
            assert self._submission is not None
            told = {name: self._constant(name) for name in asked.names}
            return messages.ConstantsGiven(messages.packed(told))
        except BaseException as error:  # noqa: BLE001 - the modules are the submission's
            return _faulted(error, self._folder())

    def _constant(self, name: str) -> Any:
        module, _, key = name.rpartition(".")
        assert self._submission is not None
        names = vars(sys.modules[module] if module else self._submission.module)
        try:
            return written(names.get(key))
        except NoDataError as error:
            return ["why", str(error)]

    def _load(self, order: messages.Load) -> messages.Loaded | messages.Faulted:
        try:
            self._reader = None
            asking.reseed(order.stream)
            del order
            submission = load(self._path, layout=self._layout, players_alone=True)  # type: ignore[arg-type]
            self._submission = submission
            member_is: MemberKind | None = None
            if (member := self._member) is not None:
                self._player = asking.made(submission, member)
                member_is = submission.kind_of(member)
            self._stack.enter_context(submission.activated())
        except BaseException as error:  # noqa: BLE001 - whatever a file or a constructor may do
            return _not_loaded(error, self._path)
        heuristics, players = tuple(submission.heuristics), tuple(submission.players)
        misfits = "; ".join(f"{name}={what}" for name, what in submission.misfits.items()) or None
        return messages.Loaded(heuristics, players, submission.templates, member_is, misfits)

    def _begin(self, game: messages.Game) -> messages.Done:
        self._board = board_in_order(game.opening, *NAMES, game.order_bits)
        self._side = game.side
        asking.seed_game(game.stream)
        # CPU time, which other processes do not use up.
        self._clock = asking.Clock(process_time)
        return messages.Done()

    def _move(self, order: messages.MoveAsked) -> messages.Moved | messages.Faulted:
        game = self._seated(order.moves)
        legal_moves = self._board.get_legal_moves()
        offered = tuple(legal_moves)
        limit, runs = order.limit_ms or CLASSIC_TIME_LIMIT, bool(order.limit_ms)
        try:
            answer = asking.asked(self._player, game, legal_moves, self._clock, limit, runs=runs)
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are a player's too
            return _faulted(error, self._folder())
        try:
            cell = asking.answered_cell(answer, offered, legal_moves, self._folder())
        except Fault as fault:
            return messages.Faulted(fault.ending, fault.detail)
        except BaseException as error:  # noqa: BLE001 - the answer may run code when it is looked at
            return _faulted(error, self._folder(), "after its turn: ")
        # Whether the cell is legal, the referee sees for itself.
        if cell[0] in FITTING and cell[1] in FITTING:
            return messages.Moved(*cell)
        return messages.Faulted("illegal move", f"it answered {value_line(cell)}")

    def _called(self, call: messages.Call) -> messages.Called | messages.Faulted:
        asking.reseed(call.seed)
        try:
            assert self._submission is not None
            return messages.Called(**calling.outcome(self._submission, call))
        except BaseException as error:  # noqa: BLE001 - as in a turn
            return _faulted(error, self._folder())

    def _evaluated(self, asked: messages.Evaluate) -> messages.ValuesGiven | messages.Faulted:
        """Each value as it is, an int beyond all floats included."""
        assert self._submission is not None
        try:
            heuristic = self._submission.heuristics[asked.member]
            return messages.ValuesGiven(tuple(calling.value_of(heuristic, each) for each in asked.positions))
        except BaseException as error:  # noqa: BLE001 - as in a turn
            return _faulted(error, self._folder())

    def _seated(self, moves: Sequence[Move]) -> Board:
        """A copy of the board after these moves, with the players at it."""
        own: Board = self._board
        for move in moves:
            own.apply_move(move)
        players = (self._opponent, self._player) if self._side else (self._player, self._opponent)
        return asking.seated(own, players, 0 if own._active_player == NAMES[0] else 1)

    def _folder(self) -> str | None:
        return None if self._submission is None else str(self._submission.folder)

    def _flush(self) -> None:
        """Send what was printed before the answer, as far as the submission has left that possible."""
        for stream in self._streams:
            with suppress(BaseException):
                io.TextIOWrapper.flush(stream)  # type: ignore[arg-type]


# ---- what became of an exception

# Its text, its class and its traceback are the submission's own and may do anything when they are looked at.
# If they go on for ever, the process is ended as in the middle of a turn; if they raise, less is reported.


def _faulted(error: BaseException, folder: str | None, before: str = "") -> messages.Faulted:
    """The fault of an exception; `folder` is the submission's."""
    ending: GameEnding = "raised"
    try:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            ending = "out of memory"
            # What the frames hold may be all the memory that there is.
            traceback.clear_frames(error.__traceback__)
        elif is_refusal(error):
            ending = "refused"
        else:
            ending = asking.fault_of(error).ending
        line = refusal_line(error, folder) if ending == "refused" else asking.raised_line(error, folder)
        return messages.Faulted(ending, f"{before}{line}", _trace(error, folder))
    except BaseException:  # noqa: BLE001 - whatever it does when it is looked at
        return messages.Faulted(ending, f"{before}an exception that cannot be shown")


def _not_loaded(error: BaseException, path: str) -> messages.Faulted:
    """The fault of a submission that was not loaded; what could be done is said if it is harmless."""
    folder = str(Path(path).parent)
    try:
        cause = error.__cause__ if isinstance(error, SubmissionError) else None
        found = _faulted(error if cause is None else cause, folder)
        told = found.detail
        if isinstance(error, SubmissionError):
            # As the error itself, without the advice for those who trust the submission.
            where = str(error.path) if error.line is None else f"{error.path}:{error.line}"
            remedy = harmless_remedy(error)
            told = named_from_anywhere(
                f"{where}: {error.problem}{'' if remedy is None else f'; {remedy}'}", folder
            )
        if found.ending in ("out of memory", "refused"):
            told = f"{found.ending}: {found.detail if found.trace else told}"
        return messages.Faulted("not loaded", told, found.trace)
    except BaseException:  # noqa: BLE001 - as above
        return messages.Faulted("not loaded", "an exception that cannot be shown")


def _trace(error: BaseException, folder: str | None) -> str:
    own = asking.own_frames(error, folder)
    if not own:
        return ""
    lines = ["Traceback (most recent call last):"]
    for number, (file, line, name) in enumerate(own):
        if FIRST <= number < len(own) - LAST:
            if number == FIRST:
                lines.append(f"  ... {len(own) - FIRST - LAST} more ...")
            continue
        lines.append(f'  File "{Path(file).relative_to(str(folder)).as_posix()}", line {line}, in {name}')
        if source := linecache.getline(file, line).strip():
            lines.append(f"    {source[:200]}")
    return "\n".join([*lines, error_line(error, str(folder))])
