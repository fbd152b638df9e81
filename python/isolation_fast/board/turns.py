# ruff: noqa: T201
# A person's turn is asked for in the terminal.
"""The classic `play` loop: two players, one board, and a clock for each turn; and a person's turn.

It is a method of the engine's board, and the reference board calls it. It uses the board's own methods, also
those of subclasses.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import getattr_static, isfunction, unwrap
from math import inf
from numbers import Real
from operator import index
from time import perf_counter
from typing import Any, Final, TypeVar, cast

from isolation_fast.endings import OUTCOMES, GameEnding, Outcome
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.text import described


class Unasked(int):
    """A time limit that holds where none is asked for, though it is the same number."""


COURSE_LIMIT: Final = Unasked(150)
"""Milliseconds a turn, as the course plays."""


def play(self: Any, time_limit: float = COURSE_LIMIT) -> tuple[Any, list[list[int]], Outcome]:
    """Play the game to its end on this board, with `time_limit` milliseconds a turn.

    A limit that is given holds for both players. Without one it is the course's 150 ms, and none for a player
    of this package that counts depth, nodes or work: no busy machine decides its games.

    Returns the winner, the moves as `[row, column]` lists, and the outcome. Each turn, the player is asked
    `get_move(copy of the board, time_left)`, even where it has no move; `time_left()` is in milliseconds.
    What it raises comes out as it is. A player of the course's first layout, whose `get_move` takes
    `(game, legal_moves, time_left)`, is asked in that way. Where one plays, the moves are what that layout
    returned: pairs of the answers as they were given, including the bad last one. The outcome is one of:

    - "timeout": the answer came too late, whatever it was;
    - "forfeit": there were legal moves, and the answer was none of them;
    - "illegal move": there was no legal move, which is how games normally end.

    >>> from isolation_fast import Board, GreedyPlayer, RandomPlayer
    >>> winner, history, outcome = Board(GreedyPlayer(), RandomPlayer()).play(time_limit=1000)
    >>> outcome
    'illegal move'
    """
    if not isinstance(time_limit, Real):
        raise TypeError(f"time_limit must be a number of milliseconds, not {described(time_limit)}")
    if time_limit != time_limit:  # only NaN differs from itself, and it cannot be counted down
        raise InvalidArgumentError(f"time_limit must be a number of milliseconds, not {time_limit!r}")
    moves: list[list[Any]] = []
    answers: list[Any] = []
    first_layout = False
    started, limit = 0.0, time_limit

    # One for the whole game: players that keep the first one they get go on well, as on the classic board.
    def time_left() -> float:
        return limit - 1000 * (perf_counter() - started)

    while True:
        legal_moves: list[tuple[int, int]] = self.get_legal_moves()
        offered = tuple(legal_moves)
        get_move = get_move_of(self._active_player, "the player to move")
        if isinstance(time_limit, Unasked):
            limit = inf if ignores_the_clock(self._active_player) else time_limit
        started = perf_counter()
        if takes_legal_moves(get_move):
            first_layout = True
            # The list itself: a player that takes its move out of it has lost, as in that layout.
            answer = get_move(self.copy(), legal_moves, time_left)
        else:
            answer = get_move(self.copy(), time_left)
        answers.append(answer)
        too_late = time_left() < 0
        move = None if too_late else meant_move(answer, offered, legal_moves)
        if move is None:
            pairs = [answers[start : start + 2] for start in range(0, len(answers), 2)]
            history = pairs if first_layout else moves
            missed: GameEnding = "illegal move" if offered else "no moves"
            return self._inactive_player, history, OUTCOMES["timeout" if too_late else missed]
        moves.append(list(move))
        self.apply_move(move)


_COUNTING: Final[dict[object, Callable[[Any], bool]]] = {}

Function = TypeVar("Function", bound=Callable[..., Any])


def counting(is_counting: Callable[[Any], bool]) -> Callable[[Function], Function]:
    """Mark a `get_move` that looks as far as its player counts, where `is_counting` says so of the player."""

    def marked(get_move: Function) -> Function:
        _COUNTING[get_move] = is_counting
        return get_move

    return marked


def ignores_the_clock(player: object) -> bool:
    """Whether a player of this package looks as far as it counts and not as long as it may.

    One that has a `get_move` of its own is another player, whatever its class is derived from.

    >>> from isolation_fast import AlphaBetaPlayer, RandomPlayer
    >>> [ignores_the_clock(each) for each in (RandomPlayer(), AlphaBetaPlayer(), AlphaBetaPlayer(nodes=200))]
    [True, False, True]
    """
    get_move = getattr_static(player, "get_move", None)
    is_counting = _COUNTING.get(get_move) if isfunction(get_move) else None
    return is_counting is not None and is_counting(player)


def takes_legal_moves(get_move: Callable[..., Any]) -> bool:
    """Tell a `get_move(game, legal_moves, time_left)` from a `get_move(game, time_left)`.

    It goes by the name of the parameter, else by how many are required. It reads the code object, since it
    runs each turn, and `inspect.signature` takes as long as a turn.
    """
    function = getattr(get_move, "__func__", get_move)
    bound = function is not get_move
    with suppress(ValueError):  # wrapped in itself
        function = unwrap(function)
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    parameters = code.co_varnames[bound : code.co_argcount]
    required = len(parameters) - len(getattr(function, "__defaults__", None) or ())
    return parameters[1:2] == ("legal_moves",) or required == 3


def get_move_of(player: object, name: str) -> Callable[..., Any]:
    """The method that asks a player, or a TypeError that says what `name` is instead."""
    # A class can itself be a player, but only with a `get_move` that needs no instance.
    if isinstance(player, type) and isfunction(getattr_static(player, "get_move", None)):
        raise TypeError(f"{name} is the class {player.__name__}, not a player: write {player.__name__}()")
    get_move = getattr(player, "get_move", None)
    if not callable(get_move):
        raise TypeError(f"{name} has no method get_move(game, time_left): {player!r}")
    return cast("Callable[..., Any]", get_move)


def meant_move(
    answer: object, offered: tuple[tuple[int, int], ...], legal_moves: list[Any]
) -> tuple[int, int] | None:
    """Return the legal move that a player's answer means, None where it means none.

    `offered` are the moves of the list that the player received, `legal_moves` is that list as it is now.
    """
    cell = cell_of(answer)
    move = next((move for move in offered if move == cell), None)
    # Whether it is still in the list, whatever else the player put there.
    listed = any(
        entry is move or (type(entry) is tuple and [*map(type, entry)] == [int, int] and entry == move)
        for entry in legal_moves
    )
    return move if listed else None


def cell_of(answer: object) -> tuple[int, int] | None:
    """Return the cell that an answer means, None where it means none.

    Only a tuple of two integers can; `[3, 3]` and `(3.0, 3.0)` cannot. No method of the answer runs but
    `__index__`, so that an array, or an object that equals everything, has no effect.
    """
    if not issubclass(type(answer), tuple):
        return None
    entries = list(tuple.__iter__(cast("tuple[Any, ...]", answer)))
    if len(entries) != 2:
        return None
    try:
        row, column = (int.__index__(index(entry)) for entry in entries)
    except Exception:  # noqa: BLE001 - whatever the entries do when they are asked for a number
        return None
    return row, column


# ---- a person at the terminal


def chosen_in_terminal(game: Any, legal_moves: list[tuple[int, int]]) -> tuple[int, int]:
    """Show the board and the numbered moves, and ask until one of the numbers is typed.

    The end of the input is an EOFError; what it means is for the caller to say.
    """
    print(game.to_string())
    print("\t".join(f"[{number}] {move}" for number, move in enumerate(legal_moves)))
    while True:
        try:
            number = int(input("Select move index:"))
        except ValueError:
            print("Invalid index! Try again.")
            continue
        if 0 <= number < len(legal_moves):
            return legal_moves[number]
        print("Illegal move! Try again.")
