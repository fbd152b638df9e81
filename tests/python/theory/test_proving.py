"""`theory.prove`: who wins on an empty board, in chunks that a journal keeps and any executor solves."""

from __future__ import annotations

import json
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest

from isolation_fast import Board, InvalidArgumentError, JournalError, reference, solve
from isolation_fast.theory import ProofProgress, Theory, prove
from isolation_fast.theory.proving import _Tree

Cell = tuple[int, int]

# Won by player 1 and player 2, exceptions to the colour rule: found by another program.
COUNTED = {
    (3, 3): (24, 48, 16),
    (3, 5): (110, 100, 40),
    (3, 7): (220, 200, 24),
    (3, 9): (342, 360, 4),
    (4, 4): (64, 176, 64),
    (4, 5): (160, 220, 20),
    (4, 6): (240, 312, 32),
    (4, 7): (364, 392, 0),
    (5, 5): (296, 304, 8),
    (5, 6): (420, 450, 0),
}


@cache
def mover_wins(text: str) -> bool:
    """By the slow readable board, without any rule but those of the game."""
    board = reference.Board.from_text(text)
    return any(not mover_wins(board.forecast_move(move).to_text()) for move in board.get_legal_moves())


def placed(size: tuple[int, int], *cells: Cell) -> Board:
    board = Board(width=size[0], height=size[1])
    for cell in cells:
        board.apply_move(cell)
    return board


@pytest.mark.parametrize("size", COUNTED)
def test_openings_are_won_as_another_program_found(size: tuple[int, int]) -> None:
    theory = prove(*size, replies="every")
    assert (*theory.won, sum(each.alike for each in theory.exceptions)) == COUNTED[size]
    assert theory.winner == 2


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)])
def test_small_boards_are_as_the_rules_alone_say(size: tuple[int, int]) -> None:
    theory = prove(*size, replies="every")
    text = placed(size).to_text()
    assert theory.winner == (1 if mover_wins(text) else 2)
    cells = [*product(range(size[1]), range(size[0]))]
    assert sum(each.alike for each in theory.placements) == len(cells)
    for each in theory.placements:
        others = [cell for cell in cells if cell != each.cell]
        won = tuple(cell for cell in others if not mover_wins(placed(size, each.cell, cell).to_text()))
        assert each.replies == won


def test_every_opening_is_counted_once() -> None:
    theory = prove(4, 5, replies="every")
    cells = [*product(range(5), range(4))]
    won = sum(solve(placed((4, 5), *pair), moves=False).outcome == "win" for pair in permutations(cells, 2))
    assert theory.won == (won, 380 - won)


def test_the_exceptions_of_5_by_5_stand_a_knights_move_apart() -> None:
    (exception,) = prove(5, 5).exceptions
    assert (exception.first, exception.second, exception.winner, exception.alike) == ((2, 2), (0, 1), 1, 8)
    assert not exception.follows_colours


def test_on_a_board_with_an_even_side_nothing_is_computed() -> None:
    theory = prove(30, 31)
    assert (theory.winner, theory.looked_at, theory.nodes) == (2, "image", 0)
    assert theory.placements[1].cell == (0, 1)
    assert theory.placements[1].replies == ((30, 28),)


@pytest.mark.parametrize("size", [(2, 3), (3, 4), (4, 4), (4, 5), (5, 6)])
def test_the_theorem_holds_where_it_is_computed(size: tuple[int, int]) -> None:
    computed = {each.cell: each.replies for each in prove(*size, replies="every").placements}
    for each in prove(*size, replies="image").placements:
        assert set(each.replies) <= set(computed[each.cell])


def test_the_centre_of_an_odd_board_has_no_image() -> None:
    with pytest.raises(InvalidArgumentError, match="the centre of 5x5 is its own image"):
        prove(5, 5, replies="image")


@pytest.mark.parametrize("plies", [1, 2, 3, 8])
def test_positions_after_some_plies_prove_the_same(plies: int) -> None:
    every = prove(5, 5)
    apart = prove(5, 5, plies=plies)
    assert [each.replies for each in apart.placements] == [each.replies for each in every.placements]
    assert [each.winner for each in apart.openings] == [each.winner for each in every.openings]


def test_a_position_is_handed_out_before_those_beside_it_are_looked_at() -> None:
    tree = _Tree(9, 9, "one", (0, 0), (2, 3), 6)
    chunk = next(tree.chunks())
    assert len(chunk.moves) == 8
    # Two thousand positions lie above the chunks: with each ply there are three to five times as many.
    assert len(tree._children) == 8


def test_answers_are_tried_one_after_the_other_and_all_that_player_1_can_do_at_once() -> None:
    chunks = [*_Tree(5, 5, "one", None, None, 1).chunks()]
    assert [each.moves[0] for each in chunks] == sorted(each.moves[0] for each in chunks)
    openings = {each.moves[:2] for each in chunks}
    assert len(openings) == len({each[0] for each in openings}) == 6
    for opening in openings:
        moves = placed((5, 5), *opening).get_legal_moves()
        assert sorted(each.moves[2] for each in chunks if each.moves[:2] == opening) == sorted(moves)


def test_a_proof_looks_nothing_up() -> None:
    assert prove(7, 7, first=(3, 3), second=(1, 2)).nodes > 1000


def test_one_reply_is_enough() -> None:
    every, one = prove(5, 5), prove(5, 5, replies="one", plies=2)
    assert one.winner == 2
    assert one.nodes < every.nodes
    for few, all_ in zip(one.placements, every.placements, strict=True):
        assert few.replies
        assert set(few.replies) <= set(all_.replies)


def test_one_opening_alone_proves_nothing_of_the_board() -> None:
    theory = prove(5, 5, first=(4, 4), second=(4, 3))
    (opening,) = theory.openings
    assert (opening.first, opening.second, opening.winner) == ((0, 0), (0, 1), 2)
    assert theory.winner is None
    assert prove(5, 5, first=(4, 4), second=(4, 2)).placements[0].winner is None
    assert "not proven who wins" in str(theory)


@pytest.mark.parametrize("given", [{"workers": 1}, {"workers": 3}, {"executor": ProcessPoolExecutor}])
def test_the_theory_does_not_depend_on_where_it_is_solved(given: dict[str, object]) -> None:
    expected = prove(3, 7)
    if "executor" not in given:
        assert prove(3, 7, workers=given["workers"]) == expected  # type: ignore[arg-type]
        return
    with ProcessPoolExecutor(1) as pool:
        assert prove(3, 7, executor=pool) == expected


class _Enough(Exception):
    """Raised by a progress, as Ctrl-C would be."""


def stopped_after(count: int, folder: Path) -> None:
    def progress(so_far: ProofProgress) -> None:
        if so_far.solved == count:
            raise _Enough

    with pytest.raises(_Enough):
        prove(5, 5, journal=folder, workers=1, progress=progress)


def test_an_interrupted_proof_goes_on(tmp_path: Path) -> None:
    stopped_after(40, tmp_path)
    seen: list[int] = []
    theory = prove(5, 5, journal=tmp_path, resume=True, progress=lambda so_far: seen.append(so_far.solved))
    assert theory == prove(5, 5)
    assert seen[0] == 41
    solved = (tmp_path / "5x5.journal").read_text().splitlines()[1:]
    assert len({str(json.loads(line)["moves"]) for line in solved}) == len(solved)


def test_what_one_run_solved_serves_another(tmp_path: Path) -> None:
    whole = prove(5, 5, journal=tmp_path)
    solved: list[ProofProgress] = []
    theory = prove(5, 5, first=(2, 2), journal=tmp_path, resume=True, progress=solved.append)
    assert solved == []
    assert len(theory.placements[0].replies) == 4
    assert theory.placements[0] == whole.placements[-1]
    assert theory.nodes == sum(each.nodes for each in theory.openings) < whole.nodes


def test_what_is_known_of_other_answers_does_not_stand_for_the_one_that_was_asked_for(tmp_path: Path) -> None:
    whole = prove(5, 5, replies="one", journal=tmp_path)
    assert all(each.second != (0, 2) for each in whole.openings)
    theory = prove(5, 5, replies="one", first=(0, 0), second=(0, 2), journal=tmp_path, resume=True)
    (opening,) = theory.openings
    assert (opening.second, opening.winner) == ((0, 2), 1)


def test_a_journal_is_not_overwritten_and_not_of_another_board(tmp_path: Path) -> None:
    prove(3, 3, journal=tmp_path)
    with pytest.raises(JournalError, match="there is a journal already"):
        prove(3, 3, journal=tmp_path)
    (tmp_path / "3x3.journal").rename(tmp_path / "3x5.journal")
    with pytest.raises(JournalError, match="no journal of 3x5"):
        prove(3, 5, journal=tmp_path, resume=True)


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        '{"moves":[[0,0],[0,1]],"wins":1,"nodes":3}',
        '{"moves":[[0,0],[0,1]],"wins":true,"nodes":-1}',
        '{"moves":[0],"wins":true,"nodes":3}',
        '{"moves":[],"wins":true,"nodes":3}',
        '{"moves":[[0,0]],"wins":true,"nodes":3}',
        '{"moves":[[0,0],[0,0]],"wins":true,"nodes":3}',
        '{"moves":[[0,0],[0,3]],"wins":true,"nodes":3}',
    ],
)
def test_a_line_that_is_no_solved_position_is_refused(line: str, tmp_path: Path) -> None:
    prove(3, 3, journal=tmp_path)
    with (tmp_path / "3x3.journal").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(JournalError, match=r"line \d+ of the journal is no solved position"):
        prove(3, 3, journal=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"replies": "some"}, "replies must be"),
        ({"first": (5, 0)}, "outside the 5x5 board"),
        ({"second": (0, 0)}, "answers a first placement"),
        ({"first": (0, 0), "second": (0, 0)}, "answers a first placement"),
        ({"plies": -1}, "plies"),
        ({"workers": 0}, "workers"),
        ({"resume": True}, "needs the journal"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        prove(5, 5, **given)  # type: ignore[arg-type]


def test_ctrl_c_ends_a_proof_at_once() -> None:
    # No test could wait for 9 by 9.
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))

    def proved() -> None:
        # Within what expects it: on a busy machine it may come before the work has begun.
        timer.start()
        prove(9, 9)

    with pytest.raises(KeyboardInterrupt):
        proved()
    timer.join()


@pytest.mark.slow
def test_7_by_7_is_won_by_the_second_player() -> None:
    theory: Theory = prove(7, 7)
    assert (theory.winner, theory.won) == (2, (1160, 1192))
    assert {each.cell: len(each.replies) for each in theory.placements} == {
        (0, 0): 24,
        (0, 1): 25,
        (0, 2): 24,
        (0, 3): 25,
        (1, 1): 24,
        (1, 2): 25,
        (1, 3): 24,
        (2, 2): 24,
        (2, 3): 25,
        (3, 3): 16,
    }
    assert [(each.first, each.second, each.alike) for each in theory.exceptions] == [((3, 3), (1, 2), 8)]
