"""Where an attack is played: what it may aim at, and what is looked at afterwards."""

from __future__ import annotations

import _json
import ctypes
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from sysconfig import get_path
from time import monotonic, sleep

import isolation_fast

HOSTILE = Path(__file__).parent / "hostile"
BESIDE = HOSTILE / "beside"
WELL_BEHAVED = HOSTILE / "well_behaved" / "game_agent.py"
NOBODY = 65534
SUBREAPER = 36
CLEARING_SECONDS = 30.0
SPARSE_BYTES = 2**27

FOLDER_NAMES = {"has_a_name_for_a_shell": "$(touch made) `touch made`; touch made & '\" *"}


@dataclass(frozen=True)
class Attack:
    """A row of the expectations."""

    name: str
    endings: frozenset[str]
    refused: frozenset[str]
    forbidden: str

    @property
    def source(self) -> Path:
        return HOSTILE / self.name / "game_agent.py"

    @property
    def member(self) -> str:
        return "CustomPlayer" if "class CustomPlayer" in self.source.read_text("utf-8") else "custom_score"

    @property
    def tries(self) -> str:
        """The first line of its docstring."""
        return self.source.read_text("utf-8").partition('"""')[2].partition('"""')[0]


def attacks() -> list[Attack]:
    rows = [
        [cell.strip() for cell in line.split("|")]
        for line in (HOSTILE / "expectations.txt").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    return [
        Attack(name, frozenset(endings.split(" or ")), frozenset(refused.split()) - {"-"}, forbidden)
        for name, endings, refused, forbidden in rows
    ]


class Scene:
    """A folder with a submission, a secret and results; a process; sockets that listen. All are aimed at."""

    def __init__(self, folder: Path, attack: Attack, arbitrary: bytes) -> None:
        self.folder, self.attack = folder, attack
        self.mark, self.secret = f"mark{secrets.token_hex(8)}", f"secret{secrets.token_hex(16)}"
        self._secret_file, self._results = folder / "secret.txt", folder / "results.json"
        self._secret_file.write_text(f"{self.secret} = {self.secret}\n")
        self._results.write_text('{"score": 0}')
        self._stack = ExitStack()
        with ExitStack() as opened:
            self._listeners = [opened.enter_context(each) for each in _listeners(folder, self.mark)]
            self.victim = opened.enter_context(_victim())
            self._stack = opened.pop_all()
        self._limits = _rights_of(self.victim.pid)
        self.file = self._submission(arbitrary)
        _make_free(folder)
        self.files = self._state()

    def _submission(self, arbitrary: bytes) -> Path:
        submission = self.folder / FOLDER_NAMES.get(self.attack.name, "submission")
        submission.mkdir()
        shutil.copyfile(self.attack.source, submission / "game_agent.py")
        for each in BESIDE.glob("*.py"):
            shutil.copyfile(each, submission / each.name)
        shutil.copyfile(WELL_BEHAVED, submission / "honest.py")
        tcp, udp, path, _ = self._listeners
        targets = {
            "SECRET": str(self._secret_file),
            "RESULTS": str(self._results),
            "SCRATCH": str(self.folder),
            "MARK": self.mark,
            "ENVIRONMENT_MARK": self.secret,
            "PARENT": os.getpid(),
            "VICTIM": self.victim.pid,
            "PORT": tcp.getsockname()[1],
            "UDP_PORT": udp.getsockname()[1],
            "UNIX_PATH": path.getsockname(),
            "UNIX_ABSTRACT": self.mark,
            "BYTES": arbitrary,
        }
        (submission / "targets.py").write_text(
            "".join(f"{key} = {each!r}\n" for key, each in targets.items())
        )
        if self.attack.name in PREPARED:
            PREPARED[self.attack.name](submission, self._secret_file)
        return submission / "game_agent.py"

    def _state(self) -> dict[str, object]:
        return {**tree_state(self.folder, contents=True), **tree_state(Path(isolation_fast.__file__).parent)}

    def damage(self) -> list[str]:
        """What has happened that must not."""
        before, now = self.files, self._state()
        changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
        found = [f"changed: {path}" for path in changed]
        places = ["/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/", str(Path.home()), str(Path.cwd())]
        places += [get_path("purelib"), str(Path(isolation_fast.__file__).parent)]
        for place in filter(os.path.isdir, places):
            found += [f"new: {path}" for path in Path(place).iterdir() if self.mark in path.name]
        if _rights_of(self.victim.pid) != self._limits:
            found.append("the victim was touched")
        for each in self._listeners:
            try:
                each.accept() if each.type == socket.SOCK_STREAM else each.recv(1)
            except BlockingIOError:
                continue
            found.append(f"somebody spoke to {each.getsockname()!r}")
        return found

    def close(self) -> None:
        self._stack.close()


def _link_out(submission: Path, secret: Path) -> None:
    (submission / "notes.txt").symlink_to(secret)
    (submission / "data").symlink_to(secret.parent)


def _link_itself(submission: Path, secret: Path) -> None:
    (submission / "game_agent.py").unlink()
    (submission / "game_agent.py").symlink_to(secret)


def _zip(submission: Path, secret: Path) -> None:
    with zipfile.ZipFile(submission / "parts.zip", "w") as file:
        file.writestr("../secret_part.py", "raise SystemExit")
        file.writestr(f"../../{secret.parent.name}/made", "made")
        file.writestr("/tmp/made", "made")


def _library(submission: Path, secret: Path) -> None:
    # Any will do, since it is not to be loaded: best one of Python's own, which is small.
    engine = next(Path(isolation_fast.__file__).parent.glob("_native*.so"))
    shutil.copyfile(getattr(_json, "__file__", engine), submission / "part.so")


def _words(submission: Path, secret: Path) -> None:
    words = " ".join(f"numpy.word{each}" for each in range(100_000))
    lines = "\n".join(f"import {words}" for _ in range(2))
    (submission / "words.py").write_text(f'WORDS = """\n{lines}\n"""\n')


def _sparse(submission: Path, secret: Path) -> None:
    with (submission / "notes.py").open("wb") as file:
        file.truncate(SPARSE_BYTES)


PREPARED: dict[str, Callable[[Path, Path], None]] = {
    "names_megabytes_of_imports": _words,
    "has_a_sparse_file": _sparse,
    "reads_by_a_link": _link_out,
    "is_a_link_itself": _link_itself,
    "reads_out_of_a_zip": _zip,
    "loads_its_own_library": _library,
}


@contextmanager
def scene(attack: Attack, arbitrary: bytes = bytes(range(256))) -> Iterator[Scene]:
    folder = Path(tempfile.mkdtemp(prefix="hostile-")).resolve()
    try:
        made = Scene(folder, attack, arbitrary)
        try:
            yield made
        finally:
            made.close()
    finally:
        shutil.rmtree(folder)


def _make_free(folder: Path) -> None:
    """Let the user that a jailed process becomes do everything here: only the jail is to be in its way."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o777 if path.is_dir() else 0o666)
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)


def _listeners(folder: Path, mark: str) -> Iterator[socket.socket]:
    tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
    path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    addresses: list[object] = [("127.0.0.1", 0), ("127.0.0.1", 0), str(folder / "line"), "\0" + mark]
    for each, address in zip((tcp, udp, path, abstract), addresses, strict=True):
        each.setblocking(False)
        each.bind(address)  # type: ignore[arg-type]
        if each.type == socket.SOCK_STREAM:
            each.listen()
        yield each


@contextmanager
def _victim() -> Iterator[subprocess.Popen[bytes]]:
    user = NOBODY if os.geteuid() == 0 else None
    with subprocess.Popen(["sleep", "600"], user=user, start_new_session=True) as process:
        try:
            # What it catches and blocks is its own once it runs.
            while not re.match(r"\d+ \(sleep\) S", Path(f"/proc/{process.pid}/stat").read_text()):
                sleep(0.001)
            yield process
        finally:
            process.kill()


def _rights_of(process: int) -> list[object]:
    """What others might change of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    kept = [
        each
        for each in lines
        if each.startswith(("TracerPid", "SigBlk", "SigIgn", "SigCgt", "Cpus_allowed:"))
    ]
    runs = next(each for each in lines if each.startswith("State")).split()[1] not in "TtZX"
    return [
        *kept, runs, Path(f"/proc/{process}/limits").read_text(),
        os.getpriority(os.PRIO_PROCESS, process), os.sched_getscheduler(process),
    ]  # fmt: skip


def tree_state(folder: Path, *, contents: bool = False) -> dict[str, object]:
    """What is in a folder; but for contents all by what the system says, where nobody can put back a time."""
    found: dict[str, object] = {}
    for path in (folder, *folder.rglob("*")):
        told = path.lstat()
        found[str(path)] = (told.st_mode, told.st_uid, told.st_size, told.st_mtime_ns, told.st_ctime_ns)
        if contents and path.is_file() and not path.is_symlink():
            found[f"{path} (content)"] = sha256(path.read_bytes()).hexdigest()
    return found


@contextmanager
def orphans_are_ours() -> Iterator[None]:
    """Processes whose parent ends become our children here, however they were started: so they are found."""
    library = ctypes.CDLL(None)
    library.prctl(SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        library.prctl(SUBREAPER, 0, 0, 0, 0)


def processes_left(but: int) -> list[str]:
    """Processes below this one that are locked, or dead and forgotten, once there was time to end them."""
    end = monotonic() + CLEARING_SECONDS
    while (left := _locked_below(but)) and monotonic() < end:
        sleep(0.01)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return [f"left: process {process}" for process in left]


def _locked_below(but: int) -> list[int]:
    parents: dict[int, int] = {}
    locked: set[int] = set()
    ours = _filters("self")
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                status = (each / "stat").read_text().rpartition(")")[2].split()
                parents[int(each.name)] = int(status[1])
                if status[0] == "Z" or _filters(each.name) > ours:
                    locked.add(int(each.name))
            except (FileNotFoundError, ProcessLookupError):
                continue
    found = []
    for process in locked - {but}:
        above = process
        while above > 1 and above != os.getpid():
            above = parents.get(above, 0)
        if above == os.getpid() and process in parents:
            found.append(process)
    return found


def _filters(process: str) -> int:
    """How many filters of system calls lie on a process: one more than on this one, and it is locked."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(each.split()[1]) for each in lines if each.startswith("Seccomp_filters")), 0)
