"""Which layout a source was written for: what its players are asked with decides, then the names it uses."""

import sys
from typing import Any

import pytest

from isolation_fast.classic import detect_layout
from isolation_fast.exceptions import InvalidArgumentError

FIRST = "class CustomPlayer:\n    def get_move(self, game, legal_moves, time_left): return (-1, -1)\n"
LATER = "class AlphaBetaPlayer:\n    def get_move(self, game, time_left): return (-1, -1)\n"


def test_a_get_move_that_is_handed_the_moves_means_the_first_layout() -> None:
    assert detect_layout([FIRST]) == "v1"


def test_one_get_move_of_the_later_kind_means_the_later_layout() -> None:
    assert detect_layout([FIRST, LATER]) == "v2"
    assert detect_layout([FIRST + LATER]) == "v2"


@pytest.mark.parametrize(
    ("signature", "layout"),
    [
        ("self, board, moves, clock", "v1"),
        ("self, game, legal_moves, time_left, depth=3", "v1"),
        ("self, game, legal_moves, time_left, *, depth=3", "v1"),
        ("self, game, legal_moves, /, time_left", "v1"),
        ("self, game, legal_moves, time_left=None", "v1"),
        ("self, game, legal_moves=None, time_left=None", "v1"),
        ("self, game, time_left, depth=3", "v2"),
        ("self, game, clock, legal_moves=None", "v2"),
    ],
)
def test_it_goes_by_the_parameters_of_get_move(signature: str, layout: str) -> None:
    # The names would say otherwise: without a look at the signature they mean the other layout.
    hint = "import game_agent\ngame_agent.CustomPlayer\n" if layout == "v2" else ""
    assert detect_layout([f"{hint}class Player:\n    def get_move({signature}): ...\n"]) == layout


def test_a_static_get_move_has_no_self_to_count() -> None:
    source = "class Player:\n    @staticmethod\n    def get_move({}): ...\n"
    assert detect_layout([source.format("game, legal_moves, time_left")]) == "v1"
    assert detect_layout([source.format("game, time_left"), "from game_agent import Timeout"]) == "v2"


def test_a_get_move_outside_a_class_says_nothing() -> None:
    assert detect_layout(["def get_move(self, game, legal_moves, time_left): ...\n"]) == "v2"


@pytest.mark.parametrize(
    "source",
    [
        "from game_agent import CustomPlayer",
        "import game_agent\nplayer = game_agent.CustomPlayer()",
        "from game_agent import *\nplayer = CustomPlayer(3)",
        "class Timeout(Exception): pass",
        "def custom_score(game, player): return len(game.__board_state__)",
        "moves = game.__get_moves__(game.__last_player_move__[player])",
    ],
)
def test_without_a_get_move_the_first_names_mean_the_first_layout(source: str) -> None:
    assert detect_layout([source]) == "v1"
    assert detect_layout([source, LATER]) == "v2"


@pytest.mark.parametrize(
    "source",
    [
        "",
        "from game_agent import AlphaBetaPlayer",
        "from competition_agent import CustomPlayer\nCustomPlayer()",
        "from requests import Timeout\ntry: pass\nexcept Timeout: pass",
        "import requests\nrequests.Timeout",
        "class Counter:\n    def __init__(self): self.__dict__",
        'def f(game, player):\n    "player is game.__player_1__ or game.__player_2__"',
        "# CustomPlayer, Timeout",
    ],
)
def test_what_only_looks_like_the_first_names_means_nothing(source: str) -> None:
    assert detect_layout([source]) == "v2"


@pytest.mark.parametrize("broken", ["print 'Python 2'", "def f(:", "null\0byte", "(" * 5000])
def test_a_source_that_cannot_be_parsed_is_passed_over(broken: str) -> None:
    assert detect_layout([broken]) == "v2"
    assert detect_layout([broken, FIRST]) == "v1"


def test_nothing_is_run_and_nothing_is_imported(capsys: pytest.CaptureFixture[str]) -> None:
    before = set(sys.modules)
    detect_layout(["print('run')\nimport antigravity_of_ours\nraise SystemExit\n" + FIRST])
    assert capsys.readouterr() == ("", "")
    assert set(sys.modules) == before


def test_a_warning_of_the_parser_is_not_passed_on() -> None:
    # All warnings are errors in these tests.
    assert detect_layout(['pattern = "\\d"\n' + FIRST]) == "v1"


def test_a_layout_that_does_not_exist_is_refused_with_those_that_do() -> None:
    from isolation_fast.classic import served_modules

    word: Any = "v3"
    with pytest.raises(InvalidArgumentError, match=r"unknown layout 'v3'.* Allowed: 'v1', 'v2'"):
        served_modules(word)
