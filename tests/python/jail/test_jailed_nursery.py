"""Workers are forked from one process, and nothing of one of them reaches the next: the real jail."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from time import monotonic, sleep
from typing import Any, TypeAlias

import pytest

from isolation_fast import Budget
from isolation_fast.endings import Fault
from isolation_fast.exceptions import NurseryEndedError, WorkerError
from isolation_fast.jail import Assignment, JailedProcess, Limits, Pool, survives_its_nursery
from isolation_fast.process import Child

Write = Callable[..., Path]
Start: TypeAlias = Callable[[str], JailedProcess]
OPENING = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
# No timing is tested: more than this, and something hangs.
LONG = 60.0

# What the process is in, as far as a submission can see it: printed when it is loaded.
SEEING = """
import builtins, ctypes, decimal, fcntl, functools, gc, json, locale, logging, math, os, random, resource
import signal, sys, threading, time, warnings
import numpy
import isolation_fast

FROZEN = gc.get_freeze_count()
gc.unfreeze()

class Ours:
    pass

def ours(name):
    # By the collector, since no import gives it.
    found = Ours()
    found.__dict__ = next(
        each for each in gc.get_objects()
        if type(each) is dict and each.get("__name__") == name and "__spec__" in each
    )
    return found

asking, handler = ours("isolation_fast.submission.asking"), ours("isolation_fast.worker.handler")
PYTHONS = builtins, decimal, json, math, os, random, time
MODULES = *PYTHONS, numpy, numpy.random, isolation_fast, asking, handler

def open_ones():
    for number in range(4096):
        try:
            yield number, fcntl.fcntl(number, fcntl.F_GETFL)
        except OSError:
            pass

def seen():
    return {
        "modules": sorted(sys.modules),
        "names": {each.__name__: sorted(vars(each)) for each in MODULES},
        # Where an object lies tells whether it is still the same one: all lie where they lay at the fork, but
        # for what a worker makes itself when it hides our modules.
        "functions": {
            f"{each.__name__}.{name}": id(value)
            for each in MODULES for name, value in vars(each).items()
            if callable(value) and type(value) is not functools.partial
        },
        "environment": dict(os.environ),
        "arguments": list(sys.argv),
        "descriptors": list(open_ones()),
        "limits": [resource.getrlimit(each) for each in range(16)],
        "handlers": [str(signal.getsignal(each)) for each in sorted(signal.valid_signals())],
        "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        "collector": (gc.isenabled(), gc.get_threshold(), len(gc.callbacks)),
        "frozen": FROZEN,
        "interpreter": (sys.getrecursionlimit(), sys.getswitchinterval(), len(sys.meta_path), sys.flags[:]),
        "hooks": (sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__),
        "warnings": [str(each) for each in warnings.filters],
        "logging": (logging.root.level, len(logging.root.handlers)),
        "numbers": [int(str(each)) * 10 for each in range(257)],
        "floating point": (numpy.geterr(), numpy.get_printoptions()["precision"], decimal.getcontext().prec),
        "random": (random.random(), float(numpy.random.random())),
        "hashes": (hash("text"), hash(b"bytes"), list({f"text {each}" for each in range(50)})),
        "locale": locale.setlocale(locale.LC_ALL),
        "who": (os.getuid(), os.getgroups(), os.getsid(0) == os.getpgrp() == os.getpid()),
        "threads": threading.active_count(),
        "process": (time.tzname, os.cpu_count(), sorted(os.sched_getaffinity(0))),
    }

def custom_score(game, player):
    return 0.0
"""
WITNESS = f"{SEEING}\nprint(seen())\n"
SPOILER = f"""{SEEING}
before = seen()
builtins.spoilt = decimal.spoilt = json.spoilt = numpy.spoilt = isolation_fast.spoilt = True
builtins.sum = math.sin = numpy.mean = json.loads = asking.reseed = handler.Handler.answer_of = None
random.random = numpy.random.random = lambda: 0.5
math.pi = 3.0
time.time = lambda: 0.0
sys.modules["spoilt"] = sys
sys.argv.append("spoilt")
sys.path.append("spoilt")
os.environ["SPOILT"] = "1"
sys.setrecursionlimit(5000)
sys.setswitchinterval(0.5)
sys.meta_path.append(None)
gc.disable()
gc.set_threshold(1)
gc.unfreeze()
gc.callbacks.append(print)
warnings.simplefilter("ignore")
logging.root.setLevel(1)
logging.root.addHandler(logging.NullHandler())
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
numpy.seterr(all="ignore")
numpy.set_printoptions(precision=2)
decimal.getcontext().prec = 3
for number, flags in open_ones():
    fcntl.fcntl(number, fcntl.F_SETFL, flags | os.O_NONBLOCK if number in (0, 2) else flags | os.O_APPEND)
# The number 251 of this process is 13 from here on.
ctypes.c_uint.from_address(id(251) + 24).value = 13
ctypes.memset(id(asking.__doc__) + sys.getsizeof("") - 1, ord("X"), 8)
after = seen()
print(sorted(each for each in before if before[each] != after[each]))
"""
SPOILT = {
    *("arguments", "blocked", "collector", "descriptors", "environment", "floating point"),
    *("functions", "handlers", "interpreter", "logging", "modules", "names", "numbers", "random", "warnings"),
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as made:
        yield made


@pytest.fixture
def start(pool: Pool, tmp_path: Path) -> Iterator[Start]:
    """Start a process for a submission of this text."""
    started: list[JailedProcess] = []

    def starting(text: str, pool: Pool = pool) -> JailedProcess:
        file = tmp_path / f"{len(started)}" / "game_agent.py"
        file.parent.mkdir()
        file.write_text(dedent(text))
        assignment = Assignment(file, "custom_score")
        started.append(JailedProcess.start(assignment, Limits(output=2**24), pool=pool))
        return started[-1]

    yield starting
    for each in started:
        each.close()


def printed(process: JailedProcess, stream: int = 1) -> Any:
    """What a submission prints when it is loaded."""
    process.load(stream)
    return ast.literal_eval(process.output.stdout.decode())


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    assert one.keys() == other.keys()
    return [what for what in one if one[what] != other[what]]


def nursery_of(pool: Pool) -> int:
    assert pool._nursery is not None
    return pool._nursery.pid


def played(process: JailedProcess) -> float | None:
    """What a search of a few nodes finds: the process works."""
    process.load(1)
    process.begin_game(OPENING, 2, 3, 0)
    report = process.search([], OPENING, Budget(nodes=20)).report
    assert report is not None
    return report.value


def wait_until(law: Callable[[], bool]) -> None:
    until = monotonic() + LONG
    while not law():
        assert monotonic() < until
        sleep(0.01)


def has_ended(number: int) -> bool:
    try:
        return b"Z" in Path(f"/proc/{number}/stat").read_bytes().split()[2:3]
    except FileNotFoundError:
        return True


def test_nothing_that_one_submission_changes_reaches_another(start: Start) -> None:
    alive = start(WITNESS)  # forked before, loaded afterwards
    first = printed(start(WITNESS))
    spoiling = start(SPOILER)
    assert set(printed(spoiling)) == SPOILT
    for witness in (alive, start(WITNESS)):
        assert differences(first, printed(witness)) == []


def test_the_first_worker_of_a_nursery_is_as_the_last_one_of_another(start: Any) -> None:
    found = printed(start(WITNESS))
    with Pool() as another:
        same = printed(start(WITNESS, pool=another))
    # They lie elsewhere in each nursery, and a nursery may be the first to compile a module.
    assert {*differences(found, same)} <= {"functions", "frozen"}
    assert found["functions"].keys() == same["functions"].keys()


def test_a_worker_has_the_hashes_of_a_python_with_that_seed(start: Start) -> None:
    program = "print((hash('text'), hash(b'bytes'), list({f'text {each}' for each in range(50)})))"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONHASHSEED": "0"}, stdout=subprocess.PIPE, check=True
    )
    assert printed(start(WITNESS))["hashes"] == ast.literal_eval(done.stdout.decode())


def test_a_worker_has_its_ends_of_the_pipes_open_and_nothing_else(start: Start) -> None:
    flags = dict(printed(start(WITNESS))["descriptors"])
    writing = {number: each & os.O_ACCMODE for number, each in flags.items()}
    assert writing == {0: os.O_RDWR, 1: os.O_WRONLY, 2: os.O_WRONLY, 3: os.O_RDONLY, 4: os.O_WRONLY}


def test_chance_is_that_of_the_stream_and_else_of_each_worker(start: Start) -> None:
    assert printed(start(WITNESS), 7)["random"] == printed(start(WITNESS), 7)["random"]
    assert printed(start(WITNESS), 7)["random"] != printed(start(WITNESS), 8)["random"]
    own = """
        import os, random, secrets, numpy
        print((os.urandom(8), random.Random().random(), random.SystemRandom().random(), secrets.token_hex(),
               float(numpy.random.default_rng().random()), float(numpy.random.RandomState().random())))
        def custom_score(game, player): return 0.0
        """
    for one, other in zip(printed(start(own)), printed(start(own)), strict=True):
        assert one != other


def test_a_submission_reaches_neither_the_nursery_nor_another_worker(start: Start, pool: Pool) -> None:
    other = start(WITNESS)
    process = start(
        f"""
        import ctypes, fcntl, os, resource, signal
        found = {{}}
        def attempt(what, call):
            try:
                call()
            except OSError as error:
                found[what] = type(error).__name__
            else:
                found[what] = "DONE"
        for number in (os.getppid(), {other._process.pid}):
            for each in ("mem", "environ", "maps", "auxv", "fd/0", "cwd/etc/hostname"):
                attempt((number, each), lambda: open(f"/proc/{{number}}/{{each}}", "rb").read(1))
            for each in (0, signal.SIGSTOP, signal.SIGKILL):
                attempt((number, f"signal {{each}}"), lambda: os.kill(number, each))
                attempt((number, f"signal {{each}} to its group"), lambda: os.killpg(number, each))
            attempt((number, "pidfd"), lambda: os.pidfd_open(number))
            attempt((number, "limits"), lambda: resource.prlimit(number, resource.RLIMIT_CPU, (1, 1)))
            attempt((number, "processors"), lambda: os.sched_setaffinity(number, [0]))
            attempt((number, "its group"), lambda: os.setpgid(0, number))
            attempt((number, "waiting for it"), lambda: os.waitpid(number, os.WNOHANG))
        print(found)
        def custom_score(game, player): return 0.0
        """
    )
    found = printed(process)
    assert len(found) == 2 * 17
    assert {what: how for what, how in found.items() if how != "PermissionError"} == {}
    assert process._process.parent == other._process.parent == nursery_of(pool)
    assert played(other) == 0.0
    assert nursery_of(pool) == process._process.parent


def test_no_frame_below_a_submission_is_one_of_the_nursery_at_work(start: Start) -> None:
    found = printed(
        start(
            """
            import sys
            frame, names = sys._getframe(), []
            while frame is not None:
                names.append((frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name))
                frame = frame.f_back
            print([name for file, name in names if file == "nursery.py"])
            def custom_score(game, player): return 0.0
            """
        )
    )
    assert found == ["main"]


def test_locked_workers_end_with_their_nursery_and_the_next_one_has_another(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("def custom_score(game, player): return 0.0\n")
    with Pool() as pool:
        taken = [JailedProcess.start(Assignment(file, "custom_score"), pool=pool) for _ in range(3)]
        assert [played(each) for each in taken] == [0.0] * 3
        first = nursery_of(pool)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: all(has_ended(each._process.pid) for each in taken))
        for each in taken:
            with pytest.raises(NurseryEndedError, match="ended by SIGKILL"):
                each.begin_game(OPENING, 2, 3, 0)
            assert not each.is_alive
            each.close()
        with JailedProcess.start(Assignment(file, "custom_score"), pool=pool) as process:
            assert played(process) == 0.0
        assert nursery_of(pool) != first


class Interfering(Pool):
    """Its nursery is ended so many times, each time before the process that was taken is locked."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.taken, self.times = 0, times

    def take(
        self, interrupted: Callable[[], bool] | None = None, stdin: int | None = None, **options: Any
    ) -> Child:
        process = super().take(interrupted, stdin, **options)
        self.taken += 1
        if self.taken <= self.times:
            os.kill(process.parent, signal.SIGKILL)
            wait_until(lambda: has_ended(process.parent))
        return process


def test_work_whose_nursery_ends_begins_again(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("def custom_score(game, player): return 0.0\n")

    @survives_its_nursery
    def work(pool: Pool) -> float | None:
        with JailedProcess.start(Assignment(file, "custom_score"), pool=pool) as process:
            return played(process)

    with (twice := Interfering(2)):
        assert work(twice) == 0.0
    with (always := Interfering(1000)), pytest.raises(NurseryEndedError):
        work(always)
    assert twice.taken == always.taken == 3


def test_workers_end_with_their_pool(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("def custom_score(game, player): return 0.0\n")
    with Pool() as pool:
        process = JailedProcess.start(Assignment(file, "custom_score"), pool=pool)
        process.load(1)
    wait_until(lambda: has_ended(process._process.pid))
    with pytest.raises(NurseryEndedError):
        process.load(1)
    process.close()


def test_a_nursery_ends_whose_referee_ended_before_it_was_ready(tmp_path: Path) -> None:
    numbers = tmp_path / "nursery", tmp_path / "holder"
    boot = f"""if True:
        import os, sys
        parent = os.getppid()
        open({str(numbers[0])!r}, "w").write(str(os.getpid()))
        while os.getppid() == parent: pass
        from isolation_fast.worker.nursery import forked
        forked(*map(int, sys.argv[2:]))
        """
    referee = f"""if True:
        import os, time
        from isolation_fast.jail import Pool
        def ends():
            if not os.path.getsize({str(numbers[0])!r}): return
            # Its fork holds the socket open.
            if holder := os.fork():
                open({str(numbers[1])!r}, "w").write(str(holder))
                os._exit(0)
            time.sleep({10 * LONG})
        Pool(boot={boot!r}).take(interrupted=ends)
        """
    numbers[0].touch()
    subprocess.run([sys.executable, "-c", referee], check=True)
    nursery, holder = (int(each.read_text()) for each in numbers)
    try:
        wait_until(lambda: has_ended(nursery))
    finally:
        os.kill(holder, signal.SIGKILL)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("os._exit(3)", "its process exited with status 3"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "its process was ended by SIGKILL"),
        ("os.abort()", "its process was ended by SIGABRT"),
        ("ctypes.string_at(0)", "its process was ended by SIGSEGV"),
    ],
)
def test_how_a_worker_ended_is_told_and_the_others_live_on(start: Start, body: str, detail: str) -> None:
    other = start(WITNESS)
    process = start(f"import ctypes, os, signal\ndef custom_score(game, player): {body}\n")
    with pytest.raises(Fault) as raised:
        played(process)
    assert (raised.value.ending, raised.value.detail) == ("killed", detail)
    assert played(other) == 0.0


def test_a_nursery_that_would_share_memory_forks_nothing() -> None:
    boot = (
        "import mmap, sys; shared = mmap.mmap(-1, 4096)\n"
        "from isolation_fast.worker.nursery import forked\n"
        "forked(*map(int, sys.argv[2:]))\n"
    )
    with Pool(boot=boot) as pool, pytest.raises(WorkerError, match=r"would share .*: /dev/zero"):
        pool.take()


def test_what_the_nursery_used_does_not_count_for_a_worker() -> None:
    boot = (
        "import os, resource, sys, time\n"
        "while time.process_time() < 1.0: pass\n"
        "from isolation_fast.worker.nursery import forked\n"
        "requests, answers = forked(*map(int, sys.argv[2:]))\n"
        "used = resource.getrusage(resource.RUSAGE_SELF).ru_utime\n"
        "print(time.process_time() < 1.0, used < 1.0, flush=True)\n"
        "os.read(requests, 1)\n"
    )
    with Pool(boot=boot) as pool, pool.take() as process:
        wait_until(lambda: bool(process.output.stdout) or process.take_output(min(process.streams)))
        assert process.output.stdout == b"True True\n"
        assert 0 < process.cpu_seconds < 1.0
