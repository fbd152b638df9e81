"""Odd things that submissions do, each in a small one of its own in `tests/submissions/odd`, on both boards.

What is expected was worked out from how the classic board behaves: `scores.txt` there says what each
heuristic answers at each stage of a game and what a search with it finds, `ENDINGS` how each player ends.
"""

import random
from itertools import count
from pathlib import Path
from typing import Any

import numpy
import pytest

import isolation_fast
from isolation_fast import HeuristicResultError, IllegalMoveError, reference
from isolation_fast.board import turns
from isolation_fast.submission import Submission, load

ODD = Path(__file__).parents[1] / "submissions" / "odd"
OUR_ERRORS = (IllegalMoveError, HeuristicResultError)

STAGES: dict[str, tuple[tuple[int, int], list[tuple[int, int]]]] = {
    "new": ((7, 7), []),
    "placed": ((7, 7), [(3, 3)]),
    "opening": ((7, 7), [(3, 3), (0, 0)]),
    "middle": (
        (7, 7),
        [(3, 3), (0, 0), (1, 2), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (6, 4), (4, 4)],
    ),
    "1 lost": ((7, 7), [(2, 1), (1, 2), (0, 0), (3, 3)]),
    "2 lost": ((7, 7), [(1, 2), (2, 1), (3, 3), (0, 0), (5, 4)]),
    "4x5": ((4, 5), [(0, 0), (4, 3), (2, 1), (2, 2)]),
}

# On 7x7 each player stands on (0, 0) and (6, 6) when the odd answer comes; on 2x3 on (0, 0) and (2, 1), where
# there is no move left.
FORFEIT = ["[[0, 0], [6, 6]] forfeit, lost", "[[0, 0], [2, 1]] illegal move, lost"]
TO_THE_END = ["40 moves illegal move, lost", "[[0, 0], [2, 1]] illegal move, lost"]
ENDINGS = {
    "answering_none": FORFEIT,
    "answering_minus_one": FORFEIT,
    "answering_a_list": FORFEIT,
    "answering_a_number": FORFEIT,
    "answering_a_move_with_its_score": FORFEIT,
    "answering_numpy_integers": TO_THE_END,
    # The classic board fell over these two.
    "answering_an_array": FORFEIT,
    "answering_floats": FORFEIT,
    "answering_too_late": ["[[0, 0], [6, 6]] timeout, lost", "[[0, 0], [2, 1]] timeout, lost"],
    "answering_in_time": ["27 moves illegal move, won", "4 moves illegal move, lost"],
    "answering_with_an_error": ["ZeroDivision", "ZeroDivision"],
    "answering_nothing_but_legal_moves": ["Value", "Value"],
    "answering_after_playing_with_the_board": TO_THE_END,
    # Early boards called the first of these endings "illegal move" as well.
    "first_layout": [
        "[[(0, 0), (6, 6)], [None]] forfeit, lost",
        "[[(0, 0), (2, 1)], [None]] illegal move, lost",
    ],
    "first_layout_to_the_end": [
        "21 moves illegal move, lost",
        "[[(0, 0), (2, 1)], [(-1, -1)]] illegal move, lost",
    ],
    "first_layout_too_late": [
        "[[(0, 0), (6, 6)], [(1, 2)]] timeout, lost",
        "[[(0, 0), (2, 1)], [(-1, -1)]] timeout, lost",
    ],
    # Early boards put its player on the last cell of all for this; off the board is off the board here.
    "first_layout_adding_to_its_list": [
        "[[(0, 0), (6, 6)], [(-1, -1)]] forfeit, lost",
        "[[(0, 0), (2, 1)], [(-1, -1)]] illegal move, lost",
    ],
    "first_layout_in_a_wrapper": [
        "[[(0, 0), (6, 6)], [(-1, 2)]] forfeit, lost",
        "[[(0, 0), (2, 1)], [(-1, 2)]] illegal move, lost",
    ],
    "first_layout_taking_from_its_list": [
        "[[(0, 0), (6, 6)], [(2, 1)]] forfeit, lost",
        "[[(0, 0), (2, 1)], [(-1, -1)]] illegal move, lost",
    ],
    "first_layout_with_a_default": [
        "[[(0, 0), (6, 6)], [(-1, -1)]] forfeit, lost",
        "[[(0, 0), (2, 1)], [(-1, -1)]] illegal move, lost",
    ],
    "later_layout_with_a_default": FORFEIT,
    "the_first_clock_kept": TO_THE_END,
    # All moves are player 2's, so player 1 is never placed and may go anywhere.
    "one_object_on_both_sides": ["49 moves illegal move, won", "6 moves illegal move, won"],
}
# So short that a clock which was not set anew for each turn would run out.
TIME_LIMITS = {"the_first_clock_kept": 60}


def score_table() -> dict[tuple[str, str], list[str]]:
    """What `scores.txt` expects of each heuristic: at each stage for both players, and of a search."""
    lines = (ODD / "scores.txt").read_text("utf-8").splitlines()
    table = {}
    for line in lines:
        if not line.startswith("#"):
            (case, name), *cells = (cell.split() for cell in line.split("|"))
            # One value stands for both players.
            stages = [f"{cell[0]} {cell[-1]}" for cell in cells[:-1]]
            table[case, name] = [*stages, cells[-1][0]]
    return table


SCORES = score_table()


@pytest.fixture(scope="module")
def reference_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose `isolation.Board` is the reference's, for submissions that derive theirs from it."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "isolation").mkdir()
    (folder / "isolation" / "__init__.py").write_text("from .isolation import Board\n")
    (folder / "isolation" / "isolation.py").write_text("from isolation_fast.reference import Board\n")
    return folder


def loaded(case: str, board_class: Any, checkout: Path) -> Submission:
    return load(ODD / case, classic=checkout if board_class is reference.Board else None)


def seats(submission: Submission) -> tuple[Any, Any]:
    """Two objects of the submission's own player, where it has one, else two words."""
    for player in submission.players.values():
        first = player()
        return first, first if submission.folder.name == "one_object_on_both_sides" else player()
    return "Ann", "Ben"


def at(stage: str, board_class: Any, players: tuple[Any, Any]) -> Any:
    size, moves = STAGES[stage]
    board = board_class(*players, *size)
    for move in moves:
        board.apply_move(move)
    return board


def written(outcome: Any) -> str:
    """A value or an exception as the tables have it: `8` is an integer, `8.` a float, `Type` a TypeError."""
    if isinstance(outcome, Exception):
        classes = type(outcome).__mro__
        named = (each for each in classes if each in OUR_ERRORS or each.__module__ == "builtins")
        return next(named).__name__.removesuffix("Error")
    if isinstance(outcome, numpy.ndarray):
        return written(outcome.tolist())
    if isinstance(outcome, numpy.generic):
        return written(outcome.item())
    if isinstance(outcome, float):
        text = repr(round(outcome, 3) + 0.0)
        return text.removesuffix("0") if text.endswith(".0") else text
    return repr(outcome).replace(" ", "")


def scored(heuristic: Any, board: Any, player: object) -> str:
    try:
        return written(heuristic(board, player))
    except Exception as error:  # noqa: BLE001 - which one it is, is the outcome
        return written(error)


def searched(search: Any, board: Any, heuristic: Any, depth: int) -> tuple[str, object]:
    try:
        report = search(board, heuristic, depth=depth)
    except Exception as error:  # noqa: BLE001
        return written(error), None
    return written(report.value), (report.move, report.nodes)


def played(board: Any, player: object, time_limit: int) -> str:
    try:
        winner, history, outcome = board.play(time_limit)
    except Exception as error:  # noqa: BLE001
        return written(error)
    moves = history if len(history) < 3 else f"{len(history)} moves"
    return f"{moves} {outcome}, {'won' if winner is player else 'lost'}"


def test_each_case_has_its_rows() -> None:
    cases = {folder.parent.name for folder in ODD.glob("*/game_agent.py")}
    assert cases == {case for case, _ in SCORES} | set(ENDINGS) | {"scores_by_chance"}
    for case in {case for case, _ in SCORES}:
        assert set(load(ODD / case).heuristics) == {name for each, name in SCORES if each == case}


@pytest.mark.parametrize(("case", "name"), SCORES)
def test_a_heuristic_scores_as_on_the_classic_board(
    board_class: Any, case: str, name: str, reference_checkout: Path
) -> None:
    submission = loaded(case, board_class, reference_checkout)
    heuristic, players = submission.heuristics[name], seats(submission)
    found = [
        " ".join(scored(heuristic, at(stage, board_class, players), player) for player in players)
        for stage in STAGES
    ]
    assert found == SCORES[case, name][:-1]


def test_scores_by_chance_repeat_by_the_seed(board_class: Any, reference_checkout: Path) -> None:
    heuristic = loaded("scores_by_chance", board_class, reference_checkout).heuristics["custom_score"]
    board = at("opening", board_class, ("Ann", "Ben"))
    found = []
    for _ in range(2):
        random.seed(7)
        found.append([heuristic(board, player) for player in ("Ann", "Ben")])
    assert found[0] == found[1]
    assert [int(score) for score in found[0]] == [8, 2]


@pytest.mark.parametrize(
    ("case", "name"),
    [*(row for row, cells in SCORES.items() if cells[-1] != "-"), ("scores_by_chance", "custom_score")],
)
def test_a_search_by_a_heuristic_is_the_references(case: str, name: str, reference_checkout: Path) -> None:
    for stage in STAGES:
        found = []
        for board_class, search in (
            (isolation_fast.Board, isolation_fast.search),
            (reference.Board, reference.search),
        ):
            submission = loaded(case, board_class, reference_checkout)
            random.seed(stage)
            board = at(stage, board_class, seats(submission))
            depth = 1 if stage in ("new", "placed") else 2
            found.append(searched(search, board, submission.heuristics[name], depth))
        assert found[0] == found[1], stage
        expected = SCORES.get((case, name), ["*"])[-1]
        if stage == "opening" and expected != "*":
            assert found[0][0] == expected


class Highest:
    def get_move(self, game: Any, time_left: Any) -> Any:
        return max(game.get_legal_moves(), default=(-1, -1))


@pytest.mark.parametrize("case", ENDINGS)
def test_a_game_ends_as_on_the_classic_board(
    board_class: Any, case: str, reference_checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that goes on by a millisecond each time it is read: who waits for the end of its time sees it.
    monkeypatch.setattr(turns, "perf_counter", count(0.0, 0.001).__next__)
    found = []
    for size in ((7, 7), (2, 3)):
        player, twin = seats(loaded(case, board_class, reference_checkout))
        other = twin if twin is player else Highest()
        found.append(played(board_class(player, other, *size), player, TIME_LIMITS.get(case, 10_000)))
    assert found == ENDINGS[case]
