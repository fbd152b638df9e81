import numpy


def custom_score(game, player):
    grid = numpy.array(game._board_state[:-3]).reshape(game.width, game.height).T
    inner = grid[1:-1, 1:-1]
    return float(inner.size - inner.sum()) if player == game.active_player else float(grid.trace())


def custom_score_2(game, player):
    # None among the numbers makes this an array of objects
    state = numpy.array(game._board_state)
    return float(state[-1] - state[-2])
