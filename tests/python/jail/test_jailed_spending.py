"""Work that a search in the jail spends as it goes, and how its referee holds it.

No law looks at a real clock: a scale of 0 leaves prices alone, and by a large one any time is too much.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from isolation_fast import Board, Budget
from isolation_fast.cost import NODE, WITH_IMPROVED
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.jail import Answer, Assignment, JailedProcess
from isolation_fast.playing.jailed import MOST_OF_ALL, TURN_SECONDS, TURNS_BESIDES, Account, work_at
from isolation_fast.submission.asking import order_bits_of
from isolation_fast.tournament import Match, Run

Write = Callable[..., Path]
OPENING = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
WORK = 500
ALL = WORK * WITH_IMPROVED[-1]
FREE, DEAR = 0.0, 1e6
OURS = 1_320
"""Its process copies a board twice for each turn."""
SCORES = """
def custom_score(game, player):
    return 1.0

def custom_score_2(game, player):
    return float(len(game.get_legal_moves(player)))

def custom_score_3(game, player):
    return float(sum(range(100_000)))
"""


@contextmanager
def at_the_board(file: Path, member: str) -> Iterator[Callable[[float], Answer]]:
    """What searches the opening by work, again and again, in one process."""
    text = Board.from_text(OPENING).to_text()
    with JailedProcess.start(Assignment(file, member)) as process:
        process.load(1)

        def search(scale: float) -> Answer:
            process.begin_game(OPENING, 1, order_bits_of(1), 0)
            return process.search([], text, Budget(work=WORK), scale=scale)

        yield search


@pytest.fixture
def file(write_submission: Write) -> Path:
    return write_submission(SCORES) / "game_agent.py"


def test_a_turn_has_so_many_nodes_with_improved_as_its_root_pays_them() -> None:
    full = Board.from_text("7x7 xxxxxxx/xxxxxxx/xxxxxxx/xxxxxx1/7/7/7 0,0 3,5 1")
    assert [work_at(each, WORK) for each in (Board(), full)] == [ALL, WORK * WITH_IMPROVED[1]]


def test_a_heuristic_that_does_nothing_pays_for_its_nodes_alone(file: Path) -> None:
    with at_the_board(file, "custom_score") as search:
        answer = search(FREE)
    assert answer.report is not None
    assert (answer.report.nodes, answer.report.reason) == ((ALL - OURS) // NODE, "nodes")
    assert (answer.asked, answer.paid) == (OURS, OURS)


def test_what_is_asked_of_boards_is_paid_and_leaves_fewer_nodes(file: Path) -> None:
    with at_the_board(file, "custom_score_2") as search:
        first, second = search(FREE), search(FREE)
    assert first.report is not None
    # Of the last value not all could be paid: the rest is paid first the next time.
    assert first.asked >= first.paid > 0
    assert first.paid + NODE * first.report.nodes <= ALL < first.asked + NODE * (first.report.nodes + 1)
    assert second.paid >= first.asked - first.paid
    assert second.report == first.report or second.report.nodes <= first.report.nodes  # type: ignore[union-attr]


def test_a_search_ends_with_the_call_that_takes_the_rest(file: Path) -> None:
    with at_the_board(file, "custom_score_3") as search:
        answer = search(DEAR)
    assert answer.report is not None
    assert (answer.report.value, answer.report.depth, answer.report.reason) == (None, 0, "nodes")
    assert answer.paid + NODE * answer.report.nodes == ALL


def test_what_a_turn_took_too_much_the_next_ones_pay(file: Path) -> None:
    with at_the_board(file, "custom_score_3") as search:
        before, dear, after = search(FREE), search(DEAR), search(FREE)
    assert before.report is not None
    assert after.report is not None
    assert before.report.nodes == (ALL - OURS) // NODE
    assert dear.paid > OURS
    assert (after.report.nodes, after.paid) == (1, ALL - NODE)


def test_what_was_asked_between_two_searches_is_paid_in_the_second(write_submission: Write) -> None:
    # A signal comes while nobody asks for anything.
    file = write_submission(
        "import signal\n"
        "kept = []\n"
        "def custom_score(game, player):\n"
        "    if not kept:\n"
        "        kept.append(game)\n"
        "        signal.signal(signal.SIGALRM, lambda *_: [game.get_legal_moves() for _ in range(100)])\n"
        "        signal.setitimer(signal.ITIMER_REAL, 0.1)\n"
        "    return 1.0\n"
    )
    text, answers = Board.from_text(OPENING).to_text(), []
    with JailedProcess.start(Assignment(file / "game_agent.py", "custom_score")) as process:
        process.load(1)
        for _ in range(2):
            process.begin_game(OPENING, 1, order_bits_of(1), 0)
            answers.append(process.search([], text, Budget(work=WORK), scale=FREE))
            sleep(0.5)
    assert sum(each.paid for each in answers) == sum(each.asked for each in answers) > 100 * 950


def test_a_search_by_work_takes_no_cost(file: Path) -> None:
    with JailedProcess.start(Assignment(file, "custom_score")) as process:
        process.load(1)
        with pytest.raises(InvalidBudgetError, match="takes no cost"):
            process.search([], OPENING, Budget(work=WORK, cost=2.0))


def add(account: Account, times: float, paid: float = 1.0, turns: int = 1) -> None:
    """Turns that each take so many times their work, and say that they paid so much of it."""
    seconds = TURN_SECONDS + times * ALL / 1e9
    for _ in range(turns):
        account.add(ALL, scale=1.0, seconds=seconds, beside=0, paid=paid * ALL)


def test_a_turn_may_take_three_times_its_work_and_no_more() -> None:
    add(Account(), 2.9)
    with pytest.raises(Fault, match="at most 3 times") as caught:
        add(Account(), 10.0)
    assert (caught.value.ending, caught.value.by_clock) == ("overspent", True)


@pytest.mark.parametrize(("times", "paid"), [(1.5, 1.0), (0.5, 0.2), (1.5, 50.0)])
def test_all_turns_together_take_what_they_paid(times: float, paid: float) -> None:
    account = Account()
    with pytest.raises(Fault, match=f"at most {MOST_OF_ALL:g} times") as caught:
        add(account, times, paid, turns=200)
    assert caught.value.ending == "overspent"
    assert account.turns > TURNS_BESIDES


def test_what_was_not_paid_in_one_turn_is_not_there_for_the_next() -> None:
    account = Account()
    add(account, 0.1, 0.1, turns=50)
    with pytest.raises(Fault, match="at most"):
        add(account, 2.9, turns=4)


def test_turns_that_take_what_they_pay_are_never_too_much() -> None:
    account = Account()
    add(account, 1.15, turns=2000)
    assert account.turns == 2000


def test_games_by_work_take_no_more_than_it_and_warm_up_before(write_submission: Write) -> None:
    file = write_submission(
        "import random\n"
        "known = []\n"
        "def custom_score(game, player):\n"
        "    if not known:\n"
        "        known.append(1)\n"
        "        print(len(game.get_blank_spaces()))\n"
        "    return random.random() + len(game.get_legal_moves(player))\n"
    )
    uses: list[Any] = []
    plan = Match(f"{file}/game_agent.py:custom_score", "AB_Improved", games=4, budget=f"work={WORK}", seed=1)
    with Run(plan.plan(), workers=1, on_use=lambda _, use: uses.append(use)) as running:
        result = running.play()
    player = next(each for each in result.players if "custom_score" in each.name)
    assert player.searched is not None
    assert not result.reproducible
    assert player.searched.paid + NODE * player.searched.nodes <= ALL * player.searched.turns
    # Its first call was about none of its games, whose boards have been played on by two players.
    assert {use.output.stdout.split()[0] for use in uses} == {b"14"}
