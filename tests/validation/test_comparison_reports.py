"""What a worker reports: junk in it, and what it did not come to, is its submission's failure alone."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from validation import Options, compare, comparing
from validation.messages import UNREADABLE, findings_of

SUBMISSIONS = Path(__file__).resolve().parents[1] / "submissions" / "comparison"
Write = Callable[..., Path]


@pytest.mark.parametrize(
    "junk",
    [
        b"hello\n",
        b"hello",
        b"\xff\xfe\n",
        b"3\n",
        b'{"verdict": "same values"}\n',
        b'{"kind": 3}\n',
        b"[" * 100_000 + b"\n",
        b'{"kind": "heuristic"}\n',
        b'{"kind": "heuristic", "finding": {"name": "custom_score_2", "difference": 3}}\n',
        b'{"kind": "player", "finding": {"name": 3, "verdict": "x", "classic": {}, "ours": {}}}\n',
        b'{"kind": "loaded"}\n',
        b'{"kind": "done"}\n',
    ],
)
def test_what_a_submission_writes_into_its_report_costs_itself_alone(
    junk: bytes, write_checkout: Write, tmp_path: Path
) -> None:
    for name in ("asking_the_player", "writing_into_the_report"):
        shutil.copytree(SUBMISSIONS / name, tmp_path / "all" / name)
    (tmp_path / "all" / "writing_into_the_report" / "junk.txt").write_bytes(junk)
    made = compare(tmp_path / "all", write_checkout(), positions=2, games=1, workers=2)
    fine, bad = made.submissions
    assert {each.verdict for each in fine.findings} == {"same values", "same games"}
    told = {each.name: each.verdict for each in bad.findings}
    assert bad.reason == UNREADABLE or told["custom_score_2"] == "not compared"
    assert not made.differs


def test_what_a_report_does_not_come_to_is_not_compared() -> None:
    loaded = {"kind": "loaded", "heuristics": ["custom_score"], "players": ["Own"], "templates": []}
    found = findings_of("ann", [loaded], "time limit")
    assert [(each.verdict, each.detail) for each in found.findings] == [("not compared", "time limit")] * 2
    assert findings_of("ann", [{"kind": "started"}], "time limit").reason == "time limit"
    assert findings_of("ann", [{"kind": "started"}], None).reason == "its report is incomplete"


@pytest.mark.parametrize(
    "source", ["import no_such_module", "import os\n\ndef custom_score(game, player):\n    os._exit(3)"]
)
def test_what_was_not_compared_to_its_end_is_not_kept(
    source: str, write_submission: Write, write_checkout: Write, tmp_path: Path
) -> None:
    folder, kept = write_submission(source), tmp_path / "kept.jsonl"
    compare(folder, write_checkout(), positions=2, games=1, resume=kept)
    assert kept.read_text() == ""


def test_findings_are_kept_for_one_version_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for version in ("1.26.0", "2.0.0"):
        monkeypatch.setattr(comparing, "version", lambda _name, version=version: version)
        keys.add(comparing.key_of("ann", "", Options(), [], "full"))
    assert len(keys) == 2


def test_no_place_of_this_machine_and_no_address_is_told(write_checkout: Write) -> None:
    failing = "def fail(self):\n    raise LookupError\nBoard.to_string = fail"
    folder = SUBMISSIONS / "telling_its_place"
    checkouts = [write_checkout(added=failing, folder=f"{number}/classic") for number in range(2)]
    # Without the jail, in which nobody has temporary files.
    made, again = (compare(folder, each, positions=1, games=0, jail=False) for each in checkouts)
    assert made.submissions == again.submissions
    shown = [each.difference.ours for each in made.submissions[0].heuristics if each.difference]
    assert shown[0] == "ValueError: <object object> lost in HOME and /"
    assert shown[1] == "ValueError: TMPDIR/tmp... in HOME"
    assert shown[2] == f"ValueError: {'x' * 265} ..."


def test_a_hash_follows_names_and_contents_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path
    for name, text in {"game_agent.py": "", "a.txt": "one", "b.txt": "two"}.items():
        (folder / name).write_text(text)
    first = comparing.content_hash(folder)
    os.utime(folder / "a.txt", (0, 0))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_text("x")
    assert comparing.content_hash(folder) == first
    (folder / "a.txt").rename(folder / "c.txt")
    renamed = comparing.content_hash(folder)
    (folder / "c.txt").write_text("three")
    assert len({first, renamed, comparing.content_hash(folder)}) == 3
