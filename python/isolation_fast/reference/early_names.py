"""The private names that boards bore before February 2017, which some submissions still read or set.

    __board_state__       a list of rows: 0 blank, else the number of the player who went there
    __last_player_move__  a dict from each player to (row, column) or None
    __player_symbols__    a dict from 0 and each player to 0, 1 and 2
    __player_1__, __player_2__, __active_player__, __inactive_player__, __get_moves__

They are views of today's state. Each read builds a new list or dict, so writing means assigning a whole one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any


class EarlyNames:
    """The base of the reference `Board` that holds these names and no state of its own."""

    width: int
    height: int
    _player_1: Any
    _player_2: Any
    _active_player: Any
    _inactive_player: Any
    _board_state: list[Any]
    # Bit i is set where player 2 went to cell i: nobody but `__board_state__` asks, and an int is copied
    # for nothing.
    _second_visits: int

    if TYPE_CHECKING:

        def _Board__get_moves(self, loc: Sequence[int] | None) -> list[tuple[int, int]]: ...  # noqa: N802

    def __get_moves__(self, loc: Sequence[int] | None) -> list[tuple[int, int]]:
        return self._Board__get_moves(loc)

    @property
    def __board_state__(self) -> list[list[int]]:
        state, visits, stands = self._board_state, self._second_visits, self._board_state[-2]
        return [
            [
                0 if not state[cell] else 2 if cell == stands or visits >> cell & 1 else 1
                for cell in range(row, self.width * self.height, self.height)
            ]
            for row in range(self.height)
        ]

    @__board_state__.setter
    def __board_state__(self, rows: Sequence[Sequence[int]]) -> None:
        self._second_visits = 0
        for row, entries in enumerate(rows):
            for column, entry in enumerate(entries):
                cell = row + column * self.height
                self._board_state[cell] = 1 if entry else 0
                if entry == 2:
                    self._second_visits |= 1 << cell

    @property
    def __last_player_move__(self) -> dict[Any, tuple[int, int] | None]:
        return {self._player_1: self._cell_at(-1), self._player_2: self._cell_at(-2)}

    @__last_player_move__.setter
    def __last_player_move__(self, moves: Mapping[Any, Sequence[int] | None]) -> None:
        for player, entry in ((self._player_1, -1), (self._player_2, -2)):
            move = moves[player]
            self._board_state[entry] = None if move is None else move[0] + move[1] * self.height

    def _cell_at(self, entry: int) -> tuple[int, int] | None:
        cell = self._board_state[entry]
        return None if cell is None else (cell % self.height, cell // self.height)

    @property
    def __player_symbols__(self) -> dict[Any, int]:
        return {0: 0, self._player_1: 1, self._player_2: 2}

    @__player_symbols__.setter
    def __player_symbols__(self, symbols: Mapping[Any, int]) -> None:
        # Copies of that time assigned it. It follows from the players, so there is nothing to keep.
        pass

    @property
    def __player_1__(self) -> Any:
        return self._player_1

    @__player_1__.setter
    def __player_1__(self, player: object) -> None:
        self._player_1 = player

    @property
    def __player_2__(self) -> Any:
        return self._player_2

    @__player_2__.setter
    def __player_2__(self, player: object) -> None:
        self._player_2 = player

    @property
    def __active_player__(self) -> Any:
        return self._active_player

    @__active_player__.setter
    def __active_player__(self, player: object) -> None:
        self._active_player = player

    @property
    def __inactive_player__(self) -> Any:
        return self._inactive_player

    @__inactive_player__.setter
    def __inactive_player__(self, player: object) -> None:
        self._inactive_player = player
