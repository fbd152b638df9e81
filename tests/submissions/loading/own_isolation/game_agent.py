import isolation
import isolation.isolation as module
import sample_players
from isolation import Board
from isolation.isolation import TIME_LIMIT_MILLIS
from sample_players import OWN_NAME, improved_score, own_score

BOARDS = {isolation.Board, module.Board, Board, sample_players.BOARD}


def custom_score(game, player):
    import sample_players
    return sample_players.own_score(game, player) + OWN_NAME


def custom_score_2(game, player):
    from sample_players import improved_score
    return improved_score(game, player)
