class CustomPlayer:
    def get_move(self, game, time_left):
        moves = sorted(game.get_legal_moves()) or [(-1, -1)]
        if game.move_count < 2:
            return moves[0]
        return moves[0][0] / 1, moves[0][1] / 1


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
