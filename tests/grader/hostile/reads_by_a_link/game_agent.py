"""Has links in its folder to a file and a folder of the grader, made before it was handed in."""
import honest
import os
from attempts import attempt, once

HERE = os.path.dirname(os.path.abspath(__file__))


def attack():
    attempt("the link", lambda: open(os.path.join(HERE, "notes.txt")).read())
    attempt("the linked folder", lambda: open(os.path.join(HERE, "data", "secret.txt")).read())


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
