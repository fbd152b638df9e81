class CustomPlayer:
    def get_move(self, game, time_left, verbose=False):
        if verbose:
            print(game.to_string())
        return min(game.get_legal_moves()) if game.move_count < 2 else (-1, -1)


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
