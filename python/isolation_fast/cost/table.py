"""The table of costs that comes with the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from isolation_fast._native import Heuristic
from isolation_fast.cost.definition import Cost, checked_cost
from isolation_fast.exceptions import UnknownCostError
from isolation_fast.text import described, unknown_word

TABLE: Final = Path(__file__).with_name("table.json")


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of native heuristics `by_name`, and in `node` that of a node whose heuristic does nothing.

    >>> costs = Costs({"bfs": Cost(20.0), "space": Cost(0.8)}, node=Cost(0.5))
    >>> costs.of("bfs")
    Cost(20.0)
    >>> from isolation_fast import heuristics
    >>> costs.of(heuristics.weighted_sum({"bfs": 1.0, "space": 0.3})).value
    20.3
    """

    by_name: Mapping[str, Cost]
    node: Cost

    def __post_init__(self) -> None:
        by_name = {name: checked_cost(cost) for name, cost in self.by_name.items()}
        # A frozen class sets its own fields this way. The caller's dict stays the caller's.
        object.__setattr__(self, "by_name", MappingProxyType(by_name))
        object.__setattr__(self, "node", checked_cost(self.node))

    def __reduce__(self) -> tuple[type[Costs], tuple[object, ...]]:
        # A proxy of a dict has no copies.
        return Costs, (dict(self.by_name), self.node)

    def of(self, heuristic: str | Heuristic | Callable[..., Any]) -> Cost:
        """The cost of a native heuristic, or of its name; that of a function is not known.

        A variant that is not in the table has the cost of its base. The cost of a weighted sum is estimated:
        a node, and what each part costs beyond it.
        """
        if isinstance(heuristic, str):
            if heuristic not in self.by_name:
                raise UnknownCostError(
                    unknown_word("name in the table of costs", heuristic, list(self.by_name))
                )
            return self.by_name[heuristic]
        if isinstance(heuristic, Heuristic):
            if heuristic.name in self.by_name:
                return self.by_name[heuristic.name]
            return self._sum(heuristic) if heuristic.base is None else self.of(heuristic.base)
        if callable(heuristic):
            called = getattr(heuristic, "__qualname__", None) or repr(heuristic)
            raise UnknownCostError(
                f"the cost of {called} is not known: give it as cost=, or a budget of nodes="
            )
        raise TypeError(f"a cost is that of a heuristic or of its name, not of {described(heuristic)}")

    def _sum(self, heuristic: Heuristic) -> Cost:
        costs = [self.of(part) for part, _ in heuristic.parts]
        value = _added(self.node.value, [cost.value for cost in costs])
        in_bands = zip(self.node.by_band, *(cost.by_band for cost in costs), strict=True)
        return Cost(value, tuple(_added(node, parts) for node, *parts in in_bands))


def _added(node: float, parts: list[float]) -> float:
    # A heuristic that walks may cost less than a node: most of its nodes are only walked.
    return round(node + sum(max(0.0, part - node) for part in parts), 6)


def of(heuristic: str | Heuristic | Callable[..., Any]) -> Cost:
    """The cost of a native heuristic, as it was counted for this version of the package: see `Costs.of`.

    >>> of("improved"), of("bfs").value > 2
    (Cost(1.0), True)
    """
    return _packaged().of(heuristic)


@lru_cache(maxsize=1)
def _packaged() -> Costs:
    # Not at the top: a script may have a `json.py` of its own, which it imports after this package.
    import json

    document = json.loads(TABLE.read_text(encoding="utf-8"))
    by_name = {entry["name"]: Cost.from_dict(entry) for entry in document["heuristics"]}
    return Costs(by_name, Cost.from_dict(document["node"]))
