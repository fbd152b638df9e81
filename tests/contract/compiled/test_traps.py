"""Heuristics in which a compiler easily goes wrong give the same compiled as in CPython, or bail."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from program_checks import Tally, compare_function
from program_sides import native
from program_spots import random_spots

HEURISTICS = Path(__file__).parents[2] / "submissions" / "compiled"


def imported(name: str) -> ModuleType:
    """A module of heuristics, written as students write."""
    spec = spec_from_file_location(name, HEURISTICS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


trap_heuristics, report_heuristics = imported("trap_heuristics"), imported("report_heuristics")
HELPERS = {"own", "other", "pow"}
TRAPS = [
    name for name, each in vars(trap_heuristics).items() if type(each) is FunctionType and name not in HELPERS
]
REPORTS = [
    name for name, each in vars(report_heuristics).items() if name.startswith(("a_", "b_", "c_", "d_", "e_"))
]
# Python alone can do these, or nobody has taught the compiler yet. All others must compile.
REFUSED = {
    *("a_deep_recursion", "a_list_of_the_module_is_copied", "a_tree_of_forecasts"),
    *("a_return_that_finally_overrules", "a_set_that_is_walked", "a_sum_over_a_set_of_floats", "stars"),
    *("closures_are_bound_late", "closures_in_a_loop", "equal_keys_of_different_types", "hypotenuses"),
    *("nan_is_in_its_list", "none_is_equal_to_nothing", "rounding_to_places", "slices_with_steps"),
}
# Nowhere has the program a value of its own.
ALWAYS_BAIL = {
    *("integers_beyond_2_to_53_in_a_quotient", "integers_beyond_64_bits", "nan_in_sorting"),
    "the_smallest_integer",
}


def compared(function: Any) -> Tally:
    tally = Tally()
    compare_function(function, random_spots(240, function.__name__), native, tally)
    assert not tally.differences, "\n".join(map(str, tally.differences))
    return tally


def test_a_refusal_is_expected() -> None:
    assert {*TRAPS, *REPORTS} >= REFUSED | ALWAYS_BAIL


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_passed_or_left_to_python(name: str) -> None:
    tally = compared(getattr(trap_heuristics, name))
    assert name in REFUSED or not tally.refused, tally.refused
    assert name in REFUSED | ALWAYS_BAIL or tally.same


@pytest.mark.parametrize("name", REPORTS)
def test_a_heuristic_of_the_reports_gives_the_same(name: str) -> None:
    tally = compared(getattr(report_heuristics, name))
    assert name in REFUSED or not tally.refused, tally.refused
    assert name in REFUSED or tally.same > tally.needless
