"""A heuristic that never ends, between two that do."""


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


def custom_score_2(game, player):
    while game.move_count > 3:
        pass
    return 0.0


def custom_score_3(game, player):
    return 1.0


class OwnPlayer:
    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        return moves[0] if moves else (-1, -1)
