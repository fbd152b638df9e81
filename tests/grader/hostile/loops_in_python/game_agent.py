"""Never answers."""


def custom_score(game, player):
    number = 0
    while number < 10**10:
        number += 1
    return 0.0
