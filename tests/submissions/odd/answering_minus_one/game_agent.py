def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


class CustomPlayer:
    def get_move(self, game, time_left):
        """Takes the first cell, then always finds that nothing is better than -inf."""
        best_move, best = (-1, -1), float("-inf")
        for move in game.get_legal_moves():
            score = -move[0] - move[1] if game.move_count < 2 else float("-inf")
            if score > best:
                best_move, best = move, score
        return best_move
