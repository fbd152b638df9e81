"""Heuristics in which a compiler easily goes wrong, one trap each: test_traps.py compares them with CPython.

They are written as people write them, not as this project's code: each is read for its text.
"""

import math
from math import sqrt

NAN = float("nan")
WEIGHTS = [3, 1, 4, 1, 5]
CORNERS = ((0, 0), (0, 6), (6, 0), (6, 6))


def own(game, player):
    return len(game.get_legal_moves(player))


def other(game, player):
    return len(game.get_legal_moves(game.get_opponent(player)))


# ---- what Python raises, or computes beyond 64 bits


def integers_beyond_64_bits(game, player):
    big = 2**62 + game.move_count
    return (big + big) % 1009 + (big * 3) // 7 % 11 - abs(-(2**63) - own(game, player)) % 5


def the_smallest_integer(game, player):
    low = -(2**63) + own(game, player)
    return (low // -1) % 1000 + abs(low) % 1000 + (-low) % 1000


def integers_beyond_2_to_53_in_a_quotient(game, player):
    return (2**53 + 1 + own(game, player)) / 3 + (2**62 + own(game, player)) / (2**61 - 1)


def integers_beyond_2_to_53_against_floats(game, player):
    whole = 2**53 + own(game, player)
    return (
        1.0 * (whole == 2.0**53 + 1)
        + 2.0 * (whole > 2.0**53)
        + 4.0 * (2.0**53 + 2 <= whole)
        + min(whole, 2.0**53 + 4)
    )


def a_large_integer_becomes_a_float(game, player):
    return float(2**53 + 1 + 2 * own(game, player)) + (2**60 + own(game, player)) * 0.5


def division_by_zero(game, player):
    return own(game, player) / other(game, player) + own(game, player) // (other(game, player) - 1)


def remainder_by_zero(game, player):
    return own(game, player) % other(game, player) + 7.5 % (other(game, player) - 1.0)


def an_index_beyond_a_list(game, player):
    return WEIGHTS[own(game, player)] + WEIGHTS[-other(game, player)]


def unpacking_none(game, player):
    row, column = game.get_player_location(player)
    return row - column


def an_index_of_none(game, player):
    return game.get_player_location(player)[0] + game.get_player_location(game.get_opponent(player))[1]


def a_name_that_may_be_unbound(game, player):
    for move in game.get_legal_moves(player):
        value = move[0]
    return value


def a_name_bound_in_one_branch(game, player):
    if own(game, player) > 2:
        value = 1.5
    return value


def a_deleted_name(game, player):
    value = own(game, player)
    if value > 3:
        del value
    return value


def the_domain_of_sqrt(game, player):
    return math.sqrt(own(game, player) - 2) + sqrt(own(game, player) - 1.5)


def the_domain_of_log(game, player):
    return math.log(own(game, player)) + math.log(own(game, player) + 1, 2) + math.log10(other(game, player))


def overflow_of_exp(game, player):
    return math.exp(100 * own(game, player)) * 1e-300


def overflow_of_powers(game, player):
    return 10.0 ** (50 * own(game, player)) + 1.5 ** own(game, player)


def the_integer_of_an_infinity(game, player):
    best = float("-inf")
    for move in game.get_legal_moves(player):
        best = max(best, move[0])
    return int(best) + round(best) + math.floor(best)


def a_negative_float_to_a_fraction(game, player):
    return (own(game, player) - 2.5) ** 0.5


def zero_to_a_negative_power(game, player):
    return float(own(game, player) - 2) ** -1 + (own(game, player) - 3) ** -1.0


def integers_to_negative_integers(game, player):
    return (own(game, player) + 1) ** (2 - own(game, player)) + 2**-1


def integers_to_large_powers(game, player):
    return (own(game, player) + 2) ** 40 % 1000003 + (-3) ** own(game, player)


def nothing_to_choose_from(game, player):
    return max(move[0] for move in game.get_legal_moves(player)) + min([m[1] for m in game.get_legal_moves()])


def nothing_to_choose_from_but_a_default(game, player):
    return max((move[0] for move in game.get_legal_moves(player)), default=-2.5)


def popping_from_an_empty_list(game, player):
    moves = game.get_legal_moves(player)
    return moves.pop()[0] - moves.pop(0)[1]


def removing_what_is_not_there(game, player):
    values = [1, 2, 3]
    values.remove(own(game, player))
    return values[0] + 10 * values.index(other(game, player) % 4)


def a_key_that_is_not_there(game, player):
    return {0: 5, 2: 7.5, 3: 1}[own(game, player)]


def a_shift_by_a_negative_number(game, player):
    return (1 << own(game, player)) + (100 >> (own(game, player) - 1))


def a_shift_beyond_64_bits(game, player):
    return (1 << (20 * own(game, player))) % 1000003 + (-5 >> 70) + (5 >> 64)


def a_forecast_off_the_board(game, player):
    return own(game.forecast_move((own(game, player) - 1, 2)), player)


def none_compared(game, player):
    return 1.0 if game.get_player_location(player) < (3, 3) else 2.0


def none_added(game, player):
    best = None
    for move in game.get_legal_moves(player):
        if best is None or move > best:
            best = move
    return best[0] * 2 + best[1]


def a_long_loop(game, player):
    total = 0
    for step in range(300 * own(game, player) ** 2):
        total += step % 7
    return total


def much_memory(game, player):
    values = [step for step in range(2000 * own(game, player))]
    return len(values) + values[-1]


def a_deep_recursion(game, player):
    def down(depth):
        return 0 if depth == 0 else 1 + down(depth - 1)

    return down(20 * own(game, player))


def a_raise(game, player):
    if own(game, player) == 3:
        raise ValueError("three")
    return 1.0


def an_assertion(game, player):
    assert other(game, player) < 5, "too many"
    return other(game, player)


def a_try_that_is_needed(game, player):
    try:
        return own(game, player) / other(game, player)
    except ZeroDivisionError:
        return float("inf")


def a_finally(game, player):
    value = 0
    try:
        value += WEIGHTS[own(game, player)]
    except IndexError:
        value -= 7
    else:
        value *= 2
    finally:
        value += 100
    return value


def a_return_that_finally_overrules(game, player):
    for move in game.get_legal_moves(player):
        try:
            if move[0] > 3:
                return move[0]
        finally:
            if move[1] > 4:
                return -1.0
    return 0.5


# ---- numbers


def signs_of_integer_division(game, player):
    gap = own(game, player) - other(game, player)
    return (gap // 3) + 10 * (gap % 3) + 100 * (gap // -3) + 1000 * (gap % -3) + 10000 * divmod(gap, -2)[1]


def signs_of_float_division(game, player):
    gap = own(game, player) - other(game, player) + 0.5
    return gap // 0.7 + 10 * (gap % 0.7) + 100 * (gap // -0.7) + 1000 * (gap % -0.7)


def the_zero_of_a_remainder(game, player):
    gap = float(own(game, player) - other(game, player))
    return (
        math.copysign(1.0, gap % -2.0)
        + 3 * math.copysign(1.0, gap % 2.0)
        + 9 * math.copysign(1.0, gap // 8.0)
    )


def the_remainder_by_infinity(game, player):
    gap = own(game, player) - other(game, player)
    return gap % float("inf") + math.fmod(gap, 3) - gap // 1e308


def rounding_to_even(game, player):
    half = own(game, player) + 0.5
    return round(half) + 10 * round(-half) + 100 * round(other(game, player) / 2) + 1000 * round(half - 2)


def rounding_to_places(game, player):
    return (
        round(own(game, player) / 7, 2)
        + round(2.675 + own(game, player), 2)
        + round(own(game, player) * 15, -1)
    )


def zero_over_a_negative_number(game, player):
    return (own(game, player) - own(game, player)) / -5


def zero_times_a_negative_number(game, player):
    return (own(game, player) * 0) * -1.5


def the_sign_of_a_negated_zero(game, player):
    gap = own(game, player) - other(game, player)
    return -gap + 0.0 if gap else -(gap * 1.0)


def an_int_or_a_float_that_is_zero(game, player):
    value = 0
    if own(game, player) > other(game, player):
        value = 0.5
    return -value


def an_int_or_a_float_beyond_2_to_53(game, player):
    value = 0.5 if own(game, player) == 2 else 2
    return value + (2**53 - 1) + 1


def an_int_or_a_float_in_a_loop(game, player):
    total = 0
    for row, column in game.get_legal_moves(player):
        if row > column:
            total = total - row * 1.0
        else:
            total = column * 0
    return -total * 1


def the_first_of_equals(game, player):
    gap = own(game, player) - own(game, player)
    return (
        -1.0 * max(gap, -0.0)
        + -1.0 * min(-0.0, gap) * 3
        + math.copysign(1, max(0.0, -0.0))
        + max(1, 1.0, True)
    )


def nan_in_min_and_max(game, player):
    return (
        (max(NAN, own(game, player)) != max(NAN, 1))
        + 2.0 * max(own(game, player), NAN)
        + 5 * min(1.5, NAN, 0.5)
    )


def nan_in_comparisons(game, player):
    value = NAN if own(game, player) > 2 else 1.0
    return (value < 1) + 2 * (value >= 1) + 4 * (not value < 1) + 8 * (value == value) + 16 * (value != value)


def nan_is_in_its_list(game, player):
    value = NAN
    return (value in [value, 1.0]) + 2 * (value == value) + 4 * ([value] == [value]) + own(game, player)


def nan_in_conditions(game, player):
    value = NAN
    while not value > 1:
        value = own(game, player) + 2
    return 1.0 if value else 2.0


def nan_in_sorting(game, player):
    return sorted([3.0, NAN, 1.0, own(game, player)])[0]


def infinities(game, player):
    best = float("-inf")
    worst = float("inf")
    return 1.0 if best < -own(game, player) < worst and best + 1 == best and worst > 10**18 else 0.0


def the_difference_of_infinities(game, player):
    best = float("inf") if other(game, player) < 3 else 0.0
    return best - (float("inf") if own(game, player) < 3 else 1.0)


def squares_by_power(game, player):
    value = (own(game, player) + 0.1234567890123) / 3
    return value**2 + (value + 1 / 3) ** 2.0 + value**3


def roots_by_power(game, player):
    value = own(game, player) + 1 / 7
    return value**0.5 - math.sqrt(value) + value**1.5


def minus_before_a_power(game, player):
    return -(2**2) + -(own(game, player) ** 2) + (-own(game, player)) ** 2 + 2**3**2


def powers_of_zero(game, player):
    return (
        0 ** own(game, player)
        + 0.0 ** own(game, player)
        + (own(game, player) - 3) ** 0
        + math.pow(0, own(game, player))
    )


def true_as_a_number(game, player):
    many = own(game, player) > 2
    return (
        many + many * 2 + (many << 3) + -many + sum([many, True]) + WEIGHTS[many] + many / 2 + (True == 1.0)
    )


def not_as_a_number(game, player):
    return (
        (not own(game, player)) * 10
        + 5 * (own(game, player) > other(game, player))
        - ~(own(game, player) > 1)
    )


def sums_of_floats(game, player):
    return sum([0.1] * 10) + sum(0.1 * move[0] for move in game.get_legal_moves(player)) - 1


def sums_that_cancel(game, player):
    return sum([1e16, 1.0 * own(game, player), -1e16]) + sum([0.1, 0.2, 0.3], 0.0)


def sums_of_ints_then_floats(game, player):
    return sum([2**52, 1, 0.5]) + sum([own(game, player), 0.1, 2, 0.2, True])


def a_sum_with_a_start(game, player):
    return sum([1, 2, 3], own(game, player)) + sum([], 0.5) + sum((m[0] for m in game.get_legal_moves()), -3)


def the_zero_of_an_empty_sum(game, player):
    return -1.0 * sum([m[0] * -0.0 for m in game.get_legal_moves(player)])


def hypotenuses(game, player):
    row, column = game.get_player_location(player) or (0, 0)
    return math.hypot(row - 3.0, column - 3.0) + math.hypot(row / 3, column / 7) + math.hypot(row)


def truncation(game, player):
    value = (own(game, player) - other(game, player)) / 2
    return (
        int(value)
        + 10 * math.floor(value)
        + 100 * math.ceil(value)
        + 1000 * math.trunc(value)
        + 10000 * int(-0.5)
    )


def integers_from_large_floats(game, player):
    return int(1e18 * own(game, player)) % 1009 + int(2.0**62) % 1009


def the_functions_of_math(game, player):
    value = own(game, player) / 7 + 0.01
    return (
        math.sin(value)
        + math.cos(value)
        + math.tan(value)
        + math.atan2(value, 2)
        + math.log(value)
        + math.exp(value)
    )


# ---- conditions and names


def chained_comparisons(game, player):
    low = other(game, player)
    return (
        (1 < own(game, player) <= low)
        + 2 * (low > 1 < own(game, player) != 4)
        + 4 * (0 == low < own(game, player))
    )


def the_middle_of_a_chain_is_asked_once(game, player):
    values = [own(game, player), 2, 5, 1]
    return (0 <= values.pop() < values.pop() <= 5) + 10 * len(values)


def and_and_or_as_values(game, player):
    mine, theirs = own(game, player), other(game, player)
    return (
        (mine or -1.5)
        + (theirs and 2.5) * 10
        + ((mine > 2 and mine) or theirs) * 100
        + (mine and theirs or 0.5)
    )


def or_with_a_location(game, player):
    row, column = game.get_player_location(player) or (game.height // 2, -game.width)
    return row * 100 + column


def a_cell_at_the_origin_is_true(game, player):
    count = 0
    for cell in game.get_blank_spaces():
        if cell:
            count += 1
    return count if (0, 0) else -1


def comparisons_of_tuples(game, player):
    best = (-1, 0)
    for move in game.get_legal_moves(player):
        if (move[1], -move[0]) > best:
            best = (move[1], -move[0])
    return best[0] + 0.01 * best[1]


def none_is_equal_to_nothing(game, player):
    mine, theirs = game.get_player_location(player), game.get_player_location(game.get_opponent(player))
    return (
        (mine == theirs)
        + 2 * (mine is None)
        + 4 * (theirs != None)
        + 8 * (mine == (0, 0))
        + 16 * (mine in [theirs])
    )


def a_shadowed_builtin(game, player):
    def len(values):
        return 100

    max = min
    return len(game.get_legal_moves(player)) + max(own(game, player), 3)


def a_shadowed_builtin_of_the_module(game, player):
    return pow(-2) + sum([own(game, player), 1])


def pow(value):
    return value * 3


def the_scope_of_a_comprehension(game, player):
    move = 5
    rows = [move for move, _ in game.get_legal_moves(player)]
    return move + len(rows) + sum(move for move in range(3)) + move


def the_variable_after_a_loop(game, player):
    step = -1
    for step in range(own(game, player)):
        pass
    return step


def else_of_a_loop(game, player):
    total = 0
    for row, column in game.get_legal_moves(player):
        if row == 3:
            break
        total += 1
    else:
        total += 100
    while total > 102:
        total -= 1
        if total == 103:
            break
    else:
        total += 0.5
    return total


def continue_in_a_loop_with_else(game, player):
    total = 0
    for row, column in game.get_legal_moves(player):
        if row % 2:
            continue
        for step in range(column):
            if step > 2:
                break
            total += step
        else:
            total -= 1
            continue
        total += 10
    return total


def closures_are_bound_late(game, player):
    weight = 1
    count = lambda: weight * own(game, player)
    weight = 7
    adders = [lambda value: value + step for step in range(3)]
    return count() + adders[0](10) + adders[1](100)


def closures_in_a_loop(game, player):
    total = 0
    tests = []
    for row, column in game.get_legal_moves(player):
        tests.append(lambda value: value + row)
    for test in tests:
        total += test(1)
    return total


def defaults_are_bound_early(game, player):
    weight = 2

    def scaled(value, factor=weight, *, shift=weight + 1):
        return value * factor + shift

    weight = 50
    return scaled(own(game, player)) + scaled(1, 3) + scaled(1, shift=0.5) + scaled(factor=2, value=4)


def a_default_that_changes(game, player):
    def seen(value, values=[]):
        values.append(value)
        return len(values)

    return seen(1) + seen(2) + own(game, player)


def a_variable_of_the_outer_function(game, player):
    count = 0

    def note(value):
        nonlocal count
        count += value
        return count

    return note(own(game, player)) * 10 + note(2) + count


def stars(game, player):
    def total(first, *rest, scale=2):
        return first + scale * sum(rest) + len(rest)

    location = game.get_player_location(player) or (1, 2)
    return total(*location) + total(1) + total(1, *[2, 3], scale=0.5)


def a_swap(game, player):
    mine, theirs = own(game, player), other(game, player)
    mine, theirs = theirs, mine + theirs
    values = [mine, theirs]
    values[0], values[1] = values[1], values[0]
    return values[0] - 10 * values[1]


def an_index_that_is_assigned_first(game, player):
    values = [0, 0, 0, 0]
    place = 1
    place, values[place] = 2, 5
    return values[1] * 10 + values[2] + place + own(game, player)


def a_walrus(game, player):
    if (count := own(game, player)) > 2 and (rest := count - 2):
        return count * 10 + rest
    return -count


# ---- lists, sets, dicts


def a_list_that_grows_while_it_is_walked(game, player):
    values = [own(game, player)]
    for value in values:
        if value > 0 and len(values) < 20:
            values.append(value - 1)
            values.append(value - 3)
    return len(values) + values[-1]


def a_list_that_shrinks_while_it_is_walked(game, player):
    moves = game.get_legal_moves(player)
    for move in moves:
        moves.remove(move)
    return len(moves) + sum(row for row, _ in moves) / 100


def two_names_of_one_list(game, player):
    values = [1, 2]
    same = values
    same.append(own(game, player))
    same += [7]
    other_list = values + [1]
    other_list[0] = 50
    return sum(values) + len(values) + values[0]


def one_list_in_a_list_twice(game, player):
    rows = [[0] * 3] * 2
    rows[0][1] = own(game, player)
    apart = [[0] * 3 for _ in range(2)]
    apart[0][1] = 5
    return rows[1][1] * 10 + apart[1][1]


def a_list_changed_by_a_function(game, player):
    def add(values, value):
        values.append(value)
        values = [100]
        return values

    values = [own(game, player)]
    return sum(add(values, 3)) + sum(values)


def a_list_of_the_module_is_copied(game, player):
    values = WEIGHTS[:]
    values.append(own(game, player))
    values[0] = -1
    return sum(values) + len(WEIGHTS) + WEIGHTS[0]


def the_list_of_moves_is_new_each_time(game, player):
    moves = game.get_legal_moves(player)
    moves.append((0, 0))
    return len(moves) * 100 + own(game, player)


def negative_indices_and_slices(game, player):
    values = list(range(own(game, player) + 2))
    return (
        values[-1]
        + 10 * values[-2]
        + sum(values[1:-1])
        + len(values[-3:])
        + len(values[5:2])
        + sum(values[:100])
    )


def slices_with_steps(game, player):
    values = list(range(own(game, player) + 4))
    return values[::2][-1] + 10 * values[::-1][1] + 100 * len(values[4:0:-2]) + len(values[-1:0:-3])


def sorting_is_stable(game, player):
    pairs = [(row % 2, column) for row, column in sorted(game.get_blank_spaces())]
    up = sorted(pairs, key=lambda pair: pair[0])
    down = sorted(pairs, key=lambda pair: pair[0], reverse=True)
    return sum(place * pair[1] for place, pair in enumerate(up)) - sum(
        place * pair[1] for place, pair in enumerate(down)
    )


def the_first_of_equal_moves(game, player):
    moves = game.get_legal_moves(player)
    if not moves:
        return -1
    best = max(moves, key=lambda move: move[0] % 2)
    worst = min(moves, key=lambda move: move[1] // 3)
    return best[0] * 10 + best[1] + worst[0] / 10 + worst[1] / 100


def a_set_that_is_walked(game, player):
    total = 0.0
    for place, cell in enumerate(set(game.get_legal_moves(player))):
        total += place * (cell[0] + 0.1 * cell[1])
    return total


def a_set_that_is_counted(game, player):
    mine, theirs = set(game.get_legal_moves(player)), set(game.get_legal_moves(game.get_opponent(player)))
    return len(mine & theirs) + 10 * len(mine | theirs) + 100 * len(mine - theirs) + 1000 * len(mine ^ theirs)


def a_sum_over_a_set_of_floats(game, player):
    return sum({0.1 * row + 0.01 * column for row, column in game.get_blank_spaces()})


def cells_off_the_board_in_a_set(game, player):
    cells = {(row + 2, column - 1) for row, column in game.get_legal_moves(player)}
    cells.add((-1, 50))
    return len(cells) + ((-1, 50) in cells) * 10


def equal_keys_of_different_types(game, player):
    values = {1: 5, 1.0: 7, True: own(game, player), 0: 1}
    return len(values) + values[1] * 10 + len({0.0, -0.0, 0, False})


def the_order_of_a_dict(game, player):
    seen = {}
    for row, column in game.get_legal_moves(player):
        seen[row] = seen.get(row, 0) + column
    total = 0
    for place, (key, value) in enumerate(seen.items()):
        total += place * key + value / 10
    return total


def a_flood(game, player):
    start = game.get_player_location(player)
    if start is None:
        return 0.25
    known = {start}
    edge = [start]
    depth = 0
    while edge:
        depth += 1
        beyond = []
        for row, column in edge:
            for down, right in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
                cell = (row + down, column + right)
                if cell not in known and game.move_is_legal(cell):
                    known.add(cell)
                    beyond.append(cell)
        edge = beyond
    return len(known) + depth / 10


# ---- boards


def the_order_of_moves(game, player):
    return sum(
        (place + 1) * (row * 7 + column) for place, (row, column) in enumerate(game.get_legal_moves(player))
    )


def the_first_move(game, player):
    moves = game.get_legal_moves(player)
    return moves[0][0] * 10 + moves[0][1] - moves[-1][0] if moves else 0.5


def the_order_after_a_forecast(game, player):
    total = 0
    for move in game.get_legal_moves():
        for place, (row, column) in enumerate(game.forecast_move(move).get_legal_moves()[:5]):
            total += (place + 1) * (row - 2 * column)
    return total


def the_order_of_blank_cells(game, player):
    return sum(place * row - column for place, (row, column) in enumerate(game.get_blank_spaces()))


def a_forecast_to_any_cell(game, player):
    blank = game.get_blank_spaces()
    if not blank:
        return -0.5
    after = game.forecast_move(blank[len(blank) // 2])
    return (
        own(after, player) * 100
        + other(after, player) * 10
        + after.move_count
        + (after.active_player == player)
    )


def a_forecast_onto_a_player(game, player):
    cell = game.get_player_location(player)
    if cell is None:
        return 3
    after = game.forecast_move(cell)
    return own(after, player) + 10 * other(after, player) + 100 * len(after.get_blank_spaces())


def a_copy_that_is_played_on(game, player):
    after = game.copy()
    for move in game.get_legal_moves():
        after.apply_move(move)
        if not after.get_legal_moves():
            break
    return own(after, player) + 10 * own(game, player) + 100 * after.move_count


def a_copy_has_two_names(game, player):
    after = game.copy()
    same = after
    if game.get_legal_moves():
        same.apply_move(game.get_legal_moves()[0])
    return (
        len(after.get_blank_spaces())
        - len(game.get_blank_spaces())
        + (after.active_player == game.active_player)
    )


def the_board_itself_is_played_on(game, player):
    if game.get_legal_moves():
        game.apply_move(game.get_legal_moves()[0])
    return own(game, player) + 10 * game.move_count


def cells_off_the_board(game, player):
    return (
        game.move_is_legal((-1, -1))
        + game.move_is_legal((own(game, player), 7)) * 2
        + game.move_is_legal((0, -7)) * 4
    )


def moves_from_any_cell(game, player):
    row, column = game.get_player_location(player) or (2, 2)
    moves = game._Board__get_moves((column, row)) if column < game.height and row < game.width else []
    return len(moves) * 10 + (moves[0][0] if moves else 0.5)


def who_won(game, player):
    if game.is_winner(player):
        return float("inf")
    if game.is_loser(player):
        return float("-inf")
    return game.utility(player) + own(game, player) - 0.5 * other(game, player)


def whose_turn_it_is(game, player):
    turn = 1 if game.active_player == player else -1
    return (
        turn * own(game, player)
        + (game.inactive_player is player) * 0.5
        + (player != game.get_opponent(player))
    )


def printed_corners(game, player):
    return sum(move in CORNERS for move in game.get_legal_moves(player)) + own(game, player) * 0.1


def a_tree_of_forecasts(game, player):
    def value(board, depth):
        if depth == 0 or board.is_winner(player) or board.is_loser(player):
            return own(board, player) - 0.75 * other(board, player)
        values = [value(board.forecast_move(move), depth - 1) for move in board.get_legal_moves()[:4]]
        return max(values) if board.active_player == player else min(values)

    return value(game, 2)
