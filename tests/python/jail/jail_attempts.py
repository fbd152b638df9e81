"""A process that is locked and then tries what it may not: run by `test_jail.py`, never imported.

`python jail_attempts.py FOLDER lock|free VICTIM` prints a dictionary in JSON: what came of each attempt,
"done" or the error. With `free` nothing is locked, so that it shows that without a jail the attempts succeed.
"""

import ctypes
import errno
import fcntl
import json
import mmap
import multiprocessing
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy

from isolation_fast import jail

FOLDER = Path(sys.argv[1])
SECRET, OWN = FOLDER / "secret", FOLDER / "allowed" / "own"
LIBRARY = next((FOLDER / "allowed").glob("*.so"))
NEW = FOLDER / "allowed" / "new"
VICTIM = int(sys.argv[3])
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"

MAYMOVE, DONTUNMAP = 1, 4
GROWING = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
# Where our engine's machine code lies: a second place of it would be no longer what the lock guards.
TEXT = next(
    int(line.partition("-")[0], 16)
    for line in Path("/proc/self/maps").read_text().splitlines()
    if " r-x" in line and "_native" in line
)

# Numbers on x86-64 and on AArch64.
CALLS = {
    "openat2": (437, 437),
    "truncate": (76, 45),
    "chown": (92, 54),
    "setxattr": (188, 5),
    "mknodat": (259, 33),
    "fallocate": (285, 47),
    "sendfile": (40, 71),
    "copy_file_range": (326, 285),
    "splice": (275, 76),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone": (56, 220),
    "clone3": (435, 435),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "pkey_mprotect": (329, 288),
    "remap_file_pages": (216, 234),
    "mremap": (25, 216),
    "mlock": (149, 228),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "prctl": (157, 167),
    "personality": (135, 92),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "capset": (126, 91),
    "setuid": (105, 146),
    "setresuid": (117, 147),
    "setgroups": (116, 159),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "ioprio_set": (251, 30),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "timer_create": (222, 107),
    "timerfd_create": (283, 85),
    "eventfd2": (290, 19),
    "signalfd4": (289, 74),
    "init_module": (175, 105),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "acct": (163, 89),
    "syslog": (103, 116),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "no such call": (9999, 9999),
}
if X86:
    CALLS |= {"fork": (57, 0), "vfork": (58, 0), "execve": (59, 0), "arch_prctl": (158, 0), "iopl": (172, 0)}
    # By the numbers of x32, a second set on the same architecture.
    CALLS |= {"x32 getpid": (0x40000000 + 39, 0), "x32 openat": (0x40000000 + 257, 0)}


def by_libc(function: str, *arguments: object) -> None:
    called = getattr(LIBC, function)
    called.restype = ctypes.c_long
    if called(*arguments) in (-1, 0xFFFFFFFF):
        raise OSError(ctypes.get_errno(), function)


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)
    os.wait()


def execute() -> None:
    os.execv("/bin/true", ["true"])


def spawn() -> None:
    os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)


def other_process() -> None:
    process = multiprocessing.get_context("fork").Process(target=print)
    process.start()
    process.join()


def thread() -> None:
    started = threading.Thread(target=len, args=("",))
    started.start()
    started.join()


def read_memory_of(victim: int) -> None:
    class Piece(ctypes.Structure):
        _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))

    here = ctypes.create_string_buffer(8)
    piece = ctypes.byref(Piece(ctypes.addressof(here), 8))
    by_libc("process_vm_readv", victim, piece, 1, piece, 1, 0)


def mapped_code() -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)


def protected_code() -> None:
    memory = mmap.mmap(-1, 4096)
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    by_libc("mprotect", ctypes.c_void_p(at), 4096, mmap.PROT_READ | mmap.PROT_EXEC)


def mapped_again(address: int) -> None:
    place, page = ctypes.c_void_p(address), ctypes.c_size_t(4096)
    by_libc("syscall", CALLS["mremap"][not X86], place, page, page, MAYMOVE | DONTUNMAP, None)


def lower_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))


def raised_limit(which: int) -> None:
    soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (hard, hard) if soft != hard else (hard + 1, hard + 1))


def told_by_signal() -> None:
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, VICTIM)


def locked_file() -> None:
    with OWN.open() as file:
        fcntl.flock(file, fcntl.LOCK_SH)


def locked_part() -> None:
    with OWN.open() as file:
        fcntl.lockf(file, fcntl.LOCK_SH)


def into_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


FILES: dict[str, Callable[[], object]] = {
    "open": lambda: SECRET.open(),
    "numpy": lambda: numpy.fromfile(SECRET),
    "numpy by a map": lambda: numpy.memmap(SECRET, mode="r"),
    "C": lambda: by_libc("open", bytes(SECRET), os.O_RDONLY),
    "a way around": lambda: (FOLDER / "allowed" / ".." / "secret").open(),
    "a link": lambda: (FOLDER / "allowed" / "link").open(),
    "own memory": lambda: os.open("/proc/self/mem", os.O_RDONLY),
    "own maps": lambda: os.open("/proc/self/maps", os.O_RDONLY),
    "a folder": lambda: list(FOLDER.iterdir()),
    "its processes": lambda: list(Path("/proc").iterdir()),
}
WRITING: dict[str, Callable[[], object]] = {
    "a new file": lambda: NEW.open("w"),
    "a file it may read": lambda: OWN.open("r+"),
    "adding to it": lambda: OWN.open("a"),
    "cutting it while opening": lambda: os.open(OWN, os.O_RDONLY | os.O_TRUNC),
    "cutting it": lambda: os.truncate(OWN, 0),
    "a file without a name": lambda: os.open(FOLDER / "allowed", os.O_RDWR | os.O_TMPFILE),
    "numpy": lambda: numpy.ones(2).tofile(NEW),
    "chmod": lambda: OWN.chmod(0o600),
    "utime": lambda: os.utime(OWN, (0, 0)),
    "rename": lambda: OWN.rename(NEW),
    "link": lambda: os.link(OWN, NEW),
    "symlink": lambda: NEW.symlink_to(OWN),
    "mkdir": lambda: NEW.mkdir(),
    "fifo": lambda: os.mkfifo(NEW),
    "setxattr": lambda: os.setxattr(OWN, "user.note", b"x"),
    "unlink": lambda: OWN.unlink(),
}
PROCESSES: dict[str, Callable[[], object]] = {
    "fork": fork,
    "spawn": spawn,
    "subprocess": lambda: subprocess.run(["/bin/true"], check=True),
    "multiprocessing": other_process,
    "thread": thread,
    "exec": execute,
}
OTHERS: dict[str, Callable[[], object]] = {
    "look for it": lambda: os.kill(VICTIM, 0),
    "tgkill": lambda: by_libc("tgkill", VICTIM, VICTIM, 0),
    "its group": lambda: os.killpg(os.getpgid(VICTIM), 0),
    "memory": lambda: read_memory_of(VICTIM),
    "limits": lambda: resource.prlimit(VICTIM, resource.RLIMIT_CORE, (0, 0)),
    "stop": lambda: os.kill(VICTIM, signal.SIGSTOP),
    "trace": lambda: by_libc("ptrace", 16, VICTIM, None, None),
    "kill": lambda: os.kill(VICTIM, signal.SIGKILL),
}
CODE: dict[str, Callable[[], object]] = {
    "mapped": mapped_code,
    "protected": protected_code,
    "our own a second time": lambda: mapped_again(TEXT),
    "moved": lambda: mapped_again(ctypes.addressof(ctypes.c_char.from_buffer(GROWING))),
    "a library": lambda: ctypes.CDLL(str(LIBRARY)),
}
REST: dict[str, Callable[[], object]] = {
    "its parent": lambda: os.kill(os.getppid(), 0),
    "everybody": lambda: os.kill(-1, 0),
    "its own group": lambda: os.kill(0, 0),
    "a lower limit": lower_limit,
    "more open files": lambda: raised_limit(resource.RLIMIT_NOFILE),
    "more memory": lambda: raised_limit(resource.RLIMIT_AS),
    "larger files": lambda: raised_limit(resource.RLIMIT_FSIZE),
    "told by signals": told_by_signal,
    "flock": locked_file,
    "lockf": locked_part,
    "typing into a terminal": into_terminal,
    "dumpable": lambda: by_libc("prctl", 4, 1, 0, 0, 0),
    "outliving its parent": lambda: by_libc("prctl", 1, 0, 0, 0, 0),
    "sockets in pairs": socket.socketpair,
}
GROUPS = {
    "files": FILES,
    "writing": WRITING,
    "processes": PROCESSES,
    "others": OTHERS,
    "code": CODE,
}
# These end this process, or stop the victim, or need to know its memory.
NEVER_FREE = ("exec", "stop", "trace", "memory")


def begin_anew() -> None:
    """What one attempt that succeeds did to the files is nothing to the next one."""
    if NEW.is_dir() and not NEW.is_symlink():
        NEW.rmdir()
    else:
        NEW.unlink(missing_ok=True)
    OWN.unlink(missing_ok=True)
    OWN.write_text("text")


def outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    except (ImportError, RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return "done"


def attempts(locked: bool) -> Iterator[tuple[str, Callable[[], object]]]:
    for group, tried in GROUPS.items():
        for name, attempt in tried.items():
            if locked or name not in NEVER_FREE:
                yield f"{group}: {name}", attempt
    if not locked:
        return
    for name, attempt in REST.items():
        yield f"rest: {name}", attempt
    for name in dir(socket):
        if name.startswith("AF_"):
            family = getattr(socket, name)
            yield f"sockets: {name}", lambda family=family: socket.socket(family, socket.SOCK_DGRAM)  # type: ignore[misc]
    for name, numbers in CALLS.items():
        number = numbers[not X86]
        yield f"calls: {name}", lambda number=number: by_libc("syscall", number, 0, 0, 0, 0, 0, 0)  # type: ignore[misc]


def main() -> None:
    locked = sys.argv[2] == "lock"
    told: dict[str, object] = {}
    if locked:
        import encodings.idna  # noqa: F401 - sockets ask for it

        library = str(Path(os.__file__).parent)
        policy = jail.Policy(
            readable=(library, str(FOLDER / "allowed")), user=jail.NOBODY, parent=os.getppid(), cpu_seconds=30
        )
        told["level"] = jail.lock_down(policy).to_dict()
    told["user"] = [*os.getresuid(), *os.getresgid(), *os.getgroups()]
    came_of_it: dict[str, str] = {}
    for name, attempt in attempts(locked):
        if not locked:
            begin_anew()
        came_of_it[name] = outcome(attempt)
    told["attempts"] = came_of_it
    print(json.dumps(told))


if __name__ == "__main__":
    main()
