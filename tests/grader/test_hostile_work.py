"""What an attack wins that wants more work than its budget: it pays for it, or games are lost."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from hostile_games import BUDGET, LIMITS, OPENING, STREAM, at_work
from hostile_scene import HOSTILE, Scene, attacks, scene

from isolation_fast import Board
from isolation_fast.jail import Assignment, Fault, JailedProcess
from isolation_fast.submission.asking import order_bits_of
from isolation_fast.tournament import Match, Run

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
    marks = {name: [] if name in QUICK else [pytest.mark.slow] for name, _ in ROWS}
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


def test_each_row_is_of_an_attack_and_has_words_that_there_are() -> None:
    words = {"overspends", "is broken", "gains nothing"}
    assert {name for name, _ in ROWS} <= set(BY_NAME)
    assert set(QUICK) <= {name for name, _ in ROWS}
    assert all(set(told.split(" or ")) <= words for _, told in ROWS)


@pytest.mark.parametrize(("name", "told"), cases())
def test_an_attack_gains_no_work(name: str, told: str, played: Callable[[str], Scene]) -> None:
    assert at_work(played(name).file) in told.split(" or ")


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
