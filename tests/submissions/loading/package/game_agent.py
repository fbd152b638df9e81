from scores import open_moves as custom_score
from scores import deep
import scores.deep.weights


def custom_score_2(game, player):
    from scores.lazy import FACTOR
    return custom_score(game, player) * FACTOR * deep.weights.WEIGHT * scores.SCALE
