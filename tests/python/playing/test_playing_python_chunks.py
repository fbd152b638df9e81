"""Chunks with Python players: each failure has its ending, and no process or thread changes a result."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playing_cases import (
    BEHAVING,
    CASES,
    GREEDY,
    OPENINGS,
    RANDOM,
    submitted,
    without_times,
)

from isolation_fast import AlphaBetaPlayer, Budget, heuristics
from isolation_fast.exceptions import InvalidArgumentError, WorkerError
from isolation_fast.playing.chunks import run_python_chunk
from isolation_fast.playing.entrants import Chunk, Entrant, NativeEntrant, ObjectEntrant, SubmissionEntrant
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, WON, ChunkResult
from isolation_fast.playing.records import GameRecord

BACKSTOP = 60.0
"""Seconds that a test waits for what should take a moment."""

NO_LIMIT = 60_000.0
"""Milliseconds a turn that no pause of the machine uses up."""


def sent(thing: Any, budget: Budget | None = None, name: str = "object") -> ObjectEntrant:
    content = pickle.dumps(thing)
    return ObjectEntrant(name, content, sha256(content).hexdigest(), budget)


def chunk_of(first: Entrant, second: Entrant = GREEDY, *, openings: int = 1, **options: Any) -> Chunk:
    chunk = Chunk(4, 2, (first, second), OPENINGS[:openings], 7, 12345, NO_LIMIT, record=False)
    return replace(chunk, **options)


def played(*arguments: Any, hang_limit: float = BACKSTOP, **options: Any) -> ChunkResult:
    return run_python_chunk(chunk_of(*arguments, **options), hang_limit=hang_limit)


# --- games that go well


@pytest.mark.parametrize(
    "entrant",
    [*BEHAVING, submitted("forking", "Forking")],
    ids=lambda entrant: str(entrant.name),
)
def test_a_chunk_is_the_same_each_time(entrant: Entrant) -> None:
    chunk = chunk_of(entrant, RANDOM, openings=2, record=True)
    random.seed(1)
    first = run_python_chunk(chunk)
    random.seed(2)
    with ThreadPoolExecutor(1) as threads:
        second = threads.submit(run_python_chunk, chunk).result()
    assert without_times(first) == without_times(second)
    assert first.endings == {}
    assert first.reproducible
    assert set(first.outcomes) <= {WON, LOST}
    assert (first.index, first.pairing, first.first_opening) == (4, 2, 7)


def test_a_submission_may_play_against_itself() -> None:
    for members in (("custom_score", "Largest"), ("Drawing", "Drawing"), ("custom_score", "custom_score")):
        one, other = (submitted("sound", member) for member in members)
        result = played(one, replace(other, name="other"))
        assert result.endings == {}


def test_two_submissions_with_files_of_the_same_names_play_each_other() -> None:
    result = played(submitted("keeping_state", "Counting"), submitted("sound", "Drawing"))
    assert result.endings == {}


def test_games_are_the_records_in_which_first_is_player_1_and_then_player_2() -> None:
    entrant = submitted("sound", budget=Budget(nodes=50))
    result = played(entrant, GREEDY, openings=2, record=True)
    assert result.records is not None
    records = [GameRecord.from_dict(each) for each in result.records]
    names = (entrant.name, GREEDY.name)
    assert [each.players for each in records] == [names, names[::-1], names, names[::-1]]
    assert [(each.opening, each.side) for each in records] == [(7, 0), (7, 1), (8, 0), (8, 1)]
    winners = [each.players[each.winner - 1] for each in records]
    assert [name == entrant.name for name in winners] == [bool(each) for each in result.outcomes]
    made, searched = [0, 0], [0, 0]
    for record in records:
        *_, last = record.boards()
        assert last.get_legal_moves() == []
        for number, nodes in enumerate(record.nodes):
            mover = names.index(record.players[number % 2])
            made[mover] += 1
            searched[mover] += nodes or 0
    assert (tuple(made), tuple(searched)) == (result.turns, result.nodes)


def test_each_game_has_the_stream_that_its_place_in_the_plan_says() -> None:
    chunk = chunk_of(submitted("sound", "Drawing"), RANDOM, openings=3, record=True)
    whole = run_python_chunk(chunk).records
    assert whole is not None
    alone = run_python_chunk(replace(chunk, openings=OPENINGS[1:2], first_opening=8)).records
    assert alone == whole[2:4]
    elsewhere = run_python_chunk(replace(chunk, openings=OPENINGS[1:2], first_opening=9)).records
    other_seed = run_python_chunk(replace(chunk, openings=OPENINGS[1:2], first_opening=8, seed=1)).records
    assert alone not in (elsewhere, other_seed)


@pytest.mark.parametrize(
    "native",
    [
        NativeEntrant("AB", "alphabeta", heuristics.get("improved"), Budget(nodes=50)),
        NativeEntrant("MM", "minimax", heuristics.get("center"), Budget(depth=2)),
        GREEDY,
    ],
)
def test_what_a_native_player_searches_is_counted(native: NativeEntrant) -> None:
    result = played(submitted("sound", "Largest"), native, record=True)
    assert (result.endings, result.nodes[0], result.nodes[1] > 0) == ({}, 0, True)
    assert result.records is not None
    searched = [nodes for record in result.records for nodes in record["nodes"] if nodes is not None]
    assert sum(searched) == result.nodes[1]
    assert len(searched) == result.turns[1]


@pytest.mark.parametrize("budget", [Budget(ms=5), Budget(nodes=20, ms=1000)])
def test_budgets_in_milliseconds_give_what_is_not_reproducible(budget: Budget) -> None:
    native = NativeEntrant("AB", "alphabeta", heuristics.get("open"), budget)
    largest = submitted("sound", "Largest")
    assert not played(largest, native).reproducible
    assert not played(submitted("sound", budget=budget), GREEDY).reproducible
    assert not played(sent(AlphaBetaPlayer("open", budget=budget))).reproducible


def test_a_player_that_goes_by_the_clock_gives_what_is_not_reproducible() -> None:
    for entrant in (submitted("sound", "Deepening"), sent(AlphaBetaPlayer("open", timeout=90.0))):
        small = replace(chunk_of(entrant, time_limit=100.0), openings=("4x4 4/4/4/4 - - 1",))
        assert not run_python_chunk(small).reproducible
    # It looks at the clock and has no use for it.
    assert played(submitted("sound", "Modest")).reproducible


def test_an_object_of_a_module_plays_as_it_is() -> None:
    result = played(sent(AlphaBetaPlayer("open", nodes=50)), RANDOM, openings=2)
    assert (result.endings, result.reproducible) == ({}, True)
    assert result.nodes[0] > 0


def heuristic_of_a_module(game: Any, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


def test_a_function_gets_our_search_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    result = played(sent(heuristic_of_a_module, Budget(nodes=40)), RANDOM)
    assert (result.endings, result.nodes[0] > 0) == ({}, True)


# --- each failure


@pytest.mark.parametrize(
    ("entrant", "ending", "detail"),
    [
        (
            submitted("raising", budget=Budget(depth=2)),
            "raised",
            "ZeroDivisionError: division by zero (game_agent.py:7 in custom_score)",
        ),
        (
            submitted("raising", "Raising"),
            "raised",
            "SearchTimeout: game_agent.py ran out of time, <object object> (game_agent.py:19 in search)",
        ),
        (
            submitted("raising", "Exiting"),
            "raised",
            "SystemExit: no more of this (game_agent.py:24 in get_move)",
        ),
        (submitted("raising", "Interrupting"), "raised", "KeyboardInterrupt (game_agent.py:29 in get_move)"),
        (submitted("raising", "Unspeakable"), "raised", "Odd (game_agent.py:38 in get_move)"),
        (
            submitted("answering_badly", "Silent"),
            "bad answer",
            "a move is a tuple (row, column), and it answered None",
        ),
        (submitted("answering_badly", "Listing"), "bad answer", "it answered ["),
        (submitted("answering_badly", "AlwaysEqual"), "bad answer", "whose repr raises RuntimeError"),
        (submitted("answering_badly"), "bad answer", "'much'"),
        (submitted("answering_badly", "custom_score_2"), "bad answer", "nan"),
        (submitted("answering_badly", "Giddy"), "illegal move", "it answered (-1, -1)"),
        (submitted("answering_badly", "Off"), "illegal move", "a tuple whose repr raises ValueError"),
        (submitted("answering_badly", "Taking"), "illegal move", "out of the list of legal moves"),
        (submitted("too_slow", "Slow"), "timeout", "it answered after the turn's 150 ms"),
        (submitted("ending_its_process", "Exiting"), "killed", "its process exited with status 3"),
        (submitted("ending_its_process"), "killed", "its process exited with status 3"),
        (submitted("ending_its_process", "Crashing"), "killed", "its process was ended by SIGSEGV"),
        (submitted("ending_its_process", "ClosingEverything"), "killed", "its process"),
        (
            submitted("not_loading", "Picky"),
            "not loaded",
            "RuntimeError: not today (game_agent.py:10 in __init__)",
        ),
        (submitted("not_loading", "AlwaysEqual"), "not loaded", "it says that it equals its opponent"),
        (
            submitted("player_alone", "Wanting"),
            "not loaded",
            "TypeError: Wanting.__init__() missing 1 required",
        ),
        (submitted("not_loading", "Nobody"), "not loaded", "unknown heuristic of game_agent.py 'Nobody'"),
        (
            submitted("ending_while_loading"),
            "not loaded",
            "while it was loaded: its process exited with status 4",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, SubmissionEntrant) else "",
)
def test_each_failure_has_its_ending(entrant: Entrant, ending: str, detail: str) -> None:
    limit = 150.0 if ending == "timeout" else NO_LIMIT
    result = played(entrant, record=True, time_limit=limit, nan="refuse")
    assert result.outcomes == bytes([LOST, LOST])
    assert sorted(result.endings) == [0, 1]
    for told in result.endings.values():
        assert told[0] == ending
        assert detail in told[1]
        assert str(CASES) not in told[1]
        assert "\n" not in told[1]
    assert result.reproducible is (ending != "timeout")
    assert result.records is not None
    assert [(each["ending"], each["detail"]) for each in result.records] == list(result.endings.values())


@pytest.mark.parametrize(
    "entrant",
    [
        submitted("raising", "Raising"),
        submitted("ending_its_process", "Exiting"),
        submitted("not_loading", "Picky"),
        submitted("ending_while_loading"),
    ],
    ids=lambda entrant: str(entrant.name),
)
def test_what_the_second_player_does_is_not_the_first_ones_fault(entrant: Entrant) -> None:
    result, mirrored = played(GREEDY, entrant), played(entrant, GREEDY)
    assert (result.outcomes, mirrored.outcomes) == (bytes([WON, WON]), bytes([LOST, LOST]))
    assert result.endings == mirrored.endings


def test_what_a_player_has_set_off_is_its_own_fault() -> None:
    slow = NativeEntrant("AB", "alphabeta", heuristics.get("improved"), Budget(nodes=20_000_000))
    result = played(submitted("raising", "Ringing"), slow)
    assert result.outcomes == bytes([LOST, LOST])
    told = ("raised", "after its turn: SearchTimeout: too late (game_agent.py:42 in ring)")
    assert result.endings == {0: told, 1: told}


def test_after_three_strikes_no_game_is_played() -> None:
    silent = submitted("answering_badly", "Silent")
    result = played(silent, openings=3, record=True)
    assert result.outcomes == bytes([LOST] * 3 + [NOT_PLAYED] * 3)
    assert sorted(result.endings) == [0, 1, 2]
    assert result.records is not None
    assert len(result.records) == 3
    # Both fail here: the first to move in each game, player 1, is the one that loses.
    both = played(silent, replace(silent, name="other"), openings=3)
    assert both.outcomes == bytes([LOST, WON, LOST, WON, LOST, NOT_PLAYED])


def test_where_neither_player_is_there_who_would_have_moved_first_loses() -> None:
    picky = submitted("not_loading", "Picky")
    result = played(picky, submitted("ending_while_loading"))
    assert result.outcomes == bytes([LOST, WON])
    assert [ending for ending, _ in result.endings.values()] == ["not loaded"] * 2
    second_to_move = tuple(f"{each[:-1]}2" for each in OPENINGS[:1])
    result = run_python_chunk(replace(chunk_of(picky, picky), openings=second_to_move))
    assert result.outcomes == bytes([WON, LOST])


def test_an_object_that_is_defined_nowhere_is_an_error_of_the_script() -> None:
    class_of_a_script = b"c__main__\nPlayerOfAnotherScript\n)R."
    entrant = ObjectEntrant("mine", class_of_a_script, "")
    with pytest.raises(WorkerError, match=r"mine is defined in a script or a session .* into a module"):
        played(entrant)


def test_an_object_that_cannot_be_unpickled_is_not_loaded() -> None:
    entrant = ObjectEntrant("mine", b"cno_such_module\nPlayer\n)R.", "")
    ending, detail = played(entrant).endings[0]
    assert (ending, detail) == ("not loaded", "ModuleNotFoundError: No module named 'no_such_module'")


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    entrant = submitted("sound")
    file = tmp_path / "game_agent.py"
    file.write_bytes(Path(entrant.path).read_bytes() + b"# changed")
    with pytest.raises(InvalidArgumentError, match=r"game_agent\.py has changed since"):
        played(replace(entrant, path=str(file)))
    file.unlink()
    with pytest.raises(InvalidArgumentError, match=r"game_agent\.py cannot be read: No such file"):
        played(replace(entrant, path=str(file)))
