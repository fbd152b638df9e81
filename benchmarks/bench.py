"""Measure the engine against its peers, as ratios within one run.

    make bench                     # against the pure-Python twin
    CLASSIC=checkout make bench    # and against the classic board, a checkout of udacity/AIND-Isolation
    make bench ARGS=--markdown     # as the table that docs/decisions keeps

A busy machine slows both sides of a ratio: work and peer run in turn, by CPU time, and the median of the
pairs counts. The bars are what the project promises of itself; below one the command ends with status 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from time import process_time
from timeit import Timer
from typing import Any

from tabulate import tabulate

import compiled
import evaluation
import isolation_fast.jail
import jail
import tournaments
from isolation_fast import Board, reference, search
from reference_against_classic import classic_board

ROOT = Path(__file__).parent.parent
OPENING = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
# Both knights placed and half of the board gone.
MIDGAME = "7x7 1x1xx2/x1x2x1/2xx1x1/x2x1xx/1x1xx2/xx3x1/2x2xx 2,3 4,4 1"
ROUNDS = 7


@dataclass(frozen=True)
class Row:
    """One comparison: both figures in `unit`, and what their ratio must reach."""

    name: str
    unit: str
    ours: float
    peer: float
    ratio: float
    bar: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        """Whether the ratio is on the right side of the bar."""
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar

    def cells(self) -> list[str]:
        """Return the row as it is printed."""
        bar = f"{'at most' if self.at_most else 'at least'} {self.bar:.3g}"
        ratio = f"{self.ratio:.3g}" if self.ratio < 100 else f"{self.ratio:,.0f}"
        return [
            self.name,
            self.unit,
            figure(self.ours),
            figure(self.peer),
            ratio,
            bar,
            "" if self.met else "missed",
        ]


def figure(value: float) -> str:
    """Return a number with three digits that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def rate(work: Callable[[], int]) -> float:
    """Return how often a second of CPU time the work was done."""
    start = process_time()
    done = work()
    return done / (process_time() - start)


def faster(name: str, unit: str, bar: float, ours: Callable[[], int], peer: Callable[[], int]) -> Row:
    """Compare two rates, in turn."""
    pairs = [(rate(ours), rate(peer)) for _ in range(ROUNDS)]
    own, other = (median(column) for column in zip(*pairs, strict=True))
    return Row(name, unit, own, other, median(a / b for a, b in pairs), bar)


def quicker_call(name: str, statement: str, bar: float, ours: Any, peer: Any) -> Row:
    """Compare the nanoseconds of one call, the loop around it not counted."""
    calls = 20_000
    player, move = ours.active_player, sorted(ours.get_legal_moves())[0]

    def nanoseconds(board: Any, what: str) -> float:
        names = {"board": board, "player": player, "move": move}
        return Timer(what, globals=names, timer=process_time).timeit(calls) / calls * 1e9

    def one_pair() -> tuple[float, float]:
        empty = nanoseconds(ours, "board; move")
        return nanoseconds(ours, statement) - empty, nanoseconds(peer, statement) - empty

    pairs = [one_pair() for _ in range(3 * ROUNDS)]
    own, other = (median(column) for column in zip(*pairs, strict=True))
    return Row(name, "ns a call", own, other, median(b / a for a, b in pairs), bar)


def improved_by_hand(game: Any, player: Any) -> float:
    """Score as the course's `improved_score` does."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = len(game.get_legal_moves(player))
    others = len(game.get_legal_moves(game.get_opponent(player)))
    return float(own - others)


def against_the_twin() -> list[Row]:
    """Compare with what the pure-Python twin does too."""
    board, twin = Board.from_text(OPENING), reference.Board.from_text(OPENING)
    return [
        faster(
            "plain alpha-beta, `improved`, 7x7, over the reference's",
            "nodes/s",
            800,
            lambda: search(board, "improved", depth=13).nodes,
            lambda: reference.search(twin, "improved", depth=6).nodes,
        ),
        faster(
            "search with `improved_score` in Python, over the reference's search and board",
            "nodes/s",
            600,
            lambda: search(board, improved_by_hand, depth=13).nodes,
            lambda: reference.search(twin, improved_by_hand, depth=6).nodes,
        ),
    ]


def many_positions() -> list[Row]:
    """Compare the evaluation of many positions, by the heuristic of each kind that gains the least."""
    rows = []
    for kind, walking, bar in (("do not walk", False, 100), ("walk", True, 50)):
        least = min(evaluation.speeds(walking=walking), key=lambda each: each.ratio)
        name = f"`evaluate_many`, `{least.name}` (the least of those that {kind}), over its twin"
        rows.append(Row(name, "ns a position", least.ours, least.twin, least.ratio, bar))
    return rows


def heuristics_in_python() -> list[Row]:
    """Compare compiled heuristics with CPython."""
    files = [compiled.EXAMPLES / "game_agent.py", compiled.EXAMPLES / "territory_agent.py"]
    name = "heuristics of the examples, compiled, over CPython's (the median)"
    return [Row(name, "ns a value", *compiled.over_cpython(files), 40)]


def whole_tournaments() -> list[Row]:
    """Compare tournaments with the reference's games, and with one worker."""
    classic = "the classic tournament at 2,000 nodes a move"
    two = "two threads over one, classic tournament at 2,000 nodes"
    processes = "two processes over one, a heuristic in Python"
    jailed = "a submission at 2,000 nodes in the jail over outside it"
    compiled_one = "a heuristic in Python at 2,000 nodes, compiled over not"
    many, in_python = tournaments.classic_tournament(50), tournaments.python_tournament()
    return [
        Row(f"{classic}, over the reference's", "games/s", *tournaments.over_the_reference(), 500),
        Row(two, "games/s", *tournaments.over_one_worker(many), 1.8),
        Row(processes, "games/s", *tournaments.over_one_worker(in_python, compiling=False), 1.7),
        Row(compiled_one, "games/s", *tournaments.compiled_over_python(), 20),
        Row(f"{jailed}, 1 worker", "games/s", *tournaments.jailed_over_outside(1), 0.85),
        Row(f"{jailed}, 2 workers", "games/s", *tournaments.jailed_over_outside(2), 0.85),
    ]


def in_the_jail() -> list[Row]:
    """Compare what the jail costs with what it may cost. By the wall clock: another process does the work."""
    forked, afresh = (median(each) for each in jail.starts())
    moves, way = median(jail.round_trips("custom_score")), jail.ROUND_TRIP_ALLOWED
    ready_name = "a process with numpy until it is locked for a submission, over a new Python's imports"
    way_name = "a move to a jailed process and back, without its search, over what is allowed"
    return [
        Row(ready_name, "ms", forked * 1e3, afresh * 1e3, forked / afresh, jail.READY_ALLOWED, at_most=True),
        Row(way_name, "us", moves * 1e6, way * 1e6, moves / way, 1, at_most=True),
    ]


def twin_games() -> int:
    """Play AB_Improved at depth 3 against itself from random openings, on the pure-Python twin."""
    games, chance = 8, random.Random(0)
    for _ in range(games):
        board = reference.Board()
        for _ in range(2):
            board.apply_move(chance.choice(board.get_legal_moves()))
        reference.self_play(board, "improved", depth=3)
    return games


def against_the_classic_board(checkout: str | None) -> list[Row]:
    """Compare calls as a script makes them; without a checkout the twin, which costs the same, stands in."""
    classic = classic_board(checkout) if checkout else reference.Board
    ours, peer = Board("Ann", "Ben"), classic("Ann", "Ben")
    for move in game_to(MIDGAME):
        ours.apply_move(move)
        peer.apply_move(move)
    whose = "the classic board's" if checkout else "the reference board's"
    return [
        quicker_call(f"`get_legal_moves`, over {whose}", "board.get_legal_moves(player)", 25, ours, peer),
        quicker_call(f"`forecast_move`, over {whose}", "board.forecast_move(move)", 12, ours, peer),
    ]


def game_to(text: str) -> list[tuple[int, int]]:
    """Return jumps that lead to the blocked cells of a position, both knights last."""
    board = Board.from_text(text)
    knights = [board.get_player_location("player 1"), board.get_player_location("player 2")]
    blank = set(board.get_blank_spaces())
    cells = ((row, column) for column in range(board.width) for row in range(board.height))
    others = [cell for cell in cells if cell not in blank and cell not in knights]
    return others + [knight for knight in knights if knight is not None]


def within_the_engine() -> list[Row]:
    """Compare what Python does not see: measured by a Rust program, several times."""
    package = ["--package", "isolation-core", "--example", "speed"]
    command = ["cargo", "run", "--release", "--quiet", "--locked", *package]
    runs: list[dict[str, float]] = []
    for _ in range(3):
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(done.stdout)
        found["twin_games_per_second"] = rate(twin_games)
        found["game_us"] = 1e6 / found["games_depth_3_per_second"]
        found["tournament_game_us"] = tournaments.depth_3_microseconds()
        runs.append(found)

    def row(name: str, unit: str, bar: float, ours: str, peer: str, *, at_most: bool = True) -> Row:
        own, other = (median(run[key] for run in runs) for key in (ours, peer))
        return Row(name, unit, own, other, median(run[ours] / run[peer] for run in runs), bar, at_most)

    games = ("games_depth_3_per_second", "twin_games_per_second")
    self_play = "self-play AB_Improved at depth 3, over the reference's"
    overhead = "a tournament at depth 3 over bare self-play"
    fast = ("fast_depth_20_seconds", "plain_depth_20_seconds")
    return [
        row(self_play, "games/s", 800, *games, at_most=False),
        row(overhead, "us a game", 1.15, "tournament_game_us", "game_us"),
        row("a node of alpha-beta over a made node of perft", "ns", 2.2, "alphabeta_ns", "perft_made_ns"),
        row(
            "a node of it over one of a search that asks for each leaf",
            "ns",
            0.67,
            "alphabeta_ns",
            "one_by_one_ns",
        ),
        row("a node on 128 bits (11x9) over one on 64", "ns", 1.5, "alphabeta_128_ns", "alphabeta_ns"),
        row("`fast` to depth 20 over plain, ten openings", "s", 1 / 3, *fast),
    ]


def processor() -> str:
    """Return the processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.machine()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description="Measure the engine against its peers, as ratios within one run."
    )
    parser.add_argument("--markdown", action="store_true", help="print the table that docs/decisions keeps")
    options = parser.parse_args()
    checkout = os.environ.get("CLASSIC")
    rows = [*against_the_twin(), *heuristics_in_python(), *many_positions(), *whole_tournaments()]
    if isolation_fast.jail.available().name != "none":
        rows += in_the_jail()
    rows += [*against_the_classic_board(checkout), *within_the_engine()]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    command = f"{'CLASSIC=checkout ' if checkout else ''}make bench"
    print(f"{date.today()}, {processor()}, {platform.system()}, {python}, `{command}`\n")
    print(
        tabulate(
            [row.cells() for row in rows],
            headers=["", "unit", "ours", "peer", "ratio", "bar", ""],
            tablefmt="github" if options.markdown else "simple",
            disable_numparse=True,
            colalign=("left", "left", "right", "right", "right", "left", "left"),
        )
    )
    if not all(row.met for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
