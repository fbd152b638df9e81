"""A heuristic that is compiled in the jail plays the same games at the same cost, charged for its Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import Board, Budget
from isolation_fast.compiled import not_compiling
from isolation_fast.jail import Answer, Assignment, JailedProcess, available
from isolation_fast.submission.asking import order_bits_of
from isolation_fast.tournament import Match

pytestmark = pytest.mark.skipif(available().name == "none", reason="there is no jail on this system")

Write = Callable[..., Path]
OPENING = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
SCORE = """
WEIGHTS = [1.0, 2.0]

def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    if other == 0:
        raise ZeroDivisionError if own < 0 else ValueError
    return WEIGHTS[0] * own - WEIGHTS[1] * other

def custom_score_2(game, player):
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    return own / (own + other + 1)

def custom_score_3(game, player):
    return float(sum(2 ** 70 > row for row, column in game.get_legal_moves(player)))
"""


def asked(file: Path, member: str, *budgets: Budget) -> list[Answer]:
    text = Board.from_text(OPENING).to_text()
    with JailedProcess.start(Assignment(file, member)) as process:
        process.load(1)
        answers = []
        for budget in budgets:
            process.begin_game(OPENING, 1, order_bits_of(1), 0)
            answers.append(process.search([], text, budget))
        return answers


@pytest.mark.parametrize("member", ["custom_score_2", "custom_score_3"])
def test_a_search_in_the_jail_finds_the_same_compiled(write_submission: Write, member: str) -> None:
    file = write_submission(SCORE) / "game_agent.py"
    budgets = [Budget(nodes=3000), Budget(depth=4), Budget(nodes=20_000)]
    compiled = asked(file, member, *budgets)
    with not_compiling():
        in_python = asked(file, member, *budgets)
    assert [(each.move, each.report) for each in compiled] == [(each.move, each.report) for each in in_python]
    assert [each.compiled.values for each in in_python] == [0, 0, 0]


def test_a_compiled_heuristic_is_charged_what_python_would_take(write_submission: Write) -> None:
    file = write_submission(SCORE) / "game_agent.py"
    budgets = [Budget(nodes=3000), *[Budget(nodes=20_000)] * 3]
    compiled = asked(file, "custom_score_2", *budgets)[-1]
    with not_compiling():
        in_python = asked(file, "custom_score_2", *budgets)[-1]
    assert compiled.compiled.values > 5_000
    assert compiled.compiled.as_python > compiled.compiled.seconds > 0
    assert compiled.asked == pytest.approx(in_python.asked, rel=0.3)


def result(players: list[str], **options: Any) -> Any:
    return Match(*players, games=4, budget="work=2000", seed=1, **options).run().to_dict()


def test_a_tournament_is_the_same_compiled(write_submission: Write) -> None:
    file = write_submission(SCORE) / "game_agent.py"
    players = [f"{file}:custom_score_2@cost=1.25", f"{file}:custom_score@cost=1"]
    compiled = result(players)
    with not_compiling():
        assert compiled == result(players)
