"""What a rubric gives for a graded submission: its parts, each with its points and the reason in words.

Marks are computed from what the results say, and nothing is played for them. Where a strength is unknown,
that is no 0: the part is left open for a person to decide, unless the rubric says `not_graded = "zero"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import floor, sqrt
from typing import Any, ClassVar, Final, Literal, TypeAlias

from isolation_fast.tournament import ROSTERS
from isolation_grader.classes.facts import CUT, Against, Facts, Heuristic
from isolation_grader.loading import OUT_OF_TIME
from isolation_grader.options import BASELINE

By: TypeAlias = Literal["value", "low", "high"]
"""What is measured, or an end of its interval: `low` is what is proven, `high` what is possible."""
BYS: Final[Mapping[By, str]] = {
    "value": "as measured",
    "low": "by the lower end of its interval",
    "high": "by the upper end of its interval",
}
NotGraded: TypeAlias = Literal["open", "zero"]
OPEN: Final = "not graded: its strength is unknown"
MOVES: Final = 10.0
"""Points of a hundred that chance may move a mark, unless a rubric says otherwise."""
EDGE: Final = (
    "A verdict is all or nothing. A heuristic about half of the points asked for above {0} is better in one "
    "grading and not in the next: chance decides its mark. [difference] has no such edge."
)
OURS: Final = "the grader failed: grade it again with --resume"


@dataclass(frozen=True, slots=True)
class Given:
    """The points of one part for one submission."""

    label: str
    points: float | None
    """None where a person has to decide."""
    most: float
    is_bonus: bool
    is_visible: bool
    why: str


@dataclass(frozen=True, slots=True)
class Marks:
    """All parts of one submission.

    >>> Marks((Given("verdict", 50.0, 100.0, False, True, "undecided"),)).total
    50.0
    """

    parts: tuple[Given, ...]

    @property
    def total(self) -> float | None:
        """The sum; None where a person has to decide on a part, for a 0 would be taken for the mark."""
        return None if self.is_open else self.decided

    @property
    def decided(self) -> float:
        """The sum of what is decided."""
        return round(sum(each.points or 0.0 for each in self.parts), 2)

    @property
    def most(self) -> float:
        """The sum without a bonus."""
        return round(sum(each.most for each in self.parts if not each.is_bonus), 2)

    @property
    def is_open(self) -> bool:
        """Whether a person has to decide on a part."""
        return any(each.points is None for each in self.parts)

    @property
    def in_words(self) -> str:
        """The total for a table, such as `62.5`, `10 and open` or `open`."""
        if not self.is_open:
            return f"{self.decided:g}"
        return f"{self.decided:g} and open" if self.decided else "open"

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        parts = [asdict(each) for each in self.parts]
        sums = {"total": self.total, "decided": self.decided, "most": self.most}
        return {**sums, "open": self.is_open, "parts": parts}

    def shown(self) -> Marks:
        """What the student sees."""
        return Marks(tuple(each for each in self.parts if each.is_visible))


class Part:
    """A part of a rubric: what it gives points for."""

    __slots__ = ()
    is_bonus: ClassVar[bool] = False
    visible: bool

    @property
    def label(self) -> str:
        """Its name in tables."""
        return type(self).__name__.lower()

    @property
    def most(self) -> float:
        """Its points at most."""
        raise NotImplementedError

    @property
    def explained(self) -> str:
        """What it gives for, in a sentence."""
        raise NotImplementedError

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:
        """The points for a submission and the reason; None where its strength is unknown."""
        raise NotImplementedError

    def moves(self, margin: float) -> float:  # noqa: ARG002 - most do not
        """By how much two gradings may differ, in 95 % of cases, where a difference is known to ± margin."""
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth(Part):
    """A part that is worth so many points."""

    points: float
    visible: bool = True

    @property
    def most(self) -> float:  # noqa: D102 - as Part says
        return self.points


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading(Worth):
    """For a submission that can be loaded."""

    @property
    def explained(self) -> str:  # noqa: D102
        return "if the submission can be loaded and has a heuristic that is written"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        if facts.is_loaded:
            return self.points, "it was loaded"
        return 0.0, facts.problem or "it has no heuristic that is written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floats(Worth):
    """For heuristics that return numbers."""

    @property
    def explained(self) -> str:  # noqa: D102
        return "for the share of its heuristics that return a number, and no NaN, wherever they are asked"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        if facts.is_cut and not all(each.games for each in facts.heuristics):
            return None, CUT
        every = len(facts.heuristics)
        good = sum(each.returns_numbers for each in facts.heuristics)
        share = good / every if every else 0.0
        return round(share * self.points, 2), f"{good} of {every} heuristics return numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conformance(Worth):
    """For players that pass the course's own tests."""

    @property
    def explained(self) -> str:  # noqa: D102
        return "for the share of the course's own tests that it passes"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        if facts.cause:
            return 0.0, facts.problem
        if facts.tests is None:
            return None, "the course's tests were not run: grade the class with --conformance"
        if not_run := facts.tests.called("not run"):
            return None, f"there was no time for {len(not_run)} tests"
        passed, of = len(facts.tests.called("passed")), len(facts.tests.outcomes)
        failed = ", ".join(facts.tests.called("failed"))
        told = f"{passed} of {of} tests passed{f'; failed: {failed}' if failed else ''}"
        return round(self.points * passed / of, 2) if of else 0.0, told


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent(Worth):
    """For beating one opponent."""

    name: str
    above: float = 50.0
    """Per cent of the games."""
    by: By = "value"

    @property
    def label(self) -> str:  # noqa: D102
        return f"beats {self.name}" if self.above == 50 else f"above {self.above:g} % against {self.name}"

    @property
    def explained(self) -> str:  # noqa: D102
        playing = [roster for roster, names in opponents_by_roster().items() if self.name in names]
        where = "" if len(playing) == len(ROSTERS) else f" of the {' or '.join(playing)} roster"
        games = f"more than {self.above:g} % of its games against {self.name}{where}"
        return f"if the best heuristic wins {games}, {BYS[self.by]}"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        best = facts.best
        against = None if best is None else best.opponents.get(self.name)
        rate = None if against is None else _end(against, self.by)
        if best is None or rate is None:
            return None, f"{best.name} has not played {self.name}" if best else OPEN
        won = f"{best.name} wins {100 * rate:.1f} %{'' if self.by == 'value' else f' ({self.by})'}"
        # Not in per cent: 100 * 0.55 is above 55.
        return (self.points if rate > self.above / 100 else 0.0), won


@dataclass(frozen=True, slots=True)
class Verdict(Part):
    """For the verdict on the best heuristic."""

    better: float
    undecided: float
    not_better: float
    visible: bool = True

    @property
    def most(self) -> float:  # noqa: D102
        return max(self.better, self.undecided, self.not_better)

    @property
    def explained(self) -> str:  # noqa: D102
        others = f"{self.undecided:g} if it is undecided, {self.not_better:g} if it is not better"
        return f"for the verdict: {self.better:g} if a heuristic is better than {BASELINE}, {others}"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        points = {"better": self.better, "undecided": self.undecided, "not better": self.not_better}
        waited = any(each.cause == OUT_OF_TIME for each in facts.heuristics)
        if facts.is_cut and (facts.verdict == "undecided" or (facts.verdict == "not better" and waited)):
            # A limit of time earns nobody points, and costs nobody those of a heuristic that it left out.
            return None, CUT
        return points.get(facts.verdict), facts.verdict if facts.verdict in points else OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(Worth):
    """Partial credit for the measured difference."""

    none_at: float
    """Points of a hundred to the baseline, at and below which there is nothing."""
    all_at: float
    by: By = "value"

    @property
    def explained(self) -> str:  # noqa: D102
        ends = f"from 0 at {self.none_at:+g} points to {BASELINE} to all of them at {self.all_at:+g}"
        return f"for the difference of the best heuristic, {ends}, {BYS[self.by]}"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102, ARG002
        measured = _difference(facts.best, self.by)
        if measured is None:
            return None, OPEN
        share = (100 * measured - self.none_at) / (self.all_at - self.none_at)
        points = round(self.points * min(max(share, 0.0), 1.0), 2)
        return points, f"{_in_points(facts.best, self.by)} to {BASELINE}"

    def moves(self, margin: float) -> float:  # noqa: D102
        # Each of the two is off by its own chance.
        return min(self.points, sqrt(2) * 100 * margin * self.points / (self.all_at - self.none_at))


@dataclass(frozen=True, slots=True)
class Leaderboard(Part):
    """A bonus for the first places of the class."""

    bonus: tuple[float, ...]
    by: By = "value"
    games: bool = False
    """Whether its places are those of the games among the class, and not those of the differences."""
    visible: bool = True
    is_bonus: ClassVar[bool] = True

    @property
    def most(self) -> float:  # noqa: D102
        return max(self.bonus)

    @property
    def explained(self) -> str:  # noqa: D102
        places = ", ".join(f"{points:g} for place {number}" for number, points in enumerate(self.bonus, 1))
        what = f"largest difference of the class, {BYS[self.by]}"
        return f"as a bonus for the {'first places of its leaderboard' if self.games else what}: {places}"

    def of(self, facts: Facts, place: int | None) -> tuple[float | None, str]:  # noqa: D102
        if place is None:
            return 0.0, "it has no place"
        if not self.games:
            why = f"place {place} by {_in_points(facts.best, self.by)}"
        elif facts.equal is None or facts.equal == (place, place):
            why = f"place {place}"
        else:
            why = f"place {place}: its games do not tell it from places {places_in_words(facts.equal)}"
        return (self.bonus[place - 1] if place <= len(self.bonus) else 0.0), why


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a class is marked by."""

    title: str
    parts: tuple[Part, ...]
    not_graded: NotGraded = "open"
    moves: float = MOVES
    """Points of a hundred that chance may move a mark; with more, a warning says so."""
    value_work: int | None = None
    """How much one value of a heuristic may take, in nodes with `improved`."""
    text: str = field(default="", compare=False, repr=False)
    """As it was written."""
    name: str = field(default="", compare=False, repr=False)
    """What its file is called."""

    @property
    def most(self) -> float:
        """Points without a bonus."""
        return round(sum(each.most for each in self.parts if not each.is_bonus), 2)

    def explained(self) -> Iterator[str]:
        """What it gives for, a line each."""
        bonus = sum(each.most for each in self.parts if each.is_bonus)
        more = f", and up to {bonus:g} more as a bonus" if bonus else ""
        colon = "" if self.title.endswith((".", "?", "!", ":")) else ":"
        yield f"{self.title}{colon} {self.most:g} points{more}."
        for each in self.parts:
            hidden = "" if each.visible else " Students do not see it."
            yield f"- {each.label}: up to {each.most:g} points {each.explained}.{hidden}"
        if any(isinstance(each, Verdict) for each in self.parts):
            yield EDGE.format(BASELINE)
        if self.value_work is not None:
            yield f"A value that takes more than {self.value_work:,} nodes with improved loses the game."
        if self.not_graded == "open":
            yield "What could not be graded leaves its parts open: a person decides, and the total says so."
        else:
            yield "What could not be graded by the submission's own fault gets 0 points."

    def too_much(self, margin: float) -> str:
        """A warning where chance moves marks by more than it says; empty where it does not.

        `margin` is half of the 95 % interval of differences.
        """
        moved, allowed = sum(each.moves(margin) for each in self.parts), self.moves * self.most / 100
        if moved <= allowed:
            return ""
        told = (
            f"in 95 % of cases a mark moves by up to {moved:.3g} of {self.most:g} points between two gradings"
        )
        known = f"where a difference is known to ± {100 * margin:.2g} points"
        # Rounded down, so that it is enough.
        enough = floor(1000 * margin * allowed / moved) / 10
        remedy = f"--precision {enough:g} keeps to it" if enough else "none_at and all_at are too near"
        return f"{told}, {known}; the rubric allows {allowed:.3g} (moves = {self.moves:g}): {remedy}"

    def places(self, facts: Sequence[Facts]) -> dict[str, int]:
        """The place of each submission in the class by its best difference. Equal ones share a place.

        Where the rubric asks for it, that on the leaderboard of the class.
        """
        board = next((each for each in self.parts if isinstance(each, Leaderboard)), None)
        if board is not None and board.games:
            return {each.key: each.place for each in facts if each.place is not None}
        by: By = "value" if board is None else board.by
        measured = {each.key: _difference(each.best, by) for each in facts}
        known = {key: value for key, value in measured.items() if value is not None}
        return {key: 1 + sum(other > value for other in known.values()) for key, value in known.items()}

    def marks(self, facts: Facts, place: int | None) -> Marks:
        """The marks of one submission that has this place."""
        return Marks(tuple(self._given(each, facts, place) for each in self.parts))

    def _given(self, part: Part, facts: Facts, place: int | None) -> Given:
        points, why = part.of(facts, place)
        if facts.has_failed:
            points, why = None, OURS
        elif facts.is_cut and facts.cause:
            points, why = None, facts.problem
        elif why == OPEN and self.not_graded == "zero" and not facts.is_cut:
            points = 0.0
        return Given(part.label, points, part.most, part.is_bonus, part.visible, why)


def opponents_by_roster() -> dict[str, list[str]]:
    """The names of the opponents in each roster.

    >>> opponents_by_roster()["early"][4]
    'AB_Null'
    """
    return {roster: [each.partition("=")[0] for each in names] for roster, names in ROSTERS.items()}


def places_in_words(places: tuple[int, int]) -> str:
    """Places from one to another.

    >>> places_in_words((6, 16)), places_in_words((2, 2))
    ('6 to 16', '2')
    """
    first, last = places
    return f"{first}" if first == last else f"{first} to {last}"


def _in_points(best: Heuristic | None, by: By) -> str:
    """A difference, or an end of its interval, as the reason for a mark."""
    measured = _difference(best, by)
    if best is None or best.difference is None or measured is None:
        return "nothing"
    if by != "value":
        return f"{100 * measured:+.1f} points ({by})"
    return f"{100 * measured:+.1f} ± {100 * best.difference.interval.margin:.1f} points"


def _difference(best: Heuristic | None, by: By) -> float | None:
    if best is None or best.difference is None:
        return None
    return best.difference.value if by == "value" else float(getattr(best.difference.interval, by))


def _end(against: Against, by: By) -> float | None:
    if by == "value" or against.interval is None:
        return against.rate if by == "value" else None
    return float(getattr(against.interval, by))
