"""How much a search may spend: as keywords, as one object, as text, and as the engine takes it.

budget = limit { "," limit }
limit  = "course" | ( "depth" | "nodes" | "ms" | "work" ) "=" NUMBER | "cost=" cost
cost   = NUMBER [ ":" NUMBER { "/" NUMBER } ]
"""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar

from isolation_fast.cost.definition import COURSE_WORK, Cost, checked_cost
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.numbers import integer, number
from isolation_fast.text import Piece, unknown_word, whole_piece

if TYPE_CHECKING:
    from typing_extensions import Unpack

LIMITS: Final = ("depth", "nodes", "ms", "work", "cost")
"""The fields of a budget, and the keywords that mean them."""

# The largest values that the engine's types hold. No game is as long and no search as large: a budget cut
# down to these means the same, and `depth=10**30` is served, not refused.
LARGEST_DEPTH = 2**31 - 1
LARGEST_NODES = 2**63 - 1
LARGEST_MS = 1e12  # 31 years
SMALLEST_MS = 1e-6  # a nanosecond

# Text with more than that is a slip.
_MOST: Final = {"depth": LARGEST_DEPTH, "nodes": LARGEST_NODES, "work": LARGEST_NODES}
_BARE: Final = re.compile(r"(?:(time|timeout|time_limit)\s*=\s*)?([0-9]+(?:\.[0-9]+)?)\s*(ms)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of one search; the first to run out ends it, which is no error.

    `depth` is the number of moves to look ahead, `nodes` the number of positions to generate, `ms` a time in
    milliseconds. `depth` alone is one search of exactly that depth. With any other limit the search deepens
    step by step until a limit is reached.

    `work` is fair between heuristics: an expensive one gets fewer nodes, so that all spend the same time. The
    number of nodes is `work` divided by the heuristic's cost, rounded, at least 1; `improved` has the cost 1.
    `cost`, a number or a `Cost`, is what a node costs with the heuristic. Left out, it is looked up in the
    measured table of `isolation_fast.cost`, which has the native heuristics. Of `nodes` and `work` together
    the smaller number holds.

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
            # In the shorter form where both mean the same, so that equal budgets are equal.
            object.__setattr__(self, "cost", cost.value if cost == Cost(cost.value) else cost)

    def __repr__(self) -> str:
        return f"Budget({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"

    def _given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}


class SearchLimits(TypedDict, total=False):
    """The keywords of all functions that search: a limit, several, or a `Budget`, which explains them."""

    depth: int | None
    nodes: int | None
    ms: float | None
    work: int | None
    cost: Cost | float | None
    budget: Budget | None


Function = TypeVar("Function", bound=Callable[..., Any])


def limits_by_name(function: Function) -> Function:
    """Show the `**limits` of a function one by one to `help()`, `inspect.signature` and type hints.

    >>> @limits_by_name
    ... def find(board, *, seed=None, **limits): ...
    >>> list(inspect.signature(find).parameters)
    ['board', 'depth', 'nodes', 'ms', 'work', 'cost', 'budget', 'seed']
    """
    signature, kinds = inspect.signature(function), SearchLimits.__annotations__
    by_keyword = inspect.Parameter.KEYWORD_ONLY
    *before, _ = signature.parameters.values()
    limits = [inspect.Parameter(name, by_keyword, default=None, annotation=kinds[name]) for name in kinds]
    # A stable sort: the limits come first among the keywords.
    parameters = sorted([*limits, *before], key=lambda each: each.kind)
    vars(function)["__signature__"] = signature.replace(parameters=parameters)
    hints = {name: kind for name, kind in function.__annotations__.items() if name != "limits"}
    function.__annotations__ = {**kinds, **hints}
    return function


def budget_or_none(**limits: "Unpack[SearchLimits]") -> Budget | None:
    """The budget, given in either spelling; None where no limit is given.

    >>> budget_or_none(depth=3, nodes=None), budget_or_none(depth=None)
    (Budget(depth=3), None)
    """
    given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    for name in limits.keys() - SearchLimits.__annotations__:
        listed = ", ".join(f"{each}=" for each in SearchLimits.__annotations__)
        raise TypeError(f"unexpected keyword argument {name!r}; the limits of a search are {listed}")
    if "budget" not in given:
        return Budget(**given) if given else None
    budget = given.pop("budget")
    if given:
        listed = ", ".join(f"{name}=" for name in LIMITS)
        raise InvalidBudgetError(f"give budget= or {listed}, not both: budget={budget!r}")
    if not isinstance(budget, Budget):
        raise InvalidBudgetError(f"budget must be a Budget such as Budget(nodes=2000), not {budget!r}")
    return budget


def engine_limits(budget: Budget) -> tuple[int | None, int | None, float | None]:
    """Depth, nodes and milliseconds as the engine takes them, of a budget without work.

    >>> engine_limits(Budget(depth=10**30))
    (2147483647, None, None)
    """
    return (
        None if budget.depth is None else min(budget.depth, LARGEST_DEPTH),
        None if budget.nodes is None else min(budget.nodes, LARGEST_NODES),
        None if budget.ms is None else float(min(max(budget.ms, SMALLEST_MS), LARGEST_MS)),
    )


def parse_budget(text: str) -> Budget:
    """Read a budget.

    >>> parse_budget("nodes=500"), parse_budget("depth=3,ms=12.5")
    (Budget(nodes=500), Budget(depth=3, ms=12.5))
    """
    piece = whole_piece(text, "budget", "such as 'nodes=2000'")
    return budget_in(piece, options_in(piece, LIMITS))


def budget_text(budget: Budget) -> str:
    """Write a budget, so that reading it gives the same.

    >>> budget_text(Budget(depth=5, nodes=2000))
    'depth=5,nodes=2000'
    """
    given = budget._given().items()
    return ",".join(f"{name}={cost_text(value) if name == 'cost' else repr(value)}" for name, value in given)


def parse_cost(text: str) -> Cost | float:
    """Read a cost, as after `cost=`: a number, or with its bands a `Cost`.

    >>> parse_cost("5.2")
    5.2
    """
    return _cost_in(whole_piece(text, "cost", "such as '1.25'"))


def cost_text(cost: Cost | float) -> str:
    """Write a cost, as after `cost=`: its value, then that of each band, if it has bands.

    >>> cost_text(5.2), cost_text(Cost(2.0, bands=(8.0, 4.0, 2.0, 1.0, 1.0)))
    ('5.2', '2.0:8.0/4.0/2.0/1.0/1.0')
    """
    cost = checked_cost(cost)
    bands = "" if cost.bands is None else f":{'/'.join(map(repr, cost.bands))}"
    return f"{cost.value!r}{bands}"


def options_in(piece: Piece, allowed: Sequence[str]) -> dict[str, Any]:
    """The options of a text by name: the value of a limit, the piece with the value of any other option."""
    found: dict[str, Any] = {}
    words = (*allowed, "course") if "work" in allowed else tuple(allowed)
    for each in piece.split():
        word = each.sides()[0].text if "=" in each.text else each.text
        if not word:
            raise each.refused("an option is missing here, such as 'nodes=2000'")
        if word not in words:
            raise each.refused(_meant(each.text, words) or unknown_word("option", word, words))
        name = "work" if word == "course" else word
        if name in found:
            raise each.refused(f"{name} is there twice")
        if word == "course":
            if each.text != word:
                raise each.refused(f"course takes no value: it means work={COURSE_WORK}")
            found[name] = COURSE_WORK
            continue
        value = each.sides()[1]
        if name == "cost":
            found[name] = _cost_in(value)
        else:
            found[name] = value.number(name, whole=name != "ms") if name in LIMITS else value
    return found


def budget_in(piece: Piece, limits: dict[str, Any]) -> Budget:
    """The budget of limits that were read from a piece."""
    try:
        budget = Budget(**limits)
    except InvalidBudgetError as error:
        raise piece.refused(str(error)) from None
    for name, most in _MOST.items():
        value = getattr(budget, name)
        if value is not None and value > most:
            raise piece.refused(f"{name} must be at most {most}, not {value}")
    return budget


def _cost_in(piece: Piece) -> Cost | float:
    value, colon, bands = piece.text.partition(":")
    start = len(value) + 1
    costs = [piece.part(0, len(value)).number("cost")]
    for each in bands.split("/") if colon else ():
        costs.append(piece.part(start, start + len(each)).number("the cost of a band"))
        start += len(each) + 1
    try:
        return Cost(costs[0], tuple(costs[1:])) if colon else checked_cost(costs[0]).value
    except InvalidBudgetError as error:
        raise piece.refused(str(error)) from None


def _meant(text: str, allowed: Sequence[str]) -> str | None:
    """What to write in place of a number without a limit's name, or of a time under another name."""
    found = _BARE.fullmatch(text)
    if found is None:
        return None
    time, size, unit = found.groups()
    names = [each for each in (("ms",) if time or unit else ("nodes", "ms")) if each in allowed] or ["depth"]
    return f"{text!r} does not say what it limits: write {' or '.join(f'{each}={size}' for each in names)}"
