"""`HumanPlayer` in the terminal: what a person is shown, and what becomes of the answers."""

import builtins
from typing import Any

import pytest

from isolation_fast import Board, HumanPlayer, reference

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


class OwnBoard(Board):
    """As people subclass the classic board."""


def plenty() -> Any:
    return 150.0


def played(kind: Any) -> Any:
    board = kind()
    board.apply_move((1, 2))
    board.apply_move((3, 3))
    return board


class Terminal:
    """A person at the keyboard, whose answers are known beforehand."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def input(self, prompt: str = "") -> Any:
        self.prompts.append(prompt)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


@pytest.mark.parametrize("kind", [Board, OwnBoard, reference.Board])
def test_a_person_sees_the_board_and_chooses_a_numbered_move(
    kind: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal("2")
    monkeypatch.setattr(builtins, "input", terminal.input)
    board = played(kind)
    assert HumanPlayer().get_move(board, plenty) == board.get_legal_moves()[2]
    shown = capsys.readouterr().out
    assert board.to_string().splitlines()[0] in shown
    assert f"[2] {board.get_legal_moves()[2]}" in shown
    assert terminal.prompts == ["Select move index:"]


def test_a_person_is_asked_again_after_a_slip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builtins, "input", Terminal("", "two", "99", "-1", "0").input)
    board = Board.from_text(START)
    assert HumanPlayer().get_move(board, plenty) == board.get_legal_moves()[0]
    shown = capsys.readouterr().out
    assert shown.count("Invalid index! Try again.") == 2
    assert shown.count("Illegal move! Try again.") == 2


def test_the_end_of_the_input_gives_the_game_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builtins, "input", Terminal("x").input)
    assert HumanPlayer().get_move(Board.from_text(START), plenty) == (-1, -1)
    assert "given up" in capsys.readouterr().out
