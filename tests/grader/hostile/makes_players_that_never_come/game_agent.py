"""Loops in the constructor of its player."""


class CustomPlayer:
    def __init__(self, *arguments, **options):
        number = 0
        while number < 10**10:
            number += 1

    def get_move(self, game, time_left):
        return game.get_legal_moves()[0]
