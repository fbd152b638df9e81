"""Is no Python, and says so in a forged way."""
def custom_score(game, player:
    PASSED = "100 %\x1b[2J"
