"""What an expression in the text of a module gives: worked out here, and nothing of it is run by Python.

Numbers, texts, lists, tuples, sets, dicts; calls of what the text defines, and of a few functions of Python.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled import Unread

MOST_STEPS: Final = 200_000
MOST_ITEMS: Final = 100_000
MOST_BITS: Final = 4_096
MOST_REPEATED: Final = 64

BINARY: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
IN_PLACE: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.iadd,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
    ast.Sub: operator.isub,
}
UNARY: Final[Mapping[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARED: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
NUMBERS: Final = (bool, int, float)
PLAIN: Final = (*NUMBERS, str, tuple, list, set, frozenset, dict, type(None))
CHANGING: Final = (list, set, dict)
_OF_PYTHON: Final = """
abs all any bool dict divmod enumerate filter float frozenset int len list map max min range reversed round
set sorted sum tuple zip
"""
_OF_MATH: Final = "ceil cos exp fabs floor hypot log log10 log2 pow sin sqrt tan trunc"
CALLED: Final = {
    id(function): function
    for module, names in ((builtins, _OF_PYTHON), (math, _OF_MATH))
    for name in names.split()
    for function in [getattr(module, name)]
} | {
    id(function): function
    for function in (
        itertools.product,
        itertools.combinations,
        itertools.permutations,
        itertools.chain,
        operator.itemgetter,
    )
}
"""What is called as it is, with plain values: by identity, each kept beside."""
ORDERLESS: Final = (len, set, frozenset, sorted)
"""Of these, what a set gives is the same in every order."""
DECORATORS: Final = functools.partial, functools.lru_cache, functools.cache, functools.wraps
"""What only keeps what it is called with."""
WRAPPERS: Final = type(functools.lru_cache(lambda: None)), functools.partial
METHODS: Final[Mapping[type, frozenset[str]]] = {
    list: frozenset("append clear copy count extend index insert pop remove reverse sort".split()),  # noqa: SIM905
    dict: frozenset("clear copy get items keys pop setdefault update values".split()),  # noqa: SIM905
    set: frozenset("add clear copy difference discard intersection remove union update".split()),  # noqa: SIM905
    frozenset: frozenset("copy difference intersection union".split()),  # noqa: SIM905
    tuple: frozenset("count index".split()),  # noqa: SIM905
    str: frozenset("count endswith find index lower split startswith strip upper".split()),  # noqa: SIM905
}


class UnreadableError(Exception):
    """What a node does cannot be told from the text."""

    def __init__(self, node: ast.AST, why: str, *, of_all: bool = False) -> None:
        super().__init__(why)
        self.line, self.why = getattr(node, "lineno", 0), why
        self.of_all = of_all
        """Then nothing else of the file can be told either."""


class Frame:
    """The names at a place: those of the module, and the variables of the functions around."""

    def __init__(
        self, names: dict[str, Any], variables: dict[str, CellType], outer: Frame | None = None
    ) -> None:
        self.names, self.variables, self.outer = names, variables, outer

    def cell(self, name: str) -> CellType | None:
        """The variable of a name, where that is one."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.variables:
                return frame.variables[name]
            frame = frame.outer
        return None

    def bind(self, name: str, value: Any) -> None:
        """Give a name a value."""
        cell = self.cell(name)
        if cell is None:
            self.names[name] = value
        else:
            cell.cell_contents = value


class Expressions:
    """Works out expressions, in so many steps; what calls a function of theirs is in `Evaluator`."""

    def __init__(self) -> None:
        self._steps = 0
        self.own: set[int] = set()
        """The names of the modules that are read, by identity."""

    def is_own(self, function: Any) -> bool:
        """Whether it is a function of the modules that are read."""
        raise NotImplementedError

    def function(self, node: Any, frame: Frame) -> FunctionType:
        """The function that a definition makes."""
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        """Bind a target."""
        raise NotImplementedError

    def call(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives."""
        raise NotImplementedError

    def count(self, node: ast.AST, steps: int = 1) -> None:
        """Count a step; too many end it."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise UnreadableError(
                node, "what it computes when it is imported takes too many steps", of_all=True
            )

    # ---- expressions

    def _value(self, node: ast.expr, frame: Frame) -> Any:
        self.count(node)
        handler = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if handler is None:
            raise UnreadableError(node, f"a {type(node).__name__} is not worked out")
        value = handler(node, frame)
        if type(value) is Unread:
            raise UnreadableError(node, value.why)
        return value

    def _value_constant(self, node: ast.Constant, _frame: Frame) -> Any:
        return node.value

    def _value_name(self, node: ast.Name, frame: Frame) -> Any:
        cell = frame.cell(node.id)
        if cell is not None:
            return cell.cell_contents
        if node.id in frame.names:
            return frame.names[node.id]
        if node.id not in vars(builtins):
            raise UnreadableError(node, f"{node.id} is not defined")
        return vars(builtins)[node.id]

    def _value_tuple(self, node: ast.Tuple, frame: Frame) -> tuple[Any, ...]:
        return tuple(self._spread(node.elts, frame))

    def _value_list(self, node: ast.List, frame: Frame) -> list[Any]:
        return self._spread(node.elts, frame)

    def _value_set(self, node: ast.Set, frame: Frame) -> set[Any]:
        return set(self._spread(node.elts, frame))

    def _value_dict(self, node: ast.Dict, frame: Frame) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, each in zip(node.keys, node.values, strict=True):
            value = self._value(each, frame)
            made.update(value if key is None else {self._value(key, frame): value})
        return made

    def _spread(self, nodes: Iterable[ast.expr], frame: Frame) -> list[Any]:
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += self._items(node, self._value(node.value, frame))
            else:
                values.append(self._value(node, frame))
        return values

    def _value_lambda(self, node: ast.Lambda, frame: Frame) -> FunctionType:
        return self.function(node, frame)

    def _value_ifexp(self, node: ast.IfExp, frame: Frame) -> Any:
        return self._value(node.body if self._value(node.test, frame) else node.orelse, frame)

    def _value_boolop(self, node: ast.BoolOp, frame: Frame) -> Any:
        every = isinstance(node.op, ast.And)
        for each in node.values:
            value = self._value(each, frame)
            if bool(value) is not every:
                break
        return value

    def _value_unaryop(self, node: ast.UnaryOp, frame: Frame) -> Any:
        return UNARY[type(node.op)](self._value(node.operand, frame))

    def _value_binop(self, node: ast.BinOp, frame: Frame) -> Any:
        left, right = self._value(node.left, frame), self._value(node.right, frame)
        return self._operated(node, type(node.op), left, right, BINARY.get(type(node.op)))

    def _operated(self, node: ast.AST, kind: type[ast.operator], left: Any, right: Any, by: Any) -> Any:
        self._plain(node, left), self._plain(node, right)
        if by is None or (kind is ast.Mod and type(left) is str):
            raise UnreadableError(node, "an operator that is not worked out")
        size = left if type(left) is int else 1
        long = (
            type(right) is int
            and kind in (ast.Pow, ast.LShift)
            and abs(right) * size.bit_length() > MOST_BITS
        )
        if long or (kind is ast.Mult and _length(left) * _length(right) > MOST_ITEMS):
            raise UnreadableError(node, "a value that is too large")
        made = by(left, right)
        self._bounded(node, made)
        return made

    def _value_compare(self, node: ast.Compare, frame: Frame) -> bool:
        left = self._value(node.left, frame)
        for op, each in zip(node.ops, node.comparators, strict=True):
            right = self._value(each, frame)
            if not COMPARED[type(op)](left, right):
                return False
            left = right
        return True

    def _value_subscript(self, node: ast.Subscript, frame: Frame) -> Any:
        container = self._plain(node, self._value(node.value, frame))
        return container[self._value(node.slice, frame)]

    def _value_slice(self, node: ast.Slice, frame: Frame) -> slice:
        bounds = (
            None if each is None else self._value(each, frame) for each in (node.lower, node.upper, node.step)
        )
        return slice(*bounds)

    def _value_attribute(self, node: ast.Attribute, frame: Frame) -> Any:
        owner = self._value(node.value, frame)
        if type(owner) is not ModuleType:
            raise UnreadableError(node, f"the attribute {node.attr} of a {type(owner).__name__}")
        if node.attr not in vars(owner):
            raise UnreadableError(node, f"{owner.__name__} has no {node.attr}")
        value = vars(owner)[node.attr]
        if type(value) in CHANGING and id(vars(owner)) not in self.own:
            raise UnreadableError(node, f"{node.attr} of {owner.__name__} is not worked out")
        return value

    def _value_call(self, node: ast.Call, frame: Frame) -> Any:
        method = self._method(node.func, frame) if isinstance(node.func, ast.Attribute) else None
        function = None if method else self._value(node.func, frame)
        given = self._spread(node.args, frame)
        named: dict[str, Any] = {}
        for each in node.keywords:
            value = self._value(each.value, frame)
            named.update(value if each.arg is None else {each.arg: value})
        if method is not None:
            return self._applied(node, method, given, named)
        return self.call(node, function, given, named)

    def _method(self, node: ast.Attribute, frame: Frame) -> Any:
        """A method of a plain value; None where the owner is a module."""
        owner = self._value(node.value, frame)
        if type(owner) is ModuleType:
            return None
        if node.attr not in METHODS.get(type(owner), ()):
            raise UnreadableError(node, f"{node.attr} of a {type(owner).__name__} is not worked out")
        return getattr(owner, node.attr)

    def _value_listcomp(self, node: ast.ListComp, frame: Frame) -> list[Any]:
        return [self._value(node.elt, each) for each in self._turns(node, node.generators, frame)]

    def _value_generatorexp(self, node: ast.GeneratorExp, frame: Frame) -> Iterator[Any]:
        return (self._value(node.elt, each) for each in self._turns(node, node.generators, frame))

    def _value_setcomp(self, node: ast.SetComp, frame: Frame) -> set[Any]:
        return {self._value(node.elt, each) for each in self._turns(node, node.generators, frame)}

    def _value_dictcomp(self, node: ast.DictComp, frame: Frame) -> dict[Any, Any]:
        turns = self._turns(node, node.generators, frame)
        return {self._value(node.key, each): self._value(node.value, each) for each in turns}

    def _turns(self, node: ast.AST, generators: list[ast.comprehension], frame: Frame) -> Iterator[Frame]:
        """The frame of each turn of a comprehension: one for all, as in Python."""
        targets = {
            each.id for one in generators for each in ast.walk(one.target) if isinstance(each, ast.Name)
        }
        inner = Frame(frame.names, {name: CellType() for name in targets}, frame)

        def turns(left: list[ast.comprehension], around: Frame) -> Iterator[Frame]:
            if not left:
                yield inner
                return
            first, *others = left
            for item in self._items(node, self._value(first.iter, around)):
                self.assign(first.target, item, inner)
                if all(self._value(test, inner) for test in first.ifs):
                    yield from turns(others, inner)

        return turns(generators, frame)

    # ---- values

    def _items(self, node: ast.AST, value: Any) -> Iterator[Any]:
        """The items of a value, each of them a step."""
        if type(value) in (set, frozenset):
            value = _in_order(node, value)
        if type(value) not in (*PLAIN, range, *VIEWS) and not isinstance(value, Iterator):
            raise UnreadableError(node, f"a loop over a {type(value).__name__} is not worked out")
        for item in value:
            self.count(node)
            yield item

    def _plain(self, node: ast.AST, value: Any) -> Any:
        if type(value) not in (*PLAIN, range):
            raise UnreadableError(node, f"what is done with a {type(value).__name__} is not worked out")
        return value

    def _bounded(self, node: ast.AST, value: Any) -> None:
        long = type(value) is not int and _length(value) > MOST_ITEMS
        if long or (type(value) is int and value.bit_length() > MOST_BITS):
            raise UnreadableError(node, "a value that is too large")

    def _applied(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """A function or method of Python's, with functions of theirs as ones that work them out."""

        def passed(value: Any) -> Any:
            if callable(value):
                return lambda *items: self.call(node, value, list(items), {})
            if type(value) in (set, frozenset) and function not in ORDERLESS:
                return _in_order(node, value)
            if isinstance(value, Iterator) or type(value) in (range, *VIEWS):
                return list(self._items(node, value))
            return self._plain(node, value)

        if any(type(value) is int and abs(value) > MOST_REPEATED for value in named.values()):
            raise UnreadableError(node, "a value that is too large")
        result = function(*map(passed, given), **{name: passed(value) for name, value in named.items()})
        if type(result) not in (*PLAIN, range) and isinstance(result, Iterable):
            result = list(self._items(node, result))
        for each in (result, getattr(function, "__self__", None)):
            self._bounded(node, each)
        return result


VIEWS: Final[tuple[type, ...]] = type({}.keys()), type({}.values()), type({}.items())


def _length(value: Any) -> int:
    """How many items it has, 1 for what has none; a number as a factor."""
    if type(value) is int:
        return abs(value) if value.bit_length() < MOST_BITS else MOST_ITEMS + 1
    return len(value) if isinstance(value, (str, tuple, list, set, frozenset, dict)) else 1


def _in_order(node: ast.AST, items: Any) -> Any:
    """A set that is walked in the same order in every process."""
    if not all(type(item) in NUMBERS or (type(item) is tuple and _are_numbers(item)) for item in items):
        raise UnreadableError(node, "the order of a set differs from process to process: use a list")
    return items


def _are_numbers(items: tuple[Any, ...]) -> bool:
    return all(type(item) in NUMBERS for item in items)
