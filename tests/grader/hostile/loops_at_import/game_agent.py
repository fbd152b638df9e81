"""Is never loaded."""
number = 0
while number < 10**10:
    number += 1


def custom_score(game, player):
    return 0.0
