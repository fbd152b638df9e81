"""One heuristic is written, another one is not."""


def custom_score(game, player):
    return float(player.search_depth)


def custom_score_2(game, player):
    """To be done."""
    raise NotImplementedError


class IsolationPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, timeout=10.0):
        self.search_depth = search_depth
        self.time_left = None


class MinimaxPlayer(IsolationPlayer):
    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))
