class CustomPlayer:
    def __init__(self, search_depth=3, timeout=10.0):
        self.search_depth = search_depth
        self.TIMER_THRESHOLD = timeout
        self.asked = 0

    def get_move(self, game, time_left):
        self.time_left = time_left
        return max(game.get_legal_moves(), default=(-1, -1))


def custom_score(game, player):
    player.asked += 1
    return game.get_opponent(player).search_depth * player.TIMER_THRESHOLD + len(game.get_legal_moves(player))


def custom_score_2(game, player):
    # there is a clock only while it is asked for a move
    return player.time_left()
