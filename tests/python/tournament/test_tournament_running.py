"""Running a plan: the same result, whoever plays it and however often it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import InvalidArgumentError, tournament
from isolation_fast.tournament import (
    Gauntlet,
    Match,
    Plan,
    Progress,
    RoundRobin,
    Run,
    Sprt,
    merge,
    run,
    run_chunk,
)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut plans of a few games too, as long ones are."""
    monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (2, 2000))


PLAYERS = ["AB_Improved@depth=2", "AB:bfs@nodes=60"]
ROSTER = ["Random", "Greedy", "AB_Open@depth=1"]


def gauntlet(**changes: Any) -> Plan:
    return Gauntlet(PLAYERS, ROSTER, **{"games": 90, "seed": 7, **changes}).plan()


@pytest.fixture
def expected() -> str:
    return run(gauntlet(), workers=1).to_json()


class Backwards(Executor):
    """Plays what it is handed when the first result is asked for, the last first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: work(*arguments, **keywords)))
        if len(self._waiting) == 5:
            self.work_off()
        return future

    def work_off(self) -> None:
        while self._waiting:
            future, work = self._waiting.pop()
            future.set_result(work())


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_the_result_does_not_depend_on_the_number_of_threads(workers: int, expected: str) -> None:
    assert run(gauntlet(), workers=workers).to_json() == expected


def test_the_result_does_not_depend_on_the_executor(expected: str) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert run(gauntlet(), executor=threads).to_json() == expected
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert run(gauntlet(), executor=processes).to_json() == expected


def test_the_result_does_not_depend_on_the_order_of_completion(expected: str) -> None:
    plan = gauntlet()
    assert plan.chunk_count % 5 == 0
    assert run(plan, executor=Backwards(), workers=5).to_json() == expected


def test_the_result_does_not_depend_on_the_size_of_chunks(monkeypatch: Any, expected: str) -> None:
    for games in (2, 14, 10**6):
        monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (games, games))
        assert run(gauntlet(), workers=2).to_json() == expected


def test_chunks_can_be_played_anywhere_and_merged(expected: str) -> None:
    plan = gauntlet()
    results = [run_chunk(each) for each in plan.chunks()]
    assert merge(plan, reversed(results)).to_json() == expected


def test_a_resumed_run_has_the_result_of_one_that_was_not_interrupted(tmp_path: Path, expected: str) -> None:
    plan, journal = gauntlet(), tmp_path / "journal"
    for _ in range(3):
        with Run(plan, workers=2, journal=journal, resume=True) as running:
            with pytest.raises(ZeroDivisionError):
                running.play(lambda progress: 1 // 0)
            assert not running.result().is_complete
    with Run(plan, journal=journal, resume=True) as running:
        assert running.resumed_games == sum(
            len(chunk.openings) * 2 for chunk, _ in zip(plan.chunks(), range(3), strict=False)
        )
        assert running.play().to_json() == expected
    assert run(plan, journal=journal, resume=True).to_json() == expected


def test_progress_tells_all_games(tmp_path: Path) -> None:
    told: list[Progress] = []
    run(gauntlet(), progress=told.append)
    assert told[-1] == Progress(540, 540)
    assert [each.games for each in told] == sorted({each.games for each in told})


def test_records_are_the_same_bytes_whoever_played(tmp_path: Path) -> None:
    plan = gauntlet(record=True, games=20)
    run(plan, workers=1, records=tmp_path / "alone")
    with ThreadPoolExecutor(4) as threads:
        run(plan, executor=threads, records=tmp_path / "threads", journal=tmp_path / "journal")
    run(plan, records=tmp_path / "resumed", journal=tmp_path / "journal", resume=True)
    alone = (tmp_path / "alone").read_bytes()
    assert (tmp_path / "threads").read_bytes() == alone
    assert (tmp_path / "resumed").read_bytes() == alone
    lines = [json.loads(line) for line in alone.splitlines()]
    assert len(lines) == 120
    name = PLAYERS[0]
    won = sum(line["players"][line["winner"] - 1] == name for line in lines)
    assert won == run(gauntlet(games=20)).player(name).won


def test_a_sequential_test_stops_at_the_same_place_whoever_plays() -> None:
    plan = Match("AB_Improved@depth=3", "Random", games=4000).plan()
    alone = run(plan, workers=1, sprt=Sprt(0.5, 0.6))
    assert alone.sequential[0].result.decision == "H1"
    assert alone.openings == alone.sequential[0].result.count < 200
    assert alone.games == 2 * alone.openings
    with ThreadPoolExecutor(4) as threads:
        assert run(plan, executor=threads, sprt=Sprt(0.5, 0.6)).to_json() == alone.to_json()


def test_a_sequential_test_of_a_gauntlet_looks_at_blocks(tmp_path: Path) -> None:
    plan = Gauntlet("AB_Improved@depth=3", ROSTER, games=4000, record=True).plan()
    result = run(plan, sprt=Sprt(0.4, 0.5), records=tmp_path / "records")
    assert result.sequential[0].unit == "blocks"
    assert result.sequential[0].result.decision == "H1"
    assert result.games == 6 * result.openings
    assert len((tmp_path / "records").read_bytes().splitlines()) == result.games


def test_a_sequential_test_is_for_one_player() -> None:
    for plan in (gauntlet(), RoundRobin(ROSTER, games=4).plan()):
        with pytest.raises(InvalidArgumentError, match="for a match or for a gauntlet of one test player"):
            run(plan, sprt=Sprt(0.5, 0.6))
    with pytest.raises(InvalidArgumentError, match="h0 must be below h1"):
        Sprt(0.6, 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resume": True}, "resume=True needs the journal="),
        ({"records": "games.jsonl"}, "records= needs a plan that was made with record=True"),
        ({"workers": 0}, "workers must be an integer of at least 1, not 0"),
        ({"workers": 1.5}, "workers must be an integer of at least 1, not 1.5"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        run(gauntlet(), **options)


def test_an_executor_is_one() -> None:
    with pytest.raises(TypeError, match=r"executor must be a concurrent\.futures\.Executor"):
        run(gauntlet(), executor=object())


PROGRAM = """
import sys
from isolation_fast.tournament import Match, run
plan = Match("AB_Improved", "AB_Open", games=2000, budget="nodes=400", seed=5).plan()
run(plan, workers=2, journal=sys.argv[1], resume=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    journal = tmp_path / "journal"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(journal)])
    yield process, journal
    process.kill()
    process.wait()


def test_a_killed_run_goes_on_where_it_was(program: tuple[subprocess.Popen[bytes], Path]) -> None:
    process, journal = program
    backstop = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < backstop
        time.sleep(0.01)
    process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    process.wait()
    plan = Match("AB_Improved", "AB_Open", games=2000, budget="nodes=400", seed=5).plan()
    with Run(plan, journal=journal, resume=True) as running:
        assert running.resumed_games > 0
        result = running.play()
    assert result.to_json() == run(plan).to_json()


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_run_at_once(workers: int) -> None:
    started = time.monotonic()

    def interrupt(_: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    plan = Match("AB_Improved", "AB_Open", games=10_000, budget="nodes=5000").plan()
    with pytest.raises(KeyboardInterrupt):
        run(plan, workers=workers, progress=interrupt)
    assert time.monotonic() - started < 60


def test_every_public_name_is_there() -> None:
    assert {name for name in dir(tournament) if not name.startswith("_")} >= set(tournament.__all__)
    for name in tournament.__all__:
        assert getattr(tournament, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Gauntled'"):
        tournament.Gauntled  # type: ignore[attr-defined]  # noqa: B018


def test_a_test_is_an_sprt() -> None:
    wrong: Any = (0.5, 0.6)
    with pytest.raises(TypeError, match=r"sprt must be a test such as Sprt\(h0=0\.5, h1=0\.55\)"):
        run(Match("Random", "Greedy", games=2).plan(), sprt=wrong)


def test_journal_and_records_are_two_files(tmp_path: Path) -> None:
    plan = Match("Random", "Greedy", games=2, record=True).plan()
    for journal in ("games", "games.part"):
        with pytest.raises(InvalidArgumentError, match="journal and records must be two files"):
            run(plan, journal=tmp_path / journal, records=tmp_path / "games")
    assert not list(tmp_path.iterdir())
