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
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled import Unread

MOST_STEPS: Final = 200_000
STEP: Final = 64
"""Items that are copied in the time of a step."""
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
    ast.Mult: operator.imul,
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
OF_THE_PROCESS: Final = frozenset(
    "__builtins__ __cached__ __doc__ __file__ __loader__ __package__ __path__ __spec__".split()  # noqa: SIM905
)
"""Names of a module that its text says nothing about."""
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


class Expressions(ABC):
    """Works out expressions, in so many steps; what calls a function of theirs is in `Evaluator`."""

    def __init__(self) -> None:
        self._items_seen = 0
        self.own: set[int] = set()
        """The names of the modules that are read, by identity."""

    @abstractmethod
    def is_own(self, function: Any) -> bool:
        """Whether it is a function of the modules that are read."""

    @abstractmethod
    def function(self, node: Any, frame: Frame) -> FunctionType:
        """The function that a definition makes."""

    @abstractmethod
    def assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        """Bind a target."""

    @abstractmethod
    def call(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives."""

    def count(self, node: ast.AST, items: int = STEP) -> None:
        """Count a step, or so many items; too many end it."""
        self._items_seen += items
        if self._items_seen > MOST_STEPS * STEP:
            why = "what it computes when it is imported takes too many steps"
            raise UnreadableError(node, why, of_all=True)

    # ---- expressions

    def _value(self, node: ast.expr, frame: Frame) -> Any:
        self.count(node)
        handler = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if handler is None:
            raise UnreadableError(node, f"a {type(node).__name__} is not worked out")
        return self._known(node, handler(node, frame))

    def _known(self, node: ast.AST, value: Any) -> Any:
        if type(value) is Unread:
            raise UnreadableError(node, value.why)
        return value

    def _value_constant(self, node: ast.Constant, _frame: Frame) -> Any:
        return node.value

    def _value_name(self, node: ast.Name, frame: Frame) -> Any:
        cell = frame.cell(node.id)
        if cell is not None:
            return cell.cell_contents
        if node.id in OF_THE_PROCESS:
            raise UnreadableError(node, f"{node.id} is not told by the text")
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
        return {self._weigh(node, each) for each in self._spread(node.elts, frame)}

    def _value_dict(self, node: ast.Dict, frame: Frame) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, each in zip(node.keys, node.values, strict=True):
            if key is None:
                made.update(self._dict(each, frame))
            else:
                of = self._weigh(key, self._value(key, frame))
                made[of] = self._value(each, frame)
        return made

    def _dict(self, node: ast.expr, frame: Frame) -> dict[Any, Any]:
        value = self._value(node, frame)
        if type(value) is not dict:
            raise UnreadableError(node, f"the items of a {type(value).__name__} are not worked out")
        self.count(node, 4 * len(value))
        return value

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
        return UNARY[type(node.op)](self._plain(node, self._value(node.operand, frame)))

    def _value_binop(self, node: ast.BinOp, frame: Frame) -> Any:
        left, right = self._value(node.left, frame), self._value(node.right, frame)
        return self._operated(node, type(node.op), left, right, BINARY.get(type(node.op)))

    def _operated(self, node: ast.AST, kind: type[ast.operator], left: Any, right: Any, by: Any) -> Any:
        self._plain(node, left), self._plain(node, right)
        if by is None or (kind is ast.Mod and type(left) is str):
            raise UnreadableError(node, "an operator that is not worked out")
        size = left if type(left) is int else 1
        is_power = type(right) is int and kind in (ast.Pow, ast.LShift)
        long = is_power and abs(right) * size.bit_length() > MOST_BITS
        if long or (kind is ast.Mult and _length(left) * _length(right) > MOST_ITEMS):
            raise UnreadableError(node, "a value that is too large")
        if type(left) is list and type(right) in (set, frozenset):
            _in_order(node, right)
        self.count(node, _size(left) + _size(right))
        made = by(left, right)
        self._bounded(node, made)
        return made

    def _value_compare(self, node: ast.Compare, frame: Frame) -> bool:
        left = self._value(node.left, frame)
        for op, each in zip(node.ops, node.comparators, strict=True):
            right = self._value(each, frame)
            if not isinstance(op, (ast.Is, ast.IsNot)):
                self._weighed(node, left), self._weighed(node, right)
            elif not {type(left), type(right)} & {bool, type(None), *CHANGING}:
                raise UnreadableError(node, "whether two values are one object is not worked out")
            if type(right) is range and type(left) not in (int, bool, range):
                raise UnreadableError(node, "what is looked for in a range is not worked out")
            if not COMPARED[type(op)](left, right):
                return False
            left = right
        return True

    def _value_subscript(self, node: ast.Subscript, frame: Frame) -> Any:
        container = self._plain(node, self._value(node.value, frame))
        return self._item(node, container, self._value(node.slice, frame))

    def _item(self, node: ast.AST, container: Any, index: Any) -> Any:
        found = container[index if type(index) is slice else self._weigh(node, index)]
        if type(index) is slice:
            self.count(node, _size(found))
        return found

    def _value_slice(self, node: ast.Slice, frame: Frame) -> slice:
        bounds = (
            None if each is None else self._value(each, frame) for each in (node.lower, node.upper, node.step)
        )
        return slice(*bounds)

    def _value_attribute(self, node: ast.Attribute, frame: Frame) -> Any:
        return self._attribute(node, self._value(node.value, frame))

    def _attribute(self, node: ast.Attribute, owner: Any) -> Any:
        if type(owner) is not ModuleType:
            raise UnreadableError(node, f"the attribute {node.attr} of a {type(owner).__name__}")
        return self.of_module(node, owner, node.attr)

    def of_module(self, node: ast.AST, owner: ModuleType, name: str) -> Any:
        """What a name means in a module. Of Python's own ones nothing is given that could be changed."""
        called = vars(owner).get("__name__")
        called = called if type(called) is str else "the module"
        if name not in vars(owner):
            raise UnreadableError(node, f"{called} has no {name}")
        value = vars(owner)[name]
        is_inside = id(vars(owner)) not in self.own and (type(value) in CHANGING or name[0] == "_")
        if name in OF_THE_PROCESS or is_inside:
            raise UnreadableError(node, f"{name} of {called} is not worked out")
        return tuple(value) if value is sys.version_info else value

    def _value_call(self, node: ast.Call, frame: Frame) -> Any:
        function, is_method = self._called(node.func, frame)
        given = self._spread(node.args, frame)
        named: dict[str, Any] = {}
        for each in node.keywords:
            if each.arg is None:
                named.update(self._dict(each.value, frame))
            else:
                named[each.arg] = self._value(each.value, frame)
        return (self._applied if is_method else self.call)(node, function, given, named)

    def _called(self, node: ast.expr, frame: Frame) -> tuple[Any, bool]:
        """What is called, and whether that is a method of a plain value."""
        if not isinstance(node, ast.Attribute):
            return self._value(node, frame), False
        owner = self._value(node.value, frame)
        if type(owner) is ModuleType:
            return self._known(node, self._attribute(node, owner)), False
        if node.attr not in METHODS.get(type(owner), ()):
            raise UnreadableError(node, f"{node.attr} of a {type(owner).__name__} is not worked out")
        return getattr(owner, node.attr), True

    def _value_listcomp(self, node: ast.ListComp, frame: Frame) -> list[Any]:
        return [self._value(node.elt, each) for each in self._turns(node, node.generators, frame)]

    def _value_generatorexp(self, node: ast.GeneratorExp, frame: Frame) -> Iterator[Any]:
        return (self._value(node.elt, each) for each in self._turns(node, node.generators, frame))

    def _value_setcomp(self, node: ast.SetComp, frame: Frame) -> set[Any]:
        return {
            self._weigh(node, self._value(node.elt, each))
            for each in self._turns(node, node.generators, frame)
        }

    def _value_dictcomp(self, node: ast.DictComp, frame: Frame) -> dict[Any, Any]:
        turns = self._turns(node, node.generators, frame)
        return {
            self._weigh(node, self._value(node.key, each)): self._value(node.value, each) for each in turns
        }

    def _turns(self, node: ast.AST, generators: list[ast.comprehension], frame: Frame) -> Iterator[Frame]:
        """The frame of each turn of a comprehension: one for all, as in Python."""
        targets = {
            each.id for one in generators for each in ast.walk(one.target) if isinstance(each, ast.Name)
        }
        inner = Frame(frame.names, {name: CellType() for name in targets}, frame)

        def turns(left: list[ast.comprehension], outermost: Any = None) -> Iterator[Frame]:
            if not left:
                yield inner
                return
            first, *others = left
            for item in outermost or self._items(node, self._value(first.iter, inner)):
                self.assign(first.target, item, inner)
                if all(self._value(test, inner) for test in first.ifs):
                    yield from turns(others)

        return turns(generators, self._items(node, self._value(generators[0].iter, frame)))

    # ---- values

    def _items(self, node: ast.AST, value: Any) -> Iterator[Any]:
        """The items of a value, each of them a step."""
        if type(value) in (set, frozenset):
            value = _in_order(node, value)
        if type(value) not in (*PLAIN, range, *VIEWS) and not isinstance(value, Iterator):
            raise UnreadableError(node, f"a loop over a {type(value).__name__} is not worked out")
        for item in value:
            self.count(node, STEP + _size(item))
            yield item

    def _plain(self, node: ast.AST, value: Any) -> Any:
        if type(value) not in (*PLAIN, range):
            raise UnreadableError(node, f"what is done with a {type(value).__name__} is not worked out")
        return value

    def _bounded(self, node: ast.AST, value: Any) -> None:
        self.count(node, _size(value) * (4 if type(value) in (set, frozenset, dict) else 1))
        if _size(value) > MOST_ITEMS or (type(value) is int and value.bit_length() > MOST_BITS):
            raise UnreadableError(node, "a value that is too large")

    def _weighed(self, node: ast.AST, value: Any) -> Any:
        """A plain value that is hashed, compared or gone through."""
        return self._weigh(node, value if type(value) in VIEWS else self._plain(node, value))

    def _weigh(self, node: ast.AST, value: Any) -> Any:
        """Count an eighth of a step for each item in a value."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if type(each) is dict:
                waiting += each.values()
            elif type(each) in (tuple, list, set, frozenset):
                waiting += [item for item in each if type(item) not in (*NUMBERS, str)]
            if type(each) is not range:
                self.count(node, (1 + _size(each)) * STEP // 8)
        return value

    def _applied(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """A function or method of Python's, with functions of theirs as ones that work them out."""
        owner, options = getattr(function, "__self__", None), [*given[1:], *named.values()]
        if function is sum and any(type(each) in (list, tuple) for each in options):
            return self._joined(node, *given, **named)
        numbers = options if function is round else named.values()
        if any(type(each) is int and abs(each) > MOST_REPEATED for each in numbers):
            raise UnreadableError(node, "a value that is too large")
        if getattr(function, "__name__", "") not in QUICK:
            self.count(node, _size(owner))
        calls = [self._caller(node, each) for each in given[:1]] if function in (map, filter) else []
        passed = [self._passed(node, function, each) for each in given[len(calls) :]]
        by_name = {
            name: self._caller(node, each) if name == "key" else self._passed(node, function, each)
            for name, each in named.items()
        }
        result = function(*calls, *passed, **by_name)
        if isinstance(result, Iterator):
            return self._items(node, result)
        self._bounded(node, result)
        if _size(owner) > MOST_ITEMS:
            raise UnreadableError(node, "a value that is too large")
        return result

    def _caller(self, node: ast.AST, function: Any) -> Any:
        """What works out a function of theirs where Python calls it."""
        return function and (lambda *items: self._weigh(node, self.call(node, function, list(items), {})))

    def _passed(self, node: ast.AST, function: Any, value: Any) -> Any:
        """A value as Python's functions get it, and as their methods may keep it."""
        if callable(value) and type(getattr(function, "__self__", None)) in METHODS:
            return value
        if type(value) in (set, frozenset) and function not in ORDERLESS:
            return _in_order(node, value)
        if isinstance(value, Iterator):
            return (self._weigh(node, each) for each in self._items(node, value))
        if type(value) in (range, *VIEWS):
            return value if function is len else list(self._items(node, value))
        return self._weighed(node, value)

    def _joined(self, node: ast.AST, items: Any, start: Any) -> Any:
        """The sum of lists, or of tuples."""
        for each in self._items(node, items):
            start = self._operated(node, ast.Add, start, each, operator.add)
        return start


QUICK: Final = "append", "add", "discard", "get", "items", "keys", "pop", "setdefault", "values"
"""Methods that do not go through what they belong to."""
VIEWS: Final[tuple[type, ...]] = type({}.keys()), type({}.values()), type({}.items())


def _length(value: Any) -> int:
    """How many items it has, 1 for what has none; a number as a factor."""
    return min(abs(value), MOST_ITEMS + 1) if type(value) is int else _size(value)


def _size(value: Any) -> int:
    """How much is copied with it."""
    return len(value) if isinstance(value, (str, tuple, list, set, frozenset, dict)) else 1


def _in_order(node: ast.AST, items: Any) -> Any:
    """A set that is walked in the same order in every process."""
    if not all(type(item) in NUMBERS or (type(item) is tuple and _are_numbers(item)) for item in items):
        raise UnreadableError(node, "the order of a set differs from process to process: use a list")
    return items


def _are_numbers(items: tuple[Any, ...]) -> bool:
    return all(type(item) in NUMBERS for item in items)
