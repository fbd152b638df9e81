"""Random heuristics say the same compiled as in CPython, to the bit, or bail.

`make fuzz` does this for longer. What the programs may be is in grammar.txt.
"""

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from program_checks import Compiled, Compiler, Heuristic, Tally, load
from program_fuzzing import Fuzzing, smallest
from program_grammar import features, rules
from program_sides import (
    blind_to_order,
    native,
    never_changed,
    one_function_for_each_def,
    one_list_for_all_defaults,
    python_again,
    without_order,
    wrong_after,
    wrong_in,
    wrong_text,
)
from program_spots import random_spots
from program_writer import write_program

from isolation_fast.compiled import programs

# Programs of one test.
PROGRAMS = 300


def words(text: str) -> list[str]:
    return text.split()


@pytest.fixture(autouse=True)
def odd_programs_are_no_news() -> Iterator[None]:
    """Random programs compare literals by `is`, and index tuples beyond their ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def compared(
    compiler: Compiler, folder: Path, programs: int = PROGRAMS, seed: str = "test", also: tuple[str, ...] = ()
) -> Tally:
    fuzzing = Fuzzing(compiler, folder, compiled=compiler is native)
    for number in range(programs):
        fuzzing.program(seed, number, *also)
    return fuzzing.tally


def test_a_seed_gives_the_same_program_and_positions() -> None:
    assert write_program("a").text == write_program("a").text != write_program("b").text
    assert random_spots(6, "a") == random_spots(6, "a")


# What a heuristic may be written with: nodes of the syntax, then functions and methods that are called.
NODES = words("""
    FunctionDef Lambda Return Assign AugAssign For While If Raise Assert Try Expr Pass Break Continue Nonlocal
    Delete BoolOp NamedExpr BinOp UnaryOp IfExp Dict Set ListComp SetComp DictComp GeneratorExp Compare Call
    Attribute Subscript Starred Name List Tuple Slice And Or Not USub UAdd Invert Add Sub Mult Div FloorDiv
    Mod Pow LShift RShift BitOr BitXor BitAnd Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn ExceptHandler keyword
""")
CALLED = words("""
    len sum min max abs int float bool round pow divmod range enumerate zip reversed sorted list tuple set
    frozenset dict any all map filter next iter sqrt hypot floor ceil trunc exp log atan2 fmod copysign
    get_legal_moves get_blank_spaces get_player_location get_opponent is_winner is_loser utility move_is_legal
    forecast_move copy apply_move append insert pop remove sort reverse extend clear count index add discard
    update union get items values keys setdefault fromkeys isdisjoint
""")


def test_programs_use_every_rule_and_every_construct_of_the_subset() -> None:
    used: Counter[int] = Counter()
    nodes: Counter[str] = Counter()
    called: Counter[str] = Counter()
    for feature in features():
        for number in range(20):
            program = write_program(f"{feature}:{number}", feature)
            used.update(program.used)
            for node in ast.walk(ast.parse(program.text)):
                nodes[type(node).__name__] += 1
                if isinstance(node, ast.Call):
                    called[
                        node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                    ] += 1
    rare = [rule for each in rules().values() for rule in each if not used[rule.number]]
    for rule in rare:
        also = [(rule.feature, "lists", "dicts"), features()]
        tries = (write_program(f"{rule.title}:{number}", *also[number % 2]).used for number in range(1500))
        assert any(tried[rule.number] for tried in tries), f"no program uses {rule.title!r}"
    assert not [name for name in NODES if not nodes[name]]
    assert not [name for name in CALLED if not called[name]]


def test_positions_are_of_all_stages_and_sizes() -> None:
    boards = [spot.board() for spot in random_spots(600, "stages")]
    assert {board.width * board.height > 128 for board in boards} == {True, False}
    assert any(board.width != board.height for board in boards)
    unplaced = Counter(
        sum(board.get_player_location(each) is None for each in ("player 1", "player 2")) for board in boards
    )
    assert all(unplaced[number] >= 5 for number in (0, 1, 2))
    assert sum(board.utility("player 1") != 0 for board in boards) >= 30
    assert len({board._order_bits for board in boards}) == 300


def test_programs_end_soon_and_give_numbers(tmp_path: Path) -> None:
    tally = compared(python_again(tmp_path), tmp_path)
    assert not tally.differences
    assert tally.slow + tally.raising <= PROGRAMS / 20
    assert tally.same >= 0.7 * tally.asked, str(tally)
    assert tally.wholes >= PROGRAMS / 10, str(tally)


@pytest.mark.parametrize("chunk", range(4))
def test_random_programs_give_what_python_gives_or_bail(chunk: int, tmp_path: Path) -> None:
    tally = compared(native, tmp_path, seed=f"chunk {chunk}")
    shown = [str(smallest(each, tmp_path, native)) for each in tally.differences[:3]]
    assert not shown, "\n\n".join(shown)
    # Else nothing was tried.
    assert len(tally.refused) < 0.7 * PROGRAMS, str(tally)
    assert tally.same > 10 * PROGRAMS / 4, str(tally)


WRONG = {
    "a sign is lost": (ast.USub, ast.UAdd),
    "a remainder is a quotient": (ast.Mod, ast.FloorDiv),
    "less is less or equal": (ast.Lt, ast.LtE),
    "a product is a sum": (ast.Mult, ast.Add),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_compiler_is_seen(name: str, tmp_path: Path) -> None:
    tally = compared(wrong_in(*WRONG[name], tmp_path), tmp_path, 60)
    assert len(tally.differences) >= 3, str(tally)


# What is taken for what, by a wrong compiler, and the features by which it shows.
MISTAKEN: dict[str, tuple[Callable[[Path], Compiler], str]] = {
    "two functions of one def are one": (
        lambda folder: wrong_after(one_function_for_each_def, folder),
        "factories combinators decorators",
    ),
    "two lists among the defaults are one": (
        lambda folder: wrong_after(one_list_for_all_defaults, folder),
        "parameters",
    ),
    "two texts are one": (lambda folder: wrong_text('"(other|both|blank)"', '"own"', folder), "texts"),
    "functions of a tuple are the first one": (
        lambda folder: wrong_text(r"\[-1\]\(", "[0](", folder),
        "crossing passing",
    ),
    "a copy of moves has another order": (
        lambda folder: wrong_text(r"\blist\((?=\w+\))", "sorted(", folder),
        "moveorder",
    ),
    "what changes between evaluations stays": (never_changed, "changes"),
}


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_compiler_that_takes_one_thing_for_another_is_seen(name: str, tmp_path: Path) -> None:
    compiler, shows = MISTAKEN[name]
    tally = compared(compiler(tmp_path), tmp_path, 100, also=tuple(words(shows)))
    assert len(tally.differences) >= 2, str(tally)


def test_a_compiler_that_is_blind_to_the_order_of_moves_is_seen(tmp_path: Path) -> None:
    assert len(compared(blind_to_order, tmp_path, 60).differences) >= 3


@pytest.mark.parametrize(("right", "wrong"), [("SubI", "AddI"), ("AddF", "SubF"), ("MulI", "AddI")])
def test_a_wrong_instruction_of_the_engine_is_seen(
    right: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = vars(programs)["_native"]
    numbers = {engine.OPCODES[right][0]: engine.OPCODES[wrong][0]}

    def program(functions: Any, *pools: Any, **others: Any) -> Any:
        changed = [
            (*counts, [(numbers.get(number, number), *operands) for number, *operands in code])
            for *counts, code in functions
        ]
        return engine.Program(changed, *pools, **others)

    monkeypatch.setattr(programs, "_native", SimpleNamespace(Program=program, OPCODES=engine.OPCODES))
    assert compared(native, tmp_path, 150).differences


def test_an_engine_that_is_blind_to_the_order_of_moves_is_seen(tmp_path: Path) -> None:
    def compiler(function: Heuristic) -> Compiled | str:
        compiled = native(function)
        return compiled if isinstance(compiled, str) else without_order(compiled)

    assert len(compared(compiler, tmp_path, 150).differences) >= 3


def test_a_difference_is_shrunk_to_what_matters(tmp_path: Path) -> None:
    compiler = wrong_in(ast.Mult, ast.Add, tmp_path)
    differences = compared(compiler, tmp_path, 60).differences
    before = sorted(differences, key=lambda each: len(each.text))[len(differences) // 3]
    found = smallest(before, tmp_path, compiler)
    assert len(found.text.splitlines()) <= 8 < len(before.text.splitlines())
    assert "*" in found.text
    # It can be pasted: the text and the position give Python's value again.
    function = load(found.text, tmp_path)
    assert repr(float(function(found.spot.board(), found.spot.scored))) == found.python.split()[0]
    assert found.spot.code() in str(found)
