"""Play the classic tournament with the baseline players, and print the classic table.

Four test agents meet seven opponents. Every two games share an opening, two random placements, and swap
sides; the openings are the same for all. Players named AB_ search with alpha-beta and a budget of nodes,
those named MM_ with minimax three moves deep.

    make grade ARGS='--games 20 --seed 1'
"""

from __future__ import annotations

import argparse
import sys

from tqdm import tqdm

from isolation_fast.exceptions import IsolationError
from isolation_fast.tournament import Gauntlet, Run

TEST_AGENTS = ("AB_Improved", "AB_Open", "AB_Center", "AB_Null")


def main() -> int:
    """Play as the options say; the table goes to stdout, all else to stderr."""
    parser = argparse.ArgumentParser(description="Tournament of the baseline players, as the classic table.")
    parser.add_argument("--games", type=int, default=10, help="games a cell, an even number (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the openings and of ties (%(default)s)")
    parser.add_argument("--nodes", type=int, default=2000, help="of AB_ players a move (%(default)s)")
    options = parser.parse_args()
    try:
        tournament = Gauntlet(
            TEST_AGENTS, games=options.games, seed=options.seed, budget=f"nodes={options.nodes}"
        )
    except IsolationError as error:
        parser.error(str(error))
    plan = tournament.plan()
    with Run(plan) as running:
        try:
            # On a terminal alone: a log gets none of it.
            with tqdm(total=plan.games, unit="game", leave=False, disable=None) as bar:
                result = running.play(lambda progress: bar.update(progress.games - bar.n))
        except KeyboardInterrupt:
            print("stopped before the tournament was over; no table", file=sys.stderr)
            return 130
        print(result.classic_table())
        print(running.timings(), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
