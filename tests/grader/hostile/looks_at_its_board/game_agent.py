"""Tells by plain questions whether its board is the one of its games or the one that costs are measured on."""
import copy
import pickle

import honest
import isolation
import isolation_fast
from attempts import attempt, once


def other(found, expected):
    if found == expected:
        raise LookupError("as everywhere")
    return found


def attack(game, player):
    board = type(game)
    attempt("its class", lambda: other(repr(board), "<class 'isolation_fast.Board'>"))
    attempt("its module", lambda: other((board.__module__, board.__qualname__), ("isolation_fast", "Board")))
    attempt("the course's name", lambda: other((board is isolation.Board, isinstance(game, isolation.isolation.Board)), (True, True)))
    attempt("our name", lambda: other((board is isolation_fast.Board, board.__mro__), (True, (board, object))))
    attempt("its names", lambda: other(set(dir(game)) ^ set(dir(board)), set()))
    attempt("its text", lambda: other(repr(game).partition("(")[0], "Board.from_text"))
    attempt("a copy", lambda: other({type(each) for each in (game.copy(), copy.copy(game), copy.deepcopy(game), game.forecast_move(game.get_legal_moves()[0]))}, {board}))
    attempt("its opponent", lambda: other(type(game.get_opponent(player)).__name__, "Opponent"))
    attempt("a pickle", lambda: other(type(pickle.loads(pickle.dumps(isolation.Board("a", "b")))), board))


def custom_score(game, player):
    once(lambda: attack(game, player) if game.get_legal_moves() else None)
    return honest.custom_score(game, player)
