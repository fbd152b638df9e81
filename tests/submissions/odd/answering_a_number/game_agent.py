class CustomPlayer:
    def get_move(self, game, time_left):
        moves = sorted(game.get_legal_moves())
        if game.move_count < 2:
            return moves[0]
        row, col = moves[0] if moves else (0, 0)
        return row + col * game.height


def custom_score(game, player):
    return game.utility(player)
