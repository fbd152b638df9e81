"""What a loaded submission holds, and that nothing of it is left behind."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation_fast
from isolation_fast import Board
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.submission import load

SUBMISSION = """
from isolation import Board
from helpers import FACTOR


class SearchTimeout(Exception):
    pass


def custom_score(game, player):
    return FACTOR * len(game.get_legal_moves(player))


class OwnPlayer:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))
"""


def process_state() -> tuple[Any, ...]:
    paths = list(sys.path), list(sys.meta_path), list(sys.argv), Path.cwd()
    return *paths, sys.dont_write_bytecode, dict(sys.modules)


def test_a_submission_is_loaded_with_the_modules_beside_it(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(SUBMISSION, {"helpers.py": "FACTOR = 2"})
    submission = load(folder)
    board = Board("Ann", "Ben")
    assert submission.heuristics["custom_score"](board, "Ann") == 98
    assert list(submission.players) == ["OwnPlayer"]
    assert [each.__name__ for each in submission.timeouts] == ["SearchTimeout"]
    assert submission.module.__name__ == "game_agent"
    assert submission.module.Board is isolation_fast.Board


def test_a_file_and_its_folder_are_the_same_submission(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(SUBMISSION, {"helpers.py": "FACTOR = 2"})
    assert load(folder).path == load(folder / "game_agent.py").path == folder / "game_agent.py"


def test_nothing_is_left_in_the_process(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(SUBMISSION, {"helpers.py": "FACTOR = 2"})
    before = process_state()
    submission = load(folder)
    assert process_state() == before
    with submission.activated():
        assert sys.modules["helpers"].FACTOR == 2
        assert (sys.path[0], Path.cwd()) == (str(folder), folder)
    assert process_state() == before


def test_a_timeout_of_a_helper_is_one_of_its_timeouts(write_submission: Callable[..., Path]) -> None:
    helpers = "class Timeout(Exception): pass\ndef score(game): raise Timeout"
    source = "import helpers\n" + SUBMISSION.replace("from helpers import FACTOR", "FACTOR = 1")
    timeouts = load(write_submission(source, {"helpers.py": helpers})).timeouts
    assert [f"{each.__module__}.{each.__name__}" for each in timeouts] == [
        "game_agent.SearchTimeout",
        "helpers.Timeout",
    ]


def test_a_submission_tells_what_it_is(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(SUBMISSION, {"helpers.py": "FACTOR = 2"})
    expected = f"<Submission '{folder / 'game_agent.py'}' of layout v2: 1 heuristics, 1 players>"
    assert repr(load(folder)) == expected


def test_a_checkout_without_the_classic_code_is_refused(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(SUBMISSION, {"helpers.py": "FACTOR = 2"})
    with pytest.raises(InvalidArgumentError, match="is not a checkout of the classic code"):
        load(folder, classic=folder)
    with pytest.raises(InvalidArgumentError, match="unknown layout 'v3'"):
        load(folder, layout="v3")  # type: ignore[arg-type]


def test_what_it_prints_at_import_is_let_through(
    write_submission: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    load(write_submission("print('hello')\ndef custom_score(game, player): return 1.0"))
    assert capsys.readouterr().out == "hello\n"
