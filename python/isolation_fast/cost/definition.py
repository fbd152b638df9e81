"""What a cost is, and the numbers by which every program measures it, rounds it and compares it with play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean
from typing import Any, Final

from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.numbers import above_zero

COURSE_WORK: Final = 23_000
"""The work that the course's 150 ms a move bought: as many nodes of its own search with `improved`."""

BANDS: Final = (0.4, 0.5, 0.6, 0.7, 1.0)
"""The bands of blank cells: the share of the board below which each lies.

On 7x7 they are 0 to 19, 20 to 24, 25 to 29, 30 to 34, and 35 or more blank cells. Fuller boards have so few
lines of play that no budget binds, see docs/decisions.
"""

NODES: Final = 500
"""Nodes of each search of a measurement."""

ROUNDS: Final = 15
"""Rounds of a measurement at most, of which the median counts."""

FEWEST_ROUNDS: Final = 3
SMALL_ERROR: Final = 0.03
ENOUGH: Final = 10.0
"""A measurement ends after three rounds or more, once the standard error of the cost in each band is a small
share of it, or its searches took more than ten seconds of CPU time."""

STEP: Final = 1.25
"""A measured cost is rounded to powers of this. Bands that differ by at most a step are one."""


def band_of(blank: int, cells: int) -> int:
    """The band of a board, by how many of its cells are blank.

    >>> band_of(19, 49), band_of(20, 49), band_of(49, 49)
    (0, 1, 4)
    """
    share = blank / cells
    return next((band for band, below in enumerate(BANDS) if share < below), len(BANDS) - 1)


def band_in_words(band: int, cells: int = 49) -> str:
    """The blank cells of a band, on 7x7 or on a board of another size.

    >>> [band_in_words(band) for band in range(len(BANDS))]
    ['0-19 blank', '20-24 blank', '25-29 blank', '30-34 blank', '35-49 blank']
    """
    inside = [blank for blank in range(cells + 1) if band_of(blank, cells) == band]
    return f"{inside[0]}-{inside[-1]} blank"


@dataclass(frozen=True, slots=True, repr=False)
class Cost:
    """What a node costs with a heuristic, in nodes with `improved`.

    `value` is the cost over a whole game. If the cost varies with the stage, `bands` has it for each band of
    blank cells, the fullest boards first. `spread` is the range of the rounds of a measurement, as a share of
    the value.

    >>> Cost(5.2).at(12, 49)
    5.2
    >>> late = Cost(2.0, bands=(8.0, 4.0, 1.0, 1.0, 1.0))
    >>> late.at(12, 49), late.at(20, 49), late.at(47, 49)
    (8.0, 4.0, 1.0)
    """

    value: float
    bands: tuple[float, ...] | None = None
    spread: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", above_zero("cost", self.value, InvalidBudgetError))
        if self.spread != 0:
            above_zero("the spread of a cost", self.spread, InvalidBudgetError)
        object.__setattr__(self, "spread", float(self.spread))
        if self.bands is not None:
            if not isinstance(self.bands, Iterable) or isinstance(self.bands, str | bytes):
                raise InvalidBudgetError(f"the bands of a cost are {len(BANDS)} numbers, not {self.bands!r}")
            bands = tuple(above_zero("the cost of a band", each, InvalidBudgetError) for each in self.bands)
            if len(bands) != len(BANDS):
                raise InvalidBudgetError(f"a cost has {len(BANDS)} bands or none, not {len(bands)}")
            object.__setattr__(self, "bands", bands)

    @property
    def by_band(self) -> tuple[float, ...]:
        """The cost in each band, the same in all if it does not vary."""
        return self.bands or (self.value,) * len(BANDS)

    def at(self, blank: int, cells: int) -> float:
        """The cost on a board with `blank` of `cells` cells blank: `at(15, 49)` is for 15 on 7x7."""
        return self.by_band[band_of(blank, cells)]

    def to_dict(self) -> dict[str, Any]:
        """The cost as JSON, which `from_dict` reads."""
        return {"cost": self.value, "spread": self.spread, "bands": self.bands and list(self.bands)}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Cost:
        """The cost that `to_dict` wrote.

        >>> Cost.from_dict({"cost": 5.2, "spread": 0.01, "bands": None})
        Cost(5.2, spread=0.01)
        """
        given: object = entry
        bands = entry.get("bands") if isinstance(given, Mapping) else None
        if not isinstance(given, Mapping) or "cost" not in given or not isinstance(bands, list | None):
            raise InvalidBudgetError(f"a cost is written as {{'cost': 5.2, 'bands': None}}, not {given!r}")
        return cls(entry["cost"], None if bands is None else tuple(bands), entry.get("spread", 0.0))

    def __repr__(self) -> str:
        shown = [repr(self.value)]
        shown += [f"bands={self.bands!r}"] if self.bands is not None else []
        shown += [f"spread={self.spread!r}"] if self.spread else []
        return f"Cost({', '.join(shown)})"


def agree(one: Cost, other: Cost) -> bool:
    """Whether two costs are one but for the error of a short measurement.

    Their bands differ by a step at the most, and the costs of a whole game by half a step.

    >>> agree(Cost(2.0), Cost(2.2)), agree(Cost(2.0), Cost(2.3))
    (True, False)
    """
    bands = zip(one.by_band, other.by_band, strict=True)
    whole = (one.value, other.value)
    return are_even(whole, STEP**0.5) and all(are_even(pair) for pair in bands)


def checked_cost(cost: object) -> Cost:
    """A cost, or a number as a cost.

    >>> checked_cost(5.2)
    Cost(5.2)
    """
    if callable(getattr(cost, "of", None)):
        raise InvalidBudgetError("cost must be a number or a Cost; of a table of costs take one by .of(NAME)")
    return cost if isinstance(cost, Cost) else Cost(above_zero("cost", cost, InvalidBudgetError))


def in_steps(cost: Cost) -> Cost:
    """A measured cost as it is played at: in powers of 1.25, one for all bands that differ by a step at most.

    So measuring again mostly gives the same cost, and a fifth more or less search is too little for games to
    show it.

    >>> in_steps(Cost(1.31)), in_steps(Cost(2.0, (1.9, 2.0, 2.0, 2.1, 2.1)))
    (Cost(1.25), Cost(1.953))
    >>> in_steps(Cost(3.0, (8.1, 4.2, 3.0, 2.0, 1.0)))
    Cost(3.454, bands=(7.451, 3.815, 3.052, 1.953, 1.0))
    """
    measured = [cost.value] if cost.bands is None or are_even(cost.bands) else cost.bands
    return _of_steps([round(_steps(each)) for each in measured])


def settled(measured: Cost, stored: Cost | None) -> Cost:
    """The steps of a cost that was measured again: a stored step stays unless it is clearly left.

    A step reaches half a step up and down. It is clearly left half a step beyond that.

    >>> stored = in_steps(Cost(1.25))
    >>> settled(Cost(1.5), stored), settled(Cost(1.6), stored)
    (Cost(1.25), Cost(1.562))
    """
    if stored is None:
        return in_steps(measured)
    if stored.bands is None:
        # Two steps and not one: bands that are nearly even may measure as uneven.
        is_even = measured.bands is None or are_even(measured.bands, STEP**2)
        return stored if is_even and _is_near(measured.value, stored.value) else in_steps(measured)
    pairs = zip(measured.by_band, stored.bands, strict=True)
    return _of_steps([round(_steps(old if _is_near(new, old) else new)) for new, old in pairs])


def are_even(bands: Iterable[float], factor: float = STEP) -> bool:
    """Whether none of the bands costs more than `factor` times another."""
    costs = list(bands)
    return max(costs) <= factor * min(costs)


def _is_near(new: float, old: float) -> bool:
    return abs(_steps(new) - round(_steps(old))) <= 1.0


def _steps(number: float) -> float:
    return log(number, STEP)


def _of_steps(steps: Sequence[int]) -> Cost:
    """One number if all steps are the same. Four digits, so that people can write what they read."""
    numbers = [round(STEP**each, 3) if each >= 0 else float(f"{STEP**each:.4g}") for each in steps]
    if len(set(numbers)) == 1:
        return Cost(numbers[0])
    return Cost(round(fmean(numbers), 3), tuple(numbers))
