def custom_score(game, player):
    me, you = game._board_state[-1], game._board_state[-2]
    if player != game._player_1:
        me, you = you, me
    mine = (me % game.height, me // game.height)
    yours = (you % game.height, you // game.height)
    return float(abs(mine[0] - yours[0]) + abs(mine[1] - yours[1]))
