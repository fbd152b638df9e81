"""Sorting, each against CPython: stable, by keys, backwards, and by tuples."""

from typing import Any

import pytest

from tests.python.compiled.agreement import agree, refusal

SORTS: list[Any] = []


def sorts(function: Any) -> Any:
    SORTS.append(function)
    return function


def told(moves: Any) -> Any:
    """A number that tells an order."""
    total = 0
    for place, (row, column) in enumerate(moves):
        total += (place + 1) * (row * 13 + column)
    return total


@sorts
def moves_as_they_are(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    return told(sorted(moves)) + 3 * told(moves) + 7 * told(sorted(moves, reverse=True))


@sorts
def stable_by_a_key(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    by_row = sorted(moves, key=lambda move: move[0])
    return told(by_row) + 5 * told(sorted(moves, key=lambda move: move[0] % 2, reverse=True))


@sorts
def by_tuples_and_floats(game: Any, player: Any) -> Any:
    moves = game.get_blank_spaces()
    middle = (game.height / 2, game.width / 2)
    distant = sorted(moves, key=lambda at: (abs(at[0] - middle[0]), -((at[1] - middle[1]) ** 2)))
    return told(distant) + 5 * told(sorted(moves, key=lambda at: -0.0 if at[0] % 2 else 0.0))


@sorts
def in_its_place(game: Any, player: Any) -> Any:
    moves = game.get_legal_moves(player)
    alias = moves
    moves.sort(key=lambda move: len(game.__get_moves__(move)), reverse=True)
    numbers = [row * column % 5 for row, column in alias]
    numbers.sort()
    rest: Any = []
    rest.sort()
    return told(alias) + sum(place * number for place, number in enumerate(numbers)) + len(rest)


@sorts
def the_best_first(game: Any, player: Any) -> Any:
    scores = sorted(((row * column) / 3, column, row) for row, column in game.get_legal_moves(player))
    best = scores[-1] if scores else (0.5, 0, 0)
    return best[0] + best[1] * 10 + sum(row for _, _, row in scores[:3])


@sorts
def what_is_sorted_of_a_set(game: Any, player: Any) -> Any:
    rows = sorted({row for row, _ in game.get_legal_moves(player)})
    return told(sorted(set(game.get_legal_moves(player)))) + sum(n * row for n, row in enumerate(rows))


@sorts
def some_numbers_are_floats(game: Any, player: Any) -> Any:
    numbers = [row / 2 if row % 2 else row for row, _ in game.get_legal_moves(player)]
    return sum(place * number for place, number in enumerate(sorted(numbers, reverse=True)))


@pytest.mark.parametrize("function", SORTS)
def test_sorting_is_as_in_python(function: Any) -> None:
    agree(function)


def test_a_list_is_empty_while_it_is_sorted() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        moves = game.get_legal_moves(player)
        moves.sort(key=lambda move: len(moves) * move[0] + move[1])
        return told(moves)

    agree(heuristic)


def test_equal_items_of_a_set_have_no_order() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        return told(sorted(set(game.get_legal_moves(player)), key=lambda move: move[0]))

    assert "set" in refusal(heuristic).message


def test_what_is_no_number_is_no_key() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        boards: Any = [game.forecast_move(move) for move in game.get_legal_moves(player)]
        return len(sorted(boards))

    assert refusal(heuristic).construct == "sort"


def test_a_key_that_changes_what_is_sorted() -> None:
    def heuristic(game: Any, player: Any) -> Any:
        moves = game.get_legal_moves(player)
        grown = sorted(moves, key=lambda move: moves.append(move) or move[0])
        return len(grown) + len(moves)

    assert refusal(heuristic).construct == "sort"
