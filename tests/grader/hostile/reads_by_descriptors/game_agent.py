"""Reads from every descriptor that it was given, where one is a file or a folder."""
import os
import stat

import honest
from attempts import attempt, descriptors, once, say


def attack():
    kinds = []
    for each in descriptors():
        mode = os.fstat(each).st_mode
        kinds.append("pipe" if stat.S_ISFIFO(mode) else "device" if stat.S_ISCHR(mode) else "OTHER")
    say("descriptors: " + " ".join(kinds))
    for number, kind in enumerate(kinds):
        if kind == "OTHER":
            say("tried a descriptor: GOT " + str(number))
    attempt("the folder of a descriptor", lambda: os.open("..", os.O_RDONLY, dir_fd=descriptors()[-1]))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
