"""Functions that share a text, what is bound to them, what they are given: traps of calls."""

# ruff: noqa: B006, B008, B023 - such heuristics are what is tried
# mypy: ignore-errors

from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Source
from tests.python.compiled.agreement import agree, agree_or_be_refused

Heuristic = Callable[[Any, Any], Any]


def own(game, player):
    return len(game.get_legal_moves(player))


def other(game, player):
    return len(game.get_legal_moves(game.get_opponent(player)))


def blank(game, player):
    return len(game.get_blank_spaces())


def moves(game, player):
    return game.move_count


# ---- functions made by one `def`


def weighted(down, right, taken):
    def score(game, player):
        total = 0.0
        for row, column in game.get_legal_moves(player):
            total += down * row + right * column
            if row > 3:
                total -= taken
            elif column > 2:
                total += taken * 2
            else:
                total += 0.25
        for row, column in game.get_legal_moves(game.get_opponent(player)):
            total -= down * row - right * column + taken
        return total

    return score


opening, ending = weighted(1, 1, 0.5), weighted(1, 3, -0.25)


def add(one, two):
    def both(game, player):
        return one(game, player) + two(game, player)

    return both


def repeated(count, of):
    def both(game, player):
        return count * of(game, player) if count < 4 else count * 2 * of(game, player) + 1

    return both


def doubled(of):
    @wraps(of)
    def wrapper(game, player):
        total = 0
        for step in range(3):
            for width in range(2):
                total += (step + 1) * (width + 1) * of(game, player)
                if total > 100_000:
                    break
        return total * 2 if total > 30 else total * 3 + (1 if total > 7 else 5)

    return wrapper


@doubled
def doubled_moves(game, player):
    return len(game.get_legal_moves(player))


@doubled
def doubled_blanks(game, player):
    return len(game.get_blank_spaces())


def of_two_stages(game, player):
    if game.move_count < 10:
        return opening(game, player)
    return ending(game, player)


def of_one_decorator(game, player):
    return doubled_moves(game, player) - 3 * doubled_blanks(game, player)


def searching(depth, of):
    def value(game, player):
        found = of(game, player)
        for move in game.get_legal_moves()[:2]:
            found = max(found, of(game.forecast_move(move), player))
            if found > 1_000:
                found -= 1
            elif found < -1_000:
                found += 1
        return found * depth

    return value


of_functions_that_make_functions = add(add(own, other), add(blank, moves))
of_deep_ones = add(repeated(5, add(own, repeated(3, other))), add(repeated(-1, blank), repeated(2, moves)))
of_loops_in_loops = searching(2, searching(3, own))


@pytest.mark.parametrize(
    "heuristic",
    [
        of_two_stages,
        of_one_decorator,
        of_functions_that_make_functions,
        of_deep_ones,
        of_loops_in_loops,
        add(of_two_stages, add(opening, ending)),
    ],
)
def test_functions_made_by_one_def_keep_what_each_is_bound_to(heuristic: Heuristic) -> None:
    agree(heuristic)


def test_a_default_is_the_function_that_it_was_where_the_def_was_reached() -> None:
    def in_turn(game, player):
        total = 0
        for of in (own, blank, moves):
            times = lambda factor, kept=of: kept(game, player) * factor  # noqa: E731
            total = total * 3 + times(2)
        return total

    def all_at_once(game, player):
        kept = ()
        for of in (own, blank, moves):

            def times(factor, of=of):
                return of(game, player) * factor

            kept = (*kept, times)
        return kept[0](2) * 100 + kept[1](3) * 10 + kept[2](1)

    agree_or_be_refused(in_turn)
    agree_or_be_refused(all_at_once)


# ---- defaults


def with_lists(game, player, own=[1, 2, 3], opp=[10, 20, 30]):
    return own[game.move_count % 3] + opp[game.move_count % 3]


def with_all_kinds(game, player, keys={1, 5, 9}, by={1: 2.5, 3: 4}, both=([1, 2], [3, 4]), of=own):
    found = by.get(game.move_count % 4, 7) + both[0][1] * 100 + both[1][game.move_count % 2]
    return found + (game.move_count in keys) + 1_000 * of(game, player)


def by_name(game, player, *, weights=(1, [5, 6.5]), empty=[], text="own", none=None):
    extra = len(empty) + (text == "own") + (none is None)
    return weights[1][game.move_count % 2] + weights[0] + extra


def of_a_list(game, player, most, weights=[[4, 5], [6, 7]], other={2: [1, 2], 3: [3]}):
    found = weights[game.move_count % 2][1] * most
    for key in other:
        found = found * 3 + other[key][0] + len(other[key])
    return found


def of_helpers(game, player, weights=[[1, 2], [3, 9]]):
    def inner(number, kept=[7, 8], outer=weights):
        return kept[number % 2] * outer[1][number % 2]

    total = inner(game.move_count)
    for row, column in game.get_legal_moves(player):
        total = total * 3 % 10_007 + of_a_list(game, player, row) + inner(column, outer=[[5, 6], [7, 8]])
    return total + of_a_list(game, player, 2, [[1, 3], [2, 4]])


def of_lists_or_none(game, player, lists=[None, [1, 2], [3, 4]], by={1: None, 2: [5], 3: [6, 7]}):
    found, under = lists[game.move_count % 3], by.get(game.move_count % 5)
    total = 100 if found is None else found[0] * 10 + found[1]
    for each in [None, [3, 1], [2]]:
        total = total * 7 + (1 if each is None else each[0])
    return total * 1_000 + (1 if under is None else under[0] + len(under))


@pytest.mark.parametrize("heuristic", [with_lists, with_all_kinds, by_name, of_helpers, of_lists_or_none])
def test_defaults_are_what_python_has(heuristic: Heuristic) -> None:
    agree(heuristic)


def test_a_default_that_was_changed_is_noticed() -> None:
    source = Source.of(with_lists)
    lower(source)
    assert source.guard.holds()
    with_lists.__defaults__[1][1] = 21
    try:
        assert not source.guard.holds()
    finally:
        with_lists.__defaults__[1][1] = 20
    assert source.guard.holds()


# ---- texts and other constants that are given


def of_kinds(game, player, *kinds):
    total = 0
    for kind in kinds:
        if kind == "own":
            for row, column in game.get_legal_moves(player):
                total += row + 2 * column
                if total > 1_000:
                    total -= 1_000
        elif kind == "opp":
            for row, column in game.get_legal_moves(game.get_opponent(player)):
                total -= row + 2 * column
                if total < -1_000:
                    total += 1_000
        else:
            total = total * 2 + 1
    return total


def of_a_kind(game, player, kind, steps=(None, "x")):
    return (
        of_kinds(game, player, kind[0]) * 3 + of_kinds(game, player, *steps) + of_kinds(game, player, *kind)
    )


def named(game, kind):
    total = 0
    for step in range(3):
        for width in range(game.move_count):
            total += (step + 1) * (width + 1)
            if total > 100:
                total -= 99
            elif total < 0:
                total += step * 2 - width * 3
    return (kind, (), ("b", None if total else total))


CALLS: list[Heuristic] = [
    lambda game, player: of_kinds(game, player, "own") * 3 + of_kinds(game, player, "opp"),
    lambda game, player: of_kinds(game, player, "own", "opp") * 3 + of_kinds(game, player, "opp", "own"),
    lambda game, player: of_a_kind(game, player, ("own",)) * 3 + of_a_kind(game, player, ("opp",)),
    lambda game, player: of_a_kind(game, player, ("own",), ("opp", None)) + of_a_kind(game, player, ("own",)),
    lambda game, player: of_kinds(game, player, None) + 5 * of_kinds(game, player, "own"),
    lambda game, player: of_kinds(game, player, ("own",)) + 5 * of_kinds(game, player, ("opp",)),
    lambda game, player: of_kinds(game, player, "own", 1) + 5 * of_kinds(game, player, "opp", 1),
    lambda game, player: of_kinds(game, player, *("own", "opp")[game.move_count % 2 :]),
    lambda game, player: of_kinds(game, player, "own" if game.move_count % 2 else "opp"),
    lambda game, player: len(named(game, "a")) + (named(game, "c")[2][1] is None),
    lambda game, player: sum(1 for _ in named(game, "a")[1]) + (named(game, "c")[0] == "c"),
]


@pytest.mark.parametrize("heuristic", CALLS)
def test_each_call_has_the_constants_that_it_was_given(heuristic: Heuristic) -> None:
    agree_or_be_refused(heuristic)


@pytest.mark.parametrize("heuristic", CALLS[:5])
def test_texts_that_are_given_compile(heuristic: Heuristic) -> None:
    agree(heuristic)


# ---- functions that leave the one that defines them


def with_functions(functions, number, game):
    number, total = number * 2, 0
    for step in range(5):
        for width in range(6):
            total += step * width
            if total > 100:
                total -= 3
            elif total < -5:
                total += 2
            else:
                total += number
    for step in range(3):
        total += step * functions[0]() + game.move_count
        if total > 1_000:
            total -= 1_000
    return total


def that_makes_one(game, factor):
    number = game.move_count + 1

    def inner(start=factor * game.move_count):
        return number + start

    for step in range(5):
        for width in range(6):
            if step * width > 17:
                number -= 3
            elif step - width < -4:
                number += 2
            else:
                number += 1
    for step in range(3):
        number += step * factor + 1
    return inner


def that_hands_on(functions, depth):
    number, total = depth, 0

    def inner():
        return number

    for step in range(5):
        for width in range(6):
            if step * width > 100:
                total -= 3
            elif step - width < -5:
                total += 2
            else:
                total += 1
    if depth == 2:
        functions = (inner,)
    if depth <= 0:
        return functions[0]() + total
    return that_hands_on(functions, depth - 1) + inner()


def small_one(number):
    return lambda start=number: start + number


def in_a_tuple(game, player):
    number = game.move_count
    return with_functions((lambda: number, 1), 5, game)


def in_a_tuple_of_its_own(game, player):
    number = game.move_count

    def inner():
        return number

    pair = (inner, number)
    number += 1
    return pair[0]() + pair[1]


def in_a_default(game, player):
    number = game.move_count
    first = lambda: number  # noqa: E731

    def second(of=first, pair=(first, first)):
        return of() + 10 * pair[1]()

    number = 7
    return second() + with_functions((second,), number, game)


def that_is_returned(game, player):
    number = 5
    return that_makes_one(game, 3)() + number


def that_is_kept(game, player):
    number, found = 5, that_makes_one(game, 3)
    more = len(game.get_legal_moves()) * 1_000
    return found() + number + more


def in_a_list(game, player):
    number, made = 1, []
    made.append(lambda: number)
    number = game.move_count
    return made[0]()


def in_a_dict(game, player):
    by = {}
    for number in range(3):
        by[number] = lambda: number
    return by[0]() + by[2]()


def of_an_earlier_turn(game, player):
    found, total = None, 0
    for number in range(4):
        weight = game.move_count * number + 7
        total += weight * weight
        if number == 1:
            found = lambda kept=number * game.move_count: kept  # noqa: E731
        if found is not None:
            total += found()
    return total


def of_a_condition(game, player):
    found = None
    if game.move_count > 3:
        found = lambda kept=len(game.get_legal_moves()): kept  # noqa: E731
    return 0 if found is None else found()


def of_calls_that_ended(game, player):
    one, two = small_one(3), small_one(game.move_count)
    return one() + 10 * two()


def of_other_depths(game, player):
    number = game.move_count
    return that_hands_on((lambda: number,), 3)


def walked_twice(*given):
    return sum(given[0]) + sum(given[0])


def walked_twice_if_any(game, player):
    found = reversed([1, 2]) if game.move_count else None
    return 0 if found is None else sum(found) + sum(found)


@pytest.mark.parametrize(
    "heuristic",
    [
        in_a_tuple,
        in_a_tuple_of_its_own,
        in_a_default,
        that_is_returned,
        that_is_kept,
        in_a_list,
        in_a_dict,
        of_an_earlier_turn,
        of_a_condition,
        of_calls_that_ended,
        of_other_depths,
    ],
)
def test_inner_functions_read_the_variables_of_the_call_that_made_them(heuristic: Heuristic) -> None:
    agree_or_be_refused(heuristic)


@pytest.mark.parametrize(
    "heuristic", [lambda game, player: walked_twice(reversed([1, game.move_count])), walked_twice_if_any]
)
def test_what_is_walked_once_stays_so_when_it_is_passed_on(heuristic: Heuristic) -> None:
    agree_or_be_refused(heuristic)
