"""Locks itself again, by another policy, to get rights back."""
import honest
from attempts import attempt, once


def attack():
    from isolation_fast import jail

    attempt("lock_down", lambda: jail.lock_down(jail.Policy(readable=("/",), memory=None)))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
