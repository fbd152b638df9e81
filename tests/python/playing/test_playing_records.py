"""Records of games: they read back as they were written, and what is wrong is named by line and field."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import Board, InvalidArgumentError, InvalidRecordError, JournalError
from isolation_fast.playing.entrants import Chunk, NativeEntrant
from isolation_fast.playing.records import (
    EXAMPLE,
    LEFT_OUT,
    GameRecord,
    game_record,
    read_record,
    read_records,
    write_records,
)
from isolation_fast.tournament import Match, Run, run

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "game-records.md"
COLUMNS = ("values", "depths", "nodes", "reasons")
SMALL = "3x4 3/3/3/3 - - 1"
CHUNK = Chunk(
    index=3,
    pairing=1,
    entrants=(NativeEntrant("Ann", "random"), NativeEntrant("Ben", "greedy")),
    openings=("3x3 3/3/3 - - 1", SMALL),
    first_opening=10,
    seed=1,
    time_limit=150.0,
    record=True,
)


def record(**changed: Any) -> dict[str, Any]:
    return {**EXAMPLE, **changed}


def test_a_record_says_which_game_of_the_plan_it_is() -> None:
    made = game_record(CHUNK, 3, moves=[(0, 0)], winner=1, ending="illegal move", detail="(9, 9)")
    assert (made["opening"], made["pairing"], made["side"]) == (11, 1, 1)
    assert (made["width"], made["height"], made["start"]) == (3, 4, SMALL)


def test_players_are_named_in_the_order_in_which_they_play() -> None:
    assert game_record(CHUNK, 0, moves=[], winner=2, ending="killed")["players"] == ["Ann", "Ben"]
    assert game_record(CHUNK, 1, moves=[], winner=2, ending="killed")["players"] == ["Ben", "Ann"]


def test_what_was_not_searched_is_null() -> None:
    made = game_record(CHUNK, 0, moves=[(0, 1), (2, 2)], winner=2, values=[float("inf"), None])
    assert made["values"] == ["inf", None]
    assert made["depths"] == made["nodes"] == made["reasons"] == [None, None]


def test_records_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    made = [
        game_record(
            CHUNK,
            0,
            moves=[(0, 1), (2, 2)],
            winner=2,
            ending="illegal move",
            detail="(9, 9)",
            values=[float("-inf"), -1.5],
            depths=[3, 0],
            nodes=[17, 500],
            reasons=["exhausted", "nodes"],
        ),
        game_record(CHUNK, 2, moves=[], winner=1, ending="raised", detail="ValueError: Zoë"),
    ]
    assert write_records(path, iter(made)) == 2
    assert [each.to_dict() for each in read_records(path)] == made
    assert read_record(path, 2).to_dict() == made[1]


def test_no_line_is_json_that_only_python_knows(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [game_record(CHUNK, 0, moves=[(0, 1)], winner=1, values=[float("inf")])])
    json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)


def test_the_boards_of_a_record_are_those_of_the_game() -> None:
    boards = list(GameRecord.from_dict(record()).boards())
    expected = Board.from_text(str(EXAMPLE["start"]))
    assert boards[0].to_text() == expected.to_text()
    for board, move in zip(boards[1:], [(0, 0), (0, 2), (1, 2), (2, 1), (2, 0)], strict=True):
        expected.apply_move(move)
        assert board.to_text() == expected.to_text()


def test_who_made_a_move_follows_from_who_began() -> None:
    second_begins = record(
        start="3x3 1x1/3/3 0,1 - 2", moves=[[2, 2]], ending="killed", **{name: [None] for name in COLUMNS}
    )
    assert [GameRecord.from_dict(record()).mover(move) for move in (0, 1)] == [1, 2]
    assert GameRecord.from_dict(second_begins).mover(0) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"schema": "isolation-fast/game/2"}, "field 'schema' must be 'isolation-fast/game/1'"),
        ({"side": 2}, "field 'side' must be an integer from 0 to 1, not 2"),
        ({"side": True}, "field 'side' must be an integer from 0 to 1, not True"),
        ({"winner": [1]}, "field 'winner' must be an integer from 1 to 2, not [1]"),
        ({"opening": -1}, "field 'opening' must be an integer of at least 0, not -1"),
        ({"players": ["Ann"]}, "field 'players' must be two names, not ['Ann']"),
        ({"width": 4}, "field 'start' is 3x3, and not 4x3"),
        ({"start": "3x3 3/3 - - 1"}, "field 'start' is no position: "),
        ({"moves": {}}, "field 'moves' must be a list, not a dict: {}"),
        ({"moves": [[0, 1], [2, 3]]}, "field 'moves' move 2, (2, 3), is not legal on '3x3 1x1/3/3 0,1 - 2'"),
        ({"moves": [[0, 1], "up"]}, "field 'moves' must be [row, column] pairs, and move 2 is 'up'"),
        ({"values": [1.0]}, "field 'values' must have an entry for each of the 5 moves, and has 1"),
        ({"values": ["big", *4 * [None]]}, "field 'values' must be numbers, 'inf', '-inf' or null"),
        ({"values": [float("nan"), *4 * [None]]}, "field 'values' must be numbers, 'inf', '-inf' or null"),
        ({"depths": [1.5, *4 * [None]]}, "field 'depths' must be an integer of at least 0, not 1.5"),
        ({"nodes": [-1, *4 * [None]]}, "field 'nodes' must be an integer of at least 0, not -1"),
        ({"reasons": ["node", *4 * [None]]}, "field 'reasons' unknown reason 'node', did you mean 'nodes'?"),
        ({"ending": "kiled"}, "field 'ending' unknown ending 'kiled', did you mean 'killed'?"),
        ({"detail": None}, "field 'detail' must be a text, not None"),
        ({"winner": 2}, "field 'winner' is 2, who is to move and has no move on '3x3 x1x/2x/xx1 2,0 2,1 2'"),
        (
            {"moves": [[0, 1], [2, 2]], **{name: [None, None] for name in COLUMNS}},
            "field 'ending' is 'no moves', and there is a legal move on '3x3 1x1/3/2x 0,1 2,2 1'",
        ),
    ],
)
def test_what_is_wrong_with_a_record_is_said_with_the_field(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        GameRecord.from_dict(record(**changed))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", EXAMPLE)
def test_a_field_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(InvalidRecordError, match=f"field '{name}' "):
        GameRecord.from_dict({key: value for key, value in EXAMPLE.items() if key != name})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]\n", r"a record is a JSON object, not a list: \[\]"),
        ("nonsense\n", "no JSON: "),
        (json.dumps(EXAMPLE)[:-5], "the line is cut short"),
        ("[" * 100_000, "the line is cut short"),
        (json.dumps(record(side=7)), "field 'side' must be an integer from 0 to 1, not 7"),
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps(EXAMPLE)}\n\n{line}")
    games = read_records(path)
    assert next(games).to_dict() == EXAMPLE
    with pytest.raises(InvalidRecordError, match=rf"games.jsonl', line 3: {message}"):
        next(games)
    assert read_record(path, 1).to_dict() == EXAMPLE


def test_a_game_that_a_file_does_not_have_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [EXAMPLE])
    with pytest.raises(InvalidRecordError, match=r"games.jsonl' has 1 game, and there is no game 2"):
        read_record(path, 2)


def test_the_document_shows_the_example_and_explains_each_field() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert json.loads(shown) == EXAMPLE
    explained = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    # No heuristic of the example returned NaN, and none is a program.
    names = [name for cell in explained for name in re.findall(r"`(\w+)`", cell) if name not in LEFT_OUT]
    assert names == list(EXAMPLE)


def recorded(games: int = 4) -> Any:
    return Match("AB_Open@depth=1", "Random", games=games, record=True).plan()


def test_records_that_are_there_already_are_not_lost(tmp_path: Path) -> None:
    path, journal = tmp_path / "games", tmp_path / "journal"
    path.write_text("precious")
    for options in ({}, {"journal": journal}, {"journal": journal, "resume": True}):
        with pytest.raises(InvalidArgumentError, match=r"there are records already: .*games; choose another"):
            run(recorded(), records=path, **options)
    assert path.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == [path]


def test_records_of_a_run_that_fails_take_nothing_away(tmp_path: Path) -> None:
    path, journal = tmp_path / "games", tmp_path / "journal"
    run(recorded(), records=path, journal=journal)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another plan"):
        run(recorded(8), records=path, journal=journal, resume=True)
    assert path.read_bytes() == before
    run(recorded(), records=path, journal=journal, resume=True)
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [path, journal]


def test_an_interrupted_run_leaves_the_records_that_count(tmp_path: Path) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "games"
    with pytest.raises(KeyboardInterrupt), Run(recorded(), records=path) as running:
        running.play(interrupted)
    assert len(list(read_records(path))) == 4


def test_a_line_without_end_is_no_record() -> None:
    with pytest.raises(InvalidRecordError, match="line 1 is longer than any record"):
        read_record("/dev/zero")
