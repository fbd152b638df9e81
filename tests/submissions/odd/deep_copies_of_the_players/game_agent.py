import copy


class CustomPlayer:
    def get_move(self, game, time_left):
        return game.get_legal_moves()[0]


def custom_score(game, player):
    twin = copy.deepcopy(game)
    return float(len(twin.get_legal_moves()) + 100 * (twin.active_player is game.active_player))


def custom_score_2(game, player):
    # the players were copied too: the one we have is none of them
    return float(len(copy.deepcopy(game).get_legal_moves(player)))
