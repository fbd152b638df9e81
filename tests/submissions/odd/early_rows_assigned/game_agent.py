from copy import deepcopy


def custom_score(game, player):
    later = game.copy()
    rows = deepcopy(game.__board_state__)
    rows[1][1] = 1
    rows[0] = [0] * game.width
    later.__board_state__ = rows
    return float(len(later.get_blank_spaces()) + 100 * game.__board_state__[1][1])
