"""How well the counted cost of a heuristic that compiles foretells its measured one.

    python benchmarks/counted_costs.py FILE ...

Each heuristic of the submissions, each a `game_agent.py`, is measured with seven rounds and counted, in the
jail. The shares of `isolation_fast.cost` are fitted anew to all submissions but one, and foretell that one.
The last lines are the shares that all of them give. It takes some seconds for each heuristic.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import numpy
from tabulate import tabulate

from isolation_fast.cost import BANDS, STEP, Cost, Counts, agree, counted
from isolation_fast.jail import Assignment, Fault, counts_of, measure_cost, outline
from isolation_fast.output import progress
from isolation_fast.submission import SubmissionError

ROUNDS = 7
HALF_A_STEP = STEP**0.5
Shares: TypeAlias = "numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.floating[Any]]]"
TIMES = 200
"""Of fitting: each minimises squares whose weights are those of the fit before."""


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


def fitted(rows: Sequence[Row]) -> Shares:
    """The shares that foretell these rows best: of a node, of boards, by bands; and of an instruction.

    The largest errors weigh most: the squares of relative errors, each weighed by its size.
    """
    count = len(BANDS)
    equations = numpy.zeros((len(rows) * count, 2 * count + 1))
    for number, row in enumerate(rows):
        for band, cost in enumerate(row.measured.by_band):
            nodes = row.counts.nodes[band]
            line = equations[number * count + band]
            line[band], line[count + band] = 1.0, row.counts.asked[band] / nodes
            line[-1] = row.counts.fuel[band] / nodes
            line /= cost
    weights = numpy.ones(len(equations))
    shares: Shares = numpy.zeros(equations.shape[1])
    for _ in range(TIMES):
        weighed = equations * weights[:, None]
        shares = numpy.linalg.lstsq(weighed, weights, rcond=None)[0]
        weights = 0.1 + numpy.sqrt(numpy.abs(equations @ shares - 1.0))
        weights /= weights.mean()
    return shares


def foretold(shares: Shares, counts: Counts) -> list[float]:
    """What shares say of a heuristic, by bands."""
    count = len(BANDS)
    return [
        float(
            shares[band]
            + (shares[count + band] * counts.asked[band] + shares[-1] * counts.fuel[band]) / nodes
        )
        for band, nodes in enumerate(counts.nodes)
    ]


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
    own: list[tuple[float, float]] = []
    left_out: list[tuple[float, float]] = []
    games: list[float] = []
    table: list[list[object]] = []
    for row in rows:
        others = [each for each in rows if each.of != row.of]
        costs = foretold(fitted(others), row.counts) if others else counted(row.counts).by_band
        now = counted(row.counts)
        pairs = list(zip(costs, row.measured.by_band, strict=True))
        left_out += [(cost, measured) for cost, measured in pairs]
        own += zip(now.by_band, row.measured.by_band, strict=True)
        games.append(factor(fmean(costs), row.measured.value))
        most = max(factor(*pair) for pair in pairs)
        table.append([Path(row.of).name, row.name, row.measured.value, now.value, most])
    print(
        tabulate(table, headers=["of", "heuristic", "measured", "counted", "band, left out"], floatfmt=".4g")
    )
    print(f"\n{len(rows)} heuristics")
    show("bands, as it is", [factor(*pair) for pair in own])
    show("bands, its submission left out", [factor(*pair) for pair in left_out])
    show("games, as it is", [factor(counted(row.counts).value, row.measured.value) for row in rows])
    show("games, its submission left out", games)
    agreeing = sum(agree(counted(row.counts), row.measured) for row in rows)
    print(f"{agreeing} of {len(rows)} heuristics get their counted cost")
    shares = fitted(rows)
    count = len(BANDS)
    nodes, boards = (
        tuple(float(f"{each:.4g}") for each in part) for part in (shares[:count], shares[count:-1])
    )
    print(f"NODE_SHARES = {nodes}")
    print(f"BOARD_SHARES = {boards}")
    print(f"FUEL_SHARE = {shares[-1]:.4g}")


if __name__ == "__main__":
    main()
