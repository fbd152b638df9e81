"""How a submission behaves: it is loaded in the jail, and each of its members plays a few games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from isolation_fast import Budget, InvalidArgumentError, InvalidBudgetError
from isolation_fast.jail import Limits, Loaded
from isolation_fast.tournament import Gauntlet, budget_text, parse_budget
from isolation_grader.exceptions import NotGradedError, UsageError
from isolation_grader.findings import Member, MemberTimings, Probe, Timings
from isolation_grader.loading import load
from isolation_grader.playing import Order, played

__all__ = ["DEFAULT_BUDGET", "DEFAULT_GAMES", "OPPONENTS", "probe"]

OPPONENTS: Final = ("Random", "AB_Open")
"""One that comes to odd positions, and one that wins soon against who plays badly."""
DEFAULT_GAMES: Final = 4
DEFAULT_BUDGET: Final = "nodes=500"
"""Of our search around a heuristic: enough to ask it at all stages of a game, and a slow one ends in time."""
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
    loading = load(
        submission, limits=limits, seed=seed, members=members or (), sandbox_required=sandbox_required
    )
    outline = loading.outline
    found: tuple[Member, ...] = ()
    timings: tuple[MemberTimings, ...] = ()
    reproducible = not loading.by_clock
    if outline is not None and loading.problem is None:
        kinds = _chosen(loading.holds, members)
        jailed = limits if loading.is_jailed else None
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
