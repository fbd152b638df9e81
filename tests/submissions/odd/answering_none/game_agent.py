class CustomPlayer:
    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        if game.move_count < 2:
            return min(moves)
        # forgot the return here
        max(moves, default=(-1, -1))


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
