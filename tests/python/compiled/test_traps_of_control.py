"""Control, names, functions and lists in compiled heuristics: the traps of Python's, each against CPython."""

import math
from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

TRAPS: list[Any] = []
STEPS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
WEIGHTS = [0.5, 1, 2.25, -3]
TABLE = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
CORNERS = ((0, 0), (0, 6), (6, 0), (6, 6))
FACTOR = 2


def trap(function: Any) -> Any:
    TRAPS.append(function)
    return function


# ---- the board


@trap
def improved(game: Any, player: Any) -> Any:
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


@trap
def all_that_the_board_says(game: Any, player: Any) -> Any:
    active = game.active_player == player
    return (
        game.width
        + 100 * game.height
        + 1e4 * game.move_count
        + active * 0.5
        + (game.inactive_player is player) * 0.25
        + len(game.get_blank_spaces()) / 7
        + len(game.get_legal_moves())
        + (game._player_1 == player)
        + (game.__active_player__ == game._inactive_player)
        + game.BLANK
    )


@trap
def an_unplaced_player_raises(game: Any, player: Any) -> Any:
    row, column = game.get_player_location(player)
    return row * 10 + column


@trap
def none_is_tested(game: Any, player: Any) -> Any:
    place = game.get_player_location(player)
    if place is None:
        return 0
    other = game.get_player_location(game.get_opponent(player))
    if not other:
        return place[0] - place[-1]
    return abs(place[0] - other[0]) + abs(place[1] - other[1])


@trap
def none_or_else(game: Any, player: Any) -> Any:
    place = game.get_player_location(player) or (3, 3)
    other = None
    if game.move_count > 3:
        other = game.get_player_location(game.get_opponent(player))
    return place[0] + (100 if other is None else other[1]) + (place == other) + 2 * (other == place)


@trap
def places_are_compared(game: Any, player: Any) -> Any:
    place, other = game.get_player_location(player), game.get_player_location(game.get_opponent(player))
    return (place == other) + 2 * (place == (2, 3)) + 4 * (place != None) + 8 * (place == (1.0, 1))  # noqa: E711 - some write it so


@trap
def moves_that_are_legal(game: Any, player: Any) -> Any:
    return game.move_is_legal((0, 0)) + 2 * game.move_is_legal((-1, -1)) + 4 * game.move_is_legal((2, 1, 5))


@trap
def a_float_is_no_move(game: Any, player: Any) -> Any:
    return game.move_is_legal((game.width / 2, 1))


@trap
def moves_from_somewhere(game: Any, player: Any) -> Any:
    return sum(len(game.__get_moves__(move)) for move in game._Board__get_moves((0, 0)))


@trap
def a_forecast(game: Any, player: Any) -> Any:
    best = -100.0
    for move in game.get_legal_moves():
        after = game.forecast_move(move)
        best = max(best, len(after.get_legal_moves(player)) - 0.5 * len(after.get_legal_moves()))
    return best


@trap
def a_forecast_off_the_board(game: Any, player: Any) -> Any:
    return game.forecast_move((game.move_count, 0)).move_count


# ---- loops


@trap
def order_of_moves(game: Any, player: Any) -> Any:
    value = 0.1
    for row, column in game.get_legal_moves(player):
        value = value * 1.1 + row - column / 3
    return value


@trap
def the_first_move(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    return moves[0][0] * 10 + moves[-1][1]


@trap
def order_of_some_moves(game: Any, player: Any) -> Any:
    value = 0.1
    for row, column in [move for move in game.get_legal_moves(player) if move[0] != 2]:
        value = value * 1.1 + row - column / 3
    return value


@trap
def else_of_a_loop(game: Any, player: Any) -> Any:
    for row, column in game.get_legal_moves(player):
        if row == column:
            found = row
            break
    else:
        found = -1
    return found


@trap
def the_variable_of_a_loop_lives_on(game: Any, player: Any) -> Any:
    for number in range(game.move_count):
        if number > 5:
            continue
    return number


@trap
def a_loop_that_never_ends_its_count(game: Any, player: Any) -> Any:
    count = steps = 0
    while True:
        count += len(game.get_legal_moves(player)) + 1
        steps += 1
        if count > 20:
            break
    else:
        return 5
    return steps


@trap
def ranges(game: Any, player: Any) -> Any:
    total = 0
    for row in range(-1, game.height + 1):
        for column in range(game.width, -2, -2):
            if game.move_is_legal((row, column)):
                total += row * column + 1
    return total + sum(range(3)) + len([1 for _ in range(5, 2)])


@trap
def a_variable_changes_its_type_in_a_loop(game: Any, player: Any) -> Any:
    score: Any = 0
    for move in game.get_legal_moves(player):
        score += 1 if move[0] > 2 else 0.1
    return -score


@trap
def a_list_changes_while_it_is_walked(game: Any, player: Any) -> Any:
    numbers = [1, 2, 3]
    total = 0
    for number in numbers:
        total += number
        if len(numbers) < 10:
            numbers.append(number + game.move_count)
    return total


@trap
def aliases(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    same = moves
    same.append((0, 0))
    numbers = [game.move_count]
    again = numbers
    again += [7]
    return len(moves) * 100 + len(numbers) * 10 + numbers[-1]


@trap
def lists(game: Any, player: Any) -> Any:
    numbers = []
    for number in range(game.move_count):
        numbers.append(number * number)  # noqa: PERF401 - some write it so
    numbers.insert(1, 77)
    numbers.extend([5, 6])
    taken = numbers.pop() * 100 + numbers.pop(0)
    numbers[0] = 3
    numbers[-1] += 8
    numbers.reverse()
    return taken + sum(numbers[1:3]) + numbers[::-1][0] + numbers.index(3) + len(numbers[:-1] + [4])


@trap
def what_is_removed(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves()
    moves.remove((2, 3))
    return len(moves)


@trap
def an_index_out_of_range(game: Any, player: Any) -> Any:
    return TABLE[len(game.get_legal_moves(player))][game.move_count % 3]


@trap
def what_is_in_what(game: Any, player: Any) -> Any:
    place = game.get_player_location(player)
    moves = game.get_legal_moves(game.get_opponent(player))
    count = sum(1 for move in game.get_legal_moves(player) if move in moves)
    return (
        count + 10 * (place in moves) + 100 * (place in CORNERS) + 1000 * (place in STEPS) + ((1, 9) in moves)
    )


@trap
def constants_of_the_module(game: Any, player: Any) -> Any:
    mobility = len(game.get_legal_moves(player))
    return WEIGHTS[mobility % 4] + TABLE[1][-1] + sum(WEIGHTS) + len(STEPS) + CORNERS[mobility % 4][0]


# ---- comprehensions and what walks


@trap
def scope_of_a_comprehension(game: Any, player: Any) -> Any:
    x = 3
    squares = [x * x for x in range(game.move_count)]
    return x + len(squares) + sum(squares)


@trap
def two_loops_in_one(game: Any, player: Any) -> Any:
    return sum(r * c for r in range(3) if r != 1 for c in range(r, 4) if (r + c) % 2)


@trap
def sums_of_floats(game: Any, player: Any) -> Any:
    return float(sum([0.1] * 0 or [0.1, 0.2, 0.3, 1e16, -1e16, 0.1])) + sum((0.1, 0.7), 0.5)


@trap
def any_and_all(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    return any(row == 3 for row, _ in moves) + 2 * all(column > 0 for _, column in moves) + 4 * any([])


@trap
def extremes(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    near = min(moves, key=lambda move: (move[0] - 3) ** 2 + (move[1] - 2) ** 2)
    far = max(moves)
    return near[0] + near[1] * 10 + far[0] * 100 + far[1] * 1000 + max(abs(r - c) for r, c in moves)


@trap
def an_extreme_of_nothing(game: Any, player: Any) -> Any:
    return max([len(game.get_legal_moves(player))], default=7) + max(
        (r for r, c in game.get_legal_moves()), default=-1
    )


@trap
def what_walks(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    total = 0.0
    for place, (row, column) in enumerate(moves, 1):
        total += place * row - column / 7
    for step, weight in zip(STEPS, WEIGHTS):  # noqa: B905 - the shorter one ends it
        total += step[0] * weight
    total += sum(map(lambda move: move[0], moves))  # noqa: C417 - some write it so
    total += len(list(filter(lambda move: move[1], moves)))
    return total + sum(reversed(WEIGHTS)) + sum(number for number in reversed(range(4)))


# ---- functions


def scaled(value: Any, factor: Any = FACTOR, *, offset: Any = 0.5) -> Any:
    return value * factor + offset


def several(*values: Any) -> Any:
    first, *_ = values[:1] + (0,) if False else (values[0], 1)
    return first + len(values)


def depth(game: Any, player: Any, left: int) -> Any:
    """Recursion, with a result of a type that is found on the way."""
    if left == 0 or not game.get_legal_moves():
        return len(game.get_legal_moves(player))
    best = -math.inf
    for move in game.get_legal_moves()[:3]:
        best = max(best, -depth(game.forecast_move(move), player, left - 1))
    return best


def maybe(game: Any, player: Any) -> Any:  # noqa: RET503 - the end is reached
    place = game.get_player_location(player)
    if place is not None and place[0] > 2:
        return place


@trap
def calls(game: Any, player: Any) -> Any:
    mobility = len(game.get_legal_moves(player))
    return scaled(mobility) + scaled(mobility, 3) + scaled(factor=0.1, value=mobility, offset=1)


@trap
def recursion(game: Any, player: Any) -> Any:
    return depth(game, player, 2)


@trap
def a_heuristic_that_calls_itself(game: Any, player: Any) -> Any:
    if player == game.active_player:
        return 1 + a_heuristic_that_calls_itself(game, game.get_opponent(player))
    return len(game.get_legal_moves(player))


@trap
def a_function_that_may_return_none(game: Any, player: Any) -> Any:
    place = maybe(game, player)
    return -1 if place is None else place[1]


@trap
def closures_are_bound_late(game: Any, player: Any) -> Any:
    factor = 2

    def times(value: Any) -> Any:
        return value * factor

    first = times(3)
    factor = len(game.get_legal_moves(player))
    return first + times(3) + (lambda value, by=factor: value - by)(10)


@trap
def functions_are_values(game: Any, player: Any) -> Any:
    def best(score: Any) -> Any:
        return max((score(move) for move in game.get_legal_moves(player)), default=0)

    return best(lambda move: move[0]) * 100 + best(lambda move: move[1] * 2)


@trap
def variables_of_an_outer_function(game: Any, player: Any) -> Any:
    count = 0

    def added(by: Any) -> Any:
        nonlocal count
        count += by
        return count

    return added(2) + added(len(game.get_legal_moves(player))) * 100 + count * 1000


@trap
def a_try_that_raises(game: Any, player: Any) -> Any:
    try:
        value = 1 / len(game.get_legal_moves(player))
    except ZeroDivisionError:
        value = -1
    return value


@trap
def what_is_raised(game: Any, player: Any) -> Any:
    if game.move_count > 8:
        raise ValueError("late")
    return game.move_count


@trap
def texts_are_passed_over(game: Any, player: Any) -> Any:
    """A text is of no use."""
    row = game.move_count
    direction = "up" if row > 3 else "down"  # noqa: F841 - nobody reads it
    mode = "wide"
    more = 3 if mode == "wide" else 5
    return row + more


MAY_BAIL = {a_try_that_raises, a_float_is_no_move}


@pytest.mark.parametrize("heuristic", TRAPS)
def test_control_is_that_of_python(heuristic: Any) -> None:
    agree(heuristic, bails=heuristic in MAY_BAIL)


# ---- what is refused, in words


def prints(game: Any, player: Any) -> Any:
    print(game.move_count)
    return 1


def writes_a_global(game: Any, player: Any) -> Any:
    global FACTOR
    FACTOR = game.move_count
    return FACTOR


def asks_the_player(game: Any, player: Any) -> Any:
    return player.search_depth


def returns_a_pair(game: Any, player: Any) -> Any:
    return (1, 2)


def yields_in_a_variable(game: Any, player: Any) -> Any:
    numbers = (x for x in range(3))
    return sum(numbers) + sum(numbers)


@pytest.mark.parametrize(
    ("heuristic", "lines", "words"),
    [
        (prints, 1, "leave it out"),
        (writes_a_global, 1, "pass it as an argument"),
        (asks_the_player, 1, "search_depth"),
        (returns_a_pair, 1, "return a number"),
        (yields_in_a_variable, 1, "make a list"),
    ],
)
def test_a_refusal_says_where_and_what_to_write(heuristic: Any, lines: int, words: str) -> None:
    refused = refusal(heuristic)
    assert refused.line == heuristic.__code__.co_firstlineno + lines
    assert words in str(refused)
