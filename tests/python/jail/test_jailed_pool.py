"""The nursery that forks processes, and the pool that asks it: small programs stand in for workers."""

import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest
from stand_ins import (
    ECHO,
    FORKING,
    LONG,
    SPEAKING,
    ask,
    descriptors_of,
    has_ended,
    is_gone,
    number_of,
    nursery_of,
    pool_of,
    taken_from,
    wait_until,
)

from isolation_fast.exceptions import NurseryEndedError, WorkerError
from isolation_fast.jail.pool import Pool, shared_pool


def test_no_descriptor_and_no_process_is_left() -> None:
    gc.collect()
    before = descriptors_of("self")
    with pool_of(ECHO) as pool:
        taken_from(pool).close()
        of_nursery, ours = descriptors_of(nursery_of(pool)), descriptors_of("self")
        numbers = []
        for _ in range(200):
            process = taken_from(pool)
            numbers.append(number_of(process))
            ask(process)
            for _ in range(3):
                process.close()
            with pytest.raises(ValueError, match="closed"):
                ask(process)
        assert descriptors_of(nursery_of(pool)) == of_nursery
        assert descriptors_of("self") == ours
        assert all(is_gone(each) for each in numbers)
        assert len(set(numbers)) == 200
    assert descriptors_of("self") == before


def test_a_nursery_that_ended_while_nobody_asked_is_replaced() -> None:
    with pool_of(ECHO) as pool:
        taken_from(pool).close()
        first = nursery_of(pool)
        os.kill(first, signal.SIGKILL)
        with taken_from(pool) as process:
            assert ask(process, b"alive") == b"alive"
        assert is_gone(first)
        assert nursery_of(pool) != first


def test_what_a_nursery_forked_ends_with_it_and_no_submission_is_blamed() -> None:
    program = "request(); os.kill(os.getppid(), signal.SIGKILL); os._exit(0)"
    with pool_of(program) as pool, taken_from(pool) as process:
        with pytest.raises(NurseryEndedError, match="ended by SIGKILL"):
            ask(process)
        assert not process.is_alive
    with pool_of(ECHO) as pool, taken_from(pool) as process:
        ask(process)
        os.kill(nursery_of(pool), signal.SIGKILL)
        # It is not locked, so nothing ends it but we.
        process.close()
        wait_until(lambda: has_ended(number_of(process)))
        with taken_from(pool) as another:
            assert ask(another, b"alive") == b"alive"


def test_what_a_nursery_forked_before_it_ended_shares_no_pipe_with_the_next_one(tmp_path: Path) -> None:
    boot = dedent(
        f"""
        import os
        from pathlib import Path
        mark, fork = Path({str(tmp_path / "forked")!r}), os.fork
        def fork_and_end():
            if not (child := fork()):
                return child
            mark.write_text(str(child))
            while os.getsid(child) != child:  # until then it ends with our group
                pass
            os._exit(9)
        if not mark.exists():
            os.fork = fork_and_end
        """
    )
    program = "while True: number = request()[1]; answer(number, str(os.getpid()).encode())"
    with Pool(boot=boot + FORKING + SPEAKING + program) as pool, taken_from(pool) as process:
        for _ in range(10):
            assert int(ask(process)) == number_of(process)
        wait_until(lambda: has_ended(int((tmp_path / "forked").read_text())))


def test_a_nursery_that_ends_at_each_fork_is_given_up() -> None:
    boot = dedent(
        """
        import os
        os.fork = lambda: os._exit(9)
        """
    )
    with Pool(boot=boot + FORKING) as pool, pytest.raises(NurseryEndedError, match="exited with status 9"):
        pool.take()


def test_a_system_that_starts_no_more_processes_says_so() -> None:
    boot = dedent(
        """
        import errno, os
        def refuse():
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        os.fork = refuse
        """
    )
    with Pool(boot=boot + FORKING) as pool:
        for _ in range(3):
            with pytest.raises(WorkerError, match=r"could not be started: .*temporarily unavailable"):
                pool.take()


def test_a_nursery_with_two_threads_forks_nothing() -> None:
    boot = "import threading, time; threading.Thread(target=time.sleep, args=[1000], daemon=True).start()\n"
    with Pool(boot=boot + FORKING) as pool, pytest.raises(WorkerError, match="has 2 threads"):
        pool.take()


def test_a_process_that_cannot_be_started_says_why() -> None:
    with (
        Pool(boot="raise SystemExit('no such module')") as pool,
        pytest.raises(WorkerError, match="no such module"),
    ):
        pool.take()
    with pytest.raises(WorkerError, match="closed"):
        pool.take()


def test_one_nursery_forks_all_processes_whoever_asks() -> None:
    answers: list[bytes] = []

    def using(pool: Pool) -> None:
        with taken_from(pool) as process:
            answers.append(ask(process))

    with pool_of("kind, number, content = request(); answer(number, str(os.getppid()).encode())") as pool:
        threads = [threading.Thread(target=using, args=[pool]) for _ in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert answers == [str(nursery_of(pool)).encode()] * 8


def test_a_process_of_a_nursery_has_its_own_ends_open_and_nothing_else() -> None:
    program = """
        kind, number, content = request()
        answer(number, " ".join(sorted(os.listdir("/proc/self/fd"))).encode())
        kind, number, content = request()
        answer(number, os.readlink("/proc/self/fd/0").encode())
        kind, number, content = request()
        answer(number, f"{os.getsid(0) == os.getpgrp() == os.getpid()}".encode())
        """
    with pool_of(program) as pool, taken_from(pool) as other, taken_from(pool) as process:
        # The last one is the list itself.
        assert ask(process) == ask(other) == b"0 1 2 3 4 5"
        assert ask(process) == b"/dev/null"
        assert ask(process) == b"True"


def test_nothing_is_left_when_our_process_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal, sys\n"
        "from isolation_fast.jail.pool import Pool\n"
        f"pool = Pool(boot={FORKING + SPEAKING + ECHO!r})\n"
        "taken = pool.take(), pool.take()\n"
        "print(*(each.pid for each in (*taken, pool._nursery)), flush=True)\n"
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
        "from isolation_fast.exceptions import WorkerError\n"
        "from isolation_fast.process import Kind\n"
        f"pool = module.Pool(boot={FORKING + SPEAKING + ECHO!r})\n"
        "process = pool.take()\n"
        "process.wait_for(Kind.READY, 60)\n"
        "shared = module.shared_pool()\n"
        "if os.fork() == 0:\n"
        "    assert module.shared_pool() is not shared\n"
        "    try: pool.take()\n"
        "    except WorkerError as error: assert 'not of its forks' in str(error)\n"
        "    else: raise SystemExit(1)\n"
        "    process.close()\n"
        "    pool.close()\n"
        "    raise SystemExit(0)\n"
        "assert os.wait()[1] == 0\n"
        "assert process.ask(Kind.MOVE, b'alive', Kind.MOVED, 9, 60).frame.content == b'alive'\n"
        "process.close()\n"
        "pool.close()\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=LONG).returncode == 0


def test_the_shared_pool_is_one() -> None:
    assert shared_pool() is shared_pool()
