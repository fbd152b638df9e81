def custom_score(game, player):
    row, col = game.__last_player_move__[player]
    other_row, other_col = game.__last_player_move__[game.get_opponent(player)]
    return float(abs(row - other_row) + abs(col - other_col))


def custom_score_2(game, player):
    moved = game.copy()
    moved.__last_player_move__[player] = (0, 2)
    return len(moved.get_legal_moves(player)) - len(game.__get_moves__((0, 2))) / 10


def custom_score_3(game, player):
    places = game.__last_player_move__.values()
    return len([p for p in places if p is not None]) + len(game.__last_player_move__) * 10
