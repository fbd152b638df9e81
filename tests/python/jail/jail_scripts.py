"""Scripts that lock themselves, each in a process of its own."""

import os
import subprocess
import sys
import textwrap

ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
LOCK = """
import ctypes, os, sys, time
import numpy
from isolation_fast import JailError, jail
library = os.path.dirname(os.__file__)
policy = dict(readable=(library,), user=jail.NOBODY, parent=os.getppid(), cpu_seconds=30)
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    """A script in a process of its own; `policy` is a dictionary from which it makes one."""
    command = [sys.executable, "-c", LOCK + textwrap.dedent(script)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=ONE_THREAD)


def printed(script: str) -> str:
    ended = run(script)
    assert ended.stderr == ""
    assert ended.returncode == 0
    return ended.stdout
