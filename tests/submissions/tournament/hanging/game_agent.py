"""Players that never answer."""
import re
import time


def custom_score(game, player):
    while True:
        time.sleep(1)


class Looping:
    """In its third move."""

    def get_move(self, game, time_left):
        while game.move_count >= 4:
            pass
        return game.get_legal_moves()[0]


class HoldingTheInterpreter:
    def get_move(self, game, time_left):
        re.match(r"(a+)+$", "a" * 60 + "b")


class Catching:
    """Lets nobody end it from inside."""

    def get_move(self, game, time_left):
        while True:
            try:
                time.sleep(1)
            except BaseException:
                pass
