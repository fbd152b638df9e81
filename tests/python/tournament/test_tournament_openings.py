"""Openings: positions by index, the same for the same seed, checked before any game is played."""

import pickle
import random
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolation_fast import (
    Board,
    InvalidArgumentError,
    InvalidBoardError,
    IsolationError,
    reference,
    solve,
)
from isolation_fast.tournament.openings import (
    AllOpenings,
    BalancedOpenings,
    FileOpenings,
    HookOpenings,
    Openings,
    RandomOpenings,
)

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
OTHER = "7x7 x6/6x/7/7/7/7/7 0,0 1,6 2"
SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda size: size != (1, 1))


def texts(openings: Openings) -> list[str]:
    return [openings[index] for index in range(len(openings))]


def hook(index: int, stream: Random) -> Board:
    board = Board(width=5, height=4)
    board.apply_move((0, index % 5))
    board.apply_move(stream.choice(board.get_legal_moves()))
    return board


def written(folder: Path, text: str) -> Path:
    file = folder / "openings.txt"
    file.write_text(text, encoding="utf-8")
    return file


def given_openings(folder: Path) -> list[Openings]:
    return [
        AllOpenings(3, 4),
        RandomOpenings(9, seed=3),
        RandomOpenings(9, seed=3, width=30, height=20),
        BalancedOpenings(10, seed=3),
        FileOpenings(written(folder, f"{START}\n{OTHER}")),
        HookOpenings(hook, 4, seed=2),
    ]


@given(SIZES)
@settings(max_examples=20, deadline=None)
def test_all_openings_are_each_placement_once_in_natural_order(size: tuple[int, int]) -> None:
    width, height = size
    cells = [(row, column) for column in range(width) for row in range(height)]
    expected = []
    for first in cells:
        for second in cells:
            if first != second:
                board = reference.Board(width=width, height=height)
                board.apply_move(first)
                board.apply_move(second)
                expected.append(board.to_text())
    assert texts(AllOpenings(width, height)) == expected


def test_a_7x7_board_has_2352_openings() -> None:
    assert len(AllOpenings()) == len(set(texts(AllOpenings()))) == 2352


@given(SIZES, st.integers(), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_more_random_openings_begin_with_the_same_ones(size: tuple[int, int], seed: int, count: int) -> None:
    few, many = RandomOpenings(count, seed, *size), RandomOpenings(2 * count, seed, *size)
    assert texts(many)[:count] == texts(few)


def test_no_random_opening_comes_twice_before_all_have_come_once() -> None:
    openings = RandomOpenings(3 * 56, 5, 2, 4)
    rounds = [texts(openings)[start : start + 56] for start in (0, 56, 112)]
    assert all(sorted(each) == sorted(texts(AllOpenings(2, 4))) for each in rounds)
    assert rounds[0] != rounds[1] != rounds[2]


def test_another_seed_gives_other_openings() -> None:
    assert texts(RandomOpenings(20, 1)) != texts(RandomOpenings(20, 2))


def test_random_openings_stay_what_they_are() -> None:
    # Results of a seed are compared between versions and machines.
    assert texts(RandomOpenings(2, 1)) == [
        "7x7 7/7/3x3/7/6x/7/7 4,6 2,3 1",
        "7x7 2x4/7/7/7/7/7/5x1 6,5 0,2 1",
    ]
    large = "20x20 20/20/20/20/20/20/20/20/20/7x12/20/20/20/20/20/20/20/6x13/20/20 17,6 9,7 1"
    assert texts(RandomOpenings(1, 1, 20, 20)) == [large]


def test_random_openings_are_spread_evenly_on_large_boards_too() -> None:
    boards = [Board.from_text(text) for text in texts(RandomOpenings(2000, 7, 20, 20))]
    rows = [board.get_player_location("player 1")[0] for board in boards]  # type: ignore[index]
    assert all(60 <= rows.count(row) <= 140 for row in range(20))


def test_openings_of_large_boards_are_positions_with_two_knights() -> None:
    for text in texts(RandomOpenings(50, 7, 30, 20)):
        board = Board.from_text(text)
        assert (board.width, board.height, len(board.get_blank_spaces()), board.to_text()) == (
            30,
            20,
            598,
            text,
        )


def test_openings_can_be_pickled_and_are_equal_then(tmp_path: Path) -> None:
    for openings in given_openings(tmp_path):
        copied = pickle.loads(pickle.dumps(openings))
        assert copied == openings
        assert copied.described() == openings.described()
        assert texts(copied) == texts(openings)


def test_there_is_none_beyond_the_last(tmp_path: Path) -> None:
    for openings in given_openings(tmp_path):
        assert openings[-1] == openings[len(openings) - 1]
        for place in (len(openings), -len(openings) - 1):
            with pytest.raises(IndexError, match=f"there are {len(openings)} openings"):
                openings[place]


def test_a_description_tells_openings_apart_and_has_no_path(tmp_path: Path) -> None:
    described = [str(openings.described()) for openings in given_openings(tmp_path)]
    assert len(set(described)) == len(described)
    assert not any(str(tmp_path) in each or "openings.txt" in each for each in described)
    (tmp_path / "sub").mkdir()
    elsewhere = FileOpenings(written(tmp_path / "sub", f"# the same\n\n {START}  # first\r\n{OTHER}\n"))
    assert elsewhere.described() == FileOpenings(written(tmp_path, f"{START}\n{OTHER}")).described()
    assert elsewhere.described() != FileOpenings(written(tmp_path, f"{OTHER}\n{START}")).described()


def test_positions_of_a_file_are_kept_as_we_write_them(tmp_path: Path) -> None:
    file = written(tmp_path, "\ufeff# two of them\n07x7  7/2x4/7/3x3/7/7/7 1,02 3,3 1\n\n" + OTHER)
    assert texts(FileOpenings(file)) == [START, OTHER]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{START}\n\n7x7 nothing", 'openings.txt:3: "7x7 nothing" is not a position: it has 2 fields'),
        (f"# 5\n{START}\n5x5 5/5/5/5/5 - - 1", "openings.txt:3: the board is 5x5, but 7x7 at"),
        (f"{START}\n3x3 3/1x1/x2 1,1 2,0 1", "openings.txt:2: the board is 3x3"),
        ("3x3 3/1x1/x2 1,1 2,0 1", "openings.txt:1: the game is over"),
        ("# nothing\n", "has no position"),
        ("", "has no position"),
    ],
)
def test_a_file_that_will_not_do_says_in_which_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(IsolationError) as caught:
        FileOpenings(written(tmp_path, text))
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cannot be read: No such file"):
        FileOpenings(tmp_path / "nowhere.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidArgumentError, match="is no text in UTF-8"):
        FileOpenings(tmp_path / "binary")


def test_a_hook_is_asked_for_each_index_with_a_stream_of_its_own() -> None:
    asked: list[tuple[int, float]] = []

    def noted(index: int, stream: Random) -> str:
        asked.append((index, stream.random()))
        return START

    openings = HookOpenings(noted, 3, seed=1)
    assert [index for index, _ in asked] == [0, 1, 2]
    assert len({drawn for _, drawn in asked}) == 3
    assert texts(openings) == [START] * 3
    assert len(asked) == 3  # it is asked once
    first = list(asked)
    HookOpenings(noted, 5, seed=1)
    assert asked[3:6] == first
    HookOpenings(noted, 1, seed=2)
    assert asked[-1][1] != first[0][1]


def test_a_hook_may_answer_boards_of_both_kinds_and_texts() -> None:
    answers = [Board.from_text(START), reference.Board.from_text(START), START]
    assert texts(HookOpenings(lambda index, _: answers[index], 3)) == [START] * 3


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (None, TypeError, "a hook for openings returns a Board or its text, not None"),
        ("nothing", IsolationError, 'opening 0 of the hook: "nothing" is not a position'),
        ("3x3 3/1x1/x2 1,1 2,0 1", InvalidArgumentError, "opening 0 of the hook: the game is over"),
    ],
)
def test_what_a_hook_answers_is_checked(answer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        HookOpenings(lambda *_: answer, 2)
    assert message in str(caught.value)


def test_an_exception_of_a_hook_comes_out_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        HookOpenings(lambda index, _: START if index < 2 else str(1 // 0), 3)


def test_making_openings_leaves_the_random_numbers_of_the_script_alone(tmp_path: Path) -> None:
    random.seed(1)
    state = random.getstate()
    for openings in given_openings(tmp_path):
        texts(openings)
    assert random.getstate() == state


@pytest.mark.parametrize("count", [0, -1, True, 2.0, "9", None])
def test_the_number_of_openings_is_a_positive_integer(count: Any) -> None:
    for make in (RandomOpenings, lambda number: HookOpenings(hook, number)):
        with pytest.raises(InvalidArgumentError, match="the number of openings must be an integer"):
            make(count)


@pytest.mark.parametrize("seed", [True, 1.0, "1", None])
def test_a_seed_is_an_integer(seed: Any) -> None:
    for make in (lambda: RandomOpenings(5, seed), lambda: HookOpenings(hook, 5, seed=seed)):
        with pytest.raises(TypeError, match="seed must be an integer"):
            make()


def test_a_board_needs_room_for_both_knights() -> None:
    for make in (AllOpenings, lambda *size: RandomOpenings(5, 0, *size)):
        with pytest.raises(InvalidArgumentError, match="the second knight has no room"):
            make(1, 1)
        with pytest.raises(InvalidArgumentError, match="width must be an integer of at least 1, not 0"):
            make(0, 5)
        with pytest.raises(InvalidBoardError):
            make(10**5, 10**5)


@pytest.mark.parametrize(("width", "height"), [(4, 5), (5, 5), (3, 3)])
def test_balanced_openings_are_won_by_each_player_in_turn(width: int, height: int) -> None:
    # More than there are with one winner: they come again.
    openings = BalancedOpenings(4 * width * height * (width * height - 1), 4, width, height)
    drawn = texts(openings)
    for winner, expected in enumerate(("win", "loss")):
        of_winner = drawn[winner::2]
        different = [*dict.fromkeys(of_winner)]
        assert {solve(Board.from_text(each)).outcome for each in different} == {expected}
        assert different == of_winner[: len(different)]
        assert sorted(different) == sorted(of_winner[len(different) : 2 * len(different)])
    assert {*drawn} == {*texts(AllOpenings(width, height))}
    assert drawn[:10] == texts(BalancedOpenings(10, 4, width, height))
    assert drawn[:10] != texts(BalancedOpenings(10, 5, width, height))


def test_balanced_openings_of_the_classic_board_are_by_the_colours() -> None:
    openings = BalancedOpenings(2400, seed=1)
    drawn = texts(openings)
    assert (len({*drawn[0::2]}), len({*drawn[1::2]})) == (1160, 1192)
    assert {*drawn} == {*texts(AllOpenings(7, 7))}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "the number of balanced openings must be even, not 3"),
        ((0,), "the number of openings must be an integer of at least 2, not 0"),
        ((2, 0, 9, 9), "balanced openings are for boards to 64 cells, not 9x9"),
        ((2, 0, 2, 2), "on 2x2 player 2 wins all openings, so none are balanced"),
    ],
)
def test_openings_that_cannot_be_balanced_are_refused(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"^{re.escape(message)}"):
        BalancedOpenings(*arguments)
