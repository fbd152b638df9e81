"""What came of grading a submission: one model, which every form of report shows.

All but the timings is the same on every run with the same seed and costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from isolation_fast import Cost
from isolation_fast.endings import GameEnding
from isolation_fast.jail import Level
from isolation_fast.measuring import CostInPlay, CostSource
from isolation_fast.statistics import Difference, GauntletRate, Interval, SequentialResult
from isolation_fast.tournament import GameRecord, PlayerResult, Score
from isolation_grader.exit_status import ExitStatus
from isolation_grader.findings import Printed
from isolation_grader.question import Question
from isolation_grader.timings import GradingTimings

__all__ = [
    "BASELINE",
    "SCHEMA",
    "Baseline",
    "CostUsed",
    "Graded",
    "Grading",
    "LostGame",
    "Problem",
    "Report",
    "Verdict",
]

BASELINE: Final = "AB_Improved"
"""Who is to be beaten."""

SCHEMA: Final = "isolation-grader/report/1"
"""What the JSON of a report begins with. Another number is another meaning of the fields."""

Verdict: TypeAlias = Literal["better", "not better", "undecided", "not graded"]
"""`better` where H1 was accepted, `not better` where H0 was, `undecided` where the most blocks were played
without a decision, `not graded` where there is none for a reason that is told."""


@dataclass(frozen=True, slots=True)
class CostUsed:
    """What a node with a heuristic was taken to cost, and where that is from."""

    cost: Cost
    source: CostSource
    """`observed` if it took more in play than was measured."""

    @classmethod
    def of(cls, found: CostInPlay | None) -> CostUsed | None:
        """What a report says of a cost."""
        return None if found is None else cls(found.cost, found.source)

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        bands = None if self.cost.bands is None else list(self.cost.bands)
        return {"source": self.source, "value": self.cost.value, "bands": bands}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no verdict."""

    cause: str
    """In a word or two: `not loaded`, `template`, `raised` ..."""
    reason: str
    """One line: what happened, and in which line of the submission."""
    help: str
    """What to do about it."""
    trace: tuple[str, ...] = ()
    """The traceback within the submission's own files, in lines; empty where there is none."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {**asdict(self), "trace": list(self.trace)}


@dataclass(frozen=True)
class Baseline:
    """How `AB_Improved` does against the same opponents with the same budget."""

    name: str
    rate: GauntletRate
    scores: tuple[Score, ...]
    """Against each opponent."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {
            "name": self.name,
            "rate": self.rate.rate,
            "standard_error": self.rate.standard_error,
            "interval": interval_fields(self.rate.interval),
            "blocks": self.rate.blocks,
            "opponents": [score_fields(each) for each in self.scores],
        }


@dataclass(frozen=True)
class LostGame:
    """A lost game, and what happened in it."""

    opponent: str
    record: GameRecord
    """The game, move by move; `record.opening` and `record.side` name it."""
    happened: str
    """In one sentence."""
    turning: int | None = None
    """The index, in the record's moves, of the move that lost a game that was won, as far as it is known."""
    trace: tuple[str, ...] = ()
    """Where it raised: the traceback within the submission's own files, in lines."""

    @property
    def ending(self) -> GameEnding:
        """How it was lost."""
        return self.record.ending

    @property
    def player(self) -> Literal[1, 2]:
        """Which player of the game the submission was."""
        return 1 if self.record.side == 0 else 2

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {
            "opponent": self.opponent,
            "opening": self.record.opening,
            "player": self.player,
            "ending": self.ending,
            "happened": self.happened,
            "turning": self.turning,
            "trace": list(self.trace),
            "record": self.record.to_dict(),
        }


@dataclass(frozen=True)
class Grading:
    """One test of a heuristic: the games that count, and what they decided."""

    verdict: Verdict
    cost: CostUsed | None
    """None where the budget needs none."""
    alpha: float | None
    """Of this test alone; None where there was none to be."""
    result: PlayerResult | None
    """Wins, losses and faults; None where nothing was played."""
    test: SequentialResult | None
    difference: Difference | None
    """To the baseline; None where no block is complete, and where it is `not graded`."""

    @property
    def scores(self) -> tuple[Score, ...]:
        """Against each opponent."""
        return () if self.result is None else self.result.scores

    @property
    def won(self) -> int:
        """How many games were won."""
        return sum(each.won for each in self.scores)

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(each.games for each in self.scores)

    @property
    def rate(self) -> float | None:
        """The share of games won; None where none was played, and where it is `not graded`: that is no 0."""
        return self.won / self.games if self.games and self.verdict != "not graded" else None

    @property
    def interval(self) -> Interval | None:
        """Where the true rate is, by the blocks; None where the rate is."""
        return None if self.result is None or self.rate is None else self.result.interval

    @property
    def endings(self) -> Mapping[GameEnding, int]:
        """How its games were lost, and how often."""
        return {} if self.result is None else self.result.endings

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {
            "verdict": self.verdict,
            "cost": None if self.cost is None else self.cost.to_dict(),
            "alpha": self.alpha,
            "games": self.games,
            "won": self.won,
            "lost": self.games - self.won,
            "rate": self.rate,
            "interval": interval_fields(self.interval),
            "difference": difference_fields(self.difference),
            "test": None if self.test is None else asdict(self.test),
            "opponents": [score_fields(each) for each in self.scores],
            "endings": dict(self.endings),
        }


@dataclass(frozen=True)
class Graded:
    """A heuristic, or a player, of a submission, and its verdict."""

    name: str
    grading: Grading
    """The test that decides."""
    earlier: Grading | None = None
    """The one before it, which was played at a cost that it did not keep to."""
    problem: Problem | None = None
    """Why it is `not graded`."""
    lost_games: tuple[LostGame, ...] = ()
    """All that count, in the order of the plan."""
    advice: tuple[str, ...] = ()
    """What to try next, a sentence each."""
    printed: Printed = field(default_factory=Printed)

    @property
    def verdict(self) -> Verdict:
        """That of the test that decides."""
        return self.grading.verdict

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "problem": None if self.problem is None else self.problem.to_dict(),
            "grading": self.grading.to_dict(),
            "earlier": None if self.earlier is None else self.earlier.to_dict(),
            "advice": list(self.advice),
            "lost_games": [each.to_dict() for each in self.lost_games],
            "printed": self.printed.to_dict(),
        }


@dataclass(frozen=True)
class Report:
    """A graded submission.

    `repr` and `==` leave the timings out: two runs with the same seed and costs are equal.
    """

    submission: str
    """The name of its file."""
    digest: str
    """SHA-256 of what was graded: the file, and what it may import beside it."""
    version: str
    """Of the grader and the engine."""
    sandbox: Level
    """What was really kept from it."""
    roster: str
    opponents: tuple[str, ...]
    seed: int
    budget: str
    plays: Literal["search", "players"]
    """Whether our search plays with its heuristics, or its own players play."""
    question: Question
    baseline: Baseline | None
    """None where nothing could be graded."""
    graded: tuple[Graded, ...]
    problem: Problem | None = None
    """Why nothing of it could be graded."""
    is_complete: bool = True
    """False while it is being graded."""
    reproducible: bool = True
    """Whether grading it again gives the same: False where a clock decided something."""
    printed: Printed = field(default_factory=Printed)
    """While it was loaded."""
    timings: GradingTimings = field(default_factory=GradingTimings, compare=False, repr=False)

    @property
    def verdict(self) -> Verdict:
        """Of all together: the first of `better`, `undecided`, `not better`, `not graded` that any is.

        It is `undecided` while it is being graded and none is better so far.
        """
        found = {each.verdict for each in self.graded}
        order: tuple[Verdict, ...] = ("better", "undecided", "not better")
        return next((each for each in order if each in found), "not graded")

    @property
    def status(self) -> ExitStatus:
        """With what the command ends that found this."""
        return STATUS[self.verdict]

    @property
    def baseline_name(self) -> str:
        """Who is to be beaten."""
        return BASELINE

    def heuristic(self, name: str) -> Graded:
        """The one of that name; a KeyError where there is none."""
        return {each.name: each for each in self.graded}[name]

    def to_dict(self) -> dict[str, Any]:
        """All but the timings, as JSON knows it."""
        return {
            "schema": SCHEMA,
            "submission": self.submission,
            "digest": self.digest,
            "version": self.version,
            "verdict": self.verdict,
            "status": int(self.status),
            "complete": self.is_complete,
            "reproducible": self.reproducible,
            "sandbox": self.sandbox.to_dict(),
            "roster": self.roster,
            "opponents": list(self.opponents),
            "seed": self.seed,
            "budget": self.budget,
            "plays": self.plays,
            "question": self.question.to_dict(),
            "baseline": None if self.baseline is None else self.baseline.to_dict(),
            "problem": None if self.problem is None else self.problem.to_dict(),
            "printed": self.printed.to_dict(),
            "graded": [each.to_dict() for each in self.graded],
        }


STATUS: Final[Mapping[Verdict, ExitStatus]] = {
    "better": ExitStatus.GOOD,
    "not better": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
    "not graded": ExitStatus.NOT_GRADED,
}


def interval_fields(interval: Interval | None) -> dict[str, float] | None:
    """As JSON knows it."""
    return None if interval is None else asdict(interval)


def difference_fields(difference: Difference | None) -> dict[str, Any] | None:
    """As JSON knows it: a share of games, not points."""
    return None if difference is None else asdict(difference)


def score_fields(score: Score) -> dict[str, Any]:
    """What is shown of the games against one opponent."""
    return {
        "name": score.opponent,
        "games": score.games,
        "won": score.won,
        "lost": score.lost,
        "rate": score.rate,
        "interval": interval_fields(score.interval),
    }
