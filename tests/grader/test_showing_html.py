"""The page of a report, as text: whole for every report, well-formed, with no markup of a submission's."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hostile_report import HOSTILE, hostile, kinds_of_reports
from report_examples import example_report

from isolation_grader.lost_games import LosingMove, LostGame
from isolation_grader.report import Report
from isolation_grader.showing.html import MOST_GAMES, replays, text

VOID = {"meta", "link", "br"}
LOADING = {"src", "srcset", "href", "data", "action", "formaction", "poster", "background", "xlink:href"}


class Page(HTMLParser):
    """The elements of a page, in order; an AssertionError where one is closed that is not open."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in <{tag}>"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def words(self) -> str:
        """What people read."""
        shown = (
            part for tag, parts in self.texts.items() if tag not in ("script", "style") for part in parts
        )
        return " ".join(" ".join(shown).split())


def reports() -> list[Any]:
    return [pytest.param(report, id=name) for name, report in kinds_of_reports().items()]


@pytest.mark.parametrize("report", reports())
def test_every_report_has_a_page_that_is_well_formed(report: Report) -> None:
    page = Page(text(report))
    assert page.count("h1") == page.count("main") == page.count("header") == 1
    ids = [str(attributes["id"]) for _, attributes in page.elements if "id" in attributes]
    assert sorted(ids) == sorted(set(ids))
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "for"):
            assert attributes.get(name, ids[0]) in ids
        target = attributes.get("href") or ""
        assert not target.startswith("#") or target[1:] in ids


@pytest.mark.parametrize("report", reports())
def test_headings_go_down_one_level_at_a_time(report: Report) -> None:
    levels = [int(tag[1]) for tag, _ in Page(text(report)).elements if tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


@pytest.mark.parametrize("report", reports())
def test_no_page_loads_or_embeds_anything(report: Report) -> None:
    page = Page(text(report))
    for _, attributes in page.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in LOADING & set(attributes):
            assert str(attributes[name]).startswith("#") or attributes[name] == "data:,"
    assert not {"img", "iframe", "object", "embed", "video", "audio", "base"} & {
        tag for tag, _ in page.elements
    }
    assert "url(" not in "".join(page.texts["style"])
    assert "@import" not in "".join(page.texts["style"])


@pytest.mark.parametrize("report", reports())
def test_only_the_script_and_the_style_of_the_page_may_run(report: Report) -> None:
    page = Page(text(report))
    (meta,) = [
        each for each in page.attributes("meta") if each.get("http-equiv") == "Content-Security-Policy"
    ]
    policy = dict(each.split(maxsplit=1) for each in str(meta["content"]).split("; "))
    assert policy["default-src"] == "'none'"
    data, script = page.texts["script"]
    assert [each.get("type") for each in page.attributes("script")] == ["application/json", None]
    assert policy["script-src"] == csp_hash(script)
    (style,) = page.texts["style"]
    assert policy["style-src"] == csp_hash(style)
    assert json.loads(data) == replays(report)


def csp_hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def test_what_a_submission_writes_makes_no_element_and_no_control_character() -> None:
    page = text(hostile(example_report(), HOSTILE))
    assert "<script>alert" not in page
    assert all(each == "\n" or each.isprintable() or each == "\u00a0" for each in page)
    plain, marked = Page(text(hostile(example_report(), "harmless"))), Page(page)
    assert [tag for tag, _ in marked.elements] == [tag for tag, _ in plain.elements]
    assert "<script>alert(1)</script>" in marked.words
    page.encode("utf-8")


@pytest.mark.parametrize("report", reports())
def test_every_page_says_the_verdicts_and_all_that_they_depend_on(report: Report) -> None:
    words = Page(text(report)).words
    known = [each.grading.terms.work for each in report.graded if each.grading.terms]
    terms = report.question.terms(known[0] if known else "timed" if report.plays == "players" else "counted")
    for each in (
        f"alpha = {100 * terms.alpha:g} %",
        f"beta = {100 * terms.beta:g} %",
        f"{terms.points:g} points",
        f"reads at most {terms.blocks} blocks",
        report.budget,
        f"{report.roster} roster",
        report.sandbox.name,
        "secret" if report.seed is None else str(report.seed),
        report.version,
        report.digest,
    ):
        assert each in words
    for graded in report.graded:
        assert graded.verdict in words
    assert ("Not complete." in words) == (not report.is_complete)
    assert ("Not reproducible." in words) == (not report.reproducible)


def test_costs_errors_advice_and_times_are_on_the_page() -> None:
    words = Page(text(example_report())).words
    for each in (
        "1.25, counted in its games",
        "3.05, timed in its games",
        "ZeroDivisionError: division by zero (game_agent.py:6 in custom_score_4)",
        'File "game_agent.py", line 6, in custom_score_4',
        "Play on: <b>it is better</b>.",
        r"<i>hello\x1b",
        "0.35 ms",
    ):
        assert each in words


def test_no_more_games_are_kept_than_a_page_can_hold_and_the_first_are() -> None:
    report = example_report()
    games = report.graded[0].lost_games
    many = games * (1 + MOST_GAMES // len(games))
    (first, *_) = replays(replace(report, graded=(replace(report.graded[0], lost_games=many),)))
    assert first["lost"] == len(many) > MOST_GAMES == len(first["games"])
    assert first["games"][: len(games)] == replays(report)[0]["games"]


def alone(games: list[LostGame]) -> Report:
    """A report of one heuristic that lost these games."""
    report = example_report()
    return replace(report, graded=(replace(report.graded[3], lost_games=tuple(games)),))


def test_a_record_that_is_no_game_is_named_but_neither_drawn_nor_replayed() -> None:
    game = example_report().graded[3].lost_games[0]
    nonsense = replace(game, opponent="Nobody", record=replace(game.record, start="nonsense"))
    (whole,) = replays(alone([game, game]))
    (member,) = replays(alone([game, nonsense]))
    assert (whole["lost"], len(whole["games"])) == (2, 2)
    assert member["lost"] == 2
    assert member["games"] == whole["games"][:1]
    page = Page(text(alone([game, nonsense])))
    assert "raised, against Nobody, opening 0, as player" in page.words
    assert "nonsense" in page.texts["code"]
    drawn = [each for each in page.attributes("div") if each.get("class") == "board"]
    assert len(drawn) == 1 + 1  # of the one game, and that of the replays


def test_a_move_off_the_board_is_not_drawn_and_fails_nothing() -> None:
    game = example_report().graded[3].lost_games[0]
    odd = replace(game, record=replace(game.record, moves=((90, 90), *game.record.moves[1:])))
    page = Page(text(alone([odd])))
    assert game.record.start in page.texts["code"]
    drawn = [each for each in page.attributes("div") if each.get("class") == "board"]
    assert len(drawn) == 0 + 1  # that of the replays


def test_what_is_no_number_of_a_search_is_left_out_of_a_replay() -> None:
    game = example_report().graded[3].lost_games[0]
    count = len(game.record.moves)
    for value, shown in ((float("nan"), None), (10**400, "∞"), (-(10**400), "-∞"), (0.123456, 0.1235)):
        odd = replace(game, record=replace(game.record, values=(value,) * count))
        page = Page(text(alone([odd])))
        ((replay,),) = (each["games"] for each in json.loads(page.texts["script"][0]))
        assert replay["values"] == [shown] * count


def test_a_losing_move_that_is_no_move_of_the_game_is_left_out_of_its_replay() -> None:
    game = example_report().graded[0].lost_games[0]
    for turning, kept in ((10_000, None), (-1, None), (len(game.record.moves), None), (0, 0)):
        losing = LosingMove(turning + 1, (0, 0), (), blank=20)
        page = Page(text(alone([replace(game, losing=losing)])))
        ((replay,),) = (each["games"] for each in json.loads(page.texts["script"][0]))
        assert replay["turning"] == kept


def test_a_replay_holds_the_start_and_the_moves_of_its_game() -> None:
    report = example_report()
    for member, graded in zip(replays(report), report.graded, strict=True):
        for replay, game in zip(member["games"], graded.lost_games, strict=True):
            assert_same_game(replay, game)


def assert_same_game(replay: dict[str, Any], game: LostGame) -> None:
    record, start = game.record, replay["start"]
    board = next(record.boards())
    cells = [divmod(cell, start["width"]) for cell in range(start["width"] * start["height"])]
    assert [cells[each] for each in replay["moves"]] == list(record.moves)
    blank = set(board.get_blank_spaces())
    assert [cells[each] for each in start["used"]] == [cell for cell in cells if cell not in blank]
    assert start["first"] == record.mover(0)
    assert (replay["against"], replay["me"], replay["turning"]) == (game.opponent, game.player, game.turning)
    assert len(replay["values"]) == len(replay["depths"]) == len(replay["nodes"]) == len(record.moves)
