"""The normal distribution, Student's t and the incomplete beta function: what scipy says, without scipy."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from isolation_fast import InvalidArgumentError
from isolation_fast.statistics.rates import (
    incomplete_beta,
    normal_quantile,
    student_probability,
    student_quantile,
)

DEGREES = [0.5, 1, 1.5, 2, 3, 4.7, 9, 30, 119, 1000, 12345.6, 1e6, 1e9]
PROBABILITIES = [1e-9, 0.001, 0.025, 0.05, 0.3, 0.5, 0.7, 0.95, 0.975, 0.9995]


@pytest.mark.parametrize("degrees", DEGREES)
def test_quantiles_of_students_t_are_those_of_scipy(degrees: float) -> None:
    for probability in PROBABILITIES:
        expected = stats.t.ppf(probability, degrees)
        assert student_quantile(probability, degrees) == pytest.approx(expected, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("degrees", DEGREES)
def test_probabilities_of_students_t_are_those_of_scipy(degrees: float) -> None:
    for value in (-1000.0, -5.0, -1.96, -0.1, 0.0, 1e-9, 0.7, 2.5, 40.0):
        expected = stats.t.cdf(value, degrees)
        assert student_probability(value, degrees) == pytest.approx(expected, rel=1e-8, abs=1e-14)


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_quantiles_of_the_normal_distribution_are_those_of_scipy(probability: float) -> None:
    assert normal_quantile(probability) == pytest.approx(stats.norm.ppf(probability), rel=1e-12, abs=1e-15)


# Of numbers without all their digits scipy takes less exact logarithms.
@given(x=st.floats(0, 1, allow_subnormal=False), a=st.floats(0.01, 500), b=st.floats(0.01, 500))
def test_the_incomplete_beta_function_is_that_of_scipy(x: float, a: float, b: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-12)


@given(probability=st.floats(0.001, 0.999), degrees=st.floats(1, 1e6))
def test_a_quantile_is_where_the_probability_is_reached(probability: float, degrees: float) -> None:
    quantile = student_quantile(probability, degrees)
    assert student_probability(quantile, degrees) == pytest.approx(probability, rel=1e-8)
    assert student_quantile(1 - probability, degrees) == pytest.approx(-quantile, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, float("nan"), float("inf"), True, "0.5", None, 1j])
def test_a_quantile_is_of_a_probability_between_0_and_1(value: Any) -> None:
    for quantile in (normal_quantile, lambda each: student_quantile(each, 5)):
        with pytest.raises(InvalidArgumentError) as refusal:
            quantile(value)
        assert str(refusal.value) == f"probability must be a number above 0 and below 1, not {value!r}"


def test_a_quantile_beyond_every_float_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"beyond every float: probability=1e-300, degrees=0\.5"):
        student_quantile(1e-300, 0.5)
