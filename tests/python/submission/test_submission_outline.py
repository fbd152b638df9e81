"""What a submission holds, told from its source alone: the same as once it is loaded."""

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast.submission import load, parse
from isolation_fast.submission.outline import is_heuristic

SUBMISSIONS = Path(__file__).parents[2] / "submissions" / "loading"
CASES = sorted(path.name for path in SUBMISSIONS.iterdir() if path.is_dir())
# Only running them shows all: partial functions, instances, names made by `exec`.
HIDDEN = {"callables", "dynamic"}


@pytest.mark.parametrize("case", [case for case in CASES if case not in HIDDEN])
def test_the_outline_names_what_the_loaded_submission_holds(case: str) -> None:
    submission = load(SUBMISSIONS / case)
    outline = parse(SUBMISSIONS / case)
    assert outline.heuristics == tuple(submission.heuristics)
    assert outline.players == tuple(submission.players)
    assert submission.outline == outline


@pytest.mark.parametrize("case", CASES)
def test_an_outline_runs_nothing(case: str) -> None:
    before = dict(sys.modules)
    assert parse(SUBMISSIONS / case) == parse(SUBMISSIONS / case / "game_agent.py")
    assert sys.modules == before


def test_heuristics_are_told_by_name_parameters_and_answer() -> None:
    submission = load(SUBMISSIONS / "callables")
    assert list(submission.heuristics) == [
        "custom_score",
        "custom_score_2",
        "custom_score_3",
        "custom_score_4",
        "custom_score_5",
        "imported_score",
        "renamed",
        "aggressive",
        "cached",
        "decorated",
        "heavy",
    ]
    outline = parse(SUBMISSIONS / "callables")
    assert set(submission.heuristics) - set(outline.heuristics) == {
        "custom_score_2",
        "custom_score_4",
        "custom_score_5",
        "heavy",
    }
    assert set(outline.heuristics) <= set(submission.heuristics)
    assert outline.templates == submission.templates == ("unwritten",)


def test_the_functions_are_handed_out_as_they_are() -> None:
    submission = load(SUBMISSIONS / "callables")
    assert all(getattr(submission.module, name) is each for name, each in submission.heuristics.items())


def test_players_have_a_written_get_move() -> None:
    submission = load(SUBMISSIONS / "players")
    assert list(submission.players) == ["ImportedPlayer", "Written", "Inheriting", "OfTheCourse"]
    assert submission.templates == ("Template.get_move",)
    assert [each.__name__ for each in submission.timeouts] == ["SearchTimeout"]


def test_imports_are_those_of_the_helpers_too() -> None:
    assert parse(SUBMISSIONS / "lazy_first").imports == ("helpers", "tables", "weights_of_it")
    assert parse(SUBMISSIONS / "cycle").imports == ("game_agent", "helpers")
    assert parse(SUBMISSIONS / "package").imports == ("scores",)
    assert parse(SUBMISSIONS / "own_isolation").imports == ("isolation", "sample_players")


def test_the_layout_and_the_first_boards_private_names_are_told(
    write_submission: Callable[..., Path],
) -> None:
    folder = write_submission(
        "from helpers import rows\n"
        "class CustomPlayer:\n"
        '    """Not __player_2__, which only the text names."""\n'
        "    def get_move(self, game, legal_moves, time_left): return (-1, -1)\n"
        "def custom_score(game, player): return len(rows(game))",
        {"helpers.py": "def rows(game): return game.__board_state__"},
    )
    outline = parse(folder)
    assert (outline.layout, outline.early_names) == ("v1", ("__board_state__",))
    assert load(folder).layout == "v1"
    assert load(folder, layout="v2").layout == "v2"


def test_the_last_definition_of_a_name_counts(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(
        "def custom_score(game, player): raise NotImplementedError\n"
        "def custom_score(game, player): return 1.0\n"
        "def custom_score_2(game, player): return 1.0\n"
        "custom_score_2 = 3\n"
    )
    for holds in (parse(folder), load(folder)):
        assert tuple(holds.heuristics) == ("custom_score",)
        assert holds.templates == ()


def test_a_method_left_to_the_classes_below_is_no_template(write_submission: Callable[..., Path]) -> None:
    folder = write_submission(
        "class Base:\n    def search(self): raise NotImplementedError\n"
        "class Own(Base):\n    def search(self): return 1\n"
        "def custom_score(game, player): return 1.0"
    )
    assert parse(folder).templates == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(game, player): return 1.0", True),
        ("def f(board, p): return 1.0", True),
        ("def f(state, agent, weight=2): return weight", True),
        ("def f(game, player, *, weight=2): return weight", True),
        ("def f(game, player, /): return 1", True),
        ("def f(game, player):\n    x = []\n    x = 1\n    return x", True),
        ("def f(game, player):\n    x = []\n    x += [1]\n    return x", True),
        ("def f(game, player):\n    if game: return None\n    return 1", True),
        ("def f(game, player): return player.score(game)", True),
        ("def f(game, player): raise NotImplementedError", True),
        ("def f(game, player, weight): return weight", False),
        ("def f(game, player, *, weight): return weight", False),
        ("def f(game): return 1.0", False),
        ("def f(self, game, player): return 1.0", False),
        ("def f(player, game): return 1.0", False),
        ("def f(alpha, beta): return 1.0", False),
        ("def f(game, player): print(game)", False),
        ("def f(game, player): return", False),
        ("def f(game, player): return [1]", False),
        ("def f(game, player): return 'text'", False),
        ("def f(game, player): return not game", False),
        ("def f(game, player): return game.is_loser(player)", False),
        ("def f(game, player): return 1 if game is None else 0", True),
        ("def f(game, player): return [] if game is None else ()", False),
        ("def f(game, player):\n    x = y = game.get_legal_moves()\n    return x", False),
        ("def f(game, player):\n    x = []\n    x = sorted(x)\n    return x or None", False),
        ("def f(game, player):\n    def g(): return 1\n    return (g(), 2)", False),
        ("def f(game, player):\n    def g(): yield 1\n    return sum(g())", True),
        ("async def f(game, player): return 1.0", False),
        ("def f(game, player): yield 1.0", False),
    ],
)
def test_a_function_is_a_heuristic_if_it_can_be_asked_for_a_score(source: str, expected: bool) -> None:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    assert is_heuristic(node.name, node) is expected


def test_a_function_named_custom_score_is_a_heuristic_whatever_its_parameters_are_called() -> None:
    node = ast.parse("def custom_score(a, b): return (a, b)").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert is_heuristic("custom_score", node)
