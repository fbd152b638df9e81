def custom_score(game, player):
    other = game.copy()
    other._board_state[-3] ^= 1
    # it looks like the other's turn now, but whose turn it is stands somewhere else
    assert other.active_player == game.active_player
    assert sorted(other.get_legal_moves()) == sorted(game.get_legal_moves())
    assert other.hash() != game.hash()
    step = other.forecast_move(other.get_blank_spaces()[0])
    return 10.0 * other._board_state[-3] + step._board_state[-3]
