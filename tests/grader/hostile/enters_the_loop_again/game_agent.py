"""Enters the loop of its own process again, with pipes and a handler of its own."""
import os

import honest
from attempts import attempt, descriptors, once
from ours import module


def attack():
    _native = module("_native")
    ours, theirs = os.pipe()
    os.close(theirs)
    attempt("serve", lambda: _native.serve(ours, os.open("/dev/null", os.O_WRONLY), object()))
    for each in descriptors()[3:5]:
        attempt("serve on its pipes", lambda: _native.serve(each, each, object()))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
