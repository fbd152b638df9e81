"""Numbers in compiled heuristics: the traps of Python's arithmetic, each against CPython to the bit."""

import math
from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

WEIGHT = 0.1
LARGE = 2**53
HUGE = 2**62
TRAPS: list[Any] = []


def trap(function: Any) -> Any:
    TRAPS.append(function)
    return function


def own(game: Any, player: Any) -> int:
    return len(game.get_legal_moves(player))


def other(game: Any, player: Any) -> int:
    return len(game.get_legal_moves(game.get_opponent(player)))


@trap
def integer_division_and_remainder(game: Any, player: Any) -> Any:
    a, b = own(game, player) - 4, other(game, player) - 9
    return a // b * 1000 + a % b


@trap
def float_division_and_remainder(game: Any, player: Any) -> Any:
    a, b = own(game, player) - 4.5, other(game, player) - 9.25
    return a // b * 1000 + a % b


@trap
def remainder_of_zero_has_a_sign(game: Any, player: Any) -> Any:
    return (own(game, player) * -0.0) % -3.0


@trap
def zero_over_a_negative(game: Any, player: Any) -> Any:
    return (own(game, player) - own(game, player)) / -5


@trap
def division_by_zero(game: Any, player: Any) -> Any:
    return own(game, player) / other(game, player)


@trap
def remainder_by_zero(game: Any, player: Any) -> Any:
    return own(game, player) % other(game, player) + 7 // other(game, player)


@trap
def bankers_rounding(game: Any, player: Any) -> Any:
    return round(own(game, player) / 2) + 10 * round(-other(game, player) / 2)


@trap
def floors(game: Any, player: Any) -> Any:
    x = (own(game, player) - 4) / 3
    return int(x) + 10 * math.floor(x) + 100 * math.ceil(x) + 1000 * math.trunc(x)


@trap
def integer_of_an_infinity(game: Any, player: Any) -> Any:
    return int(game.utility(player)) + 1


@trap
def powers_of_integers(game: Any, player: Any) -> Any:
    return own(game, player) ** 3 - 2 ** (other(game, player) % 20)


@trap
def an_integer_to_a_negative_power(game: Any, player: Any) -> Any:
    return own(game, player) ** -1


@trap
def a_square_is_a_power(game: Any, player: Any) -> Any:
    x = own(game, player) / 3 + WEIGHT
    return x**2 - x * x + x**0.5 - math.sqrt(x)


@trap
def a_negative_to_a_fraction(game: Any, player: Any) -> Any:
    return float((own(game, player) - other(game, player)) ** 0.5)


@trap
def zero_to_a_negative(game: Any, player: Any) -> Any:
    return float(own(game, player)) ** -1.0


@trap
def roots_of_negatives(game: Any, player: Any) -> Any:
    return math.sqrt(own(game, player) - other(game, player))


@trap
def logarithms(game: Any, player: Any) -> Any:
    return (
        math.log(own(game, player)) + math.log(own(game, player) + 2, 3) + math.log10(own(game, player) + 1)
    )


@trap
def exponentials(game: Any, player: Any) -> Any:
    return math.exp(own(game, player) / 7) + math.exp(other(game, player) * 200)


@trap
def distances(game: Any, player: Any) -> Any:
    a, b = own(game, player), other(game, player)
    return math.hypot(a, b) + math.atan2(a, b + 1) + math.sin(a) * math.cos(b) + math.tanh(a / 3)


@trap
def comparisons_in_a_chain(game: Any, player: Any) -> Any:
    a, b = own(game, player), other(game, player)
    return (0 < a < b) + 2 * (a <= b != 3) + 4 * (1.5 < a <= 4 < b)


@trap
def truths_are_integers(game: Any, player: Any) -> Any:
    lost = game.is_loser(player)
    return (own(game, player) > 2) + True - lost * 3 + (lost == 0) / 2 + -(own(game, player) > 3)


@trap
def values_of_and_and_or(game: Any, player: Any) -> Any:
    a, b = own(game, player), other(game, player)
    return (a and b) * 100 + (a or b) * 10 + (not a) + ((a - b and 0.5) or 7)


@trap
def the_first_of_equals(game: Any, player: Any) -> Any:
    zero = own(game, player) * -0.0
    return (
        math.copysign(1, max(zero, 0.0))
        + 10 * math.copysign(1, min(0.0, zero))
        + max(1, own(game, player), 3)
    )


@trap
def the_largest_of_ints_and_floats(game: Any, player: Any) -> Any:
    return max(own(game, player), 3.5) // 2 + min(other(game, player), 2.0) / 4


@trap
def the_largest_of_nans(game: Any, player: Any) -> Any:
    nan = float("inf") * 0
    return max(1.0, nan) + min(own(game, player), nan)


@trap
def a_variable_int_or_float(game: Any, player: Any) -> Any:
    score: Any = 0
    if own(game, player) > 3:
        score = 0.5
    if other(game, player) > 3:
        score += 2
    return score * -1


@trap
def a_zero_that_may_be_an_int(game: Any, player: Any) -> Any:
    score = 0 if own(game, player) > 3 else 0.0
    score = score * (other(game, player) - 5)
    return -score


@trap
def int_or_float_by_all_operators(game: Any, player: Any) -> Any:
    x = own(game, player) - 3 if other(game, player) > 3 else own(game, player) - 2.5
    y = 3 if own(game, player) > 2 else -1.5
    return x // y + x % y + x / y + x**2 - abs(x) + (x < y) + (x == y) + round(x) + max(x, y)


@trap
def an_int_beyond_floats(game: Any, player: Any) -> Any:
    return (LARGE + own(game, player)) - LARGE


def a_comparison_beyond_floats(game: Any, player: Any) -> Any:
    return LARGE + 1 + own(game, player) > float(LARGE)


@trap
def bits(game: Any, player: Any) -> Any:
    a, b = own(game, player) - 4, other(game, player)
    return (a & b) + (a | b) * 10 + (a ^ b) * 100 + ~a * 1000 + (a << 2) + (a >> 1)


@trap
def an_augmented_assignment(game: Any, player: Any) -> Any:
    score: Any = own(game, player)
    score += 1
    score *= 2.5
    score -= other(game, player)
    score /= 4
    score **= 2
    return score


@trap
def a_named_expression(game: Any, player: Any) -> Any:
    a = own(game, player)
    return a + (a := other(game, player)) * 10 + a * 100


@trap
def a_swap(game: Any, player: Any) -> Any:
    a, b = own(game, player), other(game, player)
    if a > b:
        a, b = b, a
    a, b = b, a + b
    return a * 100 + b


@trap
def an_unbound_variable(game: Any, player: Any) -> Any:
    if own(game, player) > 3:
        found = 1
    return found


@trap
def a_shadowed_builtin(game: Any, player: Any) -> Any:
    abs = own(game, player) - other(game, player)  # noqa: A001 - some do so
    return abs - 1


@trap
def an_infinity(game: Any, player: Any) -> Any:
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return math.inf
    return game.utility(player) + float("1.5")


def a_variable_of_two_types(game: Any, player: Any) -> Any:
    x = own(game, player)
    if x > 3:
        x = game.get_legal_moves(player)
    return x == 3


@pytest.mark.parametrize("heuristic", TRAPS)
def test_numbers_are_those_of_python(heuristic: Any) -> None:
    agree(heuristic)


def beyond_64_bits(game: Any, player: Any) -> Any:
    return (own(game, player) * HUGE * 4) / HUGE


@pytest.mark.parametrize("heuristic", [beyond_64_bits, a_comparison_beyond_floats])
def test_integers_that_are_too_large_bail(heuristic: Any) -> None:
    agree(heuristic, bails=True)


def test_a_variable_of_two_types_is_refused() -> None:
    refused = refusal(a_variable_of_two_types)
    assert "x is sometimes" in str(refused)
    assert refused.line == a_variable_of_two_types.__code__.co_firstlineno + 4
