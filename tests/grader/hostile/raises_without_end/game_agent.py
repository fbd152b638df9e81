"""Raises an error whose text never comes to an end, and that fails to be shown."""


class Endless(Exception):
    def __str__(self):
        number = 0
        while number < 10**10:
            number += 1
        return "end"

    __repr__ = __str__


def custom_score(game, player):
    raise Endless
