"""A tournament on a real Dask scheduler with two worker processes, one of which is killed in the middle."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from isolation_fast.cli import main
from isolation_fast.tournament import Gauntlet, Plan, Progress, run

# Three processes import a great deal, which takes long where others are at work too.
TIMEOUT = 180

# A cluster takes seconds to start and to stop.
pytestmark = pytest.mark.slow


def plan() -> Plan:
    return Gauntlet("AB:bfs", ["AB_Improved", "Random"], games=400, budget="nodes=300", seed=2).plan()


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


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


# Dask's own client warns of its own clocks and versions; what it does is not what is tested.
@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_same_result_even_if_a_worker_is_killed(cluster: Cluster) -> None:
    expected = run(plan(), workers=1).to_json()
    seen: list[Progress] = []

    def kill_one(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    with Client(cluster.address, timeout=TIMEOUT) as client:  # type: ignore[no-untyped-call] # it is so
        client.wait_for_workers(2, timeout=TIMEOUT)
        assert run(plan(), executor=client, progress=kill_one).to_json() == expected
        assert len(client.scheduler_info()["workers"]) == 1
    assert cluster.workers[0].wait(timeout=TIMEOUT) != 0


@pytest.mark.filterwarnings("default")
def test_the_command_uses_a_running_cluster(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "tournament",
        "AB:bfs",
        "--roster",
        "Random",
        "--games",
        "20",
        "--budget",
        "nodes=50",
        "--json",
    ]
    assert main([*arguments, "--dask", cluster.address]) == 0
    by_the_cluster = capsys.readouterr().out
    assert main(arguments) == 0
    assert capsys.readouterr().out == by_the_cluster


def test_where_there_is_no_scheduler_the_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--games", "2", "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "there is no Dask scheduler at 'tcp://127.0.0.1:1'" in capsys.readouterr().err
