"""Dicts, each against CPython: keys, their order, and what changes them."""

from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

DICTS: list[Any] = []
REFUSED: list[Any] = []
VALUES = {(0, 0): 0.25, (3, 3): 1.0, (1, 2): 0.75, (2, 1): 0.5}
MOVES = {1: [(1, 2), (2, 1)], 2: [], True: [(5, 5)]}  # noqa: F601 - they are equal


def dicts(function: Any) -> Any:
    DICTS.append(function)
    return function


def refused(function: Any) -> Any:
    REFUSED.append(function)
    return function


@dicts
def a_table_of_the_module(game: Any, player: Any) -> Any:
    total = sum(VALUES[move] for move in game.get_legal_moves(player) if move in VALUES)
    place = game.get_player_location(player)
    worth = 7.5 if place is None else VALUES.get(place, 7)
    return total + worth + sum(VALUES.get(move, 0.125) for move in game.get_legal_moves())


@dicts
def lists_in_a_table(game: Any, player: Any) -> Any:
    rows = MOVES.get(game.move_count % 4, [])
    return len(rows) + 10 * len(MOVES) + sum(row for row, _ in rows) + 100 * (2 in MOVES) * len(MOVES[1])


@dicts
def counted_by_row(game: Any, player: Any) -> Any:
    counts: Any = {}
    for row, column in game.get_legal_moves(player):
        counts[row] = counts.get(row, 0) + 1
        counts[column % 2 == 1] = column
    alias = counts
    alias[-1] = 5
    alias[-1] += 2
    total = sum(place * key * value for place, (key, value) in enumerate(counts.items()))
    return total + len(alias) + (100 if counts else 0) + max(counts.values()) + sum(counts)


@dicts
def moves_and_their_worth(game: Any, player: Any) -> Any:
    worth = {move: len(game.__get_moves__(move)) / 3 for move in game.get_legal_moves(player)}
    if not worth:
        return -1
    best = max(worth, key=worth.get)  # type: ignore[arg-type] # it is there
    least = min(worth.items(), key=lambda item: (item[1], item[0]))
    return worth[best] + best[0] * 10 + least[0][1] * 100 + ((9, 9) in worth) + list(worth.keys())[-1][1]


@dicts
def lists_by_key(game: Any, player: Any) -> Any:
    rows: Any = dict()  # noqa: C408 - some write it so
    for row, column in game.get_legal_moves(player):
        rows.setdefault(row, []).append(column)
    kept = rows.copy()
    rows[77] = []
    return (
        len(kept) + 10 * len(rows) + sum(key * len(columns) + sum(columns) for key, columns in kept.items())
    )


@dicts
def equal_keys(game: Any, player: Any) -> Any:
    table = {1: 5, True: 7, game.move_count: 9}  # noqa: F601 - they are equal
    first = list(table)[0]  # noqa: RUF015 - some write it so
    return table[1] + 10 * len(table) + 100 * first + table.get(game.width, 0)


@dicts
def a_key_that_may_be_missing(game: Any, player: Any) -> Any:
    return {0: 1.5, 1: 2.5, 3: 4.5}[game.move_count % 4]


@pytest.mark.parametrize("function", DICTS)
def test_dicts_are_as_in_python(function: Any) -> None:
    agree(function)


def test_a_dict_that_grows_while_it_is_walked_is_left_to_python() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        table: Any = {row: column for row, column in game.get_legal_moves(player) if row >= 0}
        for key in table:
            table[key % 3] = key
        return sum(key * value for key, value in table.items())

    agree(heuristic)


@refused
def keys_that_are_floats(game: Any, player: Any) -> Any:
    return len({row / 2: column for row, column in game.get_legal_moves(player)})


@refused
def values_of_different_types(game: Any, player: Any) -> Any:
    table: Any = {1: 2, 3: (4, 5)}
    return len(table) + table[1]


@refused
def a_dict_of_the_module_that_is_changed(game: Any, player: Any) -> Any:
    VALUES[game.width, 0] = 1.0
    return len(VALUES)


@refused
def dicts_that_are_compared(game: Any, player: Any) -> Any:
    return {1: game.width} == {1: game.height}


@refused
def keys_in_the_order_of_a_set(game: Any, player: Any) -> Any:
    return sum(n * row for n, (row, _) in enumerate({move: move[0] for move in set(game.get_legal_moves())}))


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_left_to_python(function: Any) -> None:
    assert refusal(function).message
