"""Whether a submission passes what the course's checker tests: each test in a jailed process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic, perf_counter
from typing import ClassVar, Final, Literal, TypeAlias

from isolation_fast import Board, solve
from isolation_fast.jail import Assignment, Fault, JailedProcess, Level, Limits, Loaded, survives_its_nursery
from isolation_fast.numbers import number
from isolation_grader.course_tests import MOST_FAILURES, CourseTest, Failure, Tested, tests_of
from isolation_grader.exceptions import ExitStatus, LessSandboxError, OutOfTimeError
from isolation_grader.loading import DEFAULT_NAMES, Loading, called, load
from isolation_grader.lost_games import LostGame
from isolation_grader.options import LONGEST_GRADING, Deadline
from isolation_grader.probing import probe
from isolation_grader.report import Document

SCHEMA: Final = "isolation-grader/conformance/1"
"""What its JSON begins with. Another number is another meaning of the fields."""
TOTAL_WALL: Final = 300.0
"""Seconds: a good submission of the later layout takes some ten, most of them in full games."""
SOLVED_NODES: Final = 1_000_000
"""A player that gives up sees the end of the game, so it is near."""
GAMES: Final = 2
"""Full games of a player, against `Random`, from both sides."""

Outcome: TypeAlias = Literal["passed", "failed", "not run"]


@dataclass(frozen=True, slots=True)
class Checked(Document):
    """A test of the course, and how it went."""

    JSON = "name about member outcome failures"

    name: str
    about: str
    member: str
    outcome: Outcome
    """`not run` where the time of all tests was over before."""
    failures: tuple[Failure, ...] = ()
    """The first ones."""


@dataclass(frozen=True)
class Conformance(Document):
    """What of the course's tests a submission passes: the same for the same seed, unless time ran out."""

    JSON = "schema submission sandbox layout problem seed tests passed of status"
    schema: ClassVar[str] = SCHEMA

    submission: str
    sandbox: Level
    layout: str | None
    """None where its file cannot be parsed."""
    problem: str | None
    """Why it could not be loaded; None if it was."""
    seed: int
    tests: tuple[Checked, ...]
    seconds: float = field(default=0.0, compare=False)

    @property
    def passed(self) -> int:
        """How many tests passed."""
        return sum(each.outcome == "passed" for each in self.tests)

    @property
    def of(self) -> int:
        """How many tests there are."""
        return len(self.tests)

    @property
    def status(self) -> ExitStatus:
        """The exit status of a command that found this."""
        if self.problem is not None or not self.tests:
            return ExitStatus.NOT_GRADED
        return ExitStatus.GOOD if self.passed == self.of else ExitStatus.FAILED


def conformance(
    submission: str | os.PathLike[str],
    *,
    seed: int = 0,
    limits: Limits | None = None,
    total_wall: float = TOTAL_WALL,
    games: bool = True,
    sandbox_required: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Conformance:
    """Run the course's tests on a submission in the jail; its layout says which ones.

    `seed` draws positions and values, and the submission is told it. What is not done after `total_wall`
    seconds is `not run`. `games=False` leaves out full games, which take most of the time. `progress` is
    called with the test that begins, how many were done, and how many there are.

    >>> found = conformance("examples/game_agent.py", games=False)
    >>> found.layout, [each.outcome for each in found.tests if each.name.startswith("custom_score")]
    ('v2', ['passed', 'passed', 'passed'])
    """
    started = perf_counter()
    limits = limits or Limits()
    deadline = Deadline(monotonic() + number("total_wall", total_wall, above=0, most=LONGEST_GRADING))
    loading = load(submission, limits=limits, sandbox_required=sandbox_required)
    if not loading.is_jailed:
        raise LessSandboxError("the course's tests call a submission in the jail, and this system has none")
    tests = [] if loading.problem is not None else [*_tests(loading)]
    found: list[Checked] = []
    for each in tests:
        if not games and each.run is None:
            continue
        if progress is not None:
            progress(each.name, len(found), len(tests))
        found.append(_checked(each, submission, loading, seed, limits, deadline))
    return Conformance(
        submission=called(submission),
        sandbox=loading.level,
        layout=None if loading.outline is None else loading.outline.layout,
        problem=loading.problem,
        seed=seed,
        tests=tuple(found),
        seconds=perf_counter() - started,
    )


def _tests(loading: Loading) -> Iterator[CourseTest]:
    """Those of its layout; the first one asks for one heuristic, the later one for three."""
    assert loading.outline is not None
    layout = loading.outline.layout
    return tests_of(layout, DEFAULT_NAMES[:1] if layout == "v1" else DEFAULT_NAMES)


def _checked(
    test: CourseTest,
    submission: str | os.PathLike[str],
    loading: Loading,
    seed: int,
    limits: Limits,
    deadline: Deadline,
) -> Checked:
    """Run one test; what is not there fails without being run."""
    if deadline.is_over:
        return Checked(test.name, test.about, test.member, "not run")
    try:
        if missing := _missing(test, loading.holds):
            failures: tuple[Failure, ...] = (missing,)
        elif test.run is None:
            failures = tuple(_played(test.member, submission, seed, limits, deadline))
        else:
            failures = _run(test, loading, seed, limits, deadline)
    except OutOfTimeError:
        return Checked(test.name, test.about, test.member, "not run")
    return Checked(test.name, test.about, test.member, "failed" if failures else "passed", failures)


def _missing(test: CourseTest, holds: Loaded) -> Failure | None:
    if test.member in (*holds.players, *holds.heuristics):
        return None
    unwritten = [each for each in holds.templates if each.partition(".")[0] == test.member]
    came = f"{', '.join(unwritten)} only raises NotImplementedError" if unwritten else "there is none"
    return Failure(f"from game_agent import {test.member}", "it is written", came)


@survives_its_nursery
def _run(
    test: CourseTest, loading: Loading, seed: int, limits: Limits, deadline: Deadline
) -> tuple[Failure, ...]:
    assert loading.outline is not None
    assert test.run is not None
    layout = loading.outline.layout
    assignment = Assignment(loading.outline.path)
    with JailedProcess.start(assignment, limits, interrupted=deadline) as process:
        try:
            process.load(seed)
        except Fault as fault:  # it could be loaded before
            trace = tuple(fault.trace.splitlines())
            return (Failure("import game_agent", "it loads", f"{fault.ending}: {fault.detail}", trace=trace),)
        # One that has used up its time ends the process, and with it the test.
        failures = test.run(Tested(layout, process.call, seed))
        found: list[Failure] = []
        for each in islice(failures, MOST_FAILURES):
            found.append(each)
            if not process.is_alive:
                break
        return tuple(found)


def _is_given_up(game: LostGame) -> bool:
    """Whether it answered no move where every move loses. In the course that game is over as any other."""
    if game.ending not in ("illegal move", "bad answer"):
        return False
    return solve(Board.from_text(game.position), nodes=SOLVED_NODES, moves=False).outcome == "loss"


def _played(
    member: str, submission: str | os.PathLike[str], seed: int, limits: Limits, deadline: Deadline
) -> Iterator[Failure]:
    """Play full games; a failure for each that was lost by a fault."""
    played = probe(
        submission,
        members=[member],
        games=GAMES,
        opponents=("Random",),
        seed=seed,
        limits=limits,
        interrupted=deadline,
    )
    for game in (each for one in played.members for each in one.lost_games):
        if _is_given_up(game):
            continue
        call = f"{member}() against {game.opponent}, as player {game.player}"
        yield Failure(call, "it plays the game to its end", str(game), game.position, game.trace)
