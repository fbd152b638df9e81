"""`isolation-fast tournament`: data on stdout, all else on stderr, and what it says of bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from isolation_fast.cli import main
from isolation_fast.tournament import Gauntlet, Match, RoundRobin, run

QUICK = ["--budget", "nodes=60", "--games", "10"]


def printed(capsys: Any, *arguments: str, status: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert main(["tournament", *arguments]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_it_prints_what_the_library_finds(capsys: Any) -> None:
    settings: Any = {"budget": "nodes=60", "games": 10}
    out, _ = printed(capsys, "AB:bfs", "AB_Open", "--roster", "Random", *QUICK)
    assert out == f"{run(Gauntlet(['AB:bfs', 'AB_Open'], ['Random'], **settings).plan())}\n"
    out, _ = printed(capsys, "AB:bfs", "AB_Open", "--kind", "match", *QUICK)
    assert out == f"{run(Match('AB:bfs', 'AB_Open', **settings).plan())}\n"
    out, _ = printed(capsys, "--kind", "round-robin", *QUICK)
    assert out == f"{run(RoundRobin('classic', **settings).plan())}\n"


def test_stdout_holds_the_data_alone(capsys: Any) -> None:
    out, err = printed(capsys, *QUICK, "--json")
    document = json.loads(out)
    assert document["games"] == 70
    assert document == run(Gauntlet("AB_Improved", budget="nodes=60", games=10).plan()).to_dict()
    assert "70 games in " in err
    out, err = printed(capsys, *QUICK, "--csv")
    assert out.splitlines()[0].startswith("player,opponent,games")
    assert len(out.splitlines()) == 9
    out, _ = printed(capsys, *QUICK, "--format", "classic")
    assert out.splitlines()[0].split() == ["Match", "#", "Opponent", "AB_Improved"]


def test_the_data_are_the_same_bytes_for_any_workers(capsys: Any) -> None:
    assert printed(capsys, *QUICK, "--json", "--workers", "1")[0] == printed(capsys, *QUICK, "--json")[0]


def test_what_else_there_is_to_know_goes_to_files(capsys: Any, tmp_path: Path) -> None:
    records, timings = tmp_path / "games.jsonl", tmp_path / "timings.json"
    printed(capsys, *QUICK, "--records", str(records), "--timings", str(timings))
    assert len(records.read_text().splitlines()) == 70
    assert json.loads(timings.read_text())["games"] == 70


def test_openings_may_be_all_or_those_of_a_file(capsys: Any, tmp_path: Path) -> None:
    some = ["AB_Open", "--roster", "Random", "--budget", "depth=1", "--json"]
    assert json.loads(printed(capsys, *some, "--openings", "all")[0])["games"] == 2 * 2352
    board = ["--width", "3", "--height", "4"]
    assert json.loads(printed(capsys, *some, "--openings", "all", *board)[0])["games"] == 2 * 12 * 11
    openings = tmp_path / "openings.txt"
    openings.write_text("# two knights\n7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1\n")
    assert json.loads(printed(capsys, *some, "--openings", str(openings))[0])["games"] == 2
    _, err = printed(capsys, *some, "--openings", str(openings), *board, status=2)
    assert "--width and --height are for openings that are drawn" in err
    assert "--games is for" in printed(capsys, *some, "--openings", "all", "--games", "10", status=2)[1]
    balanced = json.loads(printed(capsys, *some, "--openings", "balanced", "--games", "12", "--seed", "3")[0])
    assert balanced["plan"]["openings"] == {
        "kind": "balanced",
        "count": 6,
        "seed": 3,
        "width": 7,
        "height": 7,
    }
    _, err = printed(capsys, *some, "--openings", "balanced", "--games", "10", status=2)
    assert "--games must be a multiple of 4 with balanced openings, not 10" in err


def test_thrown_wins_have_a_table_of_their_own_and_columns(capsys: Any) -> None:
    exact = [*QUICK, "--width", "5", "--height", "5", "--exact"]
    out, _ = printed(capsys, *exact)
    assert ["player", "blank", "won", "positions", "thrown", "away"] in [
        line.split()[:6] for line in out.splitlines()
    ]
    header = printed(capsys, *exact, "--csv")[0].splitlines()[0]
    assert "superiority,won_positions,thrown_away,unknown_positions,thrown_rate" in header
    document = json.loads(printed(capsys, *exact, "--exact-nodes", "2", "--json")[0])
    assert document["plan"]["exact"] == 2
    assert document["players"][0]["thrown"]["unknown"] > 0


def test_a_journal_is_resumed(capsys: Any, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")
    whole, _ = printed(capsys, *QUICK, "--json")
    assert printed(capsys, *QUICK, "--json", "--journal", journal, "--resume")[0] == whole
    with Path(journal).open("rb+") as file:
        file.truncate(Path(journal).stat().st_size - 7)
    out, err = printed(capsys, *QUICK, "--json", "--journal", journal, "--resume")
    assert out == whole
    assert "the last line of the journal was torn" in err
    assert "games are in the journal" in err
    _, err = printed(capsys, *QUICK, "--journal", journal, status=2)
    assert "there is a journal already" in err
    assert "hint: --resume continues from it" in err
    other = ["--budget", "nodes=61", "--games", "10"]
    _, err = printed(capsys, *other, "--journal", journal, "--resume", status=2)
    assert "the journal is of another plan: " in err


def test_a_sequential_test_ends_it(capsys: Any) -> None:
    arguments = ["AB_Improved@depth=3", "Random", "--kind", "match", "--games", "4000", "--sprt", "0.5,0.6"]
    document = json.loads(printed(capsys, *arguments, "--json")[0])
    assert document["sequential"][0]["decision"] == "H1"
    assert document["games"] < 400
    _, err = printed(capsys, "AB_Open", "AB_Center", "--kind", "match", *QUICK, "--sprt", "0.5,0.51")
    assert "hint: the test is undecided: begin again with more --games" in err


def test_options_may_stand_between_players(capsys: Any) -> None:
    together, _ = printed(capsys, "AB_Open", "Random", "--kind", "match", *QUICK)
    assert printed(capsys, "AB_Open", "--kind", "match", *QUICK, "Random")[0] == together
    assert printed(capsys, "--kind", "match", "AB_Open", *QUICK, "Random")[0] == together


def test_a_file_that_has_changed_is_named_where_a_journal_is_of_another_plan(
    capsys: Any, tmp_path: Path
) -> None:
    agent, journal = tmp_path / "agent.py", str(tmp_path / "journal")
    agent.write_text("def custom_score(game, player):\n    return 0.0\n")
    match = [f"{agent}:custom_score", "Random", "--kind", "match", "--budget", "depth=1", "--games", "2"]
    printed(capsys, *match, "--journal", journal)
    agent.write_text("def custom_score(game, player):\n    return 1.0\n")
    _, err = printed(capsys, *match, "--journal", journal, "--resume", status=2)
    assert "of another plan: 'agent.py:custom_score' has changed: " in err


def test_files_in_two_folders_are_given_names(capsys: Any, tmp_path: Path) -> None:
    files = []
    for name in ("alice", "bob"):
        files.append(tmp_path / name / "game_agent.py")
        files[-1].parent.mkdir()
        files[-1].write_text("def custom_score(game, player):\n    return 0.0\n")
    _, err = printed(capsys, *(f"{each}:custom_score" for each in files), "--kind", "match", status=2)
    assert "names leave out the folder, so name them, as in 'mine=FOLDER/game_agent.py:custom_score'" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AB_Imroved"], "unknown player 'AB_Imroved', did you mean 'AB_Improved'?"),
        (["--roster", "clasic"], "did you mean 'classic'?"),
        (["--budget", "nods=3"], "unknown option 'nods', did you mean 'nodes'?"),
        (["--budget", "2000"], "'2000' does not say what it limits: write nodes=2000 or ms=2000"),
        (["--budget", "150ms"], "write ms=150"),
        (["--budget", "time=150"], "write ms=150"),
        (["MM_Open@4"], "write depth=4"),
        (["--games", "3"], "games must be even"),
        (["--games", "0"], "games"),
        (["--workers", "0"], "workers must be an integer of at least 1, not 0"),
        (["--kind", "match", "AB_Open"], "a match is between two players, not 1"),
        (["--kind", "match", "AB_Open", "Random", "--roster", "early"], "a match has no roster"),
        (["--kind", "round-robin", "--format", "classic"], "not for a round robin"),
        (["--exact-nodes", "5"], "--exact-nodes goes with --exact"),
        (["--resume"], "--resume needs the --journal"),
        (["--sprt", "0.5"], "--sprt takes H0,H1 or H0,H1,ALPHA,BETA, such as 0.5,0.55, not '0.5'"),
        (["--sprt", "0.6,0.5"], "h0 must be below h1"),
        (["AB_Open", "AB:bfs", "--sprt", "0.5,0.6"], "for a gauntlet of one test player"),
        (["--openings", "nowhere.txt"], "nowhere.txt"),
        (["--records", "no/such/folder/games"], "No such file"),
        (["nowhere/game_agent.py:custom_score"], "nowhere/game_agent.py"),
        (["AB:continuations@depth=3"], "continuations"),
        (["--width", "0"], "width"),
        (["--budget", f"nodes={10**20}"], f"nodes must be at most {2**63 - 1}, not {10**20}"),
        (["AB:bfs@depth=4294967296"], f"depth must be at most {2**31 - 1}, not 4294967296"),
        (["--memory", "100"], "memory in MiB must be an integer from 256 to 1,048,576, not 100"),
        (["--move-cpu", "1e12"], "move_cpu must be a number above 0 and at most 86,400"),
    ],
)
def test_bad_input_is_named(arguments: list[str], message: str, capsys: Any) -> None:
    out, err = printed(capsys, *arguments, status=2)
    assert out == ""
    assert err.startswith("isolation-fast: error: ")
    assert message in err
    assert "Traceback" not in err


def test_two_options_do_not_name_one_file(capsys: Any, tmp_path: Path) -> None:
    path, link, openings = tmp_path / "file", tmp_path / "link", tmp_path / "openings"
    link.symlink_to(path)
    openings.write_text("7x7 7/7/7/7/7/7/7 - - 1\n")
    for one, other in (("journal", "records"), ("journal", "timings"), ("records", "timings")):
        _, err = printed(capsys, *QUICK, f"--{one}", str(path), f"--{other}", str(link), status=2)
        assert f"--{one} and --{other} name the same file: {path}" in err
    given = ["--openings", str(openings), "--timings", str(openings)]
    assert "name the same file" in printed(capsys, "AB_Open", *given, status=2)[1]
    assert not path.exists()
    part = ["--journal", f"{path}.part", "--records", str(path)]
    assert "journal and records must be two files" in printed(capsys, *QUICK, *part, status=2)[1]


def test_timings_that_cannot_be_written_are_refused_before_anything_is_played(
    capsys: Any, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    for path in (tmp_path, tmp_path / "no folder" / "timings"):
        _, err = printed(capsys, *QUICK, "--journal", str(journal), "--timings", str(path), status=2)
        assert "error: the timings cannot be written" in err
        assert not journal.exists()


def test_a_file_without_members_allows_none(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("x = 1\n")
    _, err = printed(capsys, f"{file}:custom_score", status=2)
    assert "unknown heuristic or player of game_agent.py 'custom_score'. There is none" in err


@pytest.mark.parametrize("option", ["--timings", "--records", "--journal"])
def test_nothing_is_written_over_the_file_of_a_player(option: str, capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    source = "def custom_score(game, player):\n    return 0.0\n"
    file.write_text(source)
    for players in ([f"{file}:custom_score"], ["AB_Open", "--roster", f"mine={file}:custom_score"]):
        _, err = printed(capsys, *players, option, str(file), status=2)
        assert f"{option} names the file of a player: {file}" in err
    assert file.read_text() == source


def test_what_is_no_journal_is_left_alone(capsys: Any, tmp_path: Path) -> None:
    keep = tmp_path / "keep.txt"
    keep.write_text("hello world, no newline")
    _, err = printed(capsys, *QUICK, "--journal", str(keep), "--resume", status=2)
    assert "no journal of a tournament" in err
    assert keep.read_text() == "hello world, no newline"
    assert (
        "a journal must be a regular file" in printed(capsys, *QUICK, "--journal", "/dev/full", status=2)[1]
    )


def test_a_full_disk_is_told(capsys: Any) -> None:
    out, err = printed(capsys, *QUICK, "--records", "/dev/full", status=2)
    assert out == ""
    assert "the records cannot be written: No space left on device" in err


def test_a_closed_output_is_told(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    command = [sys.executable, "-m", "isolation_fast", "tournament", *QUICK, "--journal", str(journal)]
    for closed, status in ((">&-", 2), ("2>&-", 0)):
        shell = ["sh", "-c", f'"$@" {closed}', "sh", *command]
        done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == status
        assert "Traceback" not in done.stderr
        assert journal.exists() is (status == 0)


def interrupted(journal: Path, *arguments: str, lines: int, times: int = 1) -> tuple[int, str, str]:
    """A tournament that is interrupted once there are so many lines in its journal."""
    # Whoever started the tests may have the signal ignored, which a child inherits.
    program = (
        "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.argv = sys.argv[2:]; runpy.run_module('isolation_fast', run_name='__main__', alter_sys=False)"
    )
    command = ["-m", "isolation_fast", "tournament", *arguments, "--journal", str(journal)]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    backstop = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < backstop
        time.sleep(0.02)
    for _ in range(times):
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.03)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_ctrl_c_prints_the_table_so_far_and_how_to_go_on(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    arguments = ["AB:bfs", "--budget", "nodes=100", "--games", "20000"]
    for times in (1, 3):
        status, out, err = interrupted(journal, *arguments, lines=9, times=times)
        assert status == 130
        assert "AB:bfs" in out
        assert "so far" in out
        assert "isolation-fast: interrupted" in err
        assert f"--journal {journal} --resume" in err
        journal.unlink()
