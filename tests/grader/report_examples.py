"""Reports with all that a report may hold, from games that the engine plays in a moment."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from isolation_fast.jail import Level
from isolation_fast.statistics import BlockTest, difference_to_baseline, gauntlet
from isolation_fast.tournament import (
    ROSTERS,
    FaultyGame,
    GameRecord,
    Gauntlet,
    PlayerResult,
    merge,
    run_chunk,
)
from isolation_grader.lost_games import LosingMove, LostGame
from isolation_grader.options import Question
from isolation_grader.report import (
    Baseline,
    CostUsed,
    Graded,
    Grading,
    GradingTimings,
    MemberGrading,
    MemberTimings,
    Printed,
    Problem,
    Report,
    Verdict,
)

__all__ = ["example_report", "report_of_a_file_that_does_not_load"]

BLOCKS = 12
TERMS = Question().terms("timed", heuristics=4)
SANDBOX = Level(("files", "writing"), ())


@cache
def example_report() -> Report:
    """Four heuristics: better, not better, undecided, and not graded."""
    baseline = _baseline()
    better, lost = _played("custom_score", "AB:improved@nodes=4000", baseline, "better")
    worse, more_lost = _played("custom_score_2", "AB:null@nodes=200", baseline, "not better")
    open_, last_lost = _played("custom_score_3", "AB:improved@nodes=200", baseline, "undecided")
    worse = replace(worse, cost=CostUsed(3.05, "timed"))
    raised = Problem(
        "raised",
        "it raised in three games: ZeroDivisionError: division by zero (game_agent.py:6 in custom_score_4)",
        "mend the error: the traceback says in which line; the positions are below",
        ("Traceback (most recent call last):", '  File "game_agent.py", line 6, in custom_score_4'),
    )
    broken, broken_lost = _broken(open_, last_lost)
    graded = (
        Graded("custom_score", better, lost_games=lost, advice=("Play on: <b>it is better</b>.",)),
        Graded(
            "custom_score_2",
            worse,
            lost_games=more_lost,
            advice=("Look at the other's moves.",),
        ),
        Graded("custom_score_3", open_, lost_games=last_lost, nans=1234),
        Graded(
            "custom_score_4", broken, problem=raised, lost_games=broken_lost, printed=Printed(b"<i>hello\x1b")
        ),
    )
    return Report(
        submission="ada",
        file="game_agent.py",
        digest="0" * 64,
        version="0.1.0",
        sandbox=SANDBOX,
        roster="classic",
        opponents=ROSTERS["classic"],
        seed=0,
        budget="work=2000",
        plays="search",
        nan="course",
        question=Question(),
        baseline=baseline,
        graded=graded,
        timings=GradingTimings(31.5, 0.3, 6.0, tuple(_timings(each.name) for each in graded)),
    )


def report_of_a_file_that_does_not_load() -> Report:
    """Nothing of it could be graded."""
    problem = Problem(
        "not loaded",
        "game_agent.py:3: SyntaxError: invalid syntax",
        "the file must be Python that imports: run it by itself",
    )
    return replace(example_report(), baseline=None, graded=(), problem=problem)


def _baseline() -> Baseline:
    result = Gauntlet(["AB_Improved"], games=2 * BLOCKS, budget="nodes=200").run()
    player = result.player("AB_Improved")
    return Baseline("AB_Improved", gauntlet(player.block_means), player.scores)


def _played(
    name: str, player: str, baseline: Baseline, verdict: Verdict
) -> tuple[Grading, tuple[LostGame, ...]]:
    plan = Gauntlet([f"{name}={player}"], games=2 * BLOCKS, budget="nodes=200", record=True).plan()
    chunks = [run_chunk(each) for each in plan.chunks()]
    result = merge(plan, chunks).player(name)
    rate = baseline.rate
    means = result.block_means
    test = BlockTest(rate.rate, min(rate.rate + 0.05, 0.99), alpha=0.0125, baseline_error=rate.standard_error)
    difference = difference_to_baseline(means, baseline_rate=rate.rate, baseline_error=rate.standard_error)
    records = [GameRecord.from_dict(each) for chunk in chunks for each in chunk.records or ()]
    lost = tuple(_lost(each) for each in records if each.winner != each.side + 1)
    cost = CostUsed(1.25, "counted")
    return Grading(verdict, cost, TERMS, result, test.extend(means), difference), lost


def _lost(record: GameRecord) -> LostGame:
    turning = max(0, len(record.moves) - 6)
    losing = LosingMove(turning + 1, record.moves[turning], (), blank=20)
    return LostGame(record.players[1 - record.side], record, "It had no move left.", losing)


def _broken(like: Grading, lost: tuple[LostGame, ...]) -> tuple[Grading, tuple[LostGame, ...]]:
    assert like.result is not None
    games = tuple(
        replace(
            each,
            record=replace(each.record, ending="raised", detail="ZeroDivisionError: division by zero"),
            happened="It raised: ZeroDivisionError: division by zero (game_agent.py:6 in custom_score_4)",
            losing=None,
            trace=("Traceback (most recent call last):", '  File "game_agent.py", line 6, in custom_score_4'),
        )
        for each in lost[:3]
    )
    faults = tuple(
        FaultyGame(each.opponent, each.record.opening, each.player == 1, "raised", each.record.detail)
        for each in games
    )
    played = [sum(game.opponent == each.opponent for game in games) for each in like.scores]
    scores = tuple(
        replace(each, games=count, won=0, pair_wins=b"")
        for each, count in zip(like.scores, played, strict=True)
    )
    result = PlayerResult("custom_score_4", scores, None, faults, is_broken=True)
    return Grading("not graded", like.cost, like.terms, result, None, None), games


def _timings(name: str) -> MemberGrading:
    moves = MemberTimings(name, 12_000, 4.2, 0.012)
    return MemberGrading(name, playing=7.1, moves=moves)
