def custom_score(game, player):
    board = game._board_state
    used = sum(board[:-3])
    free = board[:-3].count(game.BLANK)
    assert used + free == game.width * game.height == len(board) - 3
    turn, second, first = board[-3:]
    return used + 100 * turn + (0 if None in (second, first) else (first - second) / 100)


def custom_score_2(game, player):
    # forgot the last three; works once both are placed
    return float(sum(game._board_state))


def custom_score_3(game, player):
    column = game._board_state[: game.height]
    return 10 * column.count(1) + game._board_state.index(0)
