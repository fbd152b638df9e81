"""The files that a command writes: checked before anything is played, and that of `--timings` behind it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from isolation_fast.cli.errors import CommandError
from isolation_fast.tournament.record_files import is_same_file

__all__ = ["require_no_player", "require_writable", "write_timings"]


def require_writable(path: str, what: str = "the timings") -> None:
    """Refuse a file that could not be written once all is played. Nothing is left behind."""
    file = Path(path)
    is_new = not file.exists()
    if not is_new and not file.is_file() and not file.is_dir():
        return  # a pipe waits for who reads it
    try:
        file.open("ab").close()
    except OSError as error:
        raise CommandError(f"{what} cannot be written: {error}") from error
    if is_new:
        file.unlink()


def require_no_player(option: str, path: str, players: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse a file to be written that is the file of a player: its source would be gone.

    >>> require_no_player("timings", "game_agent.py", ["./game_agent.py"])
    Traceback (most recent call last):
    ...
    isolation_fast.cli.errors.CommandError: --timings names the file of a player: game_agent.py
    """
    if any(is_same_file(path, each) for each in players):
        raise CommandError(f"--{option} names the file of a player: {path}")


def write_timings(path: str, timings: Mapping[str, object]) -> None:
    """Write them, as JSON."""
    try:
        Path(path).write_text(json.dumps(timings, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"the timings cannot be written: {error}") from error
