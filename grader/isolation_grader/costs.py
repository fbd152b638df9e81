"""The cost that a heuristic is graded at, and the store that keeps it for the next grading."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

from isolation_fast import Cost
from isolation_fast.cost import in_steps
from isolation_fast.jail import Assignment, Fault, Limits, measure_cost
from isolation_fast.measuring import CostInPlay, ObservedCost, cost_in_play
from isolation_fast.output import say
from isolation_grader.exceptions import OutOfTimeError
from isolation_grader.options import (
    UNUSABLE,
    Deadline,
    read_stored,
    require_writable_store,
    unusable,
    write_whole,
)

SCHEMA: Final = "isolation-grader/costs/2"
EARLIER: Final = "isolation-grader/costs/1"
"""Costs of another yardstick, so nothing is known of them now."""


@dataclass(frozen=True, slots=True)
class StoredCost:
    """What a node with a heuristic costs, in steps, and where that is from."""

    cost: Cost
    source: Literal["measured", "observed"]
    """`observed` if it took more in play than was measured."""
    raw: Cost
    """What was last measured, before it was rounded."""
    is_confirmed: bool = True
    """Whether games were played to the end at this cost: before, it may still turn out to take more."""

    @property
    def in_play(self) -> CostInPlay:
        """As a grading takes it. Interrupted games go on as those of a cost that has just been measured."""
        return CostInPlay(self.cost, "stored" if self.is_confirmed else "measured", self.raw)

    def to_dict(self) -> dict[str, Any]:
        """As a file has it."""
        raw, confirmed = self.raw.to_dict(), self.is_confirmed
        return {"source": self.source, **self.cost.to_dict(), "raw": raw, "confirmed": confirmed}

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> StoredCost:
        """What `to_dict` wrote."""
        if entry["source"] not in ("measured", "observed"):
            raise ValueError(f"the source of a cost is 'measured' or 'observed', not {entry['source']!r}")
        if not isinstance(entry["confirmed"], bool):
            raise TypeError(f"confirmed is true or false, not {entry['confirmed']!r}")
        raw = Cost.from_dict(entry["raw"])
        return cls(Cost.from_dict(entry), entry["source"], raw, entry["confirmed"])


class CostStore:
    """A folder with a file for each submission, named by the digest of its content.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = CostStore(Path(folder))
    ...     store.put("ab12", "custom_score", StoredCost(Cost(1.25), "measured", Cost(1.31)))
    ...     store.get("ab12", "custom_score").cost, store.get("ab12", "custom_score_2")
    (Cost(1.25), None)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._said: set[str] = set()

    def get(self, digest: str, heuristic: str) -> StoredCost | None:
        """The cost of a heuristic; None if it is not known."""
        return self._read(digest).get(heuristic)

    def heuristics(self, digest: str) -> tuple[str, ...]:
        """The heuristics of a submission whose cost is known."""
        return tuple(self._read(digest))

    def require_writable(self) -> None:
        """Refuse to measure a cost that could not be kept."""
        require_writable_store(self._folder)

    def put(self, digest: str, heuristic: str, stored: StoredCost) -> None:
        """Keep a cost, in place of what was known before."""
        costs = {**self._read(digest), heuristic: stored}
        content = {"schema": SCHEMA, "costs": {name: costs[name].to_dict() for name in sorted(costs)}}
        write_whole(self._folder / f"{digest}.json", json.dumps(content, indent=2) + "\n")

    def begin_again(self, digest: str) -> None:
        """Take all costs of a submission as just measured, whatever games have shown since.

        A grading that begins again goes on then as the one that was interrupted went on.
        """
        for heuristic, each in self._read(digest).items():
            measured = StoredCost(in_steps(each.raw), "measured", each.raw, is_confirmed=False)
            if each != measured:
                self.put(digest, heuristic, measured)

    def _read(self, digest: str) -> dict[str, StoredCost]:
        path = self._folder / f"{digest}.json"

        def parsed(content: Any) -> dict[str, Any]:
            if content["schema"] == EARLIER:
                return {}
            if content["schema"] != SCHEMA:
                raise ValueError(f"its schema is {content['schema']!r} and not {SCHEMA!r}")
            return dict(content["costs"])

        def usable(name: str, entry: Any) -> StoredCost | None:
            try:
                return StoredCost.from_dict(entry)
            except UNUSABLE as error:
                self._say(unusable(path, error, f"the stored cost of {name}"))
                return None

        entries = read_stored(path, parsed, self._say) or {}
        found = {name: usable(name, entry) for name, entry in entries.items()}
        return {name: each for name, each in found.items() if each is not None}

    def _say(self, line: str) -> None:
        """Say it once, however often the file is read."""
        if line not in self._said:
            self._said.add(line)
            say(line)


class FoundCost(NamedTuple):
    """The cost of a heuristic, or why it has none, and how many seconds it took to find it."""

    cost: CostInPlay | Fault | OutOfTimeError
    seconds: float


@dataclass(frozen=True, slots=True)
class Costs:
    """Finds the cost of each heuristic of a submission."""

    file: Path
    file_digest: str
    content_digest: str
    given: Mapping[str, float | Cost] | float | Cost | None
    store: CostStore
    limits: Limits
    measure_again: bool = False
    deadline: Deadline | None = None
    _lock: Lock = field(default_factory=Lock, init=False)
    """Held while the store is read and written: heuristics are measured side by side."""

    def of_all(
        self, heuristics: Sequence[str], workers: int, progress: Callable[[int, int], object]
    ) -> dict[str, FoundCost]:
        """The cost that each is graded at, those that must be measured side by side.

        `progress(done, of)` counts the positions of all that are measured.
        """
        stop, done = Event(), Counter[str]()

        def found(heuristic: str) -> FoundCost:
            def count(position: int, of: int) -> None:
                with self._lock:
                    done[heuristic] = position
                    progress(sum(done.values()), of * len(done))

            began = perf_counter()
            try:
                cost: CostInPlay | Fault | OutOfTimeError = self.of(heuristic, count, interrupted)
            except (Fault, OutOfTimeError) as error:
                cost = error
            return FoundCost(cost, perf_counter() - began)

        def interrupted() -> bool:
            return stop.is_set() or (self.deadline is not None and self.deadline())

        # One more than play at once: three heuristics keep two cores busy to the end.
        with ThreadPoolExecutor(workers + 1, thread_name_prefix="cost") as pool:
            try:
                return dict(zip(heuristics, pool.map(found, heuristics), strict=True))
            finally:
                # The threads see it, and end their processes.
                stop.set()

    def of(
        self,
        heuristic: str,
        progress: Callable[[int, int], object] | None = None,
        interrupted: Callable[[], bool] | None = None,
    ) -> CostInPlay:
        """The cost that it is graded at; a `Fault` if that cannot be measured."""
        stored = self.store.get(self.content_digest, heuristic)
        found = cost_in_play(
            lambda: self._measured(heuristic, progress, interrupted),
            given=self.given.get(heuristic) if isinstance(self.given, Mapping) else self.given,
            stored=stored.in_play if stored else None,
            again=self.measure_again and stored is not None and stored.is_confirmed,
        )
        assert found is not None  # a player's cost is not asked for
        if found.source == "measured" and (stored is None or stored.is_confirmed):
            assert found.raw is not None
            self._keep(heuristic, StoredCost(found.cost, "measured", found.raw, is_confirmed=False))
        return found

    def _measured(
        self,
        heuristic: str,
        progress: Callable[[int, int], object] | None,
        interrupted: Callable[[], bool] | None,
    ) -> Cost:
        self.store.require_writable()
        assignment = Assignment(self.file, heuristic, self.file_digest)
        measured = measure_cost(assignment, self.limits, progress=progress, interrupted=interrupted)
        if measured is None:
            raise Fault("not loaded", f"{heuristic} was a heuristic when it was loaded, and is a player now")
        return measured

    def confirm(self, heuristic: str) -> None:
        """Note that the heuristic kept to its cost in play."""
        stored = self.store.get(self.content_digest, heuristic)
        if stored is not None and not stored.is_confirmed:
            self._keep(heuristic, replace(stored, is_confirmed=True))

    def observed(self, heuristic: str, before: CostInPlay, found: ObservedCost) -> CostInPlay:
        """The cost that the turns of a heuristic showed, which is kept in place of a measured one."""
        cost = in_steps(found.cost)
        if before.source != "given":
            self._keep(heuristic, StoredCost(cost, "observed", before.raw or found.cost))
        return CostInPlay(cost, "observed", before.raw)

    def _keep(self, heuristic: str, stored: StoredCost) -> None:
        with self._lock:
            self.store.put(self.content_digest, heuristic, stored)
