"""Comparing in the jail: what a submission may do there, and that both boards meet the same refusals."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast.jail import available
from validation import Comparison, compare

SUBMISSIONS = Path(__file__).resolve().parents[1] / "submissions" / "comparison"
Write = Callable[..., Path]
# What comes of something that the jail refuses, and where there is none.
REFUSED = "same exception types" if available().name != "none" else "same values"
SCORE = "\n\ndef custom_score(game, player):\n    {}\n    return float(game.move_count)\n"


def made(folder: Path, checkout: Path, *, jail: bool = True) -> Comparison:
    return compare(folder, checkout, positions=6, games=1, workers=1, jail=jail)


def verdict(comparison: Comparison) -> tuple[str, str]:
    (findings,) = comparison.submissions
    assert findings.reason is None, findings.reason
    return findings.heuristics[0].verdict, findings.heuristics[0].detail


@pytest.mark.parametrize("name", ["asking_the_player", "summing_floats", "first_layout", "drawing_lots"])
def test_what_asks_for_nothing_gets_the_same_verdict_in_the_jail(name: str, write_checkout: Write) -> None:
    checkout = write_checkout()
    jailed, free = (made(SUBMISSIONS / name, checkout, jail=each) for each in (True, False))
    assert jailed.submissions == free.submissions
    assert (jailed.jail, free.jail) == (available().name, "none")


@pytest.mark.parametrize(
    "asks",
    [
        "open('/etc/passwd').read()",
        "open('notes.txt', 'a')",
        "import os; os.makedirs('../tmp/mine', exist_ok=True)",
        "import os; os.fork() or os._exit(0)",
        "import os; os.kill(os.getppid(), 0)",
        "import socket; socket.socket().close()",
    ],
)
def test_what_the_jail_refuses_is_refused_on_both_boards(
    asks: str, write_submission: Write, write_checkout: Write
) -> None:
    found, detail = verdict(made(write_submission(SCORE.format(asks)), write_checkout()))
    assert found == REFUSED
    assert detail in ("", "PermissionError")


def test_the_engine_does_not_search_for_a_heuristic(write_submission: Write, write_checkout: Write) -> None:
    asks = "import isolation_fast\n    isolation_fast.search(isolation_fast.Board(), 'improved', depth=1)"
    found, _ = verdict(made(write_submission(SCORE.format(asks)), write_checkout()))
    assert found == REFUSED


def test_a_heuristic_reads_what_is_beside_it(write_submission: Write, write_checkout: Write) -> None:
    folder = write_submission(SCORE.format("open('weights.txt').read()"), {"weights.txt": "3"})
    assert verdict(made(folder, write_checkout())) == ("same values", "")


def test_numpy_works_in_all_its_parts(write_submission: Write, write_checkout: Write) -> None:
    text = "import numpy as np" + SCORE.format("np.linalg.norm(np.fft.fft(np.random.rand(64)))")
    assert verdict(made(write_submission(text), write_checkout())) == ("same values", "")


def test_a_submission_that_cannot_be_loaded_in_the_jail_says_what_it_was_refused(
    tmp_path: Path, write_checkout: Write
) -> None:
    folder = tmp_path / "forking"
    shutil.copytree(SUBMISSIONS / "forking", folder)
    (folder / "where.txt").write_text(str(tmp_path / "children.txt"))
    (findings,) = made(folder, write_checkout()).submissions
    if available().name == "none":
        assert findings.reason is None
        return
    assert findings.reason is not None
    assert "PermissionError" in findings.reason
    assert findings.reason.endswith("; the jail refuses that, and --no-jail does not")
    assert not (tmp_path / "children.txt").exists()


def test_temporary_files_that_only_their_owner_can_come_to_are_no_hindrance(
    tmp_path: Path, write_checkout: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "mine"
    place.mkdir(mode=0o700)
    monkeypatch.setattr("tempfile.tempdir", str(place))
    found = made(SUBMISSIONS / "asking_the_player", write_checkout())
    assert verdict(found) == ("same values", "")
