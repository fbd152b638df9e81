"""What the jail costs: until a process is ready for a submission, and a move's way there and back.

`make bench` shows these rows among its own; `python benchmarks/jail.py` shows them alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from isolation_fast import Budget
from isolation_fast.jail import Assignment, JailedProcess, start_process
from isolation_fast.process import Kind

OPENING = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
# A search of one node, and a player that does not look: what is left is the way.
SUBMISSION = """
def custom_score(game, player):
    return 0.0

class CustomPlayer:
    def get_move(self, game, time_left):
        return 0, 0
"""
STARTS = 11
MOVES = 4_000

READY_ALLOWED = 0.250
"""Seconds from nothing to a process that has imported numpy and all else, and waits."""
ROUND_TRIP_ALLOWED = 50e-6
"""Seconds of a move without its search."""


def starts() -> list[float]:
    """Return the seconds until each of some processes was ready, one after the other."""
    found = []
    for _ in range(STARTS):
        begin = perf_counter()
        process = start_process()
        process.wait_for(Kind.READY, 60.0)
        found.append(perf_counter() - begin)
        process.close()
    return found


def round_trips(member: str) -> list[float]:
    """Return the seconds of each of many moves of a submission that does nothing for them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game_agent.py")
        file.write_text(SUBMISSION)
        with JailedProcess.start(Assignment(file, member)) as process:
            process.load(1)
            process.begin_game(OPENING, 1, 2, 0)
            budget = Budget(nodes=1)

            def search() -> object:
                return process.search([], OPENING, budget)

            def move() -> object:
                return process.move([], 150.0)

            return [timed(search if member == "custom_score" else move) for _ in range(MOVES)]


def timed(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    begin = perf_counter()
    call()
    return perf_counter() - begin


def main() -> None:
    """Print them."""
    ready = sorted(starts())
    print(f"ready: {median(ready) * 1e3:.0f} ms, from {ready[0] * 1e3:.0f} to {ready[-1] * 1e3:.0f}")
    for what, member in (("a heuristic's move", "custom_score"), ("a player's move", "CustomPlayer")):
        low, middle, high = (each * 1e6 for each in quantiles(round_trips(member), n=4))
        print(f"{what}, there and back: {middle:.1f} us, half of them from {low:.1f} to {high:.1f}")


if __name__ == "__main__":
    main()
