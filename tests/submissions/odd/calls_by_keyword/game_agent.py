def custom_score(game, player):
    other = game.get_opponent(player=player)
    here = game.get_player_location(player=player)
    open_cells = len(game.get_legal_moves(player=other)) - len(game.get_legal_moves(player=None))
    centre = game.move_is_legal(move=(game.height // 2, game.width // 2))
    nxt = game.forecast_move(move=game.get_blank_spaces()[0])
    nxt.apply_move(move=nxt.get_blank_spaces()[0])
    ends = game.is_loser(player=player), game.is_winner(player=player), game.utility(player=player) != 0
    return open_cells + centre / 2 + (here is not None) / 4 + sum(ends) * 1000 + nxt.move_count * 100
