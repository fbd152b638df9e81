"""A report as a page: one file with all that it needs, for a browser, a projector or a printer.

The templates take their words from `isolation_grader.showing.wording`; this module gives them what is drawn,
the games to replay, and the policy that lets nothing else load or run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, inf, isfinite, isnan
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from isolation_fast import Board, IsolationError
from isolation_fast.output import visible
from isolation_fast.statistics import Difference, Interval
from isolation_grader.lost_games import LostGame
from isolation_grader.report import GradingTimings, Report, Verdict
from isolation_grader.showing import wording

MARKS: Final[dict[Verdict, str]] = {"better": "✓", "not better": "✗", "undecided": "?", "not graded": "!"}
"""A sign for each verdict, so that none is told apart by colour alone."""
MOST_GAMES: Final = 200
"""Replays of each heuristic: all would make a page of megabytes."""
MOST_ERRORS: Final = 10
"""Errors drawn of each heuristic; three end it."""
BOARD_SIZE: Final = 320
"""Pixels of a drawn board: the width of the narrowest screen."""
STEP: Final = 5
"""Points between two marks of the axis of differences, where it is short."""
WIDEST: Final = 8
"""Steps of an axis, at most."""
SCRIPTS: Final = ("solver.js", "board.js", "replay.js")
"""The page's script, in parts."""
# What would end the element that holds the data, or begin another; and ends of lines to JavaScript of old.
ESCAPES: Final = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def text(report: Report) -> str:
    """The page, whole.

    What a submission printed or named is text in it: escaped, and with its control characters written out. No
    script runs but the page's own, whose hash the page carries.
    """
    differences = [each.grading.difference for each in report.graded]
    return page(
        "page.html.jinja",
        "\n".join(map(_source, SCRIPTS)),
        report=report,
        wanted=report.question.points,
        axis=axis_of([each for each in differences if each], report.question.points),
        has_differences=any(differences),
        base={each.opponent: each for each in report.baseline.scores} if report.baseline else {},
        lost=sum(len(each.lost_games) for each in report.graded),
        parts_of_time=_parts(report.timings),
        replays=_json(replays(report)),
    )


def page(template: str, script: str = "", **values: Any) -> str:
    """A template as a page of its own, with this script and no other, and with our style."""
    style = _source("style.css")
    policy = _policy(style, script)
    return rendered(template, policy=policy, style=Markup(style), script=Markup(script), **values)


def rendered(template: str, **values: Any) -> str:
    """A template, or a part of a page, with these values: text in it is escaped."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("isolation_grader.showing"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    drawn = {"bar": bar, "interval": _interval, "share": share, "board_of": _board}
    limits = {"MOST_GAMES": MOST_GAMES, "MOST_ERRORS": MOST_ERRORS}
    environment.globals |= {"words": wording, "MARKS": MARKS, **drawn, **limits}
    return environment


def _shown(value: object) -> object:
    """What stands in a template's braces, before it is escaped."""
    return visible(value) if isinstance(value, str | bytes) and not isinstance(value, Markup) else value


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    # A browser hashes what it has read, in which a line ends with one character whatever the file has.
    return "\n".join(source.splitlines())


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, sent or framed, and of style and script only these run."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(source: str) -> str:
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _json(content: Any) -> Markup:
    """As it may stand within a `script` element."""
    # Only escapes that JSON itself undoes, so that no text can end the element.
    return Markup(json.dumps(content, separators=(",", ":"), allow_nan=False).translate(ESCAPES))


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of games with its interval, drawn in units from 0 to 100."""

    end: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """From so many points to so many.

    >>> axis = Axis(-10, 10, 5)
    >>> axis.marks, axis.labels, axis.at(5)
    ((-10, -5, 0, 5, 10), ('-10', '-5', '0', '+5', '+10'), 75.0)
    """

    low: int
    high: int
    step: int

    @property
    def marks(self) -> tuple[int, ...]:
        """Where it is labelled."""
        return tuple(range(self.low, self.high + 1, self.step))

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each mark."""
        return tuple(f"{each:+d}" if each else "0" for each in self.marks)

    def at(self, points: float) -> float:
        """Where so many points are on it; its end for more."""
        return _within(100 * (points - self.low) / (self.high - self.low))


def axis_of(differences: Iterable[Difference], points: float) -> Axis:
    """One axis for all differences, the baseline and the points that were asked for.

    >>> axis_of([], 5.0)
    Axis(low=-10, high=10, step=5)
    """
    found = [100 * end for each in differences for end in (each.interval.low, each.interval.high)]
    ends = [each for each in (-10.0, 10.0, points, *found) if isfinite(each)]
    least, most = min(ends), max(ends)
    step = STEP
    while (most - least) / step > WIDEST:
        step *= 2
    return Axis(step * floor(least / step), step * ceil(most / step), step)


def share(part: float, whole: float) -> float:
    """A part of a whole; 0 of nothing.

    >>> share(1, 4), share(0, 0), share(float("nan"), 1)
    (25.0, 0.0, 0.0)
    """
    return _within(100 * part / whole) if whole else 0.0


def bar(rate: float | None, interval: Interval | None) -> Bar | None:
    """The bar of a rate; None where there is none.

    >>> bar(0.5, Interval(0.4, 0.61, 0.95))
    Bar(end=50.0, low=40.0, high=61.0)
    """
    if rate is None:
        return None
    if interval is None or interval.low + 1 <= interval.high:
        return Bar(share(rate, 1))
    return Bar(share(rate, 1), share(interval.low, 1), share(interval.high, 1))


def _within(value: float) -> float:
    return round(min(max(value, 0.0), 100.0), 2) if isfinite(value) else 0.0


def _interval(interval: Interval | None) -> str:
    """The ends of an interval; empty where it says nothing."""
    return wording.ends(interval).removeprefix(wording.NOTHING)


def _board(game: LostGame) -> tuple[str, Markup | None]:
    """The last position of a game, as text and drawn; not drawn for a record that is no game."""
    try:
        board = list(game.record.boards())[-1]
    except IsolationError:
        return game.record.start, None
    # Numbers and colours only: nothing of the submission's is in it.
    return board.to_text(), Markup(board.to_svg(size=BOARD_SIZE))


def _parts(timings: GradingTimings) -> list[tuple[str, float]]:
    """What took which time by the wall clock."""
    parts = [("loading the submission", timings.loading), ("measuring the baseline", timings.baseline)]
    return [*parts, *((f"{each.name}: playing", each.playing) for each in timings.members)]


def replays(report: Report) -> list[dict[str, Any]]:
    """The lost games of each heuristic, short, since there are many: the script makes the moves again.

    Cells are counted along the rows, from 0.
    """
    return [
        {
            "name": visible(each.name),
            "lost": len(each.lost_games),
            "games": [game for game in map(_game, each.lost_games[:MOST_GAMES]) if game is not None],
        }
        for each in report.graded
        if each.lost_games
    ]


def _game(game: LostGame) -> dict[str, Any] | None:
    """None for a record that is no game, which the grader does not make."""
    record, losing = game.record, game.losing
    try:
        start = _start(Board.from_text(record.start))
    except IsolationError:
        return None
    if losing is not None and not 1 <= losing.number <= len(record.moves):
        losing = None

    def cells(places: Sequence[tuple[int, int]]) -> list[int]:
        return [row * start["width"] + column for row, column in places]

    return {
        "against": visible(game.opponent),
        "called": wording.game_number(game),
        "me": game.player,
        "ending": visible(game.ending),
        "happened": visible(game.happened),
        "turning": None if losing is None else losing.number - 1,
        "instead": [] if losing is None else cells(losing.instead),
        # The first letter tells them apart.
        "verdicts": "".join(each[0] for each in game.verdicts),
        "start": start,
        "moves": cells(record.moves),
        "values": [_number(each) for each in record.values],
        "depths": list(record.depths),
        "nodes": list(record.nodes),
    }


def _start(board: Board) -> dict[str, Any]:
    width, height = board.width, board.height

    def index(cell: tuple[int, int] | None) -> int | None:
        return None if cell is None else cell[0] * width + cell[1]

    blank = {index(cell) for cell in board.get_blank_spaces()}
    return {
        "width": width,
        "height": height,
        "used": [cell for cell in range(width * height) if cell not in blank],
        "players": [index(board.get_player_location(f"player {number}")) for number in (1, 2)],
        "first": 1 if board.active_player == "player 1" else 2,
    }


def _number(value: float | None) -> float | str | None:
    """As a person reads it; JSON has no infinity."""
    if value is None:
        return None
    try:
        value = float(value)
    except OverflowError:
        value = inf if value > 0 else -inf
    if isnan(value):
        return None
    return float(f"{value:.4g}") if isfinite(value) else f"{'-' if value < 0 else ''}∞"
