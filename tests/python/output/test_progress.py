"""Progress: a bar where somebody watches, a line or nothing in a log."""

import io
import sys

import pytest

from isolation_fast.output import print_text, progress, say


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    # No fixture: pytest sets its own stream between the fixtures and the test.
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_log_gets_nothing_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(3, "game") as bar:
        bar.reach(1, "first")
        bar.part("second", 1, 7)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_the_one_line_instead(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(2, "heuristic", instead="measuring 2 heuristics") as bar:
        bar.reach(1)
    assert capsys.readouterr() == ("", "measuring 2 heuristics\n")


def test_a_command_without_stderr_goes_on_and_keeps_stdout_clean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress(2, "game", instead="2 games") as bar:
        bar.reach(1)
        assert bar.done == 1
    say("played")
    print_text("played in the jail", on_stderr=True)
    assert capsys.readouterr().out == ""


def test_a_terminal_gets_a_bar_that_disappears(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    with progress(4, "game", done=1, instead="a log alone") as bar:
        bar.reach(2, "custom\x1b_score")
        shown = stream.getvalue()
    assert "custom\\x1b_score" in shown
    assert "2/4" in shown
    assert "a log alone" not in shown
    assert stream.getvalue().rpartition("\r")[0].rpartition("\r")[2].strip() == ""


def test_another_part_of_the_work_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    with progress(None, "game") as bar:
        bar.part("baseline", 9, 10)
        bar.part("custom_score", 2, 70)
    assert "baseline" in stream.getvalue()
    assert "2/70" in stream.getvalue()
