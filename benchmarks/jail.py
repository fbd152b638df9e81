"""What the jail costs: until a process is locked for a submission, and a move's way there and back.

`make bench` shows these rows among its own; `python benchmarks/jail.py` shows them alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from isolation_fast import Budget
from isolation_fast.jail import Assignment, JailedProcess
from isolation_fast.process import Child, Kind, Python, program_of

OPENING = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
# A search of one node, and a player that does not look: what is left is the way.
SUBMISSION = """
def custom_score(game, player):
    return 0.0

class CustomPlayer:
    def get_move(self, game, time_left):
        return 0, 0
"""
STARTS = 15
MOVES = 4_000

READY_ALLOWED = 0.1
"""Of the time of a new Python that imports the same."""
ROUND_TRIP_ALLOWED = 50e-6
"""Seconds of a move without its search."""


def starts() -> tuple[list[float], list[float]]:
    """Return the seconds until a process was locked for a submission, and until a new Python had its imports.

    In turns; the first of the one sort, which starts the nursery that forks the others, does not count.
    """
    forked, afresh = [], []
    # It sends what a worker could not do without: that all is imported.
    python = Python(program_of("isolation_fast.worker.nursery"), ["-s"], folder="/")
    with submission() as file:
        assignment = Assignment(file, "custom_score")
        JailedProcess.start(assignment).close()
        for _ in range(STARTS):
            begin = perf_counter()
            with JailedProcess.start(assignment):
                forked.append(perf_counter() - begin)
            begin = perf_counter()
            with Child(python, keeps_output=True, passes_descriptors=True) as new:
                new.wait_for(Kind.READY, 60.0)
                afresh.append(perf_counter() - begin)
    return forked, afresh


@contextmanager
def submission() -> Iterator[Path]:
    """Make the file of a submission, there as long as the context."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game_agent.py")
        file.write_text(SUBMISSION)
        yield file


def round_trips(member: str) -> list[float]:
    """Return the seconds of each of many moves of a submission that does nothing for them."""
    with submission() as file, JailedProcess.start(Assignment(file, member)) as process:
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
    for what, found in zip(
        ("locked for a submission", "a new Python with its imports"), starts(), strict=True
    ):
        ready = sorted(found)
        print(f"{what}: {median(ready) * 1e3:.1f} ms, from {ready[0] * 1e3:.1f} to {ready[-1] * 1e3:.1f}")
    for what, member in (("a heuristic's move", "custom_score"), ("a player's move", "CustomPlayer")):
        low, middle, high = (each * 1e6 for each in quantiles(round_trips(member), n=4))
        print(f"{what}, there and back: {middle:.1f} us, half of them from {low:.1f} to {high:.1f}")


if __name__ == "__main__":
    main()
