"""Which heuristics are graded, on which openings, and what NaN and refused calls come to."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from grading_scene import PLAIN, graded, quickly, store

from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.grading import grade
from isolation_grader.options import SEED_BITS
from isolation_grader.probing import probe
from isolation_grader.report import Phase, Report

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]


def named(*names: str) -> str:
    return "".join(PLAIN.replace("custom_score", each) for each in names)


def test_the_names_of_the_course_are_graded_and_the_others_are_named(graded: Callable[..., Report]) -> None:
    source = named("custom_score_4", "custom_score_2", "custom_score", "helper")
    report = graded(source)
    assert [each.name for each in report.graded] == ["custom_score_2", "custom_score"]
    assert {each.grading.alpha for each in report.graded} == {0.005}
    assert report.left_out == ("custom_score_4",)
    asked = graded(source, members=["custom_score_4"])
    assert ([each.name for each in asked.graded], asked.left_out) == (["custom_score_4"], ())


def test_up_to_three_heuristics_of_other_names_are_graded(graded: Callable[..., Report]) -> None:
    report = graded(named("one", "two", "three"))
    assert [each.name for each in report.graded] == ["one", "two", "three"]
    assert report.problem is None


def test_where_none_has_a_name_of_the_course_all_are_named_with_how_to_ask(
    graded: Callable[..., Report],
) -> None:
    report = graded(named("one", "two", "three", "custom_score_9"))
    assert report.problem is not None
    assert (report.problem.cause, report.status) == ("too many", ExitStatus.NOT_GRADED)
    assert report.problem.reason == (
        "it has 4 heuristics, none of them called custom_score, custom_score_2 or custom_score_3: "
        "custom_score_9, one, two, three"
    )
    assert report.problem.help == "name those to grade: --heuristics custom_score_9 one two"


def test_a_drawn_seed_is_in_the_report_and_repeats_it(graded: Callable[..., Report]) -> None:
    drawn = [graded(PLAIN, seed=None) for _ in range(2)]
    seeds = [each.seed for each in drawn]
    assert len(set(seeds)) == 2
    assert all(each is not None and 0 <= each < 2**SEED_BITS for each in seeds)
    first, second = ([game.record.start for game in each.graded[0].lost_games] for each in drawn)
    assert first != second
    again = graded(PLAIN, seed=seeds[0])
    assert json.dumps(again.to_dict()) == json.dumps(drawn[0].to_dict())


def test_the_baseline_is_the_same_for_every_seed(graded: Callable[..., Report]) -> None:
    one, other = (graded(PLAIN, seed=each).baseline for each in (1, 2))
    assert one == other is not None


def test_an_interrupted_grading_goes_on_with_the_seed_that_it_drew(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    journal, parts = tmp_path / "journal", list[Report]()

    def stop(progress: Phase) -> None:
        if progress.what == "custom_score" and progress.done:
            raise KeyboardInterrupt

    again: dict[str, Any] = {"seed": None, "journal": journal}
    with pytest.raises(KeyboardInterrupt):
        graded(PLAIN, **again, progress=stop, workers=1, on_partial=parts.append)
    # Without `resume` too: what is there would be lost with its seed.
    with pytest.raises(UsageError, match="resume"):
        graded(PLAIN, **again)
    resumed = graded(PLAIN, **again, resume=True)
    assert resumed.seed == parts[0].seed
    whole = graded(PLAIN, seed=resumed.seed)
    assert json.dumps(resumed.to_dict()) == json.dumps(whole.to_dict())
    seed = resumed.seed
    with pytest.raises(UsageError, match=f"with --seed 77 cannot be resumed: .* with seed {seed}") as refused:
        graded(PLAIN, **{**again, "seed": 77}, resume=True)
    assert f"--resume alone goes on with seed {seed}" in str(refused.value.hint)
    # Begun anew it is another one, and the first can still be resumed.
    graded(PLAIN, **{**again, "seed": 77})
    assert graded(PLAIN, **again, resume=True).seed == 77
    first = graded(PLAIN, **{**again, "seed": seed}, resume=True)
    assert json.dumps(first.to_dict()) == json.dumps(whole.to_dict())
    (kept,) = journal.glob("*.seed")
    kept.write_text("many\n")
    with pytest.raises(UsageError, match="the seed of the journal cannot be read"):
        graded(PLAIN, **again, resume=True)


@pytest.mark.parametrize(
    ("own", "what"),
    [
        ("async def custom_score(game, player):\n    return 1.0", "an async function"),
        ("def custom_score(game, player):\n    yield 1.0", "a generator function"),
        ("class custom_score:\n    pass", "a class"),
        ("custom_score: float = 3.0", "a value of type float"),
        ("custom_score = None", "None"),
    ],
)
def test_no_helper_is_graded_in_place_of_a_custom_score_that_is_no_heuristic(
    own: str, what: str, graded: Callable[..., Report], tmp_path: Path
) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "helper.py").write_text(named("custom_score", "heuristic"))
    source = f"from helper import *\n{own}\n"
    report = graded(source)
    (found,) = report.graded
    assert (report.verdict, found.name, found.problem and found.problem.cause) == (
        "not graded",
        "custom_score",
        "not loaded",
    )
    assert found.problem is not None
    assert found.problem.reason.startswith(f"custom_score is {what}, and not a function of a board")
    assert graded(source, members=["custom_score"]).graded == report.graded
    # Asked for by its name the other one is graded.
    asked = graded(source, members=["heuristic"])
    assert [each.name for each in asked.graded] == ["heuristic"]


def test_what_is_graded_is_what_the_source_names(graded: Callable[..., Report]) -> None:
    made = "globals().update({f'custom_score_{number}': custom_score for number in range(40)})\n"
    report = graded(named("custom_score") + made)
    assert [(each.name, each.grading.alpha) for each in report.graded] == [("custom_score", 0.05)]
    assert report.left_out == ()
    # One that is gone when it was loaded has its share of the risk all the same.
    report = graded(named("custom_score", "custom_score_2") + "del custom_score_2\n")
    assert [(each.name, each.grading.alpha) for each in report.graded] == [
        ("custom_score", 0.005),
        ("custom_score_2", None),
    ]
    assert report.graded[1].problem is not None
    assert "no heuristic 'custom_score_2'" in report.graded[1].problem.reason


def test_no_value_makes_a_second_entry_of_a_heuristic(graded: Callable[..., Report]) -> None:
    source = f"""{PLAIN}
class Made:
    pass

Made.__qualname__ = "Made; custom_score=a class"
custom_score_2 = Made()
"""
    report = graded(source)
    assert [(each.name, each.verdict == "not graded") for each in report.graded] == [
        ("custom_score", False),
        ("custom_score_2", True),
    ]


FORGED = """
import gc
import json

gc.unfreeze()
(loaded,) = (each for each in gc.get_objects() if isinstance(each, type) and each.__name__ == "Loaded")
loaded.content = lambda self: json.dumps({**vars(self), **LISTS}).encode()
"""
"""The answer to loading, as a submission writes it itself."""


def forging(source: str, **lists: list[str]) -> str:
    return f"{source}{FORGED.replace('LISTS', repr(lists))}"


@pytest.mark.parametrize("name", ["custom_score", "other"])
def test_a_heuristic_that_its_worker_names_forty_times_is_graded_once(
    name: str, graded: Callable[..., Report]
) -> None:
    report = graded(forging(named(name), heuristics=[name] * 40, players=[name] * 40))
    assert [(each.name, each.grading.alpha) for each in report.graded] == [(name, 0.05)]
    asked = graded(forging(named(name), heuristics=[name] * 40), members=[name, name])
    assert [each.name for each in asked.graded] == [name]


def test_a_player_that_its_worker_names_forty_times_plays_once(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    source = f"{PLAIN}\nclass Mine:\n    def get_move(self, game, time_left):\n        return (-1, -1)\n"
    forged = forging(source, heuristics=["custom_score"] * 40, players=["Mine", "custom_score"] * 20)
    report = graded(forged, players=True, budget="nodes=10", members=["Mine"])
    assert [each.name for each in report.graded] == ["Mine"]
    report = graded(forged, players=True, budget="nodes=10")
    assert [each.name for each in report.graded] == ["Mine"]
    found = probe(tmp_path / "submission", games=2, opponents=["Random"], budget="nodes=5")
    assert [each.name for each in found.members] == ["custom_score", "Mine"]
    assert (found.heuristics, found.players) == (("custom_score",), ("Mine",))


def test_no_worker_fills_a_report_with_templates_that_it_makes_up(graded: Callable[..., Report]) -> None:
    made_up = [f"made_up_{number}" for number in range(40)]
    report = graded(forging(named("other"), templates=[*made_up, "a name", "x"]))
    assert [each.name for each in report.graded] == ["other"]
    report = graded(forging(named("custom_score"), templates=made_up, heuristics=["a name"]))
    assert [(each.name, each.verdict) for each in report.graded] == [("custom_score", "not graded")]


def test_a_folder_that_is_too_large_is_helped_by_another_folder(
    graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("isolation_fast.jail.folders.MOST_FILES", 2)
    for name in ("one.txt", "other.txt"):
        (tmp_path / "submission").mkdir(exist_ok=True)
        (tmp_path / "submission" / name).touch()
    problem = graded(PLAIN).problem
    assert problem is not None
    assert (problem.cause, problem.help.partition(",")[0]) == (
        "not loaded",
        "hand in a folder that has the submission alone",
    )
    assert "more than 2 files and folders" in problem.reason


def test_a_report_has_the_name_of_the_folder_or_the_one_that_is_given(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    assert (graded("x = 1\n").submission, graded("x = 1\n").file) == ("submission", "game_agent.py")
    assert graded("x = 1\n", name="Ada L.").submission == "Ada L."
    (tmp_path / "grace.py").write_text("x = 1\n")
    assert grade(tmp_path / "grace.py").submission == "grace.py"


NAN_AT_THE_END = """
inf = float("inf")

def custom_score(game, player):
    own = len(game.get_legal_moves(player)) or -inf
    return own - (len(game.get_legal_moves(game.get_opponent(player))) or -inf)
"""


def test_a_heuristic_that_returns_nan_is_graded_and_the_nans_are_counted(
    graded: Callable[..., Report],
) -> None:
    report = graded(NAN_AT_THE_END)
    found = report.heuristic("custom_score")
    assert found.verdict != "not graded"
    assert found.nans > 0
    assert report.nan == "course"
    document = json.loads(json.dumps(report.to_dict()))
    assert (document["nan"], document["graded"][0]["nans"]) == ("course", found.nans)
    # A program has no NaN, so Python was asked.
    assert found.work == "timed"


def test_where_nan_is_refused_it_is_not_graded_and_told_so(graded: Callable[..., Report]) -> None:
    report = graded(NAN_AT_THE_END, nan="refuse")
    found = report.heuristic("custom_score")
    assert (found.verdict, found.nans) == ("not graded", 0)
    assert found.problem is not None
    assert found.problem.cause == "bad answer"
    assert "NaN is neither larger nor smaller than any score" in found.problem.reason
    assert "..." not in found.problem.reason
    with pytest.raises(UsageError, match="nan is one of course, refuse"):
        graded(PLAIN, nan="never")


def test_nan_everywhere_is_graded(graded: Callable[..., Report]) -> None:
    report = graded(NAN_AT_THE_END.replace("own - (", "inf - inf + ("))
    found = report.heuristic("custom_score")
    assert found.problem is None
    assert found.grading.cost is not None
    assert found.nans > 1000


@pytest.mark.parametrize(
    ("line", "told", "remedy"),
    [
        (
            "LOG = open('/usr/x.log', 'w')",
            "open('/usr/x.log', 'w'): the jail lets a submission write no file",
            "remove",
        ),
        ("CACHE = bytearray(1 << 40)", "out of memory: MemoryError", "keep less"),
        ("1 / 0", "importing it raises ZeroDivisionError", "make the file one that Python imports"),
    ],
)
def test_advice_about_an_import_that_failed_fits_what_failed(
    graded: Callable[..., Report], line: str, told: str, remedy: str
) -> None:
    report = graded(f"{line}\n{PLAIN}")
    assert report.problem is not None
    assert report.problem.cause == "not loaded"
    shown = told if sys.version_info >= (3, 11) else told.replace("open(", "LOG = open(")
    assert shown in report.problem.reason
    assert report.problem.help.startswith(remedy)
    assert "by itself" not in f"{report.problem.reason} {report.problem.help}"
