"""Games of programs in a locked process, by machine code: they are those that the machine plays."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_playing_counted import file_fixture, program  # noqa: F401 - a fixture

from isolation_fast import Budget
from isolation_fast.endings import Fault
from isolation_fast.playing import apart
from isolation_fast.playing.chunks import KeptProcesses, run_chunk
from isolation_fast.playing.entrants import Chunk
from isolation_fast.playing.outcomes import ChunkResult, chunk_line
from isolation_fast.process import Child, Kind
from isolation_fast.tournament import Match, RoundRobin, entrant

EMPTY = "7x7 7/7/7/7/7/7/7 - - 1"
WORK = Budget(work=200)
BOARDS = {
    "7x7": EMPTY,
    "5x6": "5x6 5/5/5/5/5/5 - - 2",
    "of two words": "9x10 9/9/9/9/9/9/9/9/9/9 - - 1",
    "too large for machine code": "12x12 " + "/".join(["12"] * 12) + " - - 1",
}


@pytest.fixture(name="processes")
def processes_fixture() -> Iterator[KeptProcesses]:
    with KeptProcesses() as processes:
        yield processes


def chunk(file: Path, name: str = "sets", opponent: str = "MM_Improved", **options: Any) -> Chunk:
    player = entrant(program(file, name), default_budget=WORK, name=name)
    plan = Match(player, opponent, games=4, seed=3, budget=WORK, record=True, **options).plan()
    [first, *_] = plan.chunks()
    return first


def told(result: ChunkResult) -> str:
    return json.dumps([chunk_line(result), result.records, result.judged])


def kept(processes: KeptProcesses, of: Chunk) -> Child:
    """The process that has just played, and is left for the next chunk."""
    process = processes.take((apart.programs_of(of), apart.sizes_of(of)))
    assert process is not None
    return process


@pytest.mark.parametrize("board", BOARDS)
def test_its_games_are_those_of_the_machine(file: Path, processes: KeptProcesses, board: str) -> None:
    of = replace(chunk(file), openings=(BOARDS[board],))
    assert told(run_chunk(of, processes=processes)) == told(run_chunk(of))
    assert kept(processes, of).is_alive


def test_so_are_those_between_two_programs_one_of_which_has_no_value(
    file: Path, processes: KeptProcesses
) -> None:
    players = [
        entrant(program(file, name), default_budget=WORK, name=name) for name in ("failing", "first_moves")
    ]
    plan = RoundRobin(players, games=4, seed=3, record=True, exact=True).plan()
    for of in plan.chunks():
        found = run_chunk(of, processes=processes)
        assert found.endings
        assert told(found) == told(run_chunk(of))
        assert kept(processes, of).is_alive


def test_one_process_plays_chunk_after_chunk(file: Path, processes: KeptProcesses) -> None:
    of = chunk(file)
    run_chunk(of, processes=processes)
    process = kept(processes, of)
    processes.leave((apart.programs_of(of), apart.sizes_of(of)), process)
    run_chunk(replace(of, seed=4), processes=processes)
    assert kept(processes, of) is process


def test_it_is_locked_and_plays_by_the_machine_where_no_code_was_made(file: Path) -> None:
    of = chunk(file)
    with apart.start(apart.programs_of(of), [(5, 5)], None) as process:
        status = Path(f"/proc/{process.pid}/status").read_text()
        assert "\nSeccomp:\t2\n" in status
        assert "\nNoNewPrivs:\t1\n" in status
        played = apart.play(process, of, None)
    assert list(played[0]) == list(run_chunk(of).outcomes)


def test_where_it_has_ended_the_machine_plays(file: Path, processes: KeptProcesses) -> None:
    of = chunk(file)
    expected = told(run_chunk(of, processes=processes))
    process = kept(processes, of)
    os.kill(process.pid, signal.SIGKILL)
    processes.leave((apart.programs_of(of), apart.sizes_of(of)), process)
    assert told(run_chunk(of, processes=processes)) == expected


def other_winner(played: Any) -> None:
    played[0][0] ^= 1


def one_game_less(played: Any) -> None:
    played[0].pop()


def less_than_nothing(played: Any) -> None:
    played[1][0] = -1


def an_illegal_move(played: Any) -> None:
    played[4][0][3][0] = played[4][0][2][0]


def a_shorter_game(played: Any) -> None:
    del played[4][0][-2:]


def a_depth_that_is_a_text(played: Any) -> None:
    played[4][0][0][2] = "9"


def no_games(played: Any) -> None:
    played[4] = None


def outcomes_that_nobody_asked_for(played: Any) -> None:
    played[5] = ["W"] * len(played[0])


def a_want_of_value_in_a_game_that_is_none(played: Any) -> None:
    played[6] = [[99, EMPTY, 1, False]]


FORGERIES = (
    other_winner,
    one_game_less,
    less_than_nothing,
    an_illegal_move,
    a_shorter_game,
    a_depth_that_is_a_text,
    no_games,
    outcomes_that_nobody_asked_for,
    a_want_of_value_in_a_game_that_is_none,
)


@pytest.mark.parametrize("forge", FORGERIES)
def test_what_it_sends_is_looked_through(
    file: Path, monkeypatch: pytest.MonkeyPatch, forge: Callable[[Any], None]
) -> None:
    of = chunk(file)
    ask = Child.ask

    def forged(self: Child, kind: Kind, *asked: Any, **options: Any) -> Any:
        answer = ask(self, kind, *asked, **options)
        if answer.frame.kind is Kind.REPORTED:
            played = json.loads(answer.frame.content)
            forge(played)
            answer = answer._replace(frame=replace(answer.frame, content=json.dumps(played).encode()))
        return answer

    with apart.start(apart.programs_of(of), apart.sizes_of(of), None) as process:
        apart.play(process, of, None)
        monkeypatch.setattr(Child, "ask", forged)
        with pytest.raises(Fault, match="sent no games"):
            apart.play(process, of, None)
    monkeypatch.setattr(Child, "ask", forged)
    with KeptProcesses() as processes:
        assert told(run_chunk(of, processes=processes)) == told(run_chunk(of))
