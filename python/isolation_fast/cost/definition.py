"""What a cost is, and the bands of blank cells in which it may differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    blank cells, the fullest boards first.

    >>> Cost(5.2).at(12, 49)
    5.2
    >>> late = Cost(2.0, bands=(8.0, 4.0, 1.0, 1.0, 1.0))
    >>> late.at(12, 49), late.at(20, 49), late.at(47, 49)
    (8.0, 4.0, 1.0)
    """

    value: float
    bands: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", above_zero("cost", self.value, InvalidBudgetError))
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
        return {"cost": self.value, "bands": self.bands and list(self.bands)}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Cost:
        """The cost that `to_dict` wrote.

        >>> Cost.from_dict({"cost": 5.2, "bands": None})
        Cost(5.2)
        """
        given: object = entry
        bands = entry.get("bands") if isinstance(given, Mapping) else None
        if not isinstance(given, Mapping) or "cost" not in given or not isinstance(bands, list | None):
            raise InvalidBudgetError(f"a cost is written as {{'cost': 5.2, 'bands': None}}, not {given!r}")
        return cls(entry["cost"], None if bands is None else tuple(bands))

    def __repr__(self) -> str:
        return (
            f"Cost({self.value!r})" if self.bands is None else f"Cost({self.value!r}, bands={self.bands!r})"
        )


def checked_cost(cost: object) -> Cost:
    """A cost, or a number as a cost.

    >>> checked_cost(5.2)
    Cost(5.2)
    """
    if callable(getattr(cost, "of", None)):
        raise InvalidBudgetError("cost must be a number or a Cost; of a table of costs take one by .of(NAME)")
    return cost if isinstance(cost, Cost) else Cost(above_zero("cost", cost, InvalidBudgetError))
