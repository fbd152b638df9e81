class SearchTimeout(Exception):
    pass


class CustomPlayer:
    TIMER_THRESHOLD = 10.0

    def get_move(self, game, time_left):
        self.time_left = time_left
        best = (-1, -1)
        try:
            for depth in range(1, 3):
                best = max(game.get_legal_moves(), key=lambda m: (self.value(game.forecast_move(m), depth), m))
        except (SearchTimeout, ValueError):
            pass
        return best

    def value(self, game, depth):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if depth == 1 or not moves:
            return custom_score(game, self)
        best = max if game.active_player == self else min
        return best(self.value(game.forecast_move(m), depth - 1) for m in sorted(moves)[:6])


def custom_score(game, player):
    mine, theirs = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))
    return game.utility(player) + len(mine) - len(theirs)
