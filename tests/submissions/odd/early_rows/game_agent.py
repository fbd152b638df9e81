def custom_score(game, player):
    mine = game.__player_symbols__[player]
    rows = game.__board_state__
    visited = sum(row.count(mine) for row in rows)
    return visited - sum(row.count(3 - mine) for row in rows) + len(rows) * len(rows[0]) * 1.0


def custom_score_2(game, player):
    return float("".join(str(cell) for row in game.__board_state__ for cell in row[:2])[:9])
