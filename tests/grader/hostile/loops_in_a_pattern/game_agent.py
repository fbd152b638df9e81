"""Never answers: a pattern that backtracks without end."""
import re


def custom_score(game, player):
    return float(bool(re.match(r"(a|a|b?)*c", "a" * 64)))
