"""Programs as objects and as text: what is written loads again, and is the same."""

import pickle
from collections.abc import Callable
from functools import partial
from math import inf, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import Board, InvalidArgumentError
from isolation_fast.compiled import Refusal, random_positions
from isolation_fast.cost import GROWING, OF_INSTRUCTIONS
from isolation_fast.programs import digest_of_program, price_of_lines, program_in, program_of, program_text

WEIGHTS = {(row, column): 1.0 / (1 + row * column) for row in range(7) for column in range(7)}


def mobility(game: Any, player: Any) -> float:
    return len(game.get_legal_moves(player)) - 0.1


def guarded(game: Any, player: Any) -> float:
    if game.is_loser(player):
        return -inf
    own = game.get_player_location(player) or (3, 3)
    return sqrt(abs(own[0] - own[1])) + WEIGHTS[own]


def looking_ahead(game: Any, player: Any) -> float:
    best = [mobility(game.forecast_move(move), player) for move in game.get_legal_moves()]
    return sorted(best)[-1] if best else 0.0


def flooding(game: Any, player: Any) -> float:
    seen, front = set(game.get_legal_moves(player)), game.get_legal_moves(player)
    blank = set(game.get_blank_spaces())
    while front:
        row, column = front.pop()
        for cell in ((row + 1, column + 2), (row - 1, column + 2), (row + 2, column - 1)):
            if cell in blank and cell not in seen:
                seen.add(cell)
                front.append(cell)
    return float(len(seen))


HEURISTICS: list[Callable[[Any, Any], float]] = [mobility, guarded, looking_ahead, flooding]


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_what_is_written_of_a_program_loads_again(heuristic: Callable[[Any, Any], float]) -> None:
    program = program_of(heuristic)
    text = program_text(program)
    for again in (program_in(text), pickle.loads(pickle.dumps(program))):
        assert again == program
        assert hash(again) == hash(program)
        assert again.lines == program.lines
        assert digest_of_program(again) == digest_of_program(program)
        assert program_text(again) == text
        for board in random_positions()[:20]:
            assert again.priced_run(board, board.active_player) == program.priced_run(
                board, board.active_player
            )


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_machine_code_has_the_same_value_for_the_same_price(heuristic: Callable[[Any, Any], float]) -> None:
    program = program_of(heuristic)
    for board in random_positions():
        for player in (board.active_player, board.inactive_player):
            machine, code = (program.priced_run(board, player, machine_code=each) for each in (False, True))
            # What a run without a value has paid by then is of no use to anybody.
            assert machine == code or machine[0] is code[0] is None


def test_programs_that_compute_something_else_have_another_digest() -> None:
    programs = [
        program_of(each) for each in (*HEURISTICS, lambda game, player: 0.0, lambda game, player: -0.0)
    ]
    assert len({digest_of_program(each) for each in programs}) == len(programs)
    assert len(set(programs)) == len(programs)
    assert programs[0] != "a program"


def test_where_it_was_written_makes_no_difference_to_a_digest() -> None:
    def here(game: Any, player: Any) -> float:
        return 2.5

    programs = [program_of(each) for each in (here, lambda game, player: 2.5)]
    assert programs[0] != programs[1]
    assert digest_of_program(programs[0]) == digest_of_program(programs[1])


def test_a_run_costs_what_it_does() -> None:
    program = program_of(mobility)
    before, after = (
        Board.from_text("7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"),
        Board.from_text("3x3 x2/3/2x 0,0 2,2 1"),
    )
    (_, many), (_, few) = (program.priced_run(each, each.active_player) for each in (before, after))
    assert many > few > 0


def test_what_python_alone_can_do_has_no_program() -> None:
    def named(game: Any, player: Any) -> float:
        return float(eval(player))

    for heuristic in (named, max):
        with pytest.raises(Refusal):
            program_of(heuristic)


def test_each_line_of_the_source_has_a_price() -> None:
    first = guarded.__code__.co_firstlineno
    prices = price_of_lines(program_of(guarded))
    assert all(price > 0 for price, _ in prices.values())
    assert prices[first + 1][0] >= OF_INSTRUCTIONS["IsLoser"]
    assert not prices[first + 2][1]
    assert set(OF_INSTRUCTIONS) > GROWING
    assert price_of_lines(program_of(mobility))[mobility.__code__.co_firstlineno + 1][1]


TEXT = program_text(program_of(guarded))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("program 1", "program 2", "line 1 of the program: it is not 'isolation-fast program 1'"),
        ("@0", "@1", "line 6 of the program: it begins with '@1', not with '@0'"),
        ("IsLoser", "IsLooser", "there is no instruction 'IsLooser'"),
        ("IsLoser i", "IsLoser f", "the operand 'f[0-9]+' does not begin with 'i'"),
        ("IsLoser i", "IsLoser i0 i", "IsLoser takes 3 operands, not 4"),
        ("parameters=2,0,0", "parameters=2,0", "parameters are three counts, not '2,0'"),
        ("parameters=2,0,0", "parameters=0,0,0", "the entry has the parameters"),
        ("registers", "places", "a function has registers=, parameters=, results=, in that order"),
        ("integers", "integers 99999999999999999999", "line [0-9]+ of the program: .*"),
        ("floats", "floats two", "line [0-9]+ of the program: invalid hexadecimal floating-point string"),
        ("data", "integers 3\ndata", "integers are there twice"),
        ("function", "@0 Ret\nfunction", "an instruction stands before the first function"),
        (" line=", " line=-", "instruction 0: a line is an integer from 0"),
    ],
)
def test_a_text_that_is_no_program_is_an_error_that_says_why(old: str, new: str, why: str) -> None:
    assert old in TEXT
    with pytest.raises(InvalidArgumentError, match=why):
        program_in(TEXT.replace(old, new, 1))


@given(st.data())
def test_a_changed_text_is_refused_or_a_program(data: st.DataObject) -> None:
    words = TEXT.split(" ")
    at = data.draw(st.integers(0, len(words) - 1))
    words[at] = data.draw(st.sampled_from([*words, "", "@", "i300", "-1", "k9", "q", "\x00", "1e9"]))
    try:
        program = program_in(" ".join(words))
    except InvalidArgumentError:
        return
    board = random_positions()[0]
    program.priced_run(board, board.active_player)


def test_a_partial_of_a_function_has_a_program_too() -> None:
    def weighted(game: Any, player: Any, weight: float = 1.0) -> float:
        return weight * len(game.get_legal_moves(player))

    doubled = partial(weighted, weight=2.0)
    program = program_of(doubled)
    board = Board("Ann", "Ben")
    assert program.run(board, "Ann") == doubled(board, "Ann") == 98.0
    # As long as nothing has changed that it was made of, it is the same one.
    assert program_of(doubled) is program
