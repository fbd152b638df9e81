"""Players that do nothing wrong."""
import random


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


class Largest:
    """Goes to the largest cell."""

    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))


class Drawing:
    """Draws lots."""

    def get_move(self, game, time_left):
        return random.choice(game.get_legal_moves())


class Deepening:
    """Looks at the clock until there is next to nothing left."""

    def get_move(self, game, time_left):
        while time_left() > 20:
            pass
        return game.get_legal_moves()[0]


class Modest:
    """Looks at the clock, and needs no time."""

    def get_move(self, game, time_left):
        assert time_left() > 0
        return game.get_legal_moves()[0]
