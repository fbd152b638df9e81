"""What an attack wins that takes more work than its budget: games are lost, or its cost is what it took."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from hostile_games import BUDGET, LIMITS, OPENING, STREAM, at_work
from hostile_scene import HOSTILE, Scene, attacks, scene

from isolation_fast import Board, Cost
from isolation_fast.jail import Assignment, Fault, JailedProcess, Limits, content_digest, measure_cost
from isolation_fast.submission.asking import order_bits_of
from isolation_fast.tournament import Match, Run
from isolation_grader.costs import CostStore, StoredCost
from isolation_grader.exceptions import ExitStatus
from isolation_grader.grading import grade
from isolation_grader.options import Question
from isolation_grader.report import Report

BY_NAME = {each.name: each for each in attacks()}
ROWS = [
    [cell.strip() for cell in line.split("|")]
    for line in (HOSTILE / "work.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
# One of each kind. The others are slow together: `make test-all`.
QUICK = (
    "saves_up_for_a_few_turns",
    "thinks_in_ends_of_objects",
    "claims_one_node_a_turn",
    "keeps_a_table_between_games",
)
MEBIBYTE = 2**20


def cases() -> list[Any]:
    marks = {name: [] if name in QUICK else [pytest.mark.slow] for name, _, _ in ROWS}
    return [pytest.param(*row, id=row[0], marks=marks[row[0]]) for row in ROWS]


@pytest.fixture
def played() -> Iterator[Callable[[str], Scene]]:
    """The scene of an attack."""
    opened: list[Any] = []

    def open_scene(name: str) -> Scene:
        opened.append(scene(BY_NAME[name]))
        made: Scene = opened[-1].__enter__()
        return made

    yield open_scene
    for each in opened:
        each.__exit__(None, None, None)


@pytest.fixture
def graded(tmp_path: Path) -> Callable[..., Report]:
    """The report of a file, after a few games."""

    def graded(file: Path, costs: float | None = None) -> Report:
        return grade(file, seed=1, question=Question(blocks=10), store=tmp_path, costs=costs)

    return graded


def test_each_row_is_of_an_attack_and_has_words_that_there_are() -> None:
    words = {"overspends", "is seen", "is broken", "gains nothing"}
    assert {name for name, _, _ in ROWS} <= set(BY_NAME)
    assert set(QUICK) <= {name for name, _, _ in ROWS}
    assert all(set(told.split(" or ")) <= words for _, _, told in ROWS)


@pytest.mark.parametrize(("name", "cost", "told"), cases())
def test_an_attack_gains_no_work(name: str, cost: str, told: str, played: Callable[[str], Scene]) -> None:
    assert at_work(played(name).file, cost) in told.split(" or ")


def test_our_search_finds_no_more_for_a_worker_that_asks_it_itself(played: Callable[[str], Scene]) -> None:
    board, file = Board.from_text(OPENING, "us", "them"), played("drives_our_search").file
    with JailedProcess.start(Assignment(file, "custom_score"), LIMITS) as process:
        process.load(STREAM)
        process.begin_game(OPENING, STREAM, order_bits_of(STREAM), 0)
        answer = process.search([], board.to_text(), BUDGET)
        board.apply_move(answer.move)
        reply = sorted(board.get_legal_moves())[0]
        board.apply_move(reply)
        with pytest.raises(Fault, match="no search of ours") as caught:
            process.search([answer.move, reply], board.to_text(), BUDGET)
    assert answer.report is not None
    assert answer.report.nodes == BUDGET.nodes  # its pipes are its referee's yet
    assert caught.value.ending == "protocol broken"
    words, first, again, second = process.output.stdout.split()
    assert (words, again) == (b"nodes", b"nodes")
    assert int(first) == BUDGET.nodes
    assert int(second) <= 2


def test_a_random_opponent_is_not_foreseen(played: Callable[[str], Scene]) -> None:
    file, lines = played("foresees_a_random_opponent").file, list[str]()
    plan = Match(f"{file}:custom_score", "Random", games=6, budget="nodes=50", seed=1).plan()
    with Run(
        plan, workers=1, on_use=lambda _, use: lines.extend(use.output.stdout.decode().split("\n"))
    ) as run:
        run.play()
    # Some by chance: there are few to choose from.
    assert lines.count("not foreseen") > lines.count("foreseen") / 2 > 0


@pytest.mark.slow
def test_a_stored_cost_is_not_believed(
    played: Callable[[str], Scene], graded: Callable[..., Report], tmp_path: Path
) -> None:
    file = played("is_modest_until_a_date").file
    before = StoredCost(Cost(1.0), "measured", Cost(1.0))
    CostStore(tmp_path / "costs").put(content_digest(file), "custom_score", before)
    (member,) = graded(file).graded
    # It is graded again at what it took: ten times as much and more.
    assert member.verdict != "better"
    assert member.observed is not None
    assert member.earlier is not None
    assert member.earlier.verdict == "not graded"
    assert member.grading.cost is not None
    assert (member.grading.cost.source, member.earlier.cost and member.earlier.cost.source) == (
        "observed",
        "stored",
    )


@pytest.mark.slow
def test_who_overspends_on_purpose_is_held_to_what_it_showed(
    played: Callable[[str], Scene], graded: Callable[..., Report]
) -> None:
    report = graded(played("overspends_on_purpose").file, costs=1.0)
    (member,) = report.graded
    assert report.verdict == "not graded"
    assert member.problem is not None
    assert member.problem.cause == "overspent"
    assert member.earlier is not None
    assert member.earlier.cost is not None
    assert member.earlier.cost.source == "given"


def test_who_is_a_player_where_it_is_measured_is_not_loaded(
    played: Callable[[str], Scene], graded: Callable[..., Report]
) -> None:
    report = graded(played("becomes_a_player_while_measured").file)
    (member,) = report.graded
    assert (report.verdict, report.status) == ("not graded", ExitStatus.NOT_GRADED)
    assert member.problem is not None
    assert member.problem.cause == "not loaded"
    assert "was a heuristic when it was loaded, and is a player now" in member.problem.reason


@pytest.mark.parametrize("name", ["sleeps_while_measured", "loops_while_measured"])
def test_a_measurement_ends(name: str, played: Callable[[str], Scene]) -> None:
    assignment = Assignment(played(name).file, "custom_score")
    with pytest.raises(Fault) as caught:
        measure_cost(assignment, Limits(wall_factor=1.0), seconds=1.0)
    assert caught.value.ending == "timeout"


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("names_megabytes_of_imports", nullcontext()),
        ("has_a_sparse_file", pytest.raises(Fault, match="MiB")),
    ],
)
def test_a_referee_keeps_little_of_what_lies_beside_a_submission(
    name: str, ends: AbstractContextManager[Any], played: Callable[[str], Scene]
) -> None:
    file = played(name).file
    tracemalloc.start()
    try:
        with ends, JailedProcess.start(Assignment(file, "custom_score"), LIMITS) as process:
            process.load(STREAM)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 32 * MEBIBYTE
