"""Sets, each against CPython: whatever the order of a set decides is left to Python."""

from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

AGREEING: list[Any] = []
REFUSED: list[Any] = []
CORNERS = {(0, 0), (0, 6), (6, 0), (6, 6)}
RING = frozenset({1, 5})


def agreeing(function: Any) -> Any:
    AGREEING.append(function)
    return function


def refused(function: Any) -> Any:
    REFUSED.append(function)
    return function


@agreeing
def sets_of_moves(game: Any, player: Any) -> Any:
    own, other = set(game.get_legal_moves(player)), set(game.get_legal_moves(game.get_opponent(player)))
    every = len(own | other) + 10 * len(own & other) + 100 * len(own - other) + 1000 * len(own ^ other)
    return every + (((0, 0) in own) + (own.isdisjoint(other))) * 10000 + (1 if own else 2)


@agreeing
def sets_of_what_follows(game: Any, player: Any) -> Any:
    branches = set(game.get_legal_moves(player))
    twigs = set(sum([game.__get_moves__(branch) for branch in branches], []))  # noqa: RUF017 - some write it so
    rest: Any = twigs - branches
    return float(len(twigs) + 100 * len(rest) + sum(row * column for row, column in twigs))


@agreeing
def sets_with_pairs_in_them(game: Any, player: Any) -> Any:
    edge = []
    for index in range(1, game.width, 2):
        for other in [0, game.width - 1]:
            edge.append((index, other))
            edge.append((other, index))
    common = list(set(edge) & set(game.get_legal_moves(player)))
    return float(len(common)) + len(set(edge) | set(game.get_legal_moves(player))) / 64 + len(set(edge))


@agreeing
def a_set_that_is_changed(game: Any, player: Any) -> Any:
    seen: Any = set()
    alias = seen
    for row, column in game.get_legal_moves(player):
        seen.add(row + column)
        alias.add(row % 3)
        seen.discard(4)
    alias |= {100, 101}
    alias -= {101, 3}
    before = len(seen)
    seen &= {0, 1, 2, 3, 100}
    seen.update([row for row, _ in game.get_legal_moves()])
    return len(alias) + 10 * before + 100 * sum(seen) + 1000 * (100 in alias) + 10000 * (seen is not None)


@agreeing
def a_set_of_moves_that_is_changed(game: Any, player: Any) -> Any:
    moves = set(game.get_legal_moves(player))
    alias, copied = moves, moves.copy()
    moves.add((0, 0))
    moves.add((-3, 9))
    moves.discard((1, 2))
    return len(alias) + 10 * len(copied) + 100 * ((0, 0) in alias) + 1000 * ((-3, 9) in copied)


@agreeing
def comprehensions_of_sets(game: Any, player: Any) -> Any:
    rows = {row for row, _ in game.get_legal_moves(player)}
    near = {(row + 1, column) for row, column in game.get_blank_spaces() if row < 3}
    pairs = {(one, other) for one in rows for other in rows if one != other}
    return len(rows) + 10 * len(near) + 100 * len(pairs) + 1000 * len([row for row in rows if row > 2])


@agreeing
def sets_of_the_module(game: Any, player: Any) -> Any:
    corners = sum(1 for move in game.get_legal_moves(player) if move in CORNERS)
    ring = len([1 for row, column in game.get_legal_moves() if row in RING and column not in RING])
    return corners + 10 * ring + 100 * len(CORNERS & set(game.get_blank_spaces())) + 1000 * sum(RING)


@agreeing
def sets_written_out(game: Any, player: Any) -> Any:
    count = 0
    for row, column in game.get_legal_moves(player):
        count += row in {0, game.height - 1} or column in {0, 0, game.width - 1}  # noqa: B033 - a set has it once
        count += 10 * len({row, column, 1, True})  # noqa: B033 - they are equal
    return count + 100 * len({(0, 1), (1, 0), (0, 1)}) + 1000 * (game.get_player_location(player) in CORNERS)


@agreeing
def order_blind_reductions(game: Any, player: Any) -> Any:
    moves = set(game.get_legal_moves(player))
    rows = {row for row, _ in moves}
    least = min(rows) + max(rows) if rows else -1
    return least + 10 * any(row == 3 for row, _ in moves) + 100 * all(column for _, column in moves)


@agreeing
def lists_of_sets(game: Any, player: Any) -> Any:
    listed = list(set(game.get_legal_moves(player)))
    again = list(listed)
    return len(listed) + 10 * ((0, 0) in again) + 100 * len([move for move in again if move[0] > 1])


@agreeing
def sets_through_a_helper(game: Any, player: Any) -> Any:
    def reach(moves: Any, more: Any) -> Any:
        moves.update(more)
        return moves if len(moves) > 3 else set(more)

    found = reach(set(game.get_legal_moves(player)), game.get_legal_moves())
    return len(found) + sum(row for row, _ in found) / 2


@pytest.mark.parametrize("function", AGREEING)
def test_sets_are_as_in_python(function: Any) -> None:
    # Sums of lists spend the memory of a run where a player may go anywhere.
    agree(function, bails=function is sets_of_what_follows)


def test_none_in_a_set_is_left_to_python() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        start = game.get_player_location(player)
        seen = {start} | set(game.get_legal_moves(player))
        steps = {start: 0, (-1, -1): 3}
        steps[game.get_player_location(game.get_opponent(player))] = 5
        return len(seen) + 10 * len(steps) + steps[start]

    agree(heuristic, bails=True)


@refused
def a_set_as_a_list(game: Any, player: Any) -> Any:
    return list(set(game.get_legal_moves(player)))[0][0]  # noqa: RUF015 - some write it so


@refused
def a_slice_of_a_set(game: Any, player: Any) -> Any:
    return len(list(set(game.get_legal_moves(player)))[1:])


@refused
def a_loop_over_a_set(game: Any, player: Any) -> Any:
    last = 0
    for row, _ in set(game.get_legal_moves(player)):
        last = row
    return last


@refused
def floats_in_the_order_of_a_set(game: Any, player: Any) -> Any:
    return sum(row / 7 for row, _ in set(game.get_legal_moves(player)))


@refused
def the_best_of_a_set(game: Any, player: Any) -> Any:
    return max(set(game.get_legal_moves(player)), key=lambda move: move[0])[1]


@refused
def the_first_of_a_set(game: Any, player: Any) -> Any:
    return next((row for row, _ in set(game.get_legal_moves(player))), 0)


@refused
def the_numbers_of_a_set(game: Any, player: Any) -> Any:
    return sum(place * row for place, (row, _) in enumerate(set(game.get_legal_moves(player))))


@refused
def a_set_beside_a_list(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    return sum(one[0] * other[0] for one, other in zip(moves, list(set(moves)), strict=False))


@refused
def floats_in_a_set(game: Any, player: Any) -> Any:
    return len({row / 2 for row, _ in game.get_legal_moves(player)})


@refused
def a_set_of_the_module_that_is_changed(game: Any, player: Any) -> Any:
    CORNERS.add((game.width, 0))
    return len(CORNERS)


@refused
def a_changing_test_over_a_set(game: Any, player: Any) -> Any:
    seen: Any = []
    kept = [move for move in set(game.get_legal_moves(player)) if not seen.append(move)]
    return len(kept) + seen[0][0]


@agreeing
def a_set_that_its_own_items_look_at(game: Any, player: Any) -> Any:
    seen = set(game.get_legal_moves(player))
    seen.update((row + len(seen), column) for row, column in game.get_legal_moves())
    return len(seen)


@refused
def a_set_that_its_own_items_change(game: Any, player: Any) -> Any:
    seen: Any = {-1}
    return len(seen.union(row for row, _ in game.get_legal_moves(player) if not seen.add(row + 10)))


@pytest.mark.parametrize("function", REFUSED)
def test_what_asks_for_the_order_of_a_set_is_refused(function: Any) -> None:
    assert refusal(function).message


@pytest.mark.parametrize(
    "change",
    [lambda cells: cells.add((9, 9)), lambda cells: cells.update([(9, 9)]), lambda cells: cells.clear()],
)
def test_a_frozenset_that_is_changed_is_refused(change: Any) -> None:
    def changed(game: Any, player: Any) -> int:
        cells = frozenset(game.get_legal_moves(player))
        change(cells)
        return len(cells)

    def joined_in_place(game: Any, player: Any) -> int:
        cells = before = frozenset(game.get_legal_moves(player))
        cells |= {(9, 9)}
        return len(before)

    assert refusal(changed).message
    assert refusal(joined_in_place).message


@pytest.mark.parametrize(
    "made",
    [
        lambda cells: cells.copy(),
        lambda cells: cells | {(9, 9)},
        lambda cells: cells & {(0, 0), (1, 1)},
        lambda cells: RING - {1},
        lambda cells: RING.union([7]),
    ],
)
def test_what_is_made_of_a_frozenset_is_not_changed_either(made: Any) -> None:
    def changed(game: Any, player: Any) -> int:
        cells = made(frozenset(game.get_legal_moves(player)))
        cells.clear()
        return len(cells)

    def counted(game: Any, player: Any) -> int:
        cells = set(made(frozenset(game.get_legal_moves(player))))
        cells.clear()
        return len(made(frozenset(game.get_legal_moves(player)))) + len(cells)

    assert refusal(changed).message
    agree(counted)
