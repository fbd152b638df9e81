"""A submission on one board: how it is loaded, who sits at the board, what its heuristics are asked.

The order of a knight's moves is the one thing in which a classic board and ours may differ in every list. A
heuristic that sums floats, or takes the first of several equal moves, shows it; so does a game. A classic
board can therefore list its own moves in our order. Then both boards give the same, bit by bit and move by
move, unless something else is at work.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.exceptions import IllegalMoveError
from isolation_fast.reference.board import column_major, shuffle_moves
from isolation_fast.submission import Submission, load
from isolation_fast.submission.asking import reseed
from validation.positions import Spot
from validation.sources import Checkout
from validation.verdicts import Outcome, raised, returned

__all__ = ["Order", "Side", "load_side", "observe", "player_variants"]

Order: TypeAlias = Literal["own", "random", "ours"]

# Who sits at the board while heuristics are asked: heuristics read attributes of the player they are given.
FAVOURITE_PLAYERS: Final = ("AlphaBetaPlayer", "CustomPlayer", "MinimaxPlayer", "IsolationPlayer")
NAMELESS_PLAYERS: Final = ("player 1", "player 2")
TIME_LEFT: Final = 150.0
# The method that lists a knight's moves, by its newer and its older private name.
MOVE_LISTS: Final = ("_Board__get_moves", "__get_moves__")
# An attribute of a board that no submission reads.
BITS: Final = "_bits_of_our_order"


@dataclass(frozen=True, slots=True)
class Side:
    """A submission on one board: `checkout` is None on ours."""

    submission: Submission
    checkout: Checkout | None
    board_class: Any
    random_player: Any

    @property
    def layout(self) -> str | None:
        """The layout that `play` of this board insists on; None where it takes players of both."""
        return None if self.checkout is None else self.checkout.layout


def load_side(path: Path, checkout: Checkout | None, order: Order = "own") -> Side:
    """Load a submission on the board of a checkout, which lists its moves in that order, or on ours.

    "random" is for the boards that always list moves in one order; the others do that by themselves.
    """
    submission = load(path, classic=None if checkout is None else checkout.path)
    with submission.activated():
        board_class = importlib.import_module("isolation").Board
        random_player = importlib.import_module("sample_players").RandomPlayer
    if checkout is not None and order == "ours":
        _list_in_our_order(board_class)
    elif checkout is not None and order == "random" and not checkout.shuffles:
        _shuffle_lists(board_class)
    return Side(submission, checkout, board_class, random_player)


def observe(side: Side, name: str, spots: Sequence[Spot], seed: int) -> list[Outcome]:
    """Ask a heuristic about every position, for player 1 and then for player 2, each time on a new board."""
    function = side.submission.heuristics[name]
    outcomes = []
    with side.submission.activated(), _counted_refusals() as refusals:
        players = _seated_players(side)
        for number, spot in enumerate(spots):
            for which, player in enumerate(players):
                call_seed = seed + 2 * number + which
                reseed(call_seed)
                board = spot.on(side.board_class, players)
                reseed(call_seed)
                refusals.clear()
                outcomes.append(_outcome(function, board, player, refusals))
    return outcomes


def _outcome(function: Callable[..., Any], board: Any, player: object, refusals: list[None]) -> Outcome:
    try:
        value = function(board, player)
    except MemoryError:
        # Not the heuristic's answer but the end of what the process may use.
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit too is an outcome to compare
        return raised(error, left_the_board=bool(refusals))
    return returned(value, left_the_board=bool(refusals))


@contextmanager
def _counted_refusals() -> Iterator[list[None]]:
    """A list that grows with each refusal of a move off the board, also where the submission catches it."""
    refusals: list[None] = []
    original = IllegalMoveError.__init__

    def counting(self: BaseException, *arguments: object) -> None:
        refusals.append(None)
        original(self, *arguments)

    IllegalMoveError.__init__ = counting  # type: ignore[method-assign]
    try:
        yield refusals
    finally:
        del IllegalMoveError.__init__


def _seated_players(side: Side) -> tuple[object, object]:
    """Two players of the submission's own, where they can be made and told apart; else two names."""
    submission = side.submission
    for name in dict.fromkeys((*FAVOURITE_PLAYERS, *submission.players)):
        kind = getattr(submission.module, name, None)
        if not isinstance(kind, type):
            continue
        try:
            pair = kind(), kind()
            if pair[0] == pair[1]:
                continue
            for player in pair:
                player.time_left = _always_the_same_time
        except MemoryError:
            raise
        except BaseException:  # noqa: BLE001 - then another class is tried
            continue
        return pair
    return NAMELESS_PLAYERS


def _always_the_same_time() -> float:
    return TIME_LEFT


def player_variants(submission: Submission) -> dict[str, tuple[str, dict[str, str]]]:
    """What is played: by label, the name of a class and arguments for it.

    Players of the first layout choose between two methods of search by an argument: both are played.
    """
    variants: dict[str, tuple[str, dict[str, str]]] = {}
    for name, kind in submission.players.items():
        variants[name] = (name, {})
        try:
            parameters = inspect.signature(kind).parameters
        except (TypeError, ValueError):
            continue
        if "method" in parameters:
            variants[f"{name}(method='alphabeta')"] = (name, {"method": "alphabeta"})
    return variants


def _list_in_our_order(board_class: Any) -> None:
    """Let the boards of a class draw bits when they are made, as ours do, and list moves in their order."""
    copying = 0
    made, copied = board_class.__init__, board_class.copy

    @functools.wraps(made)
    def make(board: Any, *arguments: Any, **keywords: Any) -> None:
        made(board, *arguments, **keywords)
        if not copying:
            vars(board)[BITS] = random.getrandbits(64)

    @functools.wraps(copied)
    def copy(board: Any) -> Any:
        # The classic copy makes a board first. A copy has the bits of its original, and draws none.
        nonlocal copying
        copying += 1
        try:
            twin = copied(board)
        finally:
            copying -= 1
        vars(twin)[BITS] = vars(board)[BITS]
        return twin

    board_class.__init__, board_class.copy = make, copy
    _wrap_lists(board_class, _ordering)


def _ordering(listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    _take_randomness_from(listed)

    @functools.wraps(listed)
    def in_our_order(board: Any, *given: Any, **named: Any) -> list[Any]:
        moves = listed(board, *given, **named)
        (location,) = (*given, *named.values())
        if location is not None:
            moves.sort(key=column_major)
            # A location may hold NumPy's integers, which are too small for these sums.
            row, column = map(int, location)
            shuffle_moves(moves, vars(board)[BITS], row + column * board.height)
        return moves

    return in_our_order


def _shuffle_lists(board_class: Any) -> None:
    """Let a board that always lists moves in one order do it at random, as all later ones do."""
    _wrap_lists(board_class, _shuffling)


def _shuffling(listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    @functools.wraps(listed)
    def shuffled(board: Any, *given: Any, **named: Any) -> list[Any]:
        moves = listed(board, *given, **named)
        if (*given, *named.values()) != (None,):
            random.shuffle(moves)
        return moves

    return shuffled


def _wrap_lists(board_class: Any, wrap: Callable[[Any], Any]) -> None:
    for name in MOVE_LISTS:
        if listed := getattr(board_class, name, None):
            setattr(board_class, name, wrap(listed))


def _take_randomness_from(listed: Callable[..., Any]) -> None:
    """Keep a board from shuffling: the random numbers are left to the players, as on our board."""
    names: dict[str, Any] = getattr(listed, "__globals__", {})
    if getattr(names.get("random"), "shuffle", None) is random.shuffle:
        names["random"] = SimpleNamespace(shuffle=_leave_as_it_is)
    if names.get("shuffle") is random.shuffle:
        names["shuffle"] = _leave_as_it_is


def _leave_as_it_is(_moves: list[Any]) -> None:
    pass
