"""Plays as it should. The attacks play by its heuristic and its player, so what they gain would be seen."""


def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - 2 * len(other))


class CustomPlayer:
    def get_move(self, game, time_left):
        moves = sorted(game.get_legal_moves())
        return max(moves, key=lambda move: custom_score(game.forecast_move(move), self), default=(-1, -1))
