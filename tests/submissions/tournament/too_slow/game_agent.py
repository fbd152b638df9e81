"""Players that take too long."""
import time


def custom_score(game, player):
    time.sleep(0.01)
    return 0.0


class Slow:
    def get_move(self, game, time_left):
        while time_left() >= 0:
            pass
        time.sleep(0.001)
        return game.get_legal_moves()[0]
