"""What the pages on tournaments show runs as it stands there: scripts, commands, recipes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from isolation_fast.cli import main
from isolation_fast.tournament import Gauntlet, run

ROOT = Path(__file__).resolve().parents[3]
ELSEWHERE = ROOT / "docs" / "elsewhere.md"
PAGE = ROOT / "docs" / "tournaments.md"
README = ROOT / "README.md"

NAMED = re.compile(r"^```\w+\n((?:#![^\n]*\n)?# ([\w.]+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPT = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(
    r"^```console\n\$ isolation-fast (tournament [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
TASKS = re.compile(r"^#SBATCH --array=0-(\d+)$", re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page, which is the working directory."""
    for text, name in NAMED.findall(ELSEWHERE.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "game_agent.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expected(folder: Path) -> str:
    names: dict[str, object] = {}
    exec((folder / "my_tournament.py").read_text(encoding="utf-8"), names)
    plan = names["plan"]
    assert isinstance(plan, type(Gauntlet("AB_Open", games=2).plan()))
    return f"{run(plan)}\n"


def printed(*command: str, **environment: str) -> str:
    process = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["with_joblib.py", "with_processes.py"])
def test_a_recipe_gives_the_result_of_this_machine(recipe: str, folder: Path) -> None:
    assert printed(sys.executable, recipe) == expected(folder)


# Dask's own servers warn of their own ports and clocks; what they do is not what is tested.
@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_recipe_for_dask_gives_the_result_of_this_machine(folder: Path) -> None:
    start: Any = LocalCluster  # has no types
    with start(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=":0"
    ) as cluster:
        assert printed(sys.executable, "with_dask.py", cluster.scheduler_address) == expected(folder)


@pytest.mark.slow
def test_the_tasks_of_the_array_give_the_result_of_this_machine(folder: Path) -> None:
    found = TASKS.search((folder / "tournament.sh").read_text(encoding="utf-8"))
    assert found is not None
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for task in reversed(range(int(found[1]) + 1)):
        assert printed("sh", "tournament.sh", SLURM_ARRAY_TASK_ID=str(task), PATH=path) == ""
    assert printed(sys.executable, "merge_parts.py") == expected(folder)


def test_all_recipes_but_mpi_are_run_here() -> None:
    names = {name for _, name in NAMED.findall(ELSEWHERE.read_text(encoding="utf-8"))}
    run_here = {"with_joblib.py", "with_processes.py", "with_dask.py"}
    array = {"tournament.sh", "play_part.py", "merge_parts.py"}
    assert names == {"my_tournament.py", "with_mpi.py"} | run_here | array


def test_the_script_of_the_page_has_five_lines_and_prints_what_stands_below_it() -> None:
    found = SCRIPT.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    script, output = found.groups()
    assert len(script.splitlines()) == 5
    assert printed(sys.executable, "-c", script) == output


# The README's has a thousand games of a Python heuristic.
@pytest.mark.parametrize(
    "page", [PAGE, pytest.param(README, marks=pytest.mark.slow)], ids=lambda page: page.name
)
def test_a_command_prints_what_stands_below_it(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = COMMAND.findall(page.read_text(encoding="utf-8"))
    assert found
    for command, output in found:
        assert main(shlex.split(command)) == 0
        assert capsys.readouterr().out == output
