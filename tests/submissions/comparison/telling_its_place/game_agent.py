"""Raises with addresses, and with names of places and of temporary files."""

import os
import tempfile
from pathlib import Path


def custom_score(game, player):
    game.to_string()
    raise ValueError(f"{object()} lost in {os.environ['HOME']} and {Path.cwd().parent}/")


def custom_score_2(game, player):
    game.to_string()
    with tempfile.NamedTemporaryFile() as file:
        raise ValueError(f"{file.name} in {Path.home()}")


def custom_score_3(game, player):
    game.to_string()
    raise ValueError("x" * 265 + f" {tempfile.gettempdir()}/deeper/and/deeper")
