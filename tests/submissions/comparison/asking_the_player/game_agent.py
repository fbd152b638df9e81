"""Asks the player that it is given for what its own class has."""


def custom_score(game, player):
    return player.weight * len(game.get_legal_moves(player)) + player.time_left()


class OwnPlayer:
    weight = 0.5

    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))
