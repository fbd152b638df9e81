"""NaN inside tuples and lists that are compared, ordered or searched, each against CPython."""

from typing import Any

import pytest

from tests.python.compiled.agreement import agree


def sick(game: Any, player: Any) -> Any:
    """NaN where there are many moves: another object each time, as a subtraction gives it."""
    if len(game.get_legal_moves(player)) > 3:
        return float("inf") - float("inf")
    return 1.5


# Within tuples and lists Python takes an object for equal to itself before it asks `==`. Each comparison
# stands alone: where one is left to Python, those after it would not be looked at.
WITH_NAN: list[Any] = []


def with_nan(function: Any) -> Any:
    WITH_NAN.append(function)
    return function


@with_nan
def equal_pairs(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) == (value, 1)


@with_nan
def unequal_pairs(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) != (value, 1)


@with_nan
def pairs_of_two_nans(game: Any, player: Any) -> Any:
    value, another = sick(game, player), sick(game, player)
    return (value, 1) == (another, 1)


@with_nan
def pairs_that_begin_otherwise(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (2, value) == (3, value)


@with_nan
def triples_that_end_in_it(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (1, 2, value) == (1, 2, value)


@with_nan
def a_tuple_of_one(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value,) == (value,)


@with_nan
def a_pair_in_a_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return ((value, 1), 2) == ((value, 1), 2)


@with_nan
def less_by_what_follows(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) < (value, 2)


@with_nan
def less_or_equal_to_itself(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) <= (value, 1)


@with_nan
def greater_by_what_follows(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 2) > (value, 1)


@with_nan
def greater_or_equal_to_itself(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (1, value) >= (1, value)


@with_nan
def less_than_another_nan(game: Any, player: Any) -> Any:
    value, another = sick(game, player), sick(game, player)
    return (value, 1) < (another, 2)


@with_nan
def not_less_than_a_number(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) < (9.5, 0)


@with_nan
def decided_before_it(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (1, value) < (2, value)


@with_nan
def chained(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) <= (value, 2) < (value, 3)


@with_nan
def in_a_list(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return value in [2.5, value]


@with_nan
def in_a_tuple(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return value in (2.5, value)


@with_nan
def another_in_a_tuple(game: Any, player: Any) -> Any:
    value, another = sick(game, player), sick(game, player)
    return another in (2.5, value)


@with_nan
def not_in_a_tuple(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return value not in (2.5, value)


@with_nan
def a_pair_in_a_list(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) in [(2.5, 1), (value, 1)]


@with_nan
def a_pair_in_a_tuple(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return (value, 1) in ((2.5, 1), (value, 1))


@with_nan
def counted(game: Any, player: Any) -> Any:
    value, another = sick(game, player), sick(game, player)
    return [value, 2.5, value, another].count(value)


@with_nan
def the_largest_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return max((value, 1), (value, 2), (0.5, 3))[1]


@with_nan
def the_largest_pair_after_a_number(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return max((0.5, 3), (value, 1), (value, 2))[1]


@with_nan
def the_smallest_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return min((value, 2), (value, 1), (9.5, 3))[1]


@with_nan
def the_largest_of_a_list_of_pairs(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return max([(value, 1), (value, 2), (0.5, 3)])[1]


@with_nan
def the_smallest_of_a_list_of_pairs(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return min([(9.5, 3), (value, 2), (value, 1)])[1]


@with_nan
def the_largest_by_a_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return max((1, 2, 3), key=lambda number: (value, number))


@with_nan
def the_smallest_by_a_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return min([3, 2, 1], key=lambda number: (value, number))


@with_nan
def sorted_pairs(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return sorted([(value, 2), (value, 1), (0.5, 3)])[0][1]


@with_nan
def sorted_by_a_pair(game: Any, player: Any) -> Any:
    value = sick(game, player)
    return sorted([2, 3, 1], key=lambda number: (value, number))[0]


@pytest.mark.parametrize("heuristic", WITH_NAN)
def test_a_nan_inside_what_is_compared_is_that_of_python(heuristic: Any) -> None:
    agree(heuristic, bails=True)


def test_what_has_no_nan_inside_is_not_left_to_python() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        value = 1.5 + game.move_count
        pairs = [(value, 2), (value, 1), (0.5, 3)]
        told = (value, 1) == (value, 1.0), (value, 1) < (value, 2), (value, 1) in pairs
        return sum(told) + 10 * max(pairs)[1] + 100 * min(pairs)[1] + 1000 * sorted(pairs)[1][1]

    agree(heuristic)


def test_a_nan_that_is_compared_by_itself_is_not_left_to_python() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        value = sick(game, player)
        return (value == value) + 2 * (value != value) + 4 * (value < 2) + 8 * (not value >= 1)

    agree(heuristic)
