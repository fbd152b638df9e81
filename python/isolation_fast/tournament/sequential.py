"""Stopping a tournament as soon as its games have decided."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.playing.outcomes import NOT_PLAYED
from isolation_fast.statistics import BlockTest, PairTest, SequentialResult
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
    Sprt(h0=0.5, h1=0.55, alpha=0.05, beta=0.1, baseline_error=0.0)
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.1
    baseline_error: float = 0.0
    """In a gauntlet: the standard error of `h0`, if that is the measured rate of another player."""

    def __post_init__(self) -> None:
        self.block_test()  # checks the numbers

    def pair_test(self) -> PairTest:
        """Make the test that looks at pairs."""
        if self.baseline_error:
            raise InvalidArgumentError("baseline_error= is for gauntlets: a match has no baseline")
        return PairTest(self.h0, self.h1, alpha=self.alpha, beta=self.beta)

    def block_test(self) -> BlockTest:
        """The test that looks at blocks."""
        return BlockTest(**asdict(self))


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
        self._seen = 0

    @property
    def decided_after(self) -> int | None:
        """After how many openings it decided, None while it has not."""
        return self._test.result.count if self._test.result.decision else None

    @property
    def outcome(self) -> SequentialOutcome:
        """What the test found so far."""
        sprt = self._sprt
        return SequentialOutcome(
            self._player, self._unit, sprt.h0, sprt.h1, sprt.alpha, sprt.beta, self._test.result
        )

    def look(self, tally: Tally) -> None:
        """Look at the new openings, up to the one that decides."""
        if tally.openings == self._seen or self.decided_after is not None:
            return
        outcomes = [each[2 * self._seen :] for each in tally.counted().outcomes]
        self._seen = tally.openings
        for first in range(0, len(outcomes[0]), 2):
            block = b"".join(each[first : first + 2] for each in outcomes)
            if NOT_PLAYED in block:
                return  # a player is broken: no block is complete from here on
            if self._test.add(sum(block) / len(block)):
                return
