"""Sequential tests: their likelihoods against a general maximiser, and their error rates by simulation."""

import itertools
import math
import random
from collections.abc import Callable, Sequence
from math import exp, inf, log, nan, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from isolation_fast import InvalidArgumentError
from isolation_fast.statistics import (
    BlockTest,
    PairTest,
    SequentialResult,
    Width,
    count_for_margin,
    difference_to_baseline,
    fixed_count,
    gauntlet,
    operating_point,
    rate_from_elo,
    student_quantile,
)
from isolation_fast.statistics.sequential import blocks_log_ratio, pairs_log_ratio

# As in test_statistics.py: won games of 14 in 2,000 blocks of AB_Improved against the classic roster.
RECORDED = (0, 0, 0, 0, 0, 4, 25, 58, 207, 473, 585, 431, 177, 34, 6)
MEANS = [won / 14 for won in range(15)]
RATE = sum(count * mean for count, mean in zip(RECORDED, MEANS, strict=True)) / sum(RECORDED)
VARIANCE = sum(count * (mean - RATE) ** 2 for count, mean in zip(RECORDED, MEANS, strict=True)) / sum(
    RECORDED
)
MOST_BLOCKS = 120
SCORES = (0.0, 0.5, 1.0)

rates = st.floats(0.05, 0.95)


def tilted(values: Sequence[float], weights: Sequence[float], target: float) -> list[float]:
    """Weights of the same kind, whose mean is the target."""

    def weights_at(tilt: float) -> list[float]:
        return [weight * exp(tilt * (value - target)) for value, weight in zip(values, weights, strict=True)]

    def miss(tilt: float) -> float:
        return sum(w * (value - target) for value, w in zip(values, weights_at(tilt), strict=True))

    return weights_at(optimize.brentq(miss, -100, 100))


def results(
    test: Callable[[], Any], values: Sequence[float], weights: Sequence[float], runs: int, length: int
) -> list[SequentialResult]:
    """Simulated tests, each on observations of its own."""
    stream = random.Random(runs)
    return [test().extend(stream.choices(values, weights, k=length)) for _ in range(runs)]


def part(found: list[SequentialResult], decision: str) -> float:
    return sum(each.decision == decision for each in found) / len(found)


def deviation(probability: float, runs: int) -> float:
    return sqrt(probability * (1 - probability) / runs)


# The likelihoods.


@given(lost=st.integers(0, 40), split=st.integers(0, 200), won=st.integers(0, 40), h0=rates, h1=rates)
def test_the_ratio_over_pairs_is_that_of_the_best_distributions(
    lost: int, split: int, won: int, h0: float, h1: float
) -> None:
    def best(rate: float) -> float:
        def misfit(both: float) -> float:
            chances = (1 - 2 * rate + both, 2 * (rate - both), both)
            counted = zip((lost + 0.5, split, won + 0.5), chances, strict=True)
            return -sum(count * log(chance) for count, chance in counted if count)

        bounds = (max(0.0, 2 * rate - 1), rate)
        options = {"xatol": 1e-12}
        found = optimize.minimize_scalar(misfit, bounds=bounds, method="bounded", options=options)
        return -float(found.fun)

    assert pairs_log_ratio(lost, split, won, h0, h1) == pytest.approx(best(h1) - best(h0), rel=1e-5, abs=1e-5)


def test_with_many_pairs_the_ratio_is_the_normal_one() -> None:
    lost, split, won, h0, h1 = 15_000, 68_000, 17_000, 0.5, 0.51
    pairs = lost + split + won
    mean = (split / 2 + won) / pairs
    variance = (split / 4 + won) / pairs - mean**2
    normal = pairs * (h1 - h0) * (mean - (h0 + h1) / 2) / variance
    assert pairs_log_ratio(lost, split, won, h0, h1) == pytest.approx(normal, rel=0.01)


@given(mean=st.floats(0.6, 0.85), variance=st.floats(0.004, 0.02))
def test_with_little_between_the_hypotheses_the_ratio_over_blocks_is_the_normal_one(
    mean: float, variance: float
) -> None:
    h0, h1, blocks = mean - 0.0010, mean + 0.0005, 1000
    normal = (blocks - 1) * (h1 - h0) * (mean - (h0 + h1) / 2) / variance
    assert blocks_log_ratio(blocks, mean, variance, h0, h1) == pytest.approx(normal, rel=0.01)


@given(means=st.tuples(st.floats(0, 1), st.floats(0, 1)), variance=st.floats(0.001, 0.1))
def test_a_higher_mean_never_speaks_less_for_h1(means: tuple[float, float], variance: float) -> None:
    low, high = sorted(means)
    ratios = [blocks_log_ratio(20, mean, variance, 0.70, 0.75) for mean in (low, high)]
    assert ratios[0] <= ratios[1] + 1e-12


# Error rates.


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3, 0.005])
@pytest.mark.parametrize("difference", [0.0, -0.02])
def test_false_alarms_over_blocks_stay_under_alpha(alpha: float, difference: float) -> None:
    runs = 4000
    weights = tilted(MEANS, RECORDED, RATE + difference)
    found = results(lambda: BlockTest(RATE, RATE + 0.05, alpha=alpha), MEANS, weights, runs, MOST_BLOCKS)
    assert part(found, "H1") <= alpha + 2 * deviation(alpha, runs)


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
def test_five_points_are_recognised_over_blocks_with_the_power_asked_for(alpha: float) -> None:
    found = results(
        lambda: BlockTest(RATE, RATE + 0.05, alpha=alpha),
        MEANS,
        tilted(MEANS, RECORDED, RATE + 0.05),
        2000,
        MOST_BLOCKS,
    )
    assert part(found, "H1") >= 0.9


def binomial(rate: float) -> list[float]:
    """The weights of 0 to 14 won games, each independent of the others: more spread than measured."""
    return [math.comb(14, won) * rate**won * (1 - rate) ** (14 - won) for won in range(15)]


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("difference", [0.025, 0.05])
def test_false_alarms_stay_under_alpha_for_other_players_too(rate: float, difference: float) -> None:
    found = results(lambda: BlockTest(rate, rate + difference), MEANS, binomial(rate), 1500, 300)
    assert part(found, "H1") <= 0.05 + 2 * deviation(0.05, 1500)


def test_false_alarms_stay_under_alpha_for_means_of_two_games_and_for_means_on_the_floor() -> None:
    for values, weights in ((SCORES, (15, 70, 15)), ((0.48, 0.5, 0.52), (1, 2, 1))):
        found = results(lambda: BlockTest(0.5, 0.55), values, weights, 2000, 400)
        assert part(found, "H1") <= 0.05 + 2 * deviation(0.05, 2000)


@pytest.mark.parametrize("rate", [0.9, 0.95])
def test_near_the_end_false_alarms_stay_under_alpha_with_the_floor_of_single_games(rate: float) -> None:
    # Blocks with all games won have no spread of their own, and a high mean.
    floor = rate * (1 - rate) / 14
    test = lambda: BlockTest(rate, rate + 0.025, variance_floor=floor)  # noqa: E731
    found = results(test, MEANS, binomial(rate), 2000, 300)
    assert part(found, "H1") <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("true", [0.0, 0.025, 0.05])
def test_decisions_over_blocks_are_as_computed(true: float) -> None:
    # The variance is estimated, so the computation is a little off: in the decisions, and by a few blocks.
    found = results(
        lambda: BlockTest(RATE, RATE + 0.05), MEANS, tilted(MEANS, RECORDED, RATE + true), 2000, 1000
    )
    expected = operating_point(RATE, RATE + 0.05, truth=RATE + true, variance=VARIANCE)
    assert part(found, "H1") == pytest.approx(expected.accepts_h1, abs=0.03)
    assert expected.count < sum(each.count for each in found) / len(found) < 1.3 * expected.count


@pytest.mark.parametrize("baseline_error", [0.0, 0.0015, 0.02])
def test_the_uncertainty_of_the_baseline_does_not_raise_false_alarms(baseline_error: float) -> None:
    stream, runs, alarms = random.Random(3), 2000, 0
    for _ in range(runs):
        measured = stream.gauss(RATE, baseline_error)
        test = BlockTest(measured, measured + 0.05, baseline_error=baseline_error)
        alarms += test.extend(stream.choices(MEANS, RECORDED, k=MOST_BLOCKS)).decision == "H1"
    assert alarms / runs <= 0.05 + 2 * deviation(0.05, runs)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [(0.16, 0.68, 0.16), (0.09, 0.82, 0.09), (0.04, 0.92, 0.04)], ids=str)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_over_pairs_false_alarms_stay_under_alpha_and_misses_under_beta(
    kind: tuple[float, ...], alpha: float
) -> None:
    runs = 1000
    for true, wrong, most in ((0.5, "H1", alpha), (0.55, "H0", 0.05)):
        weights = tilted(SCORES, kind, true)
        found = results(lambda: PairTest(0.5, 0.55, alpha=alpha, beta=0.05), SCORES, weights, runs, 800)
        assert part(found, wrong) <= most + 2 * deviation(most, runs)


@pytest.mark.slow
@pytest.mark.parametrize("true", [0.5, 0.52, 0.53])
def test_decisions_over_pairs_are_as_computed(true: float) -> None:
    kind = (0.16, 0.68, 0.16)
    found = results(lambda: PairTest(0.5, 0.53), SCORES, tilted(SCORES, kind, true), 400, 4000)
    expected = operating_point(0.5, 0.53, truth=true, variance=0.08)
    assert part(found, "H1") == pytest.approx(expected.accepts_h1, abs=3.5 * deviation(0.3, 400))
    assert sum(each.count for each in found) / len(found) == pytest.approx(expected.count, rel=0.12)


# How they go on and stop.

observations = st.lists(st.sampled_from(MEANS), max_size=80)


@given(means=observations, cuts=st.lists(st.integers(0, 80), max_size=5))
def test_the_result_does_not_depend_on_how_the_blocks_arrive(means: list[float], cuts: list[int]) -> None:
    whole, pieces, single = BlockTest(0.5, 0.55), BlockTest(0.5, 0.55), BlockTest(0.5, 0.55)
    whole.extend(means)
    edges = [0, *sorted(min(cut, len(means)) for cut in cuts), len(means)]
    for start, end in itertools.pairwise(edges):
        pieces.extend(means[start:end])
    for mean in means:
        single.add(mean)
    assert whole.result == pieces.result == single.result


@given(means=observations, more=observations)
def test_what_lies_beyond_the_stop_is_ignored(means: list[float], more: list[float]) -> None:
    test = BlockTest(0.5, 0.55)
    before = test.extend(means)
    after = test.extend(more)
    if before.decision is not None:
        assert after == before
        assert BlockTest(0.5, 0.55).extend(means[: before.count]) == before
        assert BlockTest(0.5, 0.55).extend(means[: before.count - 1]).decision is None


@given(
    scores=st.lists(st.sampled_from(SCORES), max_size=300),
    h0=st.floats(0.1, 0.8),
    gap=st.floats(0.02, 0.1),
)
def test_the_other_player_comes_to_the_opposite_decision(scores: list[float], h0: float, gap: float) -> None:
    ours = PairTest(h0, h0 + gap, alpha=0.05, beta=0.1).extend(scores)
    theirs = PairTest(1 - h0 - gap, 1 - h0, alpha=0.1, beta=0.05).extend([1 - score for score in scores])
    assert theirs.llr == pytest.approx(-ours.llr, abs=1e-6)
    assert theirs.count == ours.count
    assert {ours.decision, theirs.decision} in ({None}, {"H0", "H1"})


@pytest.mark.parametrize("test", [BlockTest, PairTest])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_the_clearest_result_is_decided_at_the_minimum_and_not_before(test: Any, score: float) -> None:
    # Hypotheses far apart, so that every pair says enough.
    minimum = "minimum_blocks" if test is BlockTest else "minimum_pairs"
    for least in (2, 10, 25):
        result = test(0.3, 0.7, **{minimum: least}).extend([score] * 100)
        assert result.decision == ("H1" if score else "H0")
        assert least <= result.count <= max(least, 10)


def test_a_much_worse_player_is_found_out_in_the_least_number_of_blocks() -> None:
    assert BlockTest(0.7, 0.75).extend([0.2, 0.3, 0.1, 0.25] * 10).count == 10


@pytest.mark.parametrize("mean", [0.0, 0.5, 1.0])
def test_equal_blocks_do_not_pass_for_certainty(mean: float) -> None:
    test = BlockTest(0.7, 0.75)
    for _ in range(300):
        test.add(mean)
        assert math.isfinite(test.result.llr)
    assert test.result.count >= 10


def test_before_the_first_block_nothing_is_known() -> None:
    result = BlockTest(0.7, 0.75).result
    assert (result.decision, result.count, result.llr) == (None, 0, 0.0)
    assert (result.lower, result.upper) == pytest.approx((log(0.1), log(1 / 0.05)))
    assert str(result) == "undecided after 0, LLR 0.00 (-2.30 to 3.00)"


@given(means=st.lists(st.sampled_from(MEANS), min_size=2, max_size=60))
def test_the_running_variance_is_that_of_the_gauntlet(means: list[float]) -> None:
    test = BlockTest(0.01, 0.99, minimum_blocks=100)
    test.extend(means)
    found = gauntlet(means)
    expected = blocks_log_ratio(found.blocks, found.rate, found.variance, 0.01, 0.99)
    assert test.result.llr == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_bounds_in_elo_are_rates() -> None:
    test = PairTest(rate_from_elo(0), rate_from_elo(20))
    assert (test.h0, round(test.h1, 4)) == (0.5, 0.5288)


# What they refuse.


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda: BlockTest(0.75, 0.7), "h0 must be below h1, not h0=0.75 and h1=0.7"),
        (lambda: PairTest(0.5, 0.5), "h0 must be below h1, not h0=0.5 and h1=0.5"),
        (lambda: PairTest(0, 0.5), "h0 must be a number above 0 and below 1, not 0"),
        (lambda: BlockTest(0.97, 1.02), "h1 must be a number above 0 and below 1, not 1.02"),
        (lambda: BlockTest(0.7, 0.75, alpha=0), "alpha must be a number above 0 and below 1, not 0"),
        (lambda: PairTest(0.5, 0.6, beta=nan), "beta must be a number above 0 and below 1, not nan"),
        (
            lambda: PairTest(0.5, 0.6, alpha=0.5, beta=0.5),
            "alpha and beta must be below 1 together, not alpha=0.5 and beta=0.5",
        ),
        (
            lambda: BlockTest(0.7, 0.75, minimum_blocks=1),
            "minimum_blocks must be an integer of at least 2, not 1",
        ),
        (
            lambda: PairTest(0.5, 0.6, minimum_pairs=2.5),  # type: ignore[arg-type]
            "minimum_pairs must be an integer of at least 2, not 2.5",
        ),
        (
            lambda: BlockTest(0.7, 0.75, baseline_error=inf),
            "baseline_error must be a number from 0 to 1, not inf",
        ),
        (
            lambda: BlockTest(0.7, 0.75, variance_floor=0),
            "variance_floor must be a number above 0 and below 1, not 0",
        ),
        (lambda: BlockTest(0.7, 0.75).add(nan), "the mean of a block must be a number from 0 to 1, not nan"),
        (lambda: PairTest(0.5, 0.6).add(0.25), "the score of a pair must be 0, 0.5 or 1, not 0.25"),
        (lambda: PairTest(0.5, 0.6).extend([0.5, nan]), "the score of a pair must be 0, 0.5 or 1, not nan"),
    ],
)
def test_errors_say_which_value_is_wrong(asked: Any, text: str) -> None:
    with pytest.raises(InvalidArgumentError) as refusal:
        asked()
    assert str(refusal.value) == text


# Planning.


def test_a_fixed_number_of_blocks_has_the_power_it_was_planned_for() -> None:
    # Both measured over so many blocks, and called better where the difference passes the one-sided quantile.
    blocks, runs, stream = fixed_count(0.05, 2 * VARIANCE), 3000, random.Random(5)
    weights = tilted(MEANS, RECORDED, RATE + 0.05)
    limit = 1.6449 * sqrt(2 * VARIANCE / blocks)
    better = 0
    for _ in range(runs):
        ours, theirs = (sum(stream.choices(MEANS, each, k=blocks)) / blocks for each in (weights, RECORDED))
        better += ours - theirs > limit
    assert better / runs == pytest.approx(0.9, abs=0.02)
    assert 60 <= blocks <= 72


def test_a_planned_margin_is_met() -> None:
    stream = random.Random(11)
    blocks = count_for_margin(0.01, VARIANCE)
    assert gauntlet(stream.choices(MEANS, RECORDED, k=blocks)).interval.margin == pytest.approx(0.01, rel=0.1)


@given(
    h0=st.floats(0, 0.9),
    gap=st.floats(0.001, 0.1),
    truth=st.floats(-1, 1),
    variance=st.floats(1e-6, 0.25),
)
def test_every_operating_point_is_finite(h0: float, gap: float, truth: float, variance: float) -> None:
    point = operating_point(h0, h0 + gap, truth=truth, variance=variance)
    assert 0 <= point.accepts_h1 <= 1
    assert 1 <= point.count < inf


def test_more_strength_is_accepted_more_often() -> None:
    chances = [
        operating_point(0.0, 0.05, truth=truth / 1000, variance=0.01).accepts_h1 for truth in range(-100, 150)
    ]
    assert chances == sorted(chances)


# ---- the width of an interval


def narrow_after(means: Sequence[float], margin: float, **options: Any) -> int | None:
    width = Width(margin, **options)
    return next((count for count, each in enumerate(means, 1) if width.add(each)), None)


@given(st.lists(st.integers(0, 14), min_size=60, max_size=60))
def test_the_width_is_that_of_the_difference_and_knows_no_side(wins: list[int]) -> None:
    means = [each / 14 for each in wins]
    found = narrow_after(means, 0.08, baseline_error=0.002)
    for count in range(10, len(means) + 1):
        margin = difference_to_baseline(means[:count], baseline_rate=0.5, baseline_error=0.002).standard_error
        margin *= student_quantile(0.975, count - 1)
        assert (margin <= 0.08 + 1e-12) if count == found else (margin >= 0.08 - 1e-12)
        if count == found:
            break
    assert narrow_after([1 - each for each in means], 0.08, baseline_error=0.002) == found


def test_an_interval_that_was_played_for_holds_the_true_rate_as_often_as_it_says() -> None:
    stream, held, sums = random.Random(5), 0, 0.0
    for _ in range(800):
        means = [sum(stream.random() < 0.7 for _ in range(14)) / 14 for _ in range(200)]
        count = narrow_after(means, 0.03)
        assert count is not None
        measured = gauntlet(means[:count])
        held += 0.7 in measured.interval
        sums += measured.rate - 0.7
    assert 0.93 <= held / 800 <= 0.97
    assert abs(sums / 800) < 0.002
