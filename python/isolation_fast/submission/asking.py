"""A player of a submission, made and asked: the same in the jail, in a tournament and in a comparison."""

from __future__ import annotations

import os
import random
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Board, board_in_order
from isolation_fast.board.turns import cell_of, get_move_of, meant_move, takes_legal_moves
from isolation_fast.budgets import Budget, SearchLimits, limits_by_name
from isolation_fast.classic import Layout
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.exceptions import (
    HeuristicResultError,
    InvalidArgumentError,
    UnknownHeuristicError,
    ValueWorkError,
)
from isolation_fast.numbers import Nan
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT, DEFAULT_MARGIN
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import Mode, is_counted, run_search, without_work
from isolation_fast.submission.loading import Submission, load
from isolation_fast.text import described, error_line, unknown_word, value_line

if TYPE_CHECKING:
    from typing_extensions import Unpack

# ---- our search around its heuristic

PLAYER_CLASSES: Final = ("AlphaBetaPlayer", "CustomPlayer", "MinimaxPlayer", "IsolationPlayer")
"""The classes of both layouts' templates; the first most likely has all that a heuristic reads."""


class SubmissionPlayer(AlphaBetaPlayer):
    """Searches natively with a heuristic of a submission; `as_player` makes one.

    The heuristic receives the `stand_in` as its player: an instance of the submission's own player class
    where one can be made, since heuristics read its attributes, else a player of ours. Whatever the budget
    is, its `time_left()` always returns the course's 150 ms: nothing tells a heuristic how long it is
    searched. Without a budget, it returns what the turn's clock leaves.
    """

    def __init__(self, submission: Submission, name: str, **options: Any) -> None:
        super().__init__(_heuristic(submission, name), **options)
        self.submission = submission
        self.name = name
        found = _stand_in(submission, submission.heuristics[name])
        self.stand_in: Any = _player_of_ours(self.score) if found is None else found
        _set_clock(self.stand_in, _all_the_time)

    def _search_natively(self, board: Board, **options: Any) -> SearchReport:
        limits = options.pop("budget")
        if self.scale is None and not is_counted(limits, self.score):
            limits = without_work(limits, self.score, board)
        options |= {"scale": self.scale, "value_work": self.value_work, "stops": self.submission.timeouts}
        with self.submission.activated():
            _set_clock(self.stand_in, self.time_left if self.budget is None else _all_the_time)
            return run_search(with_stand_ins(board), self.score, limits, **options)

    def _shown_arguments(self) -> list[str]:
        return [repr(self.name), *super()._shown_arguments()[1:]]

    def __reduce__(self) -> tuple[Callable[..., SubmissionPlayer], tuple[object, ...]]:
        path, layout = str(self.submission.path), self.submission.layout
        names = ("budget", "mode", "seed", "timeout", "nan", "compile")
        options = {name: getattr(self, name) for name in names}
        return _loaded_again, (path, layout, self.name, options)


@limits_by_name
def as_player(
    submission: Submission | str | os.PathLike[str],
    heuristic: str = "custom_score",
    *,
    mode: Mode = "plain",
    seed: int | None = None,
    timeout: float = DEFAULT_MARGIN,
    nan: Nan = "refuse",
    compile: bool = True,  # noqa: A002 - as `search` has it
    **limits: Unpack[SearchLimits],
) -> SubmissionPlayer:
    """Make a native alpha-beta player around a heuristic of a submission, which is loaded or a path.

    The other arguments are those of `AlphaBetaPlayer`; `work=` needs the heuristic's `cost=`. With depth,
    nodes or work it has no time limit, unless the game is asked for one. Where the heuristic raises the
    submission's own `SearchTimeout` or `Timeout`, the search ends as at a spent budget.
    Any other exception comes out of `get_move` as it is.

    >>> from isolation_fast import RandomPlayer, play_game
    >>> player = as_player("examples/game_agent.py", "custom_score_2", nodes=500)
    >>> print(play_game(player, RandomPlayer(), seed=2).winner)
    1
    """
    if not isinstance(submission, Submission):
        submission = load(submission)
    options: dict[str, Any] = {"mode": mode, "seed": seed, "timeout": timeout, "nan": nan}
    options["compile"] = compile
    return SubmissionPlayer(submission, heuristic, **options, **limits)


def _loaded_again(path: str, layout: Layout, name: str, options: Mapping[str, Any]) -> SubmissionPlayer:
    return SubmissionPlayer(load(path, layout=layout), name, **options)


def _heuristic(submission: Submission, name: object) -> Callable[[Any, Any], float]:
    if not isinstance(name, str):
        raise TypeError(
            f"as_player takes the name of one of the submission's heuristics, not {described(name)}; "
            "AlphaBetaPlayer takes a function"
        )
    if name in submission.heuristics:
        return submission.heuristics[name]
    where = Path(submission.path).name
    if name in submission.templates:
        raise InvalidArgumentError(f"{name!r} is still a template in {where}: it raises NotImplementedError")
    if callable(getattr(submission.module, name, None)):
        raise UnknownHeuristicError(
            f"{name!r} is in {where}, but it is not a heuristic: a heuristic takes a board and a "
            "player and returns a number"
        )
    raise UnknownHeuristicError(unknown_word(f"heuristic of {where}", name, tuple(submission.heuristics)))


def _stand_in(submission: Submission, heuristic: Callable[..., Any]) -> Any:
    """An instance of the submission's own player class; None where none can be made."""
    own = [getattr(submission.module, name, None) for name in PLAYER_CLASSES]
    kinds = [kind for kind in (*own, *submission.players.values()) if isinstance(kind, type)]
    with submission.activated():
        for kind in kinds:
            for arguments in ({"score_fn": heuristic}, {}):
                try:
                    return kind(**arguments)
                except (Exception, SystemExit):  # noqa: BLE001, PERF203 - whatever its constructor does
                    continue
    return None


def _set_clock(player: Any, time_left: Callable[[], float] | None) -> None:
    # A class that does not let it be set has no use for our clock.
    with suppress(AttributeError):
        player.time_left = time_left


def _all_the_time() -> float:
    return CLASSIC_TIME_LIMIT


def _player_of_ours(heuristic: Callable[[Any, Any], float]) -> AlphaBetaPlayer:
    """What a submission without a class of players is given: a player with the course's time, and no more."""
    return AlphaBetaPlayer(heuristic, ms=CLASSIC_TIME_LIMIT)


def with_stand_ins(board: Board) -> Board:
    """The board with the stand-ins in the seats of their players.

    The waiting player keeps its own seat where the two stand-ins are equal.
    """
    seated = Board.copy(board)
    active, inactive = (
        player.stand_in if isinstance(player, SubmissionPlayer) else player
        for player in (board._active_player, board._inactive_player)
    )
    if active is inactive or active == inactive:
        inactive = board._inactive_player
    for seat in ("_player_1", "_player_2", "_active_player", "_inactive_player"):
        player = getattr(seated, seat)
        if player is board._active_player:
            setattr(seated, seat, active)
        elif player is board._inactive_player:
            setattr(seated, seat, inactive)
    return seated


# ---- a player of any kind


def made(
    submission: Submission,
    member: str,
    budget: Budget | None = None,
    mode: Mode = "plain",
    nan: Nan = "refuse",
) -> Any:
    """The player of a member: a class's own player, or our search around a heuristic."""
    if submission.kind_of(member) == "player":
        player = instance_of(submission, member)
    else:
        player = as_player(submission, member, budget=budget, mode=mode, nan=nan)
    get_move_of(player, "it")
    return player


def instance_of(submission: Submission, name: str, **arguments: Any) -> Any:
    """An instance of one of the submission's classes; whatever its constructor raises comes out."""
    kind = submission.players[name]
    with submission.activated():
        try:
            return kind(**arguments)
        except TypeError:
            if not submission.heuristics:
                raise
            # Some require what the course's own test passes: a heuristic.
            return kind(score_fn=next(iter(submission.heuristics.values())), **arguments)


# ---- its random numbers


def reseed(seed: int) -> None:
    """Seed Python's random numbers and NumPy's, so that the same numbers follow each time."""
    random.seed(seed)
    _of_numpy("seed", seed % 2**32)  # it takes no larger ones


def own_stream(stream: int) -> int:
    """The 64 bits that a player's own random numbers come from, where its game's come from `stream`.

    They tell nothing of `stream`: the moves of a random opponent follow from it.
    """
    return int.from_bytes(sha256(f"own {stream}".encode()).digest()[:8], "big")


def seed_game(stream: int) -> None:
    """Seed the random numbers of a game; its board draws the first 64 bits, for its order of moves."""
    reseed(stream)
    random.getrandbits(64)


class Chance:
    """The random numbers of one of two players asked in turn: what the other draws changes nothing."""

    def __init__(self) -> None:
        self._state: tuple[Any, ...] = random.getstate()
        self._numpy: Any = None

    def keep(self) -> None:
        """Remember how far they are drawn."""
        self._state = random.getstate()
        self._numpy = _of_numpy("get_state") or self._numpy

    def put_back(self) -> None:
        """Go on from there."""
        random.setstate(self._state)
        if self._numpy is not None:
            _of_numpy("set_state", self._numpy)


def _of_numpy(function: str, *arguments: Any) -> Any:
    """Call a function of `numpy.random`, where NumPy is imported."""
    if "numpy" not in sys.modules:
        return None
    # NumPy imports `numpy.random` when somebody first draws from it, which would be too late. A module of the
    # submission's own that is called numpy need not have it.
    with suppress(ImportError, AttributeError):
        return getattr(import_module("numpy.random"), function)(*arguments)
    return None


def order_bits_of(stream: int) -> int:
    """The 64 bits that a new board draws once `random` has been seeded with the game's stream."""
    return random.Random(stream).getrandbits(64)


def board_of_game(opening: str, stream: int, player_1: object, player_2: object) -> Board:
    """The board that `Board.from_text` makes once `random` has been seeded with the game's stream.

    It touches no `random` that other threads share.
    """
    return board_in_order(opening, player_1, player_2, order_bits_of(stream))


# ---- its turn


class Clock:
    """The clock of one player: one for the whole game, since some players keep the first `time_left`."""

    def __init__(self, seconds: Callable[[], float] = perf_counter) -> None:
        self.least = inf
        """The fewest milliseconds that the player has seen left, in any turn."""
        self._seconds = seconds
        self._limit, self._runs, self._started = 0.0, False, 0.0

    def start(self, limit: float, *, runs: bool = True) -> None:
        """Begin a turn of so many milliseconds; a clock that does not run always shows all of them."""
        self._limit, self._runs, self._started = limit, runs, self._seconds()

    def left(self) -> float:
        """The milliseconds left of the turn."""
        return self._limit - 1000 * (self._seconds() - self._started)

    def time_left(self) -> float:
        """What the player calls."""
        if not self._runs:
            return self._limit
        # Some players look at each node, so that a call more would cost them depth.
        left = self._limit - 1000 * (self._seconds() - self._started)
        if left < self.least:
            self.least = left
        return left


def seated(board: Board, players: Sequence[Any], mover: int) -> Board:
    """A copy of a board with these two players at it, one of them to move."""
    copy = board.copy()
    copy._player_1, copy._player_2 = players
    copy._active_player, copy._inactive_player = players[mover], players[1 - mover]
    return copy


def asked(player: Any, game: Any, legal_moves: list[Move], clock: Clock, limit: float, *, runs: bool) -> Any:
    """Whatever the player answers, asked in the way of its layout."""
    get_move = get_move_of(player, "it")
    clock.start(limit, runs=runs)
    if takes_legal_moves(get_move):
        return get_move(game, legal_moves, clock.time_left)
    return get_move(game, clock.time_left)


def answered_cell(
    answer: object, offered: tuple[Move, ...], legal_moves: list[Move], folder: str | None
) -> Move:
    """The cell that an answer means, legal or not; a `Fault` where it means none.

    `offered` are the legal moves, `legal_moves` is the list of them that the player was given.
    """
    move = meant_move(answer, offered, legal_moves)
    if move is not None:
        return move
    cell = cell_of(answer)
    if cell is None:
        shown = value_line(answer, folder or "")
        raise Fault("bad answer", f"a move is a tuple (row, column), and it answered {shown}")
    if cell in offered:
        raise Fault("illegal move", f"it took its move {value_line(cell)} out of the list of legal moves")
    return cell


# ---- what it did instead


def fault_of(error: BaseException, folder: str | None = None) -> Fault:
    """The fault of a player that raised; `folder` is where its files are."""
    ending: GameEnding = "bad answer" if isinstance(error, HeuristicResultError) else "raised"
    if isinstance(error, ValueWorkError):
        return Fault("value overspent", str(error), by_clock=True)
    return Fault(ending, raised_line(error, folder))


def raised_line(error: BaseException, folder: str | None = None) -> str:
    """An exception in one line, the same on every machine, with where it left the player's own files."""
    places = [
        f" ({Path(file).relative_to(str(folder)).as_posix()}:{line} in {name})"
        for file, line, name in own_frames(error, folder)[-1:]
    ]
    return "".join([error_line(error, folder or ""), *places])


def own_frames(error: BaseException, folder: str | None) -> Sequence[tuple[str, int, str]]:
    """File, line and function of the frames in the player's own files."""
    inside = f"{folder}{os.sep}"
    steps = traceback.walk_tb(error.__traceback__) if folder is not None else ()
    codes = ((frame.f_code, number) for frame, number in steps)
    return [
        (code.co_filename, line, code.co_name) for code, line in codes if code.co_filename.startswith(inside)
    ]
