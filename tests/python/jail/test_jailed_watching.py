"""A process that is asked over pipes and watched from outside: small programs stand in for it."""

import gc
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail.pool import Pool, shared_pool
from isolation_fast.process import Child, Frame, Kind

# No timing is tested: more than this, and something hangs.
LONG = 60.0

SPEAKING = """
import os, signal, struct, sys, time
from threading import Thread
REQUESTS, ANSWERS = int(sys.argv[2]), int(sys.argv[3])
HEADER = struct.Struct("<BIQ")
MOVED, FAULT, MOVE = 5, 6, 19

def exactly(count):
    got = b""
    while len(got) < count:
        part = os.read(REQUESTS, count - len(got))
        if not part:
            os._exit(0)
        got += part
    return got

def request():
    kind, length, number = HEADER.unpack(exactly(HEADER.size))
    return kind, number, exactly(length)

def frame(kind, number, content=b""):
    return HEADER.pack(kind, len(content), number) + content

def send(content):
    while content:
        content = content[os.write(ANSWERS, content):]

def answer(number, content=b""):
    send(frame(MOVED, number, content))

def spin():
    while True:
        pass

send(frame(1, 0))
"""
ECHO = """
while True:
    kind, number, content = request()
    answer(number, content)
"""

Taking = Callable[[str], Child]


@pytest.fixture
def take() -> Iterator[Taking]:
    """Processes that run a program of the test's, and are ended with it."""
    pools: list[Pool] = []
    taken: list[Child] = []

    def taking(program: str) -> Child:
        pools.append(Pool(boot=SPEAKING + dedent(program)))
        taken.append(pools[-1].take())
        return taken[-1]

    yield taking
    for process in taken:
        process.close()
    for pool in pools:
        pool.close()


def ask(process: Child, content: bytes = b"", cpu: float = LONG, wall: float = LONG) -> bytes:
    return process.ask(Kind.MOVE, content, Kind.MOVED, cpu, wall).frame.content


def fault(process: Child, cpu: float = LONG, wall: float = LONG) -> Fault:
    """What comes instead of an answer; the process is ended."""
    with pytest.raises(Fault) as raised:
        ask(process, cpu=cpu, wall=wall)
    assert not process.is_alive
    assert is_gone(number_of(process))
    return raised.value


def number_of(process: Child) -> int:
    return process.pid


def is_gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


def wait_until(law: Callable[[], Any]) -> None:
    until = time.monotonic() + LONG
    while not law():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_answer_comes_back_with_the_cpu_time_that_it_took(take: Taking) -> None:
    process = take(
        """
        while True:
            kind, number, content = request()
            until = time.process_time() + 0.2
            while content == b"work" and time.process_time() < until:
                pass
            answer(number, content)
        """
    )
    asked = process.ask(Kind.MOVE, b"work", Kind.MOVED, LONG, LONG)
    assert asked.frame.content == b"work"
    assert asked.cpu_seconds >= 0.2
    assert process.cpu_seconds >= 0.2
    assert process.ask(Kind.MOVE, b"", Kind.MOVED, LONG, LONG).cpu_seconds < 0.2
    assert process.is_alive


def test_the_largest_frames_go_both_ways(take: Taking) -> None:
    process, content = take(ECHO), bytes(range(256)) * 256
    assert all(ask(process, content) == content for _ in range(20))


def test_cpu_time_is_limited_whatever_the_process_does(take: Taking) -> None:
    for program in ("request(); spin()", "request(); signal.signal(signal.SIGTERM, signal.SIG_IGN); spin()"):
        found = fault(take(program), cpu=0.1)
        assert (found.ending, found.by_clock) == ("timeout", True)
        assert re.fullmatch(r"used [1-9]\d{2,}(\.\d+)? ms of CPU time \(100 ms are allowed\)", found.detail)


def test_an_answer_that_took_too_much_cpu_time_is_none(take: Taking) -> None:
    process = take(
        """
        kind, number, content = request()
        while time.process_time() < 0.5:
            pass
        answer(number)
        """
    )
    assert fault(process, cpu=0.001).ending == "timeout"


@pytest.mark.parametrize(
    "program",
    [
        "request(); time.sleep(1000)",
        "request(); os.kill(os.getpid(), signal.SIGSTOP)",
        "time.sleep(1000)",
        "kind, number, content = request(); send(frame(MOVED, number, b'whole')[:-2]); time.sleep(1000)",
        "kind, number, content = request(); send(frame(MOVED, number)[:3]); time.sleep(1000)",
    ],
)
def test_wall_time_is_the_backstop(take: Taking, program: str) -> None:
    found = fault(take(program), wall=0.2)
    assert (found.ending, found.by_clock) == ("timeout", True)
    assert found.detail.startswith("did not answer within 0.2 s (")


def test_the_cpu_time_of_a_process_can_be_read_when_it_has_been_ended(take: Taking) -> None:
    process = take("while True: pass")
    with pytest.raises(Fault):
        ask(process, cpu=0.2)
    used = process.cpu_seconds
    assert used > 0.2
    process.close()
    assert process.cpu_seconds == used


def test_a_request_that_is_not_read_is_a_timeout_too(take: Taking) -> None:
    process = take("time.sleep(1000)")
    with pytest.raises(Fault, match="did not answer"):
        ask(process, bytes(2**16), wall=0.2)


@pytest.mark.parametrize(
    ("program", "ending", "detail"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed", "its process was ended by SIGKILL"),
        ("os.abort()", "killed", "its process was ended by SIGABRT"),
        ("os._exit(0)", "killed", "its process exited with status 0"),
        ("sys.exit(7)", "killed", "its process exited with status 7"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "killed", "SIGXCPU"),
        ("os.kill(os.getpid(), signal.SIGSYS)", "refused", "a system call"),
        ("os.close(ANSWERS); time.sleep(1000)", "protocol broken", "closed the pipe"),
        ("os.closerange(0, 4096); time.sleep(1000)", "protocol broken", "closed the pipe"),
        ("os.close(ANSWERS); os._exit(3)", "killed", "its process exited with status 3"),
    ],
)
def test_how_a_process_ended_is_told(take: Taking, program: str, ending: str, detail: str) -> None:
    for before in ("request()", "kind, number, content = request(); send(frame(MOVED, number)[:9])"):
        found = fault(take(f"{before}; {program}"))
        assert found.ending == ending
        assert detail in found.detail


def test_an_end_between_two_requests_is_told_at_the_next(take: Taking) -> None:
    process = take("kind, number, content = request(); answer(number); os._exit(4)")
    ask(process)
    wait_until(lambda: not process.is_alive)
    assert fault(process).detail == "its process exited with status 4"


def test_the_pipe_of_requests_may_not_be_closed(take: Taking) -> None:
    process = take("os.close(REQUESTS); print('closed', flush=True); time.sleep(1000)")
    # It may have come with the frame that said that the process is ready.
    wait_until(lambda: b"closed" in process.output.stdout or process.take_output(min(process.streams)))
    assert fault(process).ending == "protocol broken"


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        ("frame(MOVED, number + 1)", "another number"),
        ("frame(MOVED, 0)", "another number"),
        ("frame(FAULT, number - 1)", "another number"),
        ("frame(1, number)", "READY where MOVED"),
        ("frame(MOVE, number)", "MOVE where MOVED"),
        ("frame(99, number)", "no frame of kind 99"),
        ("b'PASSED' * 10", "no frame of kind 80|was announced"),
        ("HEADER.pack(MOVED, 2**17, number)", "131072 bytes was announced"),
        ("frame(MOVED, number) + b'x'", "more than an answer"),
        ("frame(MOVED, number) * 2", "more than an answer"),
        ("frame(MOVED, number + 1, bytes(2**16)) * 4000", "another number"),
        ("b'x' * 100_000_000", "was announced|no frame"),
    ],
)
def test_what_is_no_answer_breaks_the_protocol(take: Taking, sent: str, detail: str) -> None:
    found = fault(take(f"kind, number, content = request(); send({sent}); time.sleep(1000)"))
    assert (found.ending, found.by_clock) == ("protocol broken", False)
    assert re.search(detail, found.detail)


def test_an_answer_to_what_nobody_asked_breaks_the_protocol(take: Taking) -> None:
    process = take(
        """
        kind, number, content = request()
        answer(number)
        time.sleep(0.1)
        answer(number + 1)
        time.sleep(1000)
        """
    )
    ask(process)
    wait_until(lambda: select.select([process.answers], [], [], 0)[0])
    assert "nobody had asked" in fault(process).detail


def test_the_numbers_of_requests_cannot_be_foreseen(take: Taking) -> None:
    program = "kind, number, content = request(); answer(number, number.to_bytes(8, 'little'))"
    assert len({ask(take(program)) for _ in range(5)}) == 5


def test_a_fault_that_is_told_leaves_the_process_alive(take: Taking) -> None:
    process = take("while True: send(frame(FAULT, request()[1], b'told'))")
    for _ in range(3):
        asked = process.ask(Kind.MOVE, b"", Kind.MOVED, LONG, LONG)
        assert asked.frame.kind is Kind.FAULT
    assert process.is_alive


def test_once_ended_the_fault_stays_the_same(take: Taking) -> None:
    process = take("request(); os._exit(5)")
    assert [fault(process).detail for _ in range(3)] == ["its process exited with status 5"] * 3


def test_what_is_printed_is_drained_for_ever_and_kept_up_to_a_cap(take: Taking) -> None:
    process = take(
        """
        kind, number, content = request()
        for _ in range(100):
            os.write(1, b"o" * 1_000_000)
        os.write(2, b"e" * 1000)
        answer(number)
        """
    )
    process.output_limit = 500
    ask(process)
    process.close()
    output = process.output
    assert (output.stdout, output.stderr) == (b"o" * 500, b"e" * 500)
    assert output.dropped == 100 * 1_000_000 - 500 + 500


def test_who_floods_stdout_for_ever_runs_out_of_time(take: Taking) -> None:
    process = take("request()\nwhile True: os.write(1, b'x' * 65536)")
    assert fault(process, cpu=0.2).ending == "timeout"
    assert len(process.output.stdout) == process.output_limit


def test_what_was_printed_before_the_end_is_kept(take: Taking) -> None:
    process = take("request(); os.write(1, b'last words'); os._exit(1)")
    fault(process)
    process.close()
    assert process.output.stdout == b"last words"


def test_who_is_interrupted_ends_the_process(take: Taking) -> None:
    process, asked = take("time.sleep(1000)"), []

    def interrupted() -> bool:
        asked.append(True)
        return len(asked) > 2

    with pytest.raises(KeyboardInterrupt):
        process.ask(Kind.MOVE, b"", Kind.MOVED, LONG, LONG, interrupted)
    assert not process.is_alive
    assert is_gone(number_of(process))


def test_ctrl_c_ends_the_process_at_once(take: Taking) -> None:
    process = take("request(); os.kill(os.getppid(), signal.SIGINT); time.sleep(1000)")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask(process)
    finally:
        signal.signal(signal.SIGINT, before)
    assert is_gone(number_of(process))


def test_the_processes_of_its_group_end_with_it(take: Taking) -> None:
    process = take(
        """
        child = os.fork()
        if child == 0:
            time.sleep(1000)
        kind, number, content = request()
        answer(number, child.to_bytes(4, "little"))
        request()
        """
    )
    child = int.from_bytes(ask(process), "little")
    process.close()
    wait_until(lambda: is_gone(child) or b"Z" in Path(f"/proc/{child}/stat").read_bytes().split()[2:3])


def test_no_descriptor_and_no_process_is_left() -> None:
    gc.collect()
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with Pool(2, boot=SPEAKING + ECHO) as pool:
        numbers = []
        for _ in range(30):
            process = pool.take()
            numbers.append(number_of(process))
            ask(process)
            for _ in range(3):
                process.close()
            with pytest.raises(ValueError, match="closed"):
                ask(process)
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert all(is_gone(each) for each in numbers)
    assert len(set(numbers)) == 30


def test_the_next_process_of_a_pool_is_started_while_one_is_used() -> None:
    with Pool(2, boot=SPEAKING + ECHO) as pool:
        first = pool.take()
        wait_until(lambda: len(pool._waiting) == 1)
        waiting = number_of(pool._waiting[0])
        second = pool.take()
        assert number_of(second) == waiting
        first.close()
        second.close()
    assert is_gone(waiting)


def test_a_process_that_ended_while_it_waited_is_replaced() -> None:
    with Pool(1, boot=SPEAKING + ECHO) as pool:
        pool.take().close()
        wait_until(lambda: pool._waiting)
        os.kill(number_of(pool._waiting[0]), signal.SIGKILL)
        wait_until(lambda: not pool._waiting[0].is_alive)
        process = pool.take()
        assert ask(process, b"alive") == b"alive"
        process.close()


def test_a_process_that_cannot_be_started_says_why() -> None:
    with (
        Pool(boot="raise SystemExit('no such module')") as pool,
        pytest.raises(WorkerError, match="no such module"),
    ):
        pool.take()
    with pytest.raises(WorkerError, match="closed"):
        pool.take()


def test_one_thread_starts_all_processes_whoever_asks() -> None:
    answers: list[bytes] = []

    def using(pool: Pool) -> None:
        process = pool.take()
        answers.append(ask(process))
        process.close()

    program = "kind, number, content = request(); answer(number, str(os.getppid()).encode())"
    with Pool(2, boot=SPEAKING + program) as pool:
        threads = [threading.Thread(target=using, args=[pool]) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert answers == [str(os.getpid()).encode()] * 4


def test_the_environment_holds_nothing_of_ours(take: Taking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the grader")
    process = take(
        """
        kind, number, content = request()
        names = sorted(set(os.environ) - {"LC_CTYPE"})  # Python sets that one itself
        answer(number, " ".join([*names, os.getcwd(), str(sys.path.count(""))]).encode())
        """
    )
    threads = "MKL_NUM_THREADS NUMEXPR_NUM_THREADS OMP_NUM_THREADS OPENBLAS_NUM_THREADS"
    assert ask(process).decode() == f"LANG {threads} PYTHONHASHSEED / 0"


def test_nothing_is_left_when_our_process_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal, sys\n"
        "from isolation_fast.jail.pool import Pool\n"
        f"pool = Pool(2, boot={SPEAKING + ECHO!r})\n"
        "taken = pool.take(), pool.take()\n"
        "while not pool._waiting: pass\n"
        "print(*(each.pid for each in (*taken, *pool._waiting)), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, check=False, timeout=LONG)
    assert done.returncode == -signal.SIGKILL
    numbers = [int(each) for each in done.stdout.split()]
    assert len(numbers) == 3
    wait_until(lambda: all(is_gone(each) for each in numbers))


def test_a_child_of_fork_leaves_the_pool_to_its_parent() -> None:
    program = (
        "import os, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from isolation_fast.jail import pool as module\n"
        f"pool = module.Pool(1, boot={SPEAKING + ECHO!r})\n"
        "process = pool.take()\n"
        "shared = module.shared_pool()\n"
        "if os.fork() == 0:\n"
        "    assert module.shared_pool() is not shared\n"
        "    process.close()\n"
        "    pool.close()\n"
        "    raise SystemExit(0)\n"
        "assert os.wait()[1] == 0\n"
        "from isolation_fast.process import Kind\n"
        "assert process.ask(Kind.MOVE, b'alive', Kind.MOVED, 9, 60).frame.content == b'alive'\n"
        "process.close()\n"
        "pool.close()\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=LONG).returncode == 0


def test_the_shared_pool_is_one() -> None:
    assert shared_pool() is shared_pool()


def test_frames_of_requests_are_of_the_form_that_the_other_side_reads(take: Taking) -> None:
    process = take(
        """
        raw = exactly(HEADER.size + 3)
        number = HEADER.unpack_from(raw)[2]
        answer(number, raw)
        """
    )
    raw = ask(process, b"abc")
    assert raw == Frame(Kind.MOVE, int.from_bytes(raw[5:13], "little"), b"abc").encoded()
