"""The reference board with the private names of January 2017, each the plain attribute that it was then.

`Board` serves these names too, by a view that is built at each read: on it, a heuristic that reads
`game.__board_state__[row][column]` for each cell costs twenty times what it cost on the board that it was
written for. Here the rows and the dict are the state itself, and today's `_board_state` is the view.

The course board of that time copied its rows by `deepcopy`, which took ten times as long as all that a common
heuristic does. That price is not taken over: next to it, whatever a heuristic does costs next to nothing, and
any submission could name an old name to be measured here.

>>> board = EarlyBoard("Ann", "Ben", width=3, height=2)
>>> board.apply_move((0, 1))
>>> board.__board_state__, board.__last_player_move__
([[0, 1, 0], [0, 0, 0]], {'Ann': (0, 1), 'Ben': None})
>>> board._board_state
[0, 0, 1, 0, 0, 0, 1, None, 2]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from isolation_fast.board.early_names import are_of_an_early_board
from isolation_fast.reference.board import (
    ANYTHING,
    DEFAULT_PLAYERS,
    Board,
    no_move,
    off_the_board,
    placed,
    stranger,
)

if TYPE_CHECKING:
    from typing_extensions import Self


def board_class_for(early_names: Collection[str]) -> type[Board]:
    """The reference board at which a submission that uses these early names is measured.

    >>> board_class_for([]).__name__, board_class_for(["__board_state__"]).__name__
    ('Board', 'EarlyBoard')
    >>> board_class_for(["__get_moves__"]).__name__
    'Board'
    """
    return EarlyBoard if are_of_an_early_board(early_names) else Board


def _alias(name: str) -> property:
    """Today's name of an attribute."""
    return property(lambda board: getattr(board, name), lambda board, value: setattr(board, name, value))


def _state(board: EarlyBoard) -> list[Any]:
    """The list that is the whole state of today's boards; what is written into it takes effect."""
    rows, moves, height = board.__board_state__, board.__last_player_move__, board.height
    cells = [int(bool(rows[row][column])) for column in range(board.width) for row in range(height)]
    places = [moves[player] for player in (board.__player_2__, board.__player_1__)]
    knights = [None if place is None else place[0] + place[1] * height for place in places]
    initiative = int(board.__active_player__ == board.__player_2__)
    return _Written([*cells, initiative, *knights], board)


class _Written(list[Any]):
    """That list."""

    def __init__(self, entries: Iterable[Any], board: EarlyBoard) -> None:
        super().__init__(entries)
        self._board = board

    def __setitem__(self, at: SupportsIndex | slice, entry: Any) -> None:
        super().__setitem__(at, entry)
        for changed in range(len(self))[at] if isinstance(at, slice) else [range(len(self))[at]]:
            _write(self._board, changed, self[changed])

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return list, (list(self),)


def _set_state(board: EarlyBoard, state: Sequence[Any]) -> None:
    height, (second, first) = board.height, state[-2:]
    board.__player_symbols__ = {0: 0, board.__player_1__: 1, board.__player_2__: 2}
    board.__board_state__ = [
        [int(bool(state[row + column * height])) for column in range(board.width)] for row in range(height)
    ]
    board.__last_player_move__ = {board.__player_1__: None, board.__player_2__: None}
    # Who went where nobody stands is not in the list.
    for entry, place in ((-1, first), (-2, second)):
        _write(board, len(state) + entry, place)


def _write(board: EarlyBoard, at: int, entry: Any) -> None:
    """Write one entry of today's list."""
    height, cells = board.height, board.width * board.height
    if at < cells:
        rows, row, column = board.__board_state__, at % height, at // height
        rows[row][column] = (rows[row][column] or 1) if entry else 0
    elif at > cells:
        second = at == cells + 1
        place = None if entry is None else (entry % height, entry // height)
        board.__last_player_move__[board.__player_2__ if second else board.__player_1__] = place
        if place is not None and second and board.__board_state__[place[0]][place[1]]:
            board.__board_state__[place[0]][place[1]] = 2


def _visits(board: EarlyBoard) -> int:
    """A bit for each cell where player 2 went."""
    height = board.height
    return sum(
        (entry == 2) << (row + column * height)
        for row, entries in enumerate(board.__board_state__)
        for column, entry in enumerate(entries)
    )


def _set_visits(board: EarlyBoard, visits: int) -> None:
    for row, entries in enumerate(board.__board_state__):
        for column, entry in enumerate(entries):
            if entry:
                entries[column] = 1 + (visits >> (row + column * board.height) & 1)


class EarlyBoard(Board):
    """A position of knight's Isolation, kept as the boards before 7 February 2017 kept it.

    Its players must be hashable and differ, as they had to then.
    """

    if TYPE_CHECKING:
        __active_player__ = __inactive_player__ = ANYTHING
    else:
        # Plain attributes, where `Board` has views; and views, where it has attributes.
        __player_1__ = __player_2__ = __active_player__ = __inactive_player__ = None
        __board_state__ = __last_player_move__ = __player_symbols__ = None
        _player_1, _player_2 = _alias("__player_1__"), _alias("__player_2__")
        _active_player, _inactive_player = _alias("__active_player__"), _alias("__inactive_player__")
        _board_state = property(_state, _set_state)
        _second_visits = property(_visits, _set_visits)

    def copy(self) -> Self:
        """Return a board that is independent of this one and has the same players."""
        twin = type(self).__new__(type(self))
        twin.width = self.width
        twin.height = self.height
        twin.move_count = self.move_count
        twin.__player_1__ = self.__player_1__
        twin.__player_2__ = self.__player_2__
        twin.__active_player__ = self.__active_player__
        twin.__inactive_player__ = self.__inactive_player__
        twin.__last_player_move__ = self.__last_player_move__.copy()
        twin.__player_symbols__ = self.__player_symbols__.copy()
        twin.__board_state__ = [row[:] for row in self.__board_state__]
        twin._order_bits = self._order_bits
        return twin

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        # Which makes rows and a dict of its own.
        twin._board_state = self._board_state
        return twin

    @staticmethod
    def from_text(
        text: str, player_1: object = DEFAULT_PLAYERS[0], player_2: object = DEFAULT_PLAYERS[1]
    ) -> EarlyBoard:
        """Return the board that a line of the text notation says."""
        return placed(EarlyBoard, text, player_1, player_2)

    # What the methods of that time read

    def get_player_location(self, player: object) -> tuple[int, int] | None:
        """Return the (row, column) where a player stands, None before it is placed."""
        try:
            location: tuple[int, int] | None = self.__last_player_move__[player]
        except KeyError:
            raise stranger(self, player) from None
        return location

    def get_blank_spaces(self) -> list[tuple[int, int]]:
        """Return the blank cells in column-major order."""
        return [
            (row, column)
            for column in range(self.width)
            for row in range(self.height)
            if self.__board_state__[row][column] == Board.BLANK
        ]

    def move_is_legal(self, move: Sequence[int]) -> bool:
        """Tell whether a cell is on the board and blank. How far it is from the player is not asked."""
        try:
            row, column = index(move[0]), index(move[1])
        except (TypeError, LookupError) as error:
            raise no_move(move) from error
        if 0 <= row < self.height and 0 <= column < self.width:
            return bool(self.__board_state__[row][column] == Board.BLANK)
        return False

    def apply_move(self, move: Sequence[int]) -> None:
        """Put the active player on a cell of the board, block the cell, and pass the turn."""
        try:
            row, column = index(move[0]), index(move[1])
        except (TypeError, LookupError) as error:
            raise no_move(move) from error
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise off_the_board(self, row, column)
        mover = self.__active_player__
        self.__last_player_move__[mover] = (row, column)
        self.__board_state__[row][column] = self.__player_symbols__[mover]
        self.__active_player__, self.__inactive_player__ = self.__inactive_player__, mover
        self.move_count += 1
