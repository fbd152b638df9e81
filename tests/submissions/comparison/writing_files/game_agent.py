"""Writes where it stands, beside itself and into its home."""
import os


def custom_score(game, player):
    with open("log.txt", "a") as file:
        file.write("scored\n")
    with open(__file__, "a") as file:
        file.write("# changed\n")
    with open(os.path.join(os.path.expanduser("~"), "isolation-home.txt"), "w") as file:
        file.write("home")
    return float(len(game.get_legal_moves(player)))


def custom_score_2(game, player):
    with open("large.bin", "wb") as file:
        file.seek(2**30)
        file.write(b"far away")
    return 1.0
