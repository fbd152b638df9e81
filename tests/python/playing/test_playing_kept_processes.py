"""A process in which programs gave all values plays further chunks; results stay the same in any case."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isolation_fast.compiled import use_of
from isolation_fast.compiled.using import not_compiling
from isolation_fast.playing import chunks
from isolation_fast.playing.chunks import KeptProcesses, run_chunk
from isolation_fast.process import Child
from isolation_fast.process.starting import CAN_WAIT
from isolation_fast.tournament import Gauntlet, Match, Plan, Run, run

CHUNKS = 2
"""Of forty games."""
BROKEN = 1
"""Where a player that loses by its own fault is not asked in the second of them."""
ONE = 1 if CAN_WAIT and os.environ.get("ISOLATION_FAST_COMPILE") != "0" else CHUNKS


def more_moves(game: Any, player: Any) -> float:
    """Compiled."""
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


def fewer_moves_of_the_other(game: Any, player: Any) -> float:
    """Compiled."""
    return -float(len(game.get_legal_moves(game.get_opponent(player))))


def sometimes_large(game: Any, player: Any) -> float:
    """Bails where an integer is beyond 64 bits."""
    return float(7 ** len(game.get_blank_spaces()))


def large_late(game: Any, player: Any) -> float:
    """Bails once two dozen moves are made."""
    return float(7 ** (49 - len(game.get_blank_spaces())))


def sometimes_raising(game: Any, player: Any) -> float:
    """Raises where the player has one move left."""
    return 1.0 / (len(game.get_legal_moves(player)) - 1)


def sometimes_nan(game: Any, player: Any) -> float:
    """NaN where both have as many moves."""
    difference = more_moves(game, player)
    return difference if difference else float("inf") - float("inf")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The processes that chunks have started."""
    children: list[Any] = []

    def noting(*arguments: Any, **options: Any) -> Any:
        children.append(Child(*arguments, **options))
        return children[-1]

    monkeypatch.setattr(chunks, "Child", noting)
    return children


def everything(plan: Plan, folder: Path, **options: Any) -> list[object]:
    """All that a run says and writes."""
    folder.mkdir()
    journal, records = folder / "journal", folder / "records"
    result = run(plan, workers=1, journal=journal, records=records, **options)
    return [result.to_dict(), journal.read_bytes(), records.read_bytes()]


@pytest.mark.parametrize(
    ("mine", "opponent", "processes"),
    [
        (more_moves, "AB_Improved", ONE),
        (more_moves, fewer_moves_of_the_other, ONE),
        (sometimes_large, "AB_Improved", CHUNKS),
        (sometimes_raising, "AB_Improved", BROKEN),
        (sometimes_nan, more_moves, CHUNKS),
    ],
    ids=["against native", "against compiled", "bailing", "raising", "nan"],
)
def test_compiled_and_kept_a_tournament_is_the_same(
    mine: Callable[..., float], opponent: Any, processes: int, started: list[Any], tmp_path: Path
) -> None:
    theirs = {"theirs": opponent} if callable(opponent) else opponent
    plan = Match({"mine": mine}, theirs, games=40, budget="nodes=200", record=True).plan()
    assert plan.chunk_count == CHUNKS
    kept = everything(plan, tmp_path / "kept")
    assert len(started) == processes
    with not_compiling():
        assert everything(plan, tmp_path / "python") == kept
    assert len(started) == processes + (BROKEN if mine is sometimes_raising else CHUNKS)
    assert not any(each.is_alive for each in started)


def test_players_that_draw_while_they_are_loaded_have_fresh_processes(
    started: list[Any], tmp_path: Path
) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(
        "import random\n\nWEIGHT = random.random()\n\n\ndef custom_score(game, player):\n"
        "    mine, theirs = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))\n"
        "    return len(mine) - 4 * WEIGHT * len(theirs)\n"
    )
    opponents = ["AB_Improved", "AB_Open"]
    plan = Gauntlet(
        f"{file}:custom_score", opponents, games=20, budget="nodes=100", jail=False, record=True
    ).plan()
    kept = everything(plan, tmp_path / "kept")
    assert len(started) == plan.chunk_count == 2
    with not_compiling():
        assert everything(plan, tmp_path / "python") == kept


@pytest.mark.skipif(ONE == CHUNKS, reason="no process is kept here")
def test_a_kept_process_that_has_ended_is_replaced(started: list[Any]) -> None:
    assert use_of(more_moves) is not None
    plan = Match({"mine": more_moves}, "AB_Improved", games=40, budget="nodes=100").plan()
    first, second = plan.chunks()
    with KeptProcesses() as processes:
        run_chunk(first, processes=processes)
        alone = run_chunk(second, processes=processes)
        assert len(started) == 1
        os.killpg(started[0].pid, signal.SIGKILL)
        again = run_chunk(second, processes=processes)
        assert len(started) == 2
    assert (again.outcomes, again.nodes, again.endings) == (alone.outcomes, alone.nodes, {})
    fresh = run_chunk(second)
    assert (fresh.outcomes, fresh.nodes, fresh.endings) == (alone.outcomes, alone.nodes, {})
    assert not any(each.is_alive for each in started)


@pytest.mark.parametrize(("mine", "bails"), [(more_moves, False), (large_late, True)])
def test_the_timings_say_what_was_compiled(mine: Callable[..., float], bails: bool) -> None:
    plan = Match({"mine": mine}, "AB_Improved", games=80, budget="nodes=200").plan()
    with Run(plan, workers=1) as running:
        running.play()
        (found,) = running.timings().compiled
        assert found.name == "mine"
        assert found.values > 1000
        assert (found.bails > 0) is bails
        assert running.timings().to_dict()["compiled"][0]["values"] == found.values
    with not_compiling(), Run(plan, workers=1) as running:
        running.play()
        assert running.timings().compiled == ()
