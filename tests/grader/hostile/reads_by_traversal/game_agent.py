"""Goes upwards from its own folder and from wherever it is, by `..`, chdir and open directories."""
import os

import honest
from attempts import attempt, once
from targets import SECRET


def attack():
    here = os.path.dirname(os.path.abspath(__file__))
    for up in ("..", "../..", "../../.."):
        attempt(up, lambda: os.listdir(os.path.join(here, up)))
    attempt("relative", lambda: open(os.path.relpath(SECRET, here)).read())
    attempt("by the folder", lambda: open(
        "secret.txt", opener=lambda name, flags: os.open(name, flags, dir_fd=os.open(os.path.dirname(SECRET), os.O_PATH))
    ).read())

    def from_inside():
        os.chdir(os.path.dirname(SECRET))
        return open("secret.txt").read()

    attempt("chdir", from_inside)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
