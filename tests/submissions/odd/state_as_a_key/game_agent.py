seen = {}


def custom_score(game, player):
    key = tuple(game._board_state), player
    if key not in seen:
        seen[key] = len(game.get_legal_moves(player)) * 1.0
    return seen[key]


def custom_score_2(game, player):
    text = str(game._board_state)
    return text.count("1, 1") + text.count("None") / 10
