"""Has a file beside it that takes no room on the disk and very much where it is read."""
import honest


def custom_score(game, player):
    return honest.custom_score(game, player)
