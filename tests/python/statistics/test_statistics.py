"""Rates, intervals, Elo and superiority: compared with scipy's, and covering as often as they say."""

import math
import pickle
import random
from dataclasses import FrozenInstanceError, asdict
from fractions import Fraction
from math import comb, inf, nan, sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from isolation_fast import InvalidArgumentError
from isolation_fast.statistics import (
    EloDifference,
    Interval,
    count_for_margin,
    difference_to_baseline,
    elo_from_rate,
    fixed_count,
    gauntlet,
    head_to_head,
    operating_point,
    rate_from_elo,
    single_game_interval,
)

# Won games of 14, in 2,000 blocks of AB_Improved against the classic roster (benchmarks/operating_curve.py).
RECORDED = (0, 0, 0, 0, 0, 4, 25, 58, 207, 473, 585, 431, 177, 34, 6)
MEANS = [won / 14 for won in range(15)]
RATE = sum(count * mean for count, mean in zip(RECORDED, MEANS, strict=True)) / sum(RECORDED)

# Probabilities of lost both, one each, won both: equal players, from weak to strong ones, then unequal ones.
KINDS = [
    (0.25, 0.5, 0.25),
    (0.16, 0.68, 0.16),
    (0.07, 0.86, 0.07),
    (0.04, 0.92, 0.04),
    (0.02, 0.96, 0.02),
    (0.05, 0.5, 0.45),
    (0.0, 0.12, 0.88),
    (0.01, 0.05, 0.94),
    (0.0, 0.02, 0.98),
]

counts = st.integers(0, 200)
some_pairs = st.tuples(counts, counts, counts).filter(any)
block_means = st.lists(st.sampled_from(MEANS), min_size=1, max_size=60)
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99])


def numbers_of(result: Any) -> list[float]:
    """Every number in a result, however deep; None is none."""
    if isinstance(result, dict):
        return [number for value in result.values() for number in numbers_of(value)]
    return [] if result is None else [float(result)]


def expanded(lost: int, split: int, won: int) -> list[float]:
    return [0.0] * lost + [0.5] * split + [1.0] * won


# Pairs.


@given(pairs=some_pairs.filter(lambda each: sum(each) > 1 and min(each[0], each[2]) > 0), level=levels)
def test_with_losses_and_wins_the_interval_over_pairs_is_students(pairs: Any, level: float) -> None:
    result, scores = head_to_head(*pairs, level=level), expanded(*pairs)
    low, high = stats.t.interval(level, len(scores) - 1, numpy.mean(scores), stats.sem(scores))
    if result.variance == pytest.approx(numpy.var(scores, ddof=1), rel=1e-12):
        assert (result.interval.low, result.interval.high) == pytest.approx(
            (max(low, 0), min(high, 1)), abs=1e-9
        )
    else:  # on the floor
        assert result.interval.low <= max(low, 0) <= min(high, 1) <= result.interval.high


def test_the_floor_over_pairs_hardly_matters_where_there_are_many() -> None:
    result, scores = head_to_head(160, 680, 160), expanded(160, 680, 160)
    assert 1 <= result.variance / numpy.var(scores, ddof=1) < 1.002


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("pairs", [5, 10, 20, 50, 100])
def test_95_percent_intervals_over_pairs_cover_95_percent(pairs: int, kind: tuple[float, ...]) -> None:
    # No simulation: every outcome with its probability. The least of these is 94.3 %, at equal weak players.
    true, covered = kind[1] / 2 + kind[2], 0.0
    for lost in range(pairs + 1):
        for won in range(pairs + 1 - lost):
            split = pairs - lost - won
            ways = comb(pairs, lost) * comb(pairs - lost, won)
            probability = ways * kind[0] ** lost * kind[1] ** split * kind[2] ** won
            if probability > 1e-12:
                interval = head_to_head(lost, split, won).interval
                covered += probability * (interval.low - 1e-12 <= true <= interval.high + 1e-12)
    assert covered >= 0.943


@given(pairs=some_pairs, level=levels)
def test_the_other_player_sees_the_mirror_image(pairs: Any, level: float) -> None:
    ours, theirs = head_to_head(*pairs, level=level), head_to_head(*reversed(pairs), level=level)
    assert theirs.rate == pytest.approx(1 - ours.rate)
    assert theirs.variance == pytest.approx(ours.variance)
    assert (theirs.interval.low, theirs.interval.high) == pytest.approx(
        (1 - ours.interval.high, 1 - ours.interval.low)
    )
    assert theirs.superiority == pytest.approx(1 - ours.superiority)


@given(pairs=some_pairs)
def test_superiority_is_beyond_the_level_exactly_where_the_interval_is_beyond_even(pairs: Any) -> None:
    result = head_to_head(*pairs)
    if abs(result.interval.low - 0.5) > 1e-9:
        assert (result.superiority > 0.975) == (result.interval.low > 0.5)


@given(pairs=some_pairs, level=levels)
def test_no_result_over_pairs_is_infinite_or_without_width(pairs: Any, level: float) -> None:
    result = head_to_head(*pairs, level=level)
    assert all(math.isfinite(number) for number in numbers_of(asdict(result)))
    assert 0 <= result.interval.low <= result.rate <= result.interval.high <= 1
    assert result.interval.margin > 0
    assert result.variance > 0
    assert 0 <= result.superiority <= 1


@pytest.mark.parametrize("pairs", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_one_pair_says_nothing_of_the_range(pairs: Any) -> None:
    result = head_to_head(*pairs)
    assert (result.interval.low, result.interval.high, result.superiority) == (0, 1, 0.5)
    assert (result.pairs, result.games) == (1, 2)


def test_all_won_narrows_with_the_number_of_pairs_and_never_closes() -> None:
    lows = [head_to_head(0, 0, pairs).interval.low for pairs in (1, 5, 20, 100, 1000, 10**6)]
    assert lows == sorted(set(lows))
    assert lows[-1] < 1
    assert head_to_head(0, 0, 20).elo.value is None


def test_no_pairs_and_numbers_that_are_no_counts_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"^0 pairs say nothing"):
        head_to_head(0, 0, 0)
    for value in (-1, 1.5, nan, True, "3"):
        with pytest.raises(InvalidArgumentError) as refusal:
            head_to_head(3, value, 4)  # type: ignore[arg-type]
        assert str(refusal.value) == f"one_each must be an integer of at least 0, not {value!r}"


def test_counts_of_numpy_are_counts() -> None:
    result = head_to_head(numpy.int64(1), numpy.int32(2), numpy.uint8(3))
    assert result == head_to_head(1, 2, 3)
    assert type(result.won_both) is int


# Single games.


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_the_interval_over_single_games_is_wilsons(level: float) -> None:
    for won, games in ((0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (500, 1000), (999, 1000)):
        interval = single_game_interval(won, games, level=level)
        expected = stats.binomtest(won, games).proportion_ci(level, method="wilson")
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_pairs_of_equal_players_say_more_than_as_many_single_games() -> None:
    pairs = head_to_head(40, 820, 140)
    assert pairs.interval.margin < 0.75 * single_game_interval(1100, 2000).margin


def test_more_won_games_than_games_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"^won must be at most games=10, not 11$"):
        single_game_interval(11, 10)
    with pytest.raises(InvalidArgumentError, match=r"^games must be an integer of at least 1, not 0$"):
        single_game_interval(0, 0)


# Blocks.


@given(means=st.lists(st.sampled_from(MEANS), min_size=2, max_size=60), level=levels)
def test_the_interval_over_blocks_is_students(means: list[float], level: float) -> None:
    result = gauntlet(means, level=level)
    variance = numpy.var(means, ddof=1)
    if variance > 0.001:
        low, high = stats.t.interval(level, len(means) - 1, numpy.mean(means), stats.sem(means))
        assert (result.interval.low, result.interval.high) == pytest.approx(
            (max(low, 0), min(high, 1)), abs=1e-9
        )
    assert result.variance == pytest.approx(max(variance, 0.001))


@pytest.mark.parametrize("blocks", [2, 3, 5, 10, 65])
def test_95_percent_intervals_over_blocks_cover_95_percent(blocks: int) -> None:
    stream, runs = random.Random(blocks), 3000
    hits = sum(RATE in gauntlet(stream.choices(MEANS, RECORDED, k=blocks)).interval for _ in range(runs))
    assert hits / runs > 0.95 - 3 * sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize("error", [0.0, 0.0015, 0.03])
def test_95_percent_intervals_of_a_difference_cover_95_percent(error: float) -> None:
    stream, runs = random.Random(7), 3000
    hits = 0
    for _ in range(runs):
        means = stream.choices(MEANS, RECORDED, k=20)
        measured = stream.gauss(0.65, error)
        difference = difference_to_baseline(means, baseline_rate=measured, baseline_error=error)
        hits += RATE - 0.65 in difference.interval
    assert hits / runs > 0.95 - 3 * sqrt(0.95 * 0.05 / runs)


@given(means=st.lists(st.sampled_from(MEANS), min_size=2, max_size=60), base=st.floats(0, 1))
def test_superiority_over_an_exact_baseline_is_a_one_sided_t_test(means: list[float], base: float) -> None:
    if numpy.var(means, ddof=1) > 0.001:
        result = difference_to_baseline(means, baseline_rate=base, baseline_error=0)
        expected = stats.ttest_1samp(means, base, alternative="less").pvalue
        assert result.superiority == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(means=block_means, base=st.floats(0, 1), error=st.floats(0, 1), level=levels)
def test_no_result_over_blocks_is_infinite_or_without_width(
    means: list[float], base: float, error: float, level: float
) -> None:
    rate = gauntlet(means, level=level)
    difference = difference_to_baseline(means, baseline_rate=base, baseline_error=error, level=level)
    assert all(math.isfinite(number) for each in (rate, difference) for number in numbers_of(asdict(each)))
    assert 0 <= rate.interval.low <= rate.rate <= rate.interval.high <= 1
    assert -1 <= difference.interval.low <= difference.value <= difference.interval.high <= 1
    assert min(rate.interval.margin, difference.interval.margin) > 0


@given(means=block_means)
def test_a_gauntlet_does_not_depend_on_the_order_of_its_blocks(means: list[float]) -> None:
    assert gauntlet(means) == gauntlet(sorted(means))


def test_the_baselines_uncertainty_widens_the_difference() -> None:
    means = [0.7, 0.8, 0.6, 0.75, 0.7]
    margins = [
        difference_to_baseline(means, baseline_rate=0.7, baseline_error=error).interval.margin
        for error in (0.0, 0.01, 0.05)
    ]
    assert margins == sorted(set(margins))


def test_one_block_says_nothing_of_the_range() -> None:
    assert gauntlet([0.9]).interval == Interval(0, 1, 0.95)
    difference = difference_to_baseline([0.9], baseline_rate=0.7, baseline_error=0.01)
    assert (difference.interval, difference.superiority) == (Interval(-1, 1, 0.95), 0.5)


@pytest.mark.parametrize("mean", [0.0, 1.0, 0.7])
def test_equal_blocks_leave_an_interval_that_narrows_and_never_closes(mean: float) -> None:
    margins = [gauntlet([mean] * blocks).interval.margin for blocks in (1, 2, 5, 10, 100, 1000)]
    assert margins == sorted(set(margins), reverse=True)
    assert margins[-1] > 0
    assert gauntlet([mean] * 10).rate == pytest.approx(mean, abs=1e-15)


@pytest.mark.parametrize("value", [-0.01, 1.01, nan, inf, True, "0.5", None, Fraction(10**400)])
def test_a_mean_that_is_no_rate_is_refused_by_its_index(value: Any) -> None:
    with pytest.raises(InvalidArgumentError) as refusal:
        gauntlet([0.5, 0.5, value])
    assert str(refusal.value) == f"block_means[2] must be a number from 0 to 1, not {value!r}"


def test_no_blocks_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"^0 blocks say nothing: block_means is empty$"):
        gauntlet([])


def test_numbers_of_other_kinds_are_numbers() -> None:
    means: list[Any] = [Fraction(1, 2), numpy.float32(0.75), 1]
    assert gauntlet(means) == gauntlet([0.5, 0.75, 1.0])


# Elo.


@given(st.floats(-2000, 2000))
def test_elo_and_rate_go_back_and_forth(elo: float) -> None:
    assert elo_from_rate(rate_from_elo(elo)) == pytest.approx(elo, rel=1e-6, abs=1e-9)
    assert rate_from_elo(-elo) == pytest.approx(1 - rate_from_elo(elo))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_elo_has_a_rate(elo: float) -> None:
    assert 0 <= rate_from_elo(elo) <= 1


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_every_rate_between_0_and_1_has_a_finite_elo(rate: float) -> None:
    assert math.isfinite(elo_from_rate(rate))


def test_an_elo_difference_has_no_numbers_beyond_what_was_won() -> None:
    assert EloDifference.of(1.0, Interval(0.9, 1.0, 0.95)).error is None
    lost = EloDifference.of(0.0, Interval(0.0, 0.1, 0.95))
    assert (lost.value, lost.low, lost.error) == (None, None, None)
    assert str(lost) == "no finite Elo (no limit to -382)"
    even = EloDifference.of(0.5, Interval(0.4, 0.6, 0.95))
    assert even.error == pytest.approx(-even.low)  # type: ignore[operator]


# All of them.


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, nan, "0.95", True])
def test_a_level_is_between_0_and_1(level: Any) -> None:
    for asked in (
        lambda: head_to_head(1, 2, 3, level=level),
        lambda: gauntlet([0.5, 0.6], level=level),
        lambda: single_game_interval(1, 2, level=level),
        lambda: difference_to_baseline([0.5], baseline_rate=0.5, baseline_error=0.1, level=level),
        lambda: count_for_margin(0.1, 0.1, level=level),
    ):
        with pytest.raises(InvalidArgumentError) as refusal:
            asked()
        assert str(refusal.value) == f"level must be a number above 0 and below 1, not {level!r}"


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda: elo_from_rate(0), "rate must be a number above 0 and below 1, not 0"),
        (lambda: rate_from_elo(inf), "elo must be a finite number, not inf"),
        (
            lambda: gauntlet([0.5], variance_floor=0),
            "variance_floor must be a number above 0 and below 1, not 0",
        ),
        (
            lambda: difference_to_baseline([0.5], baseline_rate=2, baseline_error=0),
            "baseline_rate must be a number from 0 to 1, not 2",
        ),
        (
            lambda: difference_to_baseline([0.5], baseline_rate=0.5, baseline_error=-1),
            "baseline_error must be a number from 0 to 1, not -1",
        ),
        (lambda: fixed_count(0, 0.01), "difference must be a finite number above 0, not 0"),
        (lambda: fixed_count(0.05, nan), "variance must be a finite number above 0, not nan"),
        (
            lambda: fixed_count(0.05, 0.01, alpha=0.6, beta=0.5),
            "alpha and beta must be below 1 together, not alpha=0.6 and beta=0.5",
        ),
        (
            lambda: fixed_count(1e-300, 0.01),
            "so many blocks or pairs are needed that no float can hold their number",
        ),
        (
            lambda: operating_point(0.5, 0.5, truth=0.5, variance=0.01),
            "h0 must be below h1, not h0=0.5 and h1=0.5",
        ),
        (
            lambda: operating_point(0.0, 0.05, truth=5, variance=0.01),
            "truth must be a number from -1 to 1, not 5",
        ),
    ],
)
def test_errors_say_which_value_is_wrong(asked: Any, text: str) -> None:
    with pytest.raises(InvalidArgumentError) as refusal:
        asked()
    assert str(refusal.value) == text


@pytest.mark.parametrize(
    "result",
    [
        head_to_head(1, 2, 3),
        gauntlet([0.5, 0.7]),
        difference_to_baseline([0.5, 0.7], baseline_rate=0.5, baseline_error=0.1),
        operating_point(0.0, 0.05, truth=0.0, variance=0.01),
    ],
    ids=lambda result: type(result).__name__,
)
def test_results_are_frozen_and_can_be_pickled(result: Any) -> None:
    assert pickle.loads(pickle.dumps(result)) == result
    assert hash(pickle.loads(pickle.dumps(result))) == hash(result)
    with pytest.raises(FrozenInstanceError):
        setattr(result, next(iter(asdict(result))), 0)
