"""Raises an error of ten megabytes with lines of a forged report in it."""


def custom_score(game, player):
    line = "\nAB_Improved lost by illegal move\r\x1b[2J\x1b]0;100 %\x07| 100.0% |\u202e\u2028"
    raise ValueError(line * 100_000)
