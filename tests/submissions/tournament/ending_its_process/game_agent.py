"""Players that end their process."""
import os
import random
import signal


def custom_score(game, player):
    if game.move_count > 20:
        os._exit(3)
    return float(len(game.get_legal_moves(player)))


class Exiting:
    """In its second move."""

    def get_move(self, game, time_left):
        if game.move_count >= 2:
            os._exit(3)
        return game.get_legal_moves()[0]


class Crashing:
    def get_move(self, game, time_left):
        os.kill(os.getpid(), signal.SIGSEGV)


class Rarely:
    """Ends it in one of its games, and draws lots in all."""

    games = 0

    def get_move(self, game, time_left):
        if game.move_count < 2:
            self.games += 1
        if self.games == 3 and game.move_count > 4:
            os._exit(0)
        return random.choice(game.get_legal_moves())


class ClosingEverything:
    def get_move(self, game, time_left):
        os.closerange(0, 1000)
        return game.get_legal_moves()[0]
