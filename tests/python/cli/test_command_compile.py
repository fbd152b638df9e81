"""`isolation-fast compile`: its table, its JSON, its exit status, its errors."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import cli
from isolation_fast.programs import program_in, program_text
from tests.python.compiled.conftest import (
    Compiler,
    always_bailing,
    compiler,  # noqa: F401 - a fixture
    difference_of_moves,
)

Write = Callable[..., Path]
SCORE = """
import random

def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(own - len(game.get_legal_moves(game.get_opponent(player))))

def custom_score_2(game, player):
    return random.random()
"""


@pytest.fixture(autouse=True)
def _compiler(compiler: Compiler) -> None:  # noqa: F811 - it is used by its name
    compiler(custom_score=difference_of_moves())


def told(capfd: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    try:
        status = cli.main(["compile", *map(str, arguments)])
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, *capfd.readouterr()


def test_it_says_which_line_keeps_a_heuristic_with_python(
    write_submission: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(SCORE)
    status, out, _ = told(capfd, file, "--json")
    first, second = json.loads(out)["heuristics"]
    assert status == 1
    assert (first["name"], second["name"]) == ("custom_score", "custom_score_2")
    assert (first["compiles"], second["compiles"]) == (True, False)
    # Two lists of moves cost more than one node in the search.
    assert first["price_ns"] > 2_000
    assert second["line"] == 1 + SCORE.split("\n").index("    return random.random()")
    assert second["message"]
    assert second["price_ns"] is None


def test_it_runs_nothing_of_the_file(
    write_submission: Write, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    file = write_submission(f"open({str(mark)!r}, 'w')\nprint('loaded')\n{SCORE}")
    status, out, err = told(capfd, file)
    assert (status, mark.exists(), "loaded" in out + err) == (1, False, False)


def test_it_measures_what_compiles(write_submission: Write, capfd: pytest.CaptureFixture[str]) -> None:
    file = write_submission(SCORE)
    status, out, _ = told(capfd, f"{file}:custom_score", "--json", "--measure")
    (found,) = json.loads(out)["heuristics"]
    assert (status, found["compiles"]) == (0, True)
    assert found["measured"]["positions"] == 200
    assert found["measured"]["bails"] == 0
    assert found["measured"]["times_faster"] > 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "{file}:custom_scor",
            "unknown heuristic of game_agent.py 'custom_scor', did you mean 'custom_score'?",
        ),
        ("{file}x", "there is no such file"),
    ],
)
def test_what_is_not_there_is_an_error(
    write_submission: Write, capfd: pytest.CaptureFixture[str], asked: str, said: str
) -> None:
    status, out, err = told(capfd, asked.format(file=write_submission(SCORE)))
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("isolation-fast: error: ")


def test_what_a_file_prints_is_no_part_of_the_answer(
    write_submission: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, err = told(capfd, write_submission("print('loaded')\n" + SCORE), "--json", "--measure")
    assert status == 1
    assert len(json.loads(out)["heuristics"]) == 2
    assert "loaded" in err


def test_it_says_where_python_answers_all_the_same(
    compiler: Compiler,  # noqa: F811 - it is used by its name
    write_submission: Write,
    capfd: pytest.CaptureFixture[str],
) -> None:
    compiler(custom_score=always_bailing())
    status, out, _ = told(capfd, f"{write_submission(SCORE)}:custom_score", "--measure")
    assert status == 0
    assert "Python answers 200 of 200 positions" in out


def test_a_program_that_is_shown_loads_again(
    write_submission: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(SCORE)
    status, out, _ = told(capfd, f"{file}:custom_score", "--show")
    assert status == 0
    assert program_text(program_in(out)) == out[out.index("isolation-fast program 1") :]
    status, out, _ = told(capfd, file, "--show")
    assert status == 1
    assert "# custom_score_2 is left to Python: line " in out
