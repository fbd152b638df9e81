"""The games of a probe: each member of a submission against each opponent, and what they used and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from isolation_fast import Budget
from isolation_fast.jail import Limits
from isolation_fast.tournament import (
    ChunkResult,
    GameRecord,
    Gauntlet,
    Plan,
    PlayerResult,
    SubmissionEntrant,
    Use,
    merge,
    run_chunk,
)
from isolation_fast.tournament.tally import StrikeCount
from isolation_grader.findings import LostGame, Member, MemberTimings, Printed
from isolation_grader.uses import Traces, printed_of, timings_of, traces_of

__all__ = ["Order", "played"]


@dataclass(frozen=True, slots=True)
class Order:
    """Who is to play, and how much."""

    file: Path
    kinds: Mapping[str, bool]
    """The members, and whether each is a heuristic: the others search by themselves."""
    opponents: Sequence[str]
    games: int
    seed: int
    budget: Budget
    limits: Limits | None
    """In the jail; None where there is none."""

    def plan(self) -> Plan:
        """All games, each with its record: positions are drawn from it."""
        place, digest = str(self.file.absolute()), sha256(self.file.read_bytes()).hexdigest()
        entrants = {
            name: SubmissionEntrant(name, place, name, digest, self.budget if is_heuristic else None)
            for name, is_heuristic in self.kinds.items()
        }
        return Gauntlet(
            entrants,
            list(self.opponents),
            games=self.games,
            seed=self.seed,
            budget=self.budget,
            record=True,
            jail=self.limits is not None,
            limits=self.limits,
        ).plan()


def played(
    order: Order, progress: Callable[[int, int], object] | None
) -> tuple[tuple[Member, ...], tuple[MemberTimings, ...], bool]:
    """Play; gives the members, their timings, and whether playing again gives the same."""
    plan = order.plan()
    strikes = StrikeCount(plan)
    results: list[ChunkResult] = []
    uses: dict[int, list[Use]] = {each: [] for each in plan.tested}
    traces: Traces = {}
    games = 0
    for chunk in plan.chunks():
        games += 2 * len(chunk.openings)
        if not strikes.is_over(chunk.pairing):
            of_chunk: list[Use] = []
            results.append(run_chunk(chunk, used=of_chunk.append))
            uses[plan.pairings[chunk.pairing].first] += of_chunk
            traces |= traces_of(plan, chunk, of_chunk)
            strikes.counted(results[-1])
        if progress is not None:
            progress(games, plan.games)
    result = merge(plan, results)
    kept = 0 if order.limits is None else order.limits.output
    members = tuple(
        _member(
            player,
            order.kinds[player.name],
            _lost_games(plan, results, player, traces),
            printed_of(uses[each], kept),
        )
        for each, player in zip(plan.tested, result.players, strict=True)
    )
    timings = tuple(
        timings_of(player.name, uses[each]) for each, player in zip(plan.tested, result.players, strict=True)
    )
    return members, timings if order.limits else (), result.reproducible


def _member(
    player: PlayerResult, is_heuristic: bool, lost_games: tuple[LostGame, ...], printed: Printed
) -> Member:
    return Member(
        name=player.name,
        kind="heuristic" if is_heuristic else "player",
        games=player.games,
        won=player.won,
        endings=player.endings,
        is_broken=player.is_broken,
        lost_games=lost_games,
        printed=printed,
    )


def _lost_games(
    plan: Plan, results: Iterable[ChunkResult], player: PlayerResult, traces: Traces
) -> tuple[LostGame, ...]:
    """The games that it lost by its own fault, each with the position that it was to move in."""
    positions = {}
    for record in (GameRecord.from_dict(each) for result in results for each in result.records or ()):
        pairing = plan.pairings[record.pairing]
        names = plan.entrants[pairing.first].name, plan.entrants[pairing.second].name
        *_, last = record.boards()
        game = (*names, record.opening, record.side)
        positions[game] = last.to_text()
    lost = []
    for each in player.faults:
        game = player.name, each.opponent, each.opening, 0 if each.is_player_1 else 1
        lost.append(
            LostGame(
                opponent=each.opponent,
                opening=each.opening,
                player=1 if each.is_player_1 else 2,
                ending=each.ending,
                detail=each.detail,
                position=positions[game],
                trace=tuple(traces.get(game, "").splitlines()),
            )
        )
    return tuple(lost)
