"""Players that end their process."""
import os
import random
import signal


def custom_score(game, player):
    if game.move_count > 20:
        os._exit(3)
    return float(len(game.get_legal_moves(player)))


class Exiting:
    def get_move(self, game, time_left):
        os._exit(3)


class Crashing:
    def get_move(self, game, time_left):
        os.kill(os.getpid(), signal.SIGSEGV)


class Rarely:
    """Ends it as player 1 in games that begin on one cell, after some moves, and draws lots in all games."""

    def get_move(self, game, time_left):
        blank = game.get_blank_spaces()
        if len(blank) >= 46:
            self.is_to_end_it = len(blank) == 47 and (4, 4) not in blank
        if len(blank) < 42 and self.is_to_end_it:
            os._exit(0)
        return random.choice(game.get_legal_moves())


class ClosingEverything:
    def get_move(self, game, time_left):
        os.closerange(0, 1000)
        return game.get_legal_moves()[0]
