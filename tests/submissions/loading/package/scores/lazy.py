from .deep.weights import WEIGHT
FACTOR = WEIGHT * 2
