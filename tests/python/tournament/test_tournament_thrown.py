"""Won positions thrown away: counted as `annotate` says, the same wherever the games were played."""

import json
import re
from array import array
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import InvalidArgumentError, InvalidBudgetError, JournalError, annotate
from isolation_fast.cost import band_in_words, band_of
from isolation_fast.playing.outcomes import chunk_line
from isolation_fast.tournament import Gauntlet, Match, Run, merge, read_records, run_chunk
from isolation_fast.tournament.openings import FileOpenings
from isolation_fast.tournament.tables import data_headers, data_rows, thrown_table
from isolation_fast.tournament.thrown import OF_OPENING, ThrownWins

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "tournament-results.md"
SMALL: Any = {"width": 5, "height": 5, "games": 20, "seed": 3, "exact": True}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut plans of a few games too, as long ones are."""
    monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (2, 2000))


def gauntlet(**changes: Any) -> Gauntlet:
    return Gauntlet(["AB_Improved@depth=1", "Greedy"], ["Random", "Greedy"], **{**SMALL, **changes})


def last_move(game: Any, player: object) -> float:
    return -float(len(game.get_legal_moves(player)))


def test_the_counts_are_those_of_annotated_records(tmp_path: Path) -> None:
    records = tmp_path / "records"
    with Run(gauntlet(record=True).plan(), workers=1, records=records) as running:
        result = running.play()
    for player in result.entrants:
        counts: dict[str, list[int]] = {}
        for record in read_records(records):
            if player.name not in record.players or (record.players[0] == record.players[1]):
                continue
            own = 1 + record.players.index(player.name)
            boards = list(record.boards())
            for each in annotate(record).moves:
                blank = len(boards[each.number - 1].get_blank_spaces())
                stage = counts.setdefault(band_in_words(band_of(blank, 25), 25), [0, 0])
                if each.player == own and each.verdict in ("kept", "threw away"):
                    stage[0] += 1
                    stage[1] += each.verdict == "threw away"
        assert player.thrown is not None
        if player.name == "Greedy":  # which also plays itself
            continue
        stages = {name: [each.moves, each.thrown] for name, each in player.thrown.stages.items()}
        assert stages == {name: counts.get(name, [0, 0]) for name in stages}
        assert player.thrown.moves == sum(each[0] for each in counts.values())
        assert player.thrown.thrown == sum(each.thrown or 0 for each in player.thrown.stages.values())
        assert player.thrown.unknown == 0
        # Against all opponents together it threw away what it did against each.
        assert sum(each.thrown.moves for each in player.scores if each.thrown) == player.thrown.moves


def test_the_bytes_are_the_same_for_any_order_workers_and_interruption(tmp_path: Path) -> None:
    tournament = gauntlet()
    expected = tournament.run(workers=1).to_json()
    assert tournament.run(workers=3).to_json() == expected
    plan, journal = tournament.plan(), tmp_path / "journal"
    chunks = [run_chunk(chunk) for chunk in plan.chunks()]
    assert merge(plan, reversed(chunks)).to_json() == expected
    with Run(plan, journal=journal) as running:
        for each in chunks[:3]:
            assert running._journal is not None
            running._journal.add(chunk_line(each))
    with Run(plan, journal=journal, resume=True) as running:
        assert running.resumed_games > 0
        assert running.play().to_json() == expected
    with pytest.raises(JournalError, match=r"exact is 10000000 there and null here"):
        Run(gauntlet(exact=False).plan(), journal=journal, resume=True)


def test_games_of_python_players_are_judged_too() -> None:
    players = {"native": "AB:null@depth=1", "python": last_move}
    match = Gauntlet(players, ["Random"], budget="depth=1", nan="course", **SMALL)
    result = match.run(workers=2)
    chunks = [run_chunk(chunk) for chunk in match.plan().chunks()]
    assert merge(match.plan(), chunks).to_json() == result.to_json()
    assert all(each.records is None for each in chunks)
    for each in result.entrants:
        assert each.thrown is not None
        assert each.thrown.moves > 20


def test_what_is_not_decided_within_the_nodes_is_counted_apart() -> None:
    few, many = (
        Match("Greedy", "Random", **{**SMALL, "exact_nodes": nodes}).run().players[0].thrown
        for nodes in (1, 10**6)
    )
    assert few is not None
    assert many is not None
    assert few.unknown > 0 == many.unknown
    assert few.moves < many.moves


def test_a_chunk_that_is_not_judged_as_the_plan_says_is_refused(tmp_path: Path) -> None:
    plan = gauntlet().plan()
    chunk = run_chunk(next(plan.chunks()))
    assert chunk.judged is not None
    for judged in (None, chunk.judged[1:], ("x", *chunk.judged[1:])):
        path = tmp_path / "journal"
        path.unlink(missing_ok=True)
        with Run(plan, journal=path) as running:
            assert running._journal is not None
            running._journal.add(chunk_line(replace(chunk, judged=judged)))
        with pytest.raises(JournalError, match="judged"):
            Run(plan, journal=path, resume=True)


def test_an_opening_is_one_observation() -> None:
    row = [0] * OF_OPENING
    apart, together = (
        [[*counts, *row[2:]] for counts in each]
        for each in (([8, 1], [8, 1], [8, 1], [8, 1]), ([8, 4], [8, 0], [8, 0], [8, 0]))
    )
    arrays = [array("H", [count for opening in each for count in opening]) for each in (apart, together)]
    found = [ThrownWins.of([each], [True], 49) for each in arrays]
    assert [(each.moves, each.thrown, each.rate) for each in found] == [(32, 4, 0.125)] * 2
    one, other = (each.openings for each in found)
    assert one is not None
    assert other is not None
    assert one.standard_error < other.standard_error
    # With so many more moves it counts so much more.
    uneven = array("H", [count for moves in (12, 4) for count in [moves, moves == 4, *row[2:]]])
    assert ThrownWins.of([uneven], [True], 49).rate == 1 / 16
    # No move was thrown away: the error is that of half a move.
    none = ThrownWins.of([array("H", [8, 0, *row[2:]] * 4)], [True], 49).openings
    assert none is not None
    assert none.standard_error == pytest.approx(sqrt(0.5 / 33 * 32.5 / 33 / 32))
    # Of the other entrant nothing is known.
    assert ThrownWins.of(arrays[:1], [False], 49).interval is None


def test_columns_fields_and_stages_are_documented_and_agree() -> None:
    result = gauntlet().run()
    headers, rows = data_headers(result), data_rows(result)
    assert {len(row) for row in rows} == {len(headers)}
    assert headers.count("thrown_rate_0_9") == 1
    explained = set(re.findall(r"`(\w+)`", DOCUMENT.read_text(encoding="utf-8")))
    thrown = json.loads(result.to_json())["players"][0]["thrown"]
    assert {"thrown", *thrown, *headers[:18]} - explained == set()
    assert list(thrown["stages"]) == ["18-25 blank", "15-17 blank", "13-14 blank", "10-12 blank", "0-9 blank"]
    headers, rows = thrown_table(result)
    assert "unknown" not in headers
    assert [row[1] for row in rows[:2]] == ["all", "18-25"]
    assert rows[0][4] == f"{100 * result.players[0].thrown.rate:.1f} %"  # type: ignore[union-attr,operator]
    assert "thrown away" in str(result)
    assert "thrown" not in str(gauntlet(exact=False).run().to_dict())


def test_positions_of_a_file_may_have_player_2_to_move(tmp_path: Path) -> None:
    file = tmp_path / "openings"
    # Player 2 is to move, and wins by (0, 4) or (3, 1) alone.
    file.write_text("5x5 1x3/1xx2/xxx2/x1x2/xx3 2,1 1,2 2", encoding="utf-8")
    result = Match("AB_Improved@depth=9", "Random", openings=FileOpenings(file), exact=True).run()
    first = result.players[0].thrown
    assert first is not None
    assert (first.thrown, first.stages["15-17 blank"].moves) == (0, 1)


def test_what_exact_takes_is_checked() -> None:
    with pytest.raises(TypeError, match=r"^exact must be True or False, not 1$"):
        gauntlet(exact=1)
    with pytest.raises((InvalidArgumentError, InvalidBudgetError), match=r"exact_nodes must be .* not 0$"):
        gauntlet(exact_nodes=0)
