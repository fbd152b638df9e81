"""When two outcomes of a heuristic are the same: to the bit and the type, or the same exception."""

from collections import namedtuple
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy
import pytest

from isolation_fast import Board, IllegalMoveError, InvalidBudgetError, UnknownPlayerError, reference
from validation.verdicts import Relation, raised, relation, returned

Pair = namedtuple("Pair", "score depth")


class Unshowable:
    """Raises whenever somebody looks at it."""

    def __repr__(self) -> str:
        raise ValueError("not for you")


def test_equal_values_of_one_type_are_the_same() -> None:
    for value in (3, 3.0, True, None, "x", b"x", inf, (1, 2.0), [1, (2, nan)], {"a": 1}, {1, 2}, 1j):
        assert relation(returned(value), returned(value)) == "same"


def test_nan_equals_nan() -> None:
    assert relation(returned(nan), returned(float("nan"))) == "same"
    assert relation(returned(nan), returned(0.0)) == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (3, 3.0),
        (1, True),
        (0, None),
        (2.0, numpy.float64(2)),
        (numpy.float32(2), numpy.float64(2)),
        ((1, 2), [1, 2]),
        ((1, 2), Pair(1, 2)),
        (numpy.array([1, 2]), numpy.array([1.0, 2.0])),
        (numpy.array([1, 2]), [1, 2]),
    ],
)
def test_values_of_different_types_differ(one: Any, other: Any) -> None:
    assert relation(returned(one), returned(other)) == "different"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (0.1 + 0.2, 0.3, "rounding"),
        (0.0, -0.0, "rounding"),
        (1e300, 1e300 * (1 + 1e-12), "rounding"),
        (1.0, 1.0 + 1e-8, "different"),
        (0.0, 1e-300, "different"),
        (inf, -inf, "different"),
        (inf, 1e308, "different"),
        ((1, 0.1 + 0.2), (1, 0.3), "rounding"),
        ((2, 0.1 + 0.2), (1, 0.3), "different"),
        (numpy.array([0.1 + 0.2]), numpy.array([0.3]), "rounding"),
        (numpy.float64(0.1 + 0.2), numpy.float64(0.3), "rounding"),
        (1 + 1e-12j, 1 + 0j, "different"),
    ],
)
def test_rounding_is_a_billionth_of_the_larger_number(one: Any, other: Any, expected: Relation) -> None:
    assert relation(returned(one), returned(other)) == expected
    assert relation(returned(other), returned(one)) == expected


def test_arrays_are_compared_entry_by_entry_and_by_shape() -> None:
    assert relation(returned(numpy.arange(4)), returned(numpy.arange(4))) == "same"
    assert relation(returned(numpy.arange(4)), returned(numpy.arange(5))) == "different"
    assert relation(returned(numpy.zeros((0, 2))), returned(numpy.zeros((0, 3)))) == "different"


class Valued:
    """Shows its class alone, and has an attribute."""

    def __init__(self, value: object) -> None:
        self.v = value

    def __repr__(self) -> str:
        return "Valued"


def test_what_nothing_is_to_be_seen_of_is_unknown() -> None:
    for value in (object(), [object()], lambda: 0, iter([1]), Valued(object())):
        assert relation(returned(value), returned(value)) == "unknown"
    assert relation(returned((1, object())), returned((2, object()))) == "different"


def test_objects_are_compared_by_their_attributes() -> None:
    assert relation(returned(Valued(1)), returned(Valued(1))) == "same"
    assert relation(returned(Valued(1)), returned(Valued(2))) == "different"
    assert relation(returned(Valued(0.1 + 0.2)), returned(Valued(0.3))) == "rounding"
    assert relation(returned(Fraction(1, 3)), returned(Fraction(1, 3))) == "same"
    assert relation(returned(Fraction(1, 3)), returned(Fraction(2, 3))) == "different"


def test_a_board_that_is_returned_is_no_difference() -> None:
    ours, other = returned(Valued(Board())), returned(Valued(reference.Board()))
    assert relation(ours, other) == "unknown"


def test_objects_that_hold_each_other_have_an_end() -> None:
    endless = Valued(0)
    endless.v = [endless, endless]
    assert relation(returned(endless), returned(endless)) == "unknown"


def test_a_value_that_changes_later_is_compared_as_it_was() -> None:
    moves = [(1, 2)]
    before = returned(moves)
    moves.append((3, 4))
    assert relation(before, returned([(1, 2)])) == "same"


def test_what_cannot_be_looked_at_is_an_outcome_all_the_same() -> None:
    assert relation(returned(Unshowable()), returned(Unshowable())) == "unknown"
    assert relation(returned([Unshowable()]), returned([1])) == "different"
    assert "ValueError" in returned(Unshowable()).shown


def test_a_list_that_holds_itself_has_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert relation(returned(endless), returned(endless)) == "same"


def test_what_is_shown_fits_a_line() -> None:
    assert len(returned("x" * 1000).shown) <= 300
    assert "\n" not in raised(ValueError("one\ntwo")).shown


def test_exceptions_are_the_same_by_type_whatever_they_say() -> None:
    assert relation(raised(KeyError("a")), raised(KeyError("b"))) == "same"
    assert relation(raised(KeyError("a")), raised(IndexError("a"))) == "different"
    assert relation(raised(KeyError("a")), returned("a")) == "different"
    assert relation(returned(None), raised(KeyError("a"))) == "different"


def test_our_exception_is_the_classic_one_that_it_is_like() -> None:
    assert relation(raised(RuntimeError("who?")), raised(UnknownPlayerError("who?"))) == "same"
    assert relation(raised(ValueError("bad")), raised(IllegalMoveError("off"))) == "same"
    assert relation(raised(IndexError("bad")), raised(IllegalMoveError("off"))) == "different"


@pytest.mark.parametrize("error", [IllegalMoveError("off"), InvalidBudgetError("none"), KeyError("a")])
def test_no_exception_is_the_same_as_a_plain_one(error: Exception) -> None:
    assert relation(raised(Exception("a submission's own")), raised(error)) == "different"


def test_a_submissions_own_exception_is_the_same_from_each_of_its_copies() -> None:
    copies = [type("SearchTimeout", (Exception,), {"__module__": "game_agent"}) for _ in range(2)]
    assert relation(raised(copies[0]()), raised(copies[1]())) == "same"


def test_an_exit_is_an_exception_too() -> None:
    assert relation(raised(SystemExit(1)), raised(SystemExit(1))) == "same"
    assert raised(SystemExit(1)).is_exception
