class NamedPlayer:
    number = 0

    def __init__(self):
        NamedPlayer.number += 1
        self.name = "player %d" % (2 - NamedPlayer.number % 2)

    def __eq__(self, other):  # and so there is no hash
        return isinstance(other, NamedPlayer) and other.name == self.name

    def get_move(self, game, time_left):
        return None


def custom_score(game, player):
    ghost = NamedPlayer.__new__(NamedPlayer)
    ghost.name = player.name
    assert game.get_opponent(ghost) == game.get_opponent(player)
    return 10.0 * len(game.get_legal_moves(ghost)) + (game.get_player_location(ghost) or (0, 0))[0]
