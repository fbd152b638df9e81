"""A tournament on a real Dask scheduler with two worker processes, one of which is killed in the middle."""

import os
import signal
from collections.abc import Iterator

import pytest
from distributed import Client

from isolation_fast.cli import main
from isolation_fast.tournament import Gauntlet, Plan, Progress, run
from tests.clusters import TIMEOUT, Cluster

# A cluster takes seconds to start and to stop.
pytestmark = pytest.mark.slow


def plan() -> Plan:
    return Gauntlet("AB:bfs", ["AB_Improved", "Random"], games=400, budget="nodes=300", seed=2).plan()


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
