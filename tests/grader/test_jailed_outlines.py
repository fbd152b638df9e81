"""What a stranger's source holds is told by a jailed process: a parser that falls there falls alone."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest

from isolation_fast import InvalidArgumentError
from isolation_fast.jail import Fault, Limits, outline
from isolation_fast.process import MOST_BYTES, FrameError
from isolation_fast.submission import SubmissionError, parse
from isolation_fast.tournament import Match, entrant
from isolation_fast.worker.messages import LISTS, MOST_BOUND, MOST_NAMES, Outlined
from isolation_grader.exceptions import ExitStatus
from isolation_grader.probing import probe

ROOT: Final = Path(__file__).resolve().parents[2]
SUBMISSIONS: Final = ROOT / "tests" / "submissions"
QUICK: Final = Limits(load_cpu=2.0, wall_factor=10.0)
LONGEST: Final = 300
HONEST: Final = "def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n"

Files = dict[str, str]


def nested_finally() -> str:
    lines = ["def f():"]
    for depth in range(1, 19):
        lines += [" " * depth + "try: pass", " " * depth + "finally:"]
    return "\n".join([*lines, " " * 19 + "x = 1;" * 300])


def doubled_values() -> str:
    steps = [f"    a{each} = a{each + 1}\n" * 2 for each in range(30)]
    return "".join(["def g(game, player):\n", *steps, "    a30 = None\n    return a0\n"])


def doubled_bases() -> str:
    return "class C0: pass\n" + "".join(f"class C{n}(C{n - 1}, C{n - 1}): pass\n" for n in range(1, 30))


def starred(count: int, times: int) -> Files:
    chain = {f"h{n}.py": f"from h{n + 1} import *\n" * times for n in range(count)}
    return {"game_agent.py": HONEST + "from h0 import *\n", **chain, f"h{count}.py": "a = 1\n"}


DEEP: Final = "a" + ".b" * 700
ATTACKS: Final[dict[str, str | Files]] = {
    "exp_definitions": starred(26, 2),
    "exp_values": doubled_values(),
    "exp_bases": doubled_bases(),
    "finally_bomb": nested_finally(),
    "unparse_slow": "def f():\n    (lambda: [" + "0," * 100_000 + "])" + "()" * 80 + "\n",
    "fat_helpers": {
        "game_agent.py": HONEST + "import " + ",".join(f"b{n}" for n in range(12)) + "\n",
        **{f"b{n}.py": "a\n" * 250_000 for n in range(12)},
    },
    "slash_import": "def f():\n    __import__('/')\n",
    "long_import": f"def f():\n    import {'a' * 300}\n",
    "unparse_deep": f"def f():\n    {DEEP}()\n",
    "unparse_deep_base": f"if 0:\n  class A({DEEP}): pass\n",
    "deep_template": f"def g(game, player):\n    return {DEEP}(1)\n",
    "unparse_int": f"def f():\n    (0x{'f' * 5000}).foo()\n",
    "helper_chain": starred(1200, 1),
    "nested_brackets": "a = " + "(" * 5000 + ")" * 5000 + "\n",
    "many_names": "".join(f"name_{n} = lambda game, player: 1.0\n" for n in range(3000)),
}

# The others take a good part of their limit of processor time, or all of it.
QUICKLY_TOLD: Final = ("slash_import", "long_import", "unparse_deep")


def written(folder: Path, content: str | Files) -> Path:
    files = {"game_agent.py": HONEST + content} if isinstance(content, str) else content
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "game_agent.py"


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was parsed here of a submission: nothing may be."""
    parsed: list[str] = []

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def asked(source: object, filename: object = "", *rest: Any, **options: Any) -> Any:
            if str(filename).endswith("game_agent.py"):
                parsed.append(str(filename))
            return function(source, filename, *rest, **options)

        return asked

    monkeypatch.setattr(ast, "parse", watched(ast.parse))
    monkeypatch.setattr(builtins, "compile", watched(compile))
    return parsed


@pytest.mark.parametrize("case", ["sound", "player_alone", "first_layout", "keeping_state"])
def test_the_outline_is_that_of_a_parser_without_a_jail(case: str) -> None:
    file = SUBMISSIONS / "tournament" / case / "game_agent.py"
    assert outline(file) == parse(file)
    assert outline(file.parent) == parse(file.parent)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICKLY_TOLD else [pytest.mark.slow]) for name in ATTACKS],
)
def test_no_source_hangs_or_ends_who_asks_for_its_outline(
    name: str, tmp_path: Path, no_parser: list[str]
) -> None:
    file = written(tmp_path, ATTACKS[name])
    started = monotonic()
    found = None
    with suppress(Fault, SubmissionError):
        found = outline(file, QUICK)
    assert found is None or "custom_score" in found.heuristics
    probed = probe(file, games=2, budget="nodes=5", limits=QUICK, members=["custom_score"])
    assert probed.status in (ExitStatus.GOOD, ExitStatus.NOT_GRADED)
    assert (probed.problem is None) == (probed.status is ExitStatus.GOOD)
    with suppress(InvalidArgumentError, SubmissionError):
        entrant(f"{file}:custom_score", default_budget="nodes=5", limits=QUICK)
    assert no_parser == []
    assert monotonic() - started < LONGEST


def test_what_python_does_not_read_is_said_as_without_a_jail(tmp_path: Path) -> None:
    for text in ("def f(:\n", "print 'one'\n", "\0", "return 1\n"):
        file = written(tmp_path, {"game_agent.py": text})
        with pytest.raises(SubmissionError) as here:
            parse(file)
        with pytest.raises(SubmissionError) as there:
            outline(file)
        assert str(there.value) == str(here.value)
        assert there.value.reason == here.value.reason


def test_a_file_outside_the_folder_is_no_helper(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.py").write_text("import secret_of_it\n", encoding="utf-8")
    (inside / "link.py").symlink_to(tmp_path / "secret.py")
    asked = f"def f():\n    __import__({str(tmp_path / 'secret')!r})\n    import link\n"
    file = written(inside, asked)
    assert "secret_of_it" not in parse(file).imports
    assert "secret_of_it" not in outline(file).imports


def test_a_tournament_that_is_jailed_parses_no_file_itself(no_parser: list[str]) -> None:
    file = ROOT / "examples" / "game_agent.py"
    Match(f"{file}:custom_score@nodes=5", "Random", games=2)
    assert no_parser == []
    Match(f"{file}:custom_score@nodes=5", "Random", games=2, jail=False)
    assert no_parser


def test_an_outline_is_unpacked_as_it_was_packed_and_fits_a_frame() -> None:
    name = "ä" * 50
    lists: dict[str, Any] = {each: (name,) * MOST_NAMES for each in LISTS if each != "early_names"}
    lists["bound"] = (name,) * MOST_BOUND
    told = Outlined(layout="v2", **lists)
    assert Outlined.of(told.content()) == told
    assert len(told.content()) <= MOST_BYTES
    refused = Outlined(problem="Python cannot read it", line=3)
    assert Outlined.of(refused.content()) == refused


@pytest.mark.parametrize(
    "changed",
    [
        {"layout": "v9"},
        {"layout": None},
        {"problem": "both"},
        {"heuristics": ["a b"]},
        {"heuristics": ["x"] * 65},
        {"players": ["../x"]},
        {"templates": ["a\x1b"]},
        {"imports": "os"},
        {"early_names": ["no_early_name"]},
        {"bound": [1]},
        {"line": 0},
        {"line": True},
        {"remedy": "\n"},
        {"more": 1},
    ],
)
def test_what_is_no_outline_is_refused(changed: dict[str, Any]) -> None:
    held = json.loads(Outlined(layout="v2", heuristics=("custom_score",)).content())
    with pytest.raises(FrameError):
        Outlined.of(json.dumps(held | changed).encode())
