"""What the documents show and name: scripts run as printed, the drawn board is the one that is meant.

Examples with a prompt are collected by pytest itself; links, make targets and files that a document names are
looked at by `tools/check_tree.py`.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import isolation_fast
from isolation_fast import Board

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
RECIPE = ROOT / "docs" / "adding-a-heuristic.md"

SCRIPT = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAWING = re.compile(r"!\[[^]]*\]\((docs/[\w-]+\.svg)\).*?Board\.from_text\(\"([^\"]+)\"\)", re.DOTALL)
STEP = re.compile(r"^## (\d+)\. .*`([^`]+)`$", re.MULTILINE)
CODE_SPAN = re.compile(r"`([\w./<>-]+/[\w.<>-]+\.\w+)`")


def script_and_output() -> tuple[str, str]:
    found = SCRIPT.search(README.read_text(encoding="utf-8"))
    assert found is not None, "README.md shows a script in ```python and behind it what it prints in ```text"
    return found[1], found[2]


def test_the_script_of_the_readme_prints_what_stands_below_it() -> None:
    script, output = script_and_output()
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == (output, "", 0)


def test_the_script_of_the_readme_has_ten_lines() -> None:
    script, _ = script_and_output()
    assert len(script.splitlines()) <= 10


def test_the_drawn_board_is_what_the_command_below_it_prints() -> None:
    found = DRAWING.search(README.read_text(encoding="utf-8"))
    assert found is not None
    drawing, position = found.groups()
    assert (ROOT / drawing).read_text(encoding="utf-8") == Board.from_text(position).to_svg() + "\n"


def steps() -> list[Any]:
    found = STEP.findall(RECIPE.read_text(encoding="utf-8"))
    return [pytest.param(int(number), name, id=name) for number, name in found]


def test_the_steps_of_the_recipe_are_numbered_from_one_on() -> None:
    assert [step.values[0] for step in steps()] == list(range(1, len(steps()) + 1)) != []


@pytest.mark.parametrize(("number", "name"), steps())
def test_each_step_of_the_recipe_names_a_file_that_is_there(number: int, name: str) -> None:
    # `<family>.rs` is for the reader to name: there is such a folder, with such files in it.
    assert list(ROOT.glob(re.sub(r"<\w+>", "*", name))), f"step {number}: {name}"


def test_every_file_that_the_recipe_names_is_there() -> None:
    names = CODE_SPAN.findall(RECIPE.read_text(encoding="utf-8"))
    assert len(names) > 5
    assert [name for name in names if not list(ROOT.glob(re.sub(r"<\w+>", "*", name)))] == []


@pytest.mark.parametrize("name", sorted(set(isolation_fast.__all__) - {"__version__"}))
def test_every_public_name_is_documented_and_shows_an_example(name: str) -> None:
    thing = getattr(isolation_fast, name)
    assert thing.__doc__
    # What an exception is for is shown where it is raised.
    is_exception = isinstance(thing, type) and issubclass(thing, Exception)
    assert is_exception or ">>> " in thing.__doc__
