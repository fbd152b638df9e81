"""Where a process ends: on our board alone that is a difference, on both it is none."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from validation import Comparison, compare
from validation.messages import left_by_ours

SUBMISSIONS = Path(__file__).resolve().parents[1] / "submissions" / "comparison"
Write = Callable[..., Path]
ABORT = "its process was ended by SIGABRT"


def made(how: str, where: str, tmp_path: Path, checkout: Path, seconds: float = 60) -> Comparison:
    shutil.copytree(SUBMISSIONS / "ending_on_ours", tmp_path / "ann")
    (tmp_path / "ann" / "how.txt").write_text(f"{how} {where}")
    return compare(tmp_path / "ann", checkout, positions=3, games=1, seconds=seconds, memory=1024)


@pytest.mark.parametrize(
    ("how", "told", "seconds"),
    [
        ("hang", "time limit", 6.0),
        ("abort", ABORT, 60.0),
        ("exit", "its process exited with status 3", 60.0),
        ("grow", "memory limit", 60.0),
    ],
)
def test_what_ends_the_process_on_ours_alone_is_a_difference(
    how: str, told: str, seconds: float, tmp_path: Path, write_checkout: Write
) -> None:
    found = made(how, "ours", tmp_path, write_checkout(), seconds)
    assert found.differs
    heuristic, player = found.submissions[0].findings
    assert (heuristic.verdict, heuristic.summary()) == ("differs", f"only on ours: {told}")
    assert (player.verdict, player.detail) == ("not compared", told)


@pytest.mark.parametrize(("how", "told"), [("abort", ABORT), ("grow", "memory limit")])
def test_what_ends_the_process_on_the_classic_board_too_is_not_compared(
    how: str, told: str, tmp_path: Path, write_checkout: Write
) -> None:
    found = made(how, "both", tmp_path, write_checkout())
    assert not found.differs
    assert [(each.verdict, each.detail) for each in found.submissions[0].findings] == [
        ("not compared", told)
    ] * 2


def test_an_import_that_ends_the_process_on_ours_alone_is_a_difference(
    write_submission: Write, write_checkout: Write
) -> None:
    ending = "import os, isolation\nif isolation.Board.__module__ != 'isolation.isolation':\n    os.abort()\n"
    found = compare(write_submission(ending), write_checkout(), positions=1, games=0)
    assert [(each.name, each.detail) for each in found.submissions[0].findings] == [
        ("import", f"only on ours: {ABORT}")
    ]
    assert found.differs


def phases(*boards: str, size: int = 0, peak: int = 0) -> list[dict[str, object]]:
    """One second for each phase, so much memory at its beginning, and 1,000 bytes left."""
    common = {"kind": "phase", "what": "x", "size": size, "peak": peak, "left": 1000}
    return [{**common, "board": board, "at": float(number)} for number, board in enumerate(boards)]


def test_a_limit_that_both_boards_used_up_is_no_difference() -> None:
    messages = phases("classic", "classic", "ours", size=100, peak=700)
    assert left_by_ours(messages, "memory limit", 3.0) is None
    assert left_by_ours(phases("classic", "ours", size=100, peak=300), "memory limit", 3.0) == "x"
    assert left_by_ours(messages, "time limit", 6.0) is None
    assert left_by_ours(messages, "time limit", 8.0) == "x"


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_what_is_ended_from_outside_is_no_difference(signal: str) -> None:
    assert left_by_ours(phases("classic", "ours"), f"its process was ended by {signal}", 3.0) is None
