"""`isolation-fast cost`: what it counts, what it prints, and what it says of bad input."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast import cli, cost

Write = Callable[..., Path]
SCORES = """
import random

def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(own - len(game.get_legal_moves(game.get_opponent(player))))

def custom_score_2(game, player):
    return random.random()
"""


def test_it_prints_the_cost_of_the_table_by_bands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cost", "improved", "open", "--csv"]) == 0
    header, improved, opened = capsys.readouterr().out.splitlines()
    assert header == "heuristic,cost,0-19 blank,20-24 blank,25-29 blank,30-34 blank,35-49 blank,line,why not"
    assert improved == "improved,1.0,1.0,1.0,1.0,1.0,1.0,,"
    found = cost.of("open")
    assert opened == f"open,{found.value},{','.join(map(str, found.by_band))},,"


def test_heuristics_of_a_file_are_counted_and_nothing_of_it_is_run(
    write_submission: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(f"{SCORES}\nprint('loaded')\n")
    assert cli.main(["cost", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    printed = json.loads(out)
    assert "loaded" not in err
    counted, refused = printed["heuristics"]
    assert printed["prices"] == cost.PRICES_VERSION
    assert (counted["name"], counted["line"], counted["message"]) == ("custom_score", None, None)
    assert cost.Cost.from_dict(counted).value == pytest.approx(cost.of("mobility_difference").value, rel=0.1)
    assert (refused["name"], refused["cost"], refused["bands"]) == ("custom_score_2", None, None)
    assert SCORES.splitlines()[refused["line"] - 1] == "    return random.random()"
    assert "chance" in refused["message"]


def test_one_heuristic_of_a_file_can_be_named(
    write_submission: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(SCORES)
    assert cli.main(["cost", f"{file}:custom_score", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("custom_score,0.")


def test_a_program_without_values_says_so(
    write_submission: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_submission("def custom_score(game, player):\n    return 1 / (game.width - 7)\n")
    assert cli.main(["cost", str(file), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["heuristics"]
    assert (found["cost"], found["message"]) == (
        None,
        "no turn was ended by work=2000, so a node has no cost",
    )


def test_a_variant_is_counted_under_its_own_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cost", "aggressive", "--with", "factor=1.5", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["heuristics"]
    assert found["name"] == "aggressive(factor=1.5)"
    # It differs from its base in a number alone.
    assert found["cost"] == pytest.approx(cost.of("aggressive").value, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["bsf"], "unknown heuristic 'bsf', did you mean 'bfs'? Allowed: ", None),
        (
            ["bfs", "open", "--with", "r=1"],
            "--with needs the name of one native heuristic",
            "isolation-fast cost",
        ),
        (["bfs", "--with", "r=1"], "bfs has no parameters", None),
        (["aggressive", "--with", "factor=1", "--with", "factor=3"], "--with gives factor twice", None),
        (["nowhere.py"], "nowhere.py", None),
        ([""], "unknown heuristic ''", None),
    ],
)
def test_bad_input_is_an_error_with_what_is_wrong(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str, hint: str | None
) -> None:
    assert cli.main(["cost", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    first, *rest = printed.err.splitlines()
    assert first.startswith("isolation-fast: error: ")
    assert message in first
    assert first.endswith("...") or not first.endswith(".")
    if hint is not None:
        assert rest[0].startswith(f"hint: {hint}")
