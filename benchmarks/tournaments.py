"""How fast tournaments are: over the reference's games, in the jail, with two workers over one.

`make bench` shows these rows among its own; `python benchmarks/tournaments.py` shows them alone, and what a
million games take.
"""

from __future__ import annotations

import random
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeAlias

from isolation_fast import reference
from isolation_fast.compiled import not_compiling
from isolation_fast.tournament import Gauntlet, Match, Plan, run

Figures: TypeAlias = tuple[float, float, float]
"""Ours, the peer's, and the ratio."""

BUDGET = "nodes=2000"
TESTED = ["AB_Improved", "custom=AB:aggressive", "custom_2=AB:bfs", "custom_3=AB:weighted_moves"]
ROUNDS = 5


def classic_tournament(openings: int = 5) -> Plan:
    """Return the course's tournament: four test players, seven opponents, ten games each."""
    return Gauntlet(TESTED, "classic", games=2 * openings, budget=BUDGET).plan()


def games_per_second(plan: Plan, workers: int, clock: Callable[[], float] = perf_counter) -> float:
    """Return the games of a plan over the seconds that they take."""
    start = clock()
    run(plan, workers=workers)
    return plan.games / (clock() - start)


def reference_games_per_second(blocks: int = 1) -> float:
    """Return the same on the reference board with the reference's search, of as many openings as given."""
    plan = classic_tournament(blocks)
    start, games = process_time(), 0
    for chunk in plan.chunks():
        first, second = (mover(each) for each in chunk.entrants)
        for opening in chunk.openings:
            for movers in ((first, second), (second, first)):
                reference_game(opening, movers)
                games += 1
    return games / (process_time() - start)


def mover(entrant: Any) -> Callable[[Any], Any]:
    """Return what chooses a player's moves on the reference board."""
    if entrant.kind == "random":
        return lambda board: random.choice(board.get_legal_moves() or [None])
    name = entrant.heuristic.name
    if entrant.kind == "minimax":
        return lambda board: reference.search(board, name, depth=3, method="minimax").move
    return lambda board: reference.search(board, name, nodes=2000).move


def reference_game(opening: str, movers: tuple[Callable[[Any], Any], Callable[[Any], Any]]) -> None:
    """Play a game on the reference board."""
    board, turn = reference.Board.from_text(opening), 0
    while (move := movers[turn](board)) is not None:
        board, turn = board.forecast_move(move), 1 - turn


def over_the_reference() -> Figures:
    """Return games a second by one thread, by the reference, and the ratio."""
    plan = classic_tournament()
    pairs = [(games_per_second(plan, 1, process_time), reference_games_per_second()) for _ in range(3)]
    ours, theirs = (median(column) for column in zip(*pairs, strict=True))
    return ours, theirs, median(a / b for a, b in pairs)


def over_one_worker(plan: Plan, *, compiling: bool = True) -> Figures:
    """Return games a second by two workers, by one, and the ratio."""
    with not_compiling(not compiling):
        pairs = [(games_per_second(plan, 2), games_per_second(plan, 1)) for _ in range(ROUNDS)]
    two, one = (median(column) for column in zip(*pairs, strict=True))
    return two, one, median(a / b for a, b in pairs)


def depth_3_microseconds() -> float:
    """Return what a game of AB_Improved at depth 3 against itself takes in a tournament, by one thread.

    The best of five, as the engine's own program measures bare self-play.
    """
    plan = Match("one=AB_Improved@depth=3", "two=AB_Improved@depth=3", games=20_000).plan()
    return 1e6 / max(games_per_second(plan, 1, process_time) for _ in range(ROUNDS))


def counts_moves(game: Any, player: Any) -> float:
    """Score as many students do; in Python, so that it is played by processes."""
    return float(len(game.get_legal_moves(player)) - 2 * len(game.get_legal_moves(game.get_opponent(player))))


def python_tournament() -> Plan:
    """Return a tournament of a Python heuristic."""
    return Gauntlet({"mine": counts_moves}, "classic", games=40, budget=BUDGET).plan()


def compiled_over_python() -> Figures:
    """Return games a second of a compiled heuristic by one worker, of the same in Python, and the ratio.

    Both play for some seconds, so that starting the process, a quarter of one, is no part of it.
    """
    many, fewer = (
        Match({"mine": counts_moves}, "AB_Improved", games=games, budget=BUDGET).plan()
        for games in (10_000, 400)
    )
    pairs = []
    for _ in range(3):
        compiled = games_per_second(many, 1)
        with not_compiling():
            pairs.append((compiled, games_per_second(fewer, 1)))
    compiled, python = (median(column) for column in zip(*pairs, strict=True))
    return compiled, python, median(a / b for a, b in pairs)


def jailed_over_outside(workers: int) -> Figures:
    """Return games a second of a submission in the jail, outside it, and the ratio; both in Python."""
    with not_compiling():
        plans = [
            Gauntlet(
                "examples/game_agent.py:custom_score", ["AB_Improved"], games=100, budget=BUDGET, jail=jail
            ).plan()
            for jail in (True, False)
        ]
        pairs = [tuple(games_per_second(plan, workers) for plan in plans) for _ in range(ROUNDS)]
    inside, outside = (median(column) for column in zip(*pairs, strict=True))
    return inside, outside, median(a / b for a, b in pairs)


def million_games() -> str:
    """Return what a million games of Random against Greedy take."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = perf_counter()
        run(Match("Random", "Greedy", games=1_000_000).plan(), journal=journal)
        seconds = perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        size = journal.stat().st_size
    return (
        f"a million games of Random against Greedy: {seconds:.1f} s, peak memory {peak / 1024:.0f} MiB "
        f"({before / 1024:.0f} MiB before), journal {size / 1e6:.3f} bytes a game"
    )


def main() -> None:
    """Print all rows."""
    print(million_games())
    for name, row in (
        ("classic tournament, games/s over the reference's", over_the_reference()),
        ("classic tournament, two threads over one", over_one_worker(classic_tournament(50))),
        ("Python heuristic, two processes over one", over_one_worker(python_tournament(), compiling=False)),
        ("Python heuristic, compiled over not", compiled_over_python()),
        ("submission in the jail over outside it, one worker", jailed_over_outside(1)),
        ("submission in the jail over outside it, two workers", jailed_over_outside(2)),
    ):
        print(name, *(f"{each:,.4g}" for each in row))


if __name__ == "__main__":
    main()
