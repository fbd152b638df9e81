"""A tournament's result as rows: plain numbers for programs, percent for people, and as in the course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.output import DATA_FORMATS, Cell
from isolation_fast.statistics import EloDifference, Interval
from isolation_fast.text import counted

if TYPE_CHECKING:
    from isolation_fast.tournament.results import PlayerResult, Score, TournamentResult
    from isolation_fast.tournament.thrown import ThrownWins

DATA_HEADERS: Final = (
    *("player", "opponent", "games", "won", "lost", "rate", "low", "high"),
    *("elo", "elo_low", "elo_high", "superiority"),
)
INTERVAL: Final = "95 % interval"
THROWN: Final = (
    *("won_positions", "thrown_away", "unknown_positions"),
    *("thrown_rate", "thrown_low", "thrown_high"),
)
"""Columns in data of won positions thrown away; after these, the same with each stage in its name."""


def data_headers(result: TournamentResult) -> tuple[str, ...]:
    """The columns of `data_rows`."""
    if result.thrown is None:
        return DATA_HEADERS
    stages = (_cells_of(each).replace("-", "_") for each in result.thrown.stages)
    return *DATA_HEADERS, *THROWN, *(f"{name}_{each}" for each in stages for name in THROWN)


def table(result: TournamentResult, form: str = "simple") -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Headers and rows for `print_table`, in the format chosen with `--format`."""
    if form in DATA_FORMATS:
        return data_headers(result), data_rows(result)
    return {"match": _match, "round robin": _round_robin, "gauntlet": _gauntlet}[result.format](result)


def data_rows(result: TournamentResult) -> list[list[Cell]]:
    """A row for each player and opponent, then one for the player against several, without an opponent."""
    rows: list[list[Cell]] = []
    for player in result.players:
        for score in player.scores:
            pairs = score.head_to_head
            ends = _ends(score, pairs.elo if pairs else None)
            superiority = pairs.superiority if pairs else None
            rows.append([player.name, score.opponent, *ends, superiority, *_thrown_data(score.thrown)])
        if len(player.scores) != 1:
            rows.append([player.name, None, *_ends(player, player.elo), None, *_thrown_data(player.thrown)])
    return rows


def _thrown_data(thrown: ThrownWins | None) -> list[Cell]:
    if thrown is None:
        return []
    cells: list[Cell] = []
    for each in (thrown, *thrown.stages.values()):
        ends = (each.interval.low, each.interval.high) if each.interval else (None, None)
        cells += [each.moves, each.thrown, each.unknown, each.rate, *ends]
    return cells


def thrown_table(result: TournamentResult) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Headers and rows of the won positions that each player threw away, in all and by blank cells."""
    rows: list[list[Cell]] = []
    has_unknown = any(each.thrown is not None and each.thrown.unknown for each in result.players)
    for player in result.players:
        if player.thrown is None:
            continue
        for stage, each in {"all": player.thrown, **player.thrown.stages}.items():
            unknown = [each.unknown] if has_unknown else []
            counts = [each.moves, each.thrown, *unknown, _percent(each.rate), _interval(each.interval)]
            rows.append([player.name, _cells_of(stage), *counts])
    unknown_header = ("unknown",) if has_unknown else ()
    return ("player", "blank", "won positions", "thrown away", *unknown_header, "share", INTERVAL), rows


def _cells_of(stage: str) -> str:
    """The number of blank cells of a stage in words."""
    return stage.removesuffix(" blank")


def notes(result: TournamentResult) -> Iterator[str]:
    """The lines below the table: what was played, which players are broken, what was decided."""
    openings = f"{result.openings} opening{'' if result.openings == 1 else 's'}"
    # A decided test ends the tournament.
    so_far = "" if result.is_complete or result.is_decided else f" so far, of {result.planned_openings:,}"
    whole = 2 * result.openings * len(result.pairings)
    if result.games == whole:
        yield f"{result.games:,} games on {openings}{so_far}, each from both sides"
    else:
        yield f"{result.games:,} of the {whole:,} games on {openings}{so_far} count, as a player is broken"
    yield from map(str, result.sequential)
    for entrant in result.plan["entrants"]:
        yield from _forms_of(entrant)
    for each in result.entrants:
        yield from _notes_of(each)
    if result.has_submissions and result.limits is None:
        yield "players of files ran outside the jail"
    elif result.has_submissions and result.jail is not None:
        lacking = f", without: {', '.join(result.jail.missing)}" if result.jail.missing else ""
        yield f"players of files ran in the jail ({result.jail.name}{lacking})"
    if not result.reproducible:
        yield "a clock decided something: another run may give other results"


def _forms_of(entrant: Mapping[str, Any]) -> Iterator[str]:
    """Whether the work of a heuristic that is Python's is counted, or why it is not."""
    if "prices" in entrant:
        yield f"{entrant['name']} played as a program: its work was counted"
    elif entrant.get("timed"):
        yield f"{entrant['name']} was timed: {entrant['timed']}"


def _notes_of(player: PlayerResult) -> Iterator[str]:
    for ending, count in player.endings.items():
        if ending != "no moves":
            last = [fault.detail for fault in player.faults if fault.ending == ending][-1]
            yield f"{player.name} lost {counted(count, 'game')} by {ending!r}" + (f": {last}" if last else "")
    if player.nans:
        times = "once" if player.nans == 1 else f"{player.nans:,} times"
        yield f"{player.name} returned NaN {times}: a search never prefers it to another score"
    if player.is_broken:
        yield f"{player.name} is broken: its games after the third such loss do not count"


def classic_table(result: TournamentResult) -> str:
    """The table that the course's `tournament.py` prints: a row an opponent, a column a test player."""
    columns = result.players[:1] if result.format == "match" else result.players
    opponents = [score.opponent for score in columns[0].scores]
    if any([score.opponent for score in each.scores] != opponents for each in columns):
        raise InvalidArgumentError(
            f"the classic table is for test players against the same opponents, not for a {result.format}"
        )
    digits = max((len(str(score.games)) for each in columns for score in each.scores), default=1)
    # 13 characters a column, as in the course, unless a name or a number needs more.
    widths = [max(13, len(each.name) + 2, 2 * digits + 3) for each in columns]
    first = max(13, *(len(each) + 2 for each in opponents))
    lines = [
        f"{'Match #':^9}{'Opponent':^{first}}" + _centred([each.name for each in columns], widths),
        " " * (9 + first) + "".join(_won_lost("Won", "Lost", width) for width in widths),
    ]
    for number, opponent in enumerate(opponents):
        scores = [each.scores[number] for each in columns]
        cells = [_won_lost(each.won, each.lost, width) for each, width in zip(scores, widths, strict=True)]
        lines.append(f"{number + 1:^9}{opponent:^{first}}" + "".join(cells))
    lines.append("-" * (9 + first + sum(widths)))
    rates = ["-" if each.rate is None else f"{100 * each.rate:.1f}%" for each in columns]
    lines.append(f"{'':9}{'Win Rate:':^{first}}" + _centred(rates, widths))
    return "\n".join(line.rstrip() for line in lines)


def _centred(words: list[str], widths: list[int]) -> str:
    return "".join(f"{word:^{width}}" for word, width in zip(words, widths, strict=True))


def _won_lost(won: int | str, lost: int | str, width: int) -> str:
    half = (width - 3) // 2
    return f" {won:^{half}}| {lost:^{width - 3 - half}}"


def _gauntlet(result: TournamentResult) -> tuple[tuple[str, ...], list[list[Cell]]]:
    rows: list[list[Cell]] = []
    for player in result.players:
        rows += [[player.name, score.opponent, *_counts(score)] for score in player.scores]
        if len(player.scores) > 1:
            rows.append([player.name, "all", *_counts(player)])
    return ("player", "opponent", "won", "lost", "rate", INTERVAL), rows


def _match(result: TournamentResult) -> tuple[tuple[str, ...], list[list[Cell]]]:
    player = result.players[0]
    rows: list[list[Cell]] = []
    for score in player.scores:
        pairs = score.head_to_head
        elo = pairs.elo if pairs else None
        # One pair says nothing of it.
        superiority = _percent(pairs.superiority) if pairs and pairs.pairs > 1 else "-"
        rows.append([player.name, score.opponent, *_counts(score), _elo(elo), superiority])
    return ("player", "opponent", "won", "lost", "rate", INTERVAL, "Elo", "LOS"), rows


def _round_robin(result: TournamentResult) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """The ranking, and after it a column for each opponent, in percent."""
    ranking = result.ranking()
    rows: list[list[Cell]] = []
    for rank, player in enumerate(ranking, start=1):
        rates = {score.opponent: score.rate for score in player.scores}
        against = [_percent(rates.get(other.name), "") for other in ranking]
        rows.append([rank, player.name, *_counts(player), _elo(player.elo), *against])
    headers = ("#", "player", "won", "lost", "rate", INTERVAL, "Elo", *(each.name for each in ranking))
    return headers, rows


def _counts(score: Score | PlayerResult) -> list[Cell]:
    return [score.won, score.lost, _percent(score.rate), _interval(score.interval)]


def _interval(interval: Interval | None) -> str:
    # From 0 to 100 % is what was known before.
    known = interval if interval and interval.high - interval.low < 1.0 else None
    return f"{100 * known.low:.1f} to {100 * known.high:.1f} %" if known else "-"


def _percent(rate: float | None, unit: str = " %") -> str | None:
    return None if rate is None else f"{100 * rate:.1f}{unit}"


def _elo(elo: EloDifference | None) -> str:
    if elo is not None and elo.value is not None and elo.error is not None:
        return f"{elo.value:+.0f} ± {elo.error:.0f}"
    if elo is not None and elo.low is not None:
        return f"above {elo.low:+.0f}"
    return f"below {elo.high:+.0f}" if elo is not None and elo.high is not None else "-"


def _ends(found: Score | PlayerResult, elo: EloDifference | None) -> list[Cell]:
    ends = (found.interval.low, found.interval.high) if found.interval else (None, None)
    points = (elo.value, elo.low, elo.high) if elo else (None, None, None)
    return [found.games, found.won, found.lost, found.rate, *ends, *points]
