"""Costs in steps: coarse, so that measuring again mostly changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from isolation_fast.cost import BANDS, STEP, Cost, in_steps, settled

numbers = st.floats(0.02, 500.0)
several = st.tuples(*[numbers] * len(BANDS))


@given(numbers)
def test_a_step_is_within_half_a_step_of_what_was_measured(value: float) -> None:
    step = in_steps(Cost(value))
    assert step.bands is None
    assert value / STEP**0.51 <= step.value <= value * STEP**0.51


@given(numbers, several)
def test_one_step_holds_for_all_bands_unless_they_differ_by_more(
    value: float, bands: tuple[float, ...]
) -> None:
    steps = in_steps(Cost(value, bands))
    if max(bands) <= STEP * min(bands):
        assert steps.bands is None
    elif steps.bands is not None:
        assert all(
            old / STEP**0.51 <= new <= old * STEP**0.51 for new, old in zip(steps.bands, bands, strict=True)
        )


@given(numbers, several, st.floats(-1.0, 1.0))
def test_who_measures_again_and_is_at_most_half_a_step_outside_keeps_the_step(
    value: float, bands: tuple[float, ...], away: float
) -> None:
    for stored in (in_steps(Cost(value)), in_steps(Cost(value, bands))):
        factor = STEP ** (0.98 * away)
        moved = stored.bands and tuple(factor * each for each in stored.bands)
        assert settled(Cost(factor * stored.value, moved), stored) == stored


@given(numbers, st.sampled_from([-1, 1]))
def test_who_is_more_than_half_a_step_outside_gets_another(value: float, way: int) -> None:
    stored = in_steps(Cost(value))
    assert settled(Cost(stored.value * STEP ** (1.1 * way)), stored) != stored


def test_bands_of_which_one_moved_keep_the_others() -> None:
    stored = Cost(2.0, (3.815, 3.052, 1.953, 1.25, 1.0))
    again = settled(Cost(2.0, (3.9, 3.0, 1.9, 1.2, 1.6)), stored)
    assert again.bands == (3.815, 3.052, 1.953, 1.25, 1.562)


def test_a_cost_that_is_as_good_as_even_stays_even() -> None:
    assert settled(Cost(1.25, (1.1, 1.2, 1.25, 1.3, 1.45)), Cost(1.25)) == Cost(1.25)
