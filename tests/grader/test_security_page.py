"""The table of attacks in docs/security.md names each hostile submission, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
HOSTILE = ROOT / "tests" / "grader" / "hostile"
ROW = re.compile(r"^\|.*\|.*\|(.*)\|$", re.MULTILINE)
NAME = re.compile(r"`(\w+)`")


def test_each_hostile_submission_stands_in_one_row_of_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [NAME.findall(names) for names in ROW.findall(page)]
    named = [name for names in rows for name in names]
    attacks = {path.parent.name for path in HOSTILE.glob("*/game_agent.py")} - {"well_behaved"}
    assert sorted(named) == sorted(attacks)
    assert "`well_behaved`" in page
