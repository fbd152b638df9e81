import functools


def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


class CustomPlayer:
    @counted
    def get_move(self, game, legal_moves, time_left):
        return min(legal_moves) if game.move_count < 2 else (-1, CustomPlayer.get_move.calls)


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
