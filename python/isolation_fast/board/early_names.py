"""The private names that boards had before February 2017, which some submissions still read or set.

    __board_state__       a list of rows: 0 blank, else the number of the player who went there
    __last_player_move__  a dict from each player to (row, column) or None
    __player_symbols__    a dict from 0 and each player to 0, 1 and 2
    __player_1__, __player_2__, __active_player__, __inactive_player__, __get_moves__

They are views of today's state. Reading one gives a list or dict, in which later moves do not show.
Assigning a whole one takes effect, and so does writing into one that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, SupportsIndex, TypeAlias
from weakref import ref

Location: TypeAlias = tuple[int, int]


def _alias(name: str) -> property:
    """An early name of an attribute."""
    return property(lambda board: getattr(board, name), lambda board, value: setattr(board, name, value))


class EarlyNames:
    """What both boards have under these names; it holds no state of its own."""

    _board_state: list[Any]

    def __get_moves__(self: Any, move: Sequence[int] | None) -> list[Location]:
        moves: list[Location] = self._Board__get_moves(move)
        return moves

    @property
    def __board_state__(self: Any) -> list[list[int]]:
        height, cells = self.height, self.width * self.height
        # Bit i is set where player 2 went to cell i; only this property uses it. As digits, since a
        # shift of a large integer copies it.
        visits = f"{self._second_visits:0{cells}b}"[::-1]
        rows = [[2 if visit == "1" else 1 for visit in visits[row:cells:height]] for row in range(height)]
        second = self.get_player_location(self._player_2)
        if second is not None:
            rows[second[0]][second[1]] = 2
        for row, column in self.get_blank_spaces():
            rows[row][column] = 0
        board = ref(self)
        return _rows([_rows(entries, board, row) for row, entries in enumerate(rows)], board, None)

    @__board_state__.setter
    def __board_state__(self: Any, rows: Sequence[Sequence[int]]) -> None:
        # All cells at once: noting one visit costs as much as noting all.
        state, height, visits = self._board_state, self.height, 0
        for row, entries in enumerate(rows):
            for column, entry in enumerate(entries):
                state[row + column * height] = 1 if entry else 0
                if entry == 2:
                    visits |= 1 << row + column * height
        self._second_visits = visits

    @property
    def __last_player_move__(self: Any) -> dict[Any, Location | None]:
        players = self._player_1, self._player_2
        locations = Locations({player: self.get_player_location(player) for player in players})
        locations.place = ref(self)
        return locations

    @__last_player_move__.setter
    def __last_player_move__(self: Any, moves: Mapping[Any, Sequence[int] | None]) -> None:
        for player in (self._player_1, self._player_2):
            _write_location(self, player, moves[player])

    # Code of that time assigned it in copies. It follows from the players, so there is nothing to keep.
    __player_symbols__ = property(
        lambda board: {0: 0, board._player_1: 1, board._player_2: 2}, lambda _board, _symbols: None
    )
    __player_1__ = _alias("_player_1")
    __player_2__ = _alias("_player_2")
    __active_player__ = _alias("_active_player")
    __inactive_player__ = _alias("_inactive_player")


EARLY_NAMES: Final = frozenset(
    name for name, value in vars(EarlyNames).items() if isinstance(value, (property, FunctionType))
)


def give_to(board: type, readers: Mapping[str, Callable[[Any], Any]] | None = None) -> None:
    """Set these names on a class that cannot have `EarlyNames` as its base.

    `readers` are its own ways of reading some of them.
    """
    for name in EARLY_NAMES:
        given = vars(EarlyNames)[name]
        if readers is not None and name in readers:
            given = property(readers[name], given.fset)
        setattr(board, name, given)


def _rows(entries: Iterable[Any], board: Callable[[], Any], row: int | None) -> Rows:
    rows = Rows(entries)
    rows.place = board, row
    return rows


def _write_row(board: Any, row: int, entries: Sequence[int]) -> None:
    for column, entry in enumerate(entries):
        _write_cell(board, row, column, entry)


def _write_cell(board: Any, row: int, column: int, entry: int) -> None:
    cell = row + column * board.height
    board._board_state[cell] = 1 if entry else 0
    board._second_visits = board._second_visits & ~(1 << cell) | (entry == 2) << cell


def _write_location(board: Any, player: object, move: Sequence[int] | None) -> None:
    entry = -1 if player == board._player_1 else -2
    board._board_state[entry] = None if move is None else move[0] + move[1] * board.height


class Rows(list[Any]):
    """A list that passes on what is written into it; its copies are plain lists."""

    __slots__ = ("place",)
    place: tuple[Callable[[], Any], int | None]
    """Gives the board, as long as it lives; and which row this is, None for the list of them."""

    def __setitem__(self, at: SupportsIndex | slice, entry: Any) -> None:
        super().__setitem__(at, entry)
        for changed in range(len(self))[at] if isinstance(at, slice) else [range(len(self))[at]]:
            self._write(changed, self[changed])

    def _write(self, changed: int, entry: Any) -> None:
        board, row = self.place[0](), self.place[1]
        if board is None:
            return
        if row is None:
            _write_row(board, changed, entry)
        else:
            _write_cell(board, row, changed, entry)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return list, (list(self),)


class Locations(dict[Any, Any]):
    """A dict that passes on what is written into it; its copies are plain dicts."""

    __slots__ = ("place",)
    place: Callable[[], Any]
    """Gives the board, as long as it lives."""

    def __setitem__(self, player: Any, move: Any) -> None:
        super().__setitem__(player, move)
        board = self.place()
        if board is not None:
            _write_location(board, player, move)

    def update(self, *moves: Any, **named: Any) -> None:
        """As of a dict."""
        for player, move in dict(*moves, **named).items():
            self[player] = move

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return dict, (dict(self),)
