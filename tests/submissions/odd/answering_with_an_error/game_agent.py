class CustomPlayer:
    def get_move(self, game, time_left):
        moves = sorted(game.get_legal_moves())
        return moves[0] if game.move_count < 2 else moves[len(moves) // (len(moves) - len(moves))]


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
