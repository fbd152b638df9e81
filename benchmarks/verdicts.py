"""How often a verdict is right, by simulation and by games: the figures of docs/verdicts.md.

    python benchmarks/verdicts.py --simulated    # some three minutes
    python benchmarks/verdicts.py --equal        # improved under another name: some five minutes
    python benchmarks/verdicts.py --real         # some ten minutes on two cores
    python benchmarks/verdicts.py --measure      # the recorded blocks of the players below, played again

Simulated blocks are drawn with replacement from recorded ones of a player about as good, tilted so that
their mean is the wished one. Real ones are played. Seeded: the same numbers each time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice, product
from pathlib import Path
from statistics import fmean, mean, quantiles, stdev
from typing import Final, TypeVar

from tabulate import tabulate
from tqdm import tqdm

from isolation_fast.statistics import BlockTest, Difference, SequentialResult, Width, difference_to_baseline
from isolation_fast.tournament import Gauntlet, Sprt, parse_budget
from isolation_grader import Question
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.options import SEED_BITS, Terms, Work
from isolation_grader.report import Baseline
from operating_curve import tilted

BUDGET: Final = "work=2000"
BASELINE: Final = "AB_Improved"
GAMES: Final = 14
MEANS: Final = [won / GAMES for won in range(GAMES + 1)]
SHIPPED: Final[Baseline] = baseline(BaselineAsked("classic", parse_budget(BUDGET)), Path())
"""From the table of the grader: nothing is measured or stored."""
BASELINE_ERROR: Final = SHIPPED.rate.standard_error
POINTS: Final = (-5, 0, 2.5, 5, 7.5, 10)
"""The true differences that are simulated."""
MEASURED_BLOCKS: Final = 2 * 2352
"""Each opening twice, as no seed draws one again before all. A rate is then known to ± 0.3 points."""
BLOCKS_A_SEED: Final = 1200
HEURISTICS: Final = (1, 3)
"""So many in a submission."""
WORKS: Final[tuple[Work, ...]] = ("counted", "timed")
PRECISIONS: Final = (3.0, 2.0, 0.7)
"""Points that are simulated: of a class, of one submission, overnight."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Player:
    """A player of known strength."""

    points: float
    """The difference that is simulated with its blocks. Its own is near: the last one's is 8.8, as a player
    who is better by 10 takes too long to play."""
    text: str
    blocks: tuple[int, ...]
    """How many of 4,704 blocks, each opening twice, had 0, 1, ... 14 won games; `--measure` prints it."""

    @property
    def block_means(self) -> list[float]:
        """Those blocks again, in another order."""
        return [mean for mean, number in zip(MEANS, self.blocks, strict=True) for _ in range(number)]

    @property
    def rate(self) -> float:
        """The share of games won in them."""
        return fmean(self.block_means)


LOOKAHEAD: Final = "AB:lookahead_mobility"
PLAYERS: Final = (
    Player(-5, "AB:improved@nodes=490", (0, 0, 0, 0, 2, 36, 156, 459, 995, 1240, 1115, 522, 159, 19, 1)),
    Player(0, "AB:improved", (0, 0, 0, 0, 0, 5, 39, 187, 603, 1105, 1354, 980, 363, 65, 3)),
    Player(2.5, "AB:improved@nodes=3400", (0, 0, 0, 0, 0, 1, 19, 120, 430, 959, 1378, 1123, 525, 132, 17)),
    Player(5, LOOKAHEAD + "@nodes=1800", (0, 0, 0, 0, 0, 1, 11, 54, 280, 698, 1281, 1361, 773, 222, 23)),
    Player(10, LOOKAHEAD + "@nodes=9000", (0, 0, 0, 0, 0, 0, 0, 17, 95, 476, 1036, 1429, 1122, 448, 81)),
)
EQUAL: Final = PLAYERS[1]
FIVE_BETTER: Final = PLAYERS[3]


@dataclass(frozen=True)
class Curve:
    """What came of many tests of one kind."""

    results: Sequence[SequentialResult]

    def share(self, decision: str | None) -> float:
        """How many of them decided so, in percent."""
        return 100 * fmean(result.decision == decision for result in self.results)

    def cells(self) -> list[str]:
        """Better, not better, undecided; blocks on average, and what nine of ten tests need at most."""
        blocks = [result.count for result in self.results]
        shares = [f"{self.share(decision):.1f} %" for decision in ("H1", "H0", None)]
        return [*shares, f"{mean(blocks):.0f}", f"{quantiles(blocks, n=10)[-1]:.0f}"]


CURVE_HEADERS: Final = [
    "work",
    "heuristics",
    "true difference",
    "better",
    "not better",
    "undecided",
    "blocks, mean",
    "90 % need at most",
]


def made_test(terms: Terms, rate: float, error: float) -> BlockTest:
    """The test of a heuristic against a baseline that was measured."""
    return BlockTest(
        rate, rate + terms.points / 100, alpha=terms.alpha, beta=terms.beta, baseline_error=error
    )


def drawn(player: Player, points: float, seed: int) -> Callable[[int], list[float]]:
    """Give what draws so many block means of a player better than the baseline by just so many points."""
    weights = tilted(MEANS, player.blocks, EQUAL.rate + points / 100)
    stream = random.Random(f"{seed} {points}")
    return lambda blocks: stream.choices(MEANS, weights, k=blocks)


def simulated(terms: Terms, player: Player, points: float, runs: int, seed: int) -> Curve:
    """Tests of a heuristic; the baseline is measured anew for each, with its error."""
    draw, stream = drawn(player, points, seed), random.Random(f"{seed} baseline {points}")
    results = []
    for _ in range(runs):
        rate = stream.gauss(EQUAL.rate, BASELINE_ERROR)
        test = made_test(terms, rate, BASELINE_ERROR)
        results.append(test.extend(draw(terms.blocks)))
    return Curve(results)


def simulated_precision(runs: int, seed: int) -> str:
    """How sure a difference is that was played for, and how far it is off; one heuristic of three."""
    rows = []
    for precision, points in progress(tuple(product(PRECISIONS, POINTS)), "precision"):
        terms = Question(precision=precision).terms("counted", 3)
        draw = drawn(nearest(points), points, seed)
        stream = random.Random(f"{seed} precision {points}")
        found = [measured(terms, draw, stream) for _ in range(runs // 10)]
        off = [100 * each.value - points for _, each in found]
        held = 100 * fmean(points / 100 in each.interval for _, each in found)
        cells = [f"{mean(count for count, _ in found):.0f}", f"{held:.1f} %", f"{fmean(off):+.2f}"]
        rows.append([f"{precision:g}", f"{points:+g}", *cells, f"{stdev(off):.2f}"])
    return table(rows, ["precision", "true difference", "blocks", "holds it", "off, mean", "deviation"])


def measured(
    terms: Terms, draw: Callable[[int], list[float]], stream: random.Random
) -> tuple[int, Difference]:
    """The blocks of a grading, and the difference that they measure."""
    rate, means = stream.gauss(EQUAL.rate, BASELINE_ERROR), draw(terms.most_blocks)
    test, width = made_test(terms, rate, BASELINE_ERROR), Width(terms.precision / 100, BASELINE_ERROR)
    read = test.extend(means[: terms.blocks]).count
    narrow = next((count for count, each in enumerate(means, 1) if width.add(each)), len(means))
    played = means[: max(read, narrow)]
    found = difference_to_baseline(played, baseline_rate=rate, baseline_error=BASELINE_ERROR)
    return len(played), found


def any_better(work: Work, heuristics: int, runs: int, seed: int) -> float:
    """How often, in percent, any of so many heuristics that are no better is called better.

    They are compared with the same measured baseline.
    """
    draw, stream, found = drawn(EQUAL, 0.0, seed), random.Random(f"{seed} submissions"), 0
    terms = Question().terms(work, heuristics)
    for _ in range(runs):
        rate = stream.gauss(EQUAL.rate, BASELINE_ERROR)
        tests = (made_test(terms, rate, BASELINE_ERROR) for _ in range(heuristics))
        found += any(test.extend(draw(terms.blocks)).decision == "H1" for test in tests)
    return 100 * found / runs


def simulated_curve(runs: int, seed: int) -> str:
    """The operating curve at the default question, for one heuristic and for one of three."""
    rows = []
    for work, heuristics, points in progress(tuple(product(WORKS, HEURISTICS, POINTS)), "simulated curve"):
        curve = simulated(Question().terms(work, heuristics), nearest(points), points, runs, seed)
        rows.append([work, str(heuristics), f"{points:+g}", *curve.cells()])
    return table(rows, CURVE_HEADERS)


def nearest(points: float) -> Player:
    """The recorded player that is about so much better than the baseline."""
    return min(PLAYERS, key=lambda player: abs(player.points - points))


def simulated_picture(runs: int, seed: int) -> str:
    """How often one heuristic is called better, and how often undecided, by the true difference."""
    lines = []
    for quarter in progress(range(-4, 9), "picture"):
        points = 1.25 * quarter
        curve = simulated(Question().terms("counted"), nearest(points), points, runs, seed)
        better, undecided = (round(curve.share(decision) / 2) for decision in ("H1", None))
        bar = "#" * better + "?" * undecided + "." * (50 - better - undecided)
        lines.append(f"{points:+6.2f} |{bar}| {curve.share('H1'):5.1f} % better")
    return "\n".join(lines)


def simulated_submissions(runs: int, seed: int) -> str:
    """How often any of several heuristics is called better where none is."""
    rows = []
    for work, heuristics in progress(tuple(product(WORKS, (1, 2, 3, 5, 8))), "submissions"):
        wrongly, terms = any_better(work, heuristics, runs, seed), Question().terms(work, heuristics)
        found = simulated(terms, FIVE_BETTER, terms.points, runs, seed)
        rows.append([work, str(heuristics), f"{wrongly:.1f} %", f"{found.share('H1'):.1f} %"])
    return table(
        rows, ["work", "heuristics", "none better: any called better", "one 5 points better: it is found"]
    )


def simulated_edges(runs: int, seed: int) -> str:
    """How often an equal is called better where the one rate that is shipped is off by its margin."""
    draw, terms, rows = drawn(EQUAL, 0.0, seed), Question().terms("counted"), []
    for edge in progress((-1.96, 0.0, 1.96), "edges"):
        rate = EQUAL.rate + edge * BASELINE_ERROR
        tests = (made_test(terms, rate, BASELINE_ERROR) for _ in range(runs))
        found = Curve([test.extend(draw(terms.blocks)) for test in tests])
        rows.append([f"{100 * edge * BASELINE_ERROR:+.2f} points", f"{found.share('H1'):.1f} %"])
    return table(rows, ["the baseline's rate is off by", "an equal is called better"])


QUESTIONS: Final = (
    Question(),
    Question(blocks=60),
    Question(blocks=120),
    Question(alpha=0.05),
    Question(alpha=0.05, beta=0.1, blocks=120),
    Question(points=10.0),
    Question(points=2.5),
    Question(points=2.5, blocks=960),
)


def simulated_questions(runs: int, seed: int) -> str:
    """What other options come to, for one heuristic that is as good, better by half of that, by all of it."""
    rows = []
    for question in progress(QUESTIONS, "questions"):
        terms = question.terms("counted")
        none, half, wholly = (
            simulated(terms, EQUAL, part * terms.points, runs, seed) for part in (0.0, 0.5, 1.0)
        )
        cells = [f"{terms.points:g}", f"{terms.alpha:g}", f"{terms.beta:g}", str(terms.blocks)]
        cells += [f"{none.share('H1'):.1f} %", f"{wholly.share('H1'):.1f} %", f"{half.share(None):.1f} %"]
        blocks = (mean(result.count for result in each.results) for each in (none, half, wholly))
        rows.append([*cells, " / ".join(f"{each:.0f}" for each in blocks)])
    headers = ["points", "alpha", "beta", "blocks", "equal: better", "so many points better: better"]
    return table(rows, [*headers, "half of them: undecided", "blocks: equal / half / so many"])


def block_means(player: str, blocks: int, seed: int) -> list[float]:
    """Play the classic gauntlet."""
    asked = Gauntlet([player], "classic", games=2 * blocks, budget=BUDGET, seed=seed)
    return asked.run().players[0].block_means


def cut(means: Sequence[float], test: Callable[[], BlockTest], most: int) -> Iterator[Sequence[float]]:
    """Block means in runs: each goes on until its test decides or has looked at most, the next begins there.

    The openings of a seed are shuffled, so a run that begins in the middle is as good as one at the start.
    """
    first = 0
    while first + most <= len(means):
        run = means[first : first + most]
        run = run[: test().extend(run).count]
        yield run
        first += len(run)


def measured_players(seed: int) -> str:
    """The blocks that are recorded above."""
    rows = []
    for player in progress(PLAYERS, "players"):
        won = [round(GAMES * each) for each in block_means(player.text, MEASURED_BLOCKS, seed)]
        rows.append([player.text, ", ".join(str(won.count(number)) for number in range(GAMES + 1))])
    return table(rows, ["player", "blocks with 0, 1, ... 14 games won"])


def equal_graded(runs: int, seed: int) -> tuple[Curve, list[Difference]]:
    """What comes of `improved` under another name, graded so often with seeds that are drawn.

    The games are those of a grading, but for the jail: the engine plays them all.
    """
    terms, stream, rate = Question().terms("counted"), random.Random(seed), SHIPPED.rate
    asked = Sprt(
        rate.rate,
        rate.rate + terms.points / 100,
        terms.alpha,
        terms.beta,
        baseline_error=rate.standard_error,
        most=terms.blocks,
        margin=terms.precision / 100,
    )
    found, measured = [], []
    for _ in progress(range(runs), "gradings"):
        drawn_seed = stream.getrandbits(SEED_BITS)
        games = Gauntlet(
            ["custom_score=AB:improved"],
            "classic",
            games=2 * terms.most_blocks,
            budget=BUDGET,
            seed=drawn_seed,
        )
        result = games.run(sprt=asked)
        found.append(result.sequential[0].result)
        measured.append(
            difference_to_baseline(
                result.players[0].block_means, baseline_rate=rate.rate, baseline_error=rate.standard_error
            )
        )
    return Curve(found), measured


def real_curve(runs: int, seed: int) -> str:
    """What came of as many tests of each player, in games of other seeds than those that measured it."""
    question, baseline = Question(), SHIPPED.rate
    rows: list[list[str]] = []
    for player in progress(PLAYERS, "players"):
        true = difference_to_baseline(
            player.block_means, baseline_rate=baseline.rate, baseline_error=baseline.standard_error
        )
        told = "0 (the baseline itself)" if player is EQUAL else str(true)
        tests = {
            heuristics: partial(
                made_test, question.terms("counted", heuristics), baseline.rate, baseline.standard_error
            )
            for heuristics in HEURISTICS
        }
        # One heuristic's test has decided by the time at which one of three has: its bound is nearer.
        longest = tests[max(HEURISTICS)]
        games = (block_means(player.text, BLOCKS_A_SEED, each) for each in count(seed))
        cuts = chain.from_iterable(cut(means, longest, question.terms("counted").blocks) for means in games)
        found = list(islice(progress(cuts, player.text, runs), runs))
        for heuristics, test in tests.items():
            cells = Curve([test().extend(run) for run in found]).cells()
            rows.append([str(heuristics), player.text, told, *cells])
    rows.sort(key=lambda row: row[0])
    return table(rows, [CURVE_HEADERS[1], "player", *CURVE_HEADERS[2:]])


def progress(each: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """Show on a terminal how far it is."""
    return tqdm(each, desc=what, total=total, disable=None, leave=False, file=sys.stderr)


def table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """As the documents have it."""
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def main() -> int:
    """Print the tables asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--simulated", action="store_true", help="tests with drawn blocks")
    parser.add_argument("--equal", action="store_true", help="gradings of improved under another name")
    parser.add_argument("--real", action="store_true", help="tests with played games")
    parser.add_argument("--measure", action="store_true", help="how good the players are")
    parser.add_argument("--runs", type=int, help="tests for each row (20000 simulated, 400 equal, 300 real)")
    parser.add_argument("--seed", type=int, help="other numbers (0), other games (1000, 1 to measure)")
    asked = parser.parse_args()
    if not (asked.simulated or asked.equal or asked.real or asked.measure):
        parser.error("one of --simulated, --equal, --real and --measure is needed")
    print(Question())
    print(f"baseline: {SHIPPED.rate}, standard error {100 * BASELINE_ERROR:.3f} points")
    if asked.simulated:
        runs, seed = asked.runs or 20_000, 0 if asked.seed is None else asked.seed
        made = [simulated_curve, simulated_precision, simulated_edges, simulated_picture]
        for each in [*made, simulated_submissions, simulated_questions]:
            print(f"\n{each(runs, seed)}", flush=True)
    if asked.equal:
        equal, measured = equal_graded(asked.runs or 400, asked.seed or 0)
        held = 100 * fmean(0.0 in each.interval for each in measured)
        rows = [[f"{len(equal.results)}", *equal.cells(), f"{held:.1f} %"]]
        print(f"\n{table(rows, ['gradings', *CURVE_HEADERS[3:], 'interval holds 0'])}", flush=True)
        off = [100 * each.value for each in measured]
        print(f"measured: {fmean(off):+.2f} points in the mean, {stdev(off):.2f} standard deviation")
    if asked.real:
        print(f"\n{real_curve(asked.runs or 300, 1000 if asked.seed is None else asked.seed)}", flush=True)
    if asked.measure:
        print(f"\n{measured_players(1 if asked.seed is None else asked.seed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
