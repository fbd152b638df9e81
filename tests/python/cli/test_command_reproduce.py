"""`isolation-fast reproduce`: what it prints, that it can be repeated, and what it says of bad input."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isolation_fast import cli

TOY = ["--games", "28", "--budget", "nodes=40"]


def test_every_row_and_every_claim_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", *TOY, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "isolation-fast/study/1"
    (table,) = document["tables"]
    assert (len(table["rows"]), len(table["claims"])) == (50, 9)
    assert document["reproducible"] is True
    third = next(each for each in table["claims"] if each["id"] == "C3")
    assert third["verdict"] == "holds"
    assert "proved" in third["reason"]
    substitute = next(each for each in table["rows"] if each["row"] == "as_printed_custom_3")
    assert substitute["heuristic"] == "aggressive"


def test_the_table_says_what_was_printed_and_what_it_came_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", *TOY, "--report", "E"]) == 0
    out = capsys.readouterr().out
    assert "as_printed_custom_3 (as aggressive)" in out
    assert "64.5 %        60.4 to 68.3 %" in out
    assert "AB_Custom_3 beat improved in 8 of 10 tournaments" in out
    assert "never passes its 20 % test" in out


def test_without_a_budget_there_are_two_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "--games", "14", "--report", "B", "--row", "weighted_open", "--csv"]) == 0
    captured = capsys.readouterr()
    lines = list(csv.DictReader(io.StringIO(captured.out)))
    assert [each["budget"] for each in lines] == ["course", "nodes=23000"]
    assert {round(float(each["printed"]), 3) for each in lines} == {0.771}


def test_what_is_printed_comes_out_with_its_own_digits(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", *TOY, "--report", "C", "--row", "bfs", "--csv"]) == 0
    (line,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert line["printed"] == "0.7457"
    assert cli.main(["reproduce", *TOY, "--report", "C", "--row", "bfs"]) == 0
    assert "74.57 %" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed, workers in (("1", "1"), ("1", "2"), ("2", "1")):
        arguments = ["reproduce", *TOY, "--report", "B", "--seed", seed, "--workers", workers, "--json"]
        assert cli.main(arguments) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]


def test_it_goes_on_from_its_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["reproduce", *TOY, "--report", "B", "--json", "--journal", str(tmp_path / "kept")]
    assert cli.main(line) == 0
    whole = capsys.readouterr().out
    assert cli.main(line) == 2
    assert "hint: --resume continues from it" in capsys.readouterr().err
    for each in sorted((tmp_path / "kept").iterdir())[:2]:
        each.write_bytes(each.read_bytes()[:-30])
    assert cli.main([*line, "--resume"]) == 0
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--report", "F"], "unknown report 'F'"),
        (["--row", "bsf"], "unknown row 'bsf', did you mean 'bfs'"),
        (["--games", "100"], "games must be a multiple of 14"),
        (["--budget", "nods=3"], "'nods'"),
        (["--journal", ""], "--journal is a folder"),
        (["--resume"], "--resume needs the --journal"),
        (["--time-limit", "-1"], "--time-limit is a number of seconds above 0, not -1"),
        (["--workers", "0"], "workers must be an integer of at least 1"),
        (["--budget", "depth=3"], "continuations"),
    ],
)
def test_bad_input_is_told_and_nothing_is_printed(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [] if "--games" in arguments else ["--games", "14"]
    assert cli.main(["reproduce", *given, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_a_time_limit_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "--report", "B", "--time-limit", "1e-6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reproducible"] is False


def test_a_page_of_which_nothing_was_measured_says_so(tmp_path: Path) -> None:
    page = tmp_path / "study.md"
    line = ["reproduce", "--time-limit", "1e-6", "--budget", "nodes=9", "--machine", "m"]
    assert cli.main([*line, "--write-study", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "| repeatable | no: a clock has decided something |" in text
    assert "At `nodes=9`: nothing was measured." in text
    assert "there was no time for all games" in text
    assert "nobody changes place" not in text
    assert "Any row gives the same figures alone" not in text


def test_ctrl_c_ends_it_at_once_with_130(tmp_path: Path) -> None:
    # A process that was started in the background of a shell ignores it: this one has to hear it.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from isolation_fast import cli; sys.exit(cli.main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "reproduce", "--journal", str(tmp_path / "kept")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        waited = time.monotonic() + 120
        while not any((tmp_path / "kept").glob("*.journal")) and time.monotonic() < waited:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "--resume" in error
    assert "interrupted" in error
