"""What `FILE.py:member` names, told from the file's source: nothing of it is run.

Where there is a jail, a stranger's file is parsed there: a parser can be brought down by what it is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from isolation_fast import jail as jails
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import outline as jailed_outline
from isolation_fast.jail.limits import Limits
from isolation_fast.submission import Outline, parse
from isolation_fast.text import unknown_word

__all__ = ["checked_member", "kind_of_member"]


def checked_member(
    path: Path, member: str, *, jail: bool | None = None, limits: Limits | None = None
) -> Literal["heuristic", "player"]:
    """Whether a member of a submission is a heuristic or a player's class; an error where it is neither.

    What only running the file makes, as `custom_score = partial(...)`, counts as a heuristic until then.
    `jail` and `limits` are those of a tournament: with `jail=False` the file is parsed in this process.

    >>> checked_member(Path("examples/game_agent.py"), "custom_score_2")
    'heuristic'
    >>> checked_member(Path("examples/game_agent.py"), "custom_scor_2")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: unknown heuristic or player of game_agent.py
    'custom_scor_2', did you mean 'custom_score_2'? Allowed: 'custom_score', ...
    """
    return kind_of_member(_outline(path, jail, limits), member)


def _outline(path: Path, jail: bool | None, limits: Limits | None) -> Outline:
    if jail is False or (jail is None and jails.available().name == "none"):
        return parse(path)
    try:
        return jailed_outline(path, limits)
    except Fault as fault:
        told = fault.detail if fault.ending == "not loaded" else f"{fault.ending}: {fault.detail}"
        raise InvalidArgumentError(f"what {path} holds cannot be told: {told}") from fault


def kind_of_member(outline: Outline, member: str) -> Literal["heuristic", "player"]:
    """The same, of a file that was parsed before."""
    if member in outline.heuristics:
        return "heuristic"
    if member in outline.players:
        return "player"
    templates = [each for each in outline.templates if each.partition(".")[0] == member]
    if templates:
        raise InvalidArgumentError(
            f"{templates[0]} of {outline.path.name} is still a template: it raises NotImplementedError"
        )
    if member in outline.bound:
        return "heuristic"
    raise InvalidArgumentError(
        unknown_word(
            f"heuristic or player of {outline.path.name}", member, (*outline.heuristics, *outline.players)
        )
    )
