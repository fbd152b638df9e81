def custom_score(game, player):
    """How bad would it be to lose the cells around the centre?"""
    what_if = game.copy()
    h = game.height
    for r, c in [(2, 1), (1, 2), (4, 2), (2, 3)]:
        if r < h and c < game.width:
            what_if._board_state[r + c * h] = 1
    return float(len(what_if.get_legal_moves(player)) - len(game.get_legal_moves(player)))


def custom_score_2(game, player):
    freed = game.copy()
    freed._board_state[:-3] = [0] * (game.width * game.height)
    return float(len(freed.get_legal_moves(player)))
