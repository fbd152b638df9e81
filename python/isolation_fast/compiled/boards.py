"""The board: its methods and attributes, the classic names and the early ones.

Each call of a method that asks the board is one instruction that asks, in whatever form its answer is wanted.
"""

from __future__ import annotations

from typing import Final

from isolation_fast.compiled.code import Register
from isolation_fast.compiled.lowering import Lowering, attribute, method
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    GAME,
    INT,
    NONE,
    NOTHING,
    NUMBERS,
    PLACE,
    PLACES,
    PLAYER,
    STATE,
    WHOLE,
    Form,
    Listing,
    Optional,
    Tuple,
    Value,
    constant,
)

BOARD: Final = "board"
ASKED: Final = {  # by what is asked: the instruction that gives the answer in each form
    "Moves": ("CanMove", "Mobility", "Moves"),
    "MovesFrom": ("MobilityFrom", "MobilityFrom", "MovesFrom"),
    "Blank": ("Blank", "Blank", "Blank"),
}


def player_of(low: Lowering, given: Value, *, may_be_another: bool = False) -> Register:
    """The register of a player that must be one of the two."""
    given = low.present(given)
    if given.type is not PLAYER:
        if may_be_another:
            low.refuse("player", f"{given.type.label} is given as a player: give the player")
        raise low.bail()
    return given.one


def cell_of(low: Lowering, move: Value) -> Register:
    """The register of a cell that a pair of numbers is, -1 off the board; what is no pair of ints raises."""
    move = low.present(move)
    if move.type is CELL:
        return move.one
    if move.parts is None:
        if isinstance(move.type, Listing):
            low.refuse("move", "a list is taken for a move: use a tuple of row and column")
        raise low.bail()
    if type(move.type) is not Tuple or any(part.kind not in NUMBERS for part in move.parts[:2]):
        low.refuse("move", "what is no pair of integers is taken for a move: use row and column")
    if len(move.parts) < 2 or any(part.kind not in WHOLE for part in move.parts[:2]):
        raise low.bail()
    return low.pure("CellOf", *(low.one(part) for part in move.parts[:2]))


def moves_of(low: Lowering, name: str, game: Register, place: Register | None, origin: Register | None) -> Value:
    """A new list of moves, in the form that is wanted of it: a set of cells with the cell in whose order the board lists
    them, how many they are, or whether there are any.
    """
    region = low.region("moves", Form.TRUTH)
    region.hold(CELL)
    form, kind = region.form, Listing(region)
    asking = ASKED[name][min(form, Form.CELLS)]
    asked = low.made(asking, game, *(() if place is None else (place,)), kind="m" if asking == name else "i")
    if form < Form.CELLS:
        if asking == name:
            asked = low.made("MaskCount", asked)
        return Value(kind, (asked,))
    if origin is None:
        origin = low.number(-1) if place is None else low.looked_up("Location", game, place)
    if form == Form.CELLS:
        return Value(kind, (asked, origin), asked=name == "Blank")
    if region.element == CELL:
        return Value(kind, (low.made("OrderedList", asked, origin),))
    # Other pairs are put into it, so its cells are pairs too.
    cells = low.unit.region(low.site("cells"))
    cells.hold(CELL)
    listed = Value(Listing(cells), (low.made("OrderedList", asked, origin),))
    pairs = low.prelude("as_pairs", listed)
    assert isinstance(pairs.type, Listing)
    pairs.type.region.unite(region)
    return low.converted(pairs, kind)


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
    return Value(INT, (low.looked_up("MoveCount", game.one),))


@attribute(BOARD, "active_player", "_active_player", "__active_player__")
def lower_active(low: Lowering, game: Value) -> Value:
    """The player to move."""
    return Value(PLAYER, (low.looked_up("Active", game.one),))


@attribute(BOARD, "inactive_player", "_inactive_player", "__inactive_player__")
def lower_inactive(low: Lowering, game: Value) -> Value:
    """The player who waits."""
    return Value(PLAYER, (low.pure("XorI", low.looked_up("Active", game.one), low.number(1)),))


@attribute(BOARD, "_player_1", "__player_1__")
def lower_first(low: Lowering, _game: Value) -> Value:
    """The first player."""
    return Value(PLAYER, (low.number(0),))


@attribute(BOARD, "_player_2", "__player_2__")
def lower_second(low: Lowering, _game: Value) -> Value:
    """The second player."""
    return Value(PLAYER, (low.number(1),))


@attribute(BOARD, "BLANK")
def lower_blank_mark(_low: Lowering, _game: Value) -> Value:
    """What a blank cell is in the state."""
    return constant(0)


@attribute(BOARD, "NOT_MOVED")
def lower_not_moved(_low: Lowering, _game: Value) -> Value:
    """What the location of a player is who is not placed."""
    return NOTHING


@attribute(BOARD, "_board_state")
def lower_state(_low: Lowering, game: Value) -> Value:
    """The list of all cells, the initiative, and where the players stand."""
    return Value(STATE, game.row)


@attribute(BOARD, "__last_player_move__")
def lower_places(_low: Lowering, game: Value) -> Value:
    """The places of the players."""
    return Value(PLACES, game.row)


# ---- methods


@method(BOARD, "get_opponent", takes=("player",))
def lower_opponent(low: Lowering, _game: Value, player: Value) -> Value:
    """The other player."""
    return Value(PLAYER, (low.pure("XorI", player_of(low, player), low.number(1)),))


@method(BOARD, "get_player_location", takes=("player",))
def lower_location(low: Lowering, game: Value, player: Value) -> Value:
    """Where a player stands, or None."""
    return Value(PLACE, (low.made("Location", game.one, player_of(low, player)),))


@method(BOARD, "get_legal_moves", takes=("player",), required=0)
def lower_legal_moves(low: Lowering, game: Value, given: Value | None) -> Value:
    """The moves of a player, by default of the one to move."""
    if given is None or given.type is NONE:
        return moves_of(low, "Moves", game.one, low.looked_up("Active", game.one), None)
    if isinstance(given.type, Optional):
        low.refuse("player", "a player that may be None is given: pass the player itself")
    return moves_of(low, "Moves", game.one, player_of(low, given), None)


@method(BOARD, "get_blank_spaces")
def lower_blank_spaces(low: Lowering, game: Value) -> Value:
    """The blank cells, column by column."""
    return moves_of(low, "Blank", game.one, None, None)


@method(BOARD, "_Board__get_moves", takes=("loc",))
def lower_moves_from(low: Lowering, game: Value, place: Value) -> Value:
    """The blank cells a knight's move from a cell; all blank cells from None."""
    place = low.bound(place)
    if place.type is NONE:
        return moves_of(low, "Blank", game.one, None, None)
    if isinstance(place.type, Optional):
        low.refuse("move", "the moves from a cell that may be None are asked: test it for None first")
    # From off the board Python lists those that lead back onto it, so the run ends there.
    cell = cell_of(low, place)
    low.bail_if("JumpLtI", cell, low.number(0))
    return moves_of(low, "MovesFrom", game.one, cell, cell)


method(BOARD, "__get_moves__", takes=("move",))(lower_moves_from)


@method(BOARD, "move_is_legal", takes=("move",))
def lower_is_legal(low: Lowering, game: Value, move: Value) -> Value:
    """Whether a cell is on the board and blank."""
    return Value(BOOL, (low.made("IsBlank", game.one, cell_of(low, move)),))


@method(BOARD, "is_winner", takes=("player",))
def lower_is_winner(low: Lowering, game: Value, player: Value) -> Value:
    """Whether the other player is to move and cannot."""
    return Value(BOOL, (low.made("IsWinner", game.one, player_of(low, player, may_be_another=True)),))


@method(BOARD, "is_loser", takes=("player",))
def lower_is_loser(low: Lowering, game: Value, player: Value) -> Value:
    """Whether the player is to move and cannot."""
    return Value(BOOL, (low.made("IsLoser", game.one, player_of(low, player, may_be_another=True)),))


@method(BOARD, "utility", takes=("player",))
def lower_utility(low: Lowering, game: Value, player: Value) -> Value:
    """inf, -inf or 0.0, by the moves of the player to move."""
    who, active = player_of(low, player, may_be_another=True), low.looked_up("Active", game.one)
    moves = low.jump("JumpIf", low.made("CanMove", game.one, active))
    lost = low.jump("JumpEqI", who, active)
    ways = ((low.leave(), "inf"), (lost, "-inf"), (moves, "0"))
    return low.either([([way], lambda text=text: constant(float(text))) for way, text in ways])


@method(BOARD, "forecast_move", takes=("move",))
def lower_forecast(low: Lowering, game: Value, move: Value) -> Value:
    """The board after a move."""
    return Value(GAME, (low.made("Forecast", game.one, cell_of(low, move)),))


@method(BOARD, "copy")
def lower_copy(low: Lowering, game: Value) -> Value:
    """A board like this one."""
    return Value(GAME, (low.made("CopyGame", game.one),))


@method(BOARD, "apply_move", takes=("move",))
def lower_apply(low: Lowering, game: Value, move: Value) -> Value:
    """A move on the board itself; on the board that is asked about it is left to Python."""
    low.facts.learn("boards change", True)
    low.unit.effects += 1
    low.emit("Apply", game.one, cell_of(low, move))
    return NOTHING


# ---- the state, as the classic board keeps it


@method("places", "__getitem__", takes=("player",))
def lower_place(low: Lowering, places: Value, player: Value) -> Value:
    """Where a player stands."""
    return Value(PLACE, (low.looked_up("Location", places.one, player_of(low, player)),))


def _cells(low: Lowering) -> Register:
    return low.pure("MulI", low.pure("Width"), low.pure("Height"))


@method("state", "__len__")
def state_length(low: Lowering, _state: Value) -> Value:
    """The cells, and three more."""
    return Value(INT, (low.pure("AddN", _cells(low), 3),))


@method("state", "__getitem__", takes=("index",))
def state_item(low: Lowering, state: Value, index: Value) -> Value:
    """A cell, 1 if it is blocked; from the end, where the players stand and whose turn it is."""
    index = low.present(index)
    if index.kind not in WHOLE:
        raise low.bail()
    if index.is_constant and index.constant == -3:
        return Value(INT, (low.looked_up("Active", state.one),))
    if index.is_constant and index.constant in (-1, -2):
        cell = low.looked_up("Location", state.one, low.number(-1 - int(index.constant)))
        none = low.jump("JumpLtI", cell, low.number(0))
        return low.either([([low.leave()], lambda: Value(INT, (cell,))), ([none], lambda: NOTHING)])
    if index.is_constant and index.constant < 0:
        low.refuse("state", "the state is indexed from its end: index cells from its start")
    cell = low.one(index)
    low.bail_if("JumpLtI", cell, low.number(0))
    low.bail_if("JumpLeI", _cells(low), cell)
    return Value(INT, (low.pure("IsZero", low.looked_up("IsBlank", state.one, cell)),))


@method("state", "__slice__", takes=("lower", "upper", "step"))
def state_slice(low: Lowering, state: Value, lower: Value, upper: Value, step: Value) -> Value:
    """The cells: `_board_state[:-3]`, a new list."""
    if (lower.constant, upper.constant, step.constant) not in ((None, -3, None), (0, -3, None)):
        low.refuse("state", "a part of the state: take all cells, _board_state[:-3]")
    return low.prelude("cells_of_state", state)


@method("state", "count", takes=("item",))
def state_count(low: Lowering, state: Value, item: Value) -> Value:
    """How often 0 or 1 is in the state: as a cell, as the initiative, and as the index of a player's cell."""
    if item.kind not in WHOLE or not item.is_constant or item.constant not in (0, 1):
        low.refuse("state", "what is counted in the state is not constant: count 0 or 1")
    blank = low.pure("MaskCount", low.looked_up("Blank", state.one, kind="m"))
    count = blank if item.constant == 0 else low.pure("SubI", _cells(low), blank)
    others = [low.looked_up("Active", state.one)]
    others += [low.looked_up("Location", state.one, low.number(player)) for player in (0, 1)]
    for other in others:
        count = low.pure("AddI", count, low.pure("EqI", other, low.number(int(item.constant))))
    return Value(INT, (count,))
