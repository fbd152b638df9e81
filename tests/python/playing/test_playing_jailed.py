"""Submissions in the jail play the same games as outside it, and what they do costs them alone."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from playing_cases import (
    BEHAVING,
    GREEDY,
    OPENINGS,
    RANDOM,
    entrant_of,
    submitted,
    without_times,
)

from isolation_fast import AlphaBetaPlayer, Budget, jail
from isolation_fast.cli import main
from isolation_fast.compiled import not_compiling
from isolation_fast.exceptions import InvalidArgumentError, JailError, JournalError, NurseryEndedError
from isolation_fast.jail import Level, Limits, shared_pool
from isolation_fast.playing.chunks import run_chunk
from isolation_fast.playing.entrants import Chunk, Entrant, ObjectEntrant
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, WON, ChunkResult
from isolation_fast.tournament import Gauntlet, Match, RandomOpenings, RoundRobin

AGENT = "examples/game_agent.py"
NO_LIMIT = 4000.0
"""Milliseconds a turn that no pause of the machine uses up."""

SHORT = Limits(load_cpu=2.0, move_cpu=0.5, wall_factor=100.0, memory=512)
SOUND = "def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n"
PLAYER = "class Player:\n    def get_move(self, game, time_left):\n"


def chunk_of(
    first: Entrant, second: Entrant = GREEDY, *, openings: int = 1, limits: Limits | None = None
) -> Chunk:
    texts = OPENINGS[:openings]
    return Chunk(4, 2, (first, second), texts, 7, 12345, NO_LIMIT, record=True, jail=limits or Limits())


def games_of(result: ChunkResult) -> ChunkResult:
    """What is the same in the jail and outside it."""
    return replace(without_times(result), jail=None, paid=(0, 0))


def outside(chunk: Chunk) -> ChunkResult:
    return run_chunk(replace(chunk, jail=None))


# --- who wants to choose


@pytest.mark.parametrize("jailed", [True, False], ids=["jail", "outside"])
def test_nobody_becomes_something_else_than_its_source_says_while_it_is_loaded(
    tmp_path: Path, *, jailed: bool
) -> None:
    file = tmp_path / "game_agent.py"
    player = f"{PLAYER}        return game.get_legal_moves()[0]\n"
    file.write_text(f"{SOUND}{player}globals()['custom_score'] = Player\n")
    chunk = chunk_of(entrant_of(file, "custom_score"))
    result = run_chunk(chunk if jailed else replace(chunk, jail=None))
    told = "custom_score is a player once it is loaded, and a heuristic by its source"
    assert set(result.endings.values()) == {("not loaded", told)}
    file.write_text(f"{player}{SOUND}globals()['Player'] = custom_score\n")
    chunk = chunk_of(entrant_of(file, "Player"))
    result = run_chunk(chunk if jailed else replace(chunk, jail=None))
    told = "Player is a heuristic once it is loaded, and a player by its source"
    assert set(result.endings.values()) == {("not loaded", told)}


# --- who behaves


@pytest.mark.parametrize("entrant", BEHAVING, ids=lambda entrant: str(entrant.name))
def test_who_behaves_plays_the_same_games_in_the_jail_and_outside_it(entrant: Entrant) -> None:
    chunk = chunk_of(entrant, RANDOM, openings=2)
    with ThreadPoolExecutor(1) as threads:
        jailed = threads.submit(run_chunk, chunk).result()
    assert jailed.endings == {}
    assert jailed.jail == jail.available()
    assert games_of(jailed) == games_of(outside(chunk))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (submitted("sound", "Drawing"), submitted("keeping_state", "NumpyDrawing")),
        (submitted("sound", "Drawing"), replace(submitted("sound", "Drawing"), name="other")),
        (submitted("keeping_state"), submitted("first_layout", "CustomPlayer")),
    ],
)
def test_of_two_submissions_each_has_its_own_process_and_chance(one: Entrant, other: Entrant) -> None:
    chunk = chunk_of(one, other, openings=2)
    jailed = run_chunk(chunk)
    assert jailed.endings == {}
    assert games_of(jailed) == games_of(outside(chunk))


class Largest:
    """A player that a script made."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        return max(game.get_legal_moves())


def test_a_submission_in_the_jail_plays_an_object_of_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for player in (AlphaBetaPlayer("open", nodes=40), Largest()):
        content = pickle.dumps(player)
        entrant = ObjectEntrant("object", content, sha256(content).hexdigest())
        for pair in ((submitted("sound", "Drawing"), entrant), (entrant, submitted("keeping_state"))):
            chunk = chunk_of(*pair, openings=2)
            jailed = run_chunk(chunk)
            assert (jailed.endings, jailed.jail) == ({}, jail.available())
            assert games_of(jailed) == games_of(outside(chunk))


class Exiting:
    """One that ends the process in which its games are played."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        os._exit(3)


def test_an_object_that_ends_the_chunks_process_is_not_the_jailed_ones_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    exiting, largest = (
        ObjectEntrant("object", content, sha256(content).hexdigest())
        for content in map(pickle.dumps, (Exiting(), Largest()))
    )
    for pair, outcome in (
        ((submitted("sound"), exiting), WON),
        ((exiting, submitted("sound")), LOST),
        ((submitted("ending_its_process", "Exiting"), largest), LOST),
        ((largest, submitted("ending_its_process", "Exiting")), WON),
    ):
        result = run_chunk(chunk_of(*pair))
        assert result.outcomes == bytes([outcome, outcome])
        assert {ending for ending, _ in result.endings.values()} == {"killed"}
        assert result.jail == jail.available()


def test_who_sleeps_has_used_no_time_and_who_computes_has(write_submission: Callable[..., Path]) -> None:
    sleeping = f"import time\n{PLAYER}        time.sleep(0.2)\n        return game.get_legal_moves()[0]\n"
    file = write_submission(sleeping) / "game_agent.py"
    ended = "3x3 3/3/3 - - 1"
    chunk = replace(chunk_of(entrant_of(file, "Player")), time_limit=150.0, openings=(ended,))
    result = run_chunk(chunk)
    assert (result.endings, result.reproducible) == ({}, True)
    slow = replace(chunk, entrants=(submitted("too_slow", "Slow"), GREEDY))
    result = run_chunk(slow)
    assert {ending for ending, _ in result.endings.values()} == {"timeout"}
    assert all("of CPU time, and the turn has 150 ms" in detail for _, detail in result.endings.values())
    assert not result.reproducible


@pytest.mark.parametrize("budget", [Budget(ms=5), Budget(nodes=20, ms=1000)])
def test_budgets_in_milliseconds_in_the_jail_give_what_is_not_reproducible(budget: Budget) -> None:
    result = run_chunk(chunk_of(replace(submitted("sound"), budget=budget)))
    assert (result.endings, result.reproducible) == ({}, False)
    # Who looks at the clock and has no use for it repeats its games.
    assert run_chunk(chunk_of(submitted("sound", "Modest"))).reproducible


def of_the_example(games: int = 24, **options: Any) -> Gauntlet:
    tested = [f"{AGENT}:custom_score", f"{AGENT}:custom_score_2"]
    with not_compiling():
        return Gauntlet(tested, ["Random", "AB_Open"], games=games, budget="nodes=40", seed=3, **options)


def test_results_are_the_same_bytes_for_any_workers_and_outside_the_jail() -> None:
    gauntlet = of_the_example()
    alone = gauntlet.run(workers=1)
    for workers in (2, 3):
        assert gauntlet.run(workers=workers).to_json() == alone.to_json()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert gauntlet.run(executor=pool).to_json() == alone.to_json()
    told, free = alone.to_dict(), of_the_example(jail=False).run().to_dict()
    assert told.pop("jail") == {
        "used": True,
        "limits": {"load_cpu": 10.0, "move_cpu": 5.0, "wall_factor": 4.0, "memory": 2048, "output": 65536},
        "level": jail.available().to_dict(),
    }
    assert free.pop("jail") == {"used": False, "limits": None, "level": None}
    assert json.dumps(told) == json.dumps(free)


def test_a_journal_remembers_the_jail(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    gauntlet = of_the_example(games=20)
    told = gauntlet.run(journal=journal).to_json()
    assert gauntlet.run(journal=journal, resume=True).to_json() == told
    for other in (of_the_example(games=20, jail=False), of_the_example(games=20, limits=SHORT)):
        with pytest.raises(JournalError, match="the journal is of another plan: jail"):
            other.run(journal=journal, resume=True)


# --- each failure


@pytest.mark.parametrize(
    ("source", "ending", "detail"),
    [
        ("return 1 / 0", "raised", "ZeroDivisionError: division by zero (game_agent.py:3 in get_move)"),
        ("raise SystemExit('bye')", "raised", "SystemExit: bye"),
        ("return (-1, -1)", "illegal move", "it answered (-1, -1)"),
        ("return None", "bad answer", "None"),
        ("return [1] * 10**9", "out of memory", "MemoryError"),
        ("return open('/etc/passwd').read()", "refused", "/etc/passwd"),
        ("import socket; socket.socket()", "refused", ""),
        ("import os; os._exit(3)", "killed", "status 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "killed", "SIGSEGV"),
        ("import os; os.closerange(3, 64)", "killed", ""),
        ("while True: pass", "timeout", "CPU"),
    ],
)
def test_each_failure_in_the_jail_has_its_ending(
    write_submission: Callable[..., Path], source: str, ending: str, detail: str
) -> None:
    file = write_submission(f"{PLAYER}        {source}\n") / "game_agent.py"
    chunk = replace(chunk_of(entrant_of(file, "Player"), limits=SHORT), time_limit=300.0)
    result = run_chunk(chunk)
    assert result.outcomes == bytes([LOST, LOST])
    assert [told[0] for told in result.endings.values()] == [ending, ending]
    for _, told in result.endings.values():
        assert detail in told
        assert str(file.parent) not in told
        assert "\n" not in told
    assert result.reproducible is (ending != "timeout")
    assert result.records is not None
    assert [(each["ending"], each["detail"]) for each in result.records] == list(result.endings.values())


@pytest.mark.parametrize(
    ("source", "ending", "detail"),
    [
        ("import nothing_of_that_name", "not loaded", "nothing_of_that_name"),
        ("import os\nos._exit(4)", "not loaded", "while it was loaded: "),
        ("while True: pass", "not loaded", "while it was loaded: "),
        ("open('/etc/passwd')", "not loaded", "/etc/passwd"),
    ],
)
def test_who_cannot_be_loaded_in_the_jail_loses_its_games(
    write_submission: Callable[..., Path], source: str, ending: str, detail: str
) -> None:
    file = write_submission(f"{source}\n{SOUND}") / "game_agent.py"
    limits = replace(SHORT, load_cpu=0.5)
    entrant = entrant_of(file, "custom_score")
    for chunk, outcome in (
        (chunk_of(entrant, limits=limits), LOST),
        (chunk_of(GREEDY, entrant, limits=limits), WON),
    ):
        result = run_chunk(chunk)
        assert result.outcomes == bytes([outcome, outcome])
        assert {told[0] for told in result.endings.values()} == {ending}
        assert all(detail in told[1] for told in result.endings.values())
        assert result.jail == jail.available()


def test_something_else_than_an_answer_is_a_broken_protocol(write_submission: Callable[..., Path]) -> None:
    source = f"""import os
{PLAYER}        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"player 1 has won")
            except OSError:
                pass
        return game.get_legal_moves()[0]
"""
    file = write_submission(source) / "game_agent.py"
    result = run_chunk(chunk_of(entrant_of(file, "Player")))
    assert {ending for ending, _ in result.endings.values()} == {"protocol broken"}
    assert result.outcomes == bytes([LOST, LOST])


def test_a_jailed_process_that_ends_costs_one_game_and_no_other() -> None:
    rarely = submitted("ending_its_process", "Rarely")
    chunk = chunk_of(rarely, RANDOM, openings=3)
    jailed, free = run_chunk(chunk), outside(chunk)
    assert [ending for ending, _ in jailed.endings.values()] == ["killed"]
    assert list(jailed.endings) == list(free.endings)
    assert jailed.outcomes == free.outcomes
    assert jailed.records is not None
    assert free.records is not None
    assert [each["moves"] for each in jailed.records] == [each["moves"] for each in free.records]


def killing_the_nursery(at: set[int]) -> Callable[[], bool]:
    """Asked for the so-manieth time whether there was an interruption, it kills the nursery, and says no."""
    asked = count(1)

    def interrupted() -> bool:
        nursery = shared_pool()._nursery
        if next(asked) in at and nursery is not None:
            # One that was killed before may have been waited for already.
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(nursery.pid, signal.SIGKILL)
                # A game may end before it does.
                os.waitid(os.P_PID, nursery.pid, os.WEXITED | os.WNOWAIT)
        return False

    return interrupted


def test_a_nursery_that_ends_costs_no_game() -> None:
    chunk = chunk_of(submitted("sound"), RANDOM, openings=3)
    undisturbed = run_chunk(chunk)
    disturbed = run_chunk(chunk, interrupted=killing_the_nursery({3, 8}))
    assert disturbed.endings == {}
    assert games_of(disturbed) == games_of(undisturbed)


def test_a_chunk_whose_nurseries_all_end_is_given_up() -> None:
    chunk = chunk_of(submitted("sound"), RANDOM, openings=3)
    with pytest.raises(NurseryEndedError, match="ended by SIGKILL"):
        run_chunk(chunk, interrupted=killing_the_nursery({*range(1000)}))


def test_after_three_strikes_in_the_jail_no_game_is_played() -> None:
    for each in (submitted("answering_badly", "Silent"), submitted("ending_its_process", "Exiting")):
        result = run_chunk(chunk_of(each, openings=3))
        assert result.outcomes == bytes([LOST] * 3 + [NOT_PLAYED] * 3)
        assert sorted(result.endings) == [0, 1, 2]


def test_a_submission_that_fails_harms_no_other_of_the_run() -> None:
    sound, bad = submitted("sound"), submitted("ending_its_process")
    alone = Match(sound, "Random", games=20).run().player(sound.name)
    both = Gauntlet([bad, sound], ["Random"], games=20).run(workers=2)
    assert both.player(bad.name).is_broken
    assert both.player(sound.name).scores == alone.scores
    met = RoundRobin([bad, sound], openings=RandomOpenings(4)).run()
    assert met.player(bad.name).is_broken
    assert not met.player(sound.name).is_broken


# --- the command


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    budget = ("--games", "2", "--budget", "nodes=20", "--no-compile")
    status = main(["tournament", "--kind", "match", *budget, *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_says_where_files_ran(capsys: pytest.CaptureFixture[str]) -> None:
    players = (f"{AGENT}:custom_score", "Random")
    assert "\nplayers of files ran in the jail (full" in told(capsys, *players)[1]
    assert "\nplayers of files ran outside the jail\n" in told(capsys, *players, "--no-jail")[1]
    assert "jail" not in told(capsys, "AB_Open", "Random", "--no-jail")[1]
    out = told(capsys, *players, "--json", "--memory", "700", "--move-cpu", "2")[1]
    limits = json.loads(out)["jail"]["limits"]
    assert (limits["memory"], limits["move_cpu"], limits["load_cpu"]) == (700, 2.0, 10.0)


def test_a_required_sandbox_that_is_not_there_ends_with_a_status_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = (f"{AGENT}:custom_score", "Random")
    assert told(capsys, *players, "--require-sandbox")[0] == 0
    for level in (Level((), ("files", "system calls")), Level(("system calls",), ("files",))):
        monkeypatch.setattr(jail, "available", lambda level=level: level)
        status, out, err = told(capsys, *players, "--require-sandbox")
        assert (status, out) == (6, "")
        assert "files" in err
        assert told(capsys, "AB_Open", "Random", "--require-sandbox")[0] == 0


def test_where_there_is_no_jail_that_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("jail", "jail.process"):
        level = Level((), ("files", "system calls"))
        monkeypatch.setattr(f"isolation_fast.{place}.available", lambda level=level: level)
    status, out, err = told(capsys, f"{AGENT}:custom_score", "Random")
    assert status == 0
    assert "ran outside the jail" in out
    assert "there is no jail on this system" in err
    with pytest.raises(JailError, match="there is no jail on this system"):
        Match(f"{AGENT}:custom_score", "Random", games=2, jail=True)
    # One that was made before.
    with pytest.raises(JailError, match="jail=True needs a jail"):
        Match(submitted("sound"), "Random", games=2, jail=True).plan()


@pytest.mark.parametrize(
    "option", [["--require-sandbox"], ["--memory", "5"], ["--load-cpu", "1"], ["--wall-factor", "2"]]
)
def test_what_is_about_the_jail_needs_it(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "AB_Open", "Random", "--no-jail", *option)
    assert (status, out) == (2, "")
    assert f"{option[0]} is about the jail" in err


def test_what_is_no_limit_is_refused() -> None:
    wrong_ones: tuple[dict[str, Any], ...] = (
        {"move_cpu": 0.0},
        {"move_cpu": 1e12},
        {"load_cpu": float("inf")},
        {"load_cpu": 1e30},
        {"memory": 100},
        {"memory": 10**20},
        {"wall_factor": True},
        {"wall_factor": 1e9},
        {"output": 10**20},
    )
    for wrong in wrong_ones:
        with pytest.raises(InvalidArgumentError, match=next(iter(wrong))):
            Limits(**wrong)
    with pytest.raises(InvalidArgumentError, match="limits= are those of the jail"):
        Match("AB_Open", "Random", games=2, jail=False, limits=Limits())


# --- what is left


def processes_below(pid: int) -> set[int]:
    """The processes that one has started, and those that these have, by what the system knows."""
    below: set[int] = set()
    parents = {int(each.name): parent_of(each) for each in Path("/proc").iterdir() if each.name.isdecimal()}
    found = {pid}
    while found:
        found = {each for each, parent in parents.items() if parent in found}
        below |= found
    return below


def parent_of(process: Path) -> int:
    try:
        return int(process.joinpath("stat").read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return 0


def are_gone(pids: Iterable[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize(
    ("source", "opponent"),
    [
        ("return game.get_legal_moves()[0]", "Random"),
        ("while True: pass", "Random"),
        ("return game.get_legal_moves()[0]", "AB_Improved@depth=40"),
    ],
)
def test_ctrl_c_ends_at_once_and_leaves_no_process(
    write_submission: Callable[..., Path], source: str, opponent: str
) -> None:
    file = write_submission(f"{PLAYER}        {source}\n") / "game_agent.py"
    # Whoever started the tests may have the signal ignored, which a child inherits.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from isolation_fast.cli import main; sys.exit(main())"
    )
    options = ["--games", "100000", "--move-cpu", "300", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, "tournament", f"{file}:Player", "--roster", opponent, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    backstop = time.monotonic() + 120
    while len(below := processes_below(process.pid)) < 2:
        assert time.monotonic() < backstop
        time.sleep(0.05)
    time.sleep(1.0)
    below |= processes_below(process.pid)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "isolation-fast: interrupted" in err
    while not are_gone(below):
        assert time.monotonic() < backstop
        time.sleep(0.05)
