import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--depth", type=int, default=3)
DEPTH = parser.parse_args().depth


def custom_score(game, player):
    return float(DEPTH)


if __name__ == "__main__":
    raise RuntimeError("run as a script")
