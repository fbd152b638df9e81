"""How many games it takes to order two heuristics by wins, and by the won positions that they throw away.

`python benchmarks/thrown.py --games 1000` lets alpha-beta with each native heuristic play `AB_Improved` from
random openings of 7 by 7, both sides, and judges every move. It prints a row for each heuristic; then, over
all pairs of them, how many are ordered (two standard errors apart) and after how many games; then how far the
orders agree, with that of the study too. `--journals FOLDER` keeps finished games, and goes on from them.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Final

from isolation_fast import heuristics
from isolation_fast.tournament import Match, Run, ThrownWins

OPPONENT: Final = "AB_Improved"
STUDY: Final = Path(__file__).resolve().parents[1] / "docs" / "study.md"
CLEAR: Final = 2.0
"""Two are ordered where they are so many standard errors apart."""
SURE: Final = 3.0
"""So many, and the number of games is told from more than chance."""
DRAWS: Final = 1000


@dataclass(frozen=True)
class Measure:
    """A number with its standard error; more is better."""

    value: float
    error: float

    def apart(self, other: Measure) -> float:
        """How many standard errors lie between the two, with a sign."""
        error = (self.error**2 + other.error**2) ** 0.5
        return (self.value - other.value) / error if error else 0.0


@dataclass(frozen=True)
class Row:
    """A heuristic."""

    name: str
    wins: Measure
    kept: Measure
    thrown: ThrownWins


def played(name: str, options: argparse.Namespace) -> Row:
    """What a heuristic does against the opponent."""
    players = (f"{each}@nodes={options.nodes}" for each in (f"tested=AB:{name}", OPPONENT))
    plan = Match(*players, games=options.games, seed=options.seed, exact=True).plan()
    journal = None if options.journals is None else Path(options.journals, f"{name}.journal")
    with Run(plan, workers=options.workers, journal=journal, resume=journal is not None) as running:
        player = running.play().player("tested")
    pairs, thrown = player.scores[0].head_to_head, player.thrown
    assert pairs is not None
    assert thrown is not None
    assert thrown.openings is not None
    kept = Measure(-thrown.openings.rate, thrown.openings.standard_error)
    return Row(name, Measure(pairs.rate, pairs.standard_error), kept, thrown)


def kendall(pairs: Sequence[tuple[float, float]]) -> float:
    """Kendall's tau-b of two orders: 1 if they are the same, 0 if they have nothing to do with each other."""
    signs = [((a > c) - (a < c), (b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]
    both = sum(one * other for one, other in signs)
    sizes = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
    return both / ((sizes[0] * sizes[1]) ** 0.5 or 1.0)


def agreement(what: str, pairs: Sequence[tuple[float, float]]) -> None:
    """Print tau with an interval, from drawing the heuristics again."""
    stream = random.Random(1)
    drawn = sorted(kendall(stream.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    ends = f"{drawn[DRAWS // 40]:.2f} to {drawn[-DRAWS // 40]:.2f}"
    print(f"{what}: tau {kendall(pairs):.2f} ({ends}) over {len(pairs)} heuristics")


def of_the_study() -> dict[str, float]:
    """The rate of each heuristic against the classic roster, in percent."""
    table = STUDY.read_text(encoding="utf-8").partition("## All heuristics against the classic roster")[2]
    rows = re.findall(r"^\| +\d+ \| (\w+) +\| ([\d.]+) %", table.partition("\n## ")[0], re.MULTILINE)
    return {name: float(rate) for name, rate in rows}


def compare(rows: Sequence[Row], games: int) -> None:
    """Print how many pairs each measure orders, and after how many games."""
    by_wins, by_kept, against, needed = 0, 0, 0, list[tuple[float, float]]()
    for one, other in combinations(rows, 2):
        wins, kept = one.wins.apart(other.wins), one.kept.apart(other.kept)
        by_wins += abs(wins) >= CLEAR
        by_kept += abs(kept) >= CLEAR
        against += abs(wins) >= CLEAR and abs(kept) >= CLEAR and (wins > 0) != (kept > 0)
        if min(abs(wins), abs(kept)) >= SURE:
            needed.append((games * (CLEAR / wins) ** 2, games * (CLEAR / kept) ** 2))
    count = len(rows) * (len(rows) - 1) // 2
    print(f"of {count} pairs, {games} games of each order {by_wins} by wins, {by_kept} by thrown wins")
    print(f"{against} of them are ordered the other way round by the two")
    if len(needed) > 1:
        for name, numbers in (
            ("games by wins", [each[0] for each in needed]),
            ("games by thrown wins", [each[1] for each in needed]),
            ("times as many by wins", [each[0] / each[1] for each in needed]),
        ):
            low, middle, high = quantiles(numbers, n=4)
            print(
                f"{name}, of {len(needed)} clear pairs: median {middle:.3g} (quartiles {low:.3g}, {high:.3g})"
            )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--games", type=int, default=1000, metavar="N", help="of each heuristic (default 1000)"
    )
    parser.add_argument("--nodes", type=int, default=2000, metavar="N", help="a move (default 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the openings (default 1)")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one a processor)")
    parser.add_argument("--journals", metavar="FOLDER", help="for the games of each heuristic")
    options = parser.parse_args()
    if options.journals is not None:
        Path(options.journals).mkdir(parents=True, exist_ok=True)
    start, rows = process_time(), list[Row]()
    for name in heuristics.names():
        rows.append(row := played(name, options))
        stages = ", ".join(
            f"{stage.split()[0]}: {100 * each.rate:.1f}"
            for stage, each in row.thrown.stages.items()
            if each.rate is not None
        )
        print(f"{name}: wins {100 * row.wins.value:.1f} ± {200 * row.wins.error:.1f} %, thrown", end=" ")
        print(f"{-100 * row.kept.value:.2f} ± {200 * row.kept.error:.2f} % ({stages})", flush=True)
    compare(rows, options.games)
    agreement("wins and thrown wins", [(each.wins.value, each.kept.value) for each in rows])
    study = of_the_study()
    for word, values in (
        ("wins", [each.wins for each in rows]),
        ("thrown wins", [each.kept for each in rows]),
    ):
        known = zip(rows, values, strict=True)
        pairs = [(study[row.name], value.value) for row, value in known if row.name in study]
        agreement(f"the study's rates and {word}", pairs)
    print(f"{process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
