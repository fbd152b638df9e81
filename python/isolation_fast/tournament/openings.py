"""The positions from which a tournament's games begin."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, ClassVar, Final, Protocol

from isolation_fast import _native
from isolation_fast._native import Board
from isolation_fast.exceptions import InvalidArgumentError, InvalidPositionError
from isolation_fast.games import seeded_random
from isolation_fast.numbers import integer
from isolation_fast.text import described

MOST_PERMUTED: Final = 100_000
"""With more placements than that none is likely to come twice, so each is drawn by itself."""


MOST_SOLVED: Final = 64
"""Boards with more cells are too large to find out who wins an opening."""


class Openings(Protocol):
    """A sequence of positions as texts, each made when it is asked for; can be pickled."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> str: ...

    def described(self) -> dict[str, object]:
        """For JSON: the same for the same openings, without a path."""


@dataclass(frozen=True)
class AllOpenings:
    """Every placement of both knights, player 1 to move: 2,352 on 7x7.

    They are ordered by player 1's cell, then by player 2's, with cells counted down the columns.

    >>> openings = AllOpenings(7, 7)
    >>> len(openings), openings[0], openings[-1]
    (2352, '7x7 x6/x6/7/7/7/7/7 0,0 1,0 1', '7x7 7/7/7/7/7/6x/6x 6,6 5,6 1')
    """

    width: int = 7
    height: int = 7

    def __post_init__(self) -> None:
        _require_room(self)

    def __len__(self) -> int:
        return _placements(self.width, self.height)

    def __getitem__(self, place: int, /) -> str:
        return _placed(self.width, self.height, _checked_place(place, len(self)))

    def described(self) -> dict[str, object]:
        """For JSON."""
        return {"kind": "all", **asdict(self)}


@dataclass(frozen=True)
class RandomOpenings:
    """`count` placements of both knights, drawn by a seed; a larger count begins with the same ones.

    None comes twice before all have come once. On boards with more than 100,000 placements (from 18x18 on)
    each is drawn by itself.

    >>> openings = RandomOpenings(1000, seed=1)
    >>> len(set(openings[index] for index in range(1000))), openings[999] == RandomOpenings(2000, seed=1)[999]
    (1000, True)
    """

    count: int
    seed: int = 0
    width: int = 7
    height: int = 7

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", integer("the number of openings", self.count, 1))
        object.__setattr__(self, "seed", integer("seed", self.seed, error=TypeError))
        _require_room(self)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, place: int, /) -> str:
        place, different = _checked_place(place, self.count), _placements(self.width, self.height)
        if different > MOST_PERMUTED:
            number = _drawn(self.seed, (self.width, self.height), place) % different
        else:
            round_, place = divmod(place, different)
            number = _permutation(self.seed, self.width, self.height, round_)[place]
        return _placed(self.width, self.height, number)

    def described(self) -> dict[str, object]:
        """For JSON."""
        return {"kind": "random", **asdict(self)}


@dataclass(frozen=True)
class BalancedOpenings:
    """`count` placements of both knights, drawn by a seed: with best play player 1 wins every other one.

    Player 1 wins the first of each two, player 2 the second; a larger count begins with the same ones. None
    comes twice before all with that winner have come once. On 7x7 the winners are known. On other boards, to
    64 cells, they are found as openings are asked for: a moment to 7x8, some seconds each on 8x8.

    >>> openings = BalancedOpenings(1000, seed=1)
    >>> openings[0], openings[1]
    ('7x7 7/7/7/1x5/7/3x3/7 5,3 3,1 1', '7x7 7/7/3x3/7/6x/7/7 4,6 2,3 1')
    """

    count: int
    seed: int = 0
    width: int = 7
    height: int = 7

    def __post_init__(self) -> None:
        count = integer("the number of openings", self.count, 2)
        if count % 2:
            raise InvalidArgumentError(f"the number of balanced openings must be even, not {count}")
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "seed", integer("seed", self.seed, error=TypeError))
        _require_room(self)
        if self.width * self.height > MOST_SOLVED:
            raise InvalidArgumentError(
                f"balanced openings are for boards to {MOST_SOLVED} cells, not {self.width}x{self.height}: "
                "on larger ones nobody knows who wins"
            )
        # A board on which one player wins all of them is refused at once.
        self[0], self[1]

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, place: int, /) -> str:
        pair, winner = divmod(_checked_place(place, self.count), 2)
        number = _drawn_with_winner(self.seed, self.width, self.height, winner, pair)
        return _placed(self.width, self.height, number)

    def described(self) -> dict[str, object]:
        """For JSON."""
        return {"kind": "balanced", **asdict(self)}


@dataclass(frozen=True)
class _GivenOpenings:
    """Positions given one by one, in our spelling: all of one size, and none of a finished game."""

    positions: tuple[str, ...] = field(repr=False)
    kind: ClassVar[str]

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, place: int, /) -> str:
        return self.positions[_checked_place(place, len(self.positions))]

    def described(self) -> dict[str, object]:
        """How many there are, and the SHA-256 of their texts."""
        digest = sha256("\n".join(self.positions).encode()).hexdigest()
        return {"kind": self.kind, "count": len(self.positions), "digest": digest}


@dataclass(frozen=True, init=False)
class FileOpenings(_GivenOpenings):
    """The positions of a text file, one a line in the notation; `#` begins a comment. It is read once, here.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "openings.txt")
    ...     _ = file.write_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1  # close together")
    ...     FileOpenings(file)[0]
    '7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1'
    """

    kind = "file"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
        except OSError as error:
            raise InvalidArgumentError(f"{path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise InvalidArgumentError(f"{path} is no text in UTF-8: {error}") from error
        texts = ((f"{path}:{number}", line.partition("#")[0]) for number, line in enumerate(lines, 1))
        positions = _checked_positions((place, text) for place, text in texts if text.strip())
        if not positions:
            raise InvalidArgumentError(f"{path} has no position: write one a line, in the text notation")
        object.__setattr__(self, "positions", positions)


@dataclass(frozen=True, init=False)
class HookOpenings(_GivenOpenings):
    """The positions that a function makes: `hook(index, stream)` returns a board or its text.

    Each call gets a `random.Random` of its own. The hook is called `count` times, here, and never again.

    >>> def corner_and_any(index: int, stream: Random) -> Board:
    ...     board = Board()
    ...     board.apply_move((0, 0))
    ...     board.apply_move(stream.choice(board.get_legal_moves()))
    ...     return board
    >>> openings = HookOpenings(corner_and_any, 10, seed=1)
    >>> openings == HookOpenings(corner_and_any, 10, seed=1), openings == HookOpenings(corner_and_any, 10)
    (True, False)
    """

    kind = "hook"

    def __init__(self, hook: Callable[[int, Random], Any], count: int, *, seed: int = 0) -> None:
        if not callable(hook):
            raise TypeError(
                f"a hook for openings is a function of an index and a random.Random, not {described(hook)}"
            )
        number = integer("the number of openings", count, 1)
        seed = integer("seed", seed, error=TypeError)
        answers = ((each, hook(each, Random(_drawn(seed, "hook", each)))) for each in range(number))
        texts = ((f"opening {each} of the hook", _text_of(answer)) for each, answer in answers)
        object.__setattr__(self, "positions", _checked_positions(texts))


def _require_room(openings: AllOpenings | RandomOpenings | BalancedOpenings) -> None:
    for name in ("width", "height"):
        object.__setattr__(openings, name, integer(name, getattr(openings, name), 1))
    # Making a board draws from `random`, which belongs to the script.
    with seeded_random(0):
        Board(width=openings.width, height=openings.height)  # refuses sizes that no board has
    if openings.width * openings.height < 2:
        raise InvalidArgumentError("a board of one cell has no opening: the second knight has no room")


def _checked_place(place: int, count: int) -> int:
    if not -count <= place < count:
        raise IndexError(f"there are {count} openings, so there is none with the index {place}")
    return place % count


def _placements(width: int, height: int) -> int:
    cells = width * height
    return cells * (cells - 1)


# All of a 7x7 board.
@lru_cache(maxsize=4096)
def _placed(width: int, height: int, number: int) -> str:
    """The position in which both knights are placed and nothing else happened."""
    first, second = divmod(number, width * height - 1)
    second += second >= first
    (column_1, row_1), (column_2, row_2) = divmod(first, height), divmod(second, height)
    rows = [str(width)] * height
    if row_1 == row_2:
        left, right = sorted((column_1, column_2))
        rows[row_1] = f"{left or ''}x{right - left - 1 or ''}x{width - right - 1 or ''}"
    else:
        for row, column in ((row_1, column_1), (row_2, column_2)):
            rows[row] = f"{column or ''}x{width - column - 1 or ''}"
    return f"{width}x{height} {'/'.join(rows)} {row_1},{column_1} {row_2},{column_2} 1"


def _drawn(seed: int, *what: object) -> int:
    """64 bits of a seed and what they are for."""
    return int.from_bytes(sha256("\0".join(map(str, (seed, *what))).encode()).digest()[:8], "big")


# A tournament uses one after the other; several at once only with boards of several sizes.
@lru_cache(maxsize=8)
def _permutation(seed: int, width: int, height: int, round_: int) -> tuple[int, ...]:
    # Sorted by random numbers: Python promises that `random()` stays as it is, but not `shuffle`.
    draw = Random(_drawn(seed, (width, height), round_)).random
    keys = [draw() for _ in range(_placements(width, height))]
    return tuple(sorted(range(len(keys)), key=keys.__getitem__))


_DRAWING: Final = Lock()


@lru_cache(maxsize=8)
def _by_winner(seed: int, width: int, height: int) -> tuple[list[int], list[int]]:  # noqa: ARG001 - the key
    """All that was drawn so far by a seed for a size, for each winner."""
    return [], []


def _drawn_with_winner(seed: int, width: int, height: int, winner: int, place: int) -> int:
    """The number of a placement, counted among those that a player wins: 0 is player 1."""
    different = _placements(width, height)
    with _DRAWING:
        drawn = _by_winner(seed, width, height)
        while len(drawn[winner]) <= place:
            round_, at = divmod(sum(map(len, drawn)), different)
            if round_ and not drawn[winner]:
                raise InvalidArgumentError(
                    f"on {width}x{height} player {2 - winner} wins all openings, so none are balanced"
                )
            number = _permutation(seed, width, height, round_)[at]
            drawn[0 if _player_1_wins(width, height, number) else 1].append(number)
        return drawn[winner][place]


@lru_cache(maxsize=4096)
def _player_1_wins(width: int, height: int, number: int) -> bool:
    return _native.judge(_placed(width, height, number), [], None)[0] == "w"


def _text_of(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    to_text = getattr(answer, "to_text", None)
    if not callable(to_text):
        raise TypeError(f"a hook for openings returns a Board or its text, not {described(answer)}")
    return str(to_text())


def _checked_positions(given: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The texts in our spelling. Each is given with its place, which an error names."""
    positions: list[str] = []
    first: tuple[int, int, str] | None = None
    with seeded_random(0):
        for place, text in given:
            try:
                board = Board.from_text(text)
            except InvalidPositionError as error:
                raise InvalidPositionError(f"{place}: {error}") from None
            width, height, beginning = first = first or (board.width, board.height, place)
            if (width, height) != (board.width, board.height):
                raise InvalidArgumentError(
                    f"{place}: the board is {board.width}x{board.height}, but {width}x{height} "
                    f"at {beginning}: all openings of a tournament are of one size"
                )
            if not board.get_legal_moves():
                raise InvalidArgumentError(f"{place}: the game is over: the player to move has no move")
            positions.append(board.to_text())
    return tuple(positions)
