"""A submission's modules are its own: found beside it and seen by it alone, however it imports them."""

import importlib
import importlib.util
import marshal
import os
import random
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation_fast
from isolation_fast import Board
from isolation_fast.submission import Submission, load

SUBMISSIONS = Path(__file__).parents[2] / "submissions" / "loading"

BOARD = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1", "Ann", "Ben")
ANNS_MOVES = 8

CHECKOUTS_PLAYERS = """
def improved_score(game, player):
    return 17.0
"""


def process() -> dict[str, Any]:
    """What a submission must leave as it was."""
    modules = dict(sys.modules)
    lists = {"path": list(sys.path), "meta_path": list(sys.meta_path), "argv": list(sys.argv)}
    same = {"path object": id(sys.path), "modules object": id(sys.modules)}
    return {"modules": modules, "cwd": Path.cwd(), "bytecode": sys.dont_write_bytecode, **lists, **same}


def loaded(case: str) -> Submission:
    """Load a submission of the tests; nothing but modules of Python's own may be left behind."""
    before = process()
    submission = load(SUBMISSIONS / case)
    after = process()
    added = after["modules"].keys() - before["modules"].keys()
    assert {name for name in added if name.partition(".")[0] not in sys.stdlib_module_names} == set()
    assert {name: after["modules"][name] for name in before["modules"]} == before["modules"]
    assert {**after, "modules": None} == {**before, "modules": None}
    return submission


def scores(submission: Submission) -> dict[str, Any]:
    return {name: heuristic(BOARD, "Ann") for name, heuristic in submission.heuristics.items()}


def test_helpers_imported_by_a_heuristic_are_those_beside_it() -> None:
    first, second = loaded("lazy_first"), loaded("lazy_second")
    assert scores(first) == {"custom_score": 11.0, "custom_score_2": 1.0}
    assert scores(second) == {"custom_score": 22.0, "custom_score_2": 2.0}
    assert scores(first) == {"custom_score": 11.0, "custom_score_2": 1.0}


def test_the_same_submission_loaded_twice_has_nothing_in_common() -> None:
    first, second = loaded("lazy_first"), loaded("lazy_first")
    assert first.module is not second.module
    with first.activated():
        import helpers  # type: ignore[import-not-found]

        helpers.weight = lambda: 99.0
    assert scores(first)["custom_score_2"] == 99.0
    assert scores(second)["custom_score_2"] == 1.0


def test_packages_beside_it_import_relatively() -> None:
    assert scores(loaded("package")) == {"custom_score": 24.0, "custom_score_2": 24.0 * 6 * 3}


def test_a_helper_that_imports_the_submission_gets_the_very_module() -> None:
    submission = loaded("cycle")
    assert scores(submission) == {"custom_score": 3.0}
    with submission.activated():
        assert sys.modules["game_agent"] is submission.module
        assert sys.modules["helpers"].game_agent is submission.module


def test_a_module_finds_itself_in_sys_modules() -> None:
    assert scores(loaded("looks_itself_up")) == {"custom_score": 4.0 * ANNS_MOVES + 3}


def test_what_it_pickles_at_import_and_when_active_comes_back() -> None:
    submission = loaded("pickles")
    board = Board.from_text("7x7 7/7/7/3x3/7/7/x6 3,3 6,0 1", "Ann", "Ben")
    assert submission.heuristics["custom_score"](board, "Ann") == 1.0
    with submission.activated():
        assert submission.heuristics["custom_score_2"](BOARD, "Ann") == 1.0


def test_files_beside_it_are_opened_by_relative_paths() -> None:
    submission = loaded("data")
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1.5 * ANNS_MOVES
    with submission.activated():
        assert submission.heuristics["custom_score_2"](BOARD, "Ann") == 1.5


def test_dynamic_imports_and_reloads_find_its_modules() -> None:
    submission = loaded("dynamic")
    assert list(submission.heuristics) == ["custom_score", "custom_score_2", "custom_score_3", "open_score"]
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1.5
    assert submission.heuristics["open_score"](BOARD, "Ann") == ANNS_MOVES
    before = process()
    with submission.activated():
        assert submission.heuristics["custom_score_2"](BOARD, "Ann") == 1.0
        assert submission.heuristics["custom_score_3"](BOARD, "Ann") == 1.0
    assert process() == before


def test_modules_named_like_pythons_own_are_the_submissions_and_nobody_elses() -> None:
    submission = loaded("like_pythons")
    assert scores(submission) == {"custom_score": 111_111.0}
    assert random.randint(1, 1) == 1
    assert types.SimpleNamespace is not None
    assert submission.module.tempfile._Random is random.Random
    assert submission.module.random is not random
    with submission.activated():
        assert sys.modules["random"] is random


def test_pythons_modules_get_one_another_and_not_the_submissions_files_of_their_names(
    write_submission: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fractions", "numbers"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    source = "import fractions\nimport numbers\ndef custom_score(game, player): return numbers.WEIGHT"
    submission = load(write_submission(source, {"numbers.py": "WEIGHT = 1.0"}))
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1.0
    assert hasattr(submission.module.fractions.numbers, "Rational")
    assert sys.modules["numbers"] is submission.module.fractions.numbers


def test_a_module_that_it_loads_by_its_file_is_its_own() -> None:
    submission = loaded("loads_by_file")
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1.0
    with submission.activated():
        assert submission.heuristics["custom_score_2"](BOARD, "Ann") == 1.0


def test_an_environment_in_its_folder_is_everybodys(
    write_submission: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import everybodys\ndef custom_score(game, player): return 1.0"
    folder = write_submission(source, {"venv/site-packages/everybodys.py": ""})
    monkeypatch.syspath_prepend(folder / "venv" / "site-packages")
    submission = load(folder)
    assert sys.modules.pop("everybodys") is submission.module.everybodys


def test_mere_folders_give_way_to_real_modules_of_their_name() -> None:
    assert scores(loaded("folders_like_pythons")) == {"custom_score": 3.0}


def test_isolation_and_sample_players_are_ours_but_for_names_that_only_the_folder_has() -> None:
    submission = loaded("own_isolation")
    assert {isolation_fast.Board} == submission.module.BOARDS
    assert submission.module.TIME_LIMIT_MILLIS == 150
    assert scores(submission) == {"custom_score": ANNS_MOVES + 0.5, "custom_score_2": 6.0}


def test_with_a_classic_checkout_isolation_and_sample_players_are_the_checkouts(
    write_checkout: Callable[..., Path],
) -> None:
    checkout = write_checkout()
    (checkout / "random.py").write_text("raise RuntimeError('nothing else is taken from there')")
    before = process()
    submission = load(SUBMISSIONS / "own_path", classic=checkout)
    assert process() == before
    submission = load(SUBMISSIONS / "lazy_first", classic=checkout)
    assert scores(submission) == {"custom_score": 11.0, "custom_score_2": 1.0}
    with submission.activated():
        import isolation  # type: ignore[import-not-found]
        import sample_players  # type: ignore[import-not-found]

        assert Path(isolation.__file__) == checkout / "isolation" / "__init__.py"
        assert Path(sys.modules["isolation.isolation"].__file__ or "").parent == checkout / "isolation"
        assert sample_players.RandomPlayer().get_move(isolation.Board("Ann", "Ben"), lambda: 150.0)
    assert process() == before


def test_names_that_only_the_folders_sample_players_has_are_found_with_a_checkout_too(
    write_checkout: Callable[..., Path],
) -> None:
    checkout = write_checkout(added="TIME_LIMIT_MILLIS = 150")
    (checkout / "sample_players.py").write_text(CHECKOUTS_PLAYERS)
    submission = load(SUBMISSIONS / "own_isolation", classic=checkout)
    (classic_board,) = submission.module.BOARDS
    assert classic_board is not isolation_fast.Board
    assert scores(submission) == {"custom_score": ANNS_MOVES + 0.5, "custom_score_2": 17.0}
    with submission.activated():
        assert importlib.import_module("sample_players").OWN_NAME == 0.5
    starred = load(SUBMISSIONS / "star_imports", classic=checkout)
    assert starred.heuristics["custom_score"](BOARD, "Ann") == 1100.0 + ANNS_MOVES


def test_names_imported_by_a_star_are_there() -> None:
    submission = loaded("star_imports")
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1100.0 + ANNS_MOVES


def test_folders_that_it_adds_to_the_path_are_its_own_too() -> None:
    submission = loaded("own_path")
    assert scores(submission) == {"custom_score": 111.0}
    with submission.activated():
        folder = SUBMISSIONS / "own_path"
        assert sys.path[:3] == [str(folder), str(folder / "lib"), str(folder / "more")]
    assert list(folder.rglob("__pycache__")) == []


def test_a_module_that_replaces_itself_is_the_replacement() -> None:
    submission = loaded("replaces_itself")
    assert submission.module.answer == 42
    assert scores(submission) == {"custom_score": 7.0}


def test_what_it_does_to_the_process_is_undone() -> None:
    import fractions

    assert scores(loaded("changes_the_process")) == {"custom_score": 0.0}
    assert sys.modules["fractions"] is fractions


def test_it_is_no_script_and_is_given_no_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tournament", "--depth", "many", "--else"])
    assert scores(loaded("main_block")) == {"custom_score": 3.0}


def test_bytecode_beside_it_is_neither_read_nor_written(write_submission: Callable[..., Path]) -> None:
    source = "from helpers import WEIGHT\ndef custom_score(game, player): return WEIGHT"
    folder = write_submission(source, {"helpers.py": "WEIGHT = 1.0", "lonely.pyc": b"no bytecode"})
    hostile = compile("WEIGHT = 666.0", "helpers.py", "exec")
    # Marked "unchecked": Python's own import would run it whatever the source says.
    cached = Path(importlib.util.cache_from_source(str(folder / "helpers.py")))
    cached.parent.mkdir()
    cached.write_bytes(importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0]) + bytes(8) + marshal.dumps(hostile))
    files = sorted(folder.rglob("*"))
    assert load(folder).heuristics["custom_score"](BOARD, "Ann") == 1.0
    assert sorted(folder.rglob("*")) == files


def test_a_host_that_has_a_module_of_the_same_name_keeps_it(
    write_submission: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = types.ModuleType("helpers")
    monkeypatch.setitem(sys.modules, "helpers", hosts)
    folder = write_submission(
        "import helpers\ndef custom_score(game, player):\n    import helpers\n    return helpers.WEIGHT",
        {"helpers.py": "WEIGHT = 1.0"},
    )
    submission = load(folder)
    assert sys.modules["helpers"] is hosts
    assert submission.heuristics["custom_score"](BOARD, "Ann") == 1.0
    with submission.activated():
        assert sys.modules["helpers"] is submission.module.helpers


def test_a_module_that_it_writes_while_it_is_imported_is_found(write_submission: Callable[..., Path]) -> None:
    source = """
try:
    import table
except ImportError:
    with open("table.py", "w") as file:
        file.write("WEIGHT = 2.0")
    import table

def custom_score(game, player):
    return table.WEIGHT
"""
    folder = write_submission(source)
    assert scores(load(folder)) == {"custom_score": 2.0}
    assert "table" not in sys.modules


@pytest.mark.parametrize("name", ["random.py", "my agent.py", "agent.v2.py", "isolation.py", "sys.py"])
def test_a_submission_may_have_any_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("import random\nfrom isolation import Board\ndef custom_score(game, player): return 1.0")
    before = process()
    assert scores(load(file)) == {"custom_score": 1.0}
    assert process() == before


def test_an_extension_module_beside_it_is_found(tmp_path: Path) -> None:
    # Any one that Python brings as a file will do.
    for spec in map(importlib.util.find_spec, ("_heapq", "_bisect", "_json", "_struct")):
        if spec is not None and spec.has_location and spec.origin is not None:
            (tmp_path / Path(spec.origin).name).symlink_to(spec.origin)
            name = spec.name
            break
    else:
        return
    (tmp_path / "game_agent.py").write_text(f"import {name}\ndef custom_score(game, player): return 1.0")
    assert getattr(load(tmp_path).module, name).__file__.startswith(str(tmp_path) + os.sep)


def test_a_heuristic_runs_in_builtins_that_are_a_plain_dictionary() -> None:
    # CPython keeps the fast way to a global name only for such, and a heuristic is called a million times.
    heuristic: Any = loaded("lazy_first").heuristics["custom_score"]
    assert type(heuristic.__builtins__) is dict
    assert heuristic.__globals__["__builtins__"] is heuristic.__builtins__
