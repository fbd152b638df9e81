"""The modules that classic code imports, as we make them: names, contents, life in the import system."""

import importlib
import pickle
import sys
from types import ModuleType
from typing import Any

import pytest

import isolation_fast
from isolation_fast.classic import served_modules
from isolation_fast.classic.serving import SERVED, is_served


def test_serving_puts_nothing_into_sys_modules_or_the_finders() -> None:
    before, finders = dict(sys.modules), list(sys.meta_path)
    modules = served_modules("v2")
    assert list(modules) == list(SERVED)
    assert {name for name in SERVED if name in sys.modules} == {name for name in SERVED if name in before}
    assert sys.meta_path == finders


@pytest.mark.parametrize("layout", ["v1", "v2"])
def test_the_board_is_ours_wherever_it_is_asked_for(layout: Any) -> None:
    modules = served_modules(layout)
    package, module = modules["isolation"], modules["isolation.isolation"]
    assert package.Board is module.Board is package.isolation.Board is isolation_fast.Board
    assert module.TIME_LIMIT_MILLIS == 150


def test_modules_are_fresh_each_time() -> None:
    first, second = served_modules("v2"), served_modules("v2")
    for module in first.values():
        vars(module)["added"] = 1
    for name in SERVED:
        assert first[name] is not second[name]
        assert not hasattr(second[name], "added")
    assert first["sample_players"].RandomPlayer is not second["sample_players"].RandomPlayer


def test_modules_bear_their_classic_names_and_say_which_they_are() -> None:
    for name, module in served_modules("v1").items():
        assert (module.__name__, module.__spec__ and module.__spec__.name) == (name, name)
        assert is_served(module)
    assert not is_served(sys)


def test_a_name_that_ours_lacks_is_taken_from_the_folders_own_copy() -> None:
    copy = ModuleType("sample_players")
    vars(copy).update(my_score=1, improved_score="not this one", _private=2)
    calls: list[int] = []

    def own_copy() -> ModuleType:
        calls.append(1)
        return copy

    module: Any = served_modules("v2", own_copy)["sample_players"]
    assert not calls
    assert callable(module.improved_score)
    assert (module.my_score, module._private) == (1, 2)
    assert "my_score" in module.__all__
    assert "_private" not in module.__all__
    with pytest.raises(AttributeError, match="'sample_players' has no attribute 'center'"):
        module.center  # noqa: B018
    assert calls == [1]


def test_without_such_a_copy_the_name_is_missing() -> None:
    module: Any = served_modules("v2")["sample_players"]
    with pytest.raises(AttributeError, match="'sample_players' has no attribute 'my_score'"):
        module.my_score  # noqa: B018


def test_an_error_of_the_folders_own_copy_comes_out_as_it_is() -> None:
    def own_copy() -> ModuleType:
        raise SyntaxError("theirs")

    module: Any = served_modules("v2", own_copy)["sample_players"]
    with pytest.raises(SyntaxError, match="theirs"):
        module.my_score  # noqa: B018


def test_a_player_can_be_pickled_while_its_modules_are_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = served_modules("v2")
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    player = importlib.import_module("sample_players").RandomPlayer()
    again = pickle.loads(pickle.dumps(player))
    assert type(again) is type(player)
