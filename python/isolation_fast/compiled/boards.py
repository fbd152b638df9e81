"""The board: its methods and attributes, the classic names and the early ones."""

from __future__ import annotations

from functools import partial
from typing import Final

from isolation_fast.compiled.elements import new_list, pushed
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import attribute, method
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    GAME,
    INT,
    NONE,
    NUMBERS,
    PLACE,
    PLACES,
    PLAYER,
    STATE,
    WHOLE,
    Again,
    Listing,
    Optional,
)
from isolation_fast.compiled.values import NOTHING, Value, number

BOARD: Final = "board"


def _player(low: Lowering, game: Value, given: Value | None) -> int:
    """The register of a player that was given; without one, of the player to move."""
    if given is None or given.type is NONE:
        return asked(low, "Active", low.one(game))
    if isinstance(given.type, Optional):
        low.refuse("player", "a player that may be None is given: pass the player itself")
    if given.type is not PLAYER:
        raise low.bail()
    return low.one(given)


def _stranger(low: Lowering, given: Value) -> int:
    """The register of a player that must be one of the two."""
    given = low.present(given)
    if given.type is not PLAYER:
        raise low.bail()
    return low.one(given)


def cell_of(low: Lowering, move: Value) -> int:
    """The register of a cell that a pair of numbers is, -1 off the board; what is no pair of ints raises."""
    move = low.present(move)
    if move.type is CELL:
        return low.one(move)
    if move.parts is None:
        if isinstance(move.type, Listing):
            low.refuse("move", "a list is taken for a move: use a tuple of row and column")
        raise low.bail()
    if len(move.parts) < 2 or any(part.type not in WHOLE for part in move.parts[:2]):
        if any(part.type not in NUMBERS for part in move.parts[:2]):
            low.refuse("move", "what is no pair of integers is taken for a move: use row and column")
        raise low.bail()
    return low.pure("CellOf", *(low.one(part) for part in move.parts[:2]))


def asked(low: Lowering, name: str, *operands: int, kind: str = "i") -> int:
    """The register of what a board says; once for all times it is asked, if no board changes."""
    if low.unit.boards_change:
        return low.made(name, *operands, kind=kind)
    return low.pure(name, *operands, kind=kind)


def moves_of(low: Lowering, name: str, game: int, place: int, origin: int) -> Value:
    """A new list of moves: a set of cells, and the cell in whose order the board lists them."""
    region = low.region(low.call_node, "moves", cells=True)
    region.hold(CELL)
    operands = (game,) if name == "Blank" else (game, place)
    mask = asked(low, name, *operands, kind="m")
    kind = Listing(region=region)
    if kind.region.cells:
        lasting = low.rewritten.isdisjoint((game, place)) and not low.unit.boards_change
        return Value(kind, (mask, origin), asked=(name, game, place) if lasting else None)
    listed = low.made("OrderedList", mask, origin)
    if kind.region.element is CELL:
        return Value(kind, (listed,))
    return _as_pairs(low, kind, listed)


def _as_pairs(low: Lowering, kind: Listing, listed: int) -> Value:
    """A list of cells as one of pairs, where other pairs are put into it."""
    made = new_list(low, kind.region)
    index = low.copy(low.constant_register("ConstI", 0, "i"))
    low.rewritten.add(index)

    def turn(exits: list[Edge]) -> None:
        exits.append(low.jump("JumpLeI", low.made("ListLen", listed), index))
        cell = low.made("LoadI", low.made("ListAt", listed, index), 0)
        low.emit("AddN", index, index, 1)
        pushed(low, kind.region, low.one(made), Value(CELL, (cell,)))

    low.enter(low.loop(("pairs", low.place(low.call_node)), turn))
    return made


# ---- attributes


@attribute(BOARD, "width")
def lower_width(low: Lowering, _game: Value) -> Value:
    """Columns."""
    return Value(INT, (low.pure("Width"),))


@attribute(BOARD, "height")
def lower_height(low: Lowering, _game: Value) -> Value:
    """Rows."""
    return Value(INT, (low.pure("Height"),))


@attribute(BOARD, "move_count")
def lower_move_count(low: Lowering, game: Value) -> Value:
    """Moves made so far."""
    return Value(INT, (asked(low, "MoveCount", low.one(game)),))


@attribute(BOARD, "active_player", "_active_player", "__active_player__")
def lower_active(low: Lowering, game: Value) -> Value:
    """The player to move."""
    return Value(PLAYER, (asked(low, "Active", low.one(game)),))


@attribute(BOARD, "inactive_player", "_inactive_player", "__inactive_player__")
def lower_inactive(low: Lowering, game: Value) -> Value:
    """The player who waits."""
    return _other(low, asked(low, "Active", low.one(game)))


def _other(low: Lowering, player: int) -> Value:
    return Value(PLAYER, (low.pure("XorI", player, low.constant_register("ConstI", 1, "i")),))


@attribute(BOARD, "_player_1", "__player_1__")
def lower_first(low: Lowering, _game: Value) -> Value:
    """The first player."""
    return Value(PLAYER, (low.constant_register("ConstI", 0, "i"),))


@attribute(BOARD, "_player_2", "__player_2__")
def lower_second(low: Lowering, _game: Value) -> Value:
    """The second player."""
    return Value(PLAYER, (low.constant_register("ConstI", 1, "i"),))


@attribute(BOARD, "BLANK")
def lower_blank_mark(_low: Lowering, _game: Value) -> Value:
    """What a blank cell is in the state."""
    return number(0)


@attribute(BOARD, "NOT_MOVED")
def lower_not_moved(_low: Lowering, _game: Value) -> Value:
    """What the location of a player is who is not placed."""
    return NOTHING


# ---- methods


@method(BOARD, "get_opponent", takes=("player",))
def lower_opponent(low: Lowering, _game: Value, player: Value) -> Value:
    """The other player."""
    return _other(low, _stranger(low, player))


@method(BOARD, "get_player_location", takes=("player",))
def lower_location(low: Lowering, game: Value, player: Value) -> Value:
    """Where a player stands, or None."""
    return Value(PLACE, (asked(low, "Location", low.one(game), _stranger(low, player)),))


@method(BOARD, "get_legal_moves", takes=("player",), required=0)
def lower_legal_moves(low: Lowering, game: Value, given: Value | None) -> Value:
    """The moves of a player, by default of the one to move."""
    player = _player(low, game, given)
    board = low.one(game)
    return moves_of(low, "Moves", board, player, asked(low, "Location", board, player))


@method(BOARD, "get_blank_spaces")
def lower_blank_spaces(low: Lowering, game: Value) -> Value:
    """The blank cells, column by column."""
    nowhere = low.constant_register("ConstI", -1, "i")
    return moves_of(low, "Blank", low.one(game), nowhere, nowhere)


@method(BOARD, "__get_moves__", takes=("move",))
@method(BOARD, "_Board__get_moves", takes=("loc",))
def lower_moves_from(low: Lowering, game: Value, place: Value) -> Value:
    """The blank cells a knight's move from a cell; all blank cells from None."""
    board = low.one(game)
    if place.type is NONE:
        nowhere = low.constant_register("ConstI", -1, "i")
        return moves_of(low, "Blank", board, nowhere, nowhere)
    if isinstance(place.type, Optional):
        low.refuse("move", "the moves from a cell that may be None are asked: test it for None first")
    # From off the board Python lists those that lead back onto it, so the run ends there.
    cell = cell_of(low, place)
    low.bail_if("JumpLtI", cell, low.constant_register("ConstI", 0, "i"))
    return moves_of(low, "MovesFrom", board, cell, cell)


@method(BOARD, "move_is_legal", takes=("move",))
def lower_is_legal(low: Lowering, game: Value, move: Value) -> Value:
    """Whether a cell is on the board and blank."""
    return Value(BOOL, (asked(low, "IsBlank", low.one(game), cell_of(low, move)),))


@method(BOARD, "is_winner", takes=("player",))
def lower_is_winner(low: Lowering, game: Value, player: Value) -> Value:
    """Whether the other player is to move and cannot."""
    return Value(BOOL, (asked(low, "IsWinner", low.one(game), _comparable(low, player)),))


@method(BOARD, "is_loser", takes=("player",))
def lower_is_loser(low: Lowering, game: Value, player: Value) -> Value:
    """Whether the player is to move and cannot."""
    return Value(BOOL, (asked(low, "IsLoser", low.one(game), _comparable(low, player)),))


def _comparable(low: Lowering, player: Value) -> int:
    """A player that is compared with the two; what is none of them is not asked here."""
    player = low.present(player)
    if player.type is not PLAYER:
        low.refuse("player", f"{player.type.label} is given as a player: give the player")
    return low.one(player)


@method(BOARD, "utility", takes=("player",))
def lower_utility(low: Lowering, game: Value, player: Value) -> Value:
    """inf, -inf or 0.0."""
    board, who = low.one(game), _comparable(low, player)
    won = low.jump("JumpIf", asked(low, "IsWinner", board, who))
    lost = low.jump("JumpIf", asked(low, "IsLoser", board, who))
    on = low.leave()
    ways = ((won, "inf"), (lost, "-inf"), (on, "0"))
    return low.either(
        ("utility", id(low.call_node)), [([way], partial(number, float(value))) for way, value in ways]
    )


@method(BOARD, "forecast_move", takes=("move",))
def lower_forecast(low: Lowering, game: Value, move: Value) -> Value:
    """The board after a move."""
    return Value(GAME, (low.made("Forecast", low.one(game), cell_of(low, move)),))


@method(BOARD, "copy")
def lower_copy(low: Lowering, game: Value) -> Value:
    """A board like this one."""
    return Value(GAME, (low.made("CopyGame", low.one(game)),))


@method(BOARD, "apply_move", takes=("move",))
def lower_apply(low: Lowering, game: Value, move: Value) -> Value:
    """A move on the board itself; on the board that is asked about it is left to Python."""
    if not low.unit.boards_change:
        low.unit.boards_change = True
        raise Again
    low.unit.effects += 1
    low.emit("Apply", low.one(game), cell_of(low, move))
    return NOTHING


# ---- the state, as the classic board keeps it


@attribute(BOARD, "_board_state")
def lower_state(_low: Lowering, game: Value) -> Value:
    """The list of all cells, the initiative, and where the players stand."""
    return Value(STATE, game.row)


@attribute(BOARD, "__last_player_move__")
def lower_places(_low: Lowering, game: Value) -> Value:
    """The places of the players."""
    return Value(PLACES, game.row)


@method("places", "__getitem__", takes=("player",))
def lower_place(low: Lowering, places: Value, player: Value) -> Value:
    """Where a player stands."""
    return Value(PLACE, (asked(low, "Location", low.one(places), _stranger(low, player)),))


def _cells(low: Lowering) -> Value:
    return Value(INT, (low.pure("MulI", low.pure("Width"), low.pure("Height")),))


@method("state", "__len__")
def lower_state_length(low: Lowering, _state: Value) -> Value:
    """The cells, and three more."""
    return Value(INT, (low.pure("AddN", low.one(_cells(low)), 3),))


@method("state", "__getitem__", takes=("index",))
def lower_state_item(low: Lowering, state: Value, index: Value) -> Value:
    """A cell, 1 if it is blocked; from the end, where the players stand and whose turn it is."""
    index = low.present(index)
    board = low.one(state)
    if index.type not in WHOLE:
        raise low.bail()
    if not index.is_constant:
        return _blocked(low, board, low.one(index))
    if index.constant == -3:
        return Value(INT, (asked(low, "Active", board),))
    if index.constant in (-1, -2):
        player = low.constant_register("ConstI", -1 - index.constant, "i")
        cell = asked(low, "Location", board, player)
        none = low.jump("JumpLtI", cell, low.constant_register("ConstI", 0, "i"))
        return low.either(
            ("state", id(low.call_node)),
            [([none], lambda: NOTHING), ([low.leave()], lambda: Value(INT, (cell,)))],
        )
    if index.constant < 0:
        low.refuse("state", "the state is indexed from its end: index cells from its start")
    return _blocked(low, board, low.one(index))


def _blocked(low: Lowering, board: int, cell: int) -> Value:
    low.bail_if("JumpLtI", cell, low.constant_register("ConstI", 0, "i"))
    low.bail_if("JumpLeI", low.one(_cells(low)), cell)
    return Value(INT, (low.pure("IsZero", asked(low, "IsBlank", board, cell)),))


@method("state", "__slice__", takes=("lower", "upper", "step"))
def lower_state_slice(low: Lowering, state: Value, lower: Value, upper: Value, step: Value) -> Value:
    """The cells: `_board_state[:-3]`, a new list."""
    if (lower.constant, upper.constant, step.constant) not in ((None, -3, None), (0, -3, None)):
        low.refuse("state", "a part of the state: take all cells, _board_state[:-3]")
    region = low.region(low.call_node, "cells")
    low.hold(region, INT)
    made = new_list(low, region)
    cell = low.copy(low.constant_register("ConstI", 0, "i"))
    low.rewritten.add(cell)

    def turn(exits: list[Edge]) -> None:
        exits.append(low.jump("JumpLeI", low.one(_cells(low)), cell))
        blocked = low.made("IsZero", low.made("IsBlank", low.one(state), cell))
        pushed(low, region.root(), low.one(made), Value(INT, (blocked,)))
        low.emit("AddN", cell, cell, 1)

    low.enter(low.loop(("state", low.place(low.call_node)), turn))
    return made


@method("state", "count", takes=("item",))
def lower_state_count(low: Lowering, state: Value, item: Value) -> Value:
    """How often 0 or 1 is in the state: as a cell, as the initiative, and as the index of a player's cell."""
    if item.type not in WHOLE or item.constant not in (0, 1):
        low.refuse("state", "what is counted in the state is not constant: count 0 or 1")
    board = low.one(state)
    blank = low.pure("MaskCount", asked(low, "Blank", board, kind="m"))
    count = blank if item.constant == 0 else low.pure("SubI", low.one(_cells(low)), blank)
    players = [low.constant_register("ConstI", player, "i") for player in (0, 1)]
    wanted = low.one(Value(INT, None, constant=int(item.constant)))
    for other in [asked(low, "Active", board), *(asked(low, "Location", board, each) for each in players)]:
        count = low.pure("AddI", count, low.pure("EqI", other, wanted))
    return Value(INT, (count,))
