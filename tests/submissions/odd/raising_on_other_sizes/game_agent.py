VALUES = [
    [2, 3, 4, 4, 4, 3, 2],
    [3, 4, 6, 6, 6, 4, 3],
    [4, 6, 8, 8, 8, 6, 4],
    [4, 6, 8, 8, 8, 6, 4],
]
CENTRE = {(3, 3): 5, (2, 3): 3, (3, 2): 3, (4, 3): 3, (3, 4): 3}


def custom_score(game, player):
    # rows 4 to 6 mirror rows 2 to 0
    return sum(float(VALUES[min(r, 6 - r)][c]) for r, c in game.get_legal_moves(player))


def custom_score_2(game, player):
    if game.width != 7 or game.height != 7:
        raise NotImplementedError("only for 7 by 7")
    return CENTRE.get(game.get_player_location(player), 0)


def custom_score_3(game, player):
    return game._board_state[24] + game._board_state[48] / 2
