"""Functions that are kept, returned, recursive or walked over, and what is zipped, each against CPython."""

# ruff: noqa: B023, B905, PERF401 - such heuristics are what is tried
# mypy: ignore-errors

from itertools import chain
from operator import itemgetter
from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

AGREEING: list[Any] = []


def agreeing(function: Any) -> Any:
    AGREEING.append(function)
    return function


def own(game, player):
    return len(game.get_legal_moves(player))


def other(game, player):
    return len(game.get_legal_moves(game.get_opponent(player)))


@agreeing
def functions_in_a_tuple(game, player):
    both = (lambda number: number + 1, lambda number: number * 2)
    return both[0](own(game, player)) + 10 * both[1](own(game, player))


@agreeing
def functions_of_one_def_that_are_returned(game, player):
    def times(factor):
        def inner(number):
            return number * factor + game.move_count

        return inner

    twice, fivefold = times(2), times(5)
    return twice(3) + 100 * fivefold(own(game, player))


@agreeing
def functions_with_defaults_in_a_list(game, player):
    adders = []
    for number in range(3):
        adders.append(lambda value, kept=number: value + kept)
    return sum((place + 1) * adder(own(game, player)) for place, adder in enumerate(adders))


@agreeing
def a_function_inside_that_calls_itself(game, player):
    def reached(cell, depth, seen):
        if depth == 0:
            return 1
        count = 0
        for move in game._Board__get_moves(cell):
            if move not in seen:
                count += reached(move, depth - 1, seen | {move})
        return count

    place = game.get_player_location(player)
    return 0 if place is None else reached(place, 2, {place})


@agreeing
def a_function_that_remembers(game, player):
    known = {}

    def fibonacci(number):
        if number in known:
            return known[number]
        known[number] = number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)
        return known[number]

    return fibonacci(12 + own(game, player) % 5)


@agreeing
def a_variable_that_changes_under_a_function(game, player):
    total = 0
    for number in range(5):
        value = number

        def both():
            return value + total

        total += both()
        value = 10
        total += both()
    return total


@agreeing
def generators(game, player):
    def squares(end):
        for number in range(end):
            if number == 3:
                continue
            yield number * number
            if number > 6:
                return

    return sum(squares(own(game, player))) + max(squares(5)) + (4 in squares(6))


@agreeing
def what_is_zipped(game, player):
    total = 0.0
    for one, two in zip(game.get_legal_moves(player), chain(game.get_legal_moves(), [(9, 9)])):
        total += one[0] * two[1]
    for place, move, weight in zip(range(1, 9), game.get_legal_moves(player), (1, 0.5, 2, 3)):
        total += place * move[0] * weight
    return total


@agreeing
def functions_beside_weights(game, player):
    scores = [own, other, lambda board, who: 3.5]
    return sum(score(game, player) * weight for weight, score in zip([1, 2, 3], scores))


@agreeing
def sorted_by_an_item(game, player):
    moves = sorted(game.get_legal_moves(player), key=itemgetter(1))
    return moves[0][1] * 10 + len(moves) if moves else -1


@pytest.mark.parametrize("function", AGREEING)
def test_functions_are_values_as_in_python(function: Any) -> None:
    # On large boards the memory of a run does not hold what is reached from everywhere.
    agree(function, bails=function is a_function_inside_that_calls_itself)


def test_a_function_that_is_kept_reads_no_variable_that_changes() -> None:
    def kept(game, player):
        adders = []
        for number in range(3):
            adders.append(lambda value: value + number)
        return sum(adder(10) for adder in adders)

    assert "give it defaults" in refusal(kept).message
