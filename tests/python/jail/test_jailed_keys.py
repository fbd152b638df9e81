"""The key that a worker is given, and the tags of the answers that its engine makes with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from inside_referee import ENGINE, GOOD, KEY, OPENING, Start

from isolation_fast import Budget
from isolation_fast.jail import Assignment, JailedProcess
from isolation_fast.process import Kind
from isolation_fast.worker.messages import Game, KeyGiven, Load, SearchAsked


def test_a_key_comes_once_and_first(start: Start) -> None:
    referee = start(GOOD)
    fault = referee.ask(KeyGiven(bytes(16)))
    assert (fault.ending, fault.detail) == ("protocol broken", "a key comes once, and first")
    referee.ask(Load(1))
    referee.ask(Game(OPENING, 1, 2, 0))
    # Signed with the first one.
    assert referee.ask(SearchAsked((), OPENING, depth=1)).report.depth == 1


@pytest.mark.parametrize("begins", [(Kind.KEY, bytes(15)), (Kind.KEY, b""), (Kind.LOAD, Load(1).content())])
def test_without_a_key_nothing_is_searched(start: Start, begins: tuple[Kind, bytes]) -> None:
    referee = start(GOOD, has_key=False)
    referee.ask_bytes(*begins)
    assert referee.ask(KeyGiven(KEY)).ending == "protocol broken"
    referee.ask(Load(1))
    referee.ask(Game(OPENING, 1, 2, 0))
    fault = referee.ask(SearchAsked((), OPENING, depth=1))
    assert (fault.ending, "before it had a key" in fault.detail) == ("protocol broken", True), fault


def test_a_tag_is_of_one_key_one_number_one_request_and_one_answer() -> None:
    signed = (KEY, 7, b"asked", b"found")
    others = [(bytes(16), 7, b"asked", b"found"), (KEY, 8, b"asked", b"found"), (KEY, 7, b"aske", b"dfound")]
    others += [(KEY, 7, b"Asked", b"found"), (KEY, 7, b"asked", b"Found")]
    assert len({ENGINE.answer_tag(*each) for each in (signed, *others)}) == 6
    assert ENGINE.answer_tag(*signed) == ENGINE.answer_tag(*signed)


OPENED_AGAIN = """
import os, stat

def outcome(call):
    try:
        return call() or "done"
    except OSError as error:
        return type(error).__name__

def custom_score(game, player):
    for each in range(3, 64):
        try:
            mode = os.fstat(each).st_mode
        except OSError:
            continue
        if stat.S_ISFIFO(mode):
            changed = outcome(lambda: os.fchmod(each, 0o600))
            print(stat.S_IMODE(mode), changed, outcome(lambda: os.open(f"/proc/self/fd/{each}", os.O_WRONLY)))
    return 1.0
"""


def test_the_pipes_cannot_be_opened_again_from_inside(tmp_path: Path) -> None:
    # A request that is written there would look like the referee's.
    file = tmp_path / "game_agent.py"
    file.write_text(OPENED_AGAIN)
    with JailedProcess.start(Assignment(file, "custom_score")) as process:
        process.load(1)
        process.begin_game(OPENING, 1, 2, 0)
        process.search([], OPENING, Budget(nodes=2))
    printed = process.output.stdout.decode().splitlines()
    assert len(printed) >= 2  # both pipes, at each call
    assert set(printed) == {"0 PermissionError PermissionError"}
