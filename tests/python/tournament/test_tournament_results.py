"""Results of tournaments: the same bytes for any order of chunks, totals that are sums, complete blocks."""

import csv
import io
import json
import pickle
import random
import re
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import InvalidArgumentError
from isolation_fast.endings import GameEnding
from isolation_fast.playing.entrants import NativeEntrant, ObjectEntrant
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, WON, ChunkResult
from isolation_fast.statistics import BlockTest, gauntlet, head_to_head
from isolation_fast.tournament import Match
from isolation_fast.tournament.openings import RandomOpenings
from isolation_fast.tournament.plan import Format, Pairing, Plan
from isolation_fast.tournament.results import TournamentResult, merge
from isolation_fast.tournament.running import Timings
from isolation_fast.tournament.sequential import SequentialOutcome
from isolation_fast.tournament.tables import data_rows, table


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut plans of a few games too, as long ones are."""
    monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (2, 2000))
    monkeypatch.setattr("isolation_fast.tournament.plan.PYTHON_OPENINGS", 5)


DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "tournament-results.md"
FAULTS: list[GameEnding] = ["raised", "timeout", "hung"]
ALL_OF_A_RESULT = {
    *("schema", "plan", "openings", "complete", "games", "reproducible", "jail"),
    *("players", "opponents", "ranking", "sequential"),
}


def plan_of(kind: Format, openings: int = 60, *, native: bool = True, step: int | None = None) -> Plan:
    """Two test players against three, three each against each, or two against one another."""
    names = {
        "match": ["A", "B"],
        "gauntlet": ["A", "B", "Random", "A", "Greedy"],
        "round robin": ["A", "B", "C"],
    }[kind]
    tested = {"match": [0, 1], "gauntlet": [0, 1], "round robin": [0, 1, 2]}[kind]
    pairings = {
        "match": [(0, 1)],
        "gauntlet": [(first, second) for first in (0, 1) for second in (2, 3, 4)],
        "round robin": [(0, 1), (0, 2), (1, 2)],
    }[kind]
    plan = Plan(
        kind,
        tuple(NativeEntrant(each, "random") if native else ObjectEntrant(each, b"", "") for each in names),
        tuple(tested),
        tuple(Pairing(*each) for each in pairings),
        RandomOpenings(openings),
    )
    if step is not None:
        vars(plan)["openings_per_chunk"] = step
    return plan


def played(plan: Plan, seed: int = 0, faulty: float = 0.0) -> list[ChunkResult]:
    """Games that depend on the seed, pairing and opening alone, as those of native players do."""
    results = []
    for chunk in plan.chunks():
        outcomes, endings, nodes = [], {}, [0, 0]
        for game in range(2 * len(chunk.openings)):
            stream = random.Random(f"{seed} {chunk.pairing} {chunk.first_opening + game // 2} {game % 2}")
            outcomes.append(stream.choices((LOST, WON), (1, 2 + chunk.pairing))[0])
            nodes = [each + stream.randrange(1000) for each in nodes]
            if stream.random() < faulty:
                endings[game] = (stream.choice(FAULTS), "a line")
        results.append(
            ChunkResult(
                chunk.index,
                chunk.pairing,
                chunk.first_opening,
                bytes(outcomes),
                endings,
                (nodes[0], nodes[1]),
                (20 * len(outcomes), 19 * len(outcomes)),
                seconds=random.random(),
                cpu_seconds=random.random(),
            )
        )
    return results


def outcomes_of(plan: Plan, results: list[ChunkResult]) -> dict[tuple[int, int], list[int]]:
    """The pairing's first entrant's games by pairing and opening."""
    return {
        (each.pairing, each.first_opening + opening): list(each.outcomes[2 * opening : 2 * opening + 2])
        for each in results
        for opening in range(len(each.outcomes) // 2)
    }


FORMATS: list[Format] = ["match", "gauntlet", "round robin"]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("faulty", [0.0, 0.01])
def test_the_order_of_chunks_and_their_times_make_no_difference(kind: Format, faulty: float) -> None:
    plan = plan_of(kind, native=not faulty)
    results = played(plan, faulty=faulty)
    expected = merge(plan, results).to_json()
    for seed in range(5):
        random.Random(seed).shuffle(results)
        slower = [replace(each, seconds=each.seconds + 9, cpu_seconds=9.0) for each in results]
        assert merge(plan, slower).to_json() == expected


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("step", [1, 7, 60, 100])
def test_where_native_games_are_cut_into_chunks_makes_no_difference(kind: Format, step: int) -> None:
    whole, cut = plan_of(kind, step=60), plan_of(kind, step=step)
    assert merge(cut, played(cut)).to_json() == merge(whole, played(whole)).to_json()
    stopped = [merge(each, played(each), openings=14).to_json() for each in (cut, whole)]
    assert stopped[0] == stopped[1]


@pytest.mark.parametrize("kind", FORMATS)
def test_totals_are_sums(kind: Format) -> None:
    plan = plan_of(kind)
    results = played(plan)
    result = merge(plan, results)
    assert result.games == plan.games
    assert result.is_complete
    for each in result.entrants:
        assert each.games == each.won + each.lost == sum(score.games for score in each.scores)
        assert each.won == sum(score.won for score in each.scores)
        assert each.rate == each.won / each.games
        assert sum(each.endings.values()) == each.lost
    assert sum(each.won for each in result.entrants) == result.games
    searched = [each.searched for each in result.entrants]
    assert sum(each.nodes for each in searched if each) == sum(sum(each.nodes) for each in results)
    assert sum(each.turns for each in searched if each) == 39 * plan.games


@pytest.mark.parametrize("kind", FORMATS)
def test_a_game_is_won_by_one_and_lost_by_the_other(kind: Format) -> None:
    plan = plan_of(kind)
    result = merge(plan, played(plan))
    both = {}
    for index, entrant in enumerate(result.entrants):
        others = [
            pairing.second if pairing.first == index else pairing.first
            for pairing in plan.pairings
            if index in (pairing.first, pairing.second)
        ]
        both.update({(index, other): each for other, each in zip(others, entrant.scores, strict=True)})
    for (one, other), score in both.items():
        assert score.won == both[other, one].lost
        assert [2 - each for each in score.pair_wins] == list(both[other, one].pair_wins)


@pytest.mark.parametrize("kind", FORMATS)
def test_pairs_and_blocks_are_those_counted_game_by_game(kind: Format) -> None:
    plan = plan_of(kind)
    results = played(plan)
    games = outcomes_of(plan, results)
    result = merge(plan, results)
    own = [number for number, each in enumerate(plan.pairings) if each.first == 0]
    player = result.players[0]
    for number, score in zip(own, player.scores, strict=True):
        wins = [sum(games[number, opening]) for opening in range(60)]
        assert list(score.pair_wins) == wins
        assert score.head_to_head == head_to_head(*(wins.count(each) for each in range(3)))
    means = [sum(sum(games[each, opening]) for each in own) / (2 * len(own)) for opening in range(60)]
    assert player.block_means == means
    if len(own) > 1:
        assert player.blocks == gauntlet(means)
        assert player.interval == gauntlet(means).interval
        assert player.rate == pytest.approx(fsum(means) / len(means))
    else:
        assert player.interval == player.scores[0].interval


def test_chunks_that_are_missing_are_an_error_that_names_them() -> None:
    plan = plan_of("gauntlet")
    results = played(plan)
    del results[5], results[2]
    with pytest.raises(InvalidArgumentError, match=r"2 of 120 chunks are missing \(2, 5\): partial=True"):
        merge(plan, results)


def test_of_a_part_only_openings_count_that_all_have_played() -> None:
    plan = plan_of("gauntlet")
    results = played(plan)
    part = merge(plan, results[:25] + results[26:50], partial=True)
    assert (part.openings, part.is_complete, part.games) == (12, False, 144)
    assert [each.scores for each in part.entrants] == [
        each.scores for each in merge(plan, results, openings=12).entrants
    ]
    assert merge(plan, results[:5], partial=True).games == 0
    assert merge(plan, [], partial=True).players[0].rate is None


def test_a_result_of_nothing_can_be_shown() -> None:
    for kind in FORMATS:
        result = merge(plan_of(kind), [], partial=True)
        assert "0 games on 0 openings so far, of 60" in str(result)
        json.loads(result.to_json())
        result.to_csv()


def test_the_first_openings_alone_are_what_a_shorter_tournament_gives() -> None:
    plan, shorter = plan_of("gauntlet", step=7), plan_of("gauntlet", openings=10, step=7)
    result, expected = merge(plan, played(plan), openings=10), merge(shorter, played(shorter))
    assert [each.scores for each in result.entrants] == [each.scores for each in expected.entrants]
    # Only sums over chunks are known, and chunks may be cut elsewhere.
    assert [each.searched for each in result.entrants] == [None] * 5
    assert [each.searched for each in merge(plan, played(plan), openings=7).entrants] == [None] * 5
    assert None not in [each.searched for each in merge(plan, played(plan), openings=60).entrants]
    with pytest.raises(InvalidArgumentError, match="openings=61, and only 60 were played so far"):
        merge(plan, played(plan), openings=61)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": 120}, "the plan has 120 chunks, and there is no chunk 120"),
        ({"pairing": 1}, "chunk 0 is not of this plan: pairing 1 from opening 0"),
        ({"first_opening": 3}, "chunk 0 is not of this plan: pairing 0 from opening 3"),
        ({"outcomes": b"\0" * 4}, "chunk 0 is not of this plan: .* with 4 games, .* with 6 games"),
        ({"outcomes": b"\0\1\2\3\0\1"}, "chunk 0 has outcomes other than LOST, WON and NOT_PLAYED"),
        ({"outcomes": b"\0\1\2\2\0\1"}, "chunk 0 has games after one that was not played"),
        ({"outcomes": b"\0\1\0\1\2\2"}, "chunk 0 has games that were not played, and none of its players"),
    ],
)
def test_a_chunk_that_is_not_of_the_plan_is_refused(change: dict[str, Any], message: str) -> None:
    plan = plan_of("gauntlet")
    with pytest.raises(InvalidArgumentError, match=message):
        merge(plan, [replace(played(plan)[0], **change)], partial=True)


def test_a_chunk_is_counted_once() -> None:
    plan = plan_of("match")
    results = played(plan)
    with pytest.raises(InvalidArgumentError, match="chunk 3 was given twice"):
        merge(plan, [*results, results[3]])
    with pytest.raises(InvalidArgumentError, match="chunk 3 was given twice"):
        merge(plan, [results[3], results[3]], partial=True)


def test_who_has_three_faults_is_broken_and_its_rate_is_over_the_games_that_were_played() -> None:
    plan = plan_of("gauntlet", native=False)
    results = played(plan)
    # The second test player's first chunk, the first opponent's second one.
    results[3] = replace(results[3], outcomes=bytes(10), endings=dict.fromkeys(range(3), ("raised", "no")))
    results[6] = replace(
        results[6], outcomes=bytes([WON] * 10), endings=dict.fromkeys((0, 4, 9), ("hung", ""))
    )
    result = merge(plan, results)
    assert [each.name for each in result.broken] == ["B", "Random"]
    broken = result.player("B")
    assert (broken.games, broken.won, broken.rate) == (3, 0, 0.0)
    assert broken.endings == {"no moves": 0, "raised": 3}
    assert broken.block_means == []
    assert broken.searched is None
    assert [str(each) for each in broken.faults] == ["raised: no"] * 3
    first = result.player("A")
    assert [each.games for each in first.scores] == [20, 120, 120]
    # Blocks go on without the broken opponent.
    assert len(first.block_means) == 60
    assert first.block_means[30] == fsum(each.pair_wins[30] for each in first.scores[1:]) / 4
    assert "B is broken" in str(result)
    assert f"{result.games} of the 720 games on 60 openings count, as a player is broken" in str(result)
    assert "Random lost 3 games by 'hung'" in str(result)


def test_a_game_whose_pair_was_not_finished_counts_and_makes_no_pair() -> None:
    plan = plan_of("match", openings=5, native=False)
    outcomes = bytes([WON, WON, WON, LOST, LOST, *[NOT_PLAYED] * 5])
    endings: dict[int, tuple[GameEnding, str]] = dict.fromkeys((0, 1, 2), ("killed", ""))
    result = merge(plan, [ChunkResult(0, 0, 0, outcomes, endings)])
    assert result.players[0].won == 3
    result = merge(plan, [ChunkResult(0, 0, 0, bytes([WON]) * 10, endings)])
    assert (result.players[0].games, list(result.players[0].scores[0].pair_wins)) == (3, [2])


def test_a_clock_in_games_that_count_makes_a_result_not_reproducible() -> None:
    plan = plan_of("match")
    results = played(plan)
    assert merge(plan, results).reproducible
    results[-1] = replace(results[-1], reproducible=False)
    assert not merge(plan, results).reproducible
    assert merge(plan, results, openings=30).reproducible
    assert "a clock decided something" in str(merge(plan, results))


def test_json_holds_no_infinity_and_nothing_but_results() -> None:
    plan = plan_of("match")
    results = [
        replace(each, outcomes=bytes([WON]) * len(each.outcomes), seconds=12345.678) for each in played(plan)
    ]
    text = merge(plan, results).to_json()
    assert "12345" not in text
    content = json.loads(text, parse_constant=pytest.fail)
    assert set(content) == ALL_OF_A_RESULT
    first, second = content["players"]
    assert first["elo"]["value"] is first["elo"]["high"] is None
    assert first["elo"]["low"] == -second["elo"]["high"]
    assert first["opponents"][0]["pairs"] == [0, 0, 60]


def test_a_result_is_the_same_with_and_without_records() -> None:
    plan = plan_of("match")
    recorded = replace(plan, record=True)
    with_records = [replace(each, records=({},)) for each in played(recorded)]
    assert merge(recorded, with_records) == merge(plan, played(plan))


def test_the_ranking_is_by_rate_and_then_by_the_order_of_the_plan() -> None:
    plan = plan_of("round robin", openings=1)
    games = enumerate([(0, 1), (0, 0), (1, 0)])
    result = merge(plan, [ChunkResult(index, index, 0, bytes(each)) for index, each in games])
    assert [(each.name, each.won) for each in result.ranking()] == [("C", 3), ("B", 2), ("A", 1)]
    even = merge(plan, [ChunkResult(index, index, 0, bytes((0, 1))) for index in range(3)])
    assert [each.name for each in even.ranking()] == ["A", "B", "C"]


def test_an_unknown_player_is_answered_with_those_that_are_there() -> None:
    result = merge(plan_of("gauntlet"), [], partial=True)
    with pytest.raises(InvalidArgumentError, match=r"unknown player 'Random'\. Allowed: 'A', 'B'"):
        result.player("Random")


def test_what_a_sequential_test_came_to_is_part_of_the_result() -> None:
    plan = plan_of("gauntlet")
    results = played(plan)
    test = BlockTest(0.5, 0.6, minimum_blocks=10)
    found = test.extend(merge(plan, results).player("A").block_means)
    outcome = SequentialOutcome("A", "blocks", 0.5, 0.6, 0.05, 0.1, found)
    result = merge(plan, results, openings=found.count, sequential=[outcome])
    (told,) = result.to_dict()["sequential"]
    assert told["decision"] == "H1"
    assert (told["count"], told["h1"], result.openings) == (found.count, 0.6, found.count)
    said = f"A: decided for 60 % (H1), not 50 %, after {found.count} blocks: LLR {found.llr:.2f} ("
    assert said in str(result)
    assert "so far" not in str(result)
    undecided = replace(outcome, result=replace(found, decision=None))
    result = merge(plan, results, openings=found.count, sequential=[undecided])
    assert f"A: undecided between 50 % (H0) and 60 % (H1) after {found.count} blocks: " in str(result)
    assert f"so far, of {len(plan.openings)}" in str(result)


def test_the_classic_table_is_that_of_the_course() -> None:
    plan = plan_of("gauntlet", openings=5, step=5)
    outcomes = [(7, 3), (6, 4), (10, 0), (8, 2), (5, 5), (0, 10)]
    chunks = [
        ChunkResult(index, index, 0, bytes([WON] * won + [LOST] * lost))
        for index, (won, lost) in enumerate(outcomes)
    ]
    assert merge(plan, chunks).classic_table().splitlines() == [
        " Match #   Opponent         A            B",
        "                        Won | Lost   Won | Lost",
        "    1       Random       7  |   3     8  |   2",
        "    2          A         6  |   4     5  |   5",
        "    3       Greedy      10  |   0     0  |  10",
        "------------------------------------------------",
        "           Win Rate:      76.7%        43.3%",
    ]


def test_the_classic_table_has_room_for_long_names_and_many_games() -> None:
    plan = plan_of("match", openings=3)
    plan = replace(plan, entrants=(NativeEntrant("a_very_long_name_indeed", "random"), plan.entrants[1]))
    lines = merge(plan, played(plan)).classic_table().splitlines()
    assert len(lines) == 5
    assert len({len(line) for line in lines if set(line) == {"-"}}) == 1
    assert "a_very_long_name_indeed" in lines[0]


def test_there_is_no_classic_table_of_a_round_robin() -> None:
    with pytest.raises(InvalidArgumentError, match="not for a round robin"):
        merge(plan_of("round robin"), [], partial=True).classic_table()


@pytest.mark.parametrize("kind", FORMATS)
def test_csv_has_a_line_for_each_score_and_total_with_plain_numbers(kind: Format) -> None:
    plan = plan_of(kind)
    result = merge(plan, played(plan))
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(rows) == sum(len(each.scores) + (len(each.scores) > 1) for each in result.players)
    totals = [row for row in rows if not row["opponent"]]
    assert [(row["player"], int(row["won"]), float(row["rate"])) for row in totals] == [
        (each.name, each.won, each.rate) for each in result.players if len(each.scores) > 1
    ]
    assert [row["low"] != "" for row in rows] == [True] * len(rows)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_is_for_people_and_data_for_programs(kind: Format) -> None:
    plan = plan_of(kind)
    result = merge(plan, played(plan))
    headers, rows = table(result)
    assert {len(row) for row in rows} == {len(headers)}
    assert any(" %" in str(cell) for cell in rows[0])
    assert table(result, "csv")[1] == table(result, "json")[1] == data_rows(result)
    assert str(result).endswith(f"{result.games:,} games on 60 openings, each from both sides")


def test_a_data_frame_needs_pandas_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    result = merge(plan_of("match"), [], partial=True)
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_dataframe\(\) needs pandas, which is not installed"):
        result.to_dataframe()


def test_results_are_frozen_and_equal_if_the_games_are() -> None:
    plan = plan_of("gauntlet")
    one, other = merge(plan, played(plan)), merge(plan, played(plan))
    assert one == other
    assert isinstance(one, TournamentResult)
    assert one != merge(plan, played(plan, seed=1))
    with pytest.raises(AttributeError):
        one.openings = 3  # type: ignore[misc]


def test_timings_are_no_part_of_a_result() -> None:
    plan = plan_of("match")
    results = played(plan)
    timings = Timings.of(results, 2.0)
    assert timings.games_per_second == 60.0
    assert timings.nodes == sum(sum(each.nodes) for each in results)
    assert json.loads(json.dumps(timings.to_dict()))["games"] == 120
    assert Timings.of([], 0.0).games_per_second is None
    assert str(Timings.of([], 0.0)) == "0 games in 0.0 s"


def test_the_document_explains_each_field() -> None:
    plan = plan_of("gauntlet", native=False)
    results = played(plan)
    results[0] = replace(results[0], endings={0: ("raised", "no")})
    content = merge(plan, results).to_dict()
    player = content["players"][0]
    (fault,) = [fault for each in content["players"] + content["opponents"] for fault in each["faults"]]
    names = {*content, *player, *player["blocks"], *player["elo"], *player["opponents"][0], *fault}
    names |= set(SequentialOutcome("A", "pairs", 0.5, 0.6, 0.1, 0.1, BlockTest(0.5, 0.6).result).to_dict())
    explained = set(re.findall(r"`(\w+)`", DOCUMENT.read_text(encoding="utf-8")))
    assert names - explained == set()


@pytest.mark.parametrize(("outcome", "shown"), [(WON, "above +"), (LOST, "below -")])
def test_an_elo_difference_with_one_limit_is_shown_by_it(outcome: int, shown: str) -> None:
    plan = plan_of("match")
    result = merge(
        plan, [replace(each, outcomes=bytes([outcome]) * len(each.outcomes)) for each in played(plan)]
    )
    headers, rows = table(result)
    assert str(rows[0][headers.index("Elo")]).startswith(shown)


def test_an_interval_of_everything_is_not_shown() -> None:
    plan = plan_of("match", openings=1)
    result = merge(plan, [replace(each, outcomes=bytes([WON, WON])) for each in played(plan)])
    headers, rows = table(result)
    assert [rows[0][headers.index(each)] for each in ("95 % interval", "Elo", "LOS")] == ["-"] * 3


def test_nothing_that_a_result_gives_changes_it() -> None:
    result = Match("Random", "Greedy", games=2).run()
    told = result.to_json()
    plan: Any = result.plan
    plan["seed"] = 99
    plan["entrants"].clear()
    result.to_dict()["plan"]["entrants"].clear()
    assert result.to_json() == told
    assert pickle.loads(pickle.dumps(result)) == result
