"""docs/heuristics.md is what its tool writes, and says what it must."""

import runpy
from pathlib import Path

import pytest

from isolation_fast import heuristics

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "heuristics.md").read_text(encoding="utf-8")


def section(name: str) -> str:
    return PAGE.partition(f"\n### {name}")[2].partition("\n### ")[0]


def test_the_page_is_what_its_tool_writes() -> None:
    written = runpy.run_path(str(ROOT / "tools" / "write_heuristics_page.py"))["page"]()
    assert written == PAGE, "make heuristics-page"


@pytest.mark.parametrize("name", heuristics.names())
def test_every_heuristic_is_on_the_page(name: str) -> None:
    heuristic = heuristics.get(name)
    text = section("knight_decay_2 to knight_decay_10" if "decay" in name else f"{name}\n")
    assert " ".join(heuristic.formula.split()) in " ".join(text.split())
    assert "decay" not in name or f"| `{name}` |" in text
    assert " for player 2:" in text


def test_the_examples_of_report_c_stand_beside_its_figures() -> None:
    decay, bfs = (" ".join(section(name).split()) for name in ("knight_decay_2 to", "bfs\n"))
    for printed in ("5.25", "4.1875", "1.0625"):
        assert printed in decay
    for given in ("= 5.25", "= 4.6875", "= 0.5625", "gives 4.6875, and so 0.5625"):
        assert given in decay
    for printed in ("6.65", "5.033", "1.62"):
        assert printed in bfs
    for given in ("= 6.65", "= 6.2", "= 0.45", "gives 6.2, and so 0.45"):
        assert given in bfs
