"""The classic text, character by character, and the picture, on both boards."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from isolation_fast import InvalidArgumentError, reference

SVG = "{http://www.w3.org/2000/svg}"


def played(board_class: Any, *moves: tuple[int, int], **size: int) -> Any:
    board = board_class("Ann", "Ben", **size)
    for move in moves:
        board.apply_move(move)
    return board


def picture(board: Any, **options: int) -> ElementTree.Element:
    return ElementTree.fromstring(board.to_svg(**options))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if each.get("class") == name]


def test_the_text_of_a_board_is_the_classic_one(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 2), (2, 1), width=3, height=3)
    assert board.to_string() == (
        "     0   1   2\n\r0  | - |   |   | \n\r1  |   |   | 2 | \n\r2  |   | 1 |   | \n\r"
    )


def test_row_numbers_widen_the_margin_and_column_numbers_do_not_align(board_class: Any) -> None:
    lines = played(board_class, (10, 10), width=12, height=11).to_string().split("\n\r")
    assert lines[0] == "      0   1   2   3   4   5   6   7   8   9   10   11"
    assert lines[1] == "0   | " + "  | " * 12
    assert lines[11] == "10  | " + "  | " * 10 + "1 |   | "
    assert lines[12] == ""


def test_symbols_can_be_chosen(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 1), width=2, height=2)
    text = "     0   1\n\r0  | A |   | \n\r1  |   | BB | \n\r"
    assert board.to_string(["A", "BB"]) == board.to_string(symbols=("A", "BB")) == text


def test_a_shared_cell_shows_player_1(board_class: Any) -> None:
    assert "| 1 |" in played(board_class, (0, 0), (0, 0), width=2, height=1).to_string()


def test_a_location_on_a_blank_cell_is_not_shown(board_class: Any) -> None:
    board = played(board_class, (0, 0), width=2, height=1)
    board._board_state[0] = 0
    assert board.to_string() == "     0   1\n\r0  |   |   | \n\r"


def test_printing_and_the_old_name_give_the_same_text(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 1))
    assert str(board) == board.print_board() == board.to_string()


@pytest.mark.parametrize("size", [(7, 7), (5, 4), (1, 9), (11, 9)])
def test_the_picture_has_a_cell_for_each_cell(board_class: Any, size: tuple[int, int]) -> None:
    board = played(board_class, (0, 0), (3, 0), width=size[0], height=size[1])
    root = picture(board)
    assert len(of_class(root, "blocked")) == 2
    assert len(of_class(root, "blank")) == size[0] * size[1] - 2


def test_the_picture_dots_the_legal_moves_of_the_side_to_move(board_class: Any) -> None:
    assert len(of_class(picture(played(board_class, (3, 3), (0, 0))), "move")) == 8
    assert len(of_class(picture(played(board_class, (3, 3), (0, 0), (1, 2))), "move")) == 1
    assert len(of_class(picture(played(board_class, (3, 3))), "move")) == 48


def test_the_picture_shows_both_knights_with_their_numbers(board_class: Any) -> None:
    root = picture(played(board_class, (3, 3), (0, 0)))
    labels = {name: of_class(root, name)[0].find(f"{SVG}text") for name in ("knight-1", "knight-2")}
    assert {name: label.text for name, label in labels.items() if label is not None} == {
        "knight-1": "1",
        "knight-2": "2",
    }


def test_knights_on_one_cell_stand_apart(board_class: Any) -> None:
    root = picture(played(board_class, (3, 3), (3, 3)))
    places = {of_class(root, name)[0].get("transform") for name in ("knight-1", "knight-2")}
    assert len(places) == 2


def test_the_picture_says_in_words_what_it_shows(board_class: Any) -> None:
    root = picture(played(board_class, (3, 2)))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert title is not None
    assert description is not None
    assert title.text == root.get("aria-label") == "Isolation, 7 columns by 7 rows, player 2 to move"
    assert description.text == (
        "Player 1 stands in row 3, column 2. Player 2 is not placed. "
        "Blocked cells: 1. Legal moves, dotted: 48."
    )


def test_rows_and_columns_are_labelled_and_the_side_to_move_is_named(board_class: Any) -> None:
    texts = [each.text for each in picture(played(board_class, width=3, height=2)).iter(f"{SVG}text")]
    assert texts == ["0", "1", "2", "0", "1", "player 1 to move"]


@pytest.mark.parametrize(("width", "height"), [(7, 7), (20, 3), (2, 20)])
def test_the_size_is_that_of_the_longer_side(board_class: Any, width: int, height: int) -> None:
    root = picture(played(board_class, width=width, height=height), size=500)
    assert max(float(root.get("width", 0)), float(root.get("height", 0))) == 500


def test_the_picture_touches_nothing_of_the_page_that_shows_it(board_class: Any) -> None:
    svg = played(board_class, (3, 3))._repr_svg_()
    assert svg == played(board_class, (3, 3)).to_svg()
    assert not re.search(r"<style|<script|\bid=|href|url\(", svg)


def test_the_picture_brings_its_own_background(board_class: Any) -> None:
    root = picture(board_class("Ann", "Ben"))
    background = next(root.iter(f"{SVG}rect"))
    box = root.get("viewBox", "").split()
    assert [background.get("width"), background.get("height")] == box[2:]
    assert background.get("fill", "none") not in ("none", "transparent")


@pytest.mark.parametrize("size", [0, -5])
def test_a_picture_has_a_size(board_class: Any, size: int) -> None:
    with pytest.raises(InvalidArgumentError, match=f"size must be an integer of at least 1, not {size}"):
        board_class().to_svg(size=size)


@pytest.mark.parametrize("size", [2.5, "100", None, float("nan")])
def test_a_size_is_an_integer(size: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="size must be an integer of at least 1, not"):
        reference.Board().to_svg(size=size)
