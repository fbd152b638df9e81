"""Trying another move in a lost game: the page's own solver answers for the opponent, and is never wrong."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

import pytest
from browsing import Browser
from report_examples import example_report
from selenium.webdriver.common.keys import Keys

from isolation_fast import Board, solve
from isolation_grader.lost_games import LosingMove, LostGame, lost_game
from isolation_grader.report import Report
from isolation_grader.showing.forms import without_secrets
from isolation_grader.showing.html import text

SOLVER = files("isolation_grader.showing").joinpath("templates/solver.js").read_text("utf-8")
SOLVE = (
    SOLVER
    + """
return arguments[0].map(([width, height, blank, own, other]) => {
  const solver = solverOf(width, height, blank, own, other);
  // In slices, as the page does.
  while (!solver.work(1000)) { /* on */ }
  return [solver.wins, solver.move];
});
"""
)
SIGNS = """
const signs = [...document.querySelectorAll('#board .sign')];
return signs.map((each) => [Number(each.dataset.cell), each.classList[1]]);
"""
OFFERED = "return [...document.querySelectorAll('[data-try]')].map((each) => Number(each.dataset.try))"
THOUGHT = "return !document.getElementById('step').textContent.includes('thinking')"
ANSWERED = re.compile(r"The perfect opponent answers \((\d+), (\d+)\)\.")
TRIED = {"kept": "kept", "threw away": "thrown", "could not help": "helpless"}


@cache
def games() -> tuple[LostGame, ...]:
    """Lost games of the example, looked into."""
    lost = example_report().graded[2].lost_games[:25]
    return tuple(lost_game(each.record, each.opponent, ()) for each in lost)


@cache
def turned() -> tuple[LostGame, LosingMove]:
    """One of them with a losing move, and that."""
    found = [(each, each.losing) for each in games() if each.losing is not None]
    game, losing = min(found, key=lambda pair: abs(pair[1].blank - 27))
    return game, losing


def alone(game: LostGame) -> Report:
    report = example_report()
    return replace(report, graded=(replace(report.graded[0], lost_games=(game,)),))


def cell(board: Board, move: tuple[int, int]) -> int:
    return move[0] * board.width + move[1]


def offered(browser: Browser) -> list[int]:
    return sorted(browser.run(OFFERED))


def try_move(browser: Browser, board: Board, move: tuple[int, int]) -> Board:
    """The board after a move that is tried and its answer."""
    browser.find(f"[data-try='{cell(board, move)}']").click()
    browser.wait(THOUGHT)
    board = board.forecast_move(move)
    answer = ANSWERED.search(browser.text("#step"))
    assert (answer is not None) is bool(board.get_legal_moves())
    return board if answer is None else board.forecast_move((int(answer[1]), int(answer[2])))


def before_the_losing_move(browser: Browser) -> Board:
    """The page there, and the board."""
    game, losing = turned()
    browser.open(alone(game))
    browser.find("#go-try").click()
    assert browser.text("#turning") == "The next move loses a won game. Which one would you play?"
    return list(game.record.boards())[losing.number - 1]


def test_a_right_move_is_played_on_against_perfect_answers_and_won(browser: Browser) -> None:
    board = before_the_losing_move(browser)
    _, losing = turned()
    # What is right is not shown before.
    assert not {each for each, _ in browser.run(SIGNS)} & set(offered(browser))
    assert not browser.find("#happened").is_displayed()
    move: tuple[int, int] = losing.instead[0]
    for _ in range(25):
        assert offered(browser) == sorted(cell(board, each) for each in board.get_legal_moves())
        tried, board = move, try_move(browser, board, move)
        if not board.get_legal_moves():
            break
        assert browser.text("#turning") == "Still won."
        assert browser.run(SIGNS) == [[cell(board, tried), "kept"]]
        solution = solve(board)
        assert solution.outcome == "win"
        move = solution.winning_moves[0]
    assert browser.text("#turning") == "You won."
    assert browser.console() == []


def test_the_losing_move_is_called_wrong_and_punished(browser: Browser) -> None:
    board = before_the_losing_move(browser)
    _, losing = turned()
    begun, move = board, losing.move
    board = try_move(browser, board, move)
    assert browser.text("#turning") == "That threw it away: the opponent wins now, whatever you do."
    assert browser.run(SIGNS) == [[cell(board, move), "thrown"]]
    while board.get_legal_moves():
        assert solve(board).outcome == "loss"
        board = try_move(browser, board, board.get_legal_moves()[0])
    assert browser.text("#turning") == "The opponent wins, whatever you do. You lost."
    again = browser.find("#again")
    assert again.text == "from the losing move again"
    again.click()
    assert offered(browser) == sorted(cell(begun, each) for each in begun.get_legal_moves())
    assert not again.is_displayed()
    assert browser.console() == []


def test_moves_are_tried_by_keys_and_taken_back(browser: Browser) -> None:
    board = before_the_losing_move(browser)
    begun = offered(browser)
    for key in (Keys.ENTER, Keys.SPACE):
        # The button that was pressed has gone from the page, and the board has the focus.
        assert browser.run("return document.activeElement.id") == "board"
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        focused = browser.driver.switch_to.active_element
        assert re.fullmatch(r"Move to \(\d+, \d+\)", focused.accessible_name)
        focused.send_keys(key)
        browser.wait(THOUGHT)
    assert browser.text("#step").startswith("You tried ")
    for _ in range(2):
        browser.find("#undo").click()
    assert offered(browser) == begun
    assert browser.run("return document.activeElement.id") == "board"
    try_move(browser, board, board.get_legal_moves()[0])
    browser.find("#board").send_keys(Keys.RIGHT)
    assert browser.text("#step").startswith(f"Move {turned()[1].number} of ")
    assert browser.find("#happened").is_displayed()


def test_each_move_of_a_game_is_marked_and_right_ones_beside_the_losing_one(browser: Browser) -> None:
    game, losing = turned()
    browser.open(alone(game))
    record, boards = game.record, list(game.record.boards())
    assert browser.run(SIGNS) == []
    for index, move in enumerate(record.moves):
        browser.find("#go-on").click()
        expected = [[cell(boards[0], move), TRIED[game.verdicts[index]]]]
        if index == game.turning:
            expected += [[cell(boards[0], each), "kept"] for each in losing.instead]
        assert browser.run(SIGNS) == expected
        is_own = index + 1 < len(record.moves) and record.mover(index + 1) == game.player
        assert bool(offered(browser)) is is_own
        assert browser.find("#may-try").is_displayed() is is_own


@pytest.mark.parametrize("start", ["4x4 4/4/4/4 - - 1", "9x8 9/9/9/9/4x4/9/9/x8 4,4 7,0 1"])
def test_where_the_solver_does_not_know_the_board_nothing_is_tried(browser: Browser, start: str) -> None:
    board = Board.from_text(start)
    like = example_report().graded[0].lost_games[0].record
    record = replace(
        like, start=start, width=board.width, height=board.height, side=0, winner=2, moves=(), values=()
    )
    browser.open(alone(LostGame("other", record)))
    assert browser.find("#viewer").is_displayed()
    assert offered(browser) == []
    assert not browser.find("#may-try").is_displayed()


def test_the_solver_of_the_page_agrees_with_the_engine(browser: Browser) -> None:
    assert SOLVER.strip() in text(example_report())
    browser.open(example_report())
    asked, boards = [], []
    chance = random.Random(4)
    for size, left, count in (
        ((7, 7), 42, 10),
        ((7, 7), 34, 100),
        ((7, 7), 20, 100),
        ((8, 8), 34, 50),
        ((5, 5), 23, 50),
        ((4, 6), 15, 50),
        ((3, 4), 6, 50),
    ):
        while count:
            board = Board(width=size[0], height=size[1])
            while len(board.get_blank_spaces()) > left and (moves := sorted(board.get_legal_moves())):
                board.apply_move(chance.choice(moves))
            places = [
                board.get_player_location(each) for each in (board.active_player, board.inactive_player)
            ]
            blank = [cell(board, each) for each in board.get_blank_spaces()]
            boards.append(board)
            asked.append([*size, blank, *(cell(board, each) for each in places if each)])
            count -= 1
    for board, (wins, move) in zip(boards, browser.run(SOLVE, asked), strict=True):
        solution = solve(board)
        assert wins is (solution.outcome == "win"), board.to_text()
        right = solution.winning_moves if wins else board.get_legal_moves()
        assert move in [cell(board, each) for each in right] or (move is None and not right), board.to_text()


def test_a_mirrored_position_is_known_at_sight(browser: Browser) -> None:
    board = Board.from_text("7x7 7/7/7/3x3/5x1/7/7 3,3 4,5 1")
    browser.open(example_report())
    blank = [cell(board, each) for each in board.get_blank_spaces()]
    # The one winning move makes the board its own image under the half turn.
    at_sight = "const solver = solverOf(7, 7, arguments[0], 24, 33); solver.work(1);"
    found = browser.run(f"{SOLVER}{at_sight} return [solver.wins, solver.move, solver.nodes];", blank)
    assert found == [True, 15, 0]


def test_without_games_there_is_nothing_to_try(browser: Browser) -> None:
    browser.open(without_secrets(example_report()))
    assert browser.driver.find_elements("css selector", "[data-try], #viewer") == []
    assert browser.console() == []
