"""Starting the process in which a submission will live, before it has one."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import isolation_fast
from isolation_fast.jail.watched import Pipes, WatchedProcess
from isolation_fast.process.ends import ONE_THREAD

__all__ = ["BOOT", "start_process"]

# Nothing of ours is left in the arguments, nothing of the working directory in the path: before Python 3.11
# there is no option for the latter. Our package is found where it is here, whatever else is installed, but
# behind the standard library, since other things may lie beside it.
BOOT: Final = (
    "import os, sys; root, requests, answers = sys.argv[1:]; del sys.argv[1:]; "
    "sys.path[:] = [each for each in sys.path if each]; "
    "root in sys.path or sys.path.insert(sys.path.index(os.path.dirname(os.__file__)) + 1, root); "
    "from isolation_fast.jail._inside import main; main(int(requests), int(answers))"
)
OPTIONS: Final = ("-s",) if sys.version_info < (3, 11) else ("-s", "-P")
STDERR: Final = 2
ENVIRONMENT: Final = {**dict.fromkeys(ONE_THREAD, "1"), "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}


def start_process(boot: str = BOOT) -> WatchedProcess:
    """A new process in a session of its own. It may end with the thread that calls this."""
    root = str(Path(isolation_fast.__file__).resolve().parents[1])
    with ExitStack() as theirs, ExitStack() as ours:
        wanted, requests = _pipe(theirs, ours)
        (answers, given), (stdout, out), (stderr, err) = (_pipe(ours, theirs) for _ in range(3))
        for descriptor in (requests, answers, stdout, stderr):
            os.set_blocking(descriptor, False)
        process = subprocess.Popen(
            [sys.executable, *OPTIONS, "-c", boot, root, str(wanted), str(given)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            pass_fds=(wanted, given),
            cwd="/",
            env=ENVIRONMENT,
            # Ctrl-C reaches us alone, and we end it, with all that it has started.
            start_new_session=True,
        )
        try:
            watched = WatchedProcess(process, Pipes(requests, answers, stdout, stderr))
        except BaseException:
            process.kill()
            process.wait()
            raise
        ours.pop_all()
        return watched


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe, each end of which is closed with its stack."""
    ends = [_above_the_standard_ones(each) for each in os.pipe()]
    reader.callback(os.close, ends[0])
    writer.callback(os.close, ends[1])
    return ends[0], ends[1]


def _above_the_standard_ones(descriptor: int) -> int:
    """Where our own stdin is closed its number is given to the next pipe, and is stdin to who we start."""
    if descriptor > STDERR:
        return descriptor
    # Not at the top: Windows does not have it.
    import fcntl

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, STDERR + 1)
    finally:
        os.close(descriptor)
