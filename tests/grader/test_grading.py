"""Grading: the verdict of each heuristic, what it was played at, and that nobody else decides it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from grading_scene import BUDGET, JAILED, PLAIN, graded, quickly, store

import isolation_grader.baseline
from isolation_fast import Board, Budget, InvalidArgumentError
from isolation_fast.jail import Answer, JailedProcess, Limits, content_digest
from isolation_fast.tournament import Run
from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.grading import grade
from isolation_grader.lost_games import LostGame
from isolation_grader.options import Deadline, require_elsewhere
from isolation_grader.report import Phase, Report
from isolation_grader.showing import FORMS, shown
from isolation_grader.showing.wording import warnings

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

WORSE = """
def custom_score(game, player):
    return -float(len(game.get_legal_moves(player)))
"""
TWO = (
    PLAIN
    + """
def custom_score_2(game, player):
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))
"""
)
RAISES = TWO.replace(
    "def custom_score_2(game, player):", "def custom_score_2(game, player):\n    return 1 / 0"
)


def test_whoever_plays_the_report_is_the_same(graded: Callable[..., Report]) -> None:
    first, second = (graded(TWO, **JAILED, workers=workers) for workers in (1, 2))
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert [each.name for each in first.graded] == ["custom_score", "custom_score_2"]
    assert (first.reproducible, {each.work for each in first.graded}) == (True, {"timed"})


def test_an_exact_report_also_says_which_wins_were_thrown_away(graded: Callable[..., Report]) -> None:
    report = graded(WORSE, **JAILED, exact=True)
    (member,) = report.graded
    thrown = member.grading.thrown
    assert thrown is not None
    # Each lost game that was ever won has a move by which it was lost.
    assert thrown.thrown >= sum(each.losing is not None for each in member.lost_games) > 0
    assert report.to_dict()["graded"][0]["grading"]["thrown"] == thrown.to_dict()
    for form in ("simple", "markdown"):
        assert "wins thrown away, in % (95 %)" in shown(report, form)
        assert f"{thrown.thrown:,} of {thrown.moves:,}" in shown(report, form)
    assert member.grading.test is not None
    games = f"--games {2 * member.grading.test.count} --seed {report.seed} --budget {report.budget} --exact"
    assert f"isolation-fast tournament AB_Improved --roster {report.roster} {games}" in shown(
        report, "simple"
    )
    assert " --exact " in shown(report, "simple")
    plain = graded(WORSE, **JAILED)
    assert "thrown away, in %" not in shown(plain, "simple")
    assert plain.graded[0].grading.difference == member.grading.difference


def test_each_of_two_tests_has_half_of_the_error(graded: Callable[..., Report]) -> None:
    report = graded(TWO, **JAILED)
    assert [each.grading.alpha for each in report.graded] == [0.025, 0.025]
    (test,) = {each.grading.test.upper for each in report.graded if each.grading.test is not None}
    assert test == pytest.approx(3.689, abs=0.001)


def test_who_plays_to_lose_is_not_better(graded: Callable[..., Report]) -> None:
    report = graded(WORSE, **JAILED)
    (member,) = report.graded
    assert (report.verdict, report.status) == ("not better", ExitStatus.FAILED)
    assert member.grading.difference is not None
    assert member.grading.difference.interval.high < 0
    assert len(member.lost_games) == member.grading.games - member.grading.won
    assert all(each.record.winner - 1 != each.record.side for each in member.lost_games)


def preferred_by_worse(game: LostGame) -> list[tuple[int, int]]:
    """The moves at its losing move that leave it the fewest next ones."""
    assert game.turning is not None
    board = list(game.record.boards())[game.turning]
    values = {
        move: -len(board.forecast_move(move).get_legal_moves(board.active_player))
        for move in board.get_legal_moves()
    }
    return [move for move, value in values.items() if value == max(values.values())]


def test_why_each_game_was_lost_is_proven(graded: Callable[..., Report]) -> None:
    (member,) = graded(WORSE, **JAILED).graded
    games = member.lost_games
    assert {each.ending for each in games} == {"no moves"}
    assert all((each.losing is not None) is not each.lost_from_start for each in games)
    thrown_away = [each for each in games if each.losing is not None]
    assert thrown_away
    for game in thrown_away:
        assert game.losing is not None
        assert game.losing.instead
        # The winner makes the last move.
        assert len(game.losing.line) % 2 == 1
        assert game.losing.distance in (None, len(game.losing.line))
        assert game.losing.distance is not None or game.losing.blank > 25
        assert game.losing.preferred in preferred_by_worse(game)
        told = json.loads(json.dumps(game.to_dict()))
        assert told["verdicts"][told["losing"]["number"] - 1] == "threw away"
        assert told["record"]["moves"][told["turning"]] == told["losing"]["move"]


@pytest.mark.parametrize("kind", ["off the board", "blocked", "too far", "legal"])
def test_no_answer_that_is_no_legal_move_is_shown_as_what_a_heuristic_prefers(
    kind: str, graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only one that has read the key of the tags can answer so: what it claims is what is looked at.
    search = JailedProcess.search

    def claiming(
        process: JailedProcess, moves: Any, position: str, budget: Budget, *rest: Any, **more: Any
    ) -> Answer:
        answer = search(process, moves, position, budget, *rest, **more)
        board = Board.from_text(position)
        if budget != Budget(depth=1):
            return answer
        own = board.get_player_location(board.active_player)
        assert own is not None
        far = next(cell for cell in board.get_blank_spaces() if cell not in board.get_legal_moves())
        cells = {"off the board": (9, 9), "blocked": own, "too far": far}
        return replace(answer, move=cells.get(kind, answer.move))

    monkeypatch.setattr(JailedProcess, "search", claiming)
    (member,) = (report := graded(WORSE, **JAILED)).graded
    turned = [each for each in member.lost_games if each.losing is not None]
    assert turned
    for game in turned:
        assert game.turning is not None
        legal = [*game.record.boards()][game.turning].get_legal_moves()
        assert game.losing is not None
        assert (game.losing.preferred in legal) == (kind == "legal")
        assert (game.losing.preferred is None) == (kind != "legal")
    assert ("its heuristic prefers" in " ".join(member.advice).lower()) == (kind == "legal")
    assert "[9, 9]" not in json.dumps(report.to_dict())


def test_a_heuristic_that_raises_is_not_graded_and_the_other_one_is(graded: Callable[..., Report]) -> None:
    report = graded(RAISES, **JAILED)
    assert [each.verdict for each in report.graded][1] == "not graded"
    assert report.graded[0].verdict != "not graded"
    problem = report.graded[1].problem
    assert problem is not None
    assert problem.cause == "raised"
    assert "ZeroDivisionError" in problem.reason
    assert any("in custom_score_2" in line for line in problem.trace)
    assert [each.ending for each in report.graded[1].lost_games] == ["raised"] * 3
    assert report.status is not ExitStatus.NOT_GRADED


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("def custom_score(game, player:\n", "syntax"),
        ("import nowhere\n" + PLAIN, "not loaded"),
        ("import os\nos._exit(0)\n" + PLAIN, "killed"),
        ("def other(x):\n    return 1\n", "not loaded"),
    ],
)
def test_what_does_not_load_could_not_be_graded(
    graded: Callable[..., Report], source: str, cause: str
) -> None:
    report = graded(source)
    assert report.problem is not None
    assert report.problem.cause == cause
    assert report.problem.reason
    assert report.problem.help
    assert (report.status, report.graded, report.is_complete) == (ExitStatus.NOT_GRADED, (), True)


def test_a_template_is_not_graded_and_has_no_part_of_the_error(graded: Callable[..., Report]) -> None:
    report = graded(PLAIN + "\ndef custom_score_2(game, player):\n    raise NotImplementedError\n", **JAILED)
    assert [each.verdict == "not graded" for each in report.graded] == [False, True]
    assert report.graded[1].problem is not None
    assert report.graded[1].problem.cause == "template"
    assert report.graded[0].grading.alpha == 0.05


def test_a_template_that_is_asked_for_by_name_is_not_graded(graded: Callable[..., Report]) -> None:
    """As the command that repeats it does."""
    source = PLAIN + "\ndef custom_score_2(game, player):\n    raise NotImplementedError\n"
    report = graded(source, members=["custom_score_2"])
    assert report.status == ExitStatus.NOT_GRADED
    assert [(each.name, each.problem and each.problem.cause) for each in report.graded] == [
        ("custom_score_2", "template")
    ]


def test_it_goes_on_where_it_was_interrupted(graded: Callable[..., Report], tmp_path: Path) -> None:
    whole = graded(RAISES, **JAILED)
    journal = tmp_path / "journal"
    parts: list[Report] = []

    def stop(progress: Phase) -> None:
        if progress.what == "custom_score" and progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graded(RAISES, **JAILED, journal=journal, progress=stop, workers=1, on_partial=parts.append)
    assert not parts[-1].is_complete
    done: list[int] = []
    resumed = graded(
        RAISES, **JAILED, journal=journal, resume=True, progress=lambda each: done.append(each.done)
    )
    assert json.dumps(resumed.to_dict()) == json.dumps(whole.to_dict())


def test_what_is_known_after_each_block_is_a_report(graded: Callable[..., Report]) -> None:
    parts: list[Report] = []
    report = graded(TWO, **JAILED, on_partial=parts.append)
    assert parts[-1] == report
    assert report.is_complete
    assert not any(each.is_complete for each in parts[:-1])
    assert all(len(each.graded) == 2 for each in parts)
    json.dumps([each.to_dict() for each in parts])


def test_a_player_can_be_graded_by_its_own_search(graded: Callable[..., Report]) -> None:
    player = """
class CustomPlayer:
    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        return moves[0] if moves else (-1, -1)
"""
    report = graded(TWO + player, players=True, budget="depth=1", roster="classic")
    assert [each.name for each in report.graded] == ["CustomPlayer"]
    assert (report.plays, report.verdict, report.reproducible) == ("players", "not better", False)


def test_who_is_asked_for_must_be_there(graded: Callable[..., Report], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="custom_score_7"):
        graded(TWO, members=["custom_score_7"])
    with pytest.raises(UsageError, match="there is no roster 'late'"):
        graded(TWO, roster="late")
    with pytest.raises(UsageError, match="no such file"):
        grade(tmp_path / "nowhere.py")


def test_a_baseline_that_cannot_be_used_is_measured_anew(
    graded: Callable[..., Report], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "store"
    before = graded(PLAIN, store=folder, budget="depth=1")
    (kept,) = (folder / "baselines").iterdir()
    text = kept.read_text()
    content = json.loads(text)
    pairs, blocks = content["pairs_by_games_won"], content["blocks_by_games_won"]
    (first, counts), *others = pairs.items()
    fewer = {first: [counts[0] - 1, *counts[1:]], **dict(others)}
    for changed, told in (
        ({"seed": 1}, "that of something else"),
        ({"pairs_by_games_won": dict(others)}, "not those of the roster"),
        ({"pairs_by_games_won": fewer}, "same openings"),
        ({"blocks_by_games_won": [*blocks[-1:], *blocks[:-1]]}, "have not won what its pairs have"),
    ):
        kept.write_text(json.dumps({**content, **changed}))
        assert graded(PLAIN, store=folder, budget="depth=1").baseline == before.baseline
        (line,) = capsys.readouterr().err.splitlines()
        assert "what is stored cannot be used, and is measured anew: " in line
        assert told in line
        assert kept.read_text() == text


def test_a_store_that_cannot_be_written_is_refused_before_it_is_measured(
    graded: Callable[..., Report], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is measured, and cannot be kept")

    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "baselines").symlink_to(tmp_path / "gone")  # which keeps root from writing too
    monkeypatch.setattr(isolation_grader.baseline, "_measured", never)
    with pytest.raises(UsageError, match=r"the store cannot be written: .*baselines"):
        graded(PLAIN, store=folder, **JAILED)


def test_the_digest_is_of_all_that_a_submission_sees(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(PLAIN)
    first = content_digest(file)
    for name in ("helper.py", "weights.bin"):
        (tmp_path / name).write_text("more = 1\n")
        assert content_digest(file) != first
        (tmp_path / name).unlink()
    assert content_digest(file) == first


def test_nothing_is_written_to_where_the_submission_could_read_it(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    for name in ("store", "journal"):
        with pytest.raises(UsageError, match="lies in the folder of the submission"):
            graded(PLAIN, **{name: tmp_path / "submission" / name})
    require_elsewhere(tmp_path / "report.html", tmp_path / "submission" / "game_agent.py")
    require_elsewhere(tmp_path / "report.html", tmp_path / "mine.py")


def test_a_journal_that_is_there_is_kept_for_who_resumes(
    graded: Callable[..., Report], tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    whole = graded(RAISES, **JAILED, journal=journal)
    with pytest.raises(UsageError, match="resume"):
        graded(RAISES, **JAILED, journal=journal)
    resumed = graded(RAISES, **JAILED, journal=journal, resume=True)
    assert json.dumps(resumed.to_dict()) == json.dumps(whole.to_dict())
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="the journal must be a folder"):
        graded(PLAIN, journal=tmp_path / "file")


SLEEPS = "import time\n\ndef custom_score(game, player):\n    time.sleep(3600)\n    return 0.0\n"
SLEEPS_AND_PLAYS = SLEEPS + "\ndef custom_score_2(game, player):\n    return 0.0\n"
PATIENT = Limits(load_cpu=3600, move_cpu=3600)


def over_when(monkeypatch: pytest.MonkeyPatch, asked: Callable[[], bool]) -> None:
    """Let the time of a grading be over once that is so, on a busy machine too."""
    monkeypatch.setattr(Deadline, "is_over", property(lambda _: asked()))


def test_a_grading_ends_in_time_with_what_is_known(
    graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The games begin at once here, and at 0.5 s they end.
    over = Event()
    over_when(monkeypatch, over.is_set)
    monkeypatch.setattr("isolation_grader.trial.Run.play", ended_after(0.5, over))
    report = graded(SLEEPS_AND_PLAYS, **JAILED, limits=PATIENT)
    assert [each.verdict for each in report.graded] == ["undecided", "not graded"]
    problem = report.graded[1].problem
    assert problem is not None
    assert problem.cause == "out of time"
    assert "--resume" in problem.help
    assert (report.is_complete, report.is_cut, report.reproducible) == (True, True, False)
    found = report.to_dict()
    assert (found["complete"], found["cut"]) == (False, True)
    assert any("--total-wall" in each for each in warnings(report))
    points = json.loads(shown(report, "gradescope"))["tests"]
    assert not any("score" in each for each in points)


def ended_after(seconds: float, over: Event) -> Callable[..., object]:
    play = Run.play

    def ended(run: Run, progress: Any, *, until: float) -> object:
        result = play(run, progress, until=monotonic() + seconds)
        over.set()
        return result

    return ended


@pytest.mark.parametrize("what", ["loading", "baseline"])
def test_a_grading_ends_in_time_before_there_are_games(
    what: str, graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # What sleeps for an hour, and a baseline of millions of nodes a move, end once their part has begun.
    begun = Event()
    over_when(monkeypatch, begun.is_set)
    source = f"import time\ntime.sleep(3600)\n{PLAIN}" if what == "loading" else SLEEPS
    budget = "nodes=100000000" if what == "baseline" else BUDGET

    def progress(so_far: Phase) -> None:
        if so_far.what == what:
            begun.set()

    report = graded(source, limits=PATIENT, progress=progress, budget=budget, store=tmp_path / "store")
    assert (report.verdict, report.is_complete, report.is_cut) == ("not graded", True, True)
    problem = report.problem if what == "loading" else report.graded[0].problem
    assert problem is not None
    assert problem.cause == "out of time"
    assert "--total-wall" in problem.reason
    for form in (*FORMS, "simple"):
        assert "out of time" in shown(report, form) or form == "csv"


def test_a_counted_grading_that_its_time_ends_says_so(
    graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    over = Event()
    over_when(monkeypatch, over.is_set)
    monkeypatch.setattr("isolation_grader.trial.Run.play", ended_after(0.0, over))
    report = graded(PLAIN)
    assert [each.work for each in report.graded] == ["counted"]
    assert (report.verdict, report.is_cut, report.reproducible) == ("undecided", True, False)


def test_total_wall_is_a_number_of_seconds(graded: Callable[..., Report]) -> None:
    with pytest.raises(InvalidArgumentError, match="total_wall must be a number above 0"):
        graded(PLAIN, total_wall=0)


ASKS = """
import random

def custom_score(game, player):
    for _ in range({times}):
        game.get_legal_moves(player)
    return random.random()
"""


def test_one_whose_turns_end_before_each_move_was_looked_at_is_too_costly(
    graded: Callable[..., Report],
) -> None:
    # By prices alone: a question costs as much as a fifth of a node or more, whatever machine this is.
    (quick,), (slow,) = (graded(ASKS.format(times=times), roster="few").graded for times in (1, 150))
    assert (quick.problem, quick.work, slow.work) == (None, "timed", "timed")
    assert quick.grading.cost is not None
    assert quick.grading.cost.source == "timed"
    assert slow.problem is not None
    assert (slow.problem.cause, slow.verdict) == ("too costly", "not graded")
    assert "before each move had been looked at" in slow.problem.reason
