"""How often the statistics are wrong, by simulation: the figures of docs/statistics.md and of its decision.

    python benchmarks/operating_curve.py              # some three minutes
    python benchmarks/operating_curve.py --play 2000  # games played anew, and the blocks among them used

Observations are drawn with replacement from recorded ones, tilted so that their mean is the wished one.
Seeded: the same numbers each time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from math import comb, exp, sqrt
from statistics import mean, quantiles, variance

from tabulate import tabulate

from isolation_fast import AlphaBetaPlayer, Board, MinimaxPlayer, RandomPlayer, play_game
from isolation_fast.statistics import (
    VARIANCE_FLOOR,
    BlockTest,
    PairTest,
    decision_bounds,
    gauntlet,
    head_to_head,
    operating_point,
    single_game_interval,
    student_quantile,
)

GAMES = 14
# Won games of a block, from 0 to 14, in 2,000 blocks of AB_Improved at 2,000 nodes (--play plays others).
RECORDED = (0, 0, 0, 0, 0, 4, 25, 58, 207, 473, 585, 431, 177, 34, 6)
MOST_BLOCKS = 120
CELLS = [(row, column) for row in range(7) for column in range(7)]
# Lost both, one each, won both: AB_Improved against itself at so many nodes, 1,176, 600 and 100 pairs.
PAIRS = {
    "2,000 nodes": (0.15, 0.70, 0.15),
    "20,000 nodes": (0.08, 0.84, 0.08),
    "100,000 nodes": (0.055, 0.89, 0.055),
}
UNEQUAL = {"98 % won both": (0.0, 0.02, 0.98), "45 % won both": (0.05, 0.5, 0.45)}

Accepts = Callable[[Sequence[float]], bool]


def played_blocks(blocks: int) -> tuple[int, ...]:
    """Play the classic gauntlet of AB_Improved; gives how many blocks have 0, 1, … 14 won games."""
    names = ("open", "center", "improved")
    opponents: list[RandomPlayer | MinimaxPlayer | AlphaBetaPlayer] = [RandomPlayer()]
    opponents += [MinimaxPlayer(name, depth=3) for name in names]
    opponents += [AlphaBetaPlayer(name, nodes=2000) for name in names]
    player, stream = AlphaBetaPlayer("improved", nodes=2000), random.Random(0)
    found = [0] * (GAMES + 1)
    for _ in range(blocks):
        first, second = stream.sample(CELLS, 2)
        start = Board().forecast_move(first).forecast_move(second)
        won = 0
        for opponent in opponents:
            seeds = stream.getrandbits(64), stream.getrandbits(64)
            won += play_game(player, opponent, start=start, seed=seeds[0]).winner == 1
            won += play_game(opponent, player, start=start, seed=seeds[1]).winner == 2
        found[won] += 1
    return tuple(found)


def played_pairs() -> str:
    """Play AB_Improved against itself: the outcomes of pairs, how often the opening's colour decided."""
    rows = []
    for nodes, pairs in ((2_000, 1_176), (20_000, 600), (100_000, 100)):
        players = AlphaBetaPlayer("improved", nodes=nodes), AlphaBetaPlayer("improved", nodes=nodes)
        stream, found, by_colour = random.Random(4), [0, 0, 0], 0
        for _ in range(pairs):
            first, second = stream.sample(CELLS, 2)
            start = Board().forecast_move(first).forecast_move(second)
            expected = 1 if (sum(first) + sum(second)) % 2 == 0 else 2
            winners = [
                play_game(*players, start=start, seed=stream.getrandbits(32)).winner for _side in range(2)
            ]
            found[(winners[0] == 1) + (winners[1] == 2)] += 1
            by_colour += sum(winner == expected for winner in winners)
        rows.append(
            [f"{nodes:,}", f"{by_colour / 2 / pairs:.3f}", *(f"{each / pairs:.3f}" for each in found)]
        )
    return tabulate(rows, ["nodes", "colour decided", "lost both", "one each", "won both"], tablefmt="github")


def tilted(values: Sequence[float], weights: Sequence[float], target: float) -> list[float]:
    """Weights of the same kind with another mean: each times exp(t value), t as it has to be."""
    low, high = -200.0, 200.0
    while True:
        tilt = (low + high) / 2.0
        new = [weight * exp(tilt * (value - target)) for value, weight in zip(values, weights, strict=True)]
        found = sum(value * weight for value, weight in zip(values, new, strict=True)) / sum(new)
        if abs(found - target) < 1e-12 or not low < tilt < high:
            return new
        low, high = (tilt, high) if found < target else (low, tilt)


class Blocks:
    """Block means like the recorded ones."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.means = [won / GAMES for won in range(GAMES + 1)]
        self.weights = [float(count) for count in counts]
        every = [mean_ for mean_, count in zip(self.means, counts, strict=True) for _ in range(count)]
        self.rate, self.variance = mean(every), variance(every)

    def runs(self, difference: float, runs: int, length: int = MOST_BLOCKS) -> Iterator[list[float]]:
        """Sequences of block means whose true mean is that far from the recorded one."""
        weights = tilted(self.means, self.weights, self.rate + difference)
        stream = random.Random(f"{difference} {length}")
        for _ in range(runs):
            yield stream.choices(self.means, weights, k=length)


def share(hits: Sequence[bool]) -> str:
    """A proportion in percent."""
    return f"{100 * sum(hits) / len(hits):.2f}"


def block_curve(blocks: Blocks, runs: int, alpha: float) -> str:
    """What becomes of a `BlockTest` of five points, by true difference."""
    rows = []
    for true in (-0.05, 0.0, 0.025, 0.05, 0.1):
        decisions, counts, covered = [], [], []
        for means in blocks.runs(true, runs):
            result = BlockTest(blocks.rate, blocks.rate + 0.05, alpha=alpha).extend(means)
            decisions.append(result.decision)
            counts.append(result.count)
            covered.append(blocks.rate + true in gauntlet(means[: result.count]).interval)
        expected = operating_point(0.0, 0.05, truth=true, variance=blocks.variance, alpha=alpha)
        rows.append(
            [
                f"{100 * true:+.1f}",
                *(share([decision == said for decision in decisions]) for said in ("H1", "H0", None)),
                f"{mean(counts):.1f}",
                f"{quantiles(counts, n=20)[-1]:.0f}",
                f"{GAMES * mean(counts):.0f}",
                share(covered),
                f"{100 * expected.accepts_h1:.2f}",
                f"{expected.count:.1f}",
            ]
        )
    headers = ["points", "H1 %", "H0 %", "undecided %", "blocks", "95 % need", "games", "covered %"]
    return tabulate(
        rows, [*headers, "computed H1 %", "computed blocks"], tablefmt="github", disable_numparse=True
    )


def normal_ratio(count: int, average: float, spread: float, h0: float, h1: float) -> float:
    """The usual approximation: normal observations, whose sample variance passes for the true one."""
    return count * (h1 - h0) * (average - (h0 + h1) / 2.0) / spread


def usual_test(h0: float, minimum: int, fixed: float | None, floor: float) -> Accepts:
    """A test of five points by that approximation; tells whether it accepts H1."""
    lower, upper = decision_bounds(0.05, 0.1)

    def accepts(means: Sequence[float]) -> bool:
        total = squares = 0.0
        for count, value in enumerate(means, start=1):
            total, squares = total + value, squares + value * value
            if count < minimum:
                continue
            spread = max((squares - total * total / count) / (count - 1), floor) if fixed is None else fixed
            llr = normal_ratio(count, total / count, spread, h0, h0 + 0.05)
            if not lower < llr < upper:
                return llr >= upper
        return False

    return accepts


def our_test(h0: float, minimum: int) -> Accepts:
    """A `BlockTest` of five points; tells whether it accepts H1."""

    def accepts(means: Sequence[float]) -> bool:
        return BlockTest(h0, h0 + 0.05, minimum_blocks=minimum).extend(means).decision == "H1"

    return accepts


def block_choices(blocks: Blocks, runs: int) -> str:
    """False alarms, and power at 5 points, under other choices than those made."""
    tests = [("ours", minimum, our_test(blocks.rate, minimum)) for minimum in (2, 5, 10, 16)]
    for name, fixed, floor in (
        ("usual, sample variance", None, 0.001),
        ("usual, variance at least 0.005", None, 0.005),
        ("usual, variance fixed at 0.011", 0.011, 0.0),
    ):
        tests += [
            (name, minimum, usual_test(blocks.rate, minimum, fixed, floor)) for minimum in (2, 5, 10, 16)
        ]
    rows = []
    for name, minimum, accepts in tests:
        rates = [share([accepts(means) for means in blocks.runs(true, runs)]) for true in (0.0, 0.05)]
        rows.append([name, str(minimum), *rates])
    headers = ["ratio", "minimum", "false alarms %", "power %"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def near_the_ends(runs: int) -> str:
    """A `BlockTest` of 2.5 points where nearly all or hardly any games are won, independently."""
    rows = []
    means = [won / GAMES for won in range(GAMES + 1)]
    for rate in (0.1, 0.2, 0.8, 0.85, 0.9, 0.95):
        cells = []
        for floor in (VARIANCE_FLOOR, rate * (1 - rate) / GAMES):
            for true, wrong in ((rate, "H1"), (rate + 0.025, "H0")):
                weights = [comb(GAMES, n) * true**n * (1 - true) ** (GAMES - n) for n in range(GAMES + 1)]
                stream, decisions = random.Random(f"{rate} {true}"), []
                for _ in range(runs):
                    test = BlockTest(rate, rate + 0.025, variance_floor=floor)
                    decisions.append(test.extend(stream.choices(means, weights, k=400)).decision == wrong)
                cells.append(share(decisions))
        rows.append([f"{100 * rate:.0f} %", *cells])
    headers = ["rate", "false alarms %", "misses %", "with the floor: false alarms %", "misses %"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def regularised(scores: Sequence[float], h0: float, h1: float, alpha: float, beta: float) -> bool:
    """The usual approximation over pairs, with a thousandth of a pair where there was none."""
    lower, upper = decision_bounds(alpha, beta)
    counts = {0.0: 0, 0.5: 0, 1.0: 0}
    for count, score in enumerate(scores, start=1):
        counts[score] += 1
        if count < 10:
            continue
        lost, split, won = (max(number, 1e-3) for number in counts.values())
        average = (split / 2 + won) / (lost + split + won)
        spread = (split / 4 + won) / (lost + split + won) - average**2
        llr = normal_ratio(count, average, spread, h0, h1)
        if not lower < llr < upper:
            return llr >= upper
    return False


def pair_curve(runs: int) -> str:
    """What becomes of a `PairTest` at both of its hypotheses, by kind of players."""
    rows, scores = [], [0.0, 0.5, 1.0]
    for name, kind in PAIRS.items():
        for h1 in (0.53, 0.55):
            for alpha in (0.05, 0.01):
                cells = []
                for true in (0.5, h1):
                    weights = tilted(scores, kind, true)
                    stream = random.Random(f"{name} {h1} {true}")
                    accepted, counts, usual = [], [], []
                    for _ in range(runs):
                        drawn = stream.choices(scores, weights, k=2000)
                        result = PairTest(0.5, h1, alpha=alpha, beta=0.05).extend(drawn)
                        accepted.append(result.decision == "H1")
                        counts.append(result.count)
                        usual.append(regularised(drawn, 0.5, h1, alpha, 0.05))
                    cells += [share(accepted), share(usual), f"{mean(counts):.0f}"]
                rows.append([name, f"{100 * (h1 - 0.5):.0f}", f"{100 * alpha:.0f} %", *cells])
    headers = ["players", "points", "alpha", "false alarms %", "usual", "pairs", "power %", "usual", "pairs"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def block_coverage(blocks: Blocks, runs: int) -> str:
    """How often 95 % intervals over blocks hold the true rate: by t, and by the normal distribution."""
    rows = []
    for number in (2, 3, 5, 10, 20, 65):
        by_t, by_normal = [], []
        for means in blocks.runs(0.0, runs, number):
            found = gauntlet(means)
            by_t.append(blocks.rate in found.interval)
            by_normal.append(abs(found.rate - blocks.rate) <= 1.959964 * found.standard_error)
        rows.append([str(number), share(by_t), share(by_normal)])
    return tabulate(rows, ["blocks", "Student's t %", "normal %"], tablefmt="github", disable_numparse=True)


def pair_coverage() -> str:
    """How often 95 % intervals over pairs hold the true rate, summed over every outcome that is possible."""
    rows = []
    for name, kind in {**PAIRS, **UNEQUAL}.items():
        true = kind[1] / 2 + kind[2]
        for pairs in (5, 20, 100):
            covered = [0.0, 0.0, 0.0]
            for lost, won in ((a, b) for a in range(pairs + 1) for b in range(pairs + 1 - a)):
                split = pairs - lost - won
                ways = comb(pairs, lost) * comb(pairs - lost, won)
                chance = ways * kind[0] ** lost * kind[1] ** split * kind[2] ** won
                if chance < 1e-12:
                    continue
                found = head_to_head(lost, split, won)
                scores = [0.0] * lost + [0.5] * split + [1.0] * won
                margin = student_quantile(0.975, pairs - 1) * sqrt(variance(scores) / pairs)
                single = single_game_interval(2 * won + split, 2 * pairs)
                held = (true in found.interval, abs(found.rate - true) <= margin + 1e-12, true in single)
                covered = [total + chance * hit for total, hit in zip(covered, held, strict=True)]
            rows.append([name, str(pairs), *(f"{100 * total:.1f}" for total in covered)])
    headers = ["players", "pairs", "ours %", "without the floor %", "as single games %"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def main() -> int:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000, help="simulated tests for each row (%(default)s)")
    parser.add_argument(
        "--play", type=int, default=0, metavar="BLOCKS", help="play games, so many blocks of them"
    )
    options = parser.parse_args()
    counts = played_blocks(options.play) if options.play else RECORDED
    blocks = Blocks(counts)
    print(f"blocks by won games: {counts}: mean {blocks.rate:.4f}, variance {blocks.variance:.5f}")
    if options.play:
        print(f"\n{played_pairs()}")
    for alpha in (0.05, 0.05 / 3):
        print(f"\nBlockTest of 5 points, alpha {alpha:.3g}, beta 0.1, at most {MOST_BLOCKS} blocks\n")
        print(block_curve(blocks, options.runs, alpha))
    print("\nOther choices, alpha 0.05, beta 0.1\n")
    print(block_choices(blocks, options.runs))
    print("\nNear the ends: 2.5 points, alpha 0.05, beta 0.1, without and with a floor of h0 (1 - h0) / 14\n")
    print(near_the_ends(max(options.runs // 4, 1)))
    print("\nPairTest from 0 points, beta 0.05\n")
    print(pair_curve(max(options.runs // 4, 1)))
    print("\n95 % intervals over pairs\n")
    print(pair_coverage())
    print("\n95 % intervals over blocks\n")
    print(block_coverage(blocks, options.runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
