"""The command as a whole: how it is started, and what it says of itself."""

import subprocess
import sys


def isolation_fast(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    command = [sys.executable, "-m", "isolation_fast", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_command_tells_its_version() -> None:
    done = isolation_fast("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("isolation-fast ")


def test_an_unknown_option_is_an_error_on_stderr() -> None:
    done = isolation_fast("--verison")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--verison" in done.stderr
