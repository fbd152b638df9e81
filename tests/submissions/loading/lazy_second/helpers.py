def weight():
    from weights_of_it import WEIGHT
    return WEIGHT
