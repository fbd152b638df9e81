"""`isolation-fast run`: a script runs as `python` runs it, but for the modules that it finds.

What Python itself does is not stated here but tried: the same file is given to both, and what comes out must
be the same.
"""

import os
import signal
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

RUN = [sys.executable, "-m", "isolation_fast", "run"]
COMMAND = str(Path(sysconfig.get_path("scripts"), "isolation-fast"))

CLASSIC = """
import isolation, isolation_fast, sample_players
print(isolation.Board is isolation_fast.Board, sample_players.__file__)
"""
FIRST_PLAYER = "class CustomPlayer:\n    def get_move(self, game, legal_moves, time_left): return (-1, -1)\n"
LATER_PLAYER = "class MinimaxPlayer:\n    def get_move(self, game, time_left): return (-1, -1)\n"
WHICH = "import sample_players\nprint(sample_players.RandomPlayer.get_move.__code__.co_argcount)\n"
V1, V2 = "4\n", "3\n"


def started(
    start: list[str], *arguments: str, cwd: Path, **settings: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **settings}
    return subprocess.run(
        [*start, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in that folder."""
    return started(RUN, *arguments, cwd=cwd)


def behaviour(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def same_as_python(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    """What Python does with these arguments, which we must do as well."""
    expected = behaviour(started([sys.executable], *arguments, cwd=cwd))
    assert behaviour(run(*arguments, cwd=cwd)) == expected
    return expected


def written(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        folder.joinpath(f"{name}.py").write_text(source, encoding="utf-8")
    return folder


# What the script finds


def test_a_script_finds_our_board_and_players(tmp_path: Path) -> None:
    done = run("own.py", cwd=written(tmp_path, own=CLASSIC))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("True ")


SHOW = """
import sys
for name, value in list(globals().items()):
    if name != "sys":
        print(name, repr(value).partition(" object at")[0])
print(sys.argv, sys.path, sys.modules["__main__"].__dict__ is globals(), sys.getrecursionlimit() >= 1000)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["own.py"],
        ["./own.py", "-h", "--", "--layout", "-m"],
        ["../here/own.py", "a b"],
        ["link.py", "--version"],
        ["-m", "own", "-h", "--"],
        ["-m", "package", "x"],
        ["package", "x"],
        ["package/"],
        ["packed.zip", "x"],
    ],
    ids=" ".join,
)
def test_main_argv_and_path_are_what_python_gives(arguments: list[str], tmp_path: Path) -> None:
    here = tmp_path / "here"
    (here / "package").mkdir(parents=True)
    (here / "elsewhere").mkdir()
    written(here, own=SHOW)
    written(here / "package", __main__=SHOW)
    written(here / "elsewhere", own=SHOW)
    (here / "link.py").symlink_to(Path("elsewhere", "own.py"))
    with zipfile.ZipFile(here / "packed.zip", "w") as archive:
        archive.writestr("__main__.py", SHOW)
    status, _, errors = same_as_python(*arguments, cwd=here)
    assert (status, errors) == (0, "")


def test_with_m_comes_the_module_joined_or_not(tmp_path: Path) -> None:
    written(tmp_path, own="import sys; print(sys.argv[1:])")
    for arguments in (["-m", "own", "-m"], ["-mown", "-m"]):
        assert run(*arguments, cwd=tmp_path).stdout == "['-m']\n"


def test_modules_beside_the_script_are_found_from_everywhere(tmp_path: Path) -> None:
    written(tmp_path, own="import helper", helper="print('helper')")
    assert run(str(tmp_path / "own.py"), cwd=Path(__file__).parent).stdout == "helper\n"


def test_a_module_beside_the_script_may_bear_the_name_of_one_that_we_use_elsewhere(tmp_path: Path) -> None:
    names = ["csv", "json", "multiprocessing", "platform", "subprocess", "tabulate", "tqdm"]
    source = "".join(f"import {name}\nprint({name}.__file__)\n" for name in names)
    written(tmp_path, own=source, **dict.fromkeys(names, ""))
    # Started by its name: `python -m` puts the current folder first already when it starts us.
    done = started([COMMAND, "run"], "own.py", cwd=tmp_path)
    assert done.stdout.splitlines() == [str(tmp_path / f"{name}.py") for name in names]


def test_unittest_runs_a_classic_test_module(tmp_path: Path) -> None:
    source = """
import unittest
from importlib import reload
import isolation
import game_agent
class Case(unittest.TestCase):
    def test_reload(self):
        for module in (game_agent, isolation): reload(module)
        self.assertEqual(isolation.Board("a", "b").width, 7)
        self.assertEqual(game_agent.Board, isolation.Board)
    def test_fails(self):
        self.assertTrue(False)
"""
    written(tmp_path, agent_test=source, game_agent="from isolation import *\nfrom sample_players import *\n")
    for arguments in (["unittest", "agent_test"], ["unittest", "discover", "-p", "*_test.py"]):
        done = run("-m", *arguments, cwd=tmp_path)
        assert done.returncode == 1
        assert "FAILED (failures=1)" in done.stderr
        assert "Ran 2 tests" in done.stderr
    done = run("-m", "unittest", "agent_test.Case.test_reload", cwd=tmp_path)
    assert done.returncode == 0


def test_pytest_runs_a_classic_test_module(tmp_path: Path) -> None:
    source = "import isolation, isolation_fast\ndef test(): assert isolation.Board is isolation_fast.Board\n"
    written(tmp_path, test_own=source)
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


# How it ends

ENDINGS = {
    "normally": "print(1)",
    "text": "import sys; sys.exit('text')",
    "status": "import sys; sys.exit(3)",
    "none": "raise SystemExit",
    "os_exit": "import os; print(1, flush=True); os._exit(7)",
    "error": "def f(): {}['key']\nf()",
    "chain": "try: {}['key']\nexcept KeyError as error: raise ValueError('outer') from error",
    "context": "try: {}['key']\nexcept KeyError: 1 / 0",
    "bad_text": "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E",
    "hook": "import sys\nsys.excepthook = lambda t, e, tb: print(t, e, tb.tb_frame.f_code.co_name)\n1 / 0",
    "bad_hook": "import sys\ndef hook(*_): raise KeyError('hook')\nsys.excepthook = hook\n1 / 0",
    "exit_in_hook": "import sys\nsys.excepthook = lambda *_: sys.exit(9)\n1 / 0",
    "no_hook": "import sys\ndel sys.excepthook\n1 / 0",
    "no_callable_hook": "import sys\nsys.excepthook = None\n1 / 0",
    "missing_module": "import no_such_module",
    "syntax": "def f(\n    x = \n",
    "syntax_of_a_module": "import broken",
    "indentation": "if 1:\nprint(1)\n",
    "recursion": "def f(): f()\nf()",
    "atexit": "import atexit\natexit.register(print, 'at exit')\n1 / 0",
    "thread": (
        "import threading, time\n"
        "def work(): time.sleep(0.3); print('worked')\n"
        "threading.Thread(target=work).start()\n1 / 0"
    ),
    "error_in_thread": "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start(); t.join()",
    "pickle": "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)",
    "future": "def f(x: int): pass\nprint(f.__annotations__, 'annotations' in dir())",
    "warning": "import warnings\nwarnings.warn('old', DeprecationWarning)\nprint('\\d')",
    "processes": (
        "import multiprocessing\n"
        "def square(x): return x * x, __name__\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(square, [1, 2]))\n"
    ),
    "own_interrupt": "class K(KeyboardInterrupt): pass\nraise K('mine')",
}


@pytest.mark.parametrize("name", list(ENDINGS))
def test_a_script_ends_as_it_does_under_python(name: str, tmp_path: Path) -> None:
    written(tmp_path, own=ENDINGS[name], broken="def f(\n")
    same_as_python("own.py", cwd=tmp_path)


@pytest.mark.parametrize("name", ["normally", "status", "error", "syntax", "hook", "recursion", "atexit"])
def test_a_module_ends_as_it_does_under_python(name: str, tmp_path: Path) -> None:
    written(tmp_path, own=ENDINGS[name])
    same_as_python("-m", "own", cwd=tmp_path)


def test_a_missing_module_is_missed_as_python_misses_it(tmp_path: Path) -> None:
    status, _, errors = same_as_python("-m", "no_such_module", cwd=tmp_path)
    assert status == 1
    assert "no_such_module" in errors


@pytest.mark.parametrize(
    "source",
    [
        b"# -*- coding: latin-1 -*-\nprint('caf\xe9')\n",
        b"\xef\xbb\xbfprint('caf\xc3\xa9')\r\n1 / 0\r\n",
    ],
    ids=["declared", "mark"],
)
def test_a_script_is_read_in_its_encoding(source: bytes, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_bytes(source)
    same_as_python("own.py", cwd=tmp_path)


@pytest.mark.parametrize("source", [b"print(1)\n# caf\xe9\n", b"name = 'caf\xe9'\n"], ids=["comment", "text"])
def test_a_script_in_an_encoding_that_it_does_not_declare_is_refused(source: bytes, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_bytes(source)
    expected = started([sys.executable], "own.py", cwd=tmp_path)
    done = run("own.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout) == (1, "")
    # Python 3.10 counts the line otherwise and names another page.
    assert done.stderr.partition(" on line ")[0] == expected.stderr.partition(" on line ")[0]
    assert done.stderr.startswith("SyntaxError: Non-UTF-8 code starting with '\\xe9' in file ")


def test_an_interrupted_script_dies_of_the_signal_after_its_traceback(tmp_path: Path) -> None:
    source = "import atexit\natexit.register(print, 'at exit')\nraise KeyboardInterrupt\n"
    status, out, errors = same_as_python("own.py", cwd=written(tmp_path, own=source))
    assert (status, out) == (-signal.SIGINT, "at exit\n")
    assert errors.endswith("KeyboardInterrupt\n")


def test_a_signal_from_outside_interrupts_the_script(tmp_path: Path) -> None:
    source = "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"
    written(tmp_path, own=source)
    with subprocess.Popen(
        [*RUN, "own.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests may have them ignore it, and a new process inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert "own.py" in errors
    assert "isolation_fast" not in errors


def test_a_script_whose_reader_is_gone_ends_as_under_python(tmp_path: Path) -> None:
    written(tmp_path, own="print('x' * 100)\n", more="print('x' * 1_000_000, flush=True)\n")
    for name in ("own.py", "more.py"):
        statuses = []
        for start in ([sys.executable], RUN):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run(
                [*start, name], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
            )
            os.close(writing)
            statuses.append((done.returncode, done.stderr))
        assert statuses[0] == statuses[1]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("layout", ["v1", "v2"])
def test_new_processes_find_the_same_modules(method: str, layout: str, tmp_path: Path) -> None:
    source = f"""
import multiprocessing
import sample_players
from isolation import Board
def work(board): return sample_players.RandomPlayer.get_move.__code__.co_argcount, type(board) is Board
if __name__ == "__main__":
    with multiprocessing.get_context({method!r}).Pool(1) as pool: print(pool.map(work, [Board("a", "b")]))
"""
    written(tmp_path, own=source, isolation="class Board: pass", sample_players="class RandomPlayer: pass")
    for arguments in (["own.py"], ["-m", "own"]):
        done = run("--layout", layout, *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, f"[({3 + (layout == 'v1')}, True)]\n")
        assert len(done.stderr.splitlines()) == 1


# What it says of itself


def test_a_script_that_is_not_there_is_our_error(tmp_path: Path) -> None:
    written(tmp_path, tournament="")
    done = run("tournament", "x", cwd=tmp_path)
    assert behaviour(done) == (
        2,
        "",
        "isolation-fast: error: there is no script 'tournament'\nhint: there is 'tournament.py'\n",
    )
    done = run("-", cwd=tmp_path)
    assert behaviour(done)[:2] == (2, "")
    assert done.stderr.startswith("isolation-fast: error: there is no script '-'\n")


def test_a_folder_without_a_main_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("empty", cwd=tmp_path)
    assert behaviour(done)[:2] == (2, "")
    assert done.stderr == "isolation-fast: error: there is no __main__.py in 'empty', so it is no script\n"


def test_nothing_to_run_is_our_error(tmp_path: Path) -> None:
    for arguments in ([], ["--keep-local"], ["-m"]):
        done = run(*arguments, cwd=tmp_path)
        assert behaviour(done)[:2] == (2, "")
        assert done.stderr.startswith("isolation-fast: error: ")


def test_a_layout_that_does_not_exist_is_refused_with_those_that_do(tmp_path: Path) -> None:
    written(tmp_path, own=WHICH)
    for arguments in (["--layout", "v3"], ["--layout=first"]):
        done = run(*arguments, "own.py", cwd=tmp_path)
        assert behaviour(done)[:2] == (2, "")
        assert "Allowed: 'v1', 'v2'" in done.stderr


def test_an_option_that_does_not_exist_is_refused_in_front_of_the_script(tmp_path: Path) -> None:
    written(tmp_path, own="print('run')")
    done = run("--keep", "own.py", cwd=tmp_path)
    assert behaviour(done)[:2] == (2, "")
    assert "--keep" in done.stderr
    assert run("--", "own.py", "--keep", cwd=tmp_path).stdout == "run\n"


# Which layout it serves


def test_the_layout_is_the_one_that_is_asked_for(tmp_path: Path) -> None:
    written(tmp_path, own=WHICH)
    assert run("--layout", "v1", "own.py", cwd=tmp_path).stdout == V1
    assert run("--layout=v2", "own.py", cwd=tmp_path).stdout == V2
    assert run("own.py", cwd=tmp_path).stdout == V2


def test_the_layout_is_that_of_the_game_agent_beside_the_script(tmp_path: Path) -> None:
    written(tmp_path, own=WHICH, game_agent=FIRST_PLAYER)
    assert run("own.py", cwd=tmp_path).stdout == V1
    assert run("-m", "own", cwd=tmp_path).stdout == V1
    written(tmp_path, game_agent=LATER_PLAYER)
    assert run("own.py", cwd=tmp_path).stdout == V2
    written(tmp_path, game_agent="print 'Python 2'")
    assert run("own.py", cwd=tmp_path).stdout == V2


def test_the_layout_is_that_of_what_the_script_imports(tmp_path: Path) -> None:
    (tmp_path / "players").mkdir()
    (tmp_path / "players" / "__init__.py").touch()
    written(tmp_path / "players", first=FIRST_PLAYER, unrelated=LATER_PLAYER, base="from . import first")
    written(
        tmp_path, own=f"{WHICH}def later():\n    from players.base import first\n", unrelated=LATER_PLAYER
    )
    assert run("own.py", cwd=tmp_path).stdout == V1


@pytest.mark.parametrize("named", [["test_mine"], ["test_mine.Which"], ["discover"], []])
def test_the_layout_is_that_of_the_tests_that_a_runner_is_given(named: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST_PLAYER)
    shown = WHICH.replace("print(", "        print(").replace("import", "        import")
    (tmp_path / "test_mine.py").write_text(
        "import mine, unittest\nclass Which(unittest.TestCase):\n    def test_it(self):\n" + shown
    )
    done = run("-m", "unittest", *named, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, V1), done.stderr


def test_the_layout_is_detected_before_anything_is_imported(tmp_path: Path) -> None:
    # Its import fails; its source says which layout it is.
    written(tmp_path, own=WHICH, game_agent=f"{FIRST_PLAYER}1 / 0\n")
    done = run("own.py", cwd=tmp_path)
    assert (done.stdout, done.stderr) == (V1, "")


def test_the_folders_own_sample_players_do_not_decide(tmp_path: Path) -> None:
    written(tmp_path, own=WHICH, sample_players=LATER_PLAYER, game_agent=FIRST_PLAYER)
    assert run("own.py", cwd=tmp_path).stdout == V1


# Where the folder brings its own


def local(tmp_path: Path) -> Path:
    (tmp_path / "isolation").mkdir()
    written(tmp_path / "isolation", __init__="from .isolation import Board", isolation="class Board: own = 1")
    source = "import isolation, isolation.isolation, sample_players as s\n"
    source += "print(hasattr(isolation.Board, 'own'), hasattr(isolation.isolation, 'TIME_LIMIT_MILLIS'))\n"
    source += "print(s.__file__ == __file__.replace('own.py', 'sample_players.py'))\n"
    return written(tmp_path, sample_players="def mine(game, player): return 1\n", own=source)


def test_ours_win_and_one_line_says_so(tmp_path: Path) -> None:
    done = run("own.py", cwd=local(tmp_path))
    assert (done.returncode, done.stdout) == (0, "False True\nFalse\n")
    places = f"{tmp_path / 'isolation'} and {tmp_path / 'sample_players.py'}"
    assert done.stderr == (
        f"isolation-fast: serves isolation and sample_players instead of {places}; --keep-local keeps those\n"
    )


def test_kept_local_theirs_win_and_nothing_is_said(tmp_path: Path) -> None:
    done = run("--keep-local", "own.py", cwd=local(tmp_path))
    assert behaviour(done) == (0, "True False\nTrue\n", "")


def test_kept_local_ours_stand_in_for_what_is_missing(tmp_path: Path) -> None:
    written(tmp_path, own=CLASSIC)
    assert run("--keep-local", "own.py", cwd=tmp_path).stdout.startswith("True ")


def test_a_heuristic_that_a_student_added_to_sample_players_is_found(tmp_path: Path) -> None:
    own = """
from sample_players import my_score, RandomPlayer
import sample_players
from sample_players import *
print(my_score(None, None), star_only, RandomPlayer.get_move.__module__, sample_players.Later)
"""
    theirs = """
import isolation, isolation_fast, random
star_only = isolation.Board is isolation_fast.Board
def my_score(game, player): return "mine"
class RandomPlayer: pass
class Later: pass
"""
    done = run("own.py", cwd=written(tmp_path, own=own, sample_players=theirs))
    assert (done.returncode, done.stdout) == (
        0,
        "mine True sample_players <class 'sample_players.Later'>\n",
    )


def test_ones_own_sample_players_run_as_a_script(tmp_path: Path) -> None:
    source = "from isolation import Board\nif __name__ == '__main__': print(Board('a', 'b').move_count)\n"
    written(tmp_path, sample_players=source)
    for arguments in (["sample_players.py"], ["-m", "sample_players"]):
        done = run(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, "0\n")


def test_a_script_that_installs_by_itself_does_not_overrule_the_command(tmp_path: Path) -> None:
    written(tmp_path, own=f"from isolation_fast import classic\nclassic.install('v2')\n{WHICH}")
    done = run("--layout", "v1", "own.py", cwd=tmp_path)
    assert (done.stdout, done.stderr) == (V1, "")
