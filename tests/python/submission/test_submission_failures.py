"""Each way in which a submission cannot be loaded has its reason and line, and says what can be done."""

import os
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from isolation_fast import Board
from isolation_fast.exceptions import IsolationError
from isolation_fast.submission import Reason, SubmissionError, load, parse

Write = Callable[..., Path]

SCORE = "\ndef custom_score(game, player):\n    return 1.0\n"


def failure(folder: Path) -> SubmissionError:
    """What `load` has to say, with paths as they are named from within the folder above."""
    before = dict(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder.parent)
        with pytest.raises(SubmissionError) as caught:
            load(folder.name)
    assert {name: module for name, module in sys.modules.items() if name in before} == before
    assert not {"game_agent", "helpers"} & set(sys.modules)
    return caught.value


SYNTAX = [
    pytest.param(
        "x = 1\ndef custom_score(game, player) return 1",
        (2, "Python cannot parse it: expected ':'"),
        id="no colon",
    ),
    pytest.param(
        "import os\nprint 'hello'",
        (
            2,
            "Python cannot parse it: Missing parentheses in call to 'print'. Did you mean print(...)?; "
            "it is written for Python 2: translate it to Python 3",
        ),
        id="print of Python 2",
    ),
    pytest.param(
        "if True:\n\tx = 1\n        y = 2",
        (3, "Python cannot parse it: inconsistent use of tabs and spaces in indentation"),
        id="tabs and spaces",
    ),
    pytest.param(
        b"x = 1\n\0y = 2", (2, "it contains null bytes, so it is not Python source"), id="null bytes"
    ),
    pytest.param(
        "x = 1".encode("utf-16"),
        (1, "it is UTF-16 text, which Python does not read; save it as UTF-8"),
        id="UTF-16",
    ),
    pytest.param(
        b"x = 1\ny = 'caf\xe9'",
        (
            2,
            "it is not UTF-8 text, which Python expects; save it as UTF-8, or name its encoding in the "
            "first line: # -*- coding: latin-1 -*-",
        ),
        id="latin-1",
    ),
    pytest.param(b"# -*- coding: klingon -*-", (1, "unknown encoding: klingon"), id="unknown encoding"),
    pytest.param(
        "x = 1\nreturn x", (2, "Python cannot parse it: 'return' outside function"), id="stray return"
    ),
]


@pytest.mark.parametrize(("source", "told"), SYNTAX)
def test_what_python_cannot_read_is_told_with_its_line(
    write_submission: Write, source: str | bytes, told: tuple[int, str]
) -> None:
    folder = write_submission(source)
    line, text = told
    error = failure(folder)
    assert (error.reason, error.line) == ("syntax", line)
    assert str(error) == f"submission/game_agent.py:{line}: {text}"
    with pytest.raises(SubmissionError) as caught:
        parse(folder)
    assert caught.value.reason == "syntax"


@pytest.mark.parametrize(("source", "told"), SYNTAX)
def test_a_helper_that_python_cannot_read_is_named(
    write_submission: Write, source: str | bytes, told: tuple[int, str]
) -> None:
    folder = write_submission("import helpers" + SCORE, {"helpers.py": source})
    error = failure(folder)
    assert (error.reason, error.line) == ("syntax", told[0])
    assert str(error) == f"submission/helpers.py:{told[0]}: {told[1]}"
    assert parse(folder).heuristics == ("custom_score",)


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf# saved by Notepad" + SCORE.encode(),
        b"# -*- coding: latin-1 -*-\nNAME = 'caf\xe9'" + SCORE.encode(),
        SCORE.replace("\n", "\r\n").encode(),
        b"PATTERN = '\\d'\nSAME = 1 is 1" + SCORE.encode(),
    ],
    ids=["BOM", "named encoding", "CRLF", "what Python warns of"],
)
def test_what_python_can_read_is_loaded(write_submission: Write, source: bytes) -> None:
    folder = write_submission(source)
    assert list(load(folder).heuristics) == list(parse(folder).heuristics) == ["custom_score"]


def test_code_nested_too_deeply_is_a_matter_of_syntax(write_submission: Write) -> None:
    error = failure(write_submission("x = " + "-" * 100_000 + "1"))
    assert (error.reason, error.problem) == ("syntax", "it is nested too deeply for Python to parse")


def test_a_file_so_long_that_it_could_bring_down_the_parser_is_not_parsed(write_submission: Write) -> None:
    error = failure(write_submission("x = 1" + "+1" * 600_000))
    assert error.reason == "syntax"
    assert "the most that is parsed" in error.problem


MISSING = {
    "known package": (
        "import torch.nn",
        "torch",
        "it imports torch, which is not installed; pip install torch",
    ),
    "package of another name": (
        "from sklearn.svm import SVC",
        "sklearn",
        "it imports sklearn, which is not installed; pip install scikit-learn",
    ),
    "unknown module": (
        "import my_tables",
        "my_tables",
        "it imports my_tables, which is neither in the same folder nor installed; "
        "put my_tables.py into the folder, or install the package that provides it",
    ),
    "capital letter": (
        "import Helpers",
        "Helpers",
        "it imports Helpers, which is neither in the same folder nor installed; "
        "the folder has helpers.py: upper and lower case differ",
    ),
    "slip of the pen": (
        "import helper",
        "helper",
        "it imports helper, which is neither in the same folder nor installed; did you mean helpers?",
    ),
    "name that a helper lacks": (
        "from helpers import weight",
        "helpers.weight",
        "it imports weight from helpers, which has no such name; define it in submission/helpers.py",
    ),
    "module that a helper lacks": (
        "import helpers.tables",
        "helpers.tables",
        "it imports helpers.tables, but helpers has no such module; check what helpers contains",
    ),
    "name that isolation lacks": (
        "from isolation import Knight",
        "isolation.Knight",
        "it imports Knight from isolation, which has no such name; the folder's own isolation is not used",
    ),
    "module that isolation lacks": (
        "import isolation.knights",
        "isolation.knights",
        "it imports isolation.knights, which the course's isolation does not have; "
        "the folder's own isolation is not used",
    ),
    "name that sample_players lacks": (
        "from sample_players import best_score",
        "sample_players.best_score",
        "it imports best_score from sample_players, which has no such name; "
        "the folder's own sample_players is not used",
    ),
    "name that a module of Python lacks": (
        "from math import tau2",
        "math.tau2",
        "it imports tau2 from math, which has no such name; check what math contains",
    ),
    "relative": (
        "from . import helpers",
        None,
        "it uses a relative import, which works only inside a package; "
        "write `import helpers` instead of `from . import helpers`",
    ),
}


@pytest.mark.parametrize(("source", "name", "told"), MISSING.values(), ids=MISSING)
def test_an_import_in_vain_is_told_with_its_line_and_name(
    write_submission: Write, source: str, name: str | None, told: str
) -> None:
    error = failure(write_submission(f"import os\n{source}{SCORE}", {"helpers.py": "WEIGHT = 1.0"}))
    assert (error.reason, error.line, error.name) == ("missing import", 2, name)
    assert str(error) == f"submission/game_agent.py:2: {told}"
    assert isinstance(error.__cause__, ImportError)


def test_a_helpers_import_in_vain_is_told_with_the_helpers_line(write_submission: Write) -> None:
    error = failure(write_submission("import helpers" + SCORE, {"helpers.py": "\n\nimport torch"}))
    assert (error.reason, error.path, error.line) == ("missing import", "submission/helpers.py", 3)


def test_modules_that_import_each_other_too_early_are_told(write_submission: Write) -> None:
    helpers = {"helpers.py": "from game_agent import WEIGHT"}
    error = failure(write_submission(f"from helpers import score\nWEIGHT = 1{SCORE}", helpers))
    assert (error.reason, error.path, error.line) == ("missing import", "submission/helpers.py", 1)
    assert error.problem.endswith("which has no such name yet: the two modules import each other")


def test_numpy_may_be_missing(write_submission: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    error = failure(write_submission("import numpy as np" + SCORE))
    assert (error.reason, error.name, error.remedy) == ("missing import", "numpy", "pip install numpy")


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
        "try:\n    from fractions import gcd\nexcept ImportError:\n    from math import gcd",
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle",
        "import numpy as np\nfloat_type = getattr(np, 'float', float)",
        "try:\n    from helpers import fast\nexcept ImportError:\n    fast = None",
    ],
)
def test_a_guarded_import_is_no_failure(write_submission: Write, source: str) -> None:
    assert list(load(write_submission(source + SCORE, {"helpers.py": ""})).heuristics) == ["custom_score"]


OUTDATED = [
    ("from fractions import gcd", "fractions.gcd", "math.gcd"),
    ("import fractions as f\ngcd = f.gcd", "fractions.gcd", "math.gcd"),
    ("from collections import Mapping", "collections.Mapping", "collections.abc.Mapping"),
    (
        "import collections as c\nclass Book(c.Mapping): pass",
        "collections.Mapping",
        "collections.abc.Mapping",
    ),
    ("import numpy as np\ntype = np.float", "numpy.float", "float"),
    ("import numpy\ntype = numpy.int", "numpy.int", "int"),
    ("from numpy import bool8", "numpy.bool8", "numpy.bool"),
    ("import numpy as n\nworst = -n.Inf", "numpy.Inf", "numpy.inf"),
    ("from time import clock", "time.clock", "time.perf_counter"),
    ("import time\nstarted = time.clock()", "time.clock", "time.perf_counter"),
    ("import sys\nworst = -sys.maxint", "sys.maxint", "sys.maxsize"),
    ("from itertools import izip", "itertools.izip", "zip"),
    ("import cPickle", "cPickle", "pickle"),
    ("cells = [i for i in xrange(49)]", "xrange", "range"),
    ("for item in {}.iteritems(): pass", "dict.iteritems", "dict.items"),
]


@pytest.mark.parametrize(("source", "name", "replacement"), OUTDATED)
def test_what_newer_pythons_and_numpys_dropped_is_told_with_its_replacement(
    write_submission: Write, source: str, name: str, replacement: str
) -> None:
    error = failure(write_submission(source + SCORE))
    assert (error.reason, error.name, error.replacement) == ("outdated import", name, replacement)
    assert error.line == len(source.splitlines())
    assert error.problem.startswith(f"it uses {name}, which ")
    assert str(error).endswith(f"; use {replacement}")


def test_a_module_that_newer_pythons_dropped_is_told_where_it_is_gone(write_submission: Write) -> None:
    folder = write_submission("import imp" + SCORE)
    if sys.version_info >= (3, 12):
        error = failure(folder)
        assert (error.reason, error.name, error.replacement) == ("outdated import", "imp", "importlib")
    else:
        with pytest.warns(DeprecationWarning, match="imp"):
            load(folder)


RAISED = [
    pytest.param("x = 1 / 0", "importing it raises ZeroDivisionError: division by zero", id="an error"),
    pytest.param(
        "open('no.json')", "importing it raises FileNotFoundError: [Errno 2] No such", id="no data file"
    ),
    pytest.param("import sys; sys.exit(3)", "importing it ends the program with 3\n", id="exit"),
    pytest.param("raise SystemExit", "importing it ends the program\n", id="bare exit"),
    pytest.param(
        "raise KeyboardInterrupt", "importing it raises KeyboardInterrupt\n", id="KeyboardInterrupt"
    ),
    pytest.param("raise GeneratorExit('x')", "importing it raises GeneratorExit: x", id="GeneratorExit"),
    pytest.param(
        "f = lambda: f(); f()", "importing it raises RecursionError: maximum", id="endless recursion"
    ),
    pytest.param("assert False", "importing it raises AssertionError\n", id="assertion without a text"),
    pytest.param(
        "raise ImportError('no luck')", "importing it raises ImportError: no luck", id="ImportError by hand"
    ),
    pytest.param(
        "exec('x =')", "importing it raises SyntaxError: invalid syntax", id="SyntaxError of other text"
    ),
    pytest.param("raise ValueError('a\\nb')", "importing it raises ValueError: a\n", id="text of two lines"),
    pytest.param(
        "raise type('Mute', (Exception,), {'__str__': lambda self: 3})()",
        "importing it raises Mute\n",
        id="no text",
    ),
    pytest.param("undefined", "importing it raises NameError: name 'undefined'", id="undefined name"),
]


@pytest.mark.parametrize(("source", "told"), RAISED)
def test_what_it_raises_at_import_is_told_with_its_line(
    write_submission: Write, source: str, told: str
) -> None:
    error = failure(write_submission(f"import os\n{source}{SCORE}"))
    assert (error.reason, error.path, error.line) == ("exception at import", "submission/game_agent.py", 2)
    assert f"{error.problem}\n".startswith(told)
    assert error.remedy
    assert error.__cause__ is not None


def test_somebody_who_presses_ctrl_c_stops_the_import(write_submission: Write) -> None:
    source = "import signal\nsignal.raise_signal(signal.SIGINT)\nfor each in range(1000): pass"
    folder = write_submission(source + SCORE)
    with pytest.raises(KeyboardInterrupt):
        load(folder)
    assert "game_agent" not in sys.modules


def test_no_file_is_told_with_what_is_there_instead(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert failure(folder).problem == "there is no such file"
    (folder / "agent.py").write_text(SCORE)
    error = failure(folder)
    assert (error.reason, error.path, error.line) == ("no such file", "empty/game_agent.py", None)
    assert error.problem == "there is no such file; the folder has agent.py: name one of them"
    (folder / "game_agent.py").symlink_to("gone.py")
    assert failure(folder).problem == "it is a link to gone.py, which does not exist"
    (folder / "game_agent.py").unlink()
    (folder / "game_agent.py").mkdir()
    assert failure(folder).problem == "it is a folder, not a file"
    (folder / "game_agent.py").rmdir()
    os.mkfifo(folder / "game_agent.py")
    assert failure(folder).problem == "it is not a regular file"
    assert failure(tmp_path).problem == (
        "there is no such file; 1 of its subfolders have one: name one of them, such as empty"
    )


def test_only_python_files_are_loaded(tmp_path: Path) -> None:
    for name in ("game_agent.ipynb", "game_agent"):
        (tmp_path / name).write_text(SCORE)
        with pytest.raises(
            SubmissionError, match=r"it is not a Python file: its name does not end in \.py"
        ) as caught:
            load(tmp_path / name)
        assert caught.value.reason == "no such file"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    # Its bits do not stop the superuser, so a name that no file can have stands in there.
    file = tmp_path / "game_agent.py"
    file.write_text(SCORE)
    file.chmod(0)
    too_long = tmp_path / ("a" * 300 + ".py")
    for wanted in (too_long, *([file] if os.geteuid() else [])):
        with pytest.raises(SubmissionError, match="it cannot be read: ") as caught:
            load(wanted)
        assert caught.value.reason == "no such file"


@pytest.mark.parametrize("source", ["", "x = 1", "def score(a, b): return 1"])
def test_a_submission_without_heuristics_is_told(write_submission: Write, source: str) -> None:
    error = failure(write_submission(source))
    assert (error.reason, error.line) == ("no heuristics", None)
    assert str(error) == "submission/game_agent.py: it has no heuristic; define custom_score(game, player)"


ODD = "class Odd:\n    def __call__(self): pass\n    def __getattr__(self, name): return 1 / 0\n"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("class custom_score: pass", "a class"),
        ("async def custom_score(a, b): pass", "an async function"),
        ("async def custom_score(a, b): yield 1", "an async function"),
        ("def custom_score(a, b): yield 1", "a generator function"),
        ("def custom_score(a): pass", "a function of other parameters"),
        ("custom_score = 3", "a value of type int"),
        (f"{ODD}custom_score = Odd()", "a value that cannot be examined"),
    ],
)
def test_a_custom_score_that_cannot_be_asked_is_told(write_submission: Write, source: str, what: str) -> None:
    problem = failure(write_submission(f"{source}\n")).problem
    assert f"custom_score is {what}, and not a function of a board and a player" in problem


def test_players_alone_will_do_where_that_is_said(write_submission: Write) -> None:
    folder = write_submission(
        "class Player:\n    def get_move(self, game, time_left):\n        return (0, 0)\n"
    )
    assert failure(folder).reason == "no heuristics"
    submission = load(folder, players_alone=True)
    assert (dict(submission.heuristics), list(submission.players)) == ({}, ["Player"])
    with pytest.raises(SubmissionError, match="it has no heuristic"):
        load(write_submission("x = 1", folder="neither"), players_alone=True)


TEMPLATES = '''
class SearchTimeout(Exception):
    pass


def custom_score(game, player):
    """To do."""
    # TODO
    raise NotImplementedError


@staticmethod
def custom_score_2(game, player):
    if game is None:
        raise ValueError("no game")
    raise NotImplementedError("to do")


class MinimaxPlayer:
    def get_move(self, game, time_left):
        return self.minimax(game, 3)

    def minimax(self, game, depth):
        if self.time_left() < 10:
            raise SearchTimeout()
        raise NotImplementedError
'''


def test_a_submission_of_templates_is_told(write_submission: Write) -> None:
    folder = write_submission(TEMPLATES)
    error = failure(folder)
    assert (error.reason, error.line) == ("only templates", 6)
    assert error.problem == (
        "its heuristics are still templates that only raise NotImplementedError: custom_score, custom_score_2"
    )
    assert error.remedy == "implement custom_score"
    outline = parse(folder)
    assert outline.templates == ("custom_score", "custom_score_2", "MinimaxPlayer.minimax")
    assert (outline.heuristics, outline.players) == ((), ())


def test_the_error_is_an_import_error_and_can_be_pickled(write_submission: Write) -> None:
    error = failure(write_submission("from fractions import gcd"))
    assert isinstance(error, ImportError)
    assert isinstance(error, IsolationError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
    assert (again.name, again.path) == (error.name, error.path)


def test_a_failure_leaves_nothing_to_the_next_submission(write_submission: Write) -> None:
    broken = write_submission("import helpers\n1 / 0", {"helpers.py": "WEIGHT = 1"}, folder="broken")
    whole = write_submission(
        "import helpers\ndef custom_score(game, player): return helpers.WEIGHT",
        {"helpers.py": "WEIGHT = 2"},
        folder="whole",
    )
    failure(broken)
    assert load(whole).heuristics["custom_score"](Board(), None) == 2


EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = Path(__file__).parents[3] / "docs" / "submissions.md"


@pytest.mark.parametrize(("source", "message"), EXAMPLE.findall(PAGE.read_text(encoding="utf-8")))
def test_the_messages_in_the_documents_are_those_that_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game_agent.py").write_text(source)
    with pytest.raises(SubmissionError) as caught:
        load("." if "no such file" not in source else "elsewhere")
    assert f"{caught.value}\n" == message


def test_the_documents_name_every_reason() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [reason for reason in get_args(Reason) if f"### {reason}\n" not in page] == []
