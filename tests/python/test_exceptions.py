"""The exceptions: their bases, that they travel between processes, that they are documented and exported."""

import copy
import pickle
from typing import Any

import pytest

import isolation_fast
from isolation_fast import exceptions

BASES = {
    "IllegalMoveError": (ValueError,),
    "InvalidArgumentError": (ValueError,),
    "InvalidBoardError": (ValueError,),
    "InvalidBudgetError": (ValueError,),
    "InvalidPositionError": (ValueError,),
    "InvalidRecordError": (ValueError,),
    "EngineLockedError": (PermissionError,),
    "JailError": (RuntimeError,),
    "JournalError": (RuntimeError,),
    "UnknownCostError": (LookupError,),
    "UnknownHeuristicError": (ValueError,),
    "UnknownPlayerError": (RuntimeError,),
    "ValueWorkError": (RuntimeError,),
    "WalkTooLongError": (RuntimeError,),
    "WorkerError": (RuntimeError,),
    "NurseryEndedError": (exceptions.WorkerError,),
    "HeuristicResultError": (TypeError, ValueError),
}
ALL = [name for name in vars(exceptions) if not name.startswith("_")]


@pytest.mark.parametrize("name", BASES)
def test_each_is_an_isolation_error_and_the_built_in_one_it_is_like(name: Any) -> None:
    error = getattr(exceptions, name)
    assert issubclass(error, exceptions.IsolationError)
    for base in BASES[name]:
        assert issubclass(error, base)


def test_the_list_of_exceptions_is_complete() -> None:
    assert {*ALL} == {*BASES, "IsolationError", "CompilationWarning"}


@pytest.mark.parametrize("name", ALL)
def test_each_is_documented_and_importable_from_the_top(name: Any) -> None:
    error = getattr(exceptions, name)
    assert error.__doc__
    assert getattr(isolation_fast, name) is error
    assert name in isolation_fast.__all__


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "travel", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
def test_each_survives_copying_and_pickling(name: Any, travel: Any) -> None:
    error = getattr(exceptions, name)("move (2, 9) is outside the 7x7 board")
    error.position = "7x7 7/7/7/7/7/7/7 - - 1"
    arrived = travel(error)
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert arrived.position == error.position
