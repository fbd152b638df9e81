"""`isolation-fast replay` as it is typed: all positions, one, data, by keys, and what can be wrong."""

import csv
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from isolation_fast import RandomPlayer, play_game
from isolation_fast.playing.entrants import Chunk, NativeEntrant
from isolation_fast.playing.records import EXAMPLE, game_record, write_records

PATIENCE = 60.0
# Whoever started the tests may ignore Ctrl-C, which the processes that they start inherit.
INTERRUPTIBLE = """
import signal, sys
from isolation_fast.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""
GAME = play_game(RandomPlayer(), RandomPlayer(), start="7x7 x6/7/7/7/7/7/6x 0,0 6,6 1", seed=1)
LAST = len(GAME.moves)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A small game, a whole one, and a line that is cut short."""
    path = tmp_path / "games.jsonl"
    entrants = (NativeEntrant("Ann", "random"), NativeEntrant("Ben", "random"))
    chunk = Chunk(0, 0, entrants, (GAME.start,), 7, 1, 150.0, record=True)
    long = game_record(chunk, 1, moves=GAME.moves, winner=GAME.winner)
    write_records(path, [EXAMPLE, long])
    with path.open("a") as file:
        file.write('{"schema": ')
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "isolation_fast", "replay", *map(str, arguments)]


def replay(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


def shown(*arguments: object) -> str:
    done = replay(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_elsewhere_than_on_a_terminal_all_positions_are_printed(games: Path) -> None:
    text = shown(games)
    assert [f"move {number} of 5" in text for number in range(7)] == 6 * [True] + [False]
    assert "AB_Open (1): (0, 0) is worth -inf at depth 6 (500 nodes; out of nodes)" in text
    assert "Random (2): (0, 2)\n" in text
    assert text.rstrip().endswith(
        "AB_Open against Random: AB_Open won after 5 moves, Random had no move left"
    )
    boards = text.count("0  | ")
    assert boards == 6


def test_one_position_is_printed_on_request(games: Path) -> None:
    text = shown(games, "--at", 1)
    assert "move 1 of 5" in text
    assert text.count(" of 5") == 1


def test_json_holds_the_positions_of_the_game(games: Path) -> None:
    content = json.loads(shown(games, "--game", 2, "--json"))
    assert content["players"] == ["Ben", "Ann"]
    assert len(content["positions"]) == LAST + 1
    assert content["positions"][0]["position"] == GAME.start
    assert content["positions"][-1]["position"] == GAME.board().to_text()
    assert [each["player"] for each in content["positions"][1:3]] == [1, 2]
    assert len(json.loads(shown(games, "--game", 2, "--json", "--at", 3))["positions"]) == 1


def test_csv_has_a_line_for_each_position(games: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(games, "--csv"))))
    assert [row["to"] for row in rows] == ["", "0,0", "0,2", "1,2", "2,1", "2,0"]
    assert [row["value"] for row in rows] == ["", "-inf", "", "inf", "", "inf"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", 4], "games.jsonl' has 3 games, and there is no game 4"),
        (["--game", 0], "games.jsonl' has 3 games, and there is no game 0"),
        (["--game", 3], "games.jsonl', line 3: the line is cut short"),
        (["--at", 6], "game 1 has 5 moves, and there is no move 6"),
        (["--at", -1], "game 1 has 5 moves, and there is no move -1"),
        (["--format", "board"], "unknown format 'board', did you mean 'boards'?"),
    ],
)
def test_what_is_not_there_is_an_error(games: Path, arguments: list[object], message: str) -> None:
    done = replay(games, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    done = replay(tmp_path / "none.jsonl")
    assert done.returncode == 2
    assert done.stderr.startswith("isolation-fast: error: ")
    assert "none.jsonl' cannot be read: No such file or directory" in done.stderr


def test_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [{**EXAMPLE, "schema": "isolation-fast/game/9"}])
    done = replay(path)
    assert done.returncode == 2
    assert "line 1: field 'schema' must be 'isolation-fast/game/1', and it is" in done.stderr


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *arguments: object) -> None:
        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTIBLE, "replay", *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(theirs)

    def until(self, words: str) -> str:
        """What it writes until these words have come and nothing more is on its way."""
        deadline, text = time.monotonic() + PATIENCE, b""
        while words not in text.decode(errors="replace"):
            assert time.monotonic() < deadline, f"no {words!r} in {text!r}"
            if select.select([self.ours], [], [], 0.1)[0]:
                text += os.read(self.ours, 65536)
        return text.decode(errors="replace")

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        """Its exit status."""
        return self.process.wait(PATIENCE)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.ours)


def opened(terminals: list[Terminal], *arguments: object) -> Terminal:
    terminals.append(Terminal(*arguments))
    return terminals[-1]


def test_on_a_terminal_keys_step_through_the_game(games: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, games, "--game", 2)
    terminal.until(f"move 0 of {LAST}")
    steps = [("n", 1), (" ", 2), ("\033[C", 3), ("\033[D", 2), ("p", 1), ("g7\n", 7), ("g999\n", LAST)]
    for key, number in steps:
        terminal.type(key)
        terminal.until(f"move {number} of {LAST}")
    terminal.type("n")
    terminal.until(f"move {LAST} of {LAST}")
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_that_has_no_arrows_shows_the_game_all_the_same(
    encoding: str, games: Path, terminals: list[Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    terminal = opened(terminals, games)
    terminal.until("q quit")
    terminal.type("q")
    assert terminal.end() == 0


def test_a_name_that_the_output_cannot_write_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    path = tmp_path / "games.jsonl"
    write_records(path, [{**EXAMPLE, "players": ["\N{GREEK SMALL LETTER ALPHA}", "Ben"]}])
    assert shown(path).startswith("\\u03b1 (1) against Ben (2)")


def test_it_begins_where_it_is_told_to(games: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, games, "--game", 2, "--at", 5)
    terminal.until(f"move 5 of {LAST}")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_the_terminal_is_left_as_it_was(games: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, games)
    terminal.until("q quit")
    assert not termios.tcgetattr(terminal.ours)[3] & termios.ECHO
    terminal.type("q")
    assert terminal.end() == 0
    assert termios.tcgetattr(terminal.ours)[3] & termios.ECHO


def test_ctrl_c_ends_it_and_leaves_the_terminal_as_it_was(games: Path, terminals: list[Terminal]) -> None:
    terminal = opened(terminals, games)
    terminal.until("q quit")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert termios.tcgetattr(terminal.ours)[3] & termios.ECHO
