"""What `operator`, `functools` and `itertools` offer, generators of a module, and stars: against CPython."""

# ruff: noqa: B905, C417 - some write it so
# mypy: ignore-errors

import itertools
import operator
from functools import partial, reduce
from operator import itemgetter
from typing import Any

import pytest

from isolation_fast import Board, search
from isolation_fast.compiled import compiled_of
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Refusal, Source
from tests.python.compiled.agreement import agree, agree_or_be_refused, refusal
from tests.python.compiled.test_ordering import told

COMPILED: list[Any] = []
REFUSED: list[Any] = []
column_first = itemgetter(1, 0)
last = itemgetter(-1)


def compiles(function):
    COMPILED.append(function)
    return function


def refused(function):
    REFUSED.append(function)
    return function


def weighted(game, player, weight, bonus=0.5):
    return weight * len(game.get_legal_moves(player)) + bonus


doubled = partial(weighted, weight=2)
blank_first = partial(weighted, weight=-1.5, bonus=3)


def rings(game, start):
    seen, ring = {start}, {start}
    while ring:
        yield ring
        ring = {step for cell in ring for step in game.__get_moves__(cell)} - seen
        seen |= ring


def steps(move):
    for down, right in ((-2, -1), (-2, 1), (1, 2), (2, 1)):
        yield (move[0] + down, move[1] + right)


# ---- generators


@compiles
def a_generator_of_the_module(game, player):
    place = game.get_player_location(player)
    if place is None:
        return 0
    return sum(len(ring) / (1 + far) for far, ring in enumerate(rings(game, place)))


@compiles
def a_generator_that_a_helper_walks(game, player):
    return sum(10 * row + column for move in game.get_legal_moves(player) for row, column in steps(move))


@compiles
def a_generator_that_nobody_walks(game, player):
    steps(game.get_player_location(player))
    return 1


@compiles
def iterators_with_names(game, player):
    moves, factor = game.get_legal_moves(player), 1
    rows = (move[0] * factor for move in moves)
    factor = 3
    numbered = enumerate(map(column_first, moves))
    return sum(rows) + sum(place * row - column for place, (column, row) in numbered)


@refused
def an_iterator_that_is_walked_twice(game, player):
    rows = (row for row, _ in game.get_legal_moves(player))
    return sum(rows) + sum(rows)


@refused
def an_iterator_that_is_walked_in_a_loop(game, player):
    rows = (row for row, _ in game.get_legal_moves(player))
    return sum(sum(rows) for _ in range(2))


@refused
def an_iterator_of_one_way(game, player):
    if game.move_count % 2:
        rows = (row for row, _ in game.get_legal_moves(player))
    return sum(rows)


@refused
def an_iterator_over_what_grows(game, player):
    seen = {1, 2}
    rows = (row for row in seen)
    seen.add(len(game.get_legal_moves(player)))
    return sum(rows)


# ---- operator


@compiles
def items_by_a_getter(game, player):
    moves = game.get_legal_moves(player)
    by_column = sorted(moves, key=column_first)
    return told(by_column) + 3 * told(sorted(moves, key=itemgetter(1))) + sum(map(last, moves))


@compiles
def operators_as_functions(game, player):
    moves = game.get_legal_moves(player)
    total = operator.sub(len(moves), game.width) + operator.mul(1.5, operator.mod(len(moves), 3))
    total += operator.truediv(len(moves), 4) + operator.floordiv(-len(moves), 4)
    return total + operator.lt(len(moves), 4) + operator.pow(2, len(moves) % 9) + operator.lshift(1, 2)


@compiles
def what_an_operator_raises(game, player):
    return operator.truediv(1, len(game.get_legal_moves(player)))


def test_a_long_shift_is_not_computed_while_compiling() -> None:
    agree_or_be_refused(lambda game, player: 1 << 10**9)
    agree_or_be_refused(lambda game, player: 1 >> -1)


# ---- functools


@compiles
def reduced(game, player):
    moves = game.get_legal_moves(player)
    rows = reduce(lambda total, move: total + move[0], moves, 0.5)
    return rows + reduce(operator.mul, [1 + move[1] for move in moves[:8]], 1)


@compiles
def reduced_from_the_first(game, player):
    return reduce(max, [row - column for row, column in game.get_legal_moves(player)])


@compiles
def partials(game, player):
    mine = partial(weighted, game, player)
    scores = [mine(1), mine(bonus=1, weight=3), doubled(game, player), blank_first(game, player, bonus=1)]
    return sum(scores) + partial(partial(weighted, game), player, 2)(0.25)


@compiles
def a_partial_as_a_key(game, player):
    def distance(one, other, factor):
        return factor * abs(one[0] - other[0]) + abs(one[1] - other[1])

    moves = game.get_legal_moves(player)
    nearest = sorted(moves, key=partial(distance, (3, 3), factor=len(moves)))
    return told(nearest)


@compiles
def a_partial_of_what_changes(game, player):
    calls = []
    for move in game.get_legal_moves(player):
        row = partial(operator.add, move[0])
        calls.append(row(len(calls)))
    return told([(number, number) for number in calls])


@refused
def a_partial_of_no_function(game, player):
    return 1 if partial(game.width) else 0


@pytest.mark.parametrize("function", [doubled, blank_first, partial(weighted, weight=0.5, bonus=True)])
def test_a_heuristic_that_is_a_partial(function: Any) -> None:
    agree(function)


def test_a_partial_that_gives_what_python_does_not_take() -> None:
    for wrong in (partial(weighted, 1, weight=2), partial(weighted, game=3), partial(weighted, other=3)):
        with pytest.raises(Refusal):
            lower(Source.of(wrong))


def test_a_partial_whose_arguments_change_is_compiled_anew() -> None:
    changing = partial(weighted, weight=2)
    board = Board()
    for weight in (2, 3):
        changing.keywords["weight"] = weight
        assert not isinstance(compiled_of(changing), Refusal)
        own = search(board, changing, depth=1, compile=False)
        assert search(board, changing, depth=1).value == own.value


# ---- itertools


@compiles
def pairs(game, player):
    moves = game.get_legal_moves(player)
    total = sum(abs(one[0] - other[0]) for one, other in itertools.combinations(moves, 2))
    return total + sum(n * (a - b) for n, (a, b) in enumerate(itertools.permutations(range(-2, 3), 2)))


@compiles
def products(game, player):
    blank = game.get_blank_spaces()
    near = [
        (row, column) for row, column in itertools.product(range(2), range(1, 3)) if (row, column) in blank
    ]
    signs = list(itertools.product((1, -1), repeat=2))
    three = sum(a * b - c for a, b, c in itertools.product((1, 2), [3, 4], (x for x in range(2))))
    return told(near) + told(signs) + three + len(list(itertools.product()))


@compiles
def a_pool_that_grows_meanwhile(game, player):
    rows = [1, 2, 3]
    for one, other in itertools.combinations(rows, 2):
        rows.append(one * other)
    for one, other in itertools.product(rows, rows):
        if one == other:
            rows.append(game.width)
    return sum(place * row for place, row in enumerate(rows))


@compiles
def maps_in_step(game, player):
    moves = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    near = sum(map(lambda one, two: abs(one[0] - two[0]) + abs(one[1] - two[1]), moves, other))
    return near + sum(map(operator.mul, [1, 2, 3], (move[1] for move in moves)))


@refused
def pairs_of_what_is_not_two(game, player):
    return len(list(itertools.combinations(game.get_legal_moves(player), 3)))


# ---- stars


@compiles
def stars_in_a_list(game, player):
    mine, other = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))
    both = [*mine, (0, 0), *other, *((1, 2), (3, 4)), (5, 5)]
    again = [*both]
    both.append((9, 9))
    return told(both) + 3 * told(again) + told([*(move for move in mine if move[0] > 2), *other])


@compiles
def stars_in_order(game, player):
    rows = [row for row, _ in game.get_legal_moves(player)] or [7]
    found = [*rows, rows.pop(), *rows, len(rows)]
    return sum(place * row for place, row in enumerate(found))


@compiles
def stars_in_a_set(game, player):
    mine = game.get_legal_moves(player)
    both = {(0, 0), *mine, *game.get_legal_moves(game.get_opponent(player)), (0, 0)}
    both.add((-1, -1))
    return len(both) + sum(row for row, _ in both)


@compiles
def columns_of_rows(game, player):
    rows, columns = zip(*game.get_blank_spaces())
    own = [*zip(*[(row, column, row * column) for row, column in game.get_blank_spaces()])]
    return max(rows) - min(columns) + len(own) * sum(own[2]) + own[0].index(max(rows)) + own[1][-1]


@compiles
def columns_with_the_own_cell(game, player):
    rows, columns = zip(*(game.get_legal_moves(player) + [game.get_player_location(player)]))
    return max(rows) * 10 + min(columns)


@compiles
def chains_of_many(game, player):
    moves = game.get_legal_moves(player)
    further = set(itertools.chain(*map(lambda move: game.__get_moves__(move), moves)))
    return len(further) + told(list(itertools.chain(*[moves, game.get_legal_moves()])))


@compiles
def tuples_of_lists(game, player):
    moves = tuple(game.get_legal_moves(player))
    rows = tuple(row for row, _ in moves)
    return (
        told(moves[1:])
        + len(moves) * 3
        + sum(rows)
        + rows.count(2)
        + (4 if moves else 5)
        + told([*moves] * 2)
    )


@compiles
def the_cells_of_the_state(game, player):
    cells = game._board_state[0 : game.width * game.height]
    cells.append(7)
    return sum(place * cell for place, cell in enumerate(cells))


@refused
def a_tuple_that_is_compared_with_a_list(game, player):
    return tuple(game.get_legal_moves(player)) == game.get_legal_moves(player)


@refused
def a_tuple_that_is_compared_with_a_tuple(game, player):
    return tuple(game.get_legal_moves(player)) == ((1, 2),)


@refused
def a_tuple_that_grows(game, player):
    moves = tuple(game.get_legal_moves(player))
    moves.append((1, 2))
    return len(moves)


@refused
def a_tuple_that_may_be_a_list(game, player):
    moves = game.get_legal_moves(player)
    same = tuple(moves) if game.move_count % 2 else moves
    return len(same + [(1, 2)])


@refused
def a_tuple_that_is_copied(game, player):
    return len(tuple(game.get_legal_moves(player)).copy())


@pytest.mark.parametrize("function", COMPILED)
def test_library_functions_are_as_in_python(function: Any) -> None:
    agree(function)


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_refused(function: Any) -> None:
    assert refusal(function).message
