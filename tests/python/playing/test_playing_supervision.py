"""Processes of Python players: they end when they hang, or nobody waits for them, and leave nothing."""

import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playing_cases import GREEDY, OPENINGS, submitted, without_times

from isolation_fast import Budget, heuristics
from isolation_fast.exceptions import WorkerError
from isolation_fast.playing.chunks import run_python_chunk
from isolation_fast.playing.entrants import Chunk, Entrant, NativeEntrant
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, WON, ChunkResult

EMPTY = "7x7 7/7/7/7/7/7/7 - - 1"
BACKSTOP = 60.0
"""Seconds that a test waits for what should take a moment."""

BEHIND = 1.2
"""A hang limit in seconds above the one that a pause of the machine counts for."""

NO_LIMIT = 60_000.0
"""Milliseconds a turn that no pause of the machine uses up."""


def chunk_of(first: Entrant, *openings: str) -> Chunk:
    return Chunk(0, 0, (first, GREEDY), openings or OPENINGS[:1], 0, 12345, NO_LIMIT, record=True)


def comes_true(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + BACKSTOP
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def is_alive(process: int) -> bool:
    """Whether it is there, and no mere entry that its new parent has not taken notice of."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        if Path("/proc/self").exists():
            return False
        return subprocess.run(["ps", "-p", str(process)], capture_output=True, check=False).returncode == 0
    return state not in "ZX"


def noted(note: Path) -> list[int]:
    return [int(each) for each in note.read_text().split()] if note.exists() else []


@pytest.mark.parametrize("member", ["custom_score", "Looping", "HoldingTheInterpreter", "Catching"])
def test_who_never_answers_has_lost_the_game(member: str) -> None:
    opening = EMPTY if member == "Looping" else OPENINGS[0]
    chunk = replace(chunk_of(submitted("hanging", member), opening), time_limit=500.0)
    result = run_python_chunk(chunk, hang_limit=BEHIND)
    assert result.outcomes == bytes([LOST, LOST])
    assert set(result.endings.values()) == {("hung", f"no answer within {BEHIND:g} s")}
    assert not result.reproducible
    assert result.records is not None
    made = [len(each["moves"]) for each in result.records]
    assert made == ([4, 5] if member == "Looping" else [0, 1])
    assert sum(result.turns) == sum(made)


@pytest.mark.parametrize("member", ["HangingAnswer", "HangingBoard", "HangingReferee", "HangingReport"])
def test_who_hangs_behind_its_turn_has_lost_the_game(member: str) -> None:
    chunk = replace(chunk_of(submitted("hanging", member)), time_limit=500.0)
    result = run_python_chunk(chunk, hang_limit=BEHIND)
    assert result.outcomes == bytes([LOST, LOST])
    assert {ending for ending, _ in result.endings.values()} == {"hung"}
    assert not result.reproducible
    told = f"no answer within {BEHIND:g} s"
    if member in ("HangingReferee", "HangingReport"):
        told += ", after its turn"
    assert {detail for _, detail in result.endings.values()} == {told}


def test_nobody_has_hung_where_the_engine_searches_for_long() -> None:
    # By the clock: on a busy machine so many nodes may take as long as a hang does.
    deep = NativeEntrant("Deep", "alphabeta", heuristics.get("open"), Budget(ms=2 * 1000 * BEHIND))
    # It is asked in the first game, and in the second one only when the other one has searched.
    chunk = chunk_of(submitted("raising", "Raising"), EMPTY)
    chunk = replace(chunk, entrants=(chunk.entrants[0], deep))
    result = run_python_chunk(chunk, hang_limit=BEHIND)
    assert {ending for ending, _ in result.endings.values()} == {"raised"}


def test_who_is_bound_by_a_turns_time_is_waited_for_much_longer_than_that() -> None:
    slow = replace(chunk_of(submitted("too_slow", "Slow")), time_limit=400.0)
    # Not 0.3 s: that is less than the turn's own time.
    result = run_python_chunk(slow, hang_limit=0.3)
    assert {ending for ending, _ in result.endings.values()} == {"timeout"}


def test_a_process_that_ends_costs_one_game_and_no_other() -> None:
    chunk = chunk_of(submitted("ending_its_process", "Rarely"), *OPENINGS)
    first, second = (without_times(run_python_chunk(chunk)) for _ in range(2))
    assert first == second
    assert first.endings == {2: ("killed", "its process exited with status 0")}
    assert NOT_PLAYED not in first.outcomes
    assert first.records is not None
    # What it played before it ended the process is there too.
    assert len(first.records[2]["moves"]) > 3
    # The games before are those of a chunk that ends before that game.
    before = run_python_chunk(chunk_of(submitted("ending_its_process", "Rarely"), *OPENINGS[:1]))
    assert before.records == first.records[:2]


def test_processes_that_end_are_strikes_too() -> None:
    result = run_python_chunk(chunk_of(submitted("ending_its_process", "Crashing"), *OPENINGS))
    assert result.outcomes == bytes([LOST] * 3 + [NOT_PLAYED] * 3)
    assert set(result.endings.values()) == {("killed", "its process was ended by SIGSEGV")}


def test_of_two_players_that_end_their_process_each_loses_its_own_game() -> None:
    chunk = replace(
        chunk_of(submitted("ending_its_process", "Crashing"), *OPENINGS),
        entrants=(submitted("ending_its_process", "Crashing"), submitted("ending_its_process", "Exiting")),
    )
    # On these openings all of them end it at once, so it is the one who moves first.
    assert run_python_chunk(chunk).outcomes == bytes([LOST, WON, LOST, WON, LOST, NOT_PLAYED])


def test_nothing_that_a_player_has_started_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTE", str(tmp_path / "note"))
    result = run_python_chunk(chunk_of(submitted("forking", "Starting"), EMPTY))
    assert result.endings == {}
    started = noted(tmp_path / "note")
    assert len(started) == 4
    assert comes_true(lambda: not any(map(is_alive, started)))


def test_who_is_interrupted_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "note"
    monkeypatch.setenv("NOTE", str(note))
    monkeypatch.setenv("WAIT", "1")
    with pytest.raises(KeyboardInterrupt):
        run_python_chunk(chunk_of(submitted("forking", "Starting"), EMPTY), interrupted=note.exists)
    assert comes_true(lambda: len(noted(note)) == 2)
    assert comes_true(lambda: not any(map(is_alive, noted(note))))


def test_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run_python_chunk(chunk_of(submitted("ending_its_process", "Crashing")))
    with pytest.raises(KeyboardInterrupt):
        run_python_chunk(chunk_of(submitted("hanging")), interrupted=lambda: True)
    assert list(tmp_path.iterdir()) == []


PARENT = """
import pickle, signal, sys
from pathlib import Path
from isolation_fast.playing.chunks import run_python_chunk

signal.signal(signal.SIGINT, signal.default_int_handler)
run_python_chunk(pickle.loads(Path(sys.argv[1]).read_bytes()))
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("member", ["Starting", "StartingAndHolding"])
def test_no_process_outlives_the_one_that_started_it(
    sent: signal.Signals, member: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, order = tmp_path / "note", tmp_path / "chunk"
    monkeypatch.setenv("NOTE", str(note))
    monkeypatch.setenv("WAIT", "1")
    order.write_bytes(pickle.dumps(chunk_of(submitted("forking", member), EMPTY)))
    command = [sys.executable, "-c", PARENT, str(order)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as parent:
        assert comes_true(lambda: len(noted(note)) == 2)
        assert all(map(is_alive, noted(note)))
        parent.send_signal(sent)
    assert comes_true(lambda: not any(map(is_alive, noted(note))))


WAITING = """
import os, sys, threading, time
from isolation_fast.process.starting import _wait_for_the_end

threading.Thread(target=_wait_for_the_end, args=(0,), daemon=True).start()
print("ready", flush=True)
time.sleep(600)
"""


def test_without_linux_a_thread_ends_the_process_with_its_parent() -> None:
    command = [sys.executable, "-c", WAITING]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        process.stdin.close()
        assert process.wait(BACKSTOP) == -signal.SIGKILL


def run_and_send(chunk: Chunk, results: Any) -> None:
    results.put(run_python_chunk(chunk))


def test_a_daemon_process_may_run_chunks_too() -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    chunk = chunk_of(submitted("sound"))
    process = context.Process(target=run_and_send, args=(chunk, results), daemon=True)
    process.start()
    result = results.get(timeout=BACKSTOP)
    process.join(BACKSTOP)
    assert without_times(result) == without_times(run_python_chunk(chunk))


def test_chunks_may_run_side_by_side_in_threads() -> None:
    chunk = chunk_of(submitted("keeping_state", "Counting"))
    results: list[ChunkResult] = []
    threads = [
        threading.Thread(target=lambda: results.append(without_times(run_python_chunk(chunk))))
        for _ in range(3)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(BACKSTOP)
    assert results == [without_times(run_python_chunk(chunk))] * 3


SCRIPT = """
import pickle
from hashlib import sha256
from isolation_fast import Budget, heuristics
from isolation_fast.exceptions import WorkerError
from isolation_fast.playing.chunks import run_python_chunk
from isolation_fast.playing.entrants import Chunk, NativeEntrant, ObjectEntrant

class Mine:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves())

def score(game, player):
    return 1.0

def main():
    for thing, budget in ((Mine(), None), (score, Budget(nodes=20))):
        entrant = ObjectEntrant("mine", pickle.dumps(thing), "", budget)
        greedy = NativeEntrant("Greedy", "greedy", heuristics.get("open"))
        chunk = Chunk(0, 0, (entrant, greedy), ("7x7 7/7/7/7/7/7/7 - - 1",), 0, 1, 150.0, record=False)
        result = run_python_chunk(chunk)
        print(len(result.outcomes), result.endings)

"""
GUARD = 'if __name__ == "__main__":\n    main()\n'


def run_script(*command: str, cwd: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *command],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=BACKSTOP,
    )


@pytest.mark.parametrize("command", [["script.py"], ["-m", "script"]])
def test_players_of_a_script_are_made_by_running_it_again(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT + GUARD)
    run = run_script(*command, cwd=tmp_path)
    assert (run.stdout, run.stderr, run.returncode) == ("2 {}\n2 {}\n", "", 0)


def test_a_script_without_a_guard_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT + "main()\n")
    run = run_script("script.py", cwd=tmp_path)
    assert (run.stdout, run.returncode) == ("", 1)
    last = run.stderr.splitlines()[-1]
    assert 'after `if __name__ == "__main__":`' in last


THROUGH_A_RUN = """
from isolation_fast.tournament import Match

class Mine:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves())

def score(game, player):
    return 1.0

for thing in (Mine(), score, lambda game, player: 2.0):
    result = Match({"mine": thing}, "Random", games=2, budget="nodes=20").run(workers=1)
    print(result.games, [each.faults for each in result.players])
"""


def test_players_of_a_script_on_stdin_are_sent_themselves(tmp_path: Path) -> None:
    run = run_script("-", cwd=tmp_path, stdin=THROUGH_A_RUN)
    assert (run.stdout, run.stderr, run.returncode) == ("2 [(), ()]\n" * 3, "", 0)


def test_players_of_a_session_are_told_to_be_put_into_a_module(tmp_path: Path) -> None:
    run = run_script("-c", SCRIPT + "main()\n", cwd=tmp_path)
    assert (run.stdout, run.returncode) == ("", 1)
    assert "put its class or function into a module" in run.stderr.splitlines()[-1]


def test_a_process_that_cannot_start_is_no_players_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 7\n")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(WorkerError, match="ended before it played: its process exited with status 7"):
        run_python_chunk(chunk_of(submitted("sound")))
