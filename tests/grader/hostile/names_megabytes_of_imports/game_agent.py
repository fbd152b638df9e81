"""Brings megabytes of words that look like imports, in a text of a module beside it: its referee looks for modules."""
import honest


def custom_score(game, player):
    import words  # noqa: F401

    return honest.custom_score(game, player)
