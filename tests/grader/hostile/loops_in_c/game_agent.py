"""Never answers, in one call of C that no signal's handler interrupts."""


def custom_score(game, player):
    return float(sum(range(10**12)))
