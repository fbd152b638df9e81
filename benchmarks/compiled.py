"""How much faster compiled heuristics are than CPython, each on positions of random games.

    python benchmarks/compiled.py FILE ...

`make bench` shows the median over the examples'; this command shows that over the heuristics of submissions,
each of them a `game_agent.py`, how many of them compile, and how long that takes. Loading them runs their
code: run this where it can do no harm. A heuristic that takes seconds for a value takes some minutes here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from tabulate import tabulate

from isolation_fast.compiled import Explanation, explain, random_positions
from isolation_fast.output import progress
from isolation_fast.submission import SubmissionError, as_player, load

EXAMPLES = Path(__file__).parent.parent / "examples"
ROUNDS = 3


def explanations(path: Path) -> Iterator[tuple[Explanation, float]]:
    """Explain each heuristic of a submission, with a timing where it compiles, and what compiling took."""
    submission = load(path)
    for name in submission.heuristics:
        player = as_player(submission, name, depth=1)
        with submission.activated():
            began = process_time()
            compiles = explain(player.score).compiles
            took = process_time() - began
            # The first round has machine code made.
            boards = random_positions() if compiles else None
            found = [explain(player.score, boards=boards) for _ in range(ROUNDS)]
        yield max(found, key=lambda each: each.timing.times_faster if each.timing else 0.0), took


def over_cpython(paths: list[Path]) -> tuple[float, float, float]:
    """Return medians over the heuristics that compile: nanoseconds of a value, in CPython, and the ratio."""
    timings = [each.timing for path in paths for each, _ in explanations(path) if each.timing]
    return (
        median(timing.compiled for timing in timings),
        median(timing.python for timing in timings),
        median(timing.times_faster for timing in timings),
    )


def main() -> None:
    """Print a table."""
    files = [Path(each) for each in sys.argv[1:]]
    rows: list[list[object]] = []
    ratios: list[float] = []
    compiling: list[float] = []
    with progress(len(files), "submission") as bar:
        for number, path in enumerate(files):
            bar.reach(number, path.parent.name)
            try:
                found = list(explanations(path))
            except SubmissionError as error:
                rows.append([path.parent.name, None, None, None, None, None, str(error)])
                continue
            for each, took in found:
                timing = each.timing
                figures = [timing.compiled, timing.python, timing.times_faster] if timing else [None] * 3
                rows.append([path.parent.name, each.name, *figures, 1000 * took, each.message])
                ratios += [timing.times_faster] if timing else []
                compiling.append(1000 * took)
    headers = ["of", "heuristic", "ns", "ns in CPython", "ratio", "ms to compile", ""]
    print(tabulate(rows, headers=headers, floatfmt=".3g"))
    if ratios:
        slow = quantiles(compiling, n=20)[-1] if len(compiling) > 1 else compiling[0]
        print(f"\n{len(ratios)} of {len(rows)} compile, median {median(ratios):.3g} times as fast")
        print(f"compiling or refusing took {slow:.3g} ms or less in 95 of 100")


if __name__ == "__main__":
    main()
