"""Writes random heuristics by the rules of grammar.txt: the same program for the same seed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Final

from program_grammar import BLOCKS, FUNCTIONS, Hole, Rule, features, rules
from program_scopes import NoRuleError, Piece, Program, Scope
from program_words import (
    BUILTIN_NAMES,
    CHECKSUMS,
    FOCUS,
    HEADER,
    LITERALS,
    MORE_NAMES,
    MOST,
    NAMES,
    PASSED,
    RARE,
)

WORD: Final = re.compile(r"\w+")


def write_program(seed: str, *also: str) -> Program:
    """The program of a seed, which may use these features too. Its heuristic is `custom_score`."""
    attempt = 0
    while True:
        writer = _Writer(Random(f"{seed} {attempt}"), also)
        attempt += 1
        try:
            text = writer.program()
            compile(text, "<random>", "exec")
        except (NoRuleError, SyntaxError):
            continue
        used = Counter(writer.used)
        shown = {rule.feature for each in rules().values() for rule in each if used[rule.number]}
        return Program(seed, text, frozenset(shown), used)


class _Writer:
    def __init__(self, stream: Random, also: tuple[str, ...]) -> None:
        self.stream = stream
        self.used: list[int] = []
        self.costs: dict[str, int] = {}
        self.parameters: dict[str, list[tuple[str, str]]] = {}
        self.peak = 1
        common = [each for each in features() if each not in RARE]
        how_many = stream.choice([0, 1, 1, 2, 3, 3, 6, 10, len(common) // 2, len(common)])
        focus = stream.sample(FOCUS, stream.choice([0, 1, 1, 2]))
        rare = [each for each in RARE if stream.random() < 0.04]
        self.features = frozenset(["core", *focus, *stream.sample(common, how_many), *rare, *also])

    def program(self) -> str:
        """A whole program: constants, helpers, the heuristic, and what changes while it is not asked."""
        module = Scope({})
        kinds = ["constant"] * self.stream.randint(0, 2) + ["helper"] * self.stream.choice([0, 1, 2, 3, 5])
        if self.stream.random() < 0.5:
            self.stream.shuffle(kinds)
        pieces = [self._piece(kind, module) for kind in [*kinds, "entry"]]
        text, self.used = "", []
        for piece in reversed(pieces):
            # What nobody asks for is left out: it would hide what the rest is.
            words = set(WORD.findall(text))
            if not piece.binds or not words.isdisjoint(piece.binds):
                text = f"{piece.text}\n{text}"
                self.used += piece.used
            else:
                module.names = {
                    name: kind for name, kind in module.names.items() if name not in piece.binds - words
                }
        if "changes" in self.features:
            for number in range(1, self.stream.randint(2, 4)):
                text += f"\ndef change_{number}():\n    {self._statement_of('change', module)}"
        return f"{HEADER}\n{text}"

    def _piece(self, kind: str, module: Scope) -> Piece:
        before, self.used = set(module.names), []
        text = self._statement_of(kind, module)
        module.assignable.clear()
        return Piece(text, set(module.names) - before, self.used)

    def _statement_of(self, kind: str, scope: Scope, depth: int = 0) -> str:
        for _ in range(30):
            rule, written = self._choose(kind, scope, leaf=False), len(self.used)
            try:
                return self._expand(rule, scope, depth or self.stream.randint(1, 3))
            except NoRuleError:
                del self.used[written:]
        raise NoRuleError(kind)

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
            raise NoRuleError(kind)
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
        if kind in FUNCTIONS:
            return self._function(kind, scope, depth)
        return self._named_or_written(kind, scope, depth)

    def _named_or_written(self, kind: str, scope: Scope, depth: int) -> str:
        known = [name for name, each in scope.names.items() if each == kind]
        if kind in FUNCTIONS:
            known = [name for name in known if self.costs.get(name, 1) <= PASSED]
        if known and self.stream.random() < (0.75 if depth <= 0 else 0.4):
            chosen = self.stream.choice(known)
            self.peak = max(self.peak, self.costs.get(chosen, 1) if kind in FUNCTIONS else 1)
            return chosen
        for _ in range(12):
            rule, written = self._choose(kind, scope, leaf=depth <= 0), len(self.used)
            try:
                return self._expand(rule, scope, depth - 1)
            except NoRuleError:
                del self.used[written:]
        raise NoRuleError(kind)

    def _function(self, kind: str, scope: Scope, depth: int) -> str:
        """A function as a value: it costs no more than what it is given to counts on."""
        before, self.peak = self.peak, 1
        try:
            written = self._named_or_written(kind, replace(scope, cost=1, in_loop=False), depth)
        finally:
            cost, self.peak = self.peak, before
        if cost > PASSED or cost * scope.cost > MOST:
            raise NoRuleError(kind)
        self.peak = max(before, cost * scope.cost)
        return written

    def _expand(self, rule: Rule, scope: Scope, depth: int) -> str:
        """The text of a rule with its holes filled; binds in `scope` what the rule binds for later."""
        names = self._bind(rule, scope)
        inner = self._inner(rule, scope, names)
        before = self.peak
        if rule.makes_function:
            # What it costs is counted where it is called.
            inner.cost, self.peak = rule.cost, 1
        given = any(hole.binds and hole.is_function and not hole.sign for hole in rule.holes)
        self.peak = max(self.peak, inner.cost * (PASSED if given else 1))
        filled: dict[int, str] = {}
        for late in (False, True):
            for index, part in enumerate(rule.parts):
                if isinstance(part, Hole) and part.type == "parameters" and not late:
                    filled[index] = self._parameters(scope, inner, names)
                elif isinstance(part, Hole) and part.bang == late:
                    filled[index] = self._fill(part, names, inner if late else scope, depth, rule)
        self.used.append(rule.number)
        self._define(rule, scope, names)
        if rule.makes_function:
            self.peak = before
        return "".join(
            part if isinstance(part, str) else filled[index] for index, part in enumerate(rule.parts)
        )

    def _inner(self, rule: Rule, scope: Scope, names: dict[str, str]) -> Scope:
        """What is known inside a rule."""
        inner = replace(scope, names=dict(scope.names), assignable=set(scope.assignable))
        inner.cost = scope.cost * rule.cost
        if rule.type == "entry":
            inner.names |= {"game": "game", "player": "player"}
        for hole in rule.holes:
            if hole.binds and hole.sign in ("", "?"):
                inner.names[names[hole.name]] = hole.inside or hole.type
                inner.assignable.discard(names[hole.name])
                if hole.is_function and not hole.sign:
                    self.costs[names[hole.name]] = max(PASSED, self.costs.get(names[hole.name], 1))
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
        if hole.type == "arguments":
            return self._arguments(names[hole.name], scope, depth)
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
            inner.assignable = {names[each] for each in hole.own}
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
            if not hole.binds:
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
                # As everybody calls them, so that functions have names in common.
                usual = hole.type in ("game", "player") and self.stream.random() < 0.5
                usual = usual and hole.type not in {*scope.names, *names.values()}
                names[hole.name] = hole.type if usual else self._fresh(scope, names)
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
            raise NoRuleError(hole.type)
        chosen = self.stream.choice(found)
        self.peak = max(self.peak, scope.cost * self.costs.get(chosen, 1))
        return chosen

    def _fresh(self, scope: Scope, taken: dict[str, str]) -> str:
        pool = BUILTIN_NAMES if "shadowed" in self.features and self.stream.random() < 0.05 else NAMES
        for names in (pool, NAMES, MORE_NAMES):
            free = [each for each in names if each not in scope.names and each not in taken.values()]
            if free:
                # Some more often, so that different functions have variables of one name.
                return self.stream.choice(free[:4] if self.stream.random() < 0.6 else free)
        raise NoRuleError("name")

    def _parameters(self, scope: Scope, inner: Scope, names: dict[str, str]) -> str:
        """Parameters with defaults, known inside; what is bound by `f` can be called with some of them."""
        pieces, found = [""], []
        outside = replace(scope, names=dict(inner.names), assignable=set())
        for _ in range(self.stream.randint(1, 4)):
            before = set(outside.names)
            # A default sees what is around the function, and none of its parameters.
            hidden = replace(scope, names=dict(scope.names), assignable=set())
            rule = self._choose("parameter", scope, leaf=False)
            taken = {name: each for name, each in outside.names.items() if name not in scope.names}
            hidden.names |= dict.fromkeys(taken, "")
            pieces.append(self._expand(rule, hidden, 1))
            ((name, kind),) = ((n, k) for n, k in hidden.names.items() if n not in before)
            outside.names[name] = inner.names[name] = kind
            found.append((name, kind))
        if self.stream.random() < 0.3:
            pieces.insert(self.stream.randint(1, len(pieces) - 1), "*")
        if "f" in names:
            self.parameters[names["f"]] = found
        return ", ".join(pieces)

    def _arguments(self, name: str, scope: Scope, depth: int) -> str:
        """Arguments for some of a function's parameters, by their names."""
        chosen = [each for each in self.parameters.get(name, ()) if self.stream.random() < 0.4]
        self.stream.shuffle(chosen)
        return "".join(f", {name}={self.expression(kind, scope, depth)}" for name, kind in chosen)

    def _checksum(self, scope: Scope) -> str:
        """A sum of what the variables hold, so that a wrong one is seen."""
        usable = [
            name
            for name, kind in scope.names.items()
            if kind in CHECKSUMS and self.costs.get(name, 1) * scope.cost <= MOST
            if "game" in scope.names or "game" not in CHECKSUMS[kind][0]
        ]
        chosen = self.stream.sample(usable, min(len(usable), self.stream.choice([1, 2, 4, 8])))
        terms = [self.stream.choice(CHECKSUMS[scope.names[name]]).format(name) for name in chosen]
        costs = [self.costs.get(name, 1) if scope.names[name] in FUNCTIONS else 1 for name in chosen]
        self.peak = max([self.peak, *(cost * scope.cost for cost in costs)])
        if not terms or self.stream.random() < 0.3:
            terms.append(self.expression("num", scope, 2))
        return "(" + " + ".join(terms) + ")"
