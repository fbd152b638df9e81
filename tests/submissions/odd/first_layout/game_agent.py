class Timeout(Exception):
    pass


class CustomPlayer:
    def __init__(self, search_depth=3, method="minimax", timeout=10.0):
        self.search_depth, self.method, self.TIMER_THRESHOLD = search_depth, method, timeout

    def get_move(self, game, legal_moves, time_left):
        self.time_left = time_left
        legal_moves.sort()
        if game.move_count < 2:
            return legal_moves[0]
        return None if self.time_left() > 0 else (-1, -1)


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
