"""The working of a heuristic: the code of its twin, run so that it tells what it computes.

The functions of `isolation_fast.reference.heuristics` are read as source. In a copy of them the numbers that
make up a sum, a condition or a result pass through a `_Trace`. So the working is that of the very code that
gives the value, in the words of that code, and a twin is written as a student would write it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from types import CodeType
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from isolation_fast.reference import HEURISTICS, Board
from isolation_fast.reference import heuristics as twins

__all__ = ["Step", "Working", "shown", "working_of"]

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


class Step(NamedTuple):
    """A line of the working: what is worked out, its terms in numbers, and the value.

    >>> print(Step("|L(p)| - |L(o)|", "6 - 2", 4.0))
    |L(p)| - |L(o)| = 6 - 2 = 4
    >>> print(Step("|L(p)|", "6", 6.0))
    |L(p)| = 6
    """

    what: str
    terms: str
    value: float

    def __str__(self) -> str:
        value = shown(self.value)
        return " = ".join([self.what, value] if self.terms == value else [self.what, self.terms, value])


Working: TypeAlias = list[Step | str]
"""Steps, and the conditions between them."""


def shown(number: float) -> str:
    """A number to four places, without what is not needed.

    >>> shown(2.0), shown(-0.0), shown(2 / 3), shown(0.45)
    ('2', '0', '0.6667', '0.45')
    """
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def working_of(name: str, parameters: dict[str, float], board: Board, player: str) -> Working:
    """How the twin of that name comes to its value for a player of the board; the last line has the value.

    >>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> for step in working_of("lookahead_mobility", {}, board, "player 1"):
    ...     print(step)
    R(p) = 1 + 2 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 2 = 18
    R(o) = 1 + 3 + 1 + 3 = 8
    R(p) - R(o) = 18 - 8 = 10
    """
    twin: Any = HEURISTICS[name]
    defaults = twin.keywords if isinstance(twin, partial) else {}
    function = (twin.func if isinstance(twin, partial) else twin).__name__
    code, expressions = _instrumented()
    trace = _Trace(expressions, player, board.get_opponent(player))
    scope: dict[str, Any] = {"_trace": trace}
    exec(code, scope)
    scope[function](board, player, **{**defaults, **parameters})
    return trace.lines


@dataclass
class _Call:
    """A call of one of the twins' functions that has not returned yet."""

    name: str
    about: str
    """p, o, a cell, or nothing."""
    quiet: bool
    """Whether it is one of many, and adds no lines."""
    looping: bool = False
    values: list[Any] = field(default_factory=list)
    sums: dict[str, str] = field(default_factory=dict)


class _Trace:
    """What the instrumented functions tell while they run."""

    def __init__(self, expressions: list[_Expression], player: str, opponent: str) -> None:
        self.lines: Working = []
        self._expressions, self._letters = expressions, {player: "p", opponent: "o"}
        self._calls: list[_Call] = []

    def told(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function whose calls are followed."""

        @wraps(function)
        def follow(*given: Any, **more: Any) -> Any:
            about = str(self._letters.get(given[1], given[1])) if len(given) > 1 else ""
            above = self._calls[-1] if self._calls else _Call("", "", quiet=False)
            self._calls.append(_Call(function.__name__, about, above.quiet or above.looping))
            try:
                return function(*given, **more)
            finally:
                self._calls.pop()

        return follow

    def looping(self, value: bool) -> None:
        """A loop begins, whose calls add no lines, or ends."""
        self._calls[-1].looping = value

    def part(self, value: Any) -> Any:
        """A part of an expression."""
        self._calls[-1].values.append(value)
        return value

    def added(self, name: str, at: int, value: Any) -> Any:
        """What is added to a sum, or multiplied to a product."""
        sums, sign = self._calls[-1].sums, self._expressions[at].sign
        terms = self._expressions[at].numbers(self._taken(), digits=6)
        terms = f"({terms})" if sign == " · " and " " in terms else terms
        sums[name] = f"{sums[name]}{sign}{terms}" if name in sums else terms
        return value

    def condition(self, at: int, holds: bool) -> bool:
        """A comparison of numbers."""
        expression, values = self._expressions[at], self._taken()
        if not self._calls[-1].looping:
            self._line(f"{self._words(expression)}: {expression.numbers(values)}, {'yes' if holds else 'no'}")
        return holds

    def assigned(self, name: str, at: int, value: Any) -> Any:
        """A variable that is worked out."""
        self._line(Step(name, self._expressions[at].numbers(self._taken()), value))
        return value

    def result(self, at: int, value: Any) -> Any:
        """What a function returns. One that passes on what another returned says nothing more."""
        call, expression, values = self._calls[-1], self._expressions[at], self._taken()
        if expression.is_call or call.quiet or value is None:
            return value
        label = _name(call.name) + (f"({call.about})" if call.about and call.about[0] != "(" else call.about)
        if expression.source in call.sums:
            self._line(Step(label, call.sums[expression.source], value))
            return value
        for name, number in zip(expression.parts, values, strict=False):
            if name in call.sums:
                self._line(Step(name, call.sums[name], number))
        words, terms = self._words(expression), expression.numbers(values) or shown(value)
        what = words if len(self._calls) == 1 else f"{label} = {words}"
        is_wide = len(f"{what} = {terms} = {shown(value)}") > WIDEST
        self._line(Step(label if is_wide or " for " in words or words == terms else what, terms, value))
        return value

    def _taken(self) -> list[Any]:
        call = self._calls[-1]
        values, call.values = call.values, []
        return values

    def _words(self, expression: _Expression) -> str:
        about = self._calls[-1].about
        return expression.words.format(p=about, o="o" if about == "p" else "p")

    def _line(self, line: Step | str) -> None:
        if not self._calls[-1].quiet and line not in self.lines:
            self.lines.append(line)


class _Expression:
    """An expression of a twin: what it is called in words, and how it is written with numbers."""

    def __init__(self, node: ast.expr, known: dict[str, ast.expr], sign: str = " + ") -> None:
        self._node, self.sign = node, sign
        self.source = ast.unparse(node)
        parts = [_known(part, known) for part in _parts(node)]
        self.parts = [ast.unparse(part) for part in parts]
        self.words = self._written(map(_in_words, parts))
        only = parts[0] if len(parts) == 1 else None
        self.is_call = _is_told(only) and self.words == _in_words(only)

    def numbers(self, values: Iterable[Any], digits: int = 0) -> str:
        """The expression with the numbers of its parts, to four places or to so many digits."""
        text = self._written(_in_numbers(each, digits) for each in values)
        return re.sub(r"max\(([^,()]*)\)", r"\1", text)

    def _written(self, parts: Iterable[str]) -> str:
        texts = iter(parts)

        def sign(call: ast.Call, inside: ast.expr) -> ast.expr:
            form = _sign_of(call)
            return inside if form == "{}" else ast.Name(form.format(ast.unparse(inside)))

        text = ast.unparse(_mapped(self._node, lambda _part: ast.Name(next(texts)), sign))
        text = text.replace(" ** 2", "²").replace(" * ", " · ").replace(" + 0.0", "")
        text = re.sub(r"\b(\d+)\.0\b", r"\1", text)
        return re.sub(r"^\((-[\d.]+)\)(?!²)", r"\1", text)


def _mapped(
    node: ast.expr, part: Callable[[ast.expr], ast.expr], call: Callable[[ast.Call, ast.expr], ast.expr]
) -> ast.expr:
    """The expression with its parts replaced: what no arithmetic of ours takes apart further."""
    again = partial(_mapped, part=part, call=call)
    if isinstance(node, ast.BinOp):
        return ast.BinOp(again(node.left), node.op, again(node.right))
    if isinstance(node, ast.Compare):
        return ast.Compare(again(node.left), node.ops, [again(each) for each in node.comparators])
    if isinstance(node, ast.Call) and _sign_of(node):
        return call(node, again(node.args[0]))
    return node if isinstance(node, ast.Constant) else part(node)


def _parts(node: ast.expr) -> list[ast.expr]:
    found: list[ast.expr] = []

    def part(each: ast.expr) -> ast.expr:
        found.append(each)
        return each

    _mapped(node, part, lambda _call, inside: inside)
    return found


def _sign_of(call: ast.Call) -> str:
    """How a call is written as mathematics; nothing where it is not."""
    return SIGNS.get(getattr(call.func, "id", ""), "")


def _known(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    """The expression with calls in place of the names that they were given."""

    class Known(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return Known().visit(known[name.id]) if name.id in known else name

    return Known().visit(ast.parse(ast.unparse(node), mode="eval").body)  # type: ignore[no-any-return]


def _is_told(part: ast.expr | None) -> TypeGuard[ast.Call]:
    return isinstance(part, ast.Call) and getattr(part.func, "id", "") in _functions()


def _in_words(part: ast.expr) -> str:
    if _is_told(part):
        about = f"({ast.unparse(part.args[1])})" if len(part.args) > 1 else ""
        text = _name(ast.unparse(part.func)) + about
    else:
        text = ast.unparse(part)
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
def _functions() -> set[str]:
    """The functions of the twins that return a number."""
    found = [node for tree in _modules() for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in found if ast.unparse(node.returns or node).startswith(("float", "int"))}


@cache
def _modules() -> list[ast.Module]:
    modules = [vars(twins)[name] for name in dir(twins) if inspect.ismodule(vars(twins)[name])]
    return [ast.parse(inspect.getsource(each)) for each in modules]


@cache
def _instrumented() -> tuple[CodeType, list[_Expression]]:
    """The twins' modules as one, with functions that tell of themselves, and the expressions they tell of."""
    imports: list[ast.stmt] = []
    rest: list[ast.stmt] = []
    expressions: list[_Expression] = []
    for tree in _modules():
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                if getattr(node, "module", "") != "__future__":
                    imports.append(node)
            elif isinstance(node, ast.FunctionDef) and node.name in _functions():
                rest.append(_Instrument(expressions).function(node))
            elif not (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "HEURISTICS"):
                rest.append(node)
    module = ast.fix_missing_locations(ast.Module([*imports, *rest], []))
    return compile(module, "<twins>", "exec"), expressions


class _Instrument:
    """Lets a function tell of its results, sums and conditions."""

    def __init__(self, expressions: list[_Expression]) -> None:
        self._expressions = expressions
        self._known: dict[str, ast.expr] = {}

    def function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        for each in ast.walk(node):
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and not _sign_of(each.value):
                self._known |= {name.id: each.value for name in each.targets if isinstance(name, ast.Name)}
        told: ast.expr = ast.parse("_trace.told", mode="eval").body
        return ast.FunctionDef(node.name, node.args, list(self._block(node.body)), [told])

    def _block(self, body: list[ast.stmt], *, looping: bool = False) -> Iterator[ast.stmt]:
        for node in body:
            many = any(isinstance(each, ast.ListComp | ast.GeneratorExp) for each in ast.walk(node))
            many = (many or isinstance(node, ast.For)) and not looping and not isinstance(node, ast.If)
            if many:
                yield from ast.parse("_trace.looping(True)").body
            yield from self._statement(node, looping or isinstance(node, ast.For))
            if many and not isinstance(node, ast.Return):
                yield from ast.parse("_trace.looping(False)").body

    def _statement(self, node: ast.stmt, looping: bool) -> Iterator[ast.stmt]:
        block = partial(self._block, looping=looping)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
            first, second = ast.Return(node.value.body), ast.Return(node.value.orelse)
            yield ast.If(node.value.test, [*block([first])], [*block([second])])
        elif isinstance(node, ast.Return) and node.value is not None:
            yield ast.Return(self._told("result", node.value))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            sign = " · " if isinstance(node.op, ast.Mult) else " + "
            yield ast.AugAssign(node.target, node.op, self._told("added", node.value, node.target.id, sign))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and not looping:
            is_sum = any(
                isinstance(each, ast.BinOp) for each in (node.value, *getattr(node.value, "args", ()))
            )
            name = node.targets[0].id
            yield ast.Assign(node.targets, self._told("assigned", node.value, name)) if is_sum else node
        elif isinstance(node, ast.If):
            yield ast.If(self._test(node.test), [*block(node.body)], [*block(node.orelse)])
        elif isinstance(node, ast.For):
            yield ast.For(node.target, node.iter, [*block(node.body)], [])
        else:
            yield node

    def _test(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self._test(each) for each in node.values])
        compares = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt | ast.Gt)
        return self._told("condition", node) if compares else node

    def _told(self, event: str, node: ast.expr, name: str = "", sign: str = " + ") -> ast.Call:
        self._expressions.append(_Expression(node, self._known, sign))
        at = len(self._expressions) - 1

        def part(each: ast.expr) -> ast.expr:
            return ast.Call(ast.parse("_trace.part", mode="eval").body, [each], [])

        def call(node: ast.Call, inside: ast.expr) -> ast.expr:
            return ast.Call(node.func, [inside, *node.args[1:]], node.keywords)

        given: list[ast.expr] = [ast.Constant(name)] if name else []
        return ast.Call(
            ast.parse(f"_trace.{event}", mode="eval").body,
            [*given, ast.Constant(at), _mapped(node, part, call)],
            [],
        )
