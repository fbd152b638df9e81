"""`classic.install()` in a script or a notebook: what imports give then, what is said, what is undone."""

import subprocess
import sys
from pathlib import Path

import pytest

from isolation_fast import Board, classic
from isolation_fast.exceptions import InvalidArgumentError

FIRST_PLAYER = "class CustomPlayer:\n    def get_move(self, game, legal_moves, time_left): return (-1, -1)\n"
OWN_PACKAGE = {
    "isolation/__init__.py": "from .isolation import Board\n",
    "isolation/isolation.py": "class Board: pass\n",
    "isolation/helper.py": "",
}
WHICH = """
import isolation, isolation_fast, sample_players
print(isolation.Board is isolation_fast.Board, sample_players.__file__.endswith("sample_players.py"))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the script of the test lies."""
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")


def ran(folder: Path, source: str) -> tuple[list[str], list[str]]:
    """The lines on stdout and on stderr of a script that must end well."""
    write(folder, {"own.py": source})
    command = [sys.executable, "-B", "own.py"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr.splitlines()


def test_from_then_on_imports_give_our_modules(folder: Path) -> None:
    out, errors = ran(
        folder,
        """
from isolation_fast import Board as ours, classic
classic.install()
import isolation, isolation.isolation as module, sample_players
print(isolation.Board is ours, module is isolation.isolation, module.Board is ours, module.TIME_LIMIT_MILLIS)
scope = {}
exec("from isolation import *", scope)
print(scope["Board"] is ours, scope["isolation"] is module)
exec("from isolation.isolation import *\\nfrom sample_players import *", scope)
print(sorted(name for name in scope if name[0] != "_"))
""",
    )
    assert out == [
        "True True True 150",
        "True True",
        str(
            [
                "Board",
                "GreedyPlayer",
                "HumanPlayer",
                "RandomPlayer",
                "TIME_LIMIT_MILLIS",
                "center_score",
                "copy",
            ]
            + ["improved_score", "isolation", "null_score", "open_move_score", "randint", "random", "timeit"]
        ),
    ]
    assert errors == []


def test_a_notebook_finds_them_too(folder: Path) -> None:
    write(folder, {"game_agent.py": FIRST_PLAYER})
    source = "from isolation_fast.classic import install; install(); import sample_players as s;"
    source += "import sys; print(repr(sys.path[0]), s.RandomPlayer.get_move.__code__.co_argcount)"
    done = subprocess.run(
        [sys.executable, "-B", "-c", source],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("'' 4\n", "")


def test_the_layout_is_asked_for_or_detected(folder: Path) -> None:
    source = """
from isolation_fast import classic
classic.install({})
import sample_players
print(sample_players.RandomPlayer.get_move.__code__.co_argcount)
"""
    assert ran(folder, source.format(""))[0] == ["3"]
    write(folder, {"game_agent.py": "from players import CustomPlayer\n1 / 0\n", "players.py": FIRST_PLAYER})
    assert ran(folder, source.format(""))[0] == ["4"]
    assert ran(folder, source.format("'v2'"))[0] == ["3"]
    assert ran(folder, source.format("layout='v1'"))[0] == ["4"]


def test_ours_win_over_what_lies_beside_and_one_line_says_so(folder: Path) -> None:
    write(folder, {**OWN_PACKAGE, "sample_players.py": ""})
    source = f"from isolation_fast import classic\nclassic.install()\nclassic.install()\n{WHICH}"
    out, errors = ran(folder, source)
    places = f"{folder / 'isolation'} and {folder / 'sample_players.py'}; keep_local=True keeps those"
    line = f"isolation-fast: serves isolation and sample_players instead of {places}"
    assert (out, errors) == (["True True"], [line])


def test_methods_that_a_student_added_to_the_board_are_named_since_ours_has_them_not(folder: Path) -> None:
    source = f"from isolation_fast import classic\nclassic.install()\n{WHICH}"
    methods = ["copy", "__get_moves", "__init__", "mirrored", "rotated", "undo", "swap", "moves_2"]
    body = "".join(f"    def {name}(self): ...\n" for name in methods)
    for name in ("isolation/isolation.py", "isolation.py"):
        write(folder, {name: f"class Board:\n{body}class Other:\n    def other(self): ...\n"})
        place = folder / name.removesuffix("/isolation.py")
        _, errors = ran(folder, source)
        assert errors == [
            f"isolation-fast: serves isolation instead of {place} (its Board also has mirrored, rotated, undo"
            " and 2 more); keep_local=True keeps those"
        ]
        place.rename(folder / f"{place.name}.aside")


def test_ours_win_over_what_was_imported_before(folder: Path) -> None:
    write(folder, OWN_PACKAGE)
    out, errors = ran(
        folder,
        """
import sys
import isolation.helper
before = isolation
from isolation_fast import Board, classic
classic.install()
import isolation
print(isolation.Board is Board, "isolation.helper" in sys.modules)
classic.uninstall()
import isolation
print(isolation is before, sys.modules["isolation.helper"] is before.helper)
""",
    )
    assert out == ["True False", "True True"]
    place = f"{folder / 'isolation'} (imported before)"
    assert errors == [f"isolation-fast: serves isolation instead of {place}; keep_local=True keeps those"]


def test_kept_local_theirs_win_and_nothing_is_said(folder: Path) -> None:
    write(folder, OWN_PACKAGE)
    source = f"from isolation_fast import classic\nclassic.install(keep_local=True)\n{WHICH}"
    assert ran(folder, source) == (["False True"], [])
    assert ran(folder, f"import isolation\n{source}") == (["False True"], [])


def test_a_folder_that_merely_bears_the_name_is_not_mentioned(folder: Path) -> None:
    write(folder, {"isolation/board.txt": ""})
    assert ran(folder, f"from isolation_fast import classic\nclassic.install()\n{WHICH}") == (
        ["True True"],
        [],
    )
    write(folder, {"isolation/isolation.py": "class Board: pass\n"})
    _, errors = ran(folder, f"from isolation_fast import classic\nclassic.install()\n{WHICH}")
    assert errors == [
        f"isolation-fast: serves isolation instead of {folder / 'isolation'}; keep_local=True keeps those"
    ]


def test_uninstalled_nothing_is_left(folder: Path) -> None:
    out, _ = ran(
        folder,
        """
import sys
from isolation_fast import classic
finders, modules = list(sys.meta_path), set(sys.modules)
classic.install()
import isolation, sample_players
classic.uninstall()
new = set(sys.modules) - modules
print(sys.meta_path == finders, new & {"isolation", "isolation.isolation", "sample_players"})
try:
    import isolation
except ModuleNotFoundError as error:
    print(error.name)
classic.install("v1")
import isolation, sample_players
print(sample_players.RandomPlayer.get_move.__code__.co_argcount)
""",
    )
    assert out == ["True set()", "isolation", "4"]


def test_asked_for_another_layout_it_changes_to_that(folder: Path) -> None:
    out, errors = ran(
        folder,
        """
import sys
from isolation_fast import classic
for layout in "v1", "v1", None, "v2", None:
    classic.install(layout)
    import sample_players
    print(sample_players.RandomPlayer.get_move.__code__.co_argcount, end=" ")
print(len([finder for finder in sys.meta_path if type(finder).__name__ == "ServingFinder"]))
""",
    )
    assert (out, errors) == (["4 4 4 3 3 1"], [])


def test_modules_can_be_loaded_again(folder: Path) -> None:
    write(
        folder,
        {"sample_players.py": "def mine(): return 1\n", "game_agent.py": "from isolation import Board"},
    )
    out, _ = ran(
        folder,
        """
from importlib import reload
from isolation_fast import Board, classic
classic.install()
import game_agent, isolation, sample_players
isolation.Board = None
for module in isolation.isolation, isolation, sample_players, game_agent:
    assert reload(module) is module
print(isolation.Board is game_agent.Board is isolation.isolation.Board is Board, sample_players.mine())
""",
    )
    assert out == ["True 1"]


def test_a_player_survives_pickling(folder: Path) -> None:
    write(folder, {"sample_players.py": "class Mine: pass\n"})
    out, _ = ran(
        folder,
        """
import pickle
from isolation_fast import classic
classic.install()
from sample_players import GreedyPlayer, Mine, RandomPlayer
for kind in RandomPlayer, GreedyPlayer, Mine:
    print(type(pickle.loads(pickle.dumps(kind()))) is kind)
""",
    )
    assert out == ["True"] * 3


def test_threads_that_import_at_once_get_the_same_modules(folder: Path) -> None:
    write(folder, {"sample_players.py": "import time\ntime.sleep(0.05)\nprint('loaded')\nmine = object()\n"})
    out, _ = ran(
        folder,
        """
from concurrent.futures import ThreadPoolExecutor
from isolation_fast import classic
classic.install()
def work(_):
    import isolation.isolation
    from sample_players import mine
    return mine, isolation.isolation
with ThreadPoolExecutor(8) as pool:
    print(len(set(pool.map(work, range(8)))))
""",
    )
    assert out == ["loaded", "1"]


def test_a_module_that_the_local_package_has_besides_is_not_ours_to_serve(folder: Path) -> None:
    write(folder, {"isolation/__init__.py": "own = 1\n"})
    source = """
from isolation_fast import classic
classic.install(keep_local=True)
import isolation
try:
    import isolation.isolation
except ModuleNotFoundError as error:
    print(isolation.own, error.name)
"""
    assert ran(folder, source)[0] == ["1 isolation.isolation"]


def test_a_layout_that_does_not_exist_changes_nothing() -> None:
    before = list(sys.meta_path)
    word: classic.Layout = "v3"  # type: ignore[assignment]
    with pytest.raises(InvalidArgumentError, match="unknown layout 'v3'"):
        classic.install(word)
    assert sys.meta_path == before


def test_the_board_of_this_process_is_the_engines() -> None:
    classic.install("v2")
    try:
        import isolation  # type: ignore[import-not-found]

        assert isolation.Board is Board
    finally:
        classic.uninstall()
    assert "isolation" not in sys.modules
