import time

started = time.time()


def custom_score(game, player):
    weight = 1.0 if time.time() - started < 0 else 2.0
    time.perf_counter()
    return weight * len(game.get_legal_moves(player))
