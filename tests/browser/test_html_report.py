"""The page of a report in a real browser: on a phone and a desk, by keys and buttons, light and dark."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from browsing import Browser
from hostile_report import HOSTILE, hostile, kinds_of_reports
from report_examples import example_report
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from isolation_fast import Board
from isolation_fast.tournament import GameRecord
from isolation_grader.lost_games import LosingMove, LostGame
from isolation_grader.report import Report

# Texts with a background of their own, or of what they stand in, as WCAG counts their contrast.
CONTRASTS = """
const luminance = ([r, g, b]) => {
  const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const [x, y, z] = [r, g, b].map((c) => linear(c / 255));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const background = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const found = parts(getComputedStyle(each).backgroundColor);
    if (found.length === 3 || found[3] === 1) return found;
  }
  return [255, 255, 255];
};
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || element.closest('svg, script, noscript')) continue;
  if (!element.checkVisibility()) continue;
  const pair = [luminance(parts(getComputedStyle(element).color)), luminance(background(element))];
  const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  found.push([ratio, texts.currentNode.textContent.trim().slice(0, 40)]);
}
return found;
"""
OUTSIDE = """
const wide = document.documentElement.clientWidth;
return [document.documentElement.scrollWidth - wide, [...document.querySelectorAll('main *')]
  .filter((each) => each.checkVisibility() && !each.closest('thead, .unseen, svg'))
  .filter((each) => each.getBoundingClientRect().right > wide + 1)
  .map((each) => each.outerHTML.slice(0, 80))];
"""
FOCUSABLE = "a[href], select, button, summary, [tabindex='0']"
MARKED = (
    "return [...document.querySelectorAll(`#board ${arguments[0]}`)].map((each) => Number(each.dataset.cell))"
)
ENTITIES = "return [document.scripts.length, document.images.length, document.querySelectorAll('*').length]"
MARKUP = (
    "</script><script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'>"
    '" onfocus="window.pwned = 1" autofocus=\'\' {{ 7 * 7 }} <!-- ]]> javascript:window.pwned=1'
)


def game_on(start: str, *, moves_at_most: int = 1000) -> GameRecord:
    """A game in which each plays the first legal move, as its record."""
    board = Board.from_text(start)
    moves: list[tuple[int, int]] = []
    while len(moves) < moves_at_most and (legal := board.get_legal_moves()):
        moves.append(legal[0])
        board.apply_move(legal[0])
    count = len(moves)
    return GameRecord(
        opening=3,
        pairing=0,
        side=0,
        players=("custom_score", "AB_Open"),
        width=board.width,
        height=board.height,
        start=start,
        moves=tuple(moves),
        values=tuple([float("-inf"), None, 2.5][number % 3] for number in range(count)),
        depths=(7,) * count,
        nodes=(1234,) * count,
        reasons=(None,) * count,
        winner=2 if board.active_player == "player 1" else 1,
        ending="no moves",
        detail="",
    )


def with_game(record: GameRecord, turning: int | None = None) -> Report:
    """A report with one lost game."""
    report = example_report()
    losing = None if turning is None else LosingMove(turning + 1, record.moves[turning], (), blank=20)
    game = LostGame("AB_Open", record, "It had no move left.", losing)
    return replace(report, graded=(replace(report.graded[0], lost_games=(game,)),))


def step_of(browser: Browser) -> str:
    return browser.text("#step")


@pytest.mark.parametrize("report", [pytest.param(each, id=name) for name, each in kinds_of_reports().items()])
@pytest.mark.parametrize("width", [320, 360, 1280])
def test_the_verdict_is_seen_and_nothing_is_wider_than_the_screen(
    browser: Browser, report: Report, width: int
) -> None:
    browser.open(report, size=(width, 740))
    assert browser.find("h1").is_displayed()
    assert browser.find(".answer").is_displayed()
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for graded in report.graded:
        assert graded.verdict in browser.text("#verdict ~ table")
    assert browser.run(OUTSIDE) == [0, []]
    assert browser.console() == []


def test_only_the_file_itself_is_asked_for(browser: Browser, size: tuple[int, int]) -> None:
    browser.open(example_report(), size=size)
    browser.find("#go-last").click()
    asked = [each for each in browser.requests() if each != "data:,"]
    assert [each.rpartition("/")[2] for each in asked] == ["report.html"]
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def test_the_page_runs_no_script_and_no_style_but_its_own(browser: Browser) -> None:
    browser.open(example_report())
    for attempt in (
        "const made = document.createElement('script'); made.text = arguments[0]; document.body.append(made)",
        "document.body.innerHTML = `<img src=x onerror='${arguments[0]}'>`",
        "document.body.setAttribute('onclick', arguments[0]); document.body.click()",
    ):
        browser.run(f"try {{ {attempt} }} catch (error) {{ }}", "window.pwned = 1")
    browser.run("document.body.setAttribute('style', 'color: rgb(1, 2, 3)')")
    assert browser.run("return getComputedStyle(document.body).color") != "rgb(1, 2, 3)"
    assert browser.run("return window.pwned") is None
    assert len(browser.console()) == 4


def test_a_game_is_stepped_by_keys(browser: Browser, size: tuple[int, int]) -> None:
    record = example_report().graded[0].lost_games[0].record
    browser.open(example_report(), size=size)
    board, last = browser.find("#board"), len(record.moves)
    assert step_of(browser).startswith("The start.")
    for key, step in ((Keys.RIGHT, 1), (Keys.RIGHT, 2), (Keys.LEFT, 1), (Keys.END, last), (Keys.RIGHT, last)):
        board.send_keys(key)
        assert step_of(browser).startswith(f"Move {step} of {last}:")
        assert browser.run(MARKED, ".last") == [cell(record, record.moves[step - 1])]
    for key in (Keys.HOME, Keys.LEFT):
        board.send_keys(key)
        assert step_of(browser).startswith("The start.")
        assert browser.run(MARKED, ".last") == []


def cell(record: GameRecord, place: tuple[int, int]) -> int:
    return place[0] * record.width + place[1]


def test_a_game_is_stepped_by_buttons_that_keep_the_focus(browser: Browser, size: tuple[int, int]) -> None:
    game = example_report().graded[0].lost_games[0]
    browser.open(example_report(), size=size)
    last, turning = len(game.record.moves), game.turning
    assert turning is not None
    for name, step in (
        ("go-on", 1),
        ("go-last", last),
        ("go-on", last),
        ("go-back", last - 1),
        ("go-turning", turning + 1),
    ):
        browser.find(f"#{name}").click()
        assert step_of(browser).startswith(f"Move {step} of {last}:")
        assert browser.run("return document.activeElement.id") == name
    assert browser.text("#turning") == "This is the losing move."
    browser.find("#go-back").click()
    assert browser.text("#turning").startswith("The next move loses")
    browser.find("#go-first").click()
    assert step_of(browser).startswith("The start.")
    assert browser.text("#turning") == ""


def test_without_a_known_losing_move_there_is_no_button_for_it(browser: Browser) -> None:
    browser.open(with_game(game_on("7x7 7/7/7/7/7/7/7 - - 1")))
    assert not browser.find("#go-turning").is_displayed()


@pytest.mark.parametrize(
    "start",
    [
        "3x3 3/3/3 - - 1",
        "4x6 4/4/1x2/4/4/4 - - 2",
        "7x7 x6/7/7/3x3/7/7/6x 0,0 6,6 2",
        "12x9 12/12/12/12/12/12/12/12/12 - - 1",
    ],
)
def test_the_viewer_shows_the_positions_of_the_engine(browser: Browser, start: str) -> None:
    record = game_on(start)
    browser.open(with_game(record))
    boards = list(record.boards())
    for step, board in enumerate(boards):
        blank = set(board.get_blank_spaces())
        cells = [(row, column) for row in range(board.height) for column in range(board.width)]
        used = [cell(record, each) for each in cells if each not in blank]
        assert browser.run(MARKED, ".cell.used") == used
        legal = sorted(cell(record, each) for each in board.get_legal_moves())
        assert sorted(browser.run(MARKED, ".legal")) == legal
        for number in (1, 2):
            place = board.get_player_location(f"player {number}")
            expected = [] if place is None else [cell(record, place)]
            assert browser.run(MARKED, f".player-{number}") == expected
        if step:
            assert f"has {len(legal)} legal" in step_of(browser)
        browser.find("#go-on").click()


def test_value_depth_and_nodes_are_told_of_each_move_that_has_them(browser: Browser) -> None:
    browser.open(with_game(game_on("3x3 3/3/3 - - 1"), turning=0))
    told = []
    for _ in range(3):
        browser.find("#go-on").click()
        told.append(browser.text("#searched"))
    assert told == [
        "Its search: value −∞ for player 1, depth 7, 1,234 nodes.",
        "Its search: depth 7, 1,234 nodes.",
        "Its search: value 2.5 for player 1, depth 7, 1,234 nodes.",
    ]


def test_another_heuristic_opponent_or_game_is_chosen_from_lists(
    browser: Browser, size: tuple[int, int]
) -> None:
    report = example_report()
    browser.open(report, size=size)
    graded = report.graded[1]
    Select(browser.find("#choose-heuristic")).select_by_visible_text(graded.name)
    assert f"is {graded.name}" in browser.text("#players")
    opponents = list(dict.fromkeys(each.opponent for each in graded.lost_games))
    chosen = Select(browser.find("#choose-opponent"))
    assert [each.text for each in chosen.options] == opponents
    chosen.select_by_visible_text(opponents[-1])
    games = [each for each in graded.lost_games if each.opponent == opponents[-1]]
    list_of_games = Select(browser.find("#choose-game"))
    assert len(list_of_games.options) == len(games)
    list_of_games.select_by_index(len(games) - 1)
    assert step_of(browser).endswith(f"{len(games[-1].record.moves)} moves follow.")
    # Arrows are the list's own there.
    browser.find("#choose-game").send_keys(Keys.RIGHT)
    assert "moves follow" in step_of(browser)


def test_the_page_opens_on_the_first_game_with_a_losing_move_and_marks_such_games(browser: Browser) -> None:
    report = example_report()
    graded = report.graded[1]
    by_opponent = {each.opponent: each for each in graded.lost_games}
    other, telling = list(by_opponent)[:2]
    lost = [
        replace(each, losing=None) if each.opponent == other or each is not by_opponent[telling] else each
        for each in graded.lost_games
    ]
    browser.open(replace(report, graded=(replace(graded, lost_games=tuple(lost)),)))
    assert Select(browser.find("#choose-opponent")).first_selected_option.text == telling
    games = Select(browser.find("#choose-game"))
    marked = [each.text for each in games.options if "✗ losing move" in each.text]
    assert marked == [games.first_selected_option.text]
    assert browser.find("#go-turning").is_displayed()


def test_a_cut_list_of_games_says_so(browser: Browser) -> None:
    report = example_report()
    many = report.graded[0].lost_games * 10
    browser.open(replace(report, graded=(replace(report.graded[0], lost_games=many),)))
    assert browser.text("#cut") == f"The first 200 of {len(many)} lost games are here."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["whole", "partial", "hostile", "not loaded"])
def test_every_text_has_contrast(browser: Browser, size: tuple[int, int], scheme: str, name: str) -> None:
    browser.open(kinds_of_reports()[name], size=size, prefers_color_scheme=scheme)
    found = browser.run(CONTRASTS)
    assert len(found) > 10
    assert [each for each in found if each[0] < 4.5] == []


def test_the_page_is_dark_where_that_is_preferred(browser: Browser) -> None:
    def lightness(scheme: str) -> int:
        browser.open(example_report(), prefers_color_scheme=scheme)
        colour = browser.run("return getComputedStyle(document.body).backgroundColor")
        return sum(int(each) for each in re.findall(r"\d+", colour)[:3])

    assert lightness("dark") < 150 < 600 < lightness("light")


def test_nothing_of_a_submission_becomes_markup_or_runs(browser: Browser) -> None:
    counts: list[Any] = []
    for text in ("harmless", MARKUP, HOSTILE):
        browser.open(hostile(example_report(), text))
        for button in ("go-last", "go-back", "go-turning"):
            browser.find(f"#{button}").click()
        counts.append(browser.run(ENTITIES))
        assert browser.run("return window.pwned") is None
        assert browser.console() == []
    assert counts[0][:2] == [2, 0]
    assert counts == [counts[0]] * 3


def test_tabs_go_through_all_that_can_be_used_in_order_and_show_where_they_are(browser: Browser) -> None:
    browser.open(with_game(game_on("3x3 3/3/3 - - 1"), turning=0))
    wanted = browser.run(
        "window.wanted = [...document.querySelectorAll(arguments[0])];"
        "window.wanted = window.wanted.filter((each) => each.checkVisibility());"
        "return window.wanted.length",
        FOCUSABLE,
    )
    for number in range(wanted):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        assert browser.run("return window.wanted.indexOf(document.activeElement)") == number
        assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_every_control_has_a_name_and_the_step_is_announced(browser: Browser) -> None:
    browser.open(example_report())
    for selector in ("select", "button", "#board", "pre", "section", "nav"):
        for element in browser.driver.find_elements("css selector", selector):
            assert element.accessible_name or not element.is_displayed()
    assert browser.find("#told").get_attribute("aria-live") == "polite"
    assert browser.find("#board svg").accessible_name.startswith("Board of 7 rows and 7 columns: ")


def test_all_but_the_replays_is_there_without_a_script(browser: Browser, size: tuple[int, int]) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(example_report(), size=size)
        assert "better" in browser.text("#verdict ~ table")
        assert browser.find("#heuristic-1").is_displayed()
        assert not browser.find("#viewer").is_displayed()
        assert "Enable JavaScript to step" in browser.text("#replay-section")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_paper_has_the_verdict_and_leaves_the_viewer_out(browser: Browser) -> None:
    browser.open(example_report())
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.find("h1").is_displayed()
    assert not browser.find("#viewer").is_displayed()
