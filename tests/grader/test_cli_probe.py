"""`isolation-grade probe`, run as people run it: what it says of submissions, and how it ends."""

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import isolation_fast
from isolation_grader import __version__
from isolation_grader.cli import main
from isolation_grader.exceptions import MEANINGS, ExitStatus
from isolation_grader.probing import probe

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "game_agent.py"
QUICK = ("--games", "2", "--nodes", "30")
LONGEST = 120

HONEST = """
def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
"""
PLAYER = """
class CustomPlayer:
    def get_move(self, game, time_left):
        {0}
"""


class Graded(NamedTuple):
    """How the command ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def grade(*arguments: object) -> Graded:
    """What the command prints, in this process, whose jailed ones serve all tests."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([*map(str, arguments)])
        except SystemExit as ended:  # argparse ends by itself
            status = int(str(ended.code))
    return Graded(status, out.getvalue(), err.getvalue())


def grade_in_its_own_process(
    *arguments: object, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "isolation_grader", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST,
        check=False,
        env=None if env is None else {**os.environ, **env},
    )


def written(folder: Path, text: str, name: str = "game_agent.py") -> Path:
    file = folder / name
    file.write_text(textwrap.dedent(text), encoding="utf-8")
    return file


def found(*arguments: object) -> tuple[int, dict[str, Any]]:
    """Exit status and the JSON of a probe."""
    done = grade("probe", *arguments, "--json")
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("text", "status"),
    [(HONEST, 0), ("def custom_score(game, player):\n    return 1 / 0\n", 1), ("raise SystemExit(0)\n", 3)],
    ids=["honest", "raises", "does not load"],
)
def test_a_process_of_its_own_ends_and_prints_as_the_command_does_here(
    tmp_path: Path, text: str, status: int
) -> None:
    arguments = ("probe", written(tmp_path, text), *QUICK, "--json")
    here, there = grade(*arguments), grade_in_its_own_process(*arguments)
    assert (there.returncode, there.stdout) == (here.returncode, here.stdout)
    assert there.returncode == status


def test_it_says_its_version_and_what_it_can_do() -> None:
    assert grade("--version").stdout == f"isolation-grade {__version__}\n"
    assert "probe" in grade().stdout
    described = " ".join(grade("probe", "--help").stdout.split())
    assert all(f"{int(status)} {meaning}" in described for status, meaning in MEANINGS["probe"].items())


def test_a_submission_that_behaves_ends_with_0_and_all_its_members_have_played(tmp_path: Path) -> None:
    # The example, but that its player keeps a margin of 140 of its 150 ms.
    text, all_of_it = EXAMPLE.read_text(encoding="utf-8"), "timeout: float = 10.0"
    assert all_of_it in text
    status, document = found(written(tmp_path, text.replace(all_of_it, "timeout: float = 140.0")), *QUICK)
    assert (status, document["status"], document["loads"], document["problem"]) == (0, 0, True, None)
    assert document["heuristics"] == ["custom_score", "custom_score_2", "custom_score_3"]
    assert document["players"] == ["MinimaxPlayer", "AlphaBetaPlayer"]
    assert [each["name"] for each in document["members"]] == document["heuristics"] + document["players"]
    assert {each["games"] for each in document["members"]} == {4}
    assert all(each["won"] + each["lost"] == 4 and not each["lost_games"] for each in document["members"])
    assert document["layout"] == "v2"
    assert document["sandbox"]["name"] in ("full", "partial")


def test_the_same_probe_prints_the_same_bytes_and_times_go_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "timings.json"
    arguments = ("probe", EXAMPLE, "--members", "custom_score", *QUICK, "--seed", "3", "--json")
    first = grade_in_its_own_process(*arguments, "--timings", file)
    second = grade_in_its_own_process(*arguments)
    assert first.stdout == second.stdout
    assert "seconds" not in first.stdout
    timings = json.loads(file.read_text(encoding="utf-8"))
    [member] = timings["members"]
    assert member["name"] == "custom_score"
    assert member["moves"] > 0
    assert 0 < member["longest"] <= member["cpu_seconds"] < LONGEST
    assert 0 < timings["load_cpu_seconds"] < timings["seconds"] < LONGEST
    assert "custom_score: " in first.stderr
    assert "processor time" in first.stderr


def test_timings_that_cannot_be_written_are_refused_before_anything_is_run(tmp_path: Path) -> None:
    file = written(tmp_path, "print('I ran')\n" + HONEST)
    for timings in (tmp_path, tmp_path / "no folder" / "timings"):
        done = grade("probe", file, *QUICK, "--timings", timings)
        assert (done.returncode, done.stdout) == (2, "")
        assert "error: the timings cannot be written" in done.stderr


def test_timings_are_not_written_over_the_submission(tmp_path: Path) -> None:
    file = written(tmp_path, HONEST)
    link = tmp_path / "link"
    link.symlink_to(file)
    for submission, timings in ((file, file), (tmp_path, file), (file, link)):
        done = grade("probe", submission, *QUICK, "--timings", timings)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--timings names the file of a player: {timings}" in done.stderr
    assert file.read_text(encoding="utf-8") == HONEST


def test_another_seed_is_another_probe() -> None:
    one, other = (
        probe(EXAMPLE, members=["custom_score"], games=2, budget="nodes=30", seed=each) for each in (1, 2)
    )
    assert one != other
    assert one == probe(EXAMPLE, members=["custom_score"], games=2, budget="nodes=30", seed=1)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_any_integer_is_a_seed(seed: int) -> None:
    status, document = found(EXAMPLE, *QUICK, "--members", "custom_score", "--seed", seed)
    assert (status, document["seed"]) == (0, seed)


def test_chosen_members_play_alone_each_once() -> None:
    _, document = found(EXAMPLE, *QUICK, "--members", "custom_score_2", "MinimaxPlayer", "custom_score_2")
    assert [(each["name"], each["kind"]) for each in document["members"]] == [
        ("custom_score_2", "heuristic"),
        ("MinimaxPlayer", "player"),
    ]


def test_games_lost_by_raising_end_with_1_and_name_the_line(tmp_path: Path) -> None:
    file = written(tmp_path, HONEST + "\n\ndef custom_score_2(game, player):\n    return 1 / 0\n")
    status, document = found(file, *QUICK)
    assert (status, document["status"], document["loads"]) == (1, 1, True)
    honest, raising = document["members"]
    assert (honest["broken"], honest["lost_games"]) == (False, [])
    assert raising["broken"]
    assert raising["endings"]["raised"] == 3
    assert raising["lost_games"][0]["detail"] == (
        "ZeroDivisionError: division by zero (game_agent.py:7 in custom_score_2)"
    )


def test_the_traceback_within_the_submission_comes_with_each_lost_game(tmp_path: Path) -> None:
    deeper = "def deeper(game):\n    return 1 / 0\n"
    file = written(tmp_path, f"def custom_score(game, player):\n    return deeper(game)\n\n\n{deeper}")
    _, document = found(file, *QUICK)
    for game in document["members"][0]["lost_games"]:
        told = "\n".join(game["trace"])
        assert "line 2, in custom_score" in told
        assert "line 6, in deeper" in told
        assert str(tmp_path) not in told
    shown = grade("probe", file, *QUICK).stdout
    assert shown.count("line 6, in deeper") == 1
    _, document = found(written(tmp_path, PLAYER.format("return (-1, 3)")), "--games", "2")
    assert {tuple(each["trace"]) for each in document["members"][0]["lost_games"]} == {()}


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("return (0, 0) if game.move_count > 3 else game.get_legal_moves()[0]", "illegal move"),
        ("return 'left'", "bad answer"),
        ("raise SystemExit(0)", "raised"),
        ("import os; os._exit(0)", "killed"),
        ("open('/etc/passwd')", "refused"),
        ("import socket; socket.socket()", "refused"),
        ("return bytearray(1 << 40)", "out of memory"),
        ("\n        while True: pass", "timeout"),
    ],
)
def test_each_way_to_lose_has_its_ending_and_none_chooses_the_status(
    tmp_path: Path, body: str, ending: str
) -> None:
    file = written(tmp_path, PLAYER.format(body))
    status, document = found(file, "--games", "2", "--move-cpu", "0.5")
    assert status == 1
    [member] = document["members"]
    assert member["kind"] == "player"
    assert {each["ending"] for each in member["lost_games"]} == {ending}
    assert member["lost_games"][0]["detail"]


def test_the_position_of_an_illegal_move_is_drawn_with_it(tmp_path: Path) -> None:
    file = written(tmp_path, PLAYER.format("return (-1, 3)"))
    done = grade("probe", file, "--games", "2")
    assert done.returncode == 1
    assert "illegal move: it answered (-1, 3)" in done.stdout
    assert "     0   1   2   3   4   5   6\n0  |" in done.stdout
    _, document = found(file, "--games", "2")
    assert document["members"][0]["lost_games"][0]["position"].startswith("7x7 ")


def test_what_it_prints_is_shown_harmlessly_and_counted_beyond_what_is_kept(tmp_path: Path) -> None:
    loud = 'import sys\nprint("\\x1b[31mPASSED\\x1b[0m")\nprint("oh\\rno", file=sys.stderr)\n'
    flood = HONEST.replace("    return", '    print("A" * 999)\n    return')
    file = written(tmp_path, loud + flood)
    done = grade("probe", file, *QUICK)
    assert done.returncode == 0
    assert r"  | \x1b[31mPASSED\x1b[0m" in done.stdout
    assert r"  | oh\rno" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "more bytes were printed by custom_score, and not kept" in done.stdout
    _, document = found(file, *QUICK)
    assert document["printed"]["stdout"] == "\x1b[31mPASSED\x1b[0m\n"
    assert len(document["members"][0]["printed"]["stdout"]) == 64 * 1024
    assert document["members"][0]["printed"]["dropped"] > 0


def test_data_on_stdout_is_only_data(tmp_path: Path) -> None:
    file = written(tmp_path, "print('{}')\n" + HONEST)
    assert json.loads(grade("probe", file, *QUICK, "--json").stdout)["loads"] is True
    lines = grade("probe", file, *QUICK, "--csv").stdout.splitlines()
    assert lines[0].startswith("member,")
    assert len(lines) == 2


def test_the_sandbox_is_told_in_every_format(tmp_path: Path) -> None:
    for text in (HONEST, "raise ValueError('no')\n"):
        file = written(tmp_path, text)
        assert "sandbox: full" in grade("probe", file, *QUICK).stdout
        done = grade("probe", file, *QUICK, "--csv")
        assert "sandbox" not in done.stdout
        assert "isolation-grade: sandbox: full" in done.stderr


def test_the_time_by_the_wall_clock_can_be_set(tmp_path: Path) -> None:
    file = written(tmp_path, PLAYER.format("import time; time.sleep(600)"))
    limits = ("--move-cpu", "0.5", "--wall-factor", "1.5")
    _, document = found(file, "--games", "2", *limits)
    [detail] = {each["detail"] for each in document["members"][0]["lost_games"]}
    assert "0.75" in detail or "0.8" in detail, detail


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def custom_score(game, player:\n", "never closed"),
        ("\x00\x01\x02\x7fELF", "game_agent.py"),
        ("raise ValueError('no')\n" + HONEST, "ValueError"),
        ("import os\nos._exit(0)\n" + HONEST, "process"),
        ("raise SystemExit(0)\n" + HONEST, "ends the program"),
        ("while True: pass\n" + HONEST, "CPU"),
        ("import a_module_of_mine\n" + HONEST, "a_module_of_mine"),
        ("x = 1\n", "heuristic"),
        ("def custom_score(game, player):\n    raise NotImplementedError\n", "template"),
    ],
    ids=["syntax", "binary", "raises", "leaves", "exits", "loops", "imports", "empty", "template"],
)
def test_what_cannot_be_loaded_ends_with_3_and_says_why(tmp_path: Path, text: str, told: str) -> None:
    file = written(tmp_path, text)
    done = grade("probe", file, *QUICK, "--load-cpu", "1", "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["status"], document["loads"]) == (3, 3, False)
    assert document["members"] == []
    assert told in document["problem"]
    assert "could not be loaded" in done.stderr


def test_a_player_that_cannot_be_made_could_not_be_played(tmp_path: Path) -> None:
    made = "    def __init__(self):\n        raise ValueError('never')\n"
    file = written(tmp_path, "class CustomPlayer:\n" + made + PLAYER.format("pass").partition("\n")[2][20:])
    status, document = found(file, "--games", "2")
    assert status == 3
    assert {each["ending"] for each in document["members"][0]["lost_games"]} == {"not loaded"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.py"], "there is no such file"),
        ([EXAMPLE, "--games", "3"], "games must be even"),
        ([EXAMPLE, "--games", "0"], "games"),
        ([EXAMPLE, "--nodes", "0"], "nodes must be"),
        ([EXAMPLE, "--nodes", "5", "--budget", "depth=3"], "not allowed with"),
        ([EXAMPLE, "--budget", "many"], "many"),
        ([EXAMPLE, "--move-cpu", "0"], "move_cpu must be a number above 0 and at most 86,400, not 0.0"),
        ([EXAMPLE, "--load-cpu", "nan"], "load_cpu must be a number above 0 and at most 86,400, not nan"),
        ([EXAMPLE, "--load-cpu", "1e30"], "load_cpu must be a number above 0 and at most 86,400, not 1e+30"),
        ([EXAMPLE, "--wall-factor", "0"], "wall_factor must be a number above 0 and at most 1,000, not 0.0"),
        ([EXAMPLE, "--memory", "100"], "memory in MiB must be an integer from 256 to 1,048,576, not 100"),
        (
            [EXAMPLE, "--memory", 10**20],
            f"memory in MiB must be an integer from 256 to 1,048,576, not {10**20}",
        ),
        ([EXAMPLE, "--nodes", 10**20], f"nodes must be at most {2**63 - 1}, not {10**20}"),
        ([EXAMPLE, "--budget", "depth=4294967296"], f"depth must be at most {2**31 - 1}, not 4294967296"),
        ([EXAMPLE, "--members", "custom_scor"], "did you mean 'custom_score'?"),
        ([EXAMPLE, "--format", "jsn"], "did you mean 'json'?"),
        ([], "SUBMISSION"),
    ],
    ids=lambda each: " ".join(map(str, each))[-30:] if isinstance(each, list) else "",
)
def test_bad_usage_ends_with_2_and_says_what_is_wrong(
    arguments: list[object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["probe", *map(str, arguments)])
    except SystemExit as ended:  # argparse ends by itself
        status = int(str(ended.code))
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("isolation-grade: error: ")
    assert told in said.err
    assert "Traceback" not in said.err


def test_a_folder_without_a_submission_is_bad_usage_and_one_with_it_is_its_submission(tmp_path: Path) -> None:
    assert grade("probe", tmp_path).returncode == 2
    written(tmp_path, HONEST)
    status, document = found(tmp_path, *QUICK)
    assert (status, document["submission"]) == (0, tmp_path.name)


def test_names_for_a_shell_are_only_names(tmp_path: Path) -> None:
    name = "a $(touch pwned); `touch pwned` & 'b' \"c\" @nodes=1:d é.py"
    file = written(tmp_path, HONEST, name)
    status, document = found(file, *QUICK)
    assert (status, document["submission"]) == (0, name)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("library", ["tabulate", "argparse"])
def test_a_defect_of_the_grader_ends_with_5_and_is_not_the_submissions(tmp_path: Path, library: str) -> None:
    # A library that does not work: that of the tables, and that of the command itself.
    written(tmp_path, "raise RuntimeError('a broken library')", f"{library}.py")
    done = grade_in_its_own_process(
        "probe", EXAMPLE, env={"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    )
    assert (done.returncode, done.stdout) == (5, "")
    assert "the grader itself failed: RuntimeError: a broken library" in done.stderr


# The call by which Landlock begins, refused as containers with an old profile refuse it.
WITHOUT_LANDLOCK = """
import ctypes, errno, struct, sys
CREATE_RULESET, SECCOMP, FILTER, NO_NEW_PRIVS = 444, 22, 2, 38
LOAD, EQUAL, RETURN, ALLOW, ERRNO = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000
rules = [(LOAD, 0, 0, 0), (EQUAL, 0, 1, CREATE_RULESET)]
rules += [(RETURN, 0, 0, ERRNO | errno.ENOSYS), (RETURN, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
prctl = ctypes.CDLL(None, use_errno=True).prctl
assert prctl(NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert prctl(SECCOMP, FILTER, program, 0, 0) == 0
from isolation_grader.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("name", ["check", "probe"])
def test_less_sandbox_than_required_ends_with_6_before_anything_is_run(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, "print('I ran')\n" + HONEST)
    command = [sys.executable, "-c", WITHOUT_LANDLOCK, name, str(file), "--require-sandbox"]
    required = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    assert (required.returncode, required.stdout) == (6, "")
    assert "partial" in required.stderr
    assert "files" in required.stderr


def python_is_for_everybody() -> bool:
    """Whether another user can read what is installed, such as the one that root's submissions become."""
    places = (Path(os.__file__).resolve(), Path(isolation_fast.__file__).resolve())
    return os.geteuid() != 0 or all(folder.stat().st_mode & 1 for each in places for folder in each.parents)


def test_less_sandbox_than_full_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, HONEST)
    command = [sys.executable, "-c", WITHOUT_LANDLOCK, "probe", str(file), *QUICK]
    allowed = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, timeout=LONGEST, check=False
    )
    if not python_is_for_everybody():
        # What would let another user read it is bounded by Landlock alone.
        assert (allowed.returncode, allowed.stdout) == (5, "")
        assert "every folder above it must be passable" in allowed.stderr
        return
    assert allowed.returncode == 0, allowed.stderr
    assert json.loads(allowed.stdout)["sandbox"]["name"] == "partial"
    assert "files" in json.loads(allowed.stdout)["sandbox"]["missing"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root's rights are given up")
@pytest.mark.parametrize("kept", [(), ("+setuid", "+setgid"), ("+setuid", "+setgid", "+kill")])
def test_root_without_capabilities_grades_with_the_sandbox_that_it_can_have(
    tmp_path: Path, kept: tuple[str, ...]
) -> None:
    file = written(tmp_path, HONEST)
    to_read = () if python_is_for_everybody() else ("+dac_read_search",)
    identity = ["setpriv", f"--bounding-set={','.join(['-all', *kept, *to_read])}", "--inh-caps=-all"]
    command = [*identity, sys.executable, "-m", "isolation_grader", "probe", str(file), *QUICK, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    assert done.returncode == 0, done.stderr
    # Who cannot end a process of another user must not let it become one.
    assert json.loads(done.stdout)["sandbox"]["missing"] == ([] if "+kill" in kept else ["user"])


def test_a_sandbox_that_is_required_and_there_changes_nothing() -> None:
    status, document = found(EXAMPLE, "--members", "custom_score", *QUICK, "--require-sandbox")
    assert (status, document["sandbox"]["name"]) == (0, "full")


INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from isolation_grader.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_an_interruption_ends_it_with_130_and_leaves_no_process(tmp_path: Path) -> None:
    file = written(tmp_path, PLAYER.format("\n        while True: pass"))
    command = [sys.executable, "-c", INTERRUPTIBLE, "probe", str(file), "--move-cpu", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + LONGEST
        while not (workers := _children(running.pid)):
            assert time.monotonic() < until
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=LONGEST)
    assert (running.returncode, stdout) == (130, ""), stderr
    assert stderr.endswith("isolation-grade: interrupted\n")
    # One that had hardly begun ends by itself, once it sees that its referee is gone.
    while any(Path(f"/proc/{each}").exists() for each in workers):
        assert time.monotonic() < until
        time.sleep(0.05)


def _children(process: int) -> list[str]:
    files = Path(f"/proc/{process}/task").glob("*/children")
    return [child for file in files for child in file.read_text().split()]


def test_the_statuses_are_the_documented_ones() -> None:
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    for status in {status for each in MEANINGS.values() for status in each}:
        assert f"| {int(status)} | " in page
    assert int(ExitStatus.BROKEN_PIPE) not in [int(each) for each in MEANINGS["check"]]


def test_main_gives_the_status_to_who_calls_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "nowhere.py"]) is ExitStatus.USAGE
    assert "nowhere.py: there is no such file" in capsys.readouterr().err
