"""What a node costs with a heuristic, counted by the price list. No clock is read: it is the same everywhere.

>>> from isolation_fast import heuristics
>>> count_cost(heuristics.open, turns=1).at(40, 49) < 1
True
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from isolation_fast._native import Board, Heuristic, NativePlayer, Program, board_in_order, play_native
from isolation_fast.cost import BANDS, NODE, WITH_IMPROVED, Cost, band_of
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.heuristics import get
from isolation_fast.numbers import integer
from isolation_fast.programs import program_of
from isolation_fast.twins import twin

__all__ = ["TURNS", "WORK", "count_cost", "positions_of_turns", "turns_of"]

UNIT: Final = "improved"
WORK: Final = 2000
"""Of each turn: as a grading has it."""
TURNS: Final = 200
"""How many turns of each band count: so the cost is known to about 1 %."""
GAMES: Final = 2000
SIDE: Final = 7
CELLS: Final = SIDE * SIDE
STRIDE: Final = 997
"""Shares no factor with the number of openings, so games have different ones."""


def count_cost(heuristic: Heuristic | Program, *, turns: int = TURNS) -> Cost:
    """Count what a node costs with a native heuristic, by its twin in Python, or with a program.

    In each band of blank cells so many `turns` of games count, of those that their work ended. A band without
    such a turn costs what the nearest band with one does.

    A native heuristic that walks the tree of play spends a node on each position there. So its nodes are
    those of its own search to the depth that the program finished.

    >>> count_cost(program_of(lambda game, player: 0.0), turns=1).value < 0.8
    True
    """
    integer("turns", turns, 1)
    if heuristic == get(UNIT):
        return Cost(1.0)  # by definition
    spent, searched = [0] * len(BANDS), [0] * len(BANDS)
    for band in range(len(BANDS)):
        for price, nodes in islice(turns_of(heuristic, band), turns):
            spent[band] += price
            searched[band] += nodes
    counted = [band for band in range(len(BANDS)) if searched[band]]
    if not counted:
        raise InvalidArgumentError(f"no turn was ended by work={WORK}, so a node has no cost")
    units = {band: spent[band] / WITH_IMPROVED[band] for band in counted}
    nearest = (min(counted, key=lambda each: abs(each - band)) for band in range(len(BANDS)))
    value = _rounded(sum(units.values()) / sum(searched))
    return Cost(value, tuple(_rounded(units[band] / searched[band]) for band in nearest))


def _rounded(cost: float) -> float:
    return float(f"{cost:.4g}")


def turns_of(heuristic: Heuristic | Program, band: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """The price and the nodes of each turn in a band that its work ended."""
    program = heuristic if isinstance(heuristic, Program) else program_of(twin(heuristic))
    walking = heuristic if isinstance(heuristic, Heuristic) and heuristic.walks else None
    player = NativePlayer.counted(program, WORK, None, None, None, False, None)
    for board in positions_of_turns(first)[band]:
        chosen, _ = player.choose(board)
        # A program has no value where a tree is too large for it.
        if chosen is None or chosen[-1] != "nodes":
            continue
        if walking is None:
            yield _price(chosen), chosen[3]
        elif chosen[2] > 0:
            own, others = (_to_depth(each, chosen[2], board) for each in (program, walking))
            yield _price(own), others[3]


def _to_depth(heuristic: Heuristic | Program, depth: int, board: Board) -> tuple[Any, ...]:
    chosen, _ = NativePlayer.alphabeta(heuristic, depth, None, None, [], False).choose(board)
    assert chosen is not None
    return chosen


def _price(chosen: tuple[Any, ...]) -> int:
    *_, nodes, paid, _ = chosen
    price: int = nodes * NODE + paid
    return price


@lru_cache(maxsize=2)
def positions_of_turns(first: int = 0) -> tuple[tuple[Board, ...], ...]:
    """For each band boards on which AB_Improved is to move, one of each of the games from `first` on.

    The games are those of a gauntlet of the classic roster, at as many nodes as `WORK`.
    """
    found: list[list[Board]] = [[] for _ in BANDS]
    us, roster = _searching(get(UNIT)), _roster()
    for game in range(first, first + GAMES):
        number, is_second = divmod(game // len(roster), 2)
        start = _opening(number)
        pair = (us, roster[game % len(roster)])
        _, moves, *_ = play_native(*(pair[::-1] if is_second else pair), start, game)
        turns: list[list[str]] = [[] for _ in BANDS]
        board = Board.from_text(start)
        for ply, move in enumerate(moves):
            if ply % 2 == is_second:
                blank = CELLS - 2 - ply
                turns[band_of(blank, CELLS)].append(board.to_text())
            board.apply_move(move)
        for texts, boards in zip(turns, found, strict=True):
            if texts:
                boards.append(board_in_order(texts[game % len(texts)], "player 1", "player 2", game))
    return tuple(map(tuple, found))


def _roster() -> list[NativePlayer]:
    """The players of the classic roster, which a table of costs must not decide."""
    scored = [get(name) for name in ("open", "center", "improved")]
    minimax = [NativePlayer.minimax(each, 3) for each in scored]
    return [NativePlayer.random(), *minimax, *map(_searching, scored)]


def _searching(heuristic: Heuristic) -> NativePlayer:
    return NativePlayer.alphabeta(heuristic, None, WORK, None, [], False)


def _opening(number: int) -> str:
    """One of the openings in which each player is placed, all in turn."""
    first, second = divmod(number * STRIDE % (CELLS * (CELLS - 1)), CELLS - 1)
    board = Board()
    for cell in (first, second + (second >= first)):
        board.apply_move(divmod(cell, SIDE))
    return board.to_text()
