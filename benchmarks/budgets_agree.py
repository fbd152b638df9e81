"""Whether verdicts at `work=2000` are those at the course's budget, for every native heuristic.

    python benchmarks/budgets_agree.py --store STORE

It plays natively, and takes a quarter of an hour on two processors.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from isolation_fast import heuristics
from isolation_fast.statistics import difference_to_baseline
from isolation_fast.tournament import Gauntlet, Sprt, parse_budget, run
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.options import Question

BUDGETS = ("work=2000", "course")
DECISIONS = {"H1": "better", "H0": "not better", None: "undecided"}


def main() -> None:
    """Print those that differ, and how many do not."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True, help="of baselines")
    options = parser.parse_args()
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in heuristics.names()}
    for budget in BUDGETS:
        for name in tqdm(found, desc=budget, disable=None):
            found[name].append(_verdict(name, budget, options.store))
    differ = [[name, *map(": ".join, each)] for name, each in found.items() if each[0][0] != each[1][0]]
    print(tabulate(differ, ("heuristic", *BUDGETS), tablefmt="github"))
    print(f"\n{len(found) - len(differ)} of {len(found)} have the same verdict")


def _verdict(name: str, budget: str, store: Path) -> tuple[str, str]:
    terms = Question().terms("counted")
    base = baseline(BaselineAsked("classic", parse_budget(budget)), store).rate
    test = Sprt(
        base.rate,
        base.rate + terms.points / 100,
        terms.alpha,
        terms.beta,
        baseline_error=base.standard_error,
    )
    # By another name than an opponent's, so that improved has games of its own.
    player = f"tested_{name}"
    plan = Gauntlet([f"{player}=AB:{name}"], games=2 * terms.blocks, budget=budget).plan()
    result = run(plan, sprt=test)
    means = result.player(player).block_means
    difference = difference_to_baseline(means, baseline_rate=base.rate, baseline_error=base.standard_error)
    return DECISIONS[result.sequential[0].result.decision], str(difference)


if __name__ == "__main__":
    main()
