"""How a submission behaves: it is loaded in the jail, and each of its members plays a few games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, ClassVar, Final

from isolation_fast import Budget, InvalidArgumentError, InvalidBudgetError, tournament
from isolation_fast.endings import GameEnding
from isolation_fast.jail import Level, Limits, Loaded
from isolation_fast.submission import MemberKind
from isolation_fast.tournament import ChunkResult, GameRecord, Gauntlet, Plan, PlayerResult, StrikeCount, Use
from isolation_grader.exceptions import ExitStatus, NotGradedError, UsageError
from isolation_grader.loading import Loading, called, load, playable
from isolation_grader.lost_games import LostGame
from isolation_grader.options import read_budget
from isolation_grader.report import Document, MemberTimings, Printed
from isolation_grader.trial import Traces, planned, printed_of, timings_of, traces_of

SCHEMA: Final = "isolation-grader/probe/1"
"""What the JSON of a probe begins with. Another number is another meaning of the fields."""
OPPONENTS: Final = ("Random", "AB_Open")
"""One reaches odd positions, the other soon beats a bad player."""
DEFAULT_GAMES: Final = 4
DEFAULT_BUDGET: Final = "nodes=500"
"""Of our search around a heuristic: enough to ask it at all stages of a game, and a slow one ends in time."""


@dataclass(frozen=True, slots=True)
class Member(Document):
    """A heuristic or a player of a submission, and how its games went."""

    JSON = "name kind games won lost endings broken=is_broken lost_games=faults nans printed"

    name: str
    kind: MemberKind
    games: int
    won: int
    endings: Mapping[GameEnding, int]
    is_broken: bool
    """Whether it lost three games by its own fault, so that the rest was not played."""
    lost_games: tuple[LostGame, ...]
    """Those by its own fault."""
    printed: Printed
    nans: int = 0
    """How often the heuristic returned NaN; 0 where it is broken."""

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return self.games - self.won

    @property
    def faults(self) -> tuple[dict[str, Any], ...]:
        """The games lost by its own fault, as JSON knows them."""
        return tuple(each.in_probe() for each in self.lost_games)


@dataclass(frozen=True, slots=True)
class Timings(Document):
    """How long a probe took, all together by the wall clock: another run has other times."""

    seconds: float
    load_cpu_seconds: float | None
    members: tuple[MemberTimings, ...]


@dataclass(frozen=True)
class Probe(Document):
    """How a submission behaves: the same on every run, but for the timings."""

    JSON = """schema submission sandbox loads problem layout heuristics players templates printed opponents
        seed budget reproducible members status"""
    schema: ClassVar[str] = SCHEMA

    submission: str
    sandbox: Level
    problem: str | None
    """Why it could not be loaded; None if it was."""
    layout: str | None
    """Which layout of the course it is written for; None if its file cannot be parsed."""
    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    opponents: tuple[str, ...]
    seed: int
    budget: str
    members: tuple[Member, ...]
    printed: Printed
    """While it was loaded."""
    reproducible: bool
    """Whether probing it again gives the same: False where a clock decided something."""
    timings: Timings = field(compare=False)

    @property
    def loads(self) -> bool:
        """Whether it could be loaded."""
        return self.problem is None

    @property
    def status(self) -> ExitStatus:
        """The exit status of a command that found this."""
        if self.problem is not None or not self.members:
            return ExitStatus.NOT_GRADED
        lost = [each for member in self.members for each in member.lost_games]
        never_played = all(each.is_broken for each in self.members)
        if never_played and all(each.ending == "not loaded" for each in lost):
            return ExitStatus.NOT_GRADED
        return ExitStatus.FAILED if lost else ExitStatus.GOOD


def probe(
    submission: str | os.PathLike[str],
    *,
    members: Sequence[str] | None = None,
    games: int = DEFAULT_GAMES,
    opponents: Sequence[str] = OPPONENTS,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    limits: Limits | None = None,
    sandbox_required: bool = False,
    progress: Callable[[int, int], object] | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Probe:
    """Load a submission in the jail, and let its members play `games` games each against each opponent.

    `members` are some of its heuristics and players, by default all. `budget` is that of our search around a
    heuristic; players search by themselves. `progress` is called with the games played and those planned.
    `interrupted` is asked now and then; where it is True, a `KeyboardInterrupt` ends it.

    >>> found = probe("examples/game_agent.py", members=["custom_score"], games=2, budget="nodes=50")
    >>> found.status, [each.games for each in found.members], found.members[0].lost_games
    (<ExitStatus.GOOD: 0>, [4], ())
    """
    started = perf_counter()
    budget, limits = _checked_budget(budget, opponents, games, seed), limits or Limits()
    loading = load(
        submission,
        limits=limits,
        members=members or (),
        sandbox_required=sandbox_required,
        interrupted=interrupted,
    )
    outline, holds = loading.outline, loading.holds
    found: tuple[Member, ...] = ()
    timings: tuple[MemberTimings, ...] = ()
    reproducible = not loading.by_clock
    if outline is not None and loading.problem is None:
        kinds = _chosen(holds, members)
        plan = planned(
            outline.path,
            {name: budget if kind == "heuristic" else None for name, kind in kinds.items()},
            opponents,
            games=games,
            seed=seed,
            budget=budget,
            limits=limits if loading.is_jailed else None,
        )
        found, timings, same_again = _played(plan, kinds, loading, limits, progress, interrupted)
        reproducible = reproducible and same_again
    return Probe(
        submission=called(submission),
        sandbox=loading.level,
        problem=loading.problem,
        layout=None if outline is None else outline.layout,
        heuristics=holds.heuristics,
        players=holds.players,
        templates=holds.templates,
        opponents=tuple(opponents),
        seed=seed,
        budget=tournament.budget_text(budget),
        members=found,
        printed=loading.printed,
        reproducible=reproducible,
        timings=Timings(perf_counter() - started, loading.cpu_seconds, timings),
    )


def _chosen(holds: Loaded, members: Sequence[str] | None) -> dict[str, MemberKind]:
    """The members that are to play, and what each is."""
    kinds: dict[str, MemberKind] = dict.fromkeys(holds.heuristics, "heuristic")
    kinds |= {each: "player" for each in holds.players if each not in kinds}
    names = list(dict.fromkeys(kinds if members is None else members))
    if missing := [each for each in names if each not in kinds]:
        raise NotGradedError(f"once the submission is loaded, it has no member {missing[0]!r}")
    return {name: kinds[name] for name in playable(names, "heuristics and players", "probed", "--members")}


def _checked_budget(budget: Budget | str, opponents: Sequence[str], games: int, seed: int) -> Budget:
    """The budget; refused, before anything runs, with numbers that no tournament takes."""
    checked = read_budget(budget)
    try:
        Gauntlet("Random", list(opponents), games=games, seed=seed, budget=checked)
    except (InvalidArgumentError, InvalidBudgetError, TypeError) as error:
        raise UsageError(str(error)) from error
    return checked


def _played(
    plan: Plan,
    kinds: Mapping[str, MemberKind],
    loading: Loading,
    limits: Limits,
    progress: Callable[[int, int], object] | None,
    interrupted: Callable[[], bool] | None,
) -> tuple[tuple[Member, ...], tuple[MemberTimings, ...], bool]:
    """Play; gives the members, their timings, and whether playing again gives the same."""
    strikes = StrikeCount(plan)
    results: list[ChunkResult] = []
    uses: dict[int, list[Use]] = {each: [] for each in plan.tested}
    traces: Traces = {}
    games, kept = 0, limits.output if loading.is_jailed else 0
    for chunk in plan.chunks():
        games += 2 * len(chunk.openings)
        if not strikes.is_over(chunk.pairing):
            of_chunk: list[Use] = []
            results.append(tournament.run_chunk(chunk, interrupted=interrupted, used=of_chunk.append))
            uses[plan.pairings[chunk.pairing].first] += of_chunk
            traces |= traces_of(plan, chunk, of_chunk)
            strikes.counted(results[-1])
        if progress is not None:
            progress(games, plan.games)
    result = tournament.merge(plan, results)
    members = tuple(
        Member(
            name=player.name,
            kind=kinds[player.name],
            games=player.games,
            won=player.won,
            endings=player.endings,
            is_broken=player.is_broken,
            lost_games=_lost_games(results, player, traces),
            printed=printed_of(uses[each], kept),
            nans=player.nans,
        )
        for each, player in zip(plan.tested, result.players, strict=True)
    )
    timed = zip(plan.tested, members, strict=True) if loading.is_jailed else ()
    timings = tuple(timings_of(member.name, uses[each]) for each, member in timed)
    return members, timings, result.reproducible


def _lost_games(results: Iterable[ChunkResult], player: PlayerResult, traces: Traces) -> tuple[LostGame, ...]:
    """The games that it lost by its own fault."""
    records: dict[tuple[str, str, int, int], GameRecord] = {}
    for record in (GameRecord.from_dict(each) for result in results for each in result.records or ()):
        first, second = record.players[record.side], record.players[1 - record.side]
        records[first, second, record.opening, record.side] = record
    games = [
        (player.name, each.opponent, each.opening, 0 if each.is_player_1 else 1) for each in player.faults
    ]
    return tuple(
        LostGame(game[1], records[game], trace=tuple(traces.get(game, "").splitlines())) for game in games
    )
