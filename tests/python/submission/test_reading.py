"""Heuristics that are read from the text of a file: as those that are run, and nothing is run for it."""

from __future__ import annotations

import builtins
import linecache
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from isolation_fast.compiled import Refusal, random_positions
from isolation_fast.programs import Program
from isolation_fast.submission import load
from isolation_fast.submission.reading import read


def written(folder: Path, text: str, **others: str) -> Path:
    """A submission of that text, with modules beside it."""
    for name, each in {"game_agent": text, **others}.items():
        (folder / f"{name}.py").write_text(dedent(each))
    return folder


def the_read(folder: Path) -> Program | Refusal:
    return read(folder, ["custom_score"])["custom_score"]


AS_RUN = {
    "tables that loops fill": """
        TABLE = {}
        for row in range(7):
            for col in range(7):
                TABLE[row, col] = (row - 3) ** 2 + (col - 3) ** 2
        BEST = max(TABLE.values())
        def custom_score(game, player):
            cell = game.get_player_location(player)
            return float(TABLE[cell] + BEST) if cell else 0.5
        """,
    "comprehensions": """
        CORNERS = [(row, col) for row in (0, 6) for col in (0, 6) if True]
        WEIGHTS = {cell: sum(cell) + 1 for cell in CORNERS}
        def custom_score(game, player):
            return float(sum(WEIGHTS[each] for each in CORNERS if each in game.get_blank_spaces()))
        """,
    "a factory": """
        def weighted(own, other=1, *, shift=0):
            total = own + other
            def score(game, player):
                both = player, game.get_opponent(player)
                mine, theirs = [len(game.get_legal_moves(each)) for each in both]
                return float(own * mine - other * theirs + total + shift)
            return score
        custom_score = weighted(3, 2, shift=1)
        """,
    "factories told apart": """
        def times(number):
            return lambda game, player: float(number * len(game.get_legal_moves(player)))
        one, two = [times(each) for each in (1, 2)]
        def custom_score(game, player):
            return one(game, player) + 100 * two(game, player)
        """,
    "a decorator": """
        from functools import wraps
        def doubled(function):
            @wraps(function)
            def score(game, player):
                return 2.0 * function(game, player)
            return score
        @doubled
        def custom_score(game, player):
            return float(len(game.get_legal_moves(player)))
        """,
    "another name": """
        import math as m
        def own(game, player):
            return m.sqrt(len(game.get_legal_moves(player)))
        custom_score = custom_score_2 = own
        """,
    "the course's modules": """
        from isolation import Board
        from sample_players import improved_score, center_score
        class SearchTimeout(Exception):
            pass
        def custom_score(game, player):
            return improved_score(game, player) + 0.1 * center_score(game, player)
        """,
    "a module beside it": """
        from helpers import *
        import helpers
        from helpers import SCALE as factor
        def custom_score(game, player):
            return count(game, player) * factor + helpers.SCALE
        """,
    "what is changed before it is read": """
        WEIGHTS = [1, 2]
        WEIGHTS.append(3)
        WEIGHTS[0] += 10
        def change():
            global FACTOR
            FACTOR = len(WEIGHTS)
        change()
        assert FACTOR == 3
        try:
            import numpy as np
        except ImportError:
            np = None
        if __name__ == "__main__":
            FACTOR = 1000
        def custom_score(game, player, weights=WEIGHTS):
            return float(sum(weights) * FACTOR + len(game.get_blank_spaces()))
        """,
    "what does not concern it": """
        import random, logging
        random.seed(3)
        logging.basicConfig(level=logging.INFO)
        CHANCE = random.random()
        print("loaded")
        class CustomPlayer:
            def __init__(self):
                self.depth = CHANCE
        def custom_score(game, player):
            return float(len(game.get_legal_moves(player)))
        """,
    "what is changed in place, at once and once": """
        A = B = [1]
        A *= 2
        CALLS = []
        def at():
            global LEFT
            CALLS.append(1)
            try:
                return 0
            finally:
                LEFT = len(CALLS)
        A[at()] += 10
        any(CALLS.append(each) or each > 1 for each in [1, 2, 3])
        def first(a, /, **others):
            return a + len(others)
        SUM = first(3, a=4)
        def custom_score(game, player):
            return float(100 * B[0] + 10 * len(CALLS) + LEFT + SUM)
        """,
    "what is gone through later, or twice": """
        FACTOR = 1
        PAIRS, LATER = zip([1, 2], [3, 4]), map(lambda each: each * FACTOR, [1, 2])
        FACTOR = 5
        TABLE = {1: 2}
        KEYS = TABLE.keys()
        TABLE[3] = 4
        NUMBERS = [1]
        EACH = (each for each in NUMBERS)
        NUMBERS = [1, 2]
        ONCE, TWICE, SUM, COUNT, FEW = list(PAIRS), list(PAIRS), sum(LATER), len(list(KEYS)), len(list(EACH))
        def custom_score(game, player):
            return float(len(ONCE) + 10 * len(TWICE) + 100 * SUM + 1000 * COUNT + 10000 * FEW)
        """,
    "the order in which a definition is made": """
        ORDER = []
        def noted(number):
            ORDER.append(number)
            return lambda function: function
        @noted(1)
        @noted(2)
        def custom_score(game, player, default=ORDER.append(3)):
            return float(sum(10 ** at * ORDER[at] for at in range(5)))
        KEPT = {ORDER.append(4): ORDER.append(5), noted: 6}
        """,
    "a package that changes its part": """
        from package.part import COUNTS
        def custom_score(game, player):
            return float(len(COUNTS))
        """,
}
HELPERS = """
    __all__ = ["count"]
    SCALE = 2.5
    def count(game, player):
        return len(game.get_legal_moves(player))
    """


@pytest.mark.parametrize("what", AS_RUN)
def test_what_is_read_gives_the_values_of_what_is_run(what: str, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from . import part\npart.COUNTS.append(3)\n")
    (tmp_path / "package" / "part.py").write_text("COUNTS = [1]\n")
    folder = written(tmp_path, AS_RUN[what], helpers=HELPERS)
    found = the_read(folder)
    assert isinstance(found, Program), found
    run = load(folder).heuristics["custom_score"]
    for board in random_positions():
        player = board.active_player
        assert found.run(board, player) == run(board, player)


NOT_KNOWN = {
    "globals().update(custom_score=print)": "line 4: globals may change what any name means",
    "exec('custom_score = None')": "line 4: exec may change what any name means",
    "import builtins; builtins.len = None": "line 4: something else than a name is assigned",
    "import math; math.sqrt = None": "line 4: something else than a name is assigned",
    "TABLE.update(open('x'))": "what this statement does is not known: a call of open is not worked out",
    "W = 1\nmatch (2, 3):\n    case (custom_score, _): pass": "a statement `match` is not worked out",
    "from cmath import *": "it may bind any name",
    "ALIAS = TABLE\nALIAS |= unknown": "what this statement does is not known",
    "PAIR = ([1],)\nPAIR[0].append(unknown)": "what this statement does is not known",
    "def change(of=unknown):\n    global TABLE\nchange()": "what this statement does is not known",
    "class Change:\n    def __init__(self): TABLE.clear()\nChange()": "what this statement does is not known",
    "class Change:\n    TABLE.update({1: 2})": "what this statement does is not known",
    "class Change:\n    TABLE |= {1: 2}": "what this statement does is not known",
    "def made(of=(custom_score := 3), *others: unknown()): pass": "custom_score is not known from the text",
    "def custom_score(game, player) -> unknown(): return 1.0": "an annotation is computed",
    "A = B = 1000\ncustom_score = A is B": "whether two values are one object is not worked out",
    "custom_score = __file__": "__file__ is not told by the text",
    "def custom_score(game, player): return float(__doc__ is None)": "__doc__ is not told by the text",
    "custom_score = []\ncustom_score += {'a', 'b'}": "the order of a set differs from process to process",
    "import numpy.f2py.__main__ as custom_score": "the module numpy.f2py.__main__ cannot be imported",
    "custom_score = round(5, -10 ** 9)": "a value that is too large",
    "custom_score = 0.5 in range(10 ** 12)": "what is looked for in a range is not worked out",
    "import itertools; list(itertools.permutations(range(9000)))": "takes too many steps",
    "custom_score = [(0,) * 100_000 for each in range(9000)]": "takes too many steps",
    "LONG = [0] * 90_000\nwhile True: LONG.sort()": "takes too many steps",
    "LONG = [0] * 90_000\ncustom_score = sum([LONG] * 90_000, [])": "a value that is too large",
    "D = ()\nfor _ in range(60): D = D, D\ncustom_score = {D: 1}": "takes too many steps",
    "D = ()\nfor _ in range(60): D = D, D\ncustom_score = {D for _ in D}": "takes too many steps",
    "D = []\nfor _ in range(60): D = [D, D]\ncustom_score = D == [[], D]": "takes too many steps",
    "from functools import partial as p\nfor _ in range(9): custom_score = p(custom_score, p)": "a decor",
    "import sys; sys.modules[__name__] = None": "line 4: something else than a name is assigned",
    "@undefined\ndef custom_score(game, player): return 1.0": "custom_score is not known from the text",
    "custom_score = 10 ** 10 ** 10": "custom_score is not known from the text: a value that is too large",
    "custom_score = [0] * 10 ** 9": "custom_score is not known from the text: a value that is too large",
    "import nested; custom_score = nested.missing": "the module has no missing",
    "assert TABLE": "it raises AssertionError",
    "while True: pass": "takes too many steps",
    "custom_score = sum(range(10 ** 8))": "takes too many steps",
    "def deeper(): return deeper()\ncustom_score = deeper()": "what this statement does is not known",
    "custom_score = {text: 1 for text in {'a', 'b'}}": "the order of a set differs from process to process",
    "class custom_score: pass": "custom_score is a class: write functions instead",
    "async def custom_score(game, player): return 1.0": "a generator or async function gives no value",
}


@pytest.mark.parametrize("statement", NOT_KNOWN)
def test_what_the_text_does_not_tell_is_said_with_its_reason(statement: str, tmp_path: Path) -> None:
    text = f"TABLE = {{}}\ndef custom_score(game, player):\n    return 1.0\n{statement}\n"
    nested = "__name__ = []\nfor _ in range(40): __name__ = [__name__, __name__]\n"
    found = the_read(written(tmp_path, text, nested=nested))
    assert isinstance(found, Refusal)
    assert NOT_KNOWN[statement] in str(found)


def test_nothing_of_it_is_run(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    mark = f"__import__('pathlib').Path({str(marks)!r}, '%s').touch()"
    text = f"""
        import functools
        {mark % "top"}
        class Base(type(print(1)), metaclass=lambda *a: {mark % "metaclass"}):
            {mark % "class"}
        def keyed(item):
            {mark % "key"}
            return item
        ORDERED = sorted([3, 1], key=keyed)
        CACHED = functools.lru_cache(maxsize=None)(lambda: {mark % "cache"})()
        def custom_score(game, player, default={mark % "default"}):
            return 1.0
        """
    the_read(written(tmp_path, text, pathlib=mark % "beside"))
    assert not list(marks.iterdir())


CHANGING = {
    "a function of Python's as a decorated one": "functools.wraps(f)(os.popen)('touch {mark}')",
    "functions of theirs in a module of Python's": "functools.wraps(helpers, assigned=())(linecache)",
    "what updates a wrapper": "functools.partial(functools.update_wrapper, linecache)(f)",
    "one of the builtins": "__builtins__['divmod'] = f",
    "the builtins of another module": "helpers.__builtins__['divmod'] = f",
    "a list of Python's": "path.append('{mark}')",
    "the modules of Python": "modules['helpers'] = f",
    "a module that is a program": "import numpy.f2py.__main__",
}


@pytest.mark.parametrize("what", CHANGING)
def test_nothing_of_python_is_changed(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    text = f"""
        import functools, os, helpers
        from dataclasses import inspect
        from sys import modules, path
        linecache = inspect.linecache
        def f(*given):
            return 77
        {CHANGING[what].format(mark=mark)}
        def custom_score(game, player):
            return 1.0
        """
    helpers = f"def checkcache(*given):\n    open({str(mark)!r}, 'w')\n"
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(vars(builtins), "divmod", divmod)
    before = divmod, list(sys.path), linecache.checkcache, linecache.__name__
    try:
        the_read(written(tmp_path, text, helpers=helpers))
        assert (builtins.divmod, sys.path, linecache.checkcache, linecache.__name__) == before
    finally:
        linecache.checkcache = before[2]
        is_there = sys.modules.pop("helpers", None)
    assert is_there is None
    assert not mark.exists()
    assert not capsys.readouterr().out
