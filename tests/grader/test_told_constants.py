"""Constants that the text does not tell: an import tells them, if two agree, and the heuristic is counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from grading_scene import graded, quickly, store

from isolation_fast.jail import Limits
from isolation_fast.programs import Program
from isolation_grader.loading import Loading, load
from isolation_grader.report import Report, WhyTimed
from isolation_grader.showing import shown

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

SCORE = """
def custom_score(game, player):
    return float(TABLE[0]) * len(game.get_legal_moves(player)) + len(TABLE)
"""
TOLD = {
    "a call": 'import re\nTABLE = list(map(int, re.findall("[0-9]", "31")))',
    "of a class": "class Weights:\n    own = (3, 1)\nTABLE = Weights.own",
    "of a module beside it": "from tables import TABLE",
}
UNTOLD = {
    "the order of a set of texts": ("TABLE = [*map(len, {'a', 'bb', 'ccc', 'dddd', 'eeeee'})]", "differ"),
    "chance": ("import random\nTABLE = [random.random()]", "differ"),
    "a list of its own": ("class Own(list): pass\nTABLE = Own([1, 2])", "is a Own, and no plain data"),
    "a number of its own": ("class Own(int): pass\nTABLE = [Own(1)]", "is a Own, and no plain data"),
    "in itself": ("class Own: pass\nTABLE = Own.table = vars(Own).get('x', [1])\nTABLE.append(TABLE)", ""),
    "gigabytes": ("import re\nTABLE = [len(re.findall('a', 'a'))] * 2**27", "too large"),
}


def loaded(folder: Path, text: str) -> Loading:
    (folder / "tables.py").write_text("import re\nTABLE = (len(re.findall('a', 'banana')), 1)\n")
    file = folder / "game_agent.py"
    file.write_text(f"{text}\n{SCORE}")
    return load(file, limits=Limits(), reads=True)


@pytest.mark.parametrize("what", TOLD)
def test_a_constant_that_two_imports_tell_is_counted_and_named(what: str, tmp_path: Path) -> None:
    found = loaded(tmp_path, TOLD[what])
    assert isinstance(found.forms["custom_score"], Program), found.forms
    assert found.asked == {"custom_score": ("TABLE",)}


@pytest.mark.parametrize("what", UNTOLD)
def test_a_constant_that_is_no_data_or_differs_is_not_told(what: str, tmp_path: Path) -> None:
    text, why = UNTOLD[what]
    found = loaded(tmp_path, text)
    form = found.forms["custom_score"]
    assert isinstance(form, WhyTimed)
    assert why in form.reason
    assert found.asked == {}


def test_a_report_names_what_was_told(graded: Callable[..., Report]) -> None:
    report = graded(f"{TOLD['of a class']}\n{SCORE}")
    (member,) = report.graded
    assert (member.work, member.asked) == ("counted", ("TABLE",))
    assert "(an import told TABLE)" in shown(report, "simple")
    assert graded(f"{TOLD['of a class']}\n{SCORE}").graded[0].program == member.program
