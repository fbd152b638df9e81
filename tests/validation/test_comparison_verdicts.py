"""From outcomes and endings to verdicts: what is the same, what is chance, what is declared, what differs."""

from typing import Any

import pytest

from isolation_fast import IllegalMoveError
from validation.matches import judge_endings
from validation.verdicts import Judgement, Outcome, judge_outcomes, raised, returned

OFF_THE_BOARD = raised(IllegalMoveError("move (-1, -1) is outside"), left_the_board=True)


def outcomes(*values: Any) -> list[Outcome]:
    made = (raised(each) if isinstance(each, BaseException) else each for each in values)
    return [each if isinstance(each, Outcome) else returned(each) for each in made]


def judged(
    classic: list[Any],
    ours: list[Any],
    again: Any = None,
    ordered: Any = None,
    repeated: Any = None,
    stands: bool = False,
) -> Judgement:
    """Unless told otherwise, the classic board gives the same each time, and what is random never again."""
    second, third = (outcomes(*(given or classic)) for given in (again, ordered))
    fourth = outcomes(*repeated) if repeated else [returned(object), *third[1:]]
    return judge_outcomes(
        outcomes(*classic), second, third, outcomes(*ours), lambda: fourth, lambda _: stands
    )


def test_equal_outcomes_are_the_same_values() -> None:
    found = judged([1.0, KeyError("a"), 2.0], [1.0, KeyError("b"), 2.0])
    assert (found.verdict, found.equal, found.exceptions, found.first) == ("same values", 3, 1, None)


def test_where_every_call_raises_the_types_are_named() -> None:
    found = judged([KeyError(), TypeError()], [KeyError(), TypeError()])
    assert (found.verdict, found.detail) == ("same exception types", "KeyError, TypeError")


def test_one_rounded_value_is_rounding() -> None:
    found = judged([1.0, 0.1 + 0.2], [1.0, 0.3])
    assert (found.verdict, found.equal, found.rounding, found.detail) == ("rounding only", 1, 1, "")


def test_rounding_that_goes_with_the_order_is_said() -> None:
    found = judged([1.0, 0.1 + 0.2], [1.0, 0.3], ordered=[1.0, 0.3])
    assert found.detail == "equal with moves and random numbers in one order"


def test_objects_that_show_nothing_are_not_comparable() -> None:
    assert judged([1.0, object()], [1.0, object()]).verdict == "not comparable"
    assert judged([1.0, object()], [2.0, object()]).verdict == "differs"


def test_a_difference_names_its_first_call() -> None:
    found = judged([1.0, 2.0, 3.0], [1.0, 5.0, 6.0])
    assert (found.verdict, found.first, found.equal) == ("differs", 1, 1)


@pytest.mark.parametrize(
    ("classic", "ours"), [(1.0, KeyError()), (KeyError(), 1.0), (KeyError(), IndexError())]
)
def test_an_exception_on_one_board_differs(classic: Any, ours: Any) -> None:
    assert judged([classic], [ours]).verdict == "differs"


def test_what_the_classic_board_does_not_repeat_is_random() -> None:
    assert judged([1.0], [3.0], again=[2.0], ordered=[4.0]).detail == ""
    assert judged([1.0], [3.0], again=[2.0], ordered=[4.0]).verdict == "random by itself"
    assert "in one order" in judged([1.0], [3.0], again=[2.0], ordered=[3.0]).detail


def test_what_the_classic_board_repeats_but_for_rounding_is_not_random() -> None:
    assert judged([0.1 + 0.2], [1.0], again=[0.3]).verdict == "differs"


def test_what_the_order_of_moves_changes_is_random() -> None:
    found = judged([0.0], [1e-16], ordered=[1e-16])
    assert (found.verdict, found.detail) == (
        "random by itself",
        "equal with moves and random numbers in one order",
    )


def test_a_difference_that_is_there_in_one_order_too_is_no_chance() -> None:
    found = judged([1.0, 2.0], [1.0, 5.0], again=[1.0, 3.0], ordered=[1.0, 4.0], repeated=[1.0, 4.0])
    assert (found.verdict, found.first, found.in_order) == ("differs", 1, True)
    assert found.detail == "with moves and random numbers in one order"


def test_a_move_off_the_board_in_one_order_is_declared() -> None:
    found = judged([1.0], [OFF_THE_BOARD], again=[2.0], ordered=[3.0], repeated=[3.0])
    assert (found.verdict, found.detail) == ("declared", "a move off the board")


def test_what_is_repeated_but_for_rounding_on_ours_is_chance() -> None:
    found = judged([1.0], [0.3], again=[2.0], ordered=[0.1 + 0.2], repeated=[0.1 + 0.2])
    assert (found.verdict, found.detail) == ("random by itself", "")


def test_a_random_call_excuses_no_other_one() -> None:
    random = {"again": [1.0, 3.0], "ordered": [1.0, 4.0], "repeated": [1.0, 6.0]}
    found = judged([1.0, 2.0], [9.0, 5.0], **random, stands=True)
    assert (found.verdict, found.first) == ("differs", 0)
    assert found.detail == "random by itself, but not in this call"
    assert judged([1.0, 2.0], [9.0, 5.0], **random, stands=False).verdict == "random by itself"
    assert judged([1.0, 2.0], [1.0, 5.0], **random, stands=True).verdict == "random by itself"


def test_chance_is_no_excuse_for_an_exception_that_only_ours_raises() -> None:
    found = judged([1.0, 2.0], [1.0, KeyError()], again=[3.0, 4.0])
    assert (found.verdict, found.first) == ("differs", 1)
    assert found.detail == "random by itself, but only ours raises KeyError"


def test_chance_is_no_excuse_for_an_exception_that_ours_never_raises() -> None:
    found = judged([1.0, KeyError()], [1.0, 2.0], again=[3.0, KeyError()])
    assert (found.verdict, found.first) == ("differs", 1)
    assert found.detail == "random by itself, but only the classic board raises KeyError"


def test_an_exception_that_comes_by_chance_on_both_boards_is_chance() -> None:
    assert judged([1.0, KeyError()], [KeyError(), 2.0], again=[3.0, 4.0]).verdict == "random by itself"


def test_a_move_off_the_board_is_declared_whether_it_is_caught_or_not() -> None:
    for ours in (OFF_THE_BOARD, returned(7.0, left_the_board=True)):
        found = judged([1.0, 2.0], [1.0, ours])
        assert (found.verdict, found.detail, found.first) == ("declared", "a move off the board", 1)


def test_what_is_declared_hides_no_difference() -> None:
    found = judged([1.0, 2.0, 3.0], [1.0, OFF_THE_BOARD, 4.0])
    assert (found.verdict, found.first) == ("differs", 2)


def test_endings_are_compared_by_kind_and_not_by_number() -> None:
    classic, ours = {"normal end": 3, "forfeit": 1}, {"normal end": 2, "forfeit": 2}
    assert judge_endings(classic, ours) == ("same endings", "")
    assert judge_endings(classic, classic, same_games=True) == ("same games", "")


@pytest.mark.parametrize("ours", [{"normal end": 4, "timeout": 1}, {"forfeit": 4}, {"raises KeyError": 4}])
def test_another_kind_of_ending_differs(ours: dict[str, int]) -> None:
    assert judge_endings({"normal end": 4}, ours)[0] == "differs"
    assert judge_endings(ours, {"normal end": 4})[0] == "differs"


def test_a_game_that_a_move_off_the_board_ends_is_declared() -> None:
    ours = {"raises IllegalMoveError": 3, "normal end": 1}
    assert judge_endings({"normal end": 4}, ours) == ("declared", "a move off the board")
    assert judge_endings({"raises IndexError": 4}, {"raises IllegalMoveError": 4})[0] == "declared"
    assert judge_endings({"normal end": 4}, {**ours, "forfeit": 1})[0] == "differs"


def test_a_forfeit_for_an_answer_that_crashes_the_classic_board_is_declared() -> None:
    crash = {"board crashes with ValueError": 4}
    assert judge_endings(crash, {"forfeit": 4})[0] == "declared"
    assert judge_endings({**crash, "normal end": 1}, {"forfeit": 3, "normal end": 1})[0] == "declared"
    assert judge_endings(crash, {"timeout": 4})[0] == "differs"
    assert judge_endings({"raises ValueError": 4}, {"forfeit": 4})[0] == "differs"
