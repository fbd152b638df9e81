"""A class on a real Dask scheduler with two worker processes, one of which is killed in the middle."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from class_scene import PLAIN, SECRET, UNREADABLE, WORDS, WORST, files_of, quickly, write_class
from distributed import Client

from isolation_grader.classes import ClassRun, Step
from isolation_grader.cli import main
from isolation_grader.exceptions import ExitStatus
from tests.clusters import TIMEOUT, Cluster

# A cluster takes seconds to start and to stop.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    submissions = {f"student-{number}.py": f"{PLAIN}\n# number {number}\n" for number in range(3)}
    submissions |= {"eve.py": UNREADABLE, "bob/game_agent.py": WORST}
    return write_class(tmp_path_factory.mktemp("dask") / "class", submissions, "kills_itself")


# Dask's own client warns of its own clocks and versions; what it does is not what is tested.
@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_same_files_even_if_a_worker_is_killed(
    cluster: Cluster, folder: Path, tmp_path: Path
) -> None:
    with ClassRun(folder, tmp_path / "here", quickly(), seed=SECRET, workers=1) as here:
        here.grade()
        here.write()
    steps: list[Step] = []

    def kill_one(step: Step) -> None:
        if step.last is None:
            return
        steps.append(step)
        if step.done == 2:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    with Client(cluster.address, timeout=TIMEOUT) as client:  # type: ignore[no-untyped-call] # it is so
        client.wait_for_workers(2, timeout=TIMEOUT)
        with ClassRun(folder, tmp_path / "there", quickly(), seed=SECRET, executor=client) as there:
            there.grade(kill_one)
            there.write()
        assert len(client.scheduler_info()["workers"]) == 1
    assert cluster.workers[0].wait(timeout=TIMEOUT) != 0
    assert [step.done for step in steps] == list(range(1, 7))
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")


@pytest.mark.filterwarnings("default")
def test_the_command_uses_a_running_cluster(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_class(tmp_path / "class", {"eve.py": UNREADABLE, "alan.py": UNREADABLE})
    words = [str(tmp_path / "class"), "--out", str(tmp_path / "results"), *WORDS]
    assert main(["class", *words, "--dask", cluster.address]) == ExitStatus.GOOD
    assert "2 not graded" in capsys.readouterr().out
