"""Worked examples: their working adds up, and ends in what the engine says."""

import random
import re
from math import sqrt
from typing import Any

import pytest

from isolation_fast import Board, evaluate, heuristics
from isolation_fast.worked_examples import FAMILIES, LETTERS, Step, letters_of, shown, worked_examples

EXAMPLES: list[Any] = [
    pytest.param(heuristics.get(name), example, id=f"{name}-{number}")
    for name in heuristics.names()
    for number, example in enumerate(worked_examples(heuristics.get(name)), start=1)
]
PLAYERS = ("player 1", "player 2")


def added_up(terms: str) -> float:
    """What terms come to, written as on a board in a classroom."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", terms)
    for sign, operator in (("√", "sqrt"), ("²", "**2"), ("·", "*")):
        text = text.replace(sign, operator)
    return float(eval(text, {"sqrt": sqrt}))


def test_every_heuristic_has_an_example() -> None:
    assert {param.values[0].name for param in EXAMPLES} == set(heuristics.names())


def test_the_families_hold_the_registry_in_its_order() -> None:
    assert [name for family in FAMILIES for name in family.twins] == heuristics.names()


def test_what_differs_by_stage_is_shown_in_each() -> None:
    for name in heuristics.names():
        heuristic = heuristics.get(name)
        stages = 1 + len(heuristic.parameters) if "continuations" in name else 1
        assert len(worked_examples(heuristic)) == stages, name


@pytest.mark.parametrize(("heuristic", "example"), EXAMPLES)
def test_the_last_line_is_the_value_of_the_engine(heuristic: Any, example: Any) -> None:
    for player in PLAYERS:
        value = evaluate(Board.from_text(example.position), heuristic, player)
        last = example.working[player][-1]
        assert example.values[player] == value
        assert last.value == pytest.approx(value, abs=1e-12)
        assert str(last).rpartition("= ")[2] == shown(value)
        assert f"{heuristic.name} is {shown(value)} for {player}:" in str(example).splitlines()


@pytest.mark.parametrize(("heuristic", "example"), EXAMPLES)
def test_every_line_of_the_working_adds_up(heuristic: Any, example: Any) -> None:
    steps = [step for player in PLAYERS for step in example.working[player] if isinstance(step, Step)]
    for step in steps:
        # What was rounded to four places adds up to about three.
        assert added_up(step.terms) == pytest.approx(step.value, abs=5e-4), step


@pytest.mark.parametrize(("heuristic", "example"), EXAMPLES)
def test_an_example_fits_into_100_columns(heuristic: Any, example: Any) -> None:
    assert [line for line in str(example).splitlines() if len(line) > 100 or line != line.rstrip()] == []


def test_the_example_of_a_variant_goes_by_its_parameters() -> None:
    (example,) = worked_examples(heuristics.knight_decay_2.variant(r=0.3))
    last = example.working["player 1"][-1]
    assert isinstance(last, Step)
    assert added_up(last.terms) == pytest.approx(example.values["player 1"], abs=5e-4)
    assert "4 · 0.3 + 5 · 0.09 " in str(example)


@pytest.mark.parametrize("name", [name for name in heuristics.names() if heuristics.get(name).parameters])
def test_the_working_of_any_variant_adds_up_to_its_value(name: str) -> None:
    """The stages of some variants overlap, and others do not leave the stage of the start."""
    draw = random.Random(name)
    heuristic = heuristics.get(name)
    for _ in range(20):
        values = {
            parameter: draw.choice([lowest, highest, draw.uniform(max(lowest, -5), min(highest, 5))])
            for parameter, (lowest, highest) in heuristic.allowed.items()
        }
        variant = heuristic.variant(**values)
        for example in worked_examples(variant):
            for player in PLAYERS:
                steps = [step for step in example.working[player] if isinstance(step, Step)]
                assert steps[-1].value == example.values[player], variant
                for step in steps:
                    # Of a factor of a million the rounded terms are as much larger.
                    assert added_up(step.terms) == pytest.approx(step.value, abs=5e-4, rel=1e-3), variant


@pytest.mark.parametrize("r", [0.0, 1e-310, 1.0])
def test_a_variant_at_the_edge_of_what_is_allowed_is_worked_too(r: float) -> None:
    (example,) = worked_examples(heuristics.knight_decay_2.variant(r=r))
    for player in PLAYERS:
        for step in example.working[player]:
            assert isinstance(step, Step)
            assert added_up(step.terms) == pytest.approx(step.value, abs=5e-4), step


def test_a_position_with_too_large_a_tree_is_left_out() -> None:
    late = heuristics.blend_then_continuations.variant(threshold=1.0)
    assert len(worked_examples(late)) == len(worked_examples(heuristics.blend_then_continuations)) - 1


@pytest.mark.parametrize("name", heuristics.names())
def test_every_letter_of_a_formula_is_explained_there_or_beside_it(name: str) -> None:
    formula = heuristics.get(name).formula
    words = {"a", "s"}  # as in "a knight's move"
    letters = set(re.findall(r"\b[A-Za-z]\b", formula)) - words - set(heuristics.get(name).parameters)
    explained = {letter for each in letters_of(formula) for letter in re.findall(r"\b[A-Za-z]\b", each)}
    # Such as "R(x) = ...", "d the moves", "over m in", "w as in".
    there = {letter for letter in letters if re.search(rf"\b{letter}\b(\(x\))? (=|the|in|as) ", formula)}
    assert letters - explained <= there


def test_letters_are_explained_where_they_occur_and_nowhere_else() -> None:
    assert set(letters_of("|L(p)|")) == {"p", "L(x)"}
    assert set(LETTERS) <= {
        letter for name in heuristics.names() for letter in letters_of(heuristics.get(name).formula)
    }
