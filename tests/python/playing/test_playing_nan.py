"""Heuristics that return NaN: compared and counted, or a lost game; the same in the jail and outside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playing_cases import GREEDY, OPENINGS, RANDOM, entrant_of, without_times

from isolation_fast import Budget
from isolation_fast.cli import main
from isolation_fast.compiled import not_compiling
from isolation_fast.exceptions import InvalidArgumentError, InvalidRecordError, JournalError
from isolation_fast.jail import Limits
from isolation_fast.numbers import NANS, Nan
from isolation_fast.playing.chunks import run_chunk
from isolation_fast.playing.entrants import Chunk, Entrant
from isolation_fast.playing.outcomes import LOST, ChunkResult, chunk_line, chunk_of, unplayed
from isolation_fast.playing.records import GameRecord
from isolation_fast.tournament import Match, TournamentResult

NO_LIMIT = 4000.0
# As where two infinities are subtracted: once one of the two players has fewer than three moves.
SOMETIMES = """
inf = float("inf")

def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    return (own if own > 2 else inf) - (other if other > 2 else inf)

def custom_score_2(game, player):
    return float(len(game.get_legal_moves(player)))
"""


@pytest.fixture
def sometimes(tmp_path: Path) -> Path:
    file = tmp_path / "sometimes" / "game_agent.py"
    file.parent.mkdir()
    file.write_text(SOMETIMES)
    return file


def chunk_with(
    first: Entrant, *, nan: Nan = "course", jailed: bool = True, second: Entrant = GREEDY
) -> Chunk:
    limits = Limits() if jailed else None
    return Chunk(4, 2, (first, second), OPENINGS, 7, 12345, NO_LIMIT, record=True, jail=limits, nan=nan)


def games_of(result: ChunkResult) -> ChunkResult:
    return replace(without_times(result), jail=None, paid=(0, 0))


def test_games_with_nan_are_the_same_in_the_jail_and_outside_it(sometimes: Path) -> None:
    entrant = entrant_of(sometimes, "custom_score", Budget(nodes=300))
    inside, outside = (run_chunk(chunk_with(entrant, jailed=jailed)) for jailed in (True, False))
    assert games_of(inside) == games_of(outside)
    assert inside.endings == {}
    assert inside.nans[0] > 10
    assert inside.nans[1] == 0


@pytest.mark.parametrize("jailed", [True, False], ids=["jail", "outside"])
def test_where_nan_is_refused_its_games_are_lost(sometimes: Path, *, jailed: bool) -> None:
    entrant = entrant_of(sometimes, "custom_score", Budget(nodes=300))
    result = run_chunk(chunk_with(entrant, nan="refuse", jailed=jailed))
    assert set(result.outcomes[: 2 * len(result.endings)]) >= {LOST}
    assert {ending for ending, _ in result.endings.values()} == {"bad answer"}
    for _, detail in result.endings.values():
        # What matters is not cut off.
        assert "NaN is neither larger nor smaller than any score, and heuristic" in detail
        assert not detail.endswith("...")
    assert result.nans == (0, 0)


def test_a_heuristic_without_nan_plays_alike_either_way(sometimes: Path) -> None:
    entrant = entrant_of(sometimes, "custom_score_2", Budget(nodes=300))
    first, second = (run_chunk(chunk_with(entrant, nan=nan, jailed=False, second=RANDOM)) for nan in NANS)
    assert games_of(first) == games_of(second)
    assert "nans" not in chunk_line(first)
    assert all("nans" not in each for each in first.records or ())


def test_chunks_and_records_keep_the_counts(sometimes: Path) -> None:
    chunk = chunk_with(entrant_of(sometimes, "custom_score", Budget(nodes=300)), jailed=False)
    result = run_chunk(chunk)
    line = json.loads(json.dumps(chunk_line(result)))
    assert chunk_of(line, unplayed(chunk), record=True).nans == result.nans
    records = [GameRecord.from_dict(json.loads(json.dumps(each))) for each in result.records or ()]
    # The pairing's first entrant is player 1 and 2 in turn.
    assert sum(each.nans[each.side] for each in records) == result.nans[0]
    assert sum(each.nans[1 - each.side] for each in records) == 0
    assert [each.to_dict() for each in records] == [*(result.records or ())]
    for wrong in ([1], [1, -1], [1, 2.0], "12", [True, 1]):
        with pytest.raises(ValueError, match="nans"):
            chunk_of({**line, "nans": wrong}, unplayed(chunk), record=True)
        with pytest.raises(InvalidRecordError, match="nans"):
            GameRecord.from_dict({**records[0].to_dict(), "nans": wrong})


def test_a_result_counts_what_was_returned(sometimes: Path) -> None:
    def result_of(nan: Nan) -> TournamentResult:
        players = f"{sometimes}:custom_score@nodes=300", f"{sometimes}:custom_score_2@nodes=300"
        with not_compiling():
            return Match(*players, games=6, seed=1, nan=nan, jail=False).run(workers=1)

    counted, refused = result_of("course"), result_of("refuse")
    returning, other = counted.players
    assert returning.nans > 10
    assert other.nans == 0
    data = counted.to_dict()
    assert data["plan"]["nan"] == "course"
    assert data["players"][0]["nans"] == returning.nans
    assert "nans" not in data["players"][1]
    assert f"returned NaN {returning.nans:,} times" in str(counted)
    assert refused.players[0].is_broken
    assert refused.to_dict()["plan"]["nan"] == "refuse"
    assert "returned NaN" not in str(refused)


def test_a_plan_of_native_players_says_nothing_of_nan() -> None:
    plans = [Match("AB_Open", "Random", games=2, nan=nan).plan().described() for nan in NANS]
    assert plans[0] == plans[1]
    assert "nan" not in plans[0]
    with pytest.raises(InvalidArgumentError, match="unknown nan 'refused', did you mean 'refuse'"):
        Match("AB_Open", "Random", games=2, nan="refused")  # type: ignore[arg-type]


def test_a_journal_is_resumed_with_the_same_choice_only(sometimes: Path, tmp_path: Path) -> None:
    def match(nan: Nan) -> Match:
        return Match(f"{sometimes}:custom_score_2@ms=5", "Random", games=2, nan=nan, jail=False)

    journal = tmp_path / "journal.jsonl"
    match("course").run(workers=1, journal=journal)
    with pytest.raises(JournalError, match='nan is "course" there and "refuse" here'):
        match("refuse").run(workers=1, journal=journal, resume=True)


@pytest.mark.parametrize(("nan", "status"), [(None, 0), ("course", 0), ("refuse", 1)])
def test_the_command_takes_the_choice(
    sometimes: Path,
    capsys: pytest.CaptureFixture[str],
    nan: str | None,
    status: int,
) -> None:
    chosen = [] if nan is None else ["--nan", nan]
    words = ["tournament", f"{sometimes}:custom_score@nodes=300", "--roster", "Random", "--games", "6"]
    assert main([*words, "--no-jail", "--no-compile", "--workers", "1", *chosen]) == status
    assert ("returned NaN" in capsys.readouterr().out) is (status == 0)


def test_the_command_refuses_another_word(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tournament", "--nan", "maybe"])
    assert ended.value.code == 2
    assert "--nan" in capsys.readouterr().err
