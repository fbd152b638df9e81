"""The rate of `AB_Improved`, which heuristics are compared with: measured once by the engine alone, and kept.

The same openings for both would make the comparison no more precise, so one measurement serves all. It is
measured to ± 0.3 points, which is little beside the ± 2 to 3 points of a grading.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from isolation_fast import Budget, __version__
from isolation_fast.statistics import gauntlet
from isolation_fast.tournament import (
    ROSTERS,
    Gauntlet,
    Plan,
    PlayerResult,
    Score,
    available_processors,
    budget_text,
    merge,
    run_chunk,
)
from isolation_grader.options import BASELINE, read_stored, require_writable_store, write_whole
from isolation_grader.report import Baseline

SCHEMA: Final = "isolation-grader/baseline/1"
MARGIN: Final = 0.003
"""Half of the 95 % interval."""
MOST_BLOCKS: Final = 20_000
"""Four times as many as it takes; a margin not reached by then stays a little wider."""

OnGames: TypeAlias = Callable[[int], object]
"""Called with the games played so far."""


@dataclass(frozen=True, slots=True)
class BaselineAsked:
    """All that the rate of a baseline depends on."""

    roster: str
    seed: int
    budget: Budget
    blocks_by_clock: int
    """How many blocks, where milliseconds bound a move: a game then takes seconds."""

    def plan(self) -> Plan:
        """More blocks than are played: it ends once the rate is known well enough."""
        blocks = MOST_BLOCKS if self.budget.ms is None else self.blocks_by_clock
        return Gauntlet([BASELINE], self.roster, games=2 * blocks, seed=self.seed, budget=self.budget).plan()

    def described(self) -> dict[str, Any]:
        """As JSON knows it."""
        played = {"roster": self.roster, "seed": self.seed, "budget": budget_text(self.budget)}
        by_clock = {} if self.budget.ms is None else {"blocks": self.blocks_by_clock}
        return {"version": __version__, **played, **by_clock}


def baseline(
    asked: BaselineAsked, store: Path, *, workers: int | None = None, on_games: OnGames | None = None
) -> Baseline:
    """The baseline from the store, else measured and stored."""
    described = asked.described()
    name = sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:32]
    path = store / "baselines" / f"{name}.json"
    found = read_stored(path, "a baseline", lambda content: _read(content, described))
    if found is None:
        require_writable_store(path.parent)
        found = _measured(asked.plan(), workers or available_processors(), on_games)
        scores = [
            {"opponent": each.opponent, "won_of_each_pair": "".join(map(str, each.pair_wins))}
            for each in found.scores
        ]
        content = {"schema": SCHEMA, **described, "name": BASELINE, "scores": scores}
        write_whole(path, json.dumps(content, indent=1) + "\n")
    return found


def _measured(plan: Plan, threads: int, on_games: OnGames | None) -> Baseline:
    """Play until the rate is known well enough; ask after all opponents have played the same openings."""
    results, games = [], 0
    for chunk in plan.chunks():
        results.append(run_chunk(chunk, threads=threads))
        games += len(results[-1].outcomes)
        if on_games is not None:
            on_games(games)
        if len(results) % len(plan.pairings) == 0:
            found = _baseline(merge(plan, results, partial=True).player(BASELINE).scores)
            if found.rate.interval.margin <= MARGIN:
                return found
    return found


def _baseline(scores: tuple[Score, ...]) -> Baseline:
    player = PlayerResult(BASELINE, scores)
    return Baseline(BASELINE, gauntlet(player.block_means), scores)


def _read(content: dict[str, Any], described: dict[str, Any]) -> Baseline:
    if any(content[name] != value for name, value in {"schema": SCHEMA, **described}.items()):
        raise ValueError("it is that of something else")
    scores = tuple(_score(each["opponent"], each["won_of_each_pair"]) for each in content["scores"])
    # Of fewer opponents, or of other blocks for some, it would be the rate of something else.
    asked_for = [each.partition("=")[0] for each in ROSTERS[described["roster"]]]
    if [each.opponent for each in scores] != asked_for:
        raise ValueError("its opponents are not those of the roster")
    if len({each.games for each in scores}) != 1:
        raise ValueError("its opponents have not played the same openings")
    return _baseline(scores)


def _score(opponent: str, won_of_each_pair: str) -> Score:
    pair_wins = bytes(map("012".index, won_of_each_pair))
    return Score(opponent, 2 * len(pair_wins), sum(pair_wins), pair_wins)
