import random


def custom_score(game, player):
    mine = game.get_legal_moves(player)
    theirs = game.get_legal_moves(game.get_opponent(player))
    both = mine + theirs
    both.sort()
    mine.append((99, 99))
    random.Random(1).shuffle(mine)
    mine.remove((99, 99))
    theirs.extend(mine)
    del both[::2]
    while theirs:
        theirs.pop()
    assert sorted(game.get_legal_moves(player)) == sorted(mine)
    shared = sum([game.get_legal_moves(p) for p in (player, game.get_opponent(player))], [])
    game.get_blank_spaces().clear()
    return float(len(both) + len(shared) - len(set(shared)))
