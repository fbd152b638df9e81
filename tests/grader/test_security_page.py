"""The table of hostile submissions names each of them, and no other, by the attacks of docs/security.md."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
HOSTILE = ROOT / "tests" / "grader" / "hostile"
ROW = re.compile(r"^\| (.+) \| (.+) \|$", re.MULTILINE)
NAME = re.compile(r"`(\w+)`")

SUBMISSIONS = (HOSTILE / "README.md").read_text(encoding="utf-8")


def test_each_hostile_submission_stands_in_one_row_of_the_table() -> None:
    named = [name for _, names in ROW.findall(SUBMISSIONS) for name in NAME.findall(names)]
    attacks = {path.parent.name for path in HOSTILE.glob("*/game_agent.py")} - {"well_behaved"}
    assert sorted(named) == sorted(attacks)
    assert "`well_behaved`" in SUBMISSIONS


def test_each_attack_of_the_page_has_its_submissions() -> None:
    page = PAGE.read_text(encoding="utf-8")
    attacks = [attack for attack, _ in ROW.findall(page)]
    assert len(attacks) > 10
    assert attacks == [attack for attack, _ in ROW.findall(SUBMISSIONS)]
