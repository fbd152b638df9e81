"""What came of grading or probing a submission: one model, which every form of report shows.

All but the timings is the same on every run with the same seed, where nothing is timed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import IntEnum
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from isolation_fast.endings import GameEnding
from isolation_fast.jail import Level, Output
from isolation_fast.numbers import Nan
from isolation_fast.statistics import Difference, GauntletRate, Interval, SequentialResult
from isolation_fast.tournament import PlayerResult, Score, ThrownWins
from isolation_grader.exceptions import ExitStatus
from isolation_grader.options import BASELINE, Question, Terms, Work

if TYPE_CHECKING:
    from isolation_grader.lost_games import LostGame
    from isolation_grader.profile import Profile

SCHEMA: Final = "isolation-grader/report/3"
"""What the JSON of a report begins with. Another number is another meaning of the fields."""

Verdict: TypeAlias = Literal["better", "not better", "undecided", "not graded"]
"""`better`: H1 was accepted. `not better`: H0 was. `undecided`: neither, after the last block. `not graded`:
a problem kept the question from being answered."""

STATUS: Final[Mapping[Verdict, ExitStatus]] = {
    "better": ExitStatus.GOOD,
    "not better": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
    "not graded": ExitStatus.NOT_GRADED,
}


class Document:
    """A part of a document: `to_dict` gives its fields, or what `JSON` names.

    `name=path` in `JSON` gives the attribute at the end of that path under another name.
    """

    __slots__ = ()
    JSON: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return fields_of(self, self.JSON)


def fields_of(value: Any, named: str = "") -> dict[str, Any]:
    """The fields of a dataclass as JSON knows them, or the attributes named as in `Document.JSON`."""
    names = named.split() or [each.name for each in fields(value)]
    pairs = [name.rpartition("=") for name in names]
    return {name or path: _plain(attrgetter(path)(value)) for name, _, path in pairs}


def _plain(value: Any) -> Any:
    if isinstance(value, Score):
        return fields_of(value, "name=opponent games won lost rate interval")
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return fields_of(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, IntEnum):
        return int(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Phase:
    """How far a grading is, for a bar on a terminal.

    >>> Phase("custom_score", 140, 1680)
    Phase(what='custom_score', done=140, of=1680)
    """

    what: str
    """`loading`, `baseline`, or the heuristic whose games are played."""
    done: int
    """Games; 0 where nothing is counted."""
    of: int | None = None
    """How many there are at most; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Printed(Document):
    """What a submission printed, as far as it is kept. It may hold anything.

    >>> Printed(b"ready", dropped=3).to_dict()
    {'stdout': 'ready', 'stderr': '', 'dropped': 3}
    """

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0
    """How many bytes were printed and not kept."""

    @classmethod
    def of(cls, output: Output) -> Printed:
        """What one process printed."""
        return cls(output.stdout, output.stderr, output.dropped)


@dataclass(frozen=True, slots=True)
class CostUsed(Document):
    """What a node took with a heuristic in its games, on average, in nodes with `improved`.

    >>> CostUsed.of(2_000, [900, 1_100], counted=True)
    CostUsed(value=2.0, source='counted')
    """

    value: float
    source: Literal["counted", "timed"]

    @classmethod
    def of(cls, work: int, nodes: Sequence[int], *, counted: bool) -> CostUsed | None:
        """What a node took, if turns that had so much work to spend came to so many nodes."""
        value = work / fmean(nodes) if nodes and any(nodes) else None
        return None if value is None else cls(float(f"{value:.4g}"), "counted" if counted else "timed")


@dataclass(frozen=True, slots=True)
class WhyTimed(Document):
    """Why the work of a heuristic is timed and not counted, in words a student can use."""

    reason: str
    line: int | None = None
    file: str | None = None
    """Where the line is, if not in the submission's own file."""

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}{f' of {self.file}' if self.file else ''}: "
        return f"{where}{self.reason}"


@dataclass(frozen=True, slots=True)
class Problem(Document):
    """Why there is no verdict: a word or two (`not loaded`, `template`, `raised` ...), then a line each."""

    cause: str
    reason: str
    """What happened, and in which line of the submission."""
    help: str
    trace: tuple[str, ...] = ()
    """The traceback within the submission's own files, in lines."""


@dataclass(frozen=True)
class Baseline(Document):
    """How `AB_Improved` does against the same opponents with the same budget."""

    JSON = """name rate=rate.rate standard_error=rate.standard_error interval=rate.interval
        blocks=rate.blocks opponents=scores"""

    name: str
    rate: GauntletRate
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Grading(Document):
    """One test of a heuristic: the games that count, and what they decided and measured."""

    JSON = """verdict cost terms games won lost rate interval difference blocks test looked_into
        opponents=scores endings thrown"""

    verdict: Verdict = "not graded"
    cost: CostUsed | None = None
    """None where no work was kept equal."""
    terms: Terms | None = None
    """What the test was asked; None where nothing was to be tested."""
    result: PlayerResult | None = None
    """None where nothing was played."""
    test: SequentialResult | None = None
    """What decides: no block after it changes that."""
    difference: Difference | None = None
    """To the baseline, over all blocks; None before the first one, and where it is `not graded`."""

    @property
    def alpha(self) -> float | None:
        """Of this test alone."""
        return None if self.terms is None else self.terms.alpha

    @property
    def blocks(self) -> int | None:
        """How many blocks the difference is over; None where it is."""
        return None if self.result is None or self.difference is None else len(self.result.block_means)

    @property
    def looked_into(self) -> int:
        """The games among which the lost ones were looked into: those that the test read, else all."""
        if self.test is None or self.blocks is None:
            return self.games
        return 2 * self.test.count * len(self.scores)

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
    def lost(self) -> int:
        """How many games were lost."""
        return self.games - self.won

    @property
    def rate(self) -> float | None:
        """The share of games won; None where none was played, and where it is `not graded`: that is no 0."""
        return self.won / self.games if self.games and self.verdict != "not graded" else None

    @property
    def interval(self) -> Interval | None:
        """The interval of the rate, computed from blocks; None where the rate is."""
        return None if self.result is None or self.rate is None else self.result.interval

    @property
    def endings(self) -> Mapping[GameEnding, int]:
        """How its games were lost, and how often."""
        return {} if self.result is None else self.result.endings

    @property
    def thrown(self) -> ThrownWins | None:
        """The won positions that it threw away; None unless the grading was `exact`."""
        return None if self.result is None else self.result.thrown


@dataclass(frozen=True)
class Graded(Document):
    """A heuristic, or a player, of a submission, and its verdict."""

    JSON = "name verdict work program asked timed problem grading nans profile advice lost_games printed"

    name: str
    grading: Grading
    """The test that decides."""
    problem: Problem | None = None
    lost_games: tuple[LostGame, ...] = ()
    """All that the test read, in the order of the plan."""
    advice: tuple[str, ...] = ()
    printed: Printed = field(default_factory=Printed)
    nans: int = 0
    """How often it returned NaN in the games of the test that decides."""
    program: str | None = None
    """Where its work is counted: SHA-256 of the program that it is."""
    asked: tuple[str, ...] = ()
    """Constants of that program that the text does not tell: an import of the file did."""
    timed: WhyTimed | None = None
    """Why its work is timed; None where it is counted, and where no work is to be kept equal."""
    profile: Profile | None = None
    """Which lines its work goes into, where that was asked for."""

    @property
    def work(self) -> Work | None:
        """How its work was kept equal to the baseline's."""
        return "counted" if self.program is not None else "timed" if self.timed is not None else None

    @property
    def verdict(self) -> Verdict:
        """That of the test that decides."""
        return self.grading.verdict

    @property
    def faults(self) -> list[LostGame]:
        """The games lost by a fault."""
        return [each for each in self.lost_games if each.ending != "no moves"]

    @property
    def outplayed(self) -> list[LostGame]:
        """The games lost by running out of moves."""
        return [each for each in self.lost_games if each.ending == "no moves"]


@dataclass(frozen=True, slots=True)
class MemberTimings(Document):
    """The processor time of a member's moves, measured from outside its process."""

    JSON = "name moves cpu_seconds longest cpu_seconds_a_move"

    name: str
    moves: int
    cpu_seconds: float
    longest: float

    @property
    def cpu_seconds_a_move(self) -> float | None:
        """None where it made none."""
        return self.cpu_seconds / self.moves if self.moves else None

    def __str__(self) -> str:
        if self.cpu_seconds_a_move is None:
            return f"{self.name}: no move"
        return (
            f"{self.name}: {self.moves:,} moves, {self.cpu_seconds:.2f} s of processor time, "
            f"{1000 * self.cpu_seconds_a_move:.3g} ms a move, {1000 * self.longest:.3g} ms at most"
        )


@dataclass(frozen=True, slots=True)
class MemberGrading(Document):
    """The time that grading one heuristic took: for its games in seconds by the wall clock."""

    name: str
    playing: float = 0.0
    moves: MemberTimings | None = None
    """Processor time of its moves; None where it made none in the jail."""


@dataclass(frozen=True, slots=True)
class GradingTimings(Document):
    """Seconds by the wall clock; another run has others."""

    seconds: float = 0.0
    loading: float = 0.0
    baseline: float = 0.0
    """Nearly nothing where it was stored."""
    members: tuple[MemberGrading, ...] = ()


@dataclass(frozen=True)
class Report(Document):
    """A graded submission.

    `repr` and `==` leave the timings out: two runs with the same seed are equal where nothing is timed.
    """

    JSON = """schema submission file digest version verdict status complete=went_to_its_end cut=is_cut
        reproducible sandbox roster opponents seed budget plays nan value_work question baseline problem
        printed left_out graded"""
    schema: ClassVar[str] = SCHEMA
    baseline_name: ClassVar[str] = BASELINE
    """The player to beat."""

    submission: str
    """Its name: the student's, that of its folder, or of its file."""
    file: str
    """The name of the file that was graded."""
    digest: str
    """SHA-256 of what was graded: the file, and what it may import beside it."""
    version: str
    sandbox: Level
    roster: str
    opponents: tuple[str, ...]
    seed: int | None
    """None in a report from which secrets were left out."""
    budget: str
    plays: Literal["search", "players"]
    """Our search with its heuristics, or its own players."""
    nan: Nan
    """What our search does where a heuristic returns NaN."""
    question: Question
    """As it was asked; each heuristic has its `terms`."""
    baseline: Baseline | None
    """None where nothing could be graded."""
    graded: tuple[Graded, ...]
    problem: Problem | None = None
    value_work: int | None = None
    """How much one value of a heuristic may take, in nodes with `improved`; None: as much as there is."""
    left_out: tuple[str, ...] = ()
    """Heuristics of the submission that are not graded, since they were not asked for by name."""
    is_complete: bool = True
    is_cut: bool = False
    """Whether `--total-wall` ended it with what was known."""
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
    def went_to_its_end(self) -> bool:
        """Whether grading is over, and no limit of time cut it short."""
        return self.is_complete and not self.is_cut

    @property
    def status(self) -> ExitStatus:
        """The exit status of the command that found this."""
        return STATUS[self.verdict]

    def heuristic(self, name: str) -> Graded:
        """The one of that name; a KeyError where there is none."""
        return {each.name: each for each in self.graded}[name]
