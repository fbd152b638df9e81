import weakref

scores = weakref.WeakKeyDictionary()


def custom_score(game, player):
    if (game in scores) != (scores.get(game) is not None):
        return -1.0
    scores.setdefault(game, []).append(len(game.get_legal_moves(player)))
    same = weakref.ref(game)() is game
    return scores[game][-1] + 10.0 * same
