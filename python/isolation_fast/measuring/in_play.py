"""The cost that a heuristic plays at, and what its turns really take.

A turn's budget is work: nodes with `improved` on the reference board. Its referee reads the CPU time of the
submission's process from outside and turns it into work by a yardstick, which was measured a moment ago on
the same core, so that a slow or busy machine changes nothing. Whatever nodes a process claims, a turn that
takes far more work than its budget is lost as `overspent`; and all turns together may take little more than
the nodes that they claim at the heuristic's cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias

from isolation_fast._native import Board
from isolation_fast.cost import BANDS, Cost, band_of, checked_cost, node_alone, settled

MOST_OF_A_TURN: Final = 3.0
"""How many times its budget's work a turn may take. Of some 500,000 honest turns, on a machine four times as
busy as it has cores, one took 2.2 times; see docs/decisions."""

MOST_OF_ALL: Final = 1.2
"""How many times the work of their nodes all turns of a heuristic may take, beyond the error."""
MOST_OF_A_STAGE: Final = 1.3
"""And those of one band of blank cells, which honest heuristics take 0.7 to 1.2 times. What a heuristic saves
where little depends on it would pay else for the turns that decide a game."""

WARMING: Final = 40_000.0
"""Work that the turns of a process may take beyond their budgets, once: its heuristic is compiled in one of
them, and modules and tables may be made. A quarter of a second where a node takes six microseconds; compiling
takes up to a tenth of one."""

LEAST_OF_A_STAGE: Final = 30_000.0
"""Work that a stage's nodes must cost in a chunk to show anything: compiling takes up to half of it."""

TURN_SECONDS: Final = 0.0005
"""CPU time of a turn without its nodes: the request is read, the board made, the answer written."""
HICCUP: Final = 0.005
"""What one turn may take besides: a collection of garbage, caches that another process has filled."""

MEASURED_ERROR: Final = 0.03
"""The error of a measured cost, as a share: it is measured until it is that small."""
ERROR_OF_ONE: Final = 0.1
"""The error of what one chunk shows, where there is no second to compare it with."""
MOST_ERROR_OF_ONE: Final = 0.2
"""What is believed of the error of one chunk at most: a heuristic could spend so unevenly that its own sum
is never known well enough. Those of honest heuristics differ by some hundredths."""

CostSource: TypeAlias = Literal["given", "stored", "measured", "observed"]
NodeSeconds: TypeAlias = Callable[[bool], Sequence[float]]
"""Seconds for a node with `improved` on the reference board, by bands of blank cells, as they are now on the
core of the player's process; measured anew if asked with True."""


@dataclass(frozen=True, slots=True)
class CostInPlay:
    """The cost that budgets of a heuristic are divided by, and where it is from."""

    cost: Cost
    source: CostSource
    raw: Cost | None = None
    """The cost as it was last measured, before it was rounded."""


def cost_in_play(
    measure: Callable[[], Cost | None],
    *,
    given: Cost | float | None = None,
    stored: CostInPlay | None = None,
    again: bool = False,
) -> CostInPlay | None:
    """The cost that a heuristic plays at: the given one as it is, else the stored one, else one measured now.

    A measured cost is rounded to steps. `again` measures although a cost is stored, which keeps its steps
    unless the new cost is clearly outside. None if `measure` finds a player, which has no cost.

    >>> cost_in_play(lambda: Cost(2.1)).cost, cost_in_play(lambda: Cost(2.1), given=2.1).cost
    (Cost(1.953), Cost(2.1))
    """
    if given is not None:
        return CostInPlay(checked_cost(given), "given")
    if stored is not None and not again:
        return stored
    measured = measure()
    if measured is None:
        return None
    return CostInPlay(settled(measured, stored.cost if stored else None), "measured", measured)


@dataclass(frozen=True, slots=True)
class Spent:
    """What the turns of a player took in a chunk, and what their nodes cost: both in work."""

    turns: int = 0
    took: tuple[float, ...] = (0.0,) * len(BANDS)
    """By bands of blank cells."""
    cost: tuple[float, ...] = (0.0,) * len(BANDS)

    def with_turn(self, band: int, took: float, cost: float) -> Spent:
        """The same and one turn more."""
        return Spent(self.turns + 1, _added(self.took, band, took), _added(self.cost, band, cost))


def _added(numbers: tuple[float, ...], place: int, number: float) -> tuple[float, ...]:
    return (*numbers[:place], numbers[place] + number, *numbers[place + 1 :])


@dataclass(frozen=True, slots=True)
class CompiledUse:
    """What the compiled form of a heuristic did in a turn, as the engine counted it."""

    values: int = 0
    bails: int = 0
    """How often it left the answer to Python."""
    seconds: float = 0.0
    """CPU time of the search in which no Python ran."""
    as_python: float = 0.0
    """CPU time that these values would have taken in Python, where some of them are computed too."""
    fuel: int = 0
    """How many instructions they took."""


NOT_COMPILED: Final = CompiledUse()


@dataclass(slots=True)
class Meter:
    """Counts the work of a player's turns in one process, where each has a budget of `work`.

    A turn's work is its CPU time in nodes of the yardstick, and what would have cost as much on the reference
    board: what the heuristic asked of boards, and the search's own part of each node. In the sum of all turns
    a value of the compiled form is charged what it would have taken in Python: what it saves buys nothing.
    A single turn is not, as that is known by samples, and a hiccup in one of them counts for many values.

    >>> meter = Meter(2000.0, Cost(2.0), lambda anew: [1e-5] * 5)
    >>> first = meter.add(Board(), nodes=1000, seconds=0.43, asked=0.0)  # it warms up
    >>> round(meter.add(Board(), nodes=1, seconds=0.0655, asked=0.0), 1)
    3.0
    >>> meter.spent.turns
    2
    """

    work: float
    cost: Cost
    node_seconds: NodeSeconds
    spent: Spent = field(default_factory=Spent, init=False)
    _warming: float = field(default=WARMING, init=False)
    """What is left of it."""

    def add(
        self,
        board: Board,
        nodes: int,
        seconds: float,
        asked: float,
        compiled: CompiledUse = NOT_COMPILED,
    ) -> float:
        """Add a turn; gives how many times its budget's work it took.

        Where that is too much, the yardstick is measured anew first: the machine may have become slower.
        """
        blank, cells = len(board.get_blank_spaces()), board.width * board.height
        band = band_of(blank, cells)
        done = asked + node_alone().by_band[band] * nodes
        charged = seconds + max(0.0, compiled.as_python - compiled.seconds)
        node = times = beyond = 0.0
        for anew in (False, True):
            node = self.node_seconds(anew)[band]
            without = (max(0.0, seconds - TURN_SECONDS) - min(HICCUP, seconds)) / node + done
            beyond = min(max(0.0, without - self.work), self._warming)
            times = (without - beyond) / self.work
            if times <= MOST_OF_A_TURN:
                break
        self._warming -= beyond
        took = max(0.0, charged - TURN_SECONDS) / node + done
        self.spent = self.spent.with_turn(band, took, nodes * self.cost.at(blank, cells))
        return times


@dataclass(frozen=True, slots=True)
class ObservedCost:
    """A heuristic whose turns took more work than its cost says.

    >>> print(ObservedCost("mine", Cost(2.0), ratio=1.5, turns=900))
    mine took 1.5 times the work that its cost says, over 900 turns: observed cost 3, not 2
    """

    name: str
    given: Cost
    """The cost that it played at."""
    ratio: float
    turns: int
    by_band: tuple[float, ...] = ()
    """The ratio in each band of blank cells, at least 1, where `ratio` is the largest; empty where it is that
    of all turns."""

    @property
    def cost(self) -> Cost:
        """The cost that its turns show."""
        ratios = self.by_band or (self.ratio,) * len(BANDS)
        costs = tuple(ratio * given for ratio, given in zip(ratios, self.given.by_band, strict=True))
        return Cost(costs[0]) if len(set(costs)) == 1 else Cost(fmean(costs), costs)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "name": self.name,
            "cost": self.given.to_dict(),
            "observed_cost": self.cost.to_dict(),
            "ratio": self.ratio,
            "turns": self.turns,
        }

    def __str__(self) -> str:
        costs = f"observed cost {self.cost.value:.3g}, not {self.given.value:.3g}"
        stage = " at one stage of the game" if self.by_band else ""
        took = f"{self.ratio:.2g} times the work that its cost says{stage}, over {self.turns:,} turns"
        return f"{self.name} took {took}: {costs}"


def observed_cost(name: str, cost: Cost, chunks: Iterable[Spent]) -> ObservedCost | None:
    """What the chunks of a player show together; None if its turns took what its cost says, at each stage.

    >>> observed_cost("mine", Cost(2.0), [Spent(9, (190.0,) * 5, (200.0,) * 5)]) is None
    True
    >>> observed_cost("mine", Cost(2.0), [Spent(9, (300.0,) * 5, (200.0,) * 5)]).cost
    Cost(3.0)
    >>> late = [Spent(99, (80_000.0, *[20_000.0] * 4), (40_000.0,) * 5)] * 20
    >>> observed_cost("mine", Cost(2.0), late).cost
    Cost(2.4, bands=(4.0, 2.0, 2.0, 2.0, 2.0))
    """
    parts = [each for each in chunks if each.turns]
    if not parts:
        return None
    turns = sum(each.turns for each in parts)
    # A process that claims no node at all has spent what it took for nothing.
    ratio, error = _ratio([(sum(each.took), sum(each.cost)) for each in parts], turns)
    if ratio - 2 * error > MOST_OF_ALL:
        return ObservedCost(name, cost, ratio, turns)
    pairs = [[(each.took[band], each.cost[band]) for each in parts] for band in range(len(BANDS))]
    bands = [_ratio(each) if _is_enough(each) else (1.0, 0.0) for each in pairs]
    stage, error = max(bands, key=lambda found: found[0] - 2 * found[1])
    if stage - 2 * error > MOST_OF_A_STAGE:
        return ObservedCost(name, cost, stage, turns, tuple(max(1.0, found) for found, _ in bands))
    return None


def _is_enough(pairs: Sequence[tuple[float, float]]) -> bool:
    """Whether what was played of a stage shows its cost."""
    return sum(cost for _, cost in pairs) >= LEAST_OF_A_STAGE * len(pairs)


def _ratio(pairs: Sequence[tuple[float, float]], least: float = 1.0) -> tuple[float, float]:
    """How many times the cost was taken in chunks together, and the error of that."""
    cost_of_all = max(sum(cost for _, cost in pairs), least)
    ratio = sum(took for took, _ in pairs) / cost_of_all
    error = ERROR_OF_ONE
    if len(pairs) > 1:
        squares = sum((took - ratio * cost) ** 2 for took, cost in pairs)
        error = sqrt(squares * len(pairs) / (len(pairs) - 1)) / cost_of_all
        error = min(error, MOST_ERROR_OF_ONE / sqrt(len(pairs)))
    return ratio, hypot(error, MEASURED_ERROR)
