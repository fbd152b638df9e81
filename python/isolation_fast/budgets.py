"""How much a search may spend: a depth, a number of nodes, milliseconds, work, or several of them."""

from dataclasses import dataclass
from typing import Any, Final

from isolation_fast.cost.definition import Cost, checked_cost
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.numbers import integer, number

__all__ = ["LIMITS", "Budget"]

LIMITS: Final = ("depth", "nodes", "ms", "work", "cost")
"""The arguments of a budget; `search` and the players take them too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of one search; the first to run out ends it, which is no error.

    `depth` is the number of moves looked ahead, `nodes` the number of positions generated, `ms` a time in
    milliseconds. `depth` alone is one search of exactly that depth; anything else deepens step by step until
    a limit is reached.

    `work` is fair between heuristics: as many nodes as cost what so many nodes with `improved` cost in the
    course, `work` divided by the heuristic's cost and rounded, at least 1. `cost`, a number or a `Cost`, is
    what a node costs with the heuristic; native ones are looked up in the measured table of
    `isolation_fast.cost` where it is left out. Of `nodes` and `work` together the smaller number holds.

    >>> Budget(nodes=2000)
    Budget(nodes=2000)
    >>> Budget(depth=5, ms=150)
    Budget(depth=5, ms=150)
    >>> Budget(work=2000, cost=5.2)
    Budget(work=2000, cost=5.2)
    >>> Budget(depth=0)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidBudgetError: depth must be an integer of at least 1, not 0
    """

    depth: int | None = None
    nodes: int | None = None
    ms: float | None = None
    work: int | None = None
    cost: Cost | float | None = None

    def __post_init__(self) -> None:
        if self.cost is not None and self.work is None:
            raise InvalidBudgetError(f"cost= goes with work=, which is missing: cost={self.cost!r}")
        if self.depth is None and self.nodes is None and self.ms is None and self.work is None:
            raise InvalidBudgetError(
                "a search needs a limit: give depth=, nodes=, ms= or work=, or several of them"
            )
        # A frozen class sets its own fields this way; numpy's integers become plain ones here.
        for name in ("depth", "nodes", "work"):
            if getattr(self, name) is not None:
                count = integer(name, getattr(self, name), 1, error=InvalidBudgetError)
                object.__setattr__(self, name, count)
        if self.ms is not None:
            object.__setattr__(self, "ms", number("ms", self.ms, above=0, error=InvalidBudgetError))
        if self.cost is not None:
            cost = checked_cost(self.cost)
            # Written in the shorter way where both say the same, so that equal budgets are equal.
            object.__setattr__(self, "cost", cost.value if cost == Cost(cost.value) else cost)

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in LIMITS)
        return f"Budget({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"


def budget_or_none(budget: Budget | None, **separate: Any) -> Budget | None:
    """The budget that was given in either spelling, or None where there was none.

    >>> budget_or_none(None, depth=3, nodes=None)
    Budget(depth=3)
    >>> budget_or_none(None, depth=None) is None
    True
    """
    given = {name: value for name, value in separate.items() if value is not None}
    if budget is None:
        return Budget(**given) if given else None
    if given:
        raise InvalidBudgetError(
            f"give budget= or {', '.join(f'{name}=' for name in LIMITS)}, not both: budget={budget!r}"
        )
    if not isinstance(budget, Budget):
        raise InvalidBudgetError(f"budget must be a Budget such as Budget(nodes=2000), not {budget!r}")
    return budget


def required_budget(budget: Budget | None, **separate: Any) -> Budget:
    """The budget that was given in either spelling; an error where there was none.

    >>> required_budget(None, depth=3)
    Budget(depth=3)
    """
    return budget_or_none(budget, **separate) or Budget()
