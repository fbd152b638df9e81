"""A process that is asked over pipes and watched from outside: small programs stand in for it."""

import os
import re
import select
import sys
from collections.abc import Callable, Iterator

import pytest
from stand_ins import (
    ECHO,
    LONG,
    ask,
    has_ended,
    is_gone,
    launched,
    number_of,
    pool_of,
    taken_from,
    wait_until,
)

from isolation_fast.endings import Fault
from isolation_fast.jail.pool import Pool
from isolation_fast.process import Child, Frame, Kind

Taking = Callable[[str], Child]


@pytest.fixture(params=["launched", "forked"] if sys.platform == "linux" else ["launched"])
def take(request: pytest.FixtureRequest) -> Iterator[Taking]:
    """Processes that run a program of the test's, and are ended with it, in either way to start one."""
    pools: list[Pool] = []
    taken: list[Child] = []

    def taking(program: str) -> Child:
        if request.param == "launched":
            taken.append(launched(program))
        else:
            pools.append(pool_of(program))
            taken.append(taken_from(pools[-1]))
        return taken[-1]

    yield taking
    for process in taken:
        process.close()
    for pool in pools:
        pool.close()


def fault(process: Child, cpu: float = LONG, wall: float = LONG) -> Fault:
    """What comes instead of an answer; the process is ended."""
    with pytest.raises(Fault) as raised:
        ask(process, cpu=cpu, wall=wall)
    assert not process.is_alive
    assert is_gone(number_of(process))
    return raised.value


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
    process = take("pid = int(request()[2]); os.kill(pid, signal.SIGINT); time.sleep(1000)")
    with pytest.raises(KeyboardInterrupt):
        ask(process, str(os.getpid()).encode())
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
    wait_until(lambda: has_ended(child))


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
