"""What the jail refuses is told with the call, the rule and the way out; the course's modules work in it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Final

import pytest

from isolation_fast import Budget
from isolation_fast.endings import Fault
from isolation_fast.exceptions import EngineLockedError
from isolation_fast.jail import Assignment, JailedProcess, Limits
from isolation_fast.worker.refusals import is_refusal, refusal_line

POSITION: Final = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
SCORE: Final = "def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n"


@pytest.fixture
def process_of(tmp_path: Path) -> Callable[[str], JailedProcess]:
    def start(source: str) -> JailedProcess:
        file = tmp_path / "game_agent.py"
        file.write_text(source)
        return JailedProcess.start(Assignment(file, "custom_score"), Limits())

    return start


WRITE: Final = "the jail lets a submission write no file; remove it, or put what only your own runs need"
READ: Final = "the jail lets a submission read no file but those of its folder and of Python; "
AT_IMPORT: Final = [
    ("LOG = open('/usr/game.log', 'w')", "open('/usr/game.log', 'w')", WRITE),
    ("open(__file__, 'a')", "open(__file__, 'a')", WRITE),
    (
        "import logging\nlogging.basicConfig(filename='/usr/x.log')",
        "logging.basicConfig(filename='/usr/x.log')",
        WRITE,
    ),
    ("import os\nos.makedirs('cache/now')", "os.makedirs('cache/now')", WRITE),
    ("import os\nos.remove('game_agent.py')", "os.remove('game_agent.py')", WRITE),
    ("import json\njson.dump([], open('/usr/ä.json', 'w'))", "open('/usr/ä.json', 'w')", WRITE),
    ("import os\nNAMES = os.listdir('/home')", "os.listdir('/home')", f"{READ}put it beside game_agent.py"),
    ("CPUS = open('/proc/stat').read()", "open('/proc/stat')", f"{READ}remove it: no heuristic needs it"),
    ("import os\nCHILD = os.fork()", "os.fork()", "start no process; do it in one process"),
    ("import subprocess\nsubprocess.run(['ls'])", "subprocess.run(['ls'])", "start no process; "),
    ("import multiprocessing as m\nP = m.Pool(2)", "m.Pool(2)", "start no process; "),
    ("import socket\nS = socket.socket()", "socket.socket()", "open no connection; remove it"),
    (
        "import urllib.request as r\nr.urlopen('http://x.org')",
        "r.urlopen('http://x.org')",
        "open no connection; ",
    ),
    (
        "import urllib.request as r\nr.urlopen('http://127.0.0.1')",
        "r.urlopen('http://127.0.0.1')",
        "open no connection; ",
    ),
    (
        "import threading\nthreading.Thread().start()",
        "threading.Thread().start()",
        "start no thread; use one: ",
    ),
    ("import os\nos.kill(os.getppid(), 9)", "os.kill(os.getppid(), 9)", "send no signal; "),
    (
        "import os\nos.nice(5)",
        "os.nice(5)",
        "ask the system for nothing but memory, time and its own files; ",
    ),
]


@pytest.mark.parametrize(("line", "call", "rule"), AT_IMPORT, ids=[call for _, call, _ in AT_IMPORT])
def test_a_call_that_is_refused_at_import_is_named_with_what_to_do(
    process_of: Callable[[str], JailedProcess], line: str, call: str, rule: str
) -> None:
    with process_of(f"{line}\n{SCORE}") as process, pytest.raises(Fault) as caught:
        process.load(stream=1)
    fault = caught.value
    assert fault.ending == "not loaded"
    shown = call if sys.version_info >= (3, 11) else line.splitlines()[-1]
    assert fault.detail.startswith(f"refused: {shown}: ")
    assert rule in fault.detail
    number = len(line.splitlines())
    assert f" (game_agent.py:{number} in <module>; " in fault.detail
    assert "by itself" not in fault.detail


@pytest.mark.parametrize(("line", "call", "rule"), AT_IMPORT[:3], ids=[call for _, call, _ in AT_IMPORT[:3]])
def test_what_stands_under_the_guard_is_not_done_in_the_jail(
    process_of: Callable[[str], JailedProcess], line: str, call: str, rule: str
) -> None:
    guarded = "".join(f"    {each}\n" for each in line.splitlines())
    with process_of(f"if __name__ == '__main__':\n{guarded}{SCORE}") as process:
        assert process.load(stream=1).heuristics == ("custom_score",)


def test_a_long_call_is_cut_and_what_to_do_is_not(process_of: Callable[[str], JailedProcess]) -> None:
    source = f"LOG = open('/usr/{'x' * 150}.log', 'w')\n{SCORE}"
    with process_of(source) as process, pytest.raises(Fault) as caught:
        process.load(stream=1)
    assert f"{'x' * 20}...: {WRITE}" in caught.value.detail
    assert "(game_agent.py:1 in <module>; " in caught.value.detail


def test_a_refusal_without_a_source_is_told_by_its_error() -> None:
    error = PermissionError(errno.EACCES, "Permission denied", "x")
    assert refusal_line(error, "/nowhere") == "PermissionError: [Errno 13] Permission denied: 'x'"
    assert refusal_line(EngineLockedError("search is not for you"), None).endswith("search is not for you")


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (PermissionError(errno.EPERM, "x"), True),
        (OSError(errno.EFBIG, "x"), True),
        (OSError(errno.ENOENT, "x"), False),
        (OSError("Operation not permitted"), False),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("I can't start new thread"), False),
        (ImportError("x.so: failed to map segment from shared object"), True),
        (ImportError("x: Permission denied"), False),
        (EngineLockedError("x"), True),
        (KeyError("x"), False),
    ],
    ids=repr,
)
def test_what_is_a_refusal(error: BaseException, refused: bool) -> None:
    assert is_refusal(error) is refused


# Every module that a published submission of the course imports, but its own, with a use of each.
MODULES: Final = {
    "random": "random.random()",
    "math": "math.sqrt(4)",
    "numpy": "numpy.array([1, 2]).sum()",
    "isolation": "isolation.Board('a', 'b').width",
    "logging": "logging.getLogger('x').debug('y')",
    "sample_players": "sample_players.RandomPlayer()",
    "operator": "operator.itemgetter(0)([1])",
    "itertools": "list(itertools.product([1], [2]))",
    "collections": "collections.Counter('ab')['a']",
    "functools": "functools.lru_cache(lambda: 1)()",
    "sys": "sys.maxsize",
    "time": "time.time() + time.perf_counter()",
    "os": "os.getcwd(), os.path.exists('game_agent.py'), os.environ.get('HOME')",
    "json": "json.dumps([1])",
    "typing": "typing.List[int]",
    "pickle": "pickle.loads(pickle.dumps([1]))",
    "copy": "copy.deepcopy([1])",
    "threading": "threading.Lock().acquire(), threading.current_thread().name",
    "datetime": "datetime.datetime.now().year",
    "argparse": "argparse.ArgumentParser(prog='x').parse_args([])",
    "types": "types.SimpleNamespace(a=1).a",
}


@pytest.mark.parametrize("module", MODULES)
def test_each_module_of_published_submissions_works(
    process_of: Callable[[str], JailedProcess], module: str
) -> None:
    use = MODULES[module]
    source = f"import {module}\nFIRST = {use}\n\ndef custom_score(game, player):\n    {use}\n    return 1.0\n"
    with process_of(source) as process:
        process.load(stream=1)
        process.begin_game(POSITION, stream=2, order_bits=3, side=0)
        report = process.search([], POSITION, Budget(nodes=20)).report
        assert report is not None
        assert report.nodes == 20


@pytest.mark.parametrize(
    ("module", "package"), [("scipy.stats", "scipy"), ("sklearn.cluster", "scikit-learn")]
)
def test_a_package_that_is_not_there_is_named(
    process_of: Callable[[str], JailedProcess], module: str, package: str
) -> None:
    """Both work where they are installed: `docs/decisions/2026-11-19-nan-and-refusals.md`."""
    top = module.partition(".")[0]
    try:
        __import__(module)
    except ImportError:
        with process_of(f"import {module}\n{SCORE}") as process, pytest.raises(Fault) as caught:
            process.load(stream=1)
        told = f"it imports {top}, which is not installed; pip install {package}"
        assert caught.value.detail == f"game_agent.py:1: {told}"
    else:
        with process_of(f"import {module}\n{SCORE}") as process:
            assert process.load(stream=1).heuristics == ("custom_score",)


# As threadpoolctl does, by which scikit-learn looks for the libraries that have threads of their own.
MAPS: Final = """
import re
import numpy

def libraries():
    with open("/proc/self/maps", "rb") as maps:
        return set(re.findall(rb" (/[^\\n]+\\.so[^\\n^/]*)\\n", maps.read()))

FOUND = libraries()
assert any(b"multiarray" in each for each in FOUND), FOUND
"""
ELSEWHERE: Final = f"""
import os

def tried(path, flags=os.O_RDONLY):
    try:
        os.close(os.open(path, flags))
    except OSError as error:
        return error.errno
    return None

for path in ("{os.getpid()}/maps", "1/maps", "self/environ", "self/mem", "self/status", "self/smaps"):
    assert tried("/proc/" + path), path
assert tried("/proc/self/maps", os.O_RDWR)
assert tried("/proc/self/maps") is None
"""


def test_a_submission_sees_which_libraries_it_has_and_nothing_else_of_processes(
    process_of: Callable[[str], JailedProcess],
) -> None:
    with process_of(f"{MAPS}{ELSEWHERE}{SCORE}") as process:
        assert process.load(stream=1).heuristics == ("custom_score",)
        process.begin_game(POSITION, stream=2, order_bits=3, side=0)
        assert process.search([], POSITION, Budget(nodes=20)).report is not None


def test_a_nan_is_compared_and_counted_or_refused_as_the_referee_says(
    process_of: Callable[[str], JailedProcess],
) -> None:
    with process_of("def custom_score(game, player): return float('inf') - float('inf')") as process:
        process.load(stream=1)
        process.begin_game(POSITION, stream=2, order_bits=3, side=0)
        report = process.search([], POSITION, Budget(depth=1)).report
        assert report is not None
        assert (report.value, report.nans) == (-inf, report.nodes)
        with pytest.raises(Fault, match="NaN is neither larger nor smaller") as caught:
            process.search([], POSITION, Budget(depth=1), nan="refuse")
        assert caught.value.ending == "bad answer"
    # What it does not do is not counted.
    with process_of(SCORE) as process:
        process.load(stream=1)
        process.begin_game(POSITION, stream=2, order_bits=3, side=0)
        report = process.search([], POSITION, Budget(depth=2)).report
        assert report is not None
        assert report.nans == 0


WRITTEN: Final = """
import json, logging, os, pathlib
logging.basicConfig(filename='game.log')
logging.error('one')
with open('cache.json', 'w') as file:
    json.dump([1], file)
with open('cache.json', 'a') as file:
    file.write(' ')
assert json.load(open('cache.json')) == [1]
pathlib.Path(__file__).with_name('new.bin').write_bytes(b'x')
assert open(os.path.join(os.path.dirname(__file__), 'new.bin'), 'rb').read() == b'x'
try:
    open('large.bin', 'wb').write(bytes(2**21))
except OSError as error:
    assert error.errno == 28
else:
    raise AssertionError
"""


def test_what_it_writes_beside_itself_is_in_its_memory_alone(
    process_of: Callable[[str], JailedProcess], tmp_path: Path
) -> None:
    for _ in range(2):
        with process_of(WRITTEN + SCORE) as process:
            assert process.load(stream=1).heuristics == ("custom_score",)
            assert sorted(each.name for each in process._folder.iterdir()) == ["game_agent.py"]
