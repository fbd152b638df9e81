"""How fast this machine is now: what a node with `improved` takes on the reference board.

>>> 0.001 < scale_here() < 1000
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from time import monotonic, thread_time
from typing import Final

from isolation_fast import reference
from isolation_fast._native import Board
from isolation_fast.cost import BANDS, WITH_IMPROVED, band_of
from isolation_fast.games import play_game, seeded_random
from isolation_fast.players import RandomPlayer
from isolation_fast.searching import search

__all__ = ["FRESH_SECONDS", "Timing", "nodes_with_improved", "positions", "scale_here", "scale_of"]

FRESH_SECONDS: Final = 10.0
"""How long a scale counts: measuring one takes some 25 ms of CPU time."""

YARDSTICK: Final = "improved"
OF_EACH_BAND: Final = 2
NODES_OF_SCALE: Final = 250
"""Searches of so many nodes, two for each band, take about 25 ms together."""
LEAST: Final = 1e-8
"""Seconds of a node where the clock did not move."""

CELLS: Final = 49
BLANK_CELLS: Final = (*range(15, 35), 35, 38, 41, 44, 47)
"""How many cells are blank: five positions for each band. At 47 both players are just placed."""
ENOUGH_NODES: Final = 500
"""How many nodes a search must find below a position: where there are fewer, no budget binds."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What one search took: its nodes, as a budget counts them, and seconds of CPU time."""

    nodes: int
    seconds: float


def nodes_with_improved(text: str, nodes: int) -> int:
    """The nodes of the plain search of a position on the reference board: so many at most."""
    return reference.search(reference.Board.from_text(text), YARDSTICK, nodes=nodes, seed=0).nodes


def scale_of(take: Callable[[str, int], Timing]) -> float:
    """Nanoseconds of the reference machine for each of the clock by which searches with `improved` are taken.

    >>> round(scale_of(lambda text, nodes: Timing(nodes, nodes * 10e-6)), 3)
    0.531
    """
    taken, there, here = [0] * len(BANDS), 0.0, 0.0
    for blank, text in zip(BLANK_CELLS, positions(), strict=True):
        band = band_of(blank, CELLS)
        if taken[band] < OF_EACH_BAND:
            timing = take(text, NODES_OF_SCALE)
            taken[band] += 1
            there += WITH_IMPROVED[band] * timing.nodes / 1e9
            here += max(timing.seconds, LEAST * timing.nodes)
    return there / here


_here: dict[str, float] = {"at": -FRESH_SECONDS, "scale": 0.0}


def scale_here() -> float:
    """The scale of this thread's CPU time, measured at most ten seconds ago."""
    if monotonic() - _here["at"] > FRESH_SECONDS:

        def take(text: str, nodes: int) -> Timing:
            began = thread_time()
            return Timing(nodes_with_improved(text, nodes), thread_time() - began)

        with seeded_random(0):
            _here.update(scale=scale_of(take), at=monotonic())
    return _here["scale"]


@cache
def positions() -> tuple[str, ...]:
    """Positions of random play as texts, one for each of `BLANK_CELLS`.

    >>> positions()[0]
    '7x7 1xx1xxx/x2xx1x/xxxx2x/1xxxxx1/xxx2xx/x1xxx1x/xx2xxx 0,6 3,4 1'
    """
    first, second = RandomPlayer(), RandomPlayer()
    # By the engine's own generator, which draws the same on every machine.
    games = (play_game(first, second, seed=number).moves for number in count())
    # Boards draw the order of their moves, which decides nothing here.
    with seeded_random(0):
        return tuple(_position(blank, games) for blank in BLANK_CELLS)


def _position(blank: int, games: Iterator[tuple[tuple[int, int], ...]]) -> str:
    """The position with that many blank cells of the first game in which a search finds enough nodes."""
    for moves in games:
        if len(moves) <= CELLS - blank:
            continue
        board = Board()
        for move in moves[: CELLS - blank]:
            board.apply_move(move)
        if search(board, "improved", nodes=ENOUGH_NODES, seed=0).nodes == ENOUGH_NODES:
            return board.to_text()
    raise AssertionError("games do not end")
