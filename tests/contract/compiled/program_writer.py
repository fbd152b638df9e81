"""Writes random heuristics by the rules of grammar.txt: the same program for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from program_grammar import BLOCKS, Hole, Rule, features, rules

HEADER: Final = "import math\nfrom math import sqrt\n\nCALLS = 0\n"
NAMES: Final = (
    *("best", "cell", "count", "delta", "edge", "field", "gain", "here", "items", "jump", "known", "left"),
    *("mine", "near", "other", "pick", "queue", "rest"),
)
MORE_NAMES: Final = [f"{name}_{number}" for number in range(2, 6) for name in NAMES]
BUILTIN_NAMES: Final = ("max", "min", "len", "sum", "abs", "list", "range", "sorted", "math", "float", "int")
# They make most compilers refuse a program, so that few programs have them.
RARE: Final = (
    *("deletes", "impure", "isinstance", "matches", "mutabledefault", "mutates", "nonlocals"),
    *("prints", "setorder", "shadowed", "state", "strings", "unbound"),
)
# What may run this often in one evaluation, all loops around it taken together.
MOST: Final = 600
UNARY: Final = (
    *("sin", "cos", "tan", "atan", "tanh", "exp", "log1p", "expm1", "log2", "log10"),
    *("asin", "acos", "sinh", "cosh", "sqrt", "degrees", "radians"),
)
EXPONENTS: Final = ("0", "1", "2", "2", "3", "4", "0.5", "1.5", "2.0", "-1", "-2", "-0.5", "0.0")
BIG: Final = [2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**20]


class _NoRuleError(Exception):
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
    """A random program: its text, the features that it was allowed, and how often each rule was used."""

    seed: str
    text: str
    features: frozenset[str]
    used: Counter[int]


def write_program(seed: str, *also: str) -> Program:
    """The program of a seed, which may use these features too. Its heuristic is `custom_score`."""
    attempt = 0
    while True:
        writer = _Writer(Random(f"{seed} {attempt}"), also)
        attempt += 1
        try:
            text = writer.program()
            compile(text, "<random>", "exec")
        except (_NoRuleError, SyntaxError):
            continue
        return Program(seed, text, writer.features, writer.used)


def _float(stream: Random) -> str:
    rounded = round(stream.uniform(-5, 5), stream.randint(1, 3))
    return repr(stream.choice([0.0, 0.5, 1.5, 2.5, -0.5, 0.1, 1.0, rounded, rounded, stream.gauss(0, 3)]))


# What has no rules: small ints, moduli, divisors, floats, exponents ...
LITERALS: Final[dict[str, Callable[[Random], object]]] = {
    "lit": lambda stream: stream.choice([0, 1, 1, 2, 3, stream.randint(-9, 12)]),
    "nat": lambda stream: stream.randint(0, 6),
    "one": lambda stream: stream.choice([0, 1, 1, 1]),
    "pick": lambda stream: stream.choice([0, -1, -1]),
    "mod": lambda stream: stream.randint(2, 13),
    "nz": lambda stream: stream.choice([-7, -3, -2, -1, 2, 2, 3, 5, 7, 10]),
    "big": lambda stream: stream.choice(BIG),
    "exp": lambda stream: stream.choice(EXPONENTS),
    "flt": _float,
    "unary": lambda stream: stream.choice(UNARY),
    "truth": lambda stream: stream.choice(["True", "False"]),
}


class _Writer:
    def __init__(self, stream: Random, also: tuple[str, ...]) -> None:
        self.stream = stream
        self.used: Counter[int] = Counter()
        self.costs: dict[str, int] = {}
        self.peak = 1
        common = [each for each in features() if each not in RARE]
        how_many = stream.choice([3, 6, 10, len(common) // 2, len(common)])
        rare = [each for each in RARE if stream.random() < 0.04]
        self.features = frozenset(["core", *stream.sample(common, how_many), *rare, *also])

    def program(self) -> str:
        """A whole program: constants, helpers, the heuristic."""
        module = Scope({})
        pieces = [HEADER]
        for kind, most in (("constant", 2), ("helper", 3)):
            for _ in range(self.stream.randint(0, most)):
                pieces.append(self._statement_of(kind, module))
                module.assignable.clear()
        pieces.append(self._statement_of("entry", module))
        return "\n".join(pieces)

    def _statement_of(self, kind: str, scope: Scope, depth: int = 0) -> str:
        for _ in range(30):
            rule = self._choose(kind, scope, leaf=False)
            try:
                return self._expand(rule, scope, depth or self.stream.randint(1, 3))
            except _NoRuleError:
                continue
        raise _NoRuleError(kind)

    def _choose(self, kind: str, scope: Scope, *, leaf: bool) -> Rule:
        fitting = [
            rule
            for rule in rules()[kind]
            if rule.feature in self.features
            and (rule.leaf or not leaf)
            and (scope.in_loop or not rule.inloop)
            and not (rule.grows and scope.cost > 1)
            and (rule.cost == 1 or scope.cost * rule.cost <= MOST)
        ]
        if not fitting:
            raise _NoRuleError(kind)
        return self.stream.choices(fitting, [rule.weight for rule in fitting])[0]

    def expression(self, kind: str, scope: Scope, depth: int) -> str:
        """An expression of that type: a literal, a variable, or what a rule says."""
        if kind in LITERALS:
            written = str(LITERALS[kind](self.stream))
            return f"({written})" if written.startswith("-") and self.stream.random() < 0.5 else written
        if kind == "result":
            kind = scope.returns
        if kind == "checksum":
            return self._checksum(scope)
        known = [name for name, each in scope.names.items() if each == kind]
        if known and self.stream.random() < (0.75 if depth <= 0 else 0.4):
            return self.stream.choice(known)
        for _ in range(12):
            rule = self._choose(kind, scope, leaf=depth <= 0)
            try:
                return self._expand(rule, scope, depth - 1)
            except _NoRuleError:
                continue
        raise _NoRuleError(kind)

    def _expand(self, rule: Rule, scope: Scope, depth: int) -> str:
        """The text of a rule with its holes filled; binds in `scope` what the rule binds for later."""
        names = self._bind(rule, scope)
        inner = self._inner(rule, scope, names)
        before = self.peak
        if rule.makes_function:
            # What it costs is counted where it is called.
            inner.cost, self.peak = rule.cost, 1
        self.peak = max(self.peak, inner.cost)
        filled: dict[int, str] = {}
        for late in (False, True):
            for index, part in enumerate(rule.parts):
                if isinstance(part, Hole) and part.bang == late:
                    filled[index] = self._fill(part, names, inner if late else scope, depth, rule)
        self.used[rule.number] += 1
        self._define(rule, scope, names)
        if rule.makes_function:
            self.peak = before
        return "".join(
            part if isinstance(part, str) else filled[index] for index, part in enumerate(rule.parts)
        )

    @staticmethod
    def _inner(rule: Rule, scope: Scope, names: dict[str, str]) -> Scope:
        """What is known inside a rule."""
        inner = replace(scope, names=dict(scope.names), assignable=set(scope.assignable))
        inner.cost = scope.cost * rule.cost
        if rule.type == "entry":
            inner.names |= {"game": "game", "player": "player"}
        for hole in rule.holes:
            if hole.type and hole.name and hole.sign in ("", "?"):
                inner.names[names[hole.name]] = hole.inside or hole.type
                inner.assignable.discard(names[hole.name])
        return inner

    def _define(self, rule: Rule, scope: Scope, names: dict[str, str]) -> None:
        """Note what is known after a rule."""
        for hole in rule.holes:
            if hole.sign == "=":
                scope.names[names[hole.name]] = hole.type
                scope.assignable.add(names[hole.name])
                if hole.is_function:
                    self.costs[names[hole.name]] = max(self.peak, self.costs.get(names[hole.name], 1))
            elif hole.after:
                scope.names[names[hole.name]] = hole.after

    def _fill(self, hole: Hole, names: dict[str, str], scope: Scope, depth: int, rule: Rule) -> str:
        if hole.name:
            return names[hole.name]
        if hole.type not in BLOCKS:
            return self.expression(hole.type, scope, depth)
        inner = replace(
            scope, names=dict(scope.names), assignable=set(scope.assignable), level=scope.level + 1
        )
        inner.in_loop = scope.in_loop or hole.in_loop
        if hole.type == "fblock":
            inner.in_loop, inner.returns = False, hole.inside
            inner.assignable = {
                names[each.name] for each in rule.holes if each.type and each.name and not each.sign
            }
        lines = self._block(inner)
        if hole.type == "block":
            self._keep(scope, inner)
        else:
            # The statements after the block are the function's too.
            scope.names.update(inner.names)
        return "\n".join(" " * (hole.indent + 4) + line if line else line for line in lines)

    def _keep(self, scope: Scope, inner: Scope) -> None:
        """What a block does to the names around it."""
        for name, kind in inner.names.items():
            if name not in scope.names:
                # It may be unbound there.
                if "unbound" in self.features and self.stream.random() < 0.3:
                    scope.names[name] = kind
            elif (scope.names[name], kind) == ("int", "num"):
                scope.names[name] = "num"

    def _block(self, scope: Scope) -> list[str]:
        most = {0: 5, 1: 6, 2: 3, 3: 2}.get(scope.level, 1)
        lines: list[str] = []
        for _ in range(self.stream.randint(1, most)):
            depth = self.stream.randint(0, 3 - min(scope.level, 2))
            if scope.level > 4:
                lines.append("pass")
                break
            lines += self._statement_of("statement", scope, depth).split("\n")
        return lines

    def _bind(self, rule: Rule, scope: Scope) -> dict[str, str]:
        names: dict[str, str] = {}
        for hole in rule.holes:
            if not hole.name or not hole.type:
                continue
            if hole.sign in ("?", "~"):
                names[hole.name] = self._existing(hole, scope)
            elif hole.sign == "=" and not hole.is_function:
                old = [name for name in scope.assignable if scope.names.get(name) == hole.type]
                reused = sorted(set(old) - set(names.values()))
                again = reused and self.stream.random() < 0.5
                names[hole.name] = self.stream.choice(reused) if again else self._fresh(scope, names)
            elif (
                rule.is_expression
                and scope.names
                and "scopes" in self.features
                and self.stream.random() < 0.3
            ):
                free = sorted(set(scope.names) - set(names.values()))
                names[hole.name] = self.stream.choice(free) if free else self._fresh(scope, names)
            else:
                names[hole.name] = self._fresh(scope, names)
        return names

    def _existing(self, hole: Hole, scope: Scope) -> str:
        found = [
            name
            for name, kind in scope.names.items()
            if kind == hole.type
            and (hole.sign == "?" or name in scope.assignable)
            and (not hole.after or name in scope.assignable)
            and scope.cost * self.costs.get(name, 1) <= MOST
        ]
        if not found:
            raise _NoRuleError(hole.type)
        chosen = self.stream.choice(found)
        self.peak = max(self.peak, scope.cost * self.costs.get(chosen, 1))
        return chosen

    def _fresh(self, scope: Scope, taken: dict[str, str]) -> str:
        pool = BUILTIN_NAMES if "shadowed" in self.features and self.stream.random() < 0.05 else NAMES
        for names in (pool, NAMES, MORE_NAMES):
            free = [each for each in names if each not in scope.names and each not in taken.values()]
            if free:
                return self.stream.choice(free)
        raise _NoRuleError("name")

    def _checksum(self, scope: Scope) -> str:
        """A sum of what the variables hold, so that a wrong one is seen."""
        ways = {
            "int": ["{0}", "3 * {0}"],
            "bool": ["{0}"],
            "float": ["{0}", "0.5 * {0}"],
            "num": ["{0}", "{0} * 2"],
            "cell": ["7 * {0}[0] + {0}[1]"],
            "opt": ["(0 if {0} is None else 5 * {0}[0] - {0}[1])"],
            "ints": ["len({0})", "sum({0})", "({0}[0] if {0} else 0)", "({0}[-1] if {0} else 1)"],
            "floats": ["sum({0})", "len({0})"],
            "cells": ["len({0})", "(3 * {0}[0][0] + {0}[0][1] if {0} else 0.5)", "sum(r for r, c in {0})"],
            "cset": ["len({0})"],
            "iset": ["len({0})"],
            "idict": ["len({0})", "sum({0}.values())"],
            "cdict": ["len({0})", "sum({0}.values())"],
            "rows": ["len({0})", "sum(len(row) for row in {0})"],
            "game": ["len({0}.get_legal_moves())", "{0}.move_count"],
        }
        usable = [name for name, kind in scope.names.items() if kind in ways]
        chosen = self.stream.sample(usable, min(len(usable), self.stream.randint(1, 5)))
        terms = [self.stream.choice(ways[scope.names[name]]).format(name) for name in chosen]
        if not terms or self.stream.random() < 0.3:
            terms.append(self.expression("num", scope, 2))
        return "(" + " + ".join(terms) + ")"
