"""A submission in a process without rights, as its referee sees it: the real worker, the real jail."""

import _ctypes
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import pytest

from isolation_fast import Board, Budget, jail, search
from isolation_fast.classic import serving
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError, JailError
from isolation_fast.jail import Assignment, JailedProcess, Limits, Pool
from isolation_fast.process.child import _overdrawn
from isolation_fast.reports import Move
from isolation_fast.worker import entry

Write = Callable[..., Path]
# Private to the package, so not imported.
ENGINE: Any = sys.modules["isolation_fast._native"]
EXAMPLE = Path(__file__).parents[3] / "examples" / "game_agent.py"
OPENING = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
# By the wall clock nobody is late on a machine that is busy; who sleeps is, after a while.
QUICK = Limits(load_cpu=1.0, move_cpu=0.2, wall_factor=300.0)
IMPATIENT = Limits(move_cpu=0.2, wall_factor=10.0)
HEURISTIC = """
def custom_score(game, player):
    {body}
    return float(len(game.get_legal_moves(player)))
"""
PLAYER = """
class CustomPlayer:
    def get_move(self, game, time_left):
        {body}
        return game.get_legal_moves()[0]
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Processes for the tests of this module."""
    with Pool() as made:
        yield made


@pytest.fixture
def jailed(pool: Pool, write_submission: Write) -> Iterator[Callable[..., JailedProcess]]:
    """Start a process for a submission of this text, whose member is what it defines."""
    started: list[JailedProcess] = []

    def start(text: str, limits: Limits = QUICK, **beside: str) -> JailedProcess:
        folder = write_submission(text, {f"{name}.py": content for name, content in beside.items()})
        member = "CustomPlayer" if "CustomPlayer" in text else "custom_score"
        started.append(JailedProcess.start(Assignment(folder / "game_agent.py", member), limits, pool=pool))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture
def place_of_copies() -> Iterator[Path]:
    """A folder that a process which is root no longer can pass, as that of all temporary files."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o711)
        yield Path(place)


def playing(process: JailedProcess) -> JailedProcess:
    """The same, loaded, in a game."""
    process.load(1)
    process.begin_game(OPENING, 2, 3, 0)
    return process


def ask(process: JailedProcess) -> tuple[int, int]:
    return process.move([], 150.0).move


def fault_of(process: JailedProcess, question: Callable[[JailedProcess], object]) -> Fault:
    with pytest.raises(Fault) as raised:
        question(process)
    return raised.value


def scored(process: JailedProcess) -> object:
    return process.search([], OPENING, Budget(depth=2))


def test_the_heuristics_of_the_example_play_whole_games(pool: Pool) -> None:
    for member in ("custom_score", "custom_score_2"):
        with JailedProcess.start(Assignment(EXAMPLE, member), pool=pool) as process:
            loaded = process.load(1)
            assert (loaded.member_is, loaded.players) == ("heuristic", ("MinimaxPlayer", "AlphaBetaPlayer"))
            for stream in range(2):
                process.begin_game(OPENING, stream, 7, 0)
                board = Board.from_text(OPENING)
                made: list[Move] = []
                while board.get_legal_moves():
                    if board.move_count % 2 == 0:
                        answer = process.search(made, board.to_text(), Budget(nodes=500))
                        assert answer.report is not None
                        assert answer.report.nodes <= 500
                        made, move = [], answer.move
                    else:
                        move = search(board, "improved", nodes=100).move or (-1, -1)
                    assert move in board.get_legal_moves()
                    board.apply_move(move)
                    made.append(move)
            assert process.is_alive
            assert process.cpu_seconds > 0


def test_the_players_of_the_example_move(pool: Pool) -> None:
    for member in ("MinimaxPlayer", "AlphaBetaPlayer"):
        with JailedProcess.start(Assignment(EXAMPLE, member), pool=pool) as process:
            assert process.load(1).member_is == "player"
            process.begin_game(OPENING, 2, 3, 0)
            answer = process.move([], 150.0)
            assert answer.move in Board.from_text(OPENING).get_legal_moves()
            assert answer.report is None
            assert answer.cpu_seconds > 0


def test_what_is_enforced_is_known_before_anything_is_loaded(jailed: Callable[..., JailedProcess]) -> None:
    process = jailed(HEURISTIC.format(body=""))
    assert process.level.name == jail.available().name
    assert process.cpu_seconds < 0.1


@pytest.mark.parametrize(
    ("body", "limits", "ending", "detail"),
    [
        ("while True: pass", QUICK, "timeout", r"used [\d.]+ ms of CPU time \(200 ms are allowed\)"),
        ("import time; time.sleep(1000)", IMPATIENT, "timeout", "did not answer within 2 s"),
        ("import os; os.kill(os.getpid(), 19)", IMPATIENT, "timeout", "did not answer within 2 s"),
        ("import os; os._exit(3)", QUICK, "killed", "its process exited with status 3"),
        ("import os; os.kill(os.getpid(), 9)", QUICK, "killed", "its process was ended by SIGKILL"),
        ("import os; os.closerange(3, 100)", QUICK, "", ""),
    ],
)
def test_what_ends_the_process_ends_the_game_alone(
    jailed: Callable[..., JailedProcess], body: str, limits: Limits, ending: str, detail: str
) -> None:
    for text, question in ((HEURISTIC, scored), (PLAYER, ask)):
        process = playing(jailed(text.format(body=body), limits))
        fault = fault_of(process, question)
        assert not process.is_alive
        if ending:
            assert fault.ending == ending
            assert re.match(detail, fault.detail)
        assert fault_of(process, question) is fault
    assert ask(playing(jailed(PLAYER.format(body="")))) in Board.from_text(OPENING).get_legal_moves()


@pytest.mark.parametrize(
    ("body", "ending", "detail"),
    [
        ("1 / 0", "raised", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "raised", "SystemExit"),
        ("x = bytearray(10**12)", "out of memory", ""),
        ("open('/etc/passwd')", "refused", ""),
        ("import socket; socket.socket()", "refused", ""),
        ("return 'PASSED'", "bad answer", ""),
    ],
)
def test_what_the_process_tells_of_itself_leaves_it_alive(
    jailed: Callable[..., JailedProcess], body: str, ending: str, detail: str
) -> None:
    for text, question in ((HEURISTIC, scored), (PLAYER, ask)):
        process = playing(jailed(text.format(body=body)))
        fault = fault_of(process, question)
        assert (fault.ending, fault.by_clock) == (ending, False)
        assert detail in fault.detail
        assert process.is_alive


def test_the_traceback_is_that_within_the_submission(jailed: Callable[..., JailedProcess]) -> None:
    fault = fault_of(playing(jailed(HEURISTIC.format(body="1 / 0"))), scored)
    assert "1 / 0" in fault.trace
    assert "isolation_fast" not in fault.trace


def test_an_error_does_not_tell_where_this_machine_keeps_its_packages(
    jailed: Callable[..., JailedProcess],
) -> None:
    fault = fault_of(playing(jailed(HEURISTIC.format(body="from isolation_fast import nothing"))), scored)
    assert "cannot import name 'nothing' from 'isolation_fast' (isolation_fast/__init__.py)" in fault.detail
    assert fault.trace.endswith(" (isolation_fast/__init__.py)")


def test_memory_that_is_eaten_slowly_runs_out_too(jailed: Callable[..., JailedProcess]) -> None:
    limits = Limits(move_cpu=30.0, memory=600)
    process = playing(jailed(PLAYER.format(body="held = [bytearray(10**6) for _ in range(10**4)]"), limits))
    assert fault_of(process, ask).ending == "out of memory"


@pytest.mark.parametrize(
    ("text", "ending", "detail"),
    [
        ("while True: pass", "timeout", "s of CPU time (1 s are allowed)"),
        ("import os; os._exit(0)", "killed", "its process exited with status 0"),
        ("raise SystemExit(0)", "not loaded", "importing it ends the program with 0"),
        ("def custom_score(game, player:", "not loaded", ""),
        ("import nowhere", "not loaded", "nowhere"),
    ],
)
def test_what_cannot_be_loaded_says_why(
    jailed: Callable[..., JailedProcess], text: str, ending: str, detail: str
) -> None:
    fault = fault_of(jailed(text), lambda process: process.load(1))
    assert fault.ending == ending
    assert detail in fault.detail


@pytest.mark.parametrize(
    ("used", "allowed", "told"),
    [
        (0.1304, 0.125, "used 130 ms of CPU time (125 ms are allowed)"),
        (0.1252, 0.125, "used 125.2 ms of CPU time (125 ms are allowed)"),
        (0.12500004, 0.125, "used 125.00004 ms of CPU time (125 ms are allowed)"),
        (0.000002, 0.0000015, "used 0.002 ms of CPU time (0.0015 ms are allowed)"),
        (1.5, 0.9, "used 1500 ms of CPU time (900 ms are allowed)"),
        (1.02, 1.0, "used 1.02 s of CPU time (1 s are allowed)"),
        (2.34, 2.0, "used 2.3 s of CPU time (2 s are allowed)"),
    ],
)
def test_cpu_time_beyond_a_limit_is_seen_to_be(used: float, allowed: float, told: str) -> None:
    assert _overdrawn(used, allowed) == told


def test_a_library_that_it_brings_along_is_refused(pool: Pool, write_submission: Write) -> None:
    library = next(path for path in Path(_ctypes.__file__).parent.glob("*.so") if path.is_file())
    for text in ("import part", "import ctypes; ctypes.CDLL('./part.so')"):
        folder = write_submission(text, {"part.so": library.read_bytes()})
        with JailedProcess.start(Assignment(folder / "game_agent.py"), pool=pool) as process:
            fault = fault_of(process, lambda each: each.load(1))
        call = text.rpartition("; ")[2] if sys.version_info >= (3, 11) else text
        told = f"refused: {call}: the jail lets a submission load no library of its own; use Python, numpy or"
        assert fault.detail.startswith(f"{told} scipy (game_agent.py:1 in <module>; ")


def test_what_is_printed_is_kept_to_the_limit(jailed: Callable[..., JailedProcess]) -> None:
    body = "import os, sys; print('x' * 1_000_000); print('here', file=sys.stderr)"
    process = playing(jailed(PLAYER.format(body=body), Limits(output=100)))
    ask(process)
    process.close()
    assert process.output.stdout == b"x" * 100
    assert process.output.stderr == b"here\n"
    assert process.output.dropped == 1_000_001 - 100


def test_what_a_looping_player_printed_is_there(jailed: Callable[..., JailedProcess]) -> None:
    process = playing(jailed(PLAYER.format(body="print('got here')\n        while True: pass")))
    fault_of(process, ask)
    assert process.output.stdout == b"got here\n"


def test_searches_are_those_of_a_process_without_a_jail(pool: Pool) -> None:
    namespace: dict[str, object] = {}
    exec(EXAMPLE.read_text(), namespace)
    with JailedProcess.start(Assignment(EXAMPLE, "custom_score"), pool=pool) as process:
        process.load(1)
        for bits in (0, 5, 2**63 + 9):
            process.begin_game(OPENING, 2, bits, 0)
            board = ENGINE.board_in_order(OPENING, "Ann", "Ben", bits)
            expected = search(board, namespace["custom_score"], nodes=700)  # type: ignore[arg-type]
            assert process.search([], OPENING, Budget(nodes=700)).report == expected


def test_a_budget_of_work_is_refused(jailed: Callable[..., JailedProcess]) -> None:
    with pytest.raises(InvalidBudgetError, match="work=5"):
        jailed(HEURISTIC.format(body="")).search([], OPENING, Budget(work=5, cost=1.0))


def test_threads_have_processes_of_their_own(pool: Pool) -> None:
    found: list[object] = []

    def one() -> None:
        with JailedProcess.start(Assignment(EXAMPLE, "custom_score"), pool=pool) as process:
            found.append(scored(playing(process)))

    threads = [threading.Thread(target=one) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len({str(each.report) for each in found}) == 1  # type: ignore[attr-defined]
    assert len(found) == 3


def test_an_interrupted_question_ends_the_process(pool: Pool, write_submission: Write) -> None:
    file = write_submission(PLAYER.format(body="import time; time.sleep(1000)")) / "game_agent.py"
    now: list[bool] = []
    with JailedProcess.start(
        Assignment(file, "CustomPlayer"), pool=pool, interrupted=lambda: bool(now)
    ) as process:
        playing(process)
        now.append(True)
        with pytest.raises(KeyboardInterrupt):
            ask(process)
        assert not process.is_alive


def test_a_busy_process_ends_with_ours(
    write_submission: Write, tmp_path: Path, place_of_copies: Path
) -> None:
    # It looks at no pipe, so it is the kernel that has to end it.
    file = write_submission(PLAYER.format(body="while True: pass")) / "game_agent.py"
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal, tempfile\n"
        "from pathlib import Path\n"
        "from threading import Thread\n"
        "from time import sleep\n"
        "from isolation_fast.jail import Assignment, JailedProcess, Limits\n"
        f"tempfile.tempdir, file = {str(place_of_copies)!r}, Path({str(file)!r})\n"
        "process = JailedProcess.start(Assignment(file, 'CustomPlayer'), Limits(move_cpu=600))\n"
        "process.load(1)\n"
        f"process.begin_game({OPENING!r}, 2, 3, 0)\n"
        "before = process.cpu_seconds\n"
        "Thread(target=process.move, args=([], 150.0), daemon=True).start()\n"
        "while process.cpu_seconds < before + 0.1: sleep(0.01)\n"
        "print(process._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    until = monotonic() + 60
    while Path(f"/proc/{int(done.stdout)}").exists():
        assert monotonic() < until
        sleep(0.01)


def test_what_it_may_use_in_its_life_has_an_end_too(jailed: Callable[..., JailedProcess]) -> None:
    told = "import resource; raise ValueError(resource.getrlimit(resource.RLIMIT_CPU))"
    with jailed(PLAYER.format(body=told)) as process:
        assert "ValueError: (201, 202)" in fault_of(process, lambda each: ask(playing(each))).detail


# ---- copies


SHOWN = """
import os, sys, pathlib
def shown():
    here = os.getcwd()
    return f"{here}! {os.path.dirname(here)} {__file__} {sys.path[0]}: {pathlib.Path(here).parts[-2]}"
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "raise ValueError(shown())",
            "ValueError: submission! {place} game_agent.py submission: isolation-fast",
        ),
        ("raise ValueError('x' * 118 + shown())", "xxxsubmission! /"),
        ("import tempfile; tempfile.mkdtemp()", "usable temporary directory found in ['/tmp', "),
        ("return shown()", "'submission! {place} game_agent.py submission: isolation-fast'"),
    ],
)
def test_where_the_copy_was_is_not_told(
    jailed: Callable[..., JailedProcess],
    place_of_copies: Path,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
    told: str,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place_of_copies))
    found = set()
    for _ in range(2):
        process = playing(jailed(SHOWN + PLAYER.format(body=body)))
        found.add(str(fault_of(process, ask)))
        process.close()
    (text,) = found
    assert told.format(place=place_of_copies / "isolation-fast") in text
    assert "'submission']" in text or "mkdtemp" not in body


def test_where_the_copy_was_is_not_printed(jailed: Callable[..., JailedProcess]) -> None:
    for limit in (20, 25, 35, 1000):
        found = set()
        for _ in range(2):
            text = f"{SHOWN}\nprint(shown()); print(sys.path, file=sys.stderr)\n{PLAYER.format(body='')}"
            process = jailed(text, Limits(output=limit))
            process.load(1)
            process.close()
            found.add((process.output.stdout, process.output.stderr))
        assert len(found) == 1
    assert found.pop()[0].startswith(b"submission! ")


def test_where_it_failed_to_load_is_not_told(jailed: Callable[..., JailedProcess]) -> None:
    fault = fault_of(jailed(f"{SHOWN}raise ValueError(shown())"), lambda process: process.load(1))
    assert "game_agent.py:6: importing it raises ValueError: submission! /" in fault.detail
    assert fault.detail.endswith("/isolation-fast game_agent.py submission: isolation-fast")


def test_no_copy_is_left(
    jailed: Callable[..., JailedProcess], place_of_copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place_of_copies))
    for text in (PLAYER.format(body=""), "def custom_score(", PLAYER.format(body="import os; os._exit(1)")):
        with jailed(text) as process:
            assert list(place_of_copies.iterdir())
            with suppress(Fault):
                ask(playing(process))
        assert list(place_of_copies.iterdir()) == []


def test_a_file_among_others_is_played_and_reads_none_of_them(pool: Pool, write_submission: Write) -> None:
    text = "import helper\n" + PLAYER.format(body="import os; raise ValueError(sorted(os.listdir('.')))")
    folder = write_submission("", {"alice.py": text, "helper.py": "", "bob.py": "", "results.json": ""})
    with JailedProcess.start(Assignment(folder / "alice.py", "CustomPlayer"), QUICK, pool=pool) as process:
        assert "ValueError: ['alice.py', 'helper.py'] " in fault_of(playing(process), ask).detail


def test_a_submission_that_is_a_link_out_of_its_folder_is_not_loaded(pool: Pool, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "game_agent.py").symlink_to(EXAMPLE)
    with pytest.raises(Fault, match="is a link: what it leads to") as raised:
        JailedProcess.start(Assignment(tmp_path / "folder" / "game_agent.py"), pool=pool)
    assert raised.value.ending == "not loaded"


def test_a_file_that_has_changed_is_refused(pool: Pool) -> None:
    digest = sha256(EXAMPLE.read_bytes()).hexdigest()
    JailedProcess.start(Assignment(EXAMPLE, digest=digest), pool=pool).close()
    with pytest.raises(InvalidArgumentError, match=r"game_agent\.py has changed"):
        JailedProcess.start(Assignment(EXAMPLE, digest="0" * 64), pool=pool)


def test_odd_names_of_files_are_only_names(pool: Pool, tmp_path: Path) -> None:
    name = "$(touch x); `id` 'a' \"b\" é\n.py"
    (tmp_path / name).write_text(HEURISTIC.format(body=""))
    with JailedProcess.start(Assignment(tmp_path / name, "custom_score"), pool=pool) as process:
        assert scored(playing(process))


def test_what_a_submission_names_is_there(jailed: Callable[..., JailedProcess]) -> None:
    beside = "from scipy import spatial\nimport scipy.ndimage\ntree = spatial.KDTree([[0, 0]])\n"
    text = "import helper\n" + HEURISTIC.format(body="assert helper.tree.query([0, 0])[1] == 0")
    assert scored(playing(jailed(text, Limits(), helper=beside)))


def test_where_there_is_no_jail_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "isolation_fast.jail.process.available", lambda: jail.Level((), ("files", "system calls"))
    )
    with pytest.raises(JailError, match="no jail on this system"):
        JailedProcess.start(Assignment(EXAMPLE))


def test_the_public_modules_need_no_linux() -> None:
    # What is there on Linux alone is named inside functions only; so the import does without it.
    program = (
        "import os, select, signal\n"
        "for module, name in ((os, 'pidfd_open'), (select, 'poll'), (os, 'geteuid')):\n"
        "    delattr(module, name)\n"
        "import isolation_fast.jail\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_closed_stdin_of_ours_takes_no_pipe_away(write_submission: Write) -> None:
    file = write_submission(HEURISTIC.format(body="pass"), {}) / "game_agent.py"
    script = (
        "import os, sys\nos.close(0)\nfrom pathlib import Path\n"
        "from isolation_fast.jail import Assignment, JailedProcess\n"
        "with JailedProcess.start(Assignment(Path(sys.argv[1]), 'custom_score')) as process:\n"
        "    sys.stdout.write(process.load(1).member_is)\n"
    )
    command = [sys.executable, "-c", script, str(file)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "heuristic"


def test_a_python_that_a_jailed_process_cannot_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "__file__", str(tmp_path / "serving.py"))
    with pytest.raises(JailError, match=r"user 65534, .* cannot read .*serving\.py: every folder above it"):
        entry._require_readable_libraries(jail.NOBODY)
