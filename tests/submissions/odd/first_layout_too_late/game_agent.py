class CustomPlayer:
    def get_move(self, game, legal_moves, time_left):
        move = min(legal_moves) if legal_moves else (-1, -1)
        while game.move_count > 1 and time_left() >= 0:
            pass
        return move


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
