def custom_score(game, player):
    """Works on the board it was given, puts everything back and hopes for the best."""
    state = game._board_state
    before = list(state)
    state[0] = state[-4] = 1
    moves = len(game.get_legal_moves(player))
    game._board_state = before
    return float(moves - len(game.get_legal_moves(player))) + len(game.get_blank_spaces())
