"""The cost that a heuristic is graded at: given, stored, or measured and rounded to steps.

A step is a power of 1.25: coarse, so that measuring again mostly gives the same one, and a fifth more or less
search makes a difference that games do not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Final

from isolation_fast import Cost
from isolation_fast.cost.definition import checked_cost
from isolation_fast.jail import Assignment, Limits, MeasuredCost, measure_cost
from isolation_grader.cost_store import CostStore, StoredCost
from isolation_grader.report import CostUsed

__all__ = ["CostOfPlay", "Costs", "in_steps", "settled"]

STEP: Final = 1.25
ROUNDS: Final = 15
"""Their median mostly lies in the same step again; that of five does not, where others use the machine."""
ROUNDS_OF_SLOW_ONES: Final = 3
QUICKLY: Final = 3.0
"""Seconds for those three, beyond which they are enough: calls that take long are timed well by few."""


@dataclass(frozen=True, slots=True)
class CostOfPlay:
    """What a heuristic is graded at."""

    used: CostUsed
    measured: MeasuredCost | None
    """What its referee compares its games with; None where nothing is known of that."""
    raw: float | None = None
    """As it was measured this time, before it was rounded."""


def in_steps(cost: Cost) -> Cost:
    """A cost in powers of 1.25: one for all, or, where bands differ by more than a step, one for each.

    >>> in_steps(Cost(1.31)), in_steps(Cost(2.0, (1.9, 2.0, 2.0, 2.1, 2.1)))
    (Cost(1.25), Cost(1.953))
    >>> in_steps(Cost(3.0, (8.1, 4.2, 3.0, 2.0, 1.0)))
    Cost(3.454, bands=(7.451, 3.815, 3.052, 1.953, 1.0))
    """
    if cost.bands is None or max(cost.bands) <= STEP * min(cost.bands):
        return _of_steps([round(_log(cost.value))])
    return _of_steps([round(_log(each)) for each in cost.bands])


def settled(measured: Cost, stored: Cost | None) -> Cost:
    """The steps of a cost that was measured again: stored ones stay where it is not clearly outside them.

    A step reaches half a step up and down; outside is who lies half a step beyond that.

    >>> stored = in_steps(Cost(1.25))
    >>> settled(Cost(1.5), stored), settled(Cost(1.6), stored)
    (Cost(1.25), Cost(1.562))
    """
    if stored is None:
        return in_steps(measured)
    if stored.bands is None:
        # Two steps and not one: the bands of a cost that is as good as even may measure as uneven.
        is_even = measured.bands is None or max(measured.bands) <= STEP**2 * min(measured.bands)
        stays = is_even and _is_near(measured.value, stored.value)
        return stored if stays else in_steps(measured)
    bands = measured.bands or (measured.value,) * len(stored.bands)
    steps = [
        round(_log(old)) if _is_near(new, old) else round(_log(new))
        for new, old in zip(bands, stored.bands, strict=True)
    ]
    return _of_steps(steps)


def _is_near(new: float, old: float) -> bool:
    return abs(_log(new) - round(_log(old))) <= 1.0


def _log(number: float) -> float:
    return log(number, STEP)


def _of_steps(steps: Sequence[int]) -> Cost:
    """One number where all steps are the same one. Four digits, so that people can write what they read."""
    numbers = [round(STEP**each, 3) if each >= 0 else float(f"{STEP**each:.4g}") for each in steps]
    if len(set(numbers)) == 1:
        return Cost(numbers[0])
    return Cost(round(fmean(numbers), 3), tuple(numbers))


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

    def of(self, heuristic: str) -> CostOfPlay:
        """What it is graded at; a `Fault` where that cannot be measured."""
        given = self._given(heuristic)
        stored = self.store.get(self.content_digest, heuristic)
        if given is not None:
            return CostOfPlay(CostUsed(given, "given"), _as_measured(stored) if stored else None)
        if stored is not None and stored.is_confirmed and not self.measure_again:
            return CostOfPlay(CostUsed(stored.cost, "stored"), _as_measured(stored))
        if stored is not None and not stored.is_confirmed:
            # Its games were interrupted: they go on as those of a cost that has just been measured.
            return CostOfPlay(CostUsed(stored.cost, "measured"), _as_measured(stored), stored.raw.value)
        self.store.require_writable()
        measured = self._measured(heuristic)
        if measured is None:
            raise TypeError(f"{heuristic} is a player, and has no cost")
        cost = settled(measured.cost, stored.cost if stored else None)
        self._keep(heuristic, StoredCost(cost, "measured", measured.cost, measured.cpu_per_call, False))
        return CostOfPlay(CostUsed(cost, "measured"), measured, measured.cost.value)

    def _measured(self, heuristic: str) -> MeasuredCost | None:
        assignment = Assignment(self.file, heuristic, self.file_digest)
        began = perf_counter()
        measured = measure_cost(assignment, self.limits, rounds=ROUNDS_OF_SLOW_ONES)
        if measured is None or perf_counter() - began > QUICKLY:
            return measured
        return measure_cost(assignment, self.limits, rounds=ROUNDS)

    def confirm(self, heuristic: str) -> None:
        """It kept to its cost when it played."""
        stored = self.store.get(self.content_digest, heuristic)
        if stored is not None and not stored.is_confirmed:
            self._keep(heuristic, replace(stored, is_confirmed=True))

    def observed(self, heuristic: str, before: CostOfPlay, ratio: float) -> CostOfPlay:
        """The cost of one that took so many times what had been measured, which is kept from now on."""
        assert before.measured is not None
        old, per_call = before.used.cost, tuple(ratio * each for each in before.measured.cpu_per_call)
        bands = None if old.bands is None else tuple(ratio * each for each in old.bands)
        cost = in_steps(Cost(ratio * old.value, bands))
        self._keep(heuristic, StoredCost(cost, "observed", before.measured.cost, per_call))
        return CostOfPlay(CostUsed(cost, "observed"), MeasuredCost(cost, per_call), before.raw)

    def _given(self, heuristic: str) -> Cost | None:
        given = self.given.get(heuristic) if isinstance(self.given, Mapping) else self.given
        return None if given is None else checked_cost(given)

    def _keep(self, heuristic: str, stored: StoredCost) -> None:
        self.store.put(self.content_digest, heuristic, stored)


def _as_measured(stored: StoredCost) -> MeasuredCost:
    return MeasuredCost(stored.cost, stored.cpu_per_call)
