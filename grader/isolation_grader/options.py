"""What a grading is asked for, and what it refuses before anything is played."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from isolation_fast import Budget, Cost, InvalidArgumentError, InvalidBudgetError, IsolationError
from isolation_fast.jail import Limits
from isolation_fast.submission import FILE_NAME, is_custom_score
from isolation_fast.tournament import ROSTERS, Gauntlet, parse_budget
from isolation_grader.exceptions import NotGradedError, UsageError
from isolation_grader.loading import Loading
from isolation_grader.question import Question
from isolation_grader.report import BASELINE

__all__ = [
    "COURSE_BUDGET",
    "DEFAULT_BUDGET",
    "GivenCosts",
    "GradingOptions",
    "checked_budget",
    "chosen",
    "require_elsewhere",
    "require_known",
]

DEFAULT_BUDGET: Final = "work=2000"
COURSE_BUDGET: Final = "course"
"""Of the opponents, where players play by themselves: they have the course's time."""
MOST_MEMBERS: Final = 32
"""More than anybody writes: a file may make any number of functions, and each would have its games."""

GivenCosts: TypeAlias = Mapping[str, float | Cost] | float | Cost | None
"""What a node costs with all heuristics, or by name with some."""


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """As `grade` describes them; a `UsageError` says what cannot be."""

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

    def __post_init__(self) -> None:
        if self.roster not in ROSTERS:
            raise UsageError(f"there is no roster {self.roster!r}", f"there is: {', '.join(ROSTERS)}")
        if self.resume and self.journal is None:
            raise UsageError("to resume a grading, its journal must be named", "--journal FOLDER")
        for name, folder in (("store", self.store), ("journal", self.journal)):
            if folder is not None and folder.exists() and not folder.is_dir():
                raise UsageError(f"the {name} must be a folder, and {folder} is none")
        try:
            Gauntlet([BASELINE], self.roster, games=2, seed=self.seed, budget=self.budget)
        except (IsolationError, TypeError) as error:
            raise UsageError(str(error)) from error


def checked_budget(budget: Budget | str | None, *, players: bool) -> Budget:
    """A budget of a move; by default that of the course where players play by themselves.

    >>> checked_budget(None, players=False)
    Budget(work=2000)
    """
    if budget is None:
        budget = COURSE_BUDGET if players else DEFAULT_BUDGET
    try:
        checked = parse_budget(budget) if isinstance(budget, str) else budget
    except (InvalidArgumentError, InvalidBudgetError) as error:
        raise UsageError(str(error)) from error
    if checked.cost is not None:
        raise UsageError("a budget has no cost here, since it is for all heuristics", "--cost NAME=X")
    return checked


def chosen(loading: Loading, options: GradingOptions) -> tuple[list[str], list[str]]:
    """Who is graded, and the heuristics that are still templates."""
    holds, members = loading.holds, options.members
    there = holds.players if options.players else holds.heuristics
    unwritten = [] if options.players else [each for each in holds.templates if "." not in each]
    if members is not None:
        missing = [each for each in members if each not in (*there, *unwritten)]
        if missing:
            kind = "player" if options.players else "heuristic"
            hint = f"there is: {', '.join(there)}" if there else None
            raise UsageError(f"once it is loaded, there is no {kind} {missing[0]!r} in it", hint)
        in_vain = [each for each in members if each in unwritten]
        return [each for each in members if each in there], in_vain
    # Those that the course asks for, where there are any: others are helpers of theirs.
    names = [each for each in there if is_custom_score(each)] or list(there)
    # A file can give its functions any names; of others than Python's own no table could be made.
    names = [each for each in names if each.isidentifier()]
    if len(names) > MOST_MEMBERS:
        raise NotGradedError(
            f"the submission has {len(names)} heuristics or players, and at most {MOST_MEMBERS} are graded",
            "name some of them: --heuristics",
        )
    return names, unwritten


def require_elsewhere(path: Path | None, file: Path) -> None:
    """Refuse to write to where the submission is: all that lies beside a `game_agent.py` comes with it.

    It could read there how it is doing, and would be another submission the next time.

    >>> require_elsewhere(Path("examples/report.html"), Path("examples/game_agent.py"))
    Traceback (most recent call last):
    ...
    isolation_grader.exceptions.UsageError: examples/report.html lies in the folder of the submission, ...
    """
    folder = Path(os.path.realpath(file.parent))
    if path is None or file.name != FILE_NAME:
        return
    if Path(os.path.realpath(path)).is_relative_to(folder):
        raise UsageError(
            f"{path} lies in the folder of the submission, all of which comes with a {FILE_NAME}",
            "name a place outside of it, such as ../reports",
        )


def require_known(costs: GivenCosts, names: Sequence[str]) -> None:
    """Refuse a cost of what is not graded: it would be a slip of the pen that nobody sees."""
    strangers = [each for each in costs if each not in names] if isinstance(costs, Mapping) else []
    if strangers:
        raise UsageError(
            f"a cost is given for {strangers[0]!r}, which is not graded", f"graded are: {', '.join(names)}"
        )
