"""What is done in a jailed process for each request: load, begin a game, prepare a search, ask for a move.

A submission computes here what it computes in a chunk without a jail: its player is made in the same way, it
is given boards of the same kind in the same order, and `random` is in the same state whenever it is asked.
Nothing here has to be safe from the submission, which can change all of it: `_native.serve` keeps it from the
engine, and the referee believes nothing that comes out.
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from time import process_time
from typing import Any, Final, Literal

from isolation_fast._native import Board, NodeCount
from isolation_fast.board.turns import cell_of, get_move_of, meant_move, takes_legal_moves
from isolation_fast.budgets import Budget
from isolation_fast.jail._faults import faulted, not_loaded
from isolation_fast.jail.boards import board_in_order
from isolation_fast.jail.frames import FrameError, Kind
from isolation_fast.jail.messages import (
    Assign,
    Faulted,
    Game,
    Load,
    Loaded,
    Measure,
    Measured,
    MoveAsked,
    Moved,
)
from isolation_fast.jail.outlines import Outlined
from isolation_fast.measuring.nodes import PLAYER, YARDSTICK, nodes_of
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import Mode
from isolation_fast.submission import Submission, SubmissionError, as_player, load, parse
from isolation_fast.submission.playing import SubmissionPlayer
from isolation_fast.submission.reseeding import reseed
from isolation_fast.text import value_line

__all__ = ["Handler"]

NAMES: Final = ("player 1", "player 2")
FITTING: Final = range(-(2**63), 2**63)


class Opponent:
    """Who the other player is, a submission is not to know."""


class Handler:
    """Answers the requests of one process. What it raises is the submission's."""

    def __init__(self, assign: Assign) -> None:
        self._assign = assign
        self._submission: Submission | None = None
        self._player: Any = None
        self._opponent = Opponent()
        self._board: Any = None
        self._side: Literal[0, 1] = 0
        self._clock = _Clock()
        self._stack = ExitStack()
        # Those of now, whatever is put in their places later.
        self._streams = (sys.stdout, sys.stderr)

    # ---- what the engine's loop calls

    def answer(self, kind: int, content: bytes) -> tuple[int, bytes]:
        """Kind and content of the answer to any request but a search."""
        if kind == Kind.GAME:
            self._begin(Game.of(content))
            return Kind.DONE, b""
        message: Outlined | Loaded | Moved | Measured | Faulted
        if kind == Kind.OUTLINE:
            message = self._outlined()
        elif kind == Kind.LOAD:
            message = self._load(Load.of(content))
        elif kind == Kind.MOVE:
            message = self._move(MoveAsked.of(content))
        elif kind == Kind.MEASURE:
            message = self._measured(Measure.of(content))
        else:
            raise FrameError(f"there is no request of kind {kind}")
        self._flush()
        return message.kind, message.content()

    def turn(
        self, moves: Sequence[Move], depth: int | None, nodes: int | None, ms: float | None, mode: Mode
    ) -> tuple[Board, Callable[[Any, Any], float], tuple[type[BaseException], ...] | None, NodeCount]:
        """What a search needs: the board, the heuristic, its exceptions for spent time, a counter."""
        player: SubmissionPlayer = self._player
        limits = Budget(depth=depth, nodes=nodes, ms=ms)
        # A heuristic without a class of players beside it is given this player, and may look at it.
        player.budget, player.mode = limits, mode
        board, count = player._prepared(self._seated(moves), limits, process_time)
        return board, player.score, player.submission.timeouts or None, count

    def searched(self, move: Move, value: float | None, depth: int, nodes: int, reason: Any) -> None:
        """What a search found; called before it is answered."""
        self._player.report = SearchReport(move, value, depth, nodes, reason)
        self._player.searched_nodes += nodes
        self._flush()

    def fault(self, error: BaseException) -> bytes:
        """The content of a fault, of an exception that came out of one of the others, or of a search."""
        message = faulted(error, self._folder())
        self._flush()
        return message.content()

    # ---- requests

    def _outlined(self) -> Outlined | Faulted:
        try:
            return Outlined.told(parse(self._assign.path))
        except SubmissionError as error:
            return Outlined.refused(error)
        except BaseException as error:  # noqa: BLE001 - a parser gives up in many ways
            return not_loaded(error, self._assign.path)

    def _load(self, order: Load) -> Loaded | Faulted:
        try:
            reseed(order.stream)
            submission = load(self._assign.path, layout=self._assign.layout, players_alone=True)  # type: ignore[arg-type]
            self._submission = submission
            member_is = self._make_player(submission, self._assign.member)
            self._stack.enter_context(submission.activated())
        except BaseException as error:  # noqa: BLE001 - whatever a file or a constructor may do
            return not_loaded(error, self._assign.path)
        heuristics, players = tuple(submission.heuristics), tuple(submission.players)
        return Loaded(heuristics, players, submission.templates, member_is)

    def _make_player(
        self, submission: Submission, member: str | None
    ) -> Literal["heuristic", "player"] | None:
        """As `tournament.seats` does."""
        if member is None:
            return None
        kind = submission.players.get(member)
        if kind is None:
            self._player = as_player(submission, member)
            return "heuristic"
        with submission.activated():
            try:
                self._player = kind()
            except TypeError:
                if not submission.heuristics:
                    raise
                # Some want what the course's own test gives them: a heuristic.
                self._player = kind(score_fn=next(iter(submission.heuristics.values())))
        get_move_of(self._player, "it")
        return "player"

    def _begin(self, game: Game) -> None:
        reseed(game.stream)
        # The board of a game without a jail is made here and draws its order.
        random.getrandbits(64)
        self._board = board_in_order(game.opening, *NAMES, game.order_bits)
        self._side = game.side
        self._clock = _Clock()

    def _move(self, asked: MoveAsked) -> Moved | Faulted:
        game = self._seated(asked.moves)
        legal_moves = self._board.get_legal_moves()
        offered = tuple(legal_moves)
        try:
            get_move = get_move_of(self._player, "it")
            self._clock.start(asked.limit_ms)
            if takes_legal_moves(get_move):
                answer = get_move(game, legal_moves, self._clock.time_left)
            else:
                answer = get_move(game, self._clock.time_left)
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are a player's too
            return faulted(error, self._folder())
        try:
            return _judged(answer, offered, legal_moves, self._folder() or "")
        except BaseException as error:  # noqa: BLE001 - the answer may run code when it is looked at
            return faulted(error, self._folder(), "behind its turn: ")

    def _measured(self, asked: Measure) -> Measured:
        """As `cost.measure` does. Where nothing was loaded, this is the yardstick's process."""
        reseed(asked.seed)
        if self._submission is None:
            return Measured(nodes_of(YARDSTICK, asked.position, PLAYER, asked.nodes))
        player: SubmissionPlayer = self._player
        player.stop_the_clock()
        return Measured(nodes_of(player.score, asked.position, player.stand_in, asked.nodes))

    def _seated(self, moves: Sequence[Move]) -> Board:
        """A copy of the board after these moves, with the players at it."""
        own: Board = self._board
        for move in moves:
            own.apply_move(move)
        game = own.copy()
        seats = (self._opponent, self._player) if self._side else (self._player, self._opponent)
        mover = 0 if own._active_player == NAMES[0] else 1
        game._player_1, game._player_2 = seats
        game._active_player, game._inactive_player = seats[mover], seats[1 - mover]
        return game

    def _folder(self) -> str | None:
        return None if self._submission is None else str(self._submission.folder)

    def _flush(self) -> None:
        """What was printed goes out before the answer does, as far as the submission has left it possible."""
        for stream in self._streams:
            with suppress(BaseException):
                io.TextIOWrapper.flush(stream)  # type: ignore[arg-type]


def _judged(
    answer: object, offered: tuple[Move, ...], legal_moves: list[Move], folder: str
) -> Moved | Faulted:
    """As `tournament.referee` does; whether the cell is legal, the referee sees for itself."""
    move = meant_move(answer, offered, legal_moves)
    if move is not None:
        return Moved(move)
    cell = cell_of(answer)
    if cell is None:
        told = value_line(answer, folder)
        return Faulted("bad answer", f"a move is a tuple (row, column), and it answered {told}")
    if cell in offered:
        return Faulted("illegal move", f"it took its move {value_line(cell)} out of the list of legal moves")
    if cell[0] in FITTING and cell[1] in FITTING:
        return Moved(cell)
    return Faulted("illegal move", f"it answered {value_line(cell)}")


class _Clock:
    """The clock of one game: CPU time, which other processes do not use up."""

    def __init__(self) -> None:
        self._limit = 0.0
        self._started = 0.0

    def start(self, limit: float) -> None:
        self._limit, self._started = limit, process_time()

    def time_left(self) -> float:
        """What players look at: the milliseconds left of their turn. Without a limit it stands still."""
        if not self._limit:
            return CLASSIC_TIME_LIMIT
        return self._limit - 1000 * (process_time() - self._started)
