"""How a submission behaves: it is loaded in the jail, and each of its members plays a few games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Final

from isolation_fast import Budget, InvalidArgumentError, InvalidBudgetError, jail
from isolation_fast.jail import Level
from isolation_fast.jailed import Assignment, Fault, JailedProcess, Limits, Loaded
from isolation_fast.jailed import outline as jailed_outline
from isolation_fast.submission import Outline, SubmissionError, parse
from isolation_fast.tournament import Gauntlet, budget_text, parse_budget
from isolation_fast.tournament.members import kind_of_member
from isolation_grader.exceptions import LessSandboxError, NotGradedError, UsageError
from isolation_grader.findings import Member, MemberTimings, Printed, Probe, Timings
from isolation_grader.playing import Order, played

__all__ = ["DEFAULT_BUDGET", "DEFAULT_GAMES", "OPPONENTS", "probe"]

OPPONENTS: Final = ("Random", "AB_Open")
"""One that comes to odd positions, and one that wins soon against who plays badly."""
DEFAULT_GAMES: Final = 4
DEFAULT_BUDGET: Final = "nodes=500"
"""Of our search around a heuristic: enough to ask it at all stages of a game, and a slow one ends in time."""
NOTHING: Final = Loaded((), (), ())
SILENCE: Final = Printed()
MOST_MEMBERS: Final = 32
"""More than anybody writes: a file may make any number of functions, and each would have its games."""


def probe(
    submission: str | os.PathLike[str],
    *,
    members: Sequence[str] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    limits: Limits | None = None,
    sandbox_required: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Probe:
    """Load a submission in the jail, and let its members play `games` games each against each opponent.

    `members` are some of its heuristics and players, by default all. `budget` is that of our search around a
    heuristic; players search by themselves. `progress` is called with the games played and those planned.

    >>> found = probe("examples/game_agent.py", members=["custom_score"], games=2, budget="nodes=50")
    >>> found.status, [each.games for each in found.members], found.members[0].lost_games
    (<ExitStatus.GOOD: 0>, [4], ())
    """
    started = perf_counter()
    budget, limits = _checked_budget(budget), limits or Limits()
    _require_playable(games, seed, budget)
    # Where there is none at all, a submission's games run in a process with the rights of this one.
    level = jail.available()
    _require(level, sandbox_required)
    outline: Outline | None = None
    try:
        outline = parse(submission) if level.name == "none" else jailed_outline(submission, limits)
        _require_members(outline, members or ())
        loading = _Loading(level, _outlined(outline))
        if level.name != "none":
            loading = _loaded(outline.path, limits, seed)
            _require(loading.level, sandbox_required)
    except SubmissionError as error:
        loading = _Loading(level, problem=_told(error))
    except Fault as fault:  # it could not be copied, or not be parsed within the limits
        loading = _Loading(level, problem=_problem(fault), by_clock=fault.by_clock)
    found: tuple[Member, ...] = ()
    timings: tuple[MemberTimings, ...] = ()
    reproducible = not loading.by_clock
    if outline is not None and loading.problem is None:
        kinds = _chosen(loading.holds, members)
        jailed = None if level.name == "none" else limits
        order = Order(outline.path, kinds, OPPONENTS, games, seed, budget, jailed)
        found, timings, same_again = played(order, progress)
        reproducible = reproducible and same_again
    return Probe(
        submission=Path(submission).name if outline is None else outline.path.name,
        sandbox=loading.level,
        problem=loading.problem,
        layout=None if outline is None else outline.layout,
        heuristics=loading.holds.heuristics,
        players=loading.holds.players,
        templates=loading.holds.templates,
        opponents=OPPONENTS,
        seed=seed,
        budget=budget_text(budget),
        members=found,
        printed=loading.printed,
        reproducible=reproducible,
        timings=Timings(perf_counter() - started, loading.cpu_seconds, timings),
    )


@dataclass(frozen=True, slots=True)
class _Loading:
    """What came of loading a submission."""

    level: Level
    holds: Loaded = NOTHING
    problem: str | None = None
    printed: Printed = SILENCE
    cpu_seconds: float | None = None
    by_clock: bool = False


def _loaded(file: Path, limits: Limits, seed: int) -> _Loading:
    """Load it in a process of its own, which plays nothing."""
    try:
        process = JailedProcess.start(Assignment(file), limits)
    except Fault as fault:  # it cannot be copied
        return _Loading(jail.available(), problem=_problem(fault))
    with process:
        holds, problem, by_clock = NOTHING, None, False
        try:
            holds = process.load(_stream(seed))
        except Fault as fault:
            problem, by_clock = _problem(fault), fault.by_clock
        cpu_seconds = process.cpu_seconds
    return _Loading(process.level, holds, problem, Printed.of(process.output), cpu_seconds, by_clock)


def _stream(seed: int) -> int:
    """64 bits of a seed, which may be any integer, for what is drawn while the submission is loaded."""
    return int.from_bytes(sha256(f"{seed}\0loading".encode()).digest()[:8], "big")


def _problem(fault: Fault) -> str:
    return fault.detail if fault.ending == "not loaded" else f"{fault.ending}: {fault.detail}"


def _outlined(outline: Outline) -> Loaded:
    return Loaded(outline.heuristics, outline.players, outline.templates)


def _told(error: SubmissionError) -> str:
    """Why it cannot be loaded, with file and line; an error of usage where there is none to be loaded."""
    if error.reason == "no such file":
        raise UsageError(str(error)) from error
    where = Path(error.path or "").name
    line = "" if error.line is None else f":{error.line}"
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{where}{line}: {error.problem}{remedy}"


def _chosen(holds: Loaded, members: Sequence[str] | None) -> dict[str, bool]:
    """The members that are to play, and whether each is a heuristic."""
    kinds = dict.fromkeys(holds.players, False) | dict.fromkeys(holds.heuristics, True)
    names = [*holds.heuristics, *(each for each in holds.players if each not in holds.heuristics)]
    if members is not None:
        missing = [each for each in members if each not in kinds]
        if missing:
            raise NotGradedError(f"once the submission is loaded, it has no member {missing[0]!r}")
        names = list(dict.fromkeys(members))
    # A file can give its functions any names; of others than Python's own no table could be made.
    names = [each for each in names if each.isidentifier()]
    if len(names) > MOST_MEMBERS:
        raise NotGradedError(
            f"the submission has {len(names)} heuristics and players, and at most {MOST_MEMBERS} are probed",
            "name some of them: --members",
        )
    return {name: kinds[name] for name in names}


def _require_members(outline: Outline, members: Sequence[str]) -> None:
    """Refuse what is no member, as far as the source tells, before anything is run."""
    try:
        for each in members:
            kind_of_member(outline, each)
    except InvalidArgumentError as error:
        raise UsageError(str(error)) from error


def _require(level: Level, sandbox_required: bool) -> None:
    if sandbox_required and level.name != "full":
        without = f", without: {', '.join(level.missing)}" if level.missing else ""
        raise LessSandboxError(
            f"the sandbox of this system is {level.name!r}{without}, and --require-sandbox asks for all of it"
        )


def _require_playable(games: int, seed: int, budget: Budget) -> None:
    """Refuse numbers that no tournament takes before anything is run."""
    try:
        Gauntlet("Random", list(OPPONENTS), games=games, seed=seed, budget=budget)
    except (InvalidArgumentError, InvalidBudgetError, TypeError) as error:
        raise UsageError(str(error)) from error


def _checked_budget(budget: Budget | str) -> Budget:
    try:
        checked = parse_budget(budget) if isinstance(budget, str) else budget
    except (InvalidArgumentError, InvalidBudgetError) as error:
        raise UsageError(str(error)) from error
    if checked.work is not None:
        raise UsageError(
            "a budget of work needs the cost of each heuristic, which a probe does not measure",
            "give nodes=, depth= or ms=",
        )
    return checked
