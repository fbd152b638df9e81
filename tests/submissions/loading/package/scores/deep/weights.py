from .. import deep

WEIGHT = 3.0
assert deep.__name__ == "scores.deep"
