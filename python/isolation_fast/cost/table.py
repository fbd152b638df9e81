"""Tables of measured costs: the one that comes with the package, and those that people measure."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from isolation_fast._native import Heuristic, heuristic_names
from isolation_fast.cost.definition import BANDS, Cost, checked_cost
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError, UnknownCostError
from isolation_fast.text import described, unknown_word

TABLE: Final = Path(__file__).with_name("table.json")
HOW_TO_MEASURE: Final = "give it as cost=, or a budget of nodes="


@dataclass(frozen=True, eq=False)
class Costs:
    """A table of costs: `by_name`, and in `node` that of a node whose heuristic does nothing.

    >>> costs = Costs({"bfs": Cost(20.0), "space": Cost(0.8)}, node=Cost(0.5))
    >>> costs.of("bfs")
    Cost(20.0)
    >>> from isolation_fast import heuristics
    >>> costs.of(heuristics.weighted_sum({"bfs": 1.0, "space": 0.3})).value
    20.3
    """

    by_name: Mapping[str, Cost]
    node: Cost | None = None
    made_by: Mapping[str, str] = field(default_factory=dict)
    """When, where and how it was measured, if the table says so."""

    def __post_init__(self) -> None:
        for name in self.by_name:
            if not isinstance(name, str):
                raise TypeError(f"a table of costs has the names of heuristics, not {described(name)}")
        by_name = {name: checked_cost(cost) for name, cost in self.by_name.items()}
        # A frozen class sets its own fields this way. The caller's dicts stay the caller's.
        object.__setattr__(self, "by_name", MappingProxyType(by_name))
        object.__setattr__(self, "node", None if self.node is None else checked_cost(self.node))
        object.__setattr__(self, "made_by", MappingProxyType(dict(self.made_by)))

    def __reduce__(self) -> tuple[type[Costs], tuple[object, ...]]:
        # A proxy of a dict has no copies.
        return Costs, (dict(self.by_name), self.node, dict(self.made_by))

    def of(self, heuristic: str | Heuristic | Callable[..., Any]) -> Cost:
        """The cost of a name, of a native heuristic, or of a function, which is found by its name.

        `game_agent.py:custom_score` finds `custom_score` as well. A variant that is not in the table has the
        cost of its base. The cost of a weighted sum is estimated: a node, and what each part costs beyond it.
        """
        if isinstance(heuristic, str):
            found = self._by_file(heuristic) if ":" in heuristic else self.by_name.get(heuristic)
            if found is None:
                names = list(self.by_name)
                raise UnknownCostError(unknown_word("name in the table of costs", heuristic, names))
            return found
        if isinstance(heuristic, Heuristic):
            if heuristic.name in self.by_name:
                return self.by_name[heuristic.name]
            return self._sum(heuristic) if heuristic.base is None else self.of(heuristic.base)
        if callable(heuristic):
            name = str(getattr(heuristic, "__name__", ""))
            # A function with the name of a native heuristic is another one all the same.
            if name in self.by_name and name not in heuristic_names():
                return self.by_name[name]
            called = getattr(heuristic, "__qualname__", None) or repr(heuristic)
            raise UnknownCostError(f"the cost of {called} is not known: {HOW_TO_MEASURE}")
        raise TypeError(f"a cost is that of a heuristic or of its name, not of {described(heuristic)}")

    def _by_file(self, word: str) -> Cost | None:
        """The cost of `FILE:FUNCTION`, which the table may have by the function's name alone."""
        native = heuristic_names()
        ends = [name for name in self.by_name if f"/{word}".endswith((f"/{name}", f":{name}"))]
        return next((self.by_name[name] for name in ends if name not in native), None)

    def _sum(self, heuristic: Heuristic) -> Cost:
        if self.node is None:
            raise UnknownCostError(
                f"the table does not say what a node costs, so the cost of {heuristic.name} is not known: "
                + HOW_TO_MEASURE
            )
        costs = [self.of(part) for part, _ in heuristic.parts]
        value = _added(self.node.value, [cost.value for cost in costs])
        if all(cost.bands is None for cost in (self.node, *costs)):
            return Cost(value)
        in_bands = zip(self.node.by_band, *(cost.by_band for cost in costs), strict=True)
        return Cost(value, tuple(_added(node, parts) for node, *parts in in_bands))


def _added(node: float, parts: list[float]) -> float:
    # A heuristic that walks may cost less than a node: most of its nodes are only walked.
    return round(node + sum(max(0.0, part - node) for part in parts), 6)


def of(heuristic: str | Heuristic | Callable[..., Any]) -> Cost:
    """The cost of a native heuristic, as it was measured for this version of the package: see `Costs.of`.

    >>> of("improved"), of("bfs").value > 2
    (Cost(1.0), True)
    """
    return _packaged().of(heuristic)


@lru_cache(maxsize=1)
def _packaged() -> Costs:
    return load(TABLE)


def load(path: str | os.PathLike[str]) -> Costs:
    """The costs in a file that `isolation-fast cost --json` wrote.

    >>> packaged = load(TABLE)
    >>> packaged.by_name["improved"], sorted(packaged.made_by)
    (Cost(1.0), ['command', 'date', 'machine', 'python'])
    """
    # Not at the top: a script may have a `json.py` of its own, which it imports after this package.
    import json

    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"{path} is no table of costs: it is no JSON ({error})") from error
    entries = document.get("heuristics") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise InvalidArgumentError(f"{path} is no table of costs: it has no list `heuristics`")
    if document.get("bands") != list(BANDS):
        raise InvalidArgumentError(
            f"{path} has costs for other bands of blank cells, {document.get('bands')}: measure again"
        )
    by_name: dict[str, Cost] = {}
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            raise InvalidArgumentError(f"{path} has an entry without a name: {entry!r}")
        if name in by_name:
            raise InvalidArgumentError(f"{path} has two entries of the name {name!r}")
        by_name[name] = _read(path, name, entry)
    node = document.get("node")
    made_by = {name: document[name] for name in ("date", "machine", "python", "command") if name in document}
    return Costs(by_name, None if node is None else _read(path, "node", node), made_by)


def _read(path: str | os.PathLike[str], name: str, entry: Mapping[str, Any]) -> Cost:
    try:
        return Cost.from_dict(entry)
    except InvalidBudgetError as error:
        raise InvalidArgumentError(f"{path}, {name}: {error}") from error
