"""A game as it was played, move by move: a line of JSON, described in docs/game-records.md.

`game_record` makes one where a game is played; `write_records` and `read_records` are for files of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import isfinite, isinf
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

from isolation_fast._native import Board
from isolation_fast.endings import ENDINGS, GameEnding
from isolation_fast.exceptions import InvalidPositionError, InvalidRecordError
from isolation_fast.numbers import integer
from isolation_fast.output import json_line, numbered_lines
from isolation_fast.playing.entrants import Chunk, CountedEntrant
from isolation_fast.reports import Move, Reason
from isolation_fast.text import described, unknown_word

SCHEMA: Final = "isolation-fast/game/1"
"""What every record begins with. Another number is another meaning of the fields."""

# JSON knows no infinity, and heuristics give it: for a lost game, and without proof.
INFINITIES: Final = {"inf": float("inf"), "-inf": float("-inf")}
LEFT_OUT: Final = ("nans", "programs")
"""Fields that a record has only where they say something."""
COLUMNS: Final = ("values", "depths", "nodes", "reasons")
"""What a record says of the search for each move."""
PLAYED: Final = tuple(each for each in ENDINGS if each != "not played")


def _wrong(name: str, what: str) -> InvalidRecordError:
    return InvalidRecordError(f"field {name!r} {what}")


def _typed(kind: type, what: str, name: str, value: object) -> Any:
    if not isinstance(value, kind):
        raise _wrong(name, f"must be {what}, not {described(value)}")
    return value


_text: Final = partial(_typed, str, "a text")
_list: Final = partial(_typed, list, "a list")


def _integer(least: int, most: int | None, name: str, value: object) -> int:
    # A record has a hundred of them.
    if type(value) is int and value >= least and (most is None or value <= most):
        return value
    return integer(f"field {name!r}", value, least, most, error=InvalidRecordError)


_count: Final = partial(_integer, 0, None)


def _word(allowed: Sequence[str], name: str, value: object) -> str:
    if value not in allowed:
        raise _wrong(name, unknown_word(name.removesuffix("s"), str(value), allowed))
    return str(value)


def _players(name: str, value: object) -> tuple[str, ...]:
    names = _list(name, value)
    if [type(each) for each in names] != [str, str]:
        raise _wrong(name, f"must be two names, not {names!r}")
    return tuple(names)


def _moves(name: str, value: object) -> tuple[Move, ...]:
    moves = _list(name, value)
    for number, entry in enumerate(moves, start=1):
        if not isinstance(entry, list) or [type(each) for each in entry] != [int, int]:
            raise _wrong(name, f"must be [row, column] pairs, and move {number} is {entry!r}")
    return tuple((row, column) for row, column in moves)


def _value(name: str, value: object) -> float:
    if isinstance(value, str) and value in INFINITIES:
        return INFINITIES[value]
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return value
    raise _wrong(name, f"must be numbers, 'inf', '-inf' or null, not {described(value)}")


def _two_counts(name: str, value: object) -> tuple[int, int]:
    counts = _list(name, value)
    if len(counts) != 2:
        raise _wrong(name, f"must be two numbers, not {counts!r}")
    return _count(name, counts[0]), _count(name, counts[1])


def _programs(name: str, value: object) -> tuple[tuple[str, int] | None, ...]:
    found = _list(name, value)
    if len(found) != 2 or not all(each is None or isinstance(each, list) for each in found):
        raise _wrong(name, f"must be two of null and [digest, version], not {described(value)}")
    if any(each is not None and [type(part) for part in each] != [str, int] for each in found):
        raise _wrong(name, "must have a text and a number for each program")
    return tuple(None if each is None else (each[0], each[1]) for each in found)


def _column(check: Callable[[str, object], Any], name: str, value: object) -> tuple[Any, ...]:
    """A list with an entry for each move, null where its player searched nothing."""
    return tuple(None if each is None else check(name, each) for each in _list(name, value))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. Each field is declared with what checks it when a record is read.

    >>> record = GameRecord.from_dict(EXAMPLE)
    >>> print(record)
    AB_Open against Random: AB_Open won after 5 moves, Random had no move left
    >>> record.values
    (-inf, None, inf, None, inf)
    >>> [each.to_text() for each in record.boards()][-1]
    '3x3 x1x/2x/xx1 2,0 2,1 2'
    >>> record.to_dict() == EXAMPLE
    True
    """

    opening: Annotated[int, _count]
    """The index of the opening in the tournament."""
    pairing: Annotated[int, _count]
    """The index of the pairing in the tournament."""
    side: Annotated[Literal[0, 1], partial(_integer, 0, 1)]
    """0 if the pairing's first was player 1, 1 if it was player 2."""
    players: Annotated[tuple[str, str], _players]
    """The names of player 1 and player 2."""
    width: Annotated[int, partial(_integer, 1, None)]
    height: Annotated[int, partial(_integer, 1, None)]
    start: Annotated[str, _text]
    """The position that the game began from, as text; it also says who moved first."""
    moves: Annotated[tuple[Move, ...], _moves]
    values: Annotated[tuple[float | None, ...], partial(_column, _value)]
    """What each move was worth to the player that made it, by that player's search."""
    depths: Annotated[tuple[int | None, ...], partial(_column, _count)]
    """The last depth that the search for each move finished."""
    nodes: Annotated[tuple[int | None, ...], partial(_column, _count)]
    """The positions that it generated."""
    reasons: Annotated[tuple[Reason | None, ...], partial(_column, partial(_word, get_args(Reason)))]
    """Which limit ended it."""
    winner: Annotated[Literal[1, 2], partial(_integer, 1, 2)]
    ending: Annotated[GameEnding, partial(_word, PLAYED)]
    """How the other one lost."""
    detail: Annotated[str, _text]
    """One line more about that, where it was not by having no move left."""
    nans: Annotated[tuple[int, int], _two_counts] = (0, 0)
    """How often the heuristics of player 1 and player 2 returned NaN; left out where none did."""
    programs: Annotated[tuple[tuple[str, int] | None, ...], _programs] = (None, None)
    """Of player 1 and player 2 where it is a program: its digest, and the version of its prices."""

    @classmethod
    def from_dict(cls, content: object) -> GameRecord:
        """The record that a line of JSON holds; an `InvalidRecordError` names the field that is wrong."""
        if not isinstance(content, dict):
            raise InvalidRecordError(f"a record is a JSON object, not {described(content)}")
        if content.get("schema") != SCHEMA:
            found = f"it is {content['schema']!r}" if "schema" in content else "there is none"
            raise _wrong("schema", f"must be {SCHEMA!r}, and {found}")
        read: dict[str, Any] = {}
        for name, check in cls._checks().items():
            if name in content:
                read[name] = check(name, content[name])
            elif name not in LEFT_OUT:
                raise _wrong(name, "is missing")
        record = cls(**read)
        _require_played(record)
        return record

    @staticmethod
    @cache
    def _checks() -> dict[str, Callable[[str, object], Any]]:
        hints = get_type_hints(GameRecord, include_extras=True)
        return {name: kind.__metadata__[0] for name, kind in hints.items()}

    def to_dict(self) -> dict[str, Any]:
        """The record as it stands in a file."""
        written = {
            "schema": SCHEMA,
            **{name: getattr(self, name) for name in self.__slots__},
            "players": list(self.players),
            "moves": [[int(row), int(column)] for row, column in self.moves],
            **{name: list(getattr(self, name)) for name in COLUMNS},
            "values": [str(each) if each is not None and isinf(each) else each for each in self.values],
            "nans": list(self.nans),
            "programs": [each and list(each) for each in self.programs],
        }
        return {
            name: value for name, value in written.items() if name not in LEFT_OUT or any(getattr(self, name))
        }

    def boards(self) -> Iterator[Board]:
        """The position before the first move, and after each move, each on a new board."""
        # Without the names: a board cannot tell two players of the same name apart.
        board = Board.from_text(self.start)
        yield board.copy()
        for move in self.moves:
            board.apply_move(move)
            yield board.copy()

    def mover(self, move: int) -> Literal[1, 2]:
        """Which player made a move; the first one is move 0."""
        first = Board.from_text(self.start).active_player == "player 1"
        return 1 if first == (move % 2 == 0) else 2

    def __str__(self) -> str:
        winner, loser = self.players[self.winner - 1], self.players[2 - self.winner]
        count = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        how = "had no move left" if self.ending == "no moves" else f"lost by {self.ending!r}"
        detail = f": {self.detail}" if self.detail else ""
        against = " against ".join(self.players)
        return f"{against}: {winner} won after {count}, {loser} {how}{detail}"


EXAMPLE: Final = {
    "schema": SCHEMA,
    "opening": 0,
    "pairing": 0,
    "side": 0,
    "players": ["AB_Open", "Random"],
    "width": 3,
    "height": 3,
    "start": "3x3 3/3/3 - - 1",
    "moves": [[0, 0], [0, 2], [1, 2], [2, 1], [2, 0]],
    "values": ["-inf", None, "inf", None, "inf"],
    "depths": [6, None, 5, None, 1],
    "nodes": [500, None, 29, None, 1],
    "reasons": ["nodes", None, "exhausted", None, "exhausted"],
    "winner": 1,
    "ending": "no moves",
    "detail": "",
}


def game_record(
    chunk: Chunk,
    game: int,
    *,
    moves: Sequence[Move],
    winner: Literal[1, 2],
    ending: GameEnding = "no moves",
    detail: str = "",
    nans: tuple[int, int] = (0, 0),
    **columns: Sequence[Any],
) -> dict[str, Any]:
    """The record of a chunk's game, as JSON knows it; `game` is its place in `ChunkResult.outcomes`.

    `columns` are the `COLUMNS` of `SearchReport`, one entry for each move, None where the player searched
    nothing. `winner` is 1 or 2, for the player 1 or 2 of this game.
    """
    opening, side = divmod(game, 2)
    both = chunk.entrants[::-1] if side else chunk.entrants
    programs = ((each.digest, each.prices) if isinstance(each, CountedEntrant) else None for each in both)
    start = chunk.openings[opening]
    width, height = start.split(maxsplit=1)[0].split("x")
    nothing = (None,) * len(moves)
    return GameRecord(
        opening=chunk.first_opening + opening,
        pairing=chunk.pairing,
        side=1 if side else 0,
        players=(both[0].name, both[1].name),
        width=int(width),
        height=int(height),
        start=start,
        moves=tuple(moves),
        winner=winner,
        ending=ending,
        detail=detail,
        nans=nans,
        programs=tuple(programs),
        **{name: tuple(columns.get(name) or nothing) for name in COLUMNS},
    ).to_dict()


def write_records(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records, one a line, to a new file, or over an old one; gives their number.

    A tournament's own file, `records=`, is never written over an existing one.
    """
    count = 0
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for count, record in enumerate(records, start=1):  # noqa: B007 - the number is what is wanted
            file.write(json_line(record))
    return count


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """Read the games of a file, one after another; an `InvalidRecordError` names the line and the field."""
    for number, line in numbered_lines(path, "record", InvalidRecordError):
        yield _record_of(path, number, line)


def read_record(path: str | Path, game: int = 1) -> GameRecord:
    """Read one game of a file. Games are counted from 1, and the others are not looked at."""
    count = 0
    for count, (number, line) in enumerate(numbered_lines(path, "record", InvalidRecordError), start=1):
        if count == game:
            return _record_of(path, number, line)
    games = f"{count} game{'' if count == 1 else 's'}"
    raise InvalidRecordError(f"{str(path)!r} has {games}, and there is no game {game}")


def _record_of(path: str | Path, number: int, line: bytes) -> GameRecord:
    try:
        return GameRecord.from_dict(json.loads(line))
    except InvalidRecordError as error:
        problem = str(error)
    except (ValueError, RecursionError) as error:
        # A line that was being written when its process ended has no end.
        problem = "the line is cut short" if not line.endswith(b"\n") else f"no JSON: {error}"
    raise InvalidRecordError(f"{str(path)!r}, line {number}: {problem}")


def replayed(board: Board, moves: Iterable[Move]) -> Board:
    """The board after these moves; an `InvalidRecordError` names one that was not legal."""
    for number, move in enumerate(moves, start=1):
        # Not by `move_is_legal`: as in the course, that asks only whether a cell is blank.
        if move not in board.get_legal_moves():
            raise _wrong("moves", f"move {number}, {move}, is not legal on {board.to_text()!r}")
        board.apply_move(move)
    return board


def _require_played(record: GameRecord) -> None:
    """Refuse moves that were not legal, and a winner by "no moves" that left the other one a move."""
    try:
        board = Board.from_text(record.start)
    except InvalidPositionError as error:
        raise _wrong("start", f"is no position: {error}") from error
    if (board.width, board.height) != (record.width, record.height):
        raise _wrong("start", f"is {board.width}x{board.height}, and not {record.width}x{record.height}")
    replayed(board, record.moves)
    for name in COLUMNS:
        count, moves = len(getattr(record, name)), len(record.moves)
        if count != moves:
            raise _wrong(name, f"must have an entry for each of the {moves} moves, and has {count}")
    if record.ending != "no moves":
        return
    if board.get_legal_moves():
        raise _wrong("ending", f"is 'no moves', and there is a legal move on {board.to_text()!r}")
    if board.active_player == f"player {record.winner}":
        raise _wrong("winner", f"is {record.winner}, who is to move and has no move on {board.to_text()!r}")
