"""Lies in a folder whose name a shell would run."""
import honest
from attempts import once, say


def attack():
    say("here: " + __file__)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
