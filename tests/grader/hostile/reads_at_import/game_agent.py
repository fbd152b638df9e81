"""Reads a file of the grader while it is loaded."""
import honest
from attempts import attempt
from targets import SECRET

attempt("open", lambda: open(SECRET).read())


def custom_score(game, player):
    return honest.custom_score(game, player)
