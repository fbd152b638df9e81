"""What is there when the jail is closed, and what can be read then."""

import subprocess
import sys
from pathlib import Path

from isolation_fast.worker.entry import readable_places


def imported(code: str, *arguments: str) -> str:
    """What a process prints that has imported the libraries."""
    start = f"import sys; from isolation_fast.worker.entry import import_libraries; {code}"
    command = [sys.executable, "-c", start, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def test_modules_written_in_c_are_there_before_anybody_asks_for_them() -> None:
    wanted = ("_decimal", "_ctypes", "numpy.random", "numpy.linalg", "numpy.fft")
    missing = f"import_libraries(); print([each for each in {wanted} if each not in sys.modules])"
    assert imported(missing) == "[]"


def test_importing_them_starts_no_thread() -> None:
    tasks = "import_libraries(); import threading; print(threading.active_count())"
    assert imported(tasks) == "1"


def test_the_working_directory_is_none_of_the_readable_places() -> None:
    assert str(Path.cwd()) not in readable_places()
    assert all(Path(each).exists() for each in readable_places())
