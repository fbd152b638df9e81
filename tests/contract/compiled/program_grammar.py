"""Reads grammar.txt and grammar_functions.txt: the rules by which random programs are written."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FILES: Final = [Path(__file__).with_name(f"{name}.txt") for name in ("grammar", "grammar_functions")]
HOLE: Final = re.compile(
    r"\{(?P<sign>[=?~]?)(?P<name>\w+)(?::(?P<type>\w+))?(?:>(?!>)(?P<inside>\w+))?(?:>>(?P<after>\w+))?(?P<bang>!?)\}"
)
HEADER: Final = re.compile(r"(?P<feature>[a-z]+)(?P<options>(?: [a-z*]\w*)*):(?: (?P<text>.*))?$")
# What must stand in brackets where it is part of another expression.
LOOSE: Final = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr)
BLOCKS: Final = ("block", "fblock")
FUNCTIONS: Final = (
    *("fn", "fns", "gpfn", "dfn", "sfn", "ofn", "tfn", "rec", "look", "thunk", "kfn", "mdfn"),
    *("maker", "gpmaker", "comb", "deco", "bundle", "applier", "gpapplier", "fsapplier", "recapply"),
    *("fdict", "pfn", "xfn", "step", "walker"),
)
STATEMENTS: Final = ("statement", "constant", "helper", "entry", "parameter", "change")


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a rule's text. `sign`: `=` binds for later, `?` and `~` name what exists, `` binds inside.

    Without a name it is an expression of the type, or a block of statements at `indent`; without a type the
    name once more.
    """

    sign: str
    name: str
    type: str
    inside: str
    after: str
    bang: bool
    indent: int
    in_loop: bool
    own: tuple[str, ...] = ()
    """The parameters of the function whose statements they are."""

    @property
    def binds(self) -> bool:
        """Whether it is a name that the rule binds, or asks for."""
        return bool(self.name and self.type) and self.type != "arguments"

    @property
    def is_function(self) -> bool:
        """Whether what is bound is called."""
        return self.type in FUNCTIONS


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to write what has this type."""

    type: str
    number: int
    text: str
    feature: str
    weight: int
    cost: int
    leaf: bool
    inloop: bool
    grows: bool
    parts: tuple[str | Hole, ...]

    @property
    def holes(self) -> list[Hole]:
        """The holes in the order of the text."""
        return [part for part in self.parts if isinstance(part, Hole)]

    @property
    def is_expression(self) -> bool:
        """Whether it is part of a statement."""
        return self.type not in STATEMENTS

    @property
    def makes_function(self) -> bool:
        """Whether what it binds for later is called."""
        return any(hole.sign == "=" and hole.is_function for hole in self.holes)

    @property
    def title(self) -> str:
        """The rule as messages name it."""
        return f"{self.type}: {self.text}"


@cache
def rules() -> dict[str, tuple[Rule, ...]]:
    """All rules by the type that they write."""
    grouped: dict[str, list[Rule]] = {}
    for file in FILES:
        kind = ""
        lines = file.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if line.startswith("== "):
                kind = line[3:]
            elif line and not line.startswith(("#", " ")):
                header = HEADER.match(line)
                assert header, f"line {number + 1} of {file.name} is no rule: {line!r}"
                text = header["text"] or "\n".join(_indented(lines, number + 1))
                known = sum(map(len, grouped.values()))
                grouped.setdefault(kind, []).append(_rule(kind, known, header, text))
    return {kind: tuple(each) for kind, each in grouped.items()}


def features() -> tuple[str, ...]:
    """The names of all features, sorted; every program has `core`."""
    found = {rule.feature for each in rules().values() for rule in each}
    return tuple(sorted(found - {"core"}))


def _indented(lines: list[str], start: int) -> list[str]:
    found = []
    for line in lines[start:]:
        if line and not line.startswith("    "):
            break
        found.append(line[4:])
    while not found[-1]:
        found.pop()
    return found


def _rule(kind: str, number: int, header: re.Match[str], text: str) -> Rule:
    options = header["options"].split()
    numbers = {each[0]: int(each[1:]) for each in options if each[1:].isdigit()}
    if not header["text"] or kind == "parameter":
        loose = False
    else:
        parsed = ast.parse(HOLE.sub("x", text), mode="eval").body
        loose = isinstance(parsed, LOOSE)
    return Rule(
        type=kind,
        number=number,
        text=text,
        feature=header["feature"],
        weight=numbers.get("*", 1),
        cost=numbers.get("x", 1),
        leaf="leaf" in options,
        inloop="inloop" in options,
        grows="grows" in options,
        parts=tuple(_parts(f"({text})" if loose else text)),
    )


def _parts(text: str) -> list[str | Hole]:
    parts: list[str | Hole] = []
    # A comprehension says what it makes before it binds the name.
    named = {found["name"] for found in HOLE.finditer(text) if found["type"]}
    end = 0
    for found in HOLE.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        indent = found.start() - line
        name, kind = (
            (found["name"], found["type"]) if found["type"] or found["name"] in named else ("", found["name"])
        )
        is_block = kind in BLOCKS
        parts.append(text[end : line if is_block else found.start()])
        in_loop = is_block and _in_loop(text[:line].splitlines(), indent)
        hole = Hole(
            found["sign"],
            name,
            kind or "",
            found["inside"] or "",
            found["after"] or "",
            bool(found["bang"]),
            indent,
            in_loop,
            _own(text, found.start()) if kind == "fblock" else (),
        )
        parts.append(hole)
        end = found.end()
    parts.append(text[end:])
    return parts


def _own(text: str, place: int) -> tuple[str, ...]:
    """What the function binds whose statements stand there."""
    inside = text[text.rfind("def ", 0, place) : place]
    holes = (found for found in HOLE.finditer(inside) if found["type"] and not found["sign"])
    return tuple(found["name"] for found in holes if found["type"] != "arguments")


def _in_loop(lines: list[str], indent: int) -> bool:
    """Whether what follows these lines, one level below `indent`, is in a loop of theirs."""
    level = indent + 1
    for line in reversed(lines):
        depth = len(line) - len(line.lstrip())
        if line.endswith(":") and depth < level and not HOLE.fullmatch(line.strip()):
            level = depth
            if line.lstrip().startswith(("for ", "while ")):
                return True
            if line.lstrip().startswith("else"):
                # Of the loop whose body is over: look for what stands around both.
                level = depth
                lines = [each for each in lines if len(each) - len(each.lstrip()) < depth]
                return _in_loop(lines, depth - 1) if depth else False
    return False
