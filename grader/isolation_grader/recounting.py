"""A report's figures once more, from the recorded games of its journal: nothing is played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any, Final, TypeAlias

from isolation_fast import Budget, InvalidRecordError, IsolationError
from isolation_fast.programs import program_of
from isolation_fast.statistics import Difference, difference_to_baseline
from isolation_fast.tournament import (
    ChunkResult,
    CountedEntrant,
    GameRecord,
    Gauntlet,
    NativeEntrant,
    Plan,
    RandomOpenings,
    SubmissionEntrant,
    merge,
)
from isolation_grader.exceptions import UsageError
from isolation_grader.options import Terms
from isolation_grader.report import SCHEMA, Document, Verdict
from isolation_grader.trial import VERDICTS, sequential_test

NO_JOURNAL: Final = "there is no journal of its games: --journal keeps one, and --keep-games that of a class"
NOT_PLAYED: Final = b"\2"
"""In the outcomes of a chunk, after the games that were played."""
UNUSABLE: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RecursionError,
    IsolationError,
)
Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recount(Document):
    """What the recorded games of a heuristic say, beside what the report says of it."""

    name: str
    games: int = 0
    won: int = 0
    openings: int = 0
    verdict: Verdict = "not graded"
    difference: Difference | None = None
    faults: tuple[str, ...] = ()
    """The games that it lost otherwise than for want of a move: who was at fault no record can prove."""
    problem: str | None = None
    """What is wrong with the records, or differs from the report; None where all agrees."""


def recount(report: Json, journal: Path) -> list[Recount]:
    """Check each recorded game that a report rests on, and compute its figures anew."""
    try:
        if report["schema"] != SCHEMA:
            raise UsageError(f"the report's schema is {report['schema']!r}, and not {SCHEMA!r}")
        if report["seed"] is None:
            raise UsageError("the report has no seed", "take the JSON that staff have: --write json=FILE")
        files = sorted(each for each in journal.glob("*.jsonl") if not each.name.endswith(".uses.jsonl"))
        headers = [(each, header) for each in files if (header := _header(each)) is not None]
        return [_recounted(each, report, headers) for each in report["graded"] if each["grading"]["games"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"the report is none of `check`: {error!r}") from error
    except OSError as error:
        raise UsageError(f"the journal cannot be read: {journal}: {error.strerror}") from error


def _header(path: Path) -> Json | None:
    with path.open("rb") as file:
        try:
            plan = json.loads(file.readline())["plan"]
        except UNUSABLE:
            return None
    return plan if isinstance(plan, dict) else None


def _recounted(graded: Json, report: Json, headers: Sequence[tuple[Path, Json]]) -> Recount:
    """Of the journals that are of its games that which agrees, else the first."""
    name = graded["name"]
    found = [
        _of_journal(path, plan, graded, report) for path, plan in headers if _is_of(plan, graded, report)
    ]
    missing = Recount(name, problem=NO_JOURNAL)
    return next((each for each in found if each.problem is None), found[0] if found else missing)


def _is_of(plan: Json, graded: Json, report: Json) -> bool:
    # A report that was interrupted has no program yet: its terms say how it played.
    work = graded["grading"]["terms"]["work"]
    tested, kind = plan["entrants"][0], CountedEntrant if work == "counted" else SubmissionEntrant
    is_same = (tested["name"], tested["type"], plan["seed"]) == (
        graded["name"],
        kind.__name__,
        report["seed"],
    )
    return is_same and graded["program"] in (None, tested.get("digest"))


def _of_journal(path: Path, described: Json, graded: Json, report: Json) -> Recount:
    name = graded["name"]
    try:
        terms = Terms(**graded["grading"]["terms"])
        plan = _plan(described, terms, report)
        chunks = [_chunk(plan, line) for line in _lines(path)]
        return _compared(_counted(plan, chunks, terms, report), graded)
    except UNUSABLE as error:
        return Recount(name, problem=f"{path.name}: {error}")


def _plan(described: Json, terms: Terms, report: Json) -> Plan:
    """The plan of the games, with stand-ins for the players: who they are the records say."""
    openings = RandomOpenings(terms.most_blocks, report["seed"])
    if described["openings"] != openings.described():
        raise ValueError(f"its openings are {described['openings']}, and not those of the report's seed")
    names = [each["name"] for each in described["entrants"]]
    if names[1:] != list(report["opponents"]):
        raise ValueError(f"its opponents are {', '.join(names[1:])}, and not the report's")
    # How the games were cut into chunks depends on what plays, and not on how.
    tested = (
        CountedEntrant(names[0], program_of(lambda _game, _player: 0.0), "", Budget(depth=1))
        if described["entrants"][0]["type"] == CountedEntrant.__name__
        else SubmissionEntrant(names[0], "", names[0], "")
    )
    opponents = [NativeEntrant(each, "random") for each in names[1:]]
    return Gauntlet(tested, opponents, openings=openings, seed=report["seed"], record=True).plan()


def _lines(path: Path) -> Iterator[Json]:
    with path.open("rb") as file:
        file.readline()
        for line in file:
            if line.endswith(b"\n"):  # a torn one is of a chunk that is played again
                yield json.loads(line)


def _chunk(plan: Plan, line: Json) -> ChunkResult:
    """The games of a line, by their records alone; a ValueError where one cannot have been played so."""
    number, pairing, first = line["chunk"], line["pairing"], line["opening"]
    both = plan.pairings[pairing]
    names = [plan.entrants[each].name for each in (both.first, both.second)]
    outcomes, endings = [], {}
    for game, content in enumerate(line["records"]):
        try:
            record = GameRecord.from_dict(content)  # each move is legal, and the loser had none
        except InvalidRecordError as error:
            raise ValueError(f"game {game + 1} of chunk {number}: {error}") from error
        opening, side = first + game // 2, game % 2
        players = (names[1], names[0]) if side else (names[0], names[1])
        found = (record.opening, record.side, record.players, record.start)
        if found != (opening, side, players, plan.openings[opening]):
            raise ValueError(
                f"game {game + 1} of chunk {number} is not that of its place in the plan: {found}"
            )
        outcomes.append(int(record.winner - 1 == side))
        if record.ending != "no moves":
            endings[game] = record.ending, record.detail
    played = bytes(outcomes) + NOT_PLAYED * (line["games"] - len(outcomes))
    return ChunkResult(number, pairing, first, played, endings)


def _counted(plan: Plan, chunks: Sequence[ChunkResult], terms: Terms, report: Json) -> Recount:
    """The figures that a grading makes of these games."""
    base = report["baseline"]
    test = sequential_test(terms, base["rate"], base["standard_error"])
    result = merge(plan, chunks, partial=True, sprt=test)
    [found] = result.sequential
    player = result.players[0]
    means = () if player.is_broken else player.block_means
    faults = (
        f"opening {each.opening} against {each.opponent} as player {1 if each.is_player_1 else 2}: {each}"
        for each in player.faults
    )
    return Recount(
        player.name,
        player.games,
        player.won,
        result.openings,
        "not graded" if player.is_broken else VERDICTS[found.result.decision],
        difference_to_baseline(means, baseline_rate=base["rate"], baseline_error=base["standard_error"])
        if means
        else None,
        tuple(faults),
    )


def _compared(found: Recount, graded: Json) -> Recount:
    """With the first figure in which the report differs."""
    grading = graded["grading"]
    wanted: dict[str, Any] = {"games": grading["games"], "won": grading["won"]}
    own: dict[str, Any] = {"games": found.games, "won": found.won}
    if graded["verdict"] != "not graded":  # which other facts than games may decide
        interval = grading["difference"]["interval"] if grading["difference"] else {}
        wanted |= {"verdict": graded["verdict"], **interval}
        own |= {"verdict": found.verdict}
        if found.difference is not None:
            own |= {each: getattr(found.difference.interval, each) for each in interval}
    for name, value in wanted.items():
        same = isclose(value, own[name]) if isinstance(value, float) else value == own.get(name)
        if not same:
            problem = f"the report says {name} {value}, and its games come to {own.get(name)}"
            return Recount(**{**_fields(found), "problem": problem})
    return found


def _fields(found: Recount) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Recount.__slots__}
