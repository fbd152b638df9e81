"""The rate of `AB_Improved`, which heuristics are compared with.

It depends on roster and budget alone, not on the seed of a grading. Those that are asked for most have a row
in the table of this package; others are measured once by the engine, to ± 0.3 points, and kept in the store.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
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

SCHEMA: Final = "isolation-grader/baseline/2"
TABLE: Final = Path(__file__).with_name("baselines.json")
"""What `make record-baseline` writes: a row for each roster and budget that is asked for most."""
SEED: Final = 2026
"""Of the openings of every baseline, whatever the seed of a grading."""
MARGIN: Final = 0.003
"""Half of the 95 % interval of a baseline that is measured for the store."""
MOST_BLOCKS: Final = 20_000
"""Four times as many as it takes; a margin not reached by then stays a little wider."""

OnGames: TypeAlias = Callable[[int], object]
"""Called with the games played so far."""


@dataclass(frozen=True, slots=True)
class BaselineAsked:
    """All that the rate of a baseline depends on."""

    roster: str
    budget: Budget
    blocks_by_clock: int = 0
    """How many blocks, where milliseconds bound a move: a game then takes seconds."""

    def plan(self, blocks: int | None = None) -> Plan:
        """The games; without `blocks` more than are played, since it ends once the rate is known."""
        most = MOST_BLOCKS if self.budget.ms is None else self.blocks_by_clock
        games = 2 * (blocks or most)
        return Gauntlet([BASELINE], self.roster, games=games, seed=SEED, budget=self.budget).plan()

    def described(self) -> dict[str, Any]:
        """As JSON knows it."""
        by_clock = {} if self.budget.ms is None else {"blocks_by_clock": self.blocks_by_clock}
        return {"roster": self.roster, "budget": budget_text(self.budget), "seed": SEED, **by_clock}


def baseline(
    asked: BaselineAsked,
    store: Path,
    *,
    workers: int | None = None,
    on_games: OnGames | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> Baseline:
    """The baseline from the table, else from the store, else measured and stored."""
    if (known := _in_table(asked)) is not None:
        return known
    described = {"schema": SCHEMA, "version": __version__, **asked.described()}
    name = sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:32]
    path = store / "baselines" / f"{name}.json"
    found = read_stored(path, lambda content: of_row(content, described))
    if found is None:
        require_writable_store(path.parent)
        scores = _measured(asked.plan(), workers or available_processors(), on_games, interrupted)
        found = _baseline(PlayerResult(BASELINE, scores).block_means, scores)
        write_whole(path, json.dumps({**described, **counts_of(scores)}, indent=1) + "\n")
    return found


@cache
def _in_table(asked: BaselineAsked) -> Baseline | None:
    described = asked.described()
    row = table_row(described)
    return None if row is None else of_row(row, described)


@cache
def _table() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(TABLE.read_text("utf-8"))["baselines"])


def table_row(described: dict[str, Any]) -> dict[str, Any] | None:
    """The row of the table for what is asked; None where it has none."""
    return next((each for each in _table() if described.items() <= each.items()), None)


def counts_of(scores: Sequence[Score]) -> dict[str, Any]:
    """What a row has of the games: how often a block, and a pair against each opponent, was won so far.

    >>> counts_of([Score("Random", 6, 4, bytes([2, 1, 1])), Score("MM_Open", 6, 1, bytes([1, 0, 0]))])
    {'blocks': 3, 'blocks_by_games_won': [0, 2, 0, 1, 0], 'pairs_by_games_won': {'Random': [0, 2, 1], ...}}
    """
    blocks = Counter(map(sum, zip(*(each.pair_wins for each in scores), strict=True)))
    pairs = {each.opponent: [each.pair_wins.count(won) for won in range(3)] for each in scores}
    return {
        "blocks": blocks.total(),
        "blocks_by_games_won": [blocks[won] for won in range(2 * len(scores) + 1)],
        "pairs_by_games_won": pairs,
    }


def of_row(row: dict[str, Any], described: dict[str, Any]) -> Baseline:
    """The baseline that a row of the table or a file of the store has; a ValueError where it is damaged."""
    if any(row[name] != value for name, value in described.items()):
        raise ValueError("it is that of something else")
    pairs, counts = row["pairs_by_games_won"], row["blocks_by_games_won"]
    # Of fewer opponents, or of other blocks for some, it would be the rate of something else.
    if list(pairs) != [each.partition("=")[0] for each in ROSTERS[row["roster"]]]:
        raise ValueError("its opponents are not those of the roster")
    if {sum(each) for each in pairs.values()} != {sum(counts)}:
        raise ValueError("its opponents have not played the same openings")
    scores = tuple(_score(*each) for each in pairs.items())
    games = 2 * len(scores)
    if sum(won * count for won, count in enumerate(counts)) != sum(each.won for each in scores):
        raise ValueError("its blocks have not won what its pairs have")
    return _baseline([won / games for won, count in enumerate(counts) for _ in range(count)], scores)


def _score(opponent: str, pairs: Sequence[int]) -> Score:
    # Their order is not kept, and nothing asks for it.
    pair_wins = bytes(won for won, count in enumerate(pairs) for _ in range(count))
    return Score(opponent, 2 * len(pair_wins), sum(pair_wins), pair_wins)


def _baseline(block_means: Sequence[float], scores: tuple[Score, ...]) -> Baseline:
    return Baseline(BASELINE, gauntlet(block_means), scores)


def _measured(
    plan: Plan, threads: int, on_games: OnGames | None, interrupted: Callable[[], bool] | None
) -> tuple[Score, ...]:
    """Play until the rate is known well enough; ask after all opponents have played the same openings."""
    results, games = [], 0
    for chunk in plan.chunks():
        results.append(run_chunk(chunk, threads=threads, interrupted=interrupted))
        games += len(results[-1].outcomes)
        if on_games is not None:
            on_games(games)
        if len(results) % len(plan.pairings) == 0:
            player = merge(plan, results, partial=True).player(BASELINE)
            if gauntlet(player.block_means).interval.margin <= MARGIN:
                break
    return player.scores
