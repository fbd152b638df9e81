"""The board: its methods and attributes, the classic names and the early ones.

Each call of a method that asks the board is one instruction that asks, in whatever form its answer is wanted.
"""

from __future__ import annotations

from functools import partial
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
    UNKNOWN,
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
    pair = move.parts[:2]
    if type(move.type) is not Tuple or any(part.kind not in NUMBERS for part in pair):
        low.refuse("move", "what is no pair of integers is taken for a move: use row and column")
    if len(pair) < 2 or any(part.kind not in WHOLE for part in pair):
        raise low.bail()
    return low.pure("CellOf", *map(low.one, pair))


def _moves(low: Lowering, name: str, game: Value, *place: Register, origin: Register | None = None) -> Value:
    """A new list of moves, in the form that is wanted of it.

    A set of cells goes with the cell in whose order the board lists them.
    """
    region = low.region("moves", Form.TRUTH)
    region.hold(CELL)
    form, kind = region.form, Listing(region)
    asking = ASKED[name][min(form, Form.CELLS)]
    asked = low.made(asking, game.one, *place, kind="m" if asking == name else "i")
    if form < Form.CELLS:
        return Value(kind, (low.made("MaskCount", asked) if asking == name else asked,))
    if origin is None:
        origin = low.looked_up("Origin", game.one, *place) if place else low.number(-1)
    if form == Form.CELLS:
        return Value(kind, (asked, origin), asked=name == "Blank")
    ordered = low.made("OrderedList", asked, origin)
    if region.element == CELL:
        return Value(kind, (ordered,))
    # Other pairs are put into it, so its cells are pairs too.
    cells = low.unit.region(low.site("cells"))
    cells.hold(CELL)
    pairs = low.prelude("as_pairs", Value(Listing(cells), (ordered,)))
    assert isinstance(pairs.type, Listing)
    pairs.type.region.unite(region)
    return low.converted(pairs, kind)


# ---- attributes


def _active(low: Lowering, game: Value) -> Register:
    return low.looked_up("Active", game.one)


def _opponent(low: Lowering, player: Register) -> Value:
    return Value(PLAYER, (low.pure("XorI", player, low.number(1)),))


attribute(BOARD, "width")(lambda low, _game: Value(INT, (low.pure("Width"),)))
attribute(BOARD, "height")(lambda low, _game: Value(INT, (low.pure("Height"),)))
attribute(BOARD, "move_count")(lambda low, game: Value(INT, (low.looked_up("MoveCount", game.one),)))
attribute(BOARD, "_player_1", "__player_1__")(lambda low, _game: Value(PLAYER, (low.number(0),)))
attribute(BOARD, "_player_2", "__player_2__")(lambda low, _game: Value(PLAYER, (low.number(1),)))
attribute(BOARD, "active_player", "_active_player", "__active_player__")(
    lambda low, game: Value(PLAYER, (_active(low, game),))
)
attribute(BOARD, "inactive_player", "_inactive_player", "__inactive_player__")(
    lambda low, game: _opponent(low, _active(low, game))
)
attribute(BOARD, "BLANK")(lambda _low, _game: constant(0))
attribute(BOARD, "NOT_MOVED")(lambda _low, _game: NOTHING)
attribute(BOARD, "_board_state")(lambda _low, game: Value(STATE, game.row))
attribute(BOARD, "__last_player_move__")(lambda _low, game: Value(PLACES, game.row))


# ---- methods


@method(BOARD, "get_legal_moves", takes=("player",), required=0)
def _legal_moves(low: Lowering, game: Value, given: Value | None) -> Value:
    if given is None or given.type is NONE:
        return _moves(low, "Moves", game, _active(low, game))
    if isinstance(given.type, Optional):
        low.refuse("player", "a player that may be None is given: pass the player itself")
    return _moves(low, "Moves", game, player_of(low, given))


@method(BOARD, "__get_moves__", takes=("move",))
@method(BOARD, "_Board__get_moves", takes=("loc",))
def _moves_from(low: Lowering, game: Value, place: Value) -> Value:
    """The blank cells a knight's move from a cell; all blank cells from None."""
    place = low.bound(place)
    if place.type is NONE:
        return _moves(low, "Blank", game)
    if isinstance(place.type, Optional):
        low.refuse("move", "the moves from a cell that may be None are asked: test it for None first")
    # From off the board Python lists those that lead back onto it, so the run ends there.
    cell = cell_of(low, place)
    low.bail_if("JumpLtI", cell, low.number(0))
    return _moves(low, "MovesFrom", game, cell, origin=cell)


def _has_ended(name: str, low: Lowering, game: Value, player: Value) -> Value:
    return Value(BOOL, (low.made(name, game.one, player_of(low, player, may_be_another=True)),))


method(BOARD, "is_winner", takes=("player",))(partial(_has_ended, "IsWinner"))
method(BOARD, "is_loser", takes=("player",))(partial(_has_ended, "IsLoser"))
method(BOARD, "copy")(lambda low, game: Value(GAME, (low.made("CopyGame", game.one),)))
method(BOARD, "get_blank_spaces")(lambda low, game: _moves(low, "Blank", game))
method(BOARD, "get_opponent", takes=("player",))(
    lambda low, _game, player: Value(PLAYER, (low.made("Opponent", player_of(low, player)),))
)
method(BOARD, "get_player_location", takes=("player",))(
    lambda low, game, player: Value(PLACE, (low.made("Location", game.one, player_of(low, player)),))
)
method(BOARD, "move_is_legal", takes=("move",))(
    lambda low, game, move: Value(BOOL, (low.made("IsBlank", game.one, cell_of(low, move)),))
)
method(BOARD, "forecast_move", takes=("move",))(
    lambda low, game, move: Value(GAME, (low.made("Forecast", game.one, cell_of(low, move)),))
)


@method(BOARD, "utility", takes=("player",))
def _utility(low: Lowering, game: Value, player: Value) -> Value:
    who, active = player_of(low, player, may_be_another=True), _active(low, game)
    moves = low.jump("JumpIf", low.made("CanMove", game.one, active))
    lost = low.jump("JumpEqI", who, active)
    return low.either(
        [
            ([low.leave()], lambda: constant(float("inf"))),
            ([lost], lambda: constant(float("-inf"))),
            ([moves], lambda: constant(0.0)),
        ]
    )


@method(BOARD, "apply_move", takes=("move",))
def _apply(low: Lowering, game: Value, move: Value) -> Value:
    """A move on the board itself; on the board that is asked about it is left to Python."""
    low.facts.learn("boards change", True)
    low.unit.effects += 1
    low.emit("Apply", game.one, cell_of(low, move))
    return NOTHING


# ---- the state, as the classic board keeps it


def _cells(low: Lowering) -> Register:
    return low.pure("MulI", low.pure("Width"), low.pure("Height"))


method("state", "__len__")(lambda low, _state: Value(INT, (low.pure("AddN", _cells(low), 3),)))
method("places", "__getitem__", takes=("player",))(
    lambda low, places, player: Value(PLACE, (low.looked_up("Location", places.one, player_of(low, player)),))
)


@method("state", "__getitem__", takes=("index",))
def _state_item(low: Lowering, state: Value, index: Value) -> Value:
    """A cell, 1 if it is blocked; from the end, where the players stand and whose turn it is."""
    index = low.present(index)
    if index.kind not in WHOLE:
        raise low.bail()
    if index.is_constant and index.constant == -3:
        return Value(INT, (_active(low, state),))
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
def _state_slice(low: Lowering, state: Value, *bounds: Value) -> Value:
    if any(bound.type is not NONE and bound.kind not in WHOLE for bound in bounds):
        raise low.bail()
    start, stop, step = (bound.constant for bound in bounds)
    if start in (None, 0) and stop is UNKNOWN and step is None:
        low.bail_if("JumpNeI", low.one(bounds[1]), _cells(low))
    elif (start, stop, step) not in ((None, -3, None), (0, -3, None)):
        low.refuse("state", "a part of the state: take all cells, _board_state[:-3]")
    return low.prelude("cells_of_state", state)


@method("state", "count", takes=("item",))
def _state_count(low: Lowering, state: Value, item: Value) -> Value:
    """How often 0 or 1 is in the state: as a cell, as the initiative, and as the index of a player's cell."""
    if item.kind not in WHOLE or not item.is_constant or item.constant not in (0, 1):
        low.refuse("state", "what is counted in the state is not constant: count 0 or 1")
    blank = low.pure("MaskCount", low.looked_up("Blank", state.one, kind="m"))
    count = blank if item.constant == 0 else low.pure("SubI", _cells(low), blank)
    places = [low.looked_up("Location", state.one, low.number(player)) for player in (0, 1)]
    for other in (_active(low, state), *places):
        count = low.pure("AddI", count, low.pure("EqI", other, low.number(int(item.constant))))
    return Value(INT, (count,))
