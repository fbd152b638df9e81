"""A player of the course's first layout."""
from isolation import Board


def custom_score(game, player):
    return 0.0


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, iterative=True, method="minimax", timeout=10.0):
        self.score = score_fn

    def get_move(self, game, legal_moves, time_left):
        assert isinstance(legal_moves, list)
        return min(legal_moves)
