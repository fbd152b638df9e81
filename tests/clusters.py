"""A real Dask cluster on this machine: a scheduler and two workers, each a process of its own."""

import re
import subprocess
import sys
import time
from pathlib import Path

# Three processes import a great deal, which takes long where others are at work too.
TIMEOUT = 180


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "scheduler.log"
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", log=self.log)
        self.address = self._address()
        self.workers = [
            self._start(
                "worker",
                self.address,
                *("--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"),
                *("--local-directory", str(folder)),
                log=folder / f"worker{number}.log",
            )
            for number in range(2)
        ]

    def _start(self, role: str, *arguments: str, log: Path) -> subprocess.Popen[bytes]:
        with log.open("wb") as output:
            command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *arguments]
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def _address(self) -> str:
        backstop = time.monotonic() + TIMEOUT
        while time.monotonic() < backstop:
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", self.log.read_text(errors="replace"))
            if found:
                return found[1]
            time.sleep(0.05)
        raise TimeoutError(self.log.read_text(errors="replace"))

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
