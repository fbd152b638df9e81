"""What program_writer.py knows while it writes a program, and what it has written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


class NoRuleError(Exception):
    """Nothing of that type can be written here."""


@dataclass(slots=True)
class Scope:
    """What is known at a place of a program: names and their types, and what may be written there."""

    names: dict[str, str]
    assignable: set[str] = field(default_factory=set)
    cost: int = 1
    returns: str = ""
    in_loop: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """A random program: its text, the features that are in it, and how often each rule was used."""

    seed: str
    text: str
    features: frozenset[str]
    used: Counter[int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a module: the names that it binds, and the rules that it was written by."""

    text: str
    binds: set[str]
    used: list[int]
