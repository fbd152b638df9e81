"""Plays tournaments of our players to find its move."""
from isolation_fast import Board

import honest
from attempts import attempt, once
from ours import module


def attack():
    as_player = module("submission").as_player
    attempt("an import", lambda: __import__("isolation_fast.tournament"))
    attempt("a player around itself", lambda: as_player(__file__, depth=1).get_move(Board("Ann", "Ben"), lambda: 150.0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
