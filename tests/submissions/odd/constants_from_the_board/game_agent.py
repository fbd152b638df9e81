def custom_score(game, player):
    if game.get_player_location(player) == game.NOT_MOVED:
        return -7.0
    blank = [cell for cell in game._board_state[:-3] if cell == game.BLANK]
    return len(blank) + type(game).BLANK / 2
