def custom_score(game, player):
    later = game.copy()
    for row in (0, 1, 2):
        if later.__board_state__[row][2] == 0:
            later.__board_state__[row][2] = 1
    return len(game.get_blank_spaces()) - len(later.get_blank_spaces()) + len(later.get_legal_moves(player)) / 10


def custom_score_2(game, player):
    later = game.copy()
    later.__board_state__[1][0] = 2
    line = later.__board_state__[2]
    line[1] = game.BLANK
    return later.__board_state__[1][0] + 10 * later.move_is_legal((2, 1)) + 100 * game.move_is_legal((1, 0))
