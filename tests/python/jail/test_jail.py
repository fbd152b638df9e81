"""The jail: what a locked process is refused, each thing tried for real, and what it can still do.

The attempts are made in a process of their own by `jail_attempts.py`, as the user who runs the tests and,
where that is root, as one who never was.
"""

import json
import os
import platform
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jail_scripts import LOCK, ONE_THREAD, printed, run

from isolation_fast import jail

# Private to the package, so not imported.
ENGINE: Any = sys.modules["isolation_fast._native"]
ATTEMPTS = Path(__file__).with_name("jail_attempts.py")
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY_BY_PROGRAM = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
TO_READ_PYTHON = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]


def never_root() -> list[str]:
    """The beginning of a command that makes it another user's, who can start this Python wherever it lies."""
    if not IS_ROOT:
        return []
    command = [*NOBODY_BY_PROGRAM, sys.executable, "-c", "import isolation_fast"]
    tried = subprocess.run(command, cwd="/", stderr=subprocess.DEVNULL)
    return NOBODY_BY_PROGRAM if tried.returncode == 0 else [*NOBODY_BY_PROGRAM, *TO_READ_PYTHON]


NEVER_ROOT = never_root()
IDENTITIES = {"as the tests run": [], "never root": NEVER_ROOT} if IS_ROOT else {"as the tests run": []}


@contextmanager
def a_folder() -> Iterator[Path]:
    """A secret, and a folder that may be read, of files that nothing but the jail protects."""
    # Not pytest's own folder, into which other users cannot come.
    made = Path(tempfile.mkdtemp(prefix="jail-"))
    allowed = made / "allowed"
    allowed.mkdir()
    for file in (made / "secret", allowed / "own"):
        file.write_text("text" * 100)
        file.chmod(0o666)
    (allowed / "link").symlink_to("../secret")
    shutil.copy(ENGINE.__file__, allowed / "library.so")
    for each in (made, allowed):
        each.chmod(0o777)
    if IS_ROOT:
        for each in (allowed, allowed / "own"):
            os.chown(each, jail.NOBODY, jail.NOBODY)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with a_folder() as made:
        yield made


def attempted(folder: Path, how: str, identity: list[str]) -> Any:
    before = sorted((path.name, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    victim = subprocess.Popen([*identity, "sleep", "600"])
    try:
        ended = subprocess.run(
            [*identity, sys.executable, str(ATTEMPTS), str(folder), how, str(victim.pid)],
            capture_output=True,
            text=True,
            timeout=120,
            env=ONE_THREAD,
            stdin=subprocess.DEVNULL,
            cwd="/",
        )
        if how == "lock":
            assert victim.poll() is None
            assert before == sorted((path.name, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    finally:
        victim.kill()
        victim.wait()
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture(scope="module", params=IDENTITIES)
def told(request: pytest.FixtureRequest, folder: Path) -> Any:
    """What a locked process told of its attempts."""
    return attempted(folder, "lock", IDENTITIES[request.param])


def test_a_locked_process_tells_what_is_enforced(told: Any) -> None:
    assert jail.Level.from_dict(told["level"]) == jail.available()


def test_a_locked_process_is_not_root(told: Any) -> None:
    user = jail.NOBODY if IS_ROOT else os.getuid()
    assert set(told["user"][:3]) == {user}
    assert 0 not in told["user"]


# What Landlock refuses is EACCES, what the filter of calls refuses is EPERM.
REFUSALS = ("EACCES", "EPERM")
# Python's own words for it.
IN_OTHER_WORDS = {
    "processes: thread": "RuntimeError: can't start new thread",
    "rest: a lower limit": "ValueError: not allowed to raise maximum limit",
    "rest: more open files": "ValueError: not allowed to raise maximum limit",
    "rest: more memory": "ValueError: not allowed to raise maximum limit",
    "rest: larger files": "ValueError: not allowed to raise maximum limit",
    "code: a library": "failed to map segment from shared object",
}


def test_every_attempt_of_a_locked_process_is_refused(told: Any) -> None:
    came_of_it = told["attempts"]
    assert len(came_of_it) > 130
    not_refused = {
        name: outcome
        for name, outcome in came_of_it.items()
        if outcome not in REFUSALS and IN_OTHER_WORDS.get(name, "?") not in outcome
    }
    assert not_refused == {}


def test_without_a_jail_the_same_attempts_succeed() -> None:
    with a_folder() as made:
        came_of_it = attempted(made, "free", NEVER_ROOT)["attempts"]
    # Not every file system knows such notes.
    came_of_it.pop("writing: setxattr")
    assert {name: outcome for name, outcome in came_of_it.items() if outcome != "done"} == {}


def test_what_computes_goes_on_working() -> None:
    script = """
        import datetime, random, select, signal, threading
        import numpy.fft, numpy.linalg, numpy.random
        jail.lock_down(jail.Policy(**policy))
        assert jail.is_locked()

        assert float((numpy.ones((200, 200)) @ numpy.ones((200, 200))).sum()) == 200.0 ** 3
        values = numpy.random.default_rng(1).normal(size=(60, 60))
        assert numpy.allclose(values @ numpy.linalg.inv(values), numpy.eye(60))
        numpy.linalg.svd(values), numpy.linalg.eigvals(values), numpy.fft.fft(values)
        numpy.random.seed(1), numpy.random.rand(10), random.seed(), random.random(), os.urandom(8)
        assert len(bytearray(200 << 20)) == 200 << 20

        import wave
        assert wave.__file__.startswith(library) and os.listdir(library) and os.stat("/")
        with open(os.devnull, "w") as nothing:
            nothing.write("text")
        assert open(os.devnull).read() == ""
        reading, writing = os.pipe()
        os.set_blocking(reading, False), os.set_inheritable(writing, True), os.isatty(writing)
        os.write(writing, b"text")
        assert select.select([reading], [], [], 1)[0] == [reading] and os.read(reading, 9) == b"text"

        seen = []
        signal.signal(signal.SIGUSR1, lambda *_: seen.append("own signal"))
        signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        # Again and again, since the first may come before anybody waits for it.
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        signal.pause()
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert seen[:3] == ["own signal", "own signal", "alarm"]
        before = time.monotonic(), time.process_time()
        time.sleep(0.01)
        assert time.monotonic() > before[0] and datetime.datetime.now() and time.localtime()
        lock = threading.Lock()
        with lock:
            assert not lock.acquire(timeout=0.01)
        def deeper(): return deeper()
        try:
            deeper()
        except RecursionError:
            print("works")
    """
    assert printed(script) == "works\n"


def test_machine_code_that_was_there_before_has_no_other_way_into_the_kernel() -> None:
    # mov eax, getpid; int 0x80; ret: the entry of another architecture, with numbers of its own.
    script = """
        import mmap
        memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.write(bytes.fromhex("b814000000cd80c3"))
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        libc = ctypes.CDLL(None)
        assert libc.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC) == 0
        function = ctypes.CFUNCTYPE(ctypes.c_int)(address)
        jail.lock_down(jail.Policy(**policy))
        print("locked", flush=True)
        function()
        print("came back")
    """
    if platform.machine() == "x86_64":
        ended = run(script)
        assert (ended.returncode, ended.stdout) == (-signal.SIGSYS, "locked\n")


MAPPED = {
    "once": """
        memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    """,
    "twice": """
        file = os.memfd_create("both")
        os.truncate(file, 4096)
        memory, libc = mmap.mmap(file, 4096), ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        executable = mmap.PROT_READ | mmap.PROT_EXEC
        address = libc.mmap(None, ctypes.c_size_t(4096), executable, mmap.MAP_SHARED, file, ctypes.c_long(0))
    """,
}


@pytest.mark.parametrize("mapped", MAPPED)
def test_memory_that_can_be_written_is_no_code_any_more(mapped: str) -> None:
    script = f"""
        import mmap
        {MAPPED[mapped].strip()}
        function = ctypes.CFUNCTYPE(ctypes.c_int)(address)
        jail.lock_down(jail.Policy(**policy))
        memory.write(bytes.fromhex("c3") * 4096)
        print("written", flush=True)
        function()
        print("executed")
    """
    ended = run(script)
    assert (ended.returncode, ended.stdout) == (-signal.SIGSEGV, "written\n")


@pytest.mark.parametrize(
    "taking",
    [
        "bytearray(1 << 30)",
        "numpy.ones(1 << 27)",
        "[bytes(2 << 20) for _ in range(10**4)]",
        "'x' * (1 << 31)",
    ],
)
def test_too_much_memory_is_a_memory_error_and_the_process_goes_on(taking: str) -> None:
    script = f"""
        jail.lock_down(jail.Policy(**policy | dict(memory=600)))
        for _ in range(2):
            try:
                {taking}
            except MemoryError:
                print("MemoryError", sum(range(10)))
    """
    assert printed(script) == "MemoryError 45\n" * 2


def test_too_much_cpu_time_is_the_end() -> None:
    script = """
        jail.lock_down(jail.Policy(**policy | dict(cpu_seconds=1)))
        while True:
            pass
    """
    assert run(script).returncode == -signal.SIGXCPU


def test_who_ignores_the_end_of_its_cpu_time_ends_a_second_later() -> None:
    script = """
        import signal
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        jail.lock_down(jail.Policy(**policy | dict(cpu_seconds=1)))
        while True:
            pass
    """
    assert run(script).returncode == -signal.SIGKILL


def test_a_locked_process_ends_with_its_parent() -> None:
    script = """
        import subprocess
        child = "import os, time; from isolation_fast import jail; from isolation_fast.jail import Policy;"
        child += "jail.lock_down(Policy(parent=os.getppid(), user=jail.NOBODY)); print('locked', flush=True);"
        child += "time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", child])
        time.sleep(600)
    """
    command = [sys.executable, "-c", LOCK + textwrap.dedent(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ONE_THREAD) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"locked\n"
        parent.kill()
        # The other end of the pipe is closed once the child is gone.
        assert select.select([parent.stdout], [], [], 60)[0]
        assert parent.stdout.read() == b""


REFUSED = {
    "another parent": ("jail.Policy(parent=os.getpid())", "should be the parent of this one"),
    "a path that is not there": ("jail.Policy(readable=('/not/there',))", "/not/there"),
    "too little memory": ("jail.Policy(memory=2)", "memory is limited to 2 MiB"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_locked_is_said_before_anything_is(case: str) -> None:
    policy, message = REFUSED[case]
    script = f"""
        try:
            jail.lock_down({policy})
        except JailError as error:
            print(error)
        assert not jail.is_locked()
        os.listdir("/")
        jail.lock_down(jail.Policy(**policy))
    """
    assert message in printed(script)


def test_a_process_with_other_threads_is_not_locked() -> None:
    script = """
        import threading
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        try:
            jail.lock_down(jail.Policy(**policy))
        except JailError as error:
            print(error)
        os.listdir("/")
        os._exit(jail.is_locked())
    """
    ended = run(script.replace("print(error)", "print(error, flush=True)"))
    assert ended.returncode == 0
    assert "this process has 2 threads" in ended.stdout


def test_a_process_is_locked_once_and_tells_afterwards_what_it_got() -> None:
    script = """
        before = jail.available()
        level = jail.lock_down(jail.Policy(**policy))
        assert jail.available() == level == before
        try:
            jail.lock_down(jail.Policy(**policy))
        except JailError as error:
            print(error)
    """
    assert printed(script) == "this process is locked already\n"


def test_what_is_not_asked_for_is_neither_enforced_nor_missing() -> None:
    script = """
        level = jail.lock_down(jail.Policy(memory=None))
        print({"memory", "user"} & {*level.enforced, *level.missing} or "", os.getuid())
    """
    words = "" if IS_ROOT else "{'user'}"
    assert printed(script) == f"{words} {os.getuid()}\n"


def test_this_process_is_not_locked() -> None:
    assert not jail.is_locked()
    ENGINE.require_free_engine("anything")
