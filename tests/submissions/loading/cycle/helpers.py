import game_agent


def score(game, player):
    return float(game_agent.CENTER[0])
