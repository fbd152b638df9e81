"""The board of knight's Isolation in plain Python, with the names and habits of the classic course board.

Cells are counted down the columns, `row + column * height`; on a board 3 wide and 4 high:

          0   1   2   column
     0 |  0   4   8
     1 |  1   5   9
     2 |  2   6  10
     3 |  3   7  11
    row

The whole position is one list, `_board_state`: an entry for each cell (0 blank, 1 blocked), then the
initiative, the cell that player 2 stands on, and the cell that player 1 stands on. Code written for the
course reads and writes it.

The course board shuffles each list of a knight's moves, so that players who take the first of several equal
moves do not always play the same game. Here the order follows from the cell and from 64 bits that a board
draws when it is made: a script repeats after `random.seed`, and a search counts the same nodes each time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import index, itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from isolation_fast.board import drawing, turns
from isolation_fast.board.early_names import EarlyNames, give_to
from isolation_fast.exceptions import IllegalMoveError, InvalidPositionError, UnknownPlayerError
from isolation_fast.reference import notation

DEFAULT_PLAYERS = ("player 1", "player 2")

# (rows, columns) to each cell a knight's move away, in the order of the cells' indices.
KNIGHT_STEPS = [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]
# `sorted(moves, key=column_major)` is the natural order of a list of moves: by column, then by row.
column_major = itemgetter(1, 0)
WORD = 2**64 - 1

ANYTHING: Any = None
if TYPE_CHECKING:
    _Names = EarlyNames
else:  # the class is given them below, as the engine's is
    _Names = object


# The class and its objects have the names that the engine's board has, no more and no fewer: what is asked of
# one by `dir` is what is asked of the other.
class Board(_Names):
    """A position of knight's Isolation with its two players.

    Players are any objects that compare by `==`. Neither `apply_move` nor `forecast_move` asks whether a
    move is legal.

    >>> board = Board("Ann", "Ben")
    >>> board.apply_move((2, 3))
    >>> board.apply_move((0, 0))
    >>> sorted(board.get_legal_moves())
    [(0, 2), (0, 4), (1, 1), (1, 5), (3, 1), (3, 5), (4, 2), (4, 4)]
    >>> board
    Board.from_text('7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1', 'Ann', 'Ben')
    """

    BLANK = 0
    NOT_MOVED = None

    # What each board has of its own. Annotations would be a name more.
    width = height = 7
    move_count = 0
    _player_1 = _player_2 = _active_player = _inactive_player = _board_state = ANYTHING
    _order_bits = _second_visits = 0

    def __init__(
        self,
        player_1: object = DEFAULT_PLAYERS[0],
        player_2: object = DEFAULT_PLAYERS[1],
        width: int = 7,
        height: int = 7,
    ) -> None:
        width, height = index(width), index(height)
        notation.check_size(width, height)
        set_up(self, player_1, player_2, width, height)
        self._order_bits = random.getrandbits(64)

    # Text, pictures, copies

    @staticmethod
    def from_text(
        text: str, player_1: object = DEFAULT_PLAYERS[0], player_2: object = DEFAULT_PLAYERS[1]
    ) -> Board:
        """Return the board that a line of the text notation says.

        >>> print(Board.from_text("3x2 1x1/2x 0,1 1,2 2").get_blank_spaces())
        [(0, 0), (1, 0), (1, 1), (0, 2)]
        """
        return placed(Board, text, player_1, player_2)

    def to_text(self) -> str:
        """Return the position in the text notation.

        >>> Board(width=5, height=4).to_text()
        '5x4 5/5/5/5 - - 1'
        """
        return notation.write(notation.Position(self.width, self.height, self._board_state, side_of(self)))

    def __repr__(self) -> str:
        players = (self._player_1, self._player_2)
        named = all(isinstance(player, str) for player in players) and players != DEFAULT_PLAYERS
        try:
            text = self.to_text()
        except InvalidPositionError:
            return f"<Board {self.width}x{self.height} whose state is no position>"
        names = f", {players[0]!r}, {players[1]!r}" if named else ""
        return f"Board.from_text({text!r}{names})"

    def __str__(self) -> str:
        return self.to_string()

    def to_string(self, symbols: Sequence[str] = ("1", "2")) -> str:
        """Return the position drawn with characters, each line ended by a newline and a carriage return."""
        return drawing.classic_text(self.width, self.height, self._board_state, symbols)

    def print_board(self) -> str:
        """Return what `to_string` does; it prints nothing. The course's older name."""
        return self.to_string()

    def to_svg(self, *, size: int = 360) -> str:
        """Return the position drawn as an SVG picture, `size` pixels along its longer side."""
        return drawing.board_svg(self.width, self.height, self._board_state, side_of(self), size)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def hash(self) -> int:
        """Return a number that is the same for the same position, in this process."""
        return hash((self.width, *self._board_state))

    def copy(self) -> Board:
        """Return a board that is independent of this one and has the same players."""
        # By way of an empty board, as the classic one does it: what that costs belongs to the yardstick.
        twin = Board.__new__(Board)
        set_up(twin, self._player_1, self._player_2, self.width, self.height)
        twin.move_count = self.move_count
        twin._active_player = self._active_player
        twin._inactive_player = self._inactive_player
        twin._board_state = self._board_state.copy()
        twin._order_bits = self._order_bits
        twin._second_visits = self._second_visits
        return twin

    def __copy__(self) -> Board:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._board_state = self._board_state[:]
        return twin

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # Players

    @property
    def active_player(self) -> Any:
        """The player whose turn it is."""
        return self._active_player

    @property
    def inactive_player(self) -> Any:
        """The player who waits."""
        return self._inactive_player

    def get_opponent(self, player: object) -> Any:
        """Return the other player."""
        if player == self._active_player:
            return self._inactive_player
        if player == self._inactive_player:
            return self._active_player
        raise stranger(self, player)

    def get_player_location(self, player: object) -> tuple[int, int] | None:
        """Return the (row, column) where a player stands, None before it is placed."""
        if player == self._player_1:
            cell = self._board_state[-1]
        elif player == self._player_2:
            cell = self._board_state[-2]
        else:
            raise stranger(self, player)
        if cell is None:
            return None
        column, row = divmod(cell, self.height)
        return row, column

    # Moves

    def get_blank_spaces(self) -> list[tuple[int, int]]:
        """Return the blank cells in column-major order."""
        state = self._board_state
        height = self.height
        return [
            (row, column)
            for column in range(self.width)
            for row in range(height)
            if state[row + column * height] == Board.BLANK
        ]

    def get_legal_moves(self, player: object | None = None) -> list[tuple[int, int]]:
        """Return a new list of the cells that a player, by default the active one, may move to."""
        if player is None:
            player = self._active_player
        return self._Board__get_moves(self.get_player_location(player))

    def _Board__get_moves(self, loc: Sequence[int] | None) -> list[tuple[int, int]]:  # noqa: N802
        if loc is None:
            return self.get_blank_spaces()
        row, column = loc
        moves = [
            (row + rows, column + columns)
            for rows, columns in KNIGHT_STEPS
            if self.move_is_legal((row + rows, column + columns))
        ]
        # The place may have been written as an integer of NumPy, which overflows where ours does not.
        shuffle_moves(moves, self._order_bits, int(row + column * self.height))
        return moves

    def move_is_legal(self, move: Sequence[int]) -> bool:
        """Tell whether a cell is on the board and blank. How far it is from the player is not asked."""
        try:
            row, column = index(move[0]), index(move[1])
        except (TypeError, LookupError) as error:
            raise no_move(move) from error
        if 0 <= row < self.height and 0 <= column < self.width:
            return bool(self._board_state[row + column * self.height] == Board.BLANK)
        return False

    def apply_move(self, move: Sequence[int]) -> None:
        """Put the active player on a cell of the board, block the cell, and pass the turn."""
        try:
            row, column = index(move[0]), index(move[1])
        except (TypeError, LookupError) as error:
            raise no_move(move) from error
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise off_the_board(self, row, column)
        cell = row + column * self.height
        state = self._board_state
        if self._active_player == self._player_2:
            state[-2] = cell
            self._second_visits |= 1 << cell
        else:
            state[-1] = cell
            # Player 2 may have been here: cells are entered twice, and made blank again by writing the state.
            self._second_visits &= ~(1 << cell)
        state[cell] = 1
        state[-3] ^= 1
        self._active_player, self._inactive_player = self._inactive_player, self._active_player
        self.move_count += 1

    def forecast_move(self, move: Sequence[int]) -> Board:
        """Return a copy of the board on which the move was made."""
        following = self.copy()
        following.apply_move(move)
        return following

    # The end of the game

    def is_winner(self, player: object) -> bool:
        """Tell whether the game is over and this player is not the one who cannot move."""
        return bool(player == self._inactive_player) and not self.get_legal_moves(self._active_player)

    def is_loser(self, player: object) -> bool:
        """Tell whether it is this player's turn and there is no move."""
        return bool(player == self._active_player) and not self.get_legal_moves(self._active_player)

    def utility(self, player: object) -> float:
        """Return inf for the winner of a finished game, -inf for its loser, 0.0 while the game goes on."""
        if not self.get_legal_moves(self._active_player):
            if player == self._inactive_player:
                return float("inf")
            if player == self._active_player:
                return float("-inf")
        return 0.0

    def play(self, time_limit: float = turns.COURSE_LIMIT) -> tuple[Any, list[list[int]], str]:
        """Play the game to its end on this board, with `time_limit` milliseconds a turn.

        Returns the winner, the moves as [row, column] lists, and why the game ended: "illegal move" where
        the loser had none, "forfeit" where it returned something else than a legal move, "timeout" where it
        took too long.
        """
        return turns.play(self, time_limit)


if not TYPE_CHECKING:
    give_to(Board)
    # Weak references work without it.
    del Board.__weakref__


_Kind = TypeVar("_Kind", bound=Board)


def set_up(board: Board, player_1: object, player_2: object, width: int, height: int) -> None:
    """Give a board all that an empty one has."""
    board.width = width
    board.height = height
    board.move_count = 0
    board._player_1 = player_1
    board._player_2 = player_2
    board._active_player = player_1
    board._inactive_player = player_2
    board._board_state = [Board.BLANK] * (width * height) + [0, None, None]
    board._second_visits = 0


def placed(kind: type[_Kind], text: str, player_1: object, player_2: object) -> _Kind:
    """The board of that class that a line of the text notation says."""
    position = notation.read(text)
    board = kind(player_1, player_2, position.width, position.height)
    board._board_state = position.state
    # Each move of a game blocks one cell.
    board.move_count = sum(position.state[:-3])
    if position.side == 2:
        board._active_player, board._inactive_player = player_2, player_1
    return board


# What the errors and the notation need


def side_of(board: Board) -> int:
    """The number of the player to move."""
    return 2 if board._active_player == board._player_2 else 1


def stranger(board: Board, player: object) -> UnknownPlayerError:
    """The error for an object that is no player of the board."""
    return UnknownPlayerError(
        f"{player!r} is not a player of this board; they are {board._player_1!r} and {board._player_2!r}, "
        "and board.active_player is the one to move"
    )


def off_the_board(board: Board, row: int, column: int) -> IllegalMoveError:
    """The error of a move to a cell that a board does not have."""
    size = f"{board.width}x{board.height}"
    try:
        text = f" {board.to_text()!r}"
    except InvalidPositionError:
        text = ""
    return IllegalMoveError(f"move ({row}, {column}) is outside the {size} board{text}")


def no_move(move: object) -> TypeError:
    """The error of what is no pair of integers."""
    return TypeError(f"a move is a pair of integers (row, column), not {move!r}")


def shuffle_moves(moves: list[tuple[int, int]], bits: int, origin: int) -> None:
    """Bring knight's moves in their natural order into the order that `bits` give them, in place.

    `origin` is the index of the cell they start from. It is all of the position that enters: in a game a
    cell is stood on once, so each turn has a key of its own. The constants are those of the splitmix64
    generator.

    >>> moves = [(1, 0), (5, 0), (0, 1), (6, 1)]
    >>> shuffle_moves(moves, bits=2017, origin=17)
    >>> moves
    [(5, 0), (6, 1), (1, 0), (0, 1)]
    """
    count = len(moves)
    if count < 2:
        return
    mixed = bits ^ (((origin + 1) * 0x9E3779B97F4A7C15) & WORD)
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
    key = mixed ^ (mixed >> 31)
    for last in range(count - 1, 0, -1):
        key, chosen = divmod(key, last + 1)
        moves[last], moves[chosen] = moves[chosen], moves[last]
