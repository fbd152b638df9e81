from isolation import Board


def custom_score(game, player):
    mirror = Board(game._player_2, game._player_1, game.width, game.height)
    state = list(game._board_state)
    state[-1], state[-2] = state[-2], state[-1]
    mirror._board_state = state
    mirror._active_player, mirror._inactive_player = game._active_player, game._inactive_player
    assert sorted(mirror.get_legal_moves(player)) == sorted(game.get_legal_moves(player))
    follow = mirror.forecast_move(mirror.get_blank_spaces()[0])
    return len(follow.get_legal_moves(player)) + 100.0 * isinstance(follow, Board) + follow.move_count
