"""The working of a heuristic: its twin's code, run statement by statement, with the numbers written down.

The twins of `isolation_fast.reference.heuristics` are small functions: assignments, sums, conditions, loops
and results. `_Run` carries these out and notes what each comes to. So the working is that of the very code
that gives the value, in its own words, and a twin is written as a student would write it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, NamedTuple

from isolation_fast.reference import HEURISTICS, Board
from isolation_fast.reference import heuristics as twins

WIDEST: Final = 96
# What the formulas call a function of the twins, where that is not its name.
LETTERS: Final = {
    "_distance_to_center": "d",
    "_moves_of_two_steps": "R",
    "_weight_of_moves": "Σw",
    "blank_share": "q",
    "center_distance": "c",
    "decay_sum": "D",
    "distance_of_players": "distance",
    "flood_sum": "R",
    "weight": "w",
}
# What they call what is asked of a board; {p} is the player that a function is about, {o} its opponent.
WORDS: Final = (
    (r"game\.get_opponent\(player\)", "{o}"),
    (r"\bplayer\b", "{p}"),
    (r"game\.get_legal_moves\((.*?)\)", r"L(\1)"),
    (r"game\.get_player_location\((.*?)\)", r"loc(\1)"),
    (r"game\.get_blank_spaces\(\)", "blank"),
    (r"\bgame\.height\b", "H"),
    (r"\bgame\.width\b", "W"),
    (r"\blen\((L\([^()]*\)|\w+)\)", r"|\1|"),
)
# Calls that are written as mathematics, with what they are given.
SIGNS: Final = {"float": "{}", "abs": "|{}|", "sqrt": "√({})", "max": "max({})"}
# Statements and expressions that do something many times.
MANY: Final = (ast.For, ast.ListComp, ast.GeneratorExp)


class Step(NamedTuple):
    """A line of the working: what is worked out, its terms in numbers, and the value.

    >>> print(Step("|L(p)| - |L(o)|", "6 - 2", 4.0))
    |L(p)| - |L(o)| = 6 - 2 = 4
    """

    what: str
    terms: str
    value: float

    def __str__(self) -> str:
        value = shown(self.value)
        return " = ".join([self.what, value] if self.terms == value else [self.what, self.terms, value])


def shown(number: float) -> str:
    """A number to four places, without what is not needed.

    >>> shown(2.0), shown(-0.0), shown(2 / 3), shown(0.45)
    ('2', '0', '0.6667', '0.45')
    """
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def working_of(name: str, parameters: dict[str, float], board: Board, player: str) -> list[Step | str]:
    """How the twin of that name comes to its value for a player of the board; the last line has the value."""
    twin: Any = partial(HEURISTICS[name], **parameters)
    run = _Run(player, board.get_opponent(player))
    run.call(twin.func.__name__, board, player, **twin.keywords)
    return run.lines


@dataclass
class _Call:
    """A call of one of the twins' functions that has not returned yet."""

    name: str
    about: str
    """p, o, a cell, or nothing."""
    quiet: bool
    """Whether it is one of many, and adds no lines."""
    scope: dict[str, Any]
    looping: bool = False
    sums: dict[str, str] = field(default_factory=dict)
    """The terms of each sum or product so far."""

    @property
    def label(self) -> str:
        brackets = self.about and not self.about.startswith("(")
        return _name(self.name) + (f"({self.about})" if brackets else self.about)


class _Run:
    """Carries out functions of the twins, and keeps the lines of their working."""

    def __init__(self, player: str, opponent: str) -> None:
        self.lines: list[Step | str] = []
        """Steps, and the conditions between them."""
        self._letters = {player: "p", opponent: "o"}
        self._calls: list[_Call] = []
        self._functions = {name: partial(self.call, name) for name in _functions()}

    def call(self, name: str, *given: Any, **more: Any) -> Any:
        """Carry out one function."""
        node, names = _functions()[name]
        bound = inspect.signature(names[name]).bind(*given, **more)
        bound.apply_defaults()
        about = str(self._letters.get(given[1], given[1])) if len(given) > 1 else ""
        quiet = bool(self._calls) and (self._calls[-1].quiet or self._calls[-1].looping)
        scope = {**names, **self._functions, **bound.arguments}
        self._calls.append(_Call(name, about, quiet, scope))
        (value,) = self._block(node.body)
        self._calls.pop()
        return value

    def _block(self, body: list[ast.stmt], *, looping: bool = False) -> list[Any]:
        """Carry out statements; what they return, if they do."""
        call = self._calls[-1]
        for node in body:
            call.looping = looping or any(isinstance(each, MANY) for each in ast.walk(node))
            found: list[Any] = []
            if isinstance(node, ast.Return) and node.value is not None:
                return [self._result(node.value)]
            if isinstance(node, ast.If):
                call.looping = looping
                found = self._block(node.body if self._holds(node.test) else node.orelse, looping=looping)
            elif isinstance(node, ast.For):
                targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
                for each in eval(_code(node.iter), call.scope):
                    values = each if len(targets) > 1 else [each]
                    call.scope |= zip(map(ast.unparse, targets), values, strict=True)
                    found = found or self._block(node.body, looping=True)
            elif isinstance(node, ast.AugAssign):
                self._add(node)
            elif isinstance(node, ast.Assign) and not looping and _is_worked_out(node):
                name, expression = ast.unparse(node.targets[0]), _expression(node.value, call.name)
                call.scope[name], values = expression.evaluated(call.scope)
                self._line(Step(name, expression.numbers(values), call.scope[name]))
            else:
                exec(_code(node), call.scope)
            if found:
                return found
        return []

    def _add(self, node: ast.AugAssign) -> None:
        """Add to a sum, or multiply to a product."""
        call, name = self._calls[-1], ast.unparse(node.target)
        expression = _expression(node.value, call.name)
        value, values = expression.evaluated(call.scope)
        terms, sign = expression.numbers(values, digits=6), " + "
        if isinstance(node.op, ast.Mult):
            call.scope[name] *= value
            terms, sign = f"({terms})" if " " in terms else terms, " · "
        else:
            call.scope[name] += value
        call.sums[name] = f"{call.sums[name]}{sign}{terms}" if name in call.sums else terms

    def _holds(self, node: ast.expr) -> bool:
        """Whether a condition holds; one between numbers is a line of the working."""
        if isinstance(node, ast.BoolOp):
            together = any if isinstance(node.op, ast.Or) else all
            return together(self._holds(each) for each in node.values)
        call = self._calls[-1]
        if not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt | ast.Gt)):
            return bool(eval(_code(node), call.scope))
        expression = _expression(node, call.name)
        holds, values = expression.evaluated(call.scope)
        if not call.looping:
            words = f"{self._words(expression)}: {expression.numbers(values)}"
            self._line(f"{words}, {'yes' if holds else 'no'}")
        return bool(holds)

    def _result(self, node: ast.expr) -> Any:
        """What a function returns. One that passes on what another returned adds nothing."""
        if isinstance(node, ast.IfExp):
            return self._result(node.body if self._holds(node.test) else node.orelse)
        call = self._calls[-1]
        expression = _expression(node, call.name)
        value, values = expression.evaluated(call.scope)
        if expression.is_call or value is None:
            return value
        if ast.unparse(node) in call.sums:
            self._line(Step(call.label, call.sums[ast.unparse(node)], value))
            return value
        for part, number in zip(expression.parts, values, strict=True):
            if (name := ast.unparse(part)) in call.sums:
                self._line(Step(name, call.sums[name], number))
        words, terms = self._words(expression), expression.numbers(values) or shown(value)
        what = words if len(self._calls) == 1 else f"{call.label} = {words}"
        is_wide = len(f"{what} = {terms} = {shown(value)}") > WIDEST
        self._line(Step(call.label if is_wide or " for " in words or words == terms else what, terms, value))
        return value

    def _words(self, expression: _Expression) -> str:
        about = self._calls[-1].about
        return expression.words.format(p=about, o="o" if about == "p" else "p")

    def _line(self, line: Step | str) -> None:
        if not self._calls[-1].quiet and line not in self.lines:
            self.lines.append(line)


class _Expression:
    """An expression of a twin, of parts that no arithmetic here takes apart, in words or numbers."""

    def __init__(self, node: ast.expr, known: Mapping[str, str]) -> None:
        self._node = node
        self.parts: list[ast.expr] = []

        def named(part: ast.expr) -> ast.expr:
            self.parts.append(part)
            return ast.Name(f"_{len(self.parts) - 1}", ast.Load())

        self._whole = _code(_mapped(node, named, written=False))
        self._codes = [_code(part) for part in self.parts]
        words = [_in_words(part, known) for part in self.parts]
        self.words = self._written(words)
        self.is_call = [self.words] == words and _called(self.parts[0], known) is not None

    def evaluated(self, scope: dict[str, Any]) -> tuple[Any, list[Any]]:
        """The value, and those of the parts."""
        values = [eval(code, scope) for code in self._codes]
        named = {f"_{at}": each for at, each in enumerate(values)}
        return eval(self._whole, {**scope, **named}), values

    def numbers(self, values: Iterable[Any], digits: int = 0) -> str:
        """The expression with the numbers of its parts, to four places or to so many digits."""
        text = self._written(_in_numbers(each, digits) for each in values)
        return re.sub(r"max\(([^,()]*)\)", r"\1", text)

    def _written(self, parts: Iterable[str]) -> str:
        texts = iter(parts)
        text = ast.unparse(_mapped(self._node, lambda _part: ast.Name(next(texts)), written=True))
        text = text.replace(" ** 2", "²").replace(" * ", " · ").replace(" + 0.0", "")
        text = re.sub(r"\b(\d+)\.0\b", r"\1", text)
        return re.sub(r"^\((-[\d.]+)\)(?!²)", r"\1", text)


def _mapped(node: ast.expr, part: Callable[[ast.expr], ast.expr], *, written: bool) -> ast.expr:
    """The expression with its parts replaced; calls of mathematics as code, or as they are written."""
    again = partial(_mapped, part=part, written=written)
    if isinstance(node, ast.BinOp):
        return ast.BinOp(again(node.left), node.op, again(node.right))
    if isinstance(node, ast.Compare):
        return ast.Compare(again(node.left), node.ops, [again(each) for each in node.comparators])
    if isinstance(node, ast.Call) and (form := SIGNS.get(ast.unparse(node.func))):
        inside = again(node.args[0])
        if not written:
            return ast.Call(node.func, [inside, *node.args[1:]], node.keywords)
        return inside if form == "{}" else ast.Name(form.format(ast.unparse(inside)))
    return node if isinstance(node, ast.Constant) else part(node)


def _is_worked_out(node: ast.Assign) -> bool:
    return isinstance(node.targets[0], ast.Name) and any(
        isinstance(each, ast.BinOp) for each in (node.value, *getattr(node.value, "args", ()))
    )


def _called(part: ast.expr, known: Mapping[str, str]) -> ast.Call | None:
    """The call of a twin's function that an expression is, or the name of; None where it is none."""
    call = ast.parse(_in_full(part, known), mode="eval").body
    return call if isinstance(call, ast.Call) and getattr(call.func, "id", "") in _functions() else None


def _in_full(node: ast.expr, known: Mapping[str, str]) -> str:
    """The code of an expression, with calls in place of the names that they were given."""
    return re.sub(r"\w+", lambda word: known.get(word[0], word[0]), ast.unparse(node))


def _in_words(part: ast.expr, known: Mapping[str, str]) -> str:
    text = _in_full(part, known)
    if call := _called(part, known):
        about = f"({ast.unparse(call.args[1])})" if len(call.args) > 1 else ""
        text = _name(ast.unparse(call.func)) + about
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text)
    return text


def _in_numbers(value: Any, digits: int) -> str:
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    text = f"{value:.{digits}g}" if digits else shown(value)
    return f"({text})" if text.startswith("-") else text


def _name(function: str) -> str:
    return LETTERS.get(function, function.removesuffix("_score").strip("_"))


@cache
def _functions() -> dict[str, tuple[ast.FunctionDef, dict[str, Any]]]:
    """The functions of the twins that return a number, each with the names of its module."""
    return {
        node.name: (node, vars(module))
        for module in vars(twins).values()
        if inspect.ismodule(module)
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.FunctionDef)
        and ast.unparse(node.returns or node).startswith(("float", "int"))
    }


@cache
def _expression(node: ast.expr, function: str) -> _Expression:
    """An expression of a function, with the calls that the function has given names."""
    known: dict[str, str] = {}
    for each in ast.walk(_functions()[function][0]):
        if not (isinstance(each, ast.Assign) and isinstance(each.value, ast.Call)):
            continue
        if ast.unparse(each.value.func) not in SIGNS:
            known[ast.unparse(each.targets[0])] = _in_full(each.value, known)
    return _Expression(node, known)


@cache
def _code(node: ast.AST) -> Any:
    return compile(ast.unparse(node), "<twin>", "eval" if isinstance(node, ast.expr) else "exec")
