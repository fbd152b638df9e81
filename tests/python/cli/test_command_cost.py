"""`isolation-fast cost`: what it measures, what it prints, and what it says of bad input."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast import cli, cost

Write = Callable[..., Path]

# It counts its calls, prints, opens a file beside it and reads its player.
SUBMISSION = """
import os, sys

class AlphaBetaPlayer:
    score_weight = 2.0
    def get_move(self, game, time_left):
        return (-1, -1)

def custom_score(game, player):
    print("printed by the heuristic")
    print("printed past everybody", file=sys.__stdout__)
    os.write(1, b"written to the descriptor\\n")
    open("beside.txt").close()
    return player.score_weight + min(player.time_left(), 1)

def custom_score_2(game, player):
    return 1 / 0

def custom_score_3(game, player):
    raise SystemExit("enough")

def listed(game, player):
    return [1.0]

class Ended(BaseException):
    pass

def ending_score(game, player):
    if game.get_legal_moves(player):
        raise Ended("for good")
    return 0.0
"""
# What is said where no bar can be shown.
MEASURING = "isolation-fast: measuring 1 heuristic"
BESIDE: dict[str, str | bytes] = {"beside.txt": ""}


def test_it_prints_the_measured_cost_beside_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cost", "improved", "null", "--rounds", "1", "--csv"]) == 0
    header, improved, null = capsys.readouterr().out.splitlines()
    # Each has its columns for the bands, where one of them varies.
    assert header.startswith("heuristic,cost,spread %,")
    assert header.endswith(",table")
    # One round lies apart from nothing.
    assert improved.startswith("improved,1.0,,")
    assert improved.endswith(",1.0")
    assert null.startswith("null,")
    assert null.endswith(f",{cost.of('null').value}")


def test_a_function_of_a_submission_is_measured_as_its_player_would_ask_it(
    write_submission: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = write_submission(SUBMISSION, BESIDE)
    assert cli.main(["cost", f"{folder}:custom_score", "--rounds", "1", "--json"]) == 0
    printed = capfd.readouterr()
    document = json.loads(printed.out)
    (entry,) = document.pop("heuristics")
    assert document == {"bands": list(cost.BANDS), "nodes": cost.NODES, "rounds": 1, "seed": 0, "node": None}
    assert list(entry) == ["name", "cost", "spread", "bands"]
    assert entry["name"] == "custom_score"
    for written in ("printed by the heuristic", "printed past everybody", "written to the descriptor"):
        assert written in printed.err
    # The name of the folder, or any other path, is in nobody's way who compares two runs.
    assert str(folder) not in printed.out


def test_what_it_prints_as_json_is_a_table_to_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["cost", "improved", "--json"]) == 0
    (tmp_path / "costs.json").write_text(capsys.readouterr().out)
    assert cost.load(tmp_path / "costs.json").of("improved") == cost.Cost(1.0)


def test_functions_of_one_name_are_told_apart_by_their_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for person in ("ann", "ben"):
        (tmp_path / person).mkdir()
        for name in ("custom_score", "bfs"):
            with (tmp_path / person / "game_agent.py").open("a") as file:
                file.write(f"def {name}(game, player): return 0.0\n")
    words = [
        f"{tmp_path}/{each}" for each in ("ann:custom_score", "ben/game_agent.py:custom_score", "ann:bfs")
    ]
    assert cli.main(["cost", *words, words[0], "--rounds", "1", "--json"]) == 0
    printed = capsys.readouterr().out
    names = [entry["name"] for entry in json.loads(printed)["heuristics"]]
    tail = "game_agent.py:"
    assert names == [f"ann/{tail}custom_score", f"ben/{tail}custom_score", f"{tail}bfs"]
    (tmp_path / "costs.json").write_text(printed)
    table = cost.load(tmp_path / "costs.json")
    assert table.of(words[1]) == table.by_name[names[1]]


def test_a_variant_is_measured_under_its_own_name(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["aggressive", "--with", "factor=1.5", "--rounds", "1"]
    assert cli.main(["cost", *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["heuristics"][0]["name"] == "aggressive(factor=1.5)"
    assert cli.main(["cost", *options, "--csv"]) == 0
    # The table has that of its base.
    assert capsys.readouterr().out.splitlines()[1].endswith(f",{cost.of('aggressive').value}")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([], "name a heuristic, or give --all", "isolation-fast cost --help"),
        (["--all", "bfs"], "name heuristics or give --all, not both", "isolation-fast cost --help"),
        (["bfs", "--rounds", "0"], "--rounds must be an integer of at least 1, not 0", None),
        (["bsf"], "unknown heuristic 'bsf', did you mean 'bfs'? Allowed: ", None),
        (["{file}"], "which function of {file}?", "isolation-fast cost {file}:custom_score"),
        (["{file}:custom_scor"], "'custom_scor', did you mean 'custom_score'? Allowed: ", None),
        (["{file}:listed"], "'listed' is in game_agent.py, but it is not a heuristic", None),
        (["bfs", "open", "--with", "r=1"], "--with needs the name of one native heuristic", None),
        (["{file}:custom_score", "--with", "r=1"], "--with needs the name of one native heuristic", None),
        (["bfs", "--with", "r=1"], "bfs has no parameters", None),
        (["aggressive", "--with", "factor=1", "--with", "factor=3"], "--with gives factor twice", None),
        (["nowhere.py:custom_score"], "nowhere.py: there is no such file", None),
        (["{file}:custom_score_2"], "custom_score_2 cannot be measured: ZeroDivisionError: ", None),
        (
            ["{file}:custom_score_2", "--no-jail"],
            "custom_score_2 cannot be measured: ZeroDivisionError: ",
            "raised by the",
        ),
        (["{file}:ending_score"], "ending_score cannot be measured: Ended: for good", None),
        ([""], "unknown heuristic ''", None),
        (["{file}:custom_score_3"], "custom_score_3 cannot be measured: SystemExit: enough", None),
    ],
)
def test_bad_input_is_an_error_with_what_is_wrong(
    write_submission: Write,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
    hint: str | None,
) -> None:
    file = write_submission(SUBMISSION, BESIDE) / "game_agent.py"
    assert cli.main(["cost", *(each.format(file=file) for each in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    first, *rest = [line for line in printed.err.splitlines() if not line.startswith(MEASURING)]
    assert first.startswith("isolation-fast: error: ")
    assert message.format(file=file) in first
    assert first.endswith("...") or not first.endswith(".")
    if hint is not None:
        assert rest[0].startswith(f"hint: {hint.format(file=file)}")


WAITING = """
import sys, time
def custom_score(game, player):
    print("asked", file=sys.stderr, flush=True)
    time.sleep(60)
    return 0.0
"""
# Whoever started the tests may ignore Ctrl-C.
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from isolation_fast.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_ends_a_measurement_at_once(write_submission: Write) -> None:
    word = f"{write_submission(WAITING)}:custom_score"
    command = [sys.executable, "-c", COMMAND, "cost", word, "--no-jail"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(MEASURING)
        assert running.stderr.readline() == "asked\n"
        running.send_signal(signal.SIGINT)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed, said) == (130, "", "isolation-fast: interrupted\n")


def test_ctrl_c_ends_it_in_the_jail_too(write_submission: Write) -> None:
    command = [sys.executable, "-c", COMMAND, "cost", f"{write_submission(WAITING)}:custom_score"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(MEASURING)
        # Wherever it is by then: in the heuristic, most likely.
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (130, "")
    assert said.endswith("isolation-fast: interrupted\n")
