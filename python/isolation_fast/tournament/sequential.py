"""Stopping a tournament as soon as its games have decided."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer, proper_share
from isolation_fast.playing.outcomes import NOT_PLAYED
from isolation_fast.statistics import BlockTest, PairTest, SequentialResult, Width
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.tally import Tally


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of a player's rate: play until it is clear whether it is `h0` or `h1`.

    In a match the test looks at the first player's rate, pair by pair; in a gauntlet at the rate of the one
    test player, block by block. `alpha` is the probability of accepting H1 where the rate is `h0`, `beta`
    that of accepting H0 where it is `h1`. Once an opponent is broken there are no more complete blocks, and
    no decision.

    >>> Sprt(h0=0.5, h1=0.55)
    Sprt(h0=0.5, h1=0.55, alpha=0.05, beta=0.1, baseline_error=0.0, most=None, margin=None)
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.1
    baseline_error: float = 0.0
    """In a gauntlet: the standard error of `h0`, if that is the measured rate of another player."""
    most: int | None = field(default=None, kw_only=True)
    """The test looks at no more blocks or pairs; without a decision it is then undecided."""
    margin: float | None = field(default=None, kw_only=True)
    """In a gauntlet: play on, whatever the test finds, until the 95 % interval is ± this at most."""

    def __post_init__(self) -> None:
        self.block_test()  # checks the numbers
        if self.most is not None:
            integer("most", self.most, 2)
        if self.margin is not None:
            proper_share("margin", self.margin)

    def pair_test(self) -> PairTest:
        """Make the test that looks at pairs."""
        if self.baseline_error:
            raise InvalidArgumentError("baseline_error= is for gauntlets: a match has no baseline")
        if self.margin is not None:
            raise InvalidArgumentError("margin= is for gauntlets: a match has no blocks")
        return PairTest(self.h0, self.h1, alpha=self.alpha, beta=self.beta)

    def block_test(self) -> BlockTest:
        """The test that looks at blocks."""
        return BlockTest(
            self.h0, self.h1, alpha=self.alpha, beta=self.beta, baseline_error=self.baseline_error
        )


@dataclass(frozen=True, slots=True)
class SequentialOutcome:
    """What a sequential test asked about a player's pairs or blocks, and what it found."""

    player: str
    unit: Literal["pairs", "blocks"]
    h0: float
    h1: float
    alpha: float
    beta: float
    result: SequentialResult

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        fields = asdict(self)
        result = fields.pop("result")
        return {**fields, **result}

    def __str__(self) -> str:
        h0, h1 = (f"{100 * each:.4g} %" for each in (self.h0, self.h1))
        found, after = self.result, f"after {self.result.count} {self.unit}"
        said = f"undecided between {h0} (H0) and {h1} (H1) {after}"
        if found.decision is not None:
            rates = (h0, h1) if found.decision == "H0" else (h1, h0)
            said = f"decided for {rates[0]} ({found.decision}), not {rates[1]}, {after}"
        return f"{self.player}: {said}: LLR {found.llr:.2f} ({found.lower:.2f} to {found.upper:.2f})"


class SequentialWatch:
    """Looks at the complete pairs or blocks of a tally, in the order of the plan, until they decide."""

    def __init__(self, plan: Plan, sprt: Sprt) -> None:
        if len(plan.pairings) > 1 and (plan.format != "gauntlet" or len(plan.tested) != 1):
            raise InvalidArgumentError(
                "a sequential test is for a match or for a gauntlet of one test player, "
                f"not for a {plan.format} of {len(plan.tested)} players"
            )
        self._player = plan.entrants[plan.pairings[0].first].name
        self._unit: Literal["pairs", "blocks"] = "pairs" if len(plan.pairings) == 1 else "blocks"
        self._sprt = sprt
        self._test = sprt.pair_test() if self._unit == "pairs" else sprt.block_test()
        self._width = None if sprt.margin is None else Width(sprt.margin, sprt.baseline_error)
        self._seen = 0
        self.ended_after: int | None = None
        """After how many openings it was over, None while it is not."""

    @property
    def outcome(self) -> SequentialOutcome:
        """What the test found so far."""
        sprt = self._sprt
        return SequentialOutcome(
            self._player, self._unit, sprt.h0, sprt.h1, sprt.alpha, sprt.beta, self._test.result
        )

    def look(self, tally: Tally) -> None:
        """Look at the new openings, up to the one that ends it."""
        if tally.openings == self._seen or self.ended_after is not None:
            return
        counted = tally.counted()
        outcomes = [each[2 * self._seen :] for each in counted.outcomes]
        faulty = {each.opening for each in counted.strikes}
        before, self._seen = self._seen, tally.openings
        for opening in range(before, tally.openings):
            first = 2 * (opening - before)
            block = b"".join(each[first : first + 2] for each in outcomes)
            is_decided = self._is_decided
            if is_decided and (opening in faulty or NOT_PLAYED in block):
                # No fault after the test may change what it found.
                self.ended_after = opening
                return
            if NOT_PLAYED in block:
                return  # a player is broken: no block is complete from here on
            mean = sum(block) / len(block)
            if not is_decided:
                self._test.add(mean)
            if self._width is not None:
                self._width.add(mean)
            if self._is_decided and (self._width is None or self._width.is_narrow):
                self.ended_after = opening + 1
                return

    @property
    def _is_decided(self) -> bool:
        found, most = self._test.result, self._sprt.most
        return found.decision is not None or (most is not None and found.count >= most)
