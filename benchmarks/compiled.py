"""How much faster compiled heuristics are than CPython, each on positions of random games.

    python benchmarks/compiled.py FILE ...

`make bench` shows the median over the examples'; this command shows that over the heuristics of submissions,
each of them a `game_agent.py`. Loading them runs their code: run this where it can do no harm.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tabulate import tabulate

from isolation_fast.compiled import Explanation, explain, random_positions
from isolation_fast.submission import SubmissionError, as_player, load

EXAMPLES = Path(__file__).parent.parent / "examples"
ROUNDS = 3


def explanations(path: Path) -> Iterator[Explanation]:
    """Explain each heuristic of a submission, timed where it compiles."""
    submission = load(path)
    for name in submission.heuristics:
        player = as_player(submission, name, depth=1)
        boards = random_positions()
        with submission.activated():
            # The first round has machine code made.
            found = [explain(player.score, boards=boards) for _ in range(ROUNDS)]
        yield max(found, key=lambda each: each.timing.times_faster if each.timing else 0.0)


def over_cpython(paths: list[Path]) -> tuple[float, float, float]:
    """Return medians over the heuristics that compile: nanoseconds of a value, in CPython, and the ratio."""
    timings = [each.timing for path in paths for each in explanations(path) if each.timing]
    return (
        median(timing.compiled for timing in timings),
        median(timing.python for timing in timings),
        median(timing.times_faster for timing in timings),
    )


def main() -> None:
    """Print a table."""
    rows: list[list[object]] = []
    ratios: list[float] = []
    for path in map(Path, sys.argv[1:]):
        try:
            found = list(explanations(path))
        except SubmissionError as error:
            rows.append([path.parent.name, None, None, None, None, str(error)])
            continue
        for each in found:
            timing = each.timing
            figures = [timing.compiled, timing.python, timing.times_faster] if timing else [None] * 3
            rows.append([path.parent.name, each.name, *figures, each.message])
            ratios += [timing.times_faster] if timing else []
    print(tabulate(rows, headers=["of", "heuristic", "ns", "ns in CPython", "ratio", ""], floatfmt=".3g"))
    if ratios:
        print(f"\n{len(ratios)} of {len(rows)} compile, median {median(ratios):.3g} times as fast")


if __name__ == "__main__":
    main()
