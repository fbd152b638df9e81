"""What a grading is asked for and refuses before anything is played, and the store that it keeps."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import pbkdf2_hmac, sha256
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal, TypeAlias, TypeVar

from platformdirs import user_cache_path

from isolation_fast import Budget, InvalidArgumentError, InvalidBudgetError, IsolationError, output
from isolation_fast.jail import Limits
from isolation_fast.numbers import NANS, Nan, integer, number
from isolation_fast.statistics import BlockTest, count_for_margin
from isolation_fast.submission import FILE_NAME
from isolation_fast.tournament import ROSTERS, Gauntlet, parse_budget
from isolation_grader.exceptions import GraderError, OutOfTimeError, UsageError

T = TypeVar("T")

BASELINE: Final = "AB_Improved"
"""The player to beat."""
DEFAULT_BUDGET: Final = "work=2000"
COURSE_BUDGET: Final = "course"
"""Of the opponents of a submission's own players, which have the course's time."""
SEED_BITS: Final = 53
"""Of a seed that is drawn: too many to be tried out, and exact in every reader of JSON."""
TRIED_ROUNDS: Final = 100_000
"""Of hashing, for each seed that is tried."""
FEWEST_BLOCKS: Final = 10
"""A test decides on no fewer."""
MOST_BLOCKS: Final = 1_000_000
MOST_VALUE_WORK: Final = 1_000_000_000
"""More than any turn takes."""
FEWEST_POINTS: Final = 0.1
"""The rate of the baseline is known no better, and no affordable number of games shows less."""

TOTAL_WALL: Final = 3600.0
LONGEST_GRADING: Final = 30 * 86_400.0
"""Seconds."""
MOST_VARIANCE: Final = 0.02
"""Of the mean of a block, where it is even and its games are independent; about half of it is usual."""


Work: TypeAlias = Literal["counted", "timed"]
"""How the work of a heuristic is kept equal to the baseline's."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the test of one heuristic is asked."""

    work: Work
    points: float
    alpha: float
    """Of this test alone."""
    beta: float
    blocks: int
    """The most that the test looks at."""
    precision: float

    @property
    def most_blocks(self) -> int:
        """The most that are played."""
        margin = self.precision / 100
        return max(self.blocks, count_for_margin(margin, MOST_VARIANCE) if margin else 0)


# Counted games are cheap.
DEFAULTS: Final[Mapping[Work, tuple[float, float, int]]] = {
    "counted": (0.01, 0.05, 240),
    "timed": (0.05, 0.1, 120),
}
"""Alpha, beta and blocks, where a question does not say."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a heuristic is better than the baseline by so many points, and how sure the answer must be.

    What is None depends on the work: `DEFAULTS`.

    >>> Question().terms("counted", heuristics=2)
    Terms(work='counted', points=5.0, alpha=0.005, beta=0.05, blocks=240, precision=2.0)
    >>> Question().terms("timed")
    Terms(work='timed', points=5.0, alpha=0.05, beta=0.1, blocks=120, precision=0.0)
    >>> Question(points=0)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: points must be a number of at least 0.1 and below 100, ...
    """

    points: float = 5.0
    """The difference to find, in points of a hundred above the baseline's rate."""
    alpha: float | None = None
    """The chance, at most, that any heuristic of a submission is called better when none is."""
    beta: float | None = None
    """The chance, at most, that a heuristic that is better by so many points is called not better."""
    blocks: int | None = None
    """A test that has not decided after so many blocks is undecided."""
    precision: float = 2.0
    """Whatever its test finds, a counted heuristic plays until its difference is known to so many points:
    half of the 95 % interval. With 0 it ends with its test, as timed ones do."""

    def __post_init__(self) -> None:
        number("points", self.points, least=FEWEST_POINTS, below=100)
        for alpha, beta, _ in DEFAULTS.values():
            # Refuses what it cannot use.
            BlockTest(
                0.4,
                0.6,
                alpha=alpha if self.alpha is None else self.alpha,
                beta=beta if self.beta is None else self.beta,
            )
        if self.blocks is not None:
            integer("blocks", self.blocks, FEWEST_BLOCKS, MOST_BLOCKS)
        if self.precision != 0:
            number("precision (0: none)", self.precision, least=FEWEST_POINTS, below=50)

    def terms(self, work: Work, heuristics: int = 1) -> Terms:
        """What each of so many tests is asked, so that all together keep to `alpha`."""
        alpha, beta, blocks = DEFAULTS[work]
        return Terms(
            work,
            self.points,
            (alpha if self.alpha is None else self.alpha) / heuristics,
            beta if self.beta is None else self.beta,
            blocks if self.blocks is None else self.blocks,
            self.precision if work == "counted" else 0.0,
        )


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """The options of `grade`; a `UsageError` names one that cannot be."""

    members: tuple[str, ...] | None
    roster: str
    seed: int
    budget: Budget
    question: Question
    players: bool
    limits: Limits
    workers: int | None
    store: Path
    journal: Path | None
    resume: bool
    total_wall: float
    nan: Nan = "course"
    exact: bool = False
    value_work: int | None = None
    """How much one value of a heuristic may take, in nodes with `improved`; None: as much as there is."""
    profile: bool = False
    """Whether to say which lines of a heuristic its work goes into."""

    def __post_init__(self) -> None:
        if self.value_work is not None:
            integer("value_work", self.value_work, 1, MOST_VALUE_WORK, error=UsageError)
        for name, is_asked in (("value_work", self.value_work is not None), ("profile", self.profile)):
            if self.players and is_asked:
                raise UsageError(f"{name} is for heuristics, and players play by themselves")
        if self.roster not in ROSTERS:
            raise UsageError(f"there is no roster {self.roster!r}", f"there is: {', '.join(ROSTERS)}")
        if self.resume and self.journal is None:
            raise UsageError("to resume a grading, its journal must be named", "--journal FOLDER")
        number("total_wall", self.total_wall, above=0, most=LONGEST_GRADING)
        if self.nan not in NANS:
            raise UsageError(f"nan is one of {', '.join(NANS)}, not {self.nan!r}")
        for name, folder in (("store", self.store), ("journal", self.journal)):
            if folder is not None and folder.exists() and not folder.is_dir():
                raise UsageError(f"the {name} must be a folder, and {folder} is none")
        try:
            Gauntlet([BASELINE], self.roster, games=2, seed=self.seed, budget=self.budget)
        except (IsolationError, TypeError) as error:
            raise UsageError(str(error)) from error


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a grading ends with what is known. What can be interrupted asks it as a function.

    >>> Deadline(monotonic() + 60)(), Deadline(monotonic() - 1).is_over
    (False, True)
    """

    at: float
    """By `time.monotonic`."""

    @property
    def is_over(self) -> bool:
        """Whether it has passed."""
        return monotonic() >= self.at

    def __call__(self) -> bool:
        """False, or an `OutOfTimeError`: nobody takes it for Ctrl-C."""
        if self.is_over:
            raise OutOfTimeError("the time of the grading is over")
        return False


def checked_budget(budget: Budget | str | None, *, players: bool) -> Budget:
    """A budget of a move; by default the course's where players play by themselves."""
    if budget is None:
        budget = COURSE_BUDGET if players else DEFAULT_BUDGET
    checked = read_budget(budget)
    if checked.cost is not None:
        raise UsageError("a budget has no cost here: work is counted, or spent as it goes", "leave out cost=")
    return checked


def read_budget(budget: Budget | str) -> Budget:
    """A budget, read if it is a text; a `UsageError` says what is wrong with it."""
    try:
        return parse_budget(budget) if isinstance(budget, str) else budget
    except (InvalidArgumentError, InvalidBudgetError) as error:
        raise UsageError(str(error)) from error


def seed_of(
    given: int | None, submission: str | os.PathLike[str], journal: Path | None, *, resume: bool = False
) -> int:
    """The seed that is given, else the last one of the journal's games of this submission, else a drawn one.

    To resume games with a seed that the journal does not have is a `UsageError`.
    """
    if given is not None and not resume:
        return given
    *_, last = known = [None, *_kept_seeds(submission, journal)]
    if given is None:
        return secrets.randbits(SEED_BITS) if last is None else last
    if last is not None and given not in known:
        seeds = ", ".join(map(str, known[1:]))
        raise UsageError(
            f"games with --seed {given} cannot be resumed: the journal has games with seed {seeds}",
            f"--resume alone goes on with seed {last}; --seed {given} without --resume begins anew, and "
            "keeps them",
        )
    return given


def seed_of_tests(seed: int) -> int:
    """The seed of the course's tests, where a grading has this one: a submission is told the first alone.

    To find the other one by trying all, each takes a twentieth of a second.

    >>> seed_of_tests(1) == seed_of_tests(1) != seed_of_tests(2)
    True
    """
    digest = pbkdf2_hmac("sha256", str(seed).encode(), b"tests", TRIED_ROUNDS)
    return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)


def keep_seed(seed: int, submission: str | os.PathLike[str], journal: Path | None) -> None:
    """Make the folder of the journal, and keep there the seed that its games are resumed with."""
    path = _seed_file(submission, journal)
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the journal cannot be made: {journal}: {error.strerror}") from error
    seeds = [*(each for each in _kept_seeds(submission, journal) if each != seed), seed]
    write_whole(path, "".join(f"{each}\n" for each in seeds))


def _kept_seeds(submission: str | os.PathLike[str], journal: Path | None) -> list[int]:
    """Those of the journal's games, the last one last."""
    path = _seed_file(submission, journal)
    try:
        return [] if path is None else [int(each) for each in path.read_text("utf-8").split()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValueError) as error:
        hint = "remove the file, and name the seed with --seed N"
        raise UsageError(f"the seed of the journal cannot be read: {path}: {error}", hint) from error


def _seed_file(submission: str | os.PathLike[str], journal: Path | None) -> Path | None:
    if journal is None:
        return None
    # A journal may have the games of several submissions.
    place = os.fsencode(os.path.realpath(submission))
    return journal / f"{sha256(place).hexdigest()[:12]}.seed"


def require_elsewhere(path: Path | None, file: Path) -> None:
    """Refuse to write into the folder of a `game_agent.py`, all of which comes with it.

    The submission could read there how it is doing, and would be another one the next time.
    """
    folder = Path(os.path.realpath(file.parent))
    if path is None or file.name != FILE_NAME:
        return
    if Path(os.path.realpath(path)).is_relative_to(folder):
        raise UsageError(
            f"{path} lies in the folder of the submission, all of which comes with a {FILE_NAME}",
            "name a place outside of it, such as ../reports",
        )


def default_store() -> Path:
    """The folder of baselines, unless the caller names another one."""
    return user_cache_path("isolation-grader", appauthor=False)


def require_writable_store(folder: Path) -> None:
    """Refuse, before half a minute of measuring, a folder of a store that cannot keep the result.

    A store that holds everything already may be read-only.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(
            f"the store cannot be written: {folder}: {error.strerror}", "name another folder: --store FOLDER"
        ) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole; a `GraderError` where that fails."""
    try:
        output.write_whole(path, content)
    except OSError as error:
        raise GraderError(f"cannot be written: {path}: {error.strerror}") from error


UNUSABLE: Final = (ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidBudgetError)
"""What a file of the store that another version or hand has left may raise."""


def read_stored(path: Path, parse: Callable[[Any], T], say: Callable[[str], object] = output.say) -> T | None:
    """What `parse` makes of a JSON document of the store; None where there is none that can be used."""
    try:
        return parse(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GraderError(f"the store cannot be read: {path}: {error.strerror}") from error
    except UNUSABLE as error:
        say(unusable(path, error))
        return None


def unusable(path: Path, error: Exception, what: str = "what is stored") -> str:
    """A line that says that something of the store is measured anew."""
    why = f"it has no {error}" if isinstance(error, KeyError) else error
    return f"isolation-grade: {what} cannot be used, and is measured anew: {path}: {why}"
