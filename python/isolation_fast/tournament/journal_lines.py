"""A chunk as a line of a journal: what is written comes back, and nothing else is taken for a chunk."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any, Final

from isolation_fast.endings import ENDINGS, GameEnding
from isolation_fast.jail import Level
from isolation_fast.tournament.outcomes import NOT_PLAYED, ChunkResult
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.tally import place_of_chunk

__all__ = ["chunk_line", "chunk_of"]

PLACE: Final = ("opening", "pairing", "side")


def chunk_line(result: ChunkResult) -> dict[str, object]:
    """What a line says of a chunk: all but the times."""
    line: dict[str, object] = {
        "chunk": result.index,
        "pairing": result.pairing,
        "opening": result.first_opening,
        "games": len(result.outcomes),
        "won": b64encode(_packed(result.outcomes)).decode(),
        "nodes": result.nodes,
        "turns": result.turns,
    }
    if NOT_PLAYED in result.outcomes:
        line["played"] = result.outcomes.index(NOT_PLAYED)
    if result.endings:
        line["endings"] = {str(game): ending for game, ending in sorted(result.endings.items())}
    if not result.reproducible:
        line["reproducible"] = False
        line["clock_from"] = result.clock_from
    if result.jail is not None:
        line["jail"] = result.jail.to_dict()
    if result.records is not None:
        line["records"] = result.records
    return line


def chunk_of(line: object, plan: Plan) -> ChunkResult:
    """The chunk of a line; a ValueError says what is wrong with it."""
    if not isinstance(line, dict):
        raise ValueError("it is no JSON object")
    index = _count(line, "chunk", plan.chunk_count - 1)
    first_opening, openings = place_of_chunk(plan, index)
    pairing = index % len(plan.pairings)
    for name, wanted in (("pairing", pairing), ("opening", first_opening), ("games", 2 * openings)):
        if _count(line, name, wanted) != wanted:
            raise ValueError(f"{name} is {line[name]} and not {wanted}, as of chunk {index}")
    games = 2 * openings
    played = _count({"played": games, **line}, "played", games)
    won, reproducible = line.get("won"), line.get("reproducible", True)
    if not isinstance(won, str) or not isinstance(reproducible, bool):
        raise ValueError("won is no text, or reproducible neither true nor false")
    outcomes = _unpacked(b64decode(won, validate=True), played) + bytes([NOT_PLAYED]) * (games - played)
    return ChunkResult(
        index,
        pairing,
        first_opening,
        outcomes,
        _endings(line.get("endings", {}), games),
        _two_counts(line, "nodes"),
        _two_counts(line, "turns"),
        reproducible,
        _records(line.get("records"), plan),
        clock_from=_count({"clock_from": 0, **line}, "clock_from", games),
        jail=_level(line.get("jail")),
    )


def _count(line: Mapping[str, Any], name: str, most: int | None = None) -> int:
    value = line.get(name)
    if type(value) is not int or value < 0 or (most is not None and value > most):
        raise ValueError(f"{name} is {value!r}")
    return value


def _two_counts(line: Mapping[str, Any], name: str) -> tuple[int, int]:
    value = line.get(name)
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{name} is {value!r}")
    first, second = value
    return _count({name: first}, name), _count({name: second}, name)


def _endings(value: object, games: int) -> dict[int, tuple[GameEnding, str]]:
    if not isinstance(value, dict):
        raise ValueError(f"endings is {value!r}")
    endings: dict[int, tuple[GameEnding, str]] = {}
    for game, ending in value.items():
        is_one = isinstance(ending, list) and [type(each) for each in ending] == [str, str]
        is_game = game.isascii() and game.isdecimal() and len(game) < 10 and int(game) < games
        if not is_one or not is_game or ending[0] not in ENDINGS:
            raise ValueError(f"of the endings that of game {game!r} is {ending!r}")
        endings[int(game)] = (ending[0], ending[1])
    return endings


def _level(value: object) -> Level | None:
    if value is None:
        return None
    try:
        return Level.from_dict(value)  # type: ignore[arg-type] # it may be anything
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"jail is {value!r}") from error


def _records(value: object, plan: Plan) -> tuple[dict[str, Any], ...] | None:
    if (value is not None) != plan.record:
        raise ValueError("the games have no records" if plan.record else "there are records")
    if value is None:
        return None
    if not isinstance(value, list):
        raise ValueError(f"records is {value!r}")
    for each in value:
        place = [each.get(name) for name in PLACE] if isinstance(each, dict) else []
        if [type(number) for number in place] != [int] * len(PLACE):
            raise ValueError("a record does not say which game it is of")
    return tuple(value)


def _packed(outcomes: bytes) -> bytes:
    """Eight games a byte; what was not played is a zero."""
    bits = outcomes.replace(bytes([NOT_PLAYED]), b"\0").translate(_DIGITS)
    return int(b"1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")


def _unpacked(packed: bytes, games: int) -> bytes:
    bits = bin(int.from_bytes(packed, "big"))[3:].encode()
    if len(bits) < games:
        raise ValueError(f"{games} games in {len(bits)} bits")
    return bits[:games].translate(_OUTCOMES)


_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")
_OUTCOMES: Final = bytes.maketrans(b"01", b"\0\1")
