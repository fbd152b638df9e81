"""How well the counted cost of a heuristic that compiles foretells its measured one.

    python benchmarks/counted_costs.py FILE ...

Each heuristic of the submissions, each a `game_agent.py`, is measured with seven rounds and counted, in the
jail. The last lines say how many of the bands of blank cells, and of the games, are near. It takes some
seconds for each heuristic.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from isolation_fast.cost import STEP, Cost, Counts, agree, counted
from isolation_fast.jail import Assignment, Fault, counts_of, measure_cost, outline
from isolation_fast.output import progress
from isolation_fast.submission import SubmissionError

ROUNDS = 7
HALF_A_STEP = STEP**0.5


@dataclass(frozen=True)
class Row:
    """A heuristic."""

    of: str
    name: str
    counts: Counts
    measured: Cost


def rows_of(file: Path) -> Iterator[Row]:
    """Measure and count the heuristics of a submission that compile."""
    found = outline(file)
    if found.early_names:
        return
    for name in found.heuristics:
        try:
            counts = counts_of(Assignment(file, name))
            measured = counts and measure_cost(Assignment(file, name), rounds=ROUNDS)
        except Fault as fault:
            print(f"{file}: {name}: {fault.ending}: {fault.detail}", file=sys.stderr)
            continue
        if counts and measured:
            yield Row(str(file.parent), name, counts, measured)


def factor(one: float, other: float) -> float:
    """By how much two costs differ, at least 1."""
    return max(one, other) / min(one, other)


def show(title: str, errors: Sequence[float]) -> None:
    """Print how many of the factors are small."""
    if errors:
        step, half = (sum(each <= most for each in errors) / len(errors) for most in (STEP, HALF_A_STEP))
        print(f"{title}: {step:.1%} within a step, {half:.1%} within half of one, the most {max(errors):.3g}")


def main() -> None:
    """Print a table, and the shares."""
    files = [Path(each) for each in sys.argv[1:]]
    rows: list[Row] = []
    with progress(len(files), "submission") as bar:
        for number, file in enumerate(files):
            bar.reach(number, file.parent.name)
            try:
                rows += rows_of(file)
            except (SubmissionError, Fault) as error:
                print(f"{file}: {error}", file=sys.stderr)
    bands: list[float] = []
    table: list[list[object]] = []
    for row in rows:
        now = counted(row.counts)
        of_row = [factor(*pair) for pair in zip(now.by_band, row.measured.by_band, strict=True)]
        bands += of_row
        table.append([Path(row.of).name, row.name, row.measured.value, now.value, max(of_row)])
    print(tabulate(table, headers=["of", "heuristic", "measured", "counted", "band"], floatfmt=".4g"))
    print(f"\n{len(rows)} heuristics")
    show("bands", bands)
    show("games", [factor(counted(row.counts).value, row.measured.value) for row in rows])
    agreeing = sum(agree(counted(row.counts), row.measured) for row in rows)
    print(f"{agreeing} of {len(rows)} heuristics get their counted cost")


if __name__ == "__main__":
    main()
