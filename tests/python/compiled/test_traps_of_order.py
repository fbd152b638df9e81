"""Orders, the board's own state, boards that change, and sums of floats, each against CPython."""

import math
from typing import Any

import pytest

from isolation_fast.compiled import functions
from tests.python.compiled.agreement import agree, refusal

TRAPS: list[Any] = []


def trap(function: Any) -> Any:
    TRAPS.append(function)
    return function


@trap
def lists_of_three_ways(game: Any, player: Any) -> Any:
    blank, turn = game.get_blank_spaces(), game.move_count % 3
    rows, columns = [], []
    if turn == 1:
        rows = [cell for cell in blank if cell[0] > 1]
    elif turn == 2:
        rows = [cell for cell in blank if cell[0] < 2]
    if turn == 0:
        columns = [cell for cell in blank if cell[1] > 1]
    elif turn == 1:
        columns = [cell for cell in blank if cell[1] < 2]
    return len(rows) + 100 * len(columns)


@trap
def extremes_of_tuples(game: Any, player: Any) -> Any:
    least = [max(move) for move in game.get_legal_moves(player)]
    largest = max((5, 2, game.move_count, 7.5), key=lambda item: -item)
    place = game.get_player_location(player) or (3, 1)
    return min(least, default=9) + 10 * max(place) + 100 * min(place, default=3) + 1_000 * largest


@trap
def functions_given_to_themselves(game: Any, player: Any) -> Any:
    rows = [[1, 5, 2], [3, 4, game.move_count], [0, 0, 1]]
    largest = 100 * max(map(max, rows)) + 10 * min(map(max, rows)) + sum(map(sum, rows))
    truths = any(map(any, rows)) + 2 * all(map(any, rows)) + 4 * any(map(all, rows))
    by_key = max(rows, key=max)[0] + 3 * min(rows, key=sum)[2]
    return 100 * largest + 10 * truths + by_key + sum(row[0] for row in map(sorted, map(sorted, rows)))


@trap
def one_decides_and_another_raises(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    return any(1 / row > 0.2 for row, _ in moves) + all(3 % column for _, column in moves)


@trap
def the_last_value_of_a_name(game: Any, player: Any) -> Any:
    last = (9, 9)
    count = len([move for move in game.get_legal_moves(player) if (last := move)])
    return count + 10 * last[0] + 100 * last[1]


@trap
def a_test_that_changes_something(game: Any, player: Any) -> Any:
    seen: Any = []
    kept = [move for move in game.get_legal_moves(player) if not seen.append(move)]
    return len(kept) + sum((place + 1) * row for place, (row, _) in enumerate(seen))


def noted(seen: Any, move: Any) -> Any:
    """Large enough to be a function of the program."""
    row, column = move
    for number in range(row):
        if number > column and row - column > 7 and number * row > 100:
            seen.append((number, number))
    if row + column > 50 or row * column > 1000 or row - column > 60:
        seen.append((row, column))
    seen.append((row, column))
    return True


@trap
def functions_that_change_something(game: Any, player: Any) -> Any:
    seen: Any = []
    count = len([move for move in game.get_legal_moves(player) if noted(seen, move)])
    count += len([move for move in game.get_legal_moves(game.get_opponent(player)) if noted(seen, move)])
    return count + sum((place + 1) * row for place, (row, _) in enumerate(seen))


@trap
def integers_added_to_a_float(game: Any, player: Any) -> Any:
    return sum((row + 2 * column for row, column in game.get_legal_moves(player)), 1e16)


@trap
def the_first_of_equal_keys(game: Any, player: Any) -> Any:
    rows = [row for row, _ in game.get_legal_moves(player)]
    best = max((row for row, _ in game.get_legal_moves(player)), key=lambda row: row % 2, default=0)
    return best + 10 * min(rows or [5], key=lambda row: row // 3)


@trap
def pairs_among_moves(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    moves.append((9, -9))
    moves += [(3, 4), (0, 0)]
    return sum(place * row - column for place, (row, column) in enumerate(moves)) + ((9, -9) in moves)


@trap
def moves_of_both(game: Any, player: Any) -> Any:
    both = game.get_legal_moves(player) + game.get_legal_moves(game.get_opponent(player))
    return len(both) + sum(place * row for place, (row, _) in enumerate(both)) + both.count((0, 0))


@trap
def moves_of_moves(game: Any, player: Any) -> Any:
    every = [game.__get_moves__(move) for move in game.get_legal_moves(player)]
    flat: Any = sum(every, [])  # noqa: RUF017 - some write it so
    return len(flat) + sum(map(len, every)) + len([1 for moves in every if (0, 0) in moves])


@trap
def the_state(game: Any, player: Any) -> Any:
    state = game._board_state
    first = state[-1]
    cells = state[:-3]
    counts = sum(cells) + cells.count(0) * 100 + len(state)
    return counts + state[0] + (0 if first is None else first) + state[-3] * 0.5


@trap
def the_state_by_index(game: Any, player: Any) -> Any:
    row, column = game.get_player_location(player)
    second = game._board_state[-2]
    return game._board_state[row + column * game.height] + (second or 0) * 10


@trap
def counts_in_the_state(game: Any, player: Any) -> Any:
    return game._board_state.count(1) * 100 + game._board_state.count(0)


@trap
def a_name_is_deleted(game: Any, player: Any) -> Any:
    found = game.move_count
    if found > 8:
        del found
    return found


@trap
def a_distance(game: Any, player: Any) -> Any:
    place = game.get_player_location(player)
    return math.dist(place, (game.height / 2, game.width / 2)) + math.dist(place, (1, 1))


@trap
def the_early_places(game: Any, player: Any) -> Any:
    place = game.__last_player_move__[player]
    return 0 if place is None else place[0] * 10 + place[1]


@trap
def a_board_that_changes(game: Any, player: Any) -> Any:
    after = game.copy()
    before = len(after.get_legal_moves(player))
    for move in after.get_legal_moves():
        after.apply_move(move)
        break
    return before + 100 * len(after.get_legal_moves(player)) + after.move_count + after.is_loser(player)


@trap
def the_first_that_fits(game: Any, player: Any) -> Any:
    return next((row for row, column in game.get_legal_moves(player) if column > 2), -1.5)


@trap
def the_first_without_a_default(game: Any, player: Any) -> Any:
    return next(row * 10 + column for row, column in game.get_legal_moves(player))


def changes_the_board_itself(game: Any, player: Any) -> Any:
    game.apply_move((0, 0))
    return game.move_count


@pytest.mark.parametrize("heuristic", TRAPS)
def test_orders_are_those_of_python(heuristic: Any) -> None:
    # The memory of a run does not hold the lists of all cells of a large board.
    agree(heuristic, bails=heuristic is moves_of_moves)


def test_the_board_that_is_asked_about_is_not_changed() -> None:
    agree(changes_the_board_itself, bails=True)


def compensated(items: Any, start: Any = 0) -> Any:
    """`sum` as CPython has it since 3.12, for ints and then floats."""
    items = list(items)
    total = start
    while items and isinstance(total, int):
        total = total + items.pop(0)
    lost = 0.0
    for item in items:
        new = total + item
        lost += (total - new) + item if abs(total) >= abs(item) else (item - new) + total
        total = new
    return total + lost if lost and lost - lost == 0 else total


def shares(game: Any, player: Any) -> Any:
    return sum(0.1 * (row + 1) / (column + 3) for row, column in game.get_legal_moves(player))


def as_since_3_12(game: Any, player: Any) -> Any:
    return compensated(0.1 * (row + 1) / (column + 3) for row, column in game.get_legal_moves(player))


def large(game: Any, player: Any) -> Any:
    return sum([1e16, 1.0, -1e16, 0.1 * game.move_count]) + sum([0.1] * 10, 0.5) + sum([1e308, 1e308, 5.0])


def large_since_3_12(game: Any, player: Any) -> Any:
    tenths = compensated([0.1] * 10, 0.5)
    return compensated([1e16, 1.0, -1e16, 0.1 * game.move_count]) + tenths + compensated([1e308, 1e308, 5.0])


@pytest.mark.parametrize(("heuristic", "twin"), [(shares, as_since_3_12), (large, large_since_3_12)])
def test_sums_of_floats_make_up_for_rounding(
    monkeypatch: pytest.MonkeyPatch, heuristic: Any, twin: Any
) -> None:
    monkeypatch.setattr(functions, "COMPENSATED", True)
    agree(heuristic, as_python_has_it=twin)


def writes_into_the_state(game: Any, player: Any) -> Any:
    game._board_state[0] = 1
    return 1


def test_writing_into_the_state_is_refused() -> None:
    assert "indexed or changed" in str(refusal(writes_into_the_state))


SEEN: list[int] = []


def keeps_a_list(game: Any, player: Any) -> Any:
    SEEN.append(game.move_count)
    return len(SEEN)


def keeps_a_list_where_it_raises(game: Any, player: Any) -> Any:
    try:
        value = 1 / len(game.get_legal_moves(player))
    except ZeroDivisionError:
        SEEN.append(1)
        value = 0.0
    return value


def keeps_a_list_after_it_raised(game: Any, player: Any) -> Any:
    try:
        value = None + game.move_count
    except TypeError:
        value = 0
    SEEN.append(value)
    return value


def keeps_a_default(game: Any, player: Any, seen: Any = []) -> Any:  # noqa: B006 - some do so
    seen.append(game.move_count)
    return len(seen)


@pytest.mark.parametrize(
    "heuristic",
    [keeps_a_list, keeps_a_list_where_it_raises, keeps_a_list_after_it_raised, keeps_a_default],
)
def test_what_outlives_the_call_is_not_changed(heuristic: Any) -> None:
    assert "outlives the call" in str(refusal(heuristic))


def copied(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    kept = list(moves)
    return len(kept) * 10 + (moves[0][0] if moves else 0)


def filtered(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    low = [move for move in moves if move[0] > 2]
    return len(low) * 100 + (moves[0][0] if moves else 0) + ((3, 3) in low)


def copied_by_a_comprehension(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    total = 0
    for row, column in [move for move in moves]:  # noqa: C416 - so students write
        total = total * 3 % 1_009 + row * 2 + column
    return total + len(moves[1:])


def copied_in_turn(game: Any, player: Any) -> Any:
    moves = game.get_blank_spaces()
    one = moves.copy()
    two = list(one)
    three = moves[:]
    two.sort()
    if three:
        three.pop()
    at = two.index((3, 3)) if (3, 3) in two else 7
    return at + 100 * len(one) + 3 * (one[0][0] if one else 5) + len(three) + (two[-1][1] if two else 2)


def copied_from_a_tuple(game: Any, player: Any) -> Any:
    both = (game.get_legal_moves(player), list(game.get_blank_spaces()))
    blanks = list(both[1])
    free = [move for move in both[0] if move in blanks]
    return len(blanks) * 3 + len(free) + (both[0][0][1] if free else 0)


def filtered_twice(game: Any, player: Any) -> Any:
    best = game.get_legal_moves(player)
    for move in list(best):
        after = [each for each in game.forecast_move(move).get_legal_moves(player) if each in best]
        if len(after) > 1:
            best = list(after)
    return best[0][0] * 3 + len(best) if best else -7


def first_row(moves: Any) -> Any:
    return moves[0][0] if moves else -1


def copied_for_others(game: Any, player: Any) -> Any:
    every = list(game.get_legal_moves(player))
    right = [move for move in every if move[1] < 4]
    return first_row(right) * 100 + len(every) + len(set(right))


@pytest.mark.parametrize(
    "heuristic",
    [
        copied,
        filtered,
        copied_by_a_comprehension,
        copied_in_turn,
        copied_from_a_tuple,
        filtered_twice,
        copied_for_others,
    ],
)
def test_copies_of_moves_compile_whoever_asks_for_their_order(heuristic: Any) -> None:
    agree(heuristic, bails=True)
