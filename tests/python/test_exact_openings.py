"""The table of openings of 7 by 7: it says what a search finds, and nothing of other positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import TypeAlias

import pytest

from isolation_fast import Board, PerfectPlayer, annotate, solve
from isolation_fast.tournament import Match

Cell: TypeAlias = tuple[int, int]

TABLE = Path(__file__).parents[2] / "rust" / "core" / "src" / "exact" / "openings.txt"
CELLS = list(product(range(7), range(7)))
FEWEST = 43
"""The blank cells of the latest openings in the table."""


def board_of(cells: list[Cell]) -> Board:
    """The knight to move, the other one, and other cells that are blocked."""
    rows = ("".join("x" if (row, column) in cells else "1" for column in range(7)) for row in range(7))
    text = "/".join(rows)
    for run in range(7, 1, -1):
        text = text.replace("1" * run, str(run))
    (row, column), (other_row, other_column), *_ = cells
    return Board.from_text(f"7x7 {text} {row},{column} {other_row},{other_column} 1")


def strange_openings() -> Iterator[Board]:
    """The lines of the table."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        yield board_of([(int(cell[0]), int(cell[1])) for cell in line.split()])


def random_opening(stream: random.Random, blank: int) -> Board:
    while True:
        board = Board()
        while len(board.get_blank_spaces()) > blank and board.get_legal_moves():
            board.apply_move(stream.choice(sorted(board.get_legal_moves())))
        if len(board.get_blank_spaces()) == blank:
            return board


def assert_as_searched(board: Board) -> None:
    found = solve(board, moves=False)
    assert (found.nodes, found.looked_up) == (0, True)
    searched = solve(board, moves=False, table=False)
    assert (found.outcome, searched.looked_up) == (searched.outcome, False), board.to_text()


def place(board: Board, player: str) -> Cell:
    found = board.get_player_location(player)
    assert found is not None
    return found


def of_one_colour(board: Board) -> bool:
    return (sum(place(board, "player 1")) + sum(place(board, "player 2"))) % 2 == 0


def test_the_table_says_what_a_search_finds() -> None:
    stream = random.Random(3)
    boards = [random_opening(stream, blank) for blank in range(FEWEST, 48) for _ in range(5)]
    for board in [*boards, *stream.sample([*strange_openings()], 10)]:
        assert_as_searched(board)


@pytest.mark.slow
def test_the_table_says_what_a_search_finds_of_most_openings() -> None:
    for cells in permutations(CELLS, 2):
        if cells[0] in [(row, column) for row in range(4) for column in range(row, 4)]:
            assert_as_searched(board_of([*cells]))
    stream = random.Random(4)
    for _, blank in product(range(1000), range(FEWEST, 47)):
        assert_as_searched(random_opening(stream, blank))


def test_each_line_of_the_table_is_searched_once_and_not_as_the_colours_say() -> None:
    boards = [*strange_openings()]
    assert len({board.to_text() for board in boards}) == len(boards)
    for board in boards:
        found = solve(board, moves=False)
        assert found.nodes == 0
        assert (found.outcome == "win") != of_one_colour(board), board.to_text()


@pytest.mark.slow
def test_each_line_of_the_table_is_as_a_search_finds() -> None:
    for board in strange_openings():
        assert_as_searched(board)


def test_an_opening_is_won_if_and_only_if_a_move_leaves_a_lost_one() -> None:
    stream = random.Random(5)
    boards = [random_opening(stream, blank) for blank in range(FEWEST + 1, 48) for _ in range(100)]
    for board in [Board(), *boards, *strange_openings()]:
        outcome, graded = solve(board, moves=False).outcome, solve(board)
        if len(board.get_blank_spaces()) > FEWEST:
            after = [solve(board.forecast_move(each.move), moves=False).outcome for each in graded.moves]
            assert [each.outcome for each in graded.moves] == [
                {"win": "loss", "loss": "win"}[each] for each in after
            ]
            assert graded.nodes == 0
        assert graded.outcome == outcome == ("win" if graded.winning_moves else "loss")


def test_placements_are_known_too() -> None:
    empty = solve(Board(), line=True)
    assert (empty.outcome, empty.winning_moves) == ("loss", ())
    replies = {cell: len(solve(Board().forecast_move(cell)).winning_moves) for cell in CELLS}
    assert replies[3, 3] == 16
    assert {replies[cell] for cell in ((0, 1), (0, 3), (1, 2), (2, 3))} == {25}
    assert {replies[cell] for cell in ((0, 0), (0, 2), (1, 1), (1, 3), (2, 2))} == {24}


def test_turned_openings_have_the_same_winner() -> None:
    for board in strange_openings():
        knights = [place(board, "player 1"), place(board, "player 2")]
        left = {*CELLS} - {*board.get_blank_spaces(), *knights}
        cells = [*knights, *left]
        for turned in (
            [(6 - row, column) for row, column in cells],
            [(column, 6 - row) for row, column in cells],
            [(6 - column, 6 - row) for row, column in cells],
        ):
            assert solve(board_of(turned), moves=False).outcome == solve(board, moves=False).outcome


@pytest.mark.parametrize(
    "text",
    [
        "7x7 7/7/3x3/7/4x2/7/7 - - 1",
        "7x7 7/7/3x3/7/7/7/7 - - 1",
        "7x7 x6/7/3x3/7/4x2/7/7 2,3 4,4 1",  # no move leads there
        "7x7 7/2x4/7/x2x3/7/7/7 1,2 3,3 1",
        "7x6 7/7/3x3/7/4x2/7 2,3 4,4 1",
    ],
)
def test_nothing_is_known_of_other_boards(text: str) -> None:
    assert solve(Board.from_text(text), nodes=100).nodes > 0


def test_without_the_table_openings_take_nodes() -> None:
    board = Board().forecast_move((0, 0)).forecast_move((0, 1))
    known, searched = solve(board), solve(board, table=False, nodes=1000)
    assert (known.outcome, known.nodes) == ("loss", 0)
    assert (searched.outcome, searched.nodes) == ("unknown", 1000)


def test_moves_of_an_opening_are_judged_at_no_node() -> None:
    annotation = annotate([(3, 3), (2, 1), (4, 5), (0, 2)])
    assert [each.verdict for each in annotation.moves] == [
        "could not help",
        "threw away",
        "kept",
        "could not help",
    ]
    assert annotation.winner == 1


def test_the_perfect_player_wins_an_opening_at_no_node() -> None:
    player = PerfectPlayer(nodes=10)
    for board in (Board().forecast_move((3, 3)), board_of([(0, 0), (2, 2)])):
        move = player.get_move(board, lambda: 1e9)
        assert solve(board.forecast_move(move), moves=False).outcome == "loss"
    assert (player.report, player.searched_nodes) == (None, 0)


def test_the_perfect_player_searches_a_lost_opening_with_all_its_nodes() -> None:
    player = PerfectPlayer(nodes=100)
    player.get_move(board_of([(0, 0), (2, 3)]), lambda: 1e9)
    assert player.report is not None
    assert player.searched_nodes == player.report.nodes == 100


def test_a_perfect_player_takes_part_in_tournaments() -> None:
    result = Match("Perfect@nodes=5000", "Random", games=4, seed=1).run()
    [score] = result.player("Perfect@nodes=5000").scores
    assert score.rate == 1
