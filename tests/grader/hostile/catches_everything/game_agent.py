"""Loops and catches every exception that is to end it."""


def custom_score(game, player):
    number = 0
    while number < 10**10:
        try:
            while number < 10**10:
                number += 1
        except BaseException:
            pass
        finally:
            continue
    return 0.0
