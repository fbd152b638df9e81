"""Measuring time on the reference board: what a node costs with a native heuristic, and what one takes here.

A cost is measured in rounds. A round has 25 positions of all stages, five for each band of blank cells, and
no round has a position of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from statistics import median
from time import monotonic, process_time, thread_time
from typing import Any, Final

from isolation_fast import reference
from isolation_fast._native import Board, Heuristic
from isolation_fast.budgets import LARGEST_NODES
from isolation_fast.cost.definition import BANDS, NODES, ROUNDS, Cost, are_even, band_of
from isolation_fast.cost.prices import WITH_IMPROVED
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError
from isolation_fast.games import play_game, seeded_random
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.numbers import integer
from isolation_fast.players import RandomPlayer
from isolation_fast.searching import search, seed_bits
from isolation_fast.twins import twin

YARDSTICK: Final = "improved"
ORDER: Final = 0
"""The seed of every search: the order of the root's moves decides how much is pruned."""

CELLS: Final = 49
BLANK_CELLS: Final = (*range(15, 35), 35, 38, 41, 44, 47)
"""How many cells are blank: five positions for each band. At 47 both players are just placed."""

ENOUGH_NODES: Final = 500
"""How many nodes a search must find below a position: where there are fewer, no budget binds."""

FAR_APART: Final = 0x9E37_79B9_7F4A_7C15
"""Spreads nearby seeds over distant games, and gives each of the 2^64 seeds games of its own."""

OF_EACH_BAND: Final = 2
NODES_OF_SCALE: Final = 250
"""Searches of so many nodes, two for each band, take about 25 ms together."""
FRESH_SECONDS: Final = 10.0
"""How long the scale of this process counts."""
LEAST: Final = 1e-8
"""Seconds of a node where the clock did not move."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What one search took: its nodes, as a budget counts them, and seconds of CPU time."""

    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Two searches of one position, one after the other: with `improved` and with the heuristic."""

    round: int
    band: int
    improved: Timing
    heuristic: Timing


def measure(
    heuristic: HeuristicLike,
    *,
    rounds: int = ROUNDS,
    nodes: int = NODES,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
    clock: Callable[[], float] = process_time,
) -> Cost:
    """Measure what a node costs with a heuristic, on this machine, now.

    Each position of `positions(seed, rounds)` is searched with `improved` and with the heuristic in turn,
    `nodes` nodes each. The median of the rounds counts. A native heuristic is measured by its twin in plain
    Python. `progress(done, of)` is called after each pair of searches; `clock` returns seconds of CPU time.
    A busy machine slows both sides of the ratio. Ctrl-C ends a measurement.

    >>> measure("improved")
    Cost(1.0)
    >>> cost = measure(lambda game, player: len(game.get_legal_moves(player)), rounds=1, nodes=100)
    >>> 0.2 < cost.value < 2
    True
    """
    scorer = resolve(heuristic)
    rounds = integer("rounds", rounds, 1, error=InvalidBudgetError)
    nodes = integer("nodes", nodes, 1, error=InvalidBudgetError)
    if isinstance(scorer, Heuristic) and scorer.name == YARDSTICK:
        return Cost(1.0)  # by definition
    samples: list[Sample] = []
    with seeded_random(seed):
        searches = [_searches(scorer, texts, nodes) for texts in positions(seed, rounds)]
        if not any(searches):
            raise InvalidArgumentError(f"no position can be searched to depth 1 within {nodes} nodes")
        for number, of_round in enumerate(searches):
            for text, own in of_round:
                timings = (_timed(searching, text, clock) for searching in (_plain(YARDSTICK, nodes), own))
                samples.append(Sample(number, band_of_text(text), *timings))
                if progress is not None:
                    progress(len(samples), sum(map(len, searches)))
    return from_samples(samples)


def nodes_with_improved(text: str, nodes: int) -> int:
    """The nodes of the plain search of a position on the reference board: so many at most."""
    return _plain(YARDSTICK, nodes)(reference.Board.from_text(text))


def scale_of(take: Callable[[str, int], Timing]) -> float:
    """Nanoseconds of the reference machine for each of the clock by which searches with `improved` are taken.

    >>> round(scale_of(lambda text, nodes: Timing(nodes, nodes * 10e-6)), 3)
    0.531
    """
    taken, there, here = [0] * len(BANDS), 0.0, 0.0
    for text in positions()[0]:
        band = band_of_text(text)
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


def from_samples(samples: Iterable[Sample]) -> Cost:
    """The cost of samples: the median over the rounds, for all positions and for each band.

    A band without a sample costs what the nearest band with samples does.

    >>> in_bands = {0: Timing(2000, 0.10), 4: Timing(2000, 0.02)}
    >>> from_samples([Sample(0, band, Timing(2000, 0.02), timing) for band, timing in in_bands.items()])
    Cost(3.0, bands=(5.0, 5.0, 5.0, 1.0, 1.0))
    """
    given = list(samples)
    if not given or any(timing.nodes < 1 for s in given for timing in (s.improved, s.heuristic)):
        raise InvalidArgumentError("a cost needs at least one sample, each of searches with nodes")
    value, spread = _over_rounds(given)
    measured = sorted({sample.band for sample in given})
    by_band = {band: _over_rounds([each for each in given if each.band == band])[0] for band in measured}
    if are_even(by_band.values()):
        return Cost(value, spread=spread)
    nearest = (min(measured, key=lambda each: abs(each - band)) for band in range(len(BANDS)))
    return Cost(value, tuple(by_band[band] for band in nearest), spread)


def _over_rounds(samples: Sequence[Sample]) -> tuple[float, float]:
    """The median over the rounds, and their range as a share of it."""
    ratios = _ratios(samples)
    middle = median(ratios)
    spread = (max(ratios) - min(ratios)) / middle
    # Four digits are more than can be measured.
    return float(f"{middle:.4g}"), float(f"{spread:.4g}")


def _ratios(samples: Sequence[Sample]) -> list[float]:
    """The cost that each round shows."""
    numbers = sorted({sample.round for sample in samples})
    rounds = [[sample for sample in samples if sample.round == number] for number in numbers]
    return [
        _nodes_a_second(s.improved for s in each) / _nodes_a_second(s.heuristic for s in each)
        for each in rounds
    ]


def _nodes_a_second(timings: Iterable[Timing]) -> float:
    listed = list(timings)
    # A coarse clock may not have moved at all.
    return sum(each.nodes for each in listed) / (sum(each.seconds for each in listed) or 1e-9)


# A search of a reference board, which gives its nodes.
_Search = Callable[[Any], int]


def _searches(scorer: Any, texts: Sequence[str], nodes: int) -> list[tuple[str, _Search]]:
    """The positions that can be searched with the heuristic, each with its search."""
    if isinstance(scorer, Heuristic) and scorer.walks:
        found = ((text, _walking(scorer, text, nodes)) for text in texts)
        return [(text, walking) for text, walking in found if walking is not None]
    plain = _plain(twin(scorer) if isinstance(scorer, Heuristic) else scorer, nodes)
    return [(text, plain) for text in texts]


def _plain(heuristic: str | Callable[[Any, Any], float], nodes: int) -> _Search:
    # What it returns decides no cost: also where a game would refuse it.
    return lambda board: reference.search(board, heuristic, nodes=nodes, seed=ORDER, nan="course").nodes


def _walking(heuristic: Heuristic, text: str, nodes: int) -> _Search | None:
    """The search with a heuristic that walks the tree; None where the nodes allow no depth.

    A budget counts the positions that it walks, and only the engine counts them. So the engine finds the
    depth that so many nodes allow, and the nodes of a search to that depth. The plain search to the same
    depth is timed.
    """
    board = Board.from_text(text)
    depth = search(board, heuristic, nodes=nodes, seed=ORDER).depth
    if depth == 0:
        return None
    counted = search(board, heuristic, depth=depth, nodes=LARGEST_NODES, seed=ORDER).nodes
    plain = twin(heuristic)

    def searched(twins: Any) -> int:
        reference.search(twins, plain, depth=depth, nodes=LARGEST_NODES, seed=ORDER)
        return counted

    return searched


def _timed(search_of: _Search, text: str, clock: Callable[[], float]) -> Timing:
    board = reference.Board.from_text(text)
    start = clock()
    nodes = search_of(board)
    return Timing(nodes, clock() - start)


def band_of_text(text: str) -> int:
    """The band of blank cells in which a position lies."""
    board = reference.Board.from_text(text)
    return band_of(len(board.get_blank_spaces()), board.width * board.height)


@lru_cache(maxsize=8)
def positions(seed: int = 0, rounds: int = 1) -> tuple[tuple[str, ...], ...]:
    """The positions of each round as texts, one for each number of blank cells, the fullest board first.

    They come from seeded random play on 7x7. Each round has its own: otherwise a heuristic that remembers
    positions would cost nothing in the second round.

    >>> first, second = positions(seed=0, rounds=2)
    >>> first[0]
    '7x7 1xx1xxx/x2xx1x/xxxx2x/1xxxxx1/xxx2xx/x1xxx1x/xx2xxx 0,6 3,4 1'
    >>> len(first), set(first) & set(second), positions(seed=0) == (first,)
    (25, set(), True)
    """
    beginning, first, second = seed_bits(seed) * FAR_APART, RandomPlayer(), RandomPlayer()
    # By the engine's own generator, which draws the same on every machine.
    games = (play_game(first, second, seed=beginning + number).moves for number in count())
    # Boards draw the order of their moves, which decides nothing here.
    with seeded_random(seed):
        return tuple(tuple(_position(blank, games) for blank in BLANK_CELLS) for _ in range(rounds))


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
