"""`isolation-fast cost`: what it measures, what it prints, and what it says of bad input."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from isolation_fast import cli, cost

# What is said where no bar can be shown.
MEASURING = "isolation-fast: measuring 1 heuristic"


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


def test_what_it_prints_as_json_is_a_table_to_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["cost", "improved", "--json"]) == 0
    (tmp_path / "costs.json").write_text(capsys.readouterr().out)
    assert cost.load(tmp_path / "costs.json").of("improved") == cost.Cost(1.0)


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
        (["bfs", "open", "--with", "r=1"], "--with needs the name of one native heuristic", None),
        (["bfs", "--with", "r=1"], "bfs has no parameters", None),
        (["aggressive", "--with", "factor=1", "--with", "factor=3"], "--with gives factor twice", None),
        ([""], "unknown heuristic ''", None),
    ],
)
def test_bad_input_is_an_error_with_what_is_wrong(
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
    hint: str | None,
) -> None:
    assert cli.main(["cost", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    first, *rest = [line for line in printed.err.splitlines() if not line.startswith(MEASURING)]
    assert first.startswith("isolation-fast: error: ")
    assert message in first
    assert first.endswith("...") or not first.endswith(".")
    if hint is not None:
        assert rest[0].startswith(f"hint: {hint}")


# Whoever started the tests may ignore Ctrl-C.
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from isolation_fast.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_ends_a_measurement_at_once() -> None:
    command = [sys.executable, "-c", COMMAND, "cost", "bfs", "--rounds", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(MEASURING)
        running.send_signal(signal.SIGINT)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed, said) == (130, "", "isolation-fast: interrupted\n")
