"""What `FILE.py:member` names, told from the file's source: nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from isolation_fast._suggestions import unknown_word
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.submission import parse
from isolation_fast.submission.recognition import top_level
from isolation_fast.submission.sources import read_source

__all__ = ["checked_member"]


def checked_member(path: Path, member: str) -> Literal["heuristic", "player"]:
    """Whether a member of a submission is a heuristic or a player's class; an error where it is neither.

    What only running the file makes, as `custom_score = partial(...)`, counts as a heuristic until then.

    >>> checked_member(Path("examples/game_agent.py"), "custom_score_2")
    'heuristic'
    >>> checked_member(Path("examples/game_agent.py"), "custom_scor_2")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: unknown heuristic or player of game_agent.py
    'custom_scor_2', did you mean 'custom_score_2'? Allowed: 'custom_score', ...
    """
    outline = parse(path)
    if member in outline.heuristics:
        return "heuristic"
    if member in outline.players:
        return "player"
    templates = [each for each in outline.templates if each.partition(".")[0] == member]
    if templates:
        raise InvalidArgumentError(
            f"{templates[0]} of {path.name} is still a template: it raises NotImplementedError"
        )
    if member in _bound(read_source(outline.path).tree):
        return "heuristic"
    raise InvalidArgumentError(
        unknown_word(f"heuristic or player of {path.name}", member, (*outline.heuristics, *outline.players))
    )


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module's statements bind in ways that do not tell to what."""
    for node in top_level(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
            yield from (each.id for each in names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
