"""Asks for system calls by the numbers of x32, which filters of numbers overlook."""
import honest
from attempts import attempt, once, system_call


def attack():
    attempt("getpid of x32", lambda: system_call(0x40000000 + 39))
    attempt("socket of x32", lambda: system_call(0x40000000 + 41, 2, 1, 0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
