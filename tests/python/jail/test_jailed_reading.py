"""Programs read in a jailed process: as they are read anywhere, and typed where that fails."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from isolation_fast import Board
from isolation_fast.compiled import Refusal, random_positions
from isolation_fast.exceptions import JailError
from isolation_fast.jail import Assignment, Fault, JailedProcess, Limits
from isolation_fast.process import FrameError
from isolation_fast.programs import Program
from isolation_fast.worker.messages import MOST_PARTS, ReadAnswer, packed, unpacked

EXAMPLE = Path("examples/game_agent.py").absolute()
POSITIONS = [board.to_text() for board in random_positions()][:50]


def started(folder: Path, text: str) -> JailedProcess:
    file = folder / "game_agent.py"
    file.write_text(dedent(text))
    return JailedProcess.start(Assignment(file), Limits(load_cpu=2.0))


def test_a_program_comes_out_of_the_jail_and_agrees_with_what_is_loaded_there() -> None:
    with JailedProcess.start(Assignment(EXAMPLE)) as process:
        program = process.read("custom_score")
        process.load(stream=0)
        values = process.evaluate("custom_score", POSITIONS)
    assert isinstance(program, Program)
    boards = [Board.from_text(each, "Ann", "Ben") for each in POSITIONS]
    assert [program.run(board, board.active_player) for board in boards] == list(map(float.fromhex, values))


def test_why_there_is_no_program_comes_with_its_line_and_file(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text(
        "import random\n\n\ndef count(game, player):\n    return random.random()\n"
    )
    text = """
        from beside import count
        class Scorer:
            pass
        custom_score_2 = Scorer()
        def custom_score(game, player):
            return count(game, player)
        """
    with started(tmp_path, text) as process:
        inside, outside, missing = map(process.read, ("custom_score", "custom_score_2", "nothing"))
    assert isinstance(inside, Refusal)
    assert (inside.line, inside.filename, inside.construct) == (5, "beside.py", "object")
    assert isinstance(outside, Refusal)
    assert (outside.line, outside.filename) == (5, None)
    assert "Scorer is a class" in outside.message
    assert isinstance(missing, Refusal)
    assert "nothing is not in the file" in missing.message


def test_what_a_heuristic_raises_or_returns_is_told_value_by_value(tmp_path: Path) -> None:
    text = """
        def custom_score(game, player):
            moves = len(game.get_legal_moves(player))
            return [1, float("inf"), None, 10 ** 400, 1 / 0][moves % 5]
        """
    with started(tmp_path, text) as process:
        process.load(stream=0)
        values = process.evaluate("custom_score", POSITIONS)
    assert set(values) <= {"0x1.0000000000000p+0", "inf", "TypeError", "OverflowError", "ZeroDivisionError"}


HARD = "-" * 50_000 + "1", "[" * 150 + "]" * 150, "1" + "0" * 5_000, "1\0", "1  # coding: utf-7"


@pytest.mark.parametrize("expression", HARD)
def test_a_text_that_is_hard_to_parse_ends_typed(expression: str, tmp_path: Path) -> None:
    with started(tmp_path, f"x = {expression}\ndef custom_score(game, player):\n    return 1.0\n") as process:
        found: object = None
        try:
            found = process.read("custom_score")
        except Fault as fault:
            found = fault.ending
    assert isinstance(found, (Program, Refusal)) or found in ("not loaded", "killed", "out of memory")


def test_a_program_is_read_before_anything_of_the_file_has_run() -> None:
    with JailedProcess.start(Assignment(EXAMPLE)) as process:
        process.load(stream=0)
        with pytest.raises(JailError, match="are read before it is loaded"):
            process.read("custom_score")


NUMBERS_TOO_LARGE = (
    [[], [2**70], [], [], None],
    [[[[70_000, 1, 0], [2, 0, 0], [0, 1, 0], []]], [], [], [], None],
)


@pytest.mark.parametrize("parts", NUMBERS_TOO_LARGE)
def test_numbers_beyond_those_of_programs_are_no_program(
    parts: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with JailedProcess.start(Assignment(EXAMPLE)) as process:
        monkeypatch.setattr(process, "_ask", lambda *_: (ReadAnswer(packed(parts)), None))
        with pytest.raises(Fault, match="sent no program"):
            process.read("custom_score")


def test_parts_that_would_fill_the_memory_are_refused() -> None:
    assert unpacked(packed([[1, -2.5], ["a"]])) == [[1, -2.5], ["a"]]
    for text in (packed("0" * MOST_PARTS), "no base", packed([1])[:-3]):
        with pytest.raises(FrameError):
            unpacked(text)
