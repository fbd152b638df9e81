class CustomPlayer:
    def get_move(self, game, legal_moves, time_left):
        assert sorted(legal_moves) == sorted(game.get_legal_moves())
        if not legal_moves:
            return (-1, -1)
        return sorted(legal_moves)[0]


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
