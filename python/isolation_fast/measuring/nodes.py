"""Measuring what a node costs with a heuristic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any, Final

from isolation_fast import reference
from isolation_fast._native import Board, Heuristic
from isolation_fast.cost.definition import BANDS, Cost, band_of
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError
from isolation_fast.games import seeded_random
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.measuring.positions import positions
from isolation_fast.numbers import integer
from isolation_fast.searching import LARGEST_NODES, search
from isolation_fast.twins import twin

__all__ = [
    "NODES",
    "ROUNDS",
    "YARDSTICK",
    "Sample",
    "Timing",
    "band_of_text",
    "from_samples",
    "measure",
    "nodes_of",
]

YARDSTICK: Final = "improved"
ROUNDS: Final = 5
NODES: Final = 2000
ORDER: Final = 0
"""The seed of every search: the order of the root's moves decides how much is pruned."""

VARIES: Final = 1.25
"""Bands of which none costs more than so many times another are one."""

PLAYER: Final = "player"
OPPONENT: Final = "opponent"


@dataclass(frozen=True, slots=True)
class Timing:
    """What one search took: its nodes, as a budget counts them, and seconds of CPU time."""

    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Two searches of one position, one right after the other: with `improved` and with the heuristic."""

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
    player: object = PLAYER,
    progress: Callable[[int, int], object] | None = None,
    clock: Callable[[], float] = process_time,
) -> Cost:
    """Measure what a node costs with a heuristic, on this machine, now.

    Each position of `positions(seed, rounds)` is searched with `improved` and with the heuristic in turn,
    `nodes` nodes each. The median of the rounds counts. A native heuristic is measured by
    its twin in plain Python. `player` is whom the heuristic is asked about, for those that read attributes of
    a player; `progress(done, of)` is called after each pair of searches; `clock` gives seconds of CPU time.

    A busy machine slows both sides of the ratio. It takes some seconds, and longer the more the heuristic
    costs. Ctrl-C ends it.

    >>> measure("improved")
    Cost(1.0)
    >>> cost = measure(lambda game, player: len(game.get_legal_moves(player)), rounds=1, nodes=100)
    >>> 0.2 < cost.value < 2
    True
    """
    scorer = resolve(heuristic)
    rounds, nodes = (
        integer("rounds", rounds, 1, error=InvalidBudgetError),
        integer("nodes", nodes, 1, error=InvalidBudgetError),
    )
    if isinstance(scorer, Heuristic) and scorer.name == YARDSTICK:
        return Cost(1.0)  # by definition
    with seeded_random(seed):
        searches = [
            (number, text, search_of)
            for number, texts in enumerate(positions(seed, rounds))
            for text, search_of in _searches(scorer, texts, nodes)
        ]
        if not searches:
            raise InvalidArgumentError(f"no position can be searched to depth 1 within {nodes} nodes")
        samples = []
        for number, text, own in searches:
            improved = _timed(_plain(YARDSTICK, nodes), text, player, clock)
            timing = _timed(own, text, player, clock)
            samples.append(Sample(number, band_of_text(text), improved, timing))
            if progress is not None:
                progress(len(samples), len(searches))
    return from_samples(samples)


def from_samples(samples: Iterable[Sample]) -> Cost:
    """The cost that samples come to: the median over the rounds, for all positions and for each band.

    Bands without a sample cost what the nearest one with samples does.

    >>> def sample(band: int, seconds: float) -> Sample:
    ...     return Sample(0, band, Timing(2000, 0.02), Timing(2000, seconds))
    >>> from_samples([sample(0, 0.10), sample(4, 0.11)])
    Cost(5.25)
    >>> from_samples([sample(0, 0.10), sample(4, 0.02)])
    Cost(3.0, bands=(5.0, 5.0, 5.0, 1.0, 1.0))
    """
    given = list(samples)
    if not given or any(timing.nodes < 1 for s in given for timing in (s.improved, s.heuristic)):
        raise InvalidArgumentError("a cost comes of at least one sample, each of searches with nodes")
    value, spread = _over_rounds(given)
    by_band: dict[int, float] = {}
    for band in sorted({sample.band for sample in given}):
        by_band[band], _ = _over_rounds([sample for sample in given if sample.band == band])
    if max(by_band.values()) <= VARIES * min(by_band.values()):
        return Cost(value, spread=spread)
    return Cost(value, tuple(_nearest(by_band, band) for band in range(len(BANDS))), spread)


def nodes_of(heuristic: str | Callable[[Any, Any], float], text: str, player: object, nodes: int) -> int:
    """The nodes of the plain search of a position, on the reference board, which so many end.

    >>> nodes_of("improved", "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1", "Ann", 500)
    500
    """
    return _plain(heuristic, nodes)(_seated(text, player))


def _nearest(by_band: dict[int, float], wanted: int) -> float:
    return by_band[min(by_band, key=lambda band: abs(band - wanted))]


def _over_rounds(samples: Sequence[Sample]) -> tuple[float, float]:
    """The median over the rounds, and how far the rounds lie apart."""
    numbers = sorted({sample.round for sample in samples})
    ratios = [_ratio([sample for sample in samples if sample.round == number]) for number in numbers]
    middle = median(ratios)
    return _rounded(middle), _rounded((max(ratios) - min(ratios)) / middle)


def _ratio(samples: Sequence[Sample]) -> float:
    """Nodes a second with `improved` over those with the heuristic."""
    improved = sum(sample.improved.nodes for sample in samples) / _seconds(s.improved for s in samples)
    own = sum(sample.heuristic.nodes for sample in samples) / _seconds(s.heuristic for s in samples)
    return improved / own


def _seconds(timings: Iterable[Timing]) -> float:
    # A coarse clock may not have moved at all.
    return sum(timing.seconds for timing in timings) or 1e-9


def _rounded(number: float) -> float:
    """Four digits are more than can be measured."""
    return float(f"{number:.4g}")


# A search of a reference board, which gives its nodes.
_Search = Callable[[Any], int]


def _searches(scorer: Any, texts: Sequence[str], nodes: int) -> Iterator[tuple[str, _Search]]:
    """The positions that can be searched with the heuristic, and how."""
    for text in texts:
        if isinstance(scorer, Heuristic) and scorer.walks:
            walked = _walking(scorer, text, nodes)
            if walked is not None:
                yield text, walked
        else:
            yield text, _plain(twin(scorer) if isinstance(scorer, Heuristic) else scorer, nodes)


def _plain(heuristic: str | Callable[[Any, Any], float], nodes: int) -> _Search:
    return lambda board: reference.search(board, heuristic, nodes=nodes, seed=ORDER).nodes


def _walking(heuristic: Heuristic, text: str, nodes: int) -> _Search | None:
    """The search with a heuristic that walks the tree, whose budget counts the positions that it walks.

    Only the engine counts those. So it finds the depth that so many nodes allow, and how many a search to
    that depth takes; the plain search takes the time of the same one. None where the nodes allow no depth.
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


def _timed(search_of: _Search, text: str, player: object, clock: Callable[[], float]) -> Timing:
    board = _seated(text, player)
    start = clock()
    nodes = search_of(board)
    return Timing(nodes, clock() - start)


def _seated(text: str, player: object) -> reference.Board:
    """The position with that player to move."""
    first = text.endswith("1")
    return reference.Board.from_text(text, *((player, OPPONENT) if first else (OPPONENT, player)))


def band_of_text(text: str) -> int:
    """The band of blank cells in which a position lies.

    >>> band_of_text("7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1")
    4
    """
    board = reference.Board.from_text(text)
    return band_of(len(board.get_blank_spaces()), board.width * board.height)
