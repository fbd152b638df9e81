"""Values while compiling: what each can be, as far as that is known, and the registers that hold it.

A type has a *layout*: a letter for each register, `i` for integers, `f` for floats, `m` for sets of cells.
What is known whole, such as a constant, fills none.

| type | layout | |
|---|---|---|
| `INT`, `BOOL` | `i` | |
| `FLOAT` | `f` | |
| `NUM` | `if` | an int or a float: 1 for a float, and the value; an int is at most 2 ** 53 |
| `Constant` | | a number or a text that is known |
| `TEXT` | `i` | one of the texts that the program knows: its number |
| `NONE`, `STRING` | | a `STRING` was put together, and is of no use |
| `CELL` | `i` | a pair of numbers that is a cell of the board: its index |
| `PLAYER`, `GAME` | `i` | 0 or 1; a handle |
| `STATE`, `PLACES` | `i` | `_board_state` and `__last_player_move__` of a board: its handle |
| `Optional` | `i` + | 1 if there is a value; an optional cell has -1 for None instead |
| `Unset` | `i` + | 1 if the variable is bound |
| `Listing` | by form | a list: see `Region` |
| `Grouping` | by form | a set: the handle of a list with each item once, or a set of cells |
| `Mapping` | `i` | the handle of a list of pairs: each key of a dict, and its value |
| `Tuple`, `Method` | parts, receiver | |
| `Closure` | held | a function with the variables of its own that it has with it |
| `Known` | | builtins, functions, modules; and what can be walked over once |
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.code import Register

if TYPE_CHECKING:
    from isolation_fast.compiled.programs import Facts
    from isolation_fast.compiled.source import Source

Row = tuple[Register, ...]


class Type:
    """A type without parts; each is one object. Its label is what it is to people, with an article."""

    label: str
    _letters = ""

    def __init__(self, label: str, letters: str = "") -> None:
        self.label, self._letters = label, letters

    @property
    def layout(self) -> str:
        """A letter for each register."""
        return self._layout()

    def _layout(self) -> str:
        return self._letters


INT: Final = Type("an integer", "i")
BOOL: Final = Type("a truth value", "i")
FLOAT: Final = Type("a float", "f")
NUM: Final = Type("a number", "if")
NONE: Final = Type("None")
TEXT: Final = Type("a text", "i")
STRING: Final = Type("a text")
CELL: Final = Type("a cell", "i")
PLAYER: Final = Type("a player", "i")
GAME: Final = Type("a board", "i")
STATE: Final = Type("the state", "i")
PLACES: Final = Type("the places", "i")
NEVER: Final = Type("nothing")
MIXED: Final = Type("sometimes one type, sometimes another")

NUMBERS: Final = frozenset({INT, BOOL, FLOAT, NUM})
WHOLE: Final = frozenset({INT, BOOL})
TEXTS: Final = frozenset({TEXT, STRING})


class Composed(Type):
    """A type with parts: equal to one with equal parts."""

    def _key(self) -> Hashable:
        raise NotImplementedError

    def takes(self, _kind: Type) -> bool:
        """Whether what is of that type may count as of this one."""
        return False

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Composed) and type(self) is type(other) and self._key() == other._key()
        )

    def __hash__(self) -> int:
        return hash(self._key())


class Constant(Composed):
    """A number or a text that is known. Told apart by its text, as -0.0 from 0.0."""

    def __init__(self, value: Any) -> None:
        self.of, self.value = _KINDS[type(value)], value
        self.label = self.of.label

    def _key(self) -> Hashable:
        return self.of, repr(self.value)


_KINDS: Final[dict[type, Type]] = {bool: BOOL, int: INT, float: FLOAT, str: TEXT}


class Tuple(Composed):
    """A tuple of so many parts, each with a type."""

    label = "a tuple"

    def __init__(self, parts: tuple[Type, ...]) -> None:
        self.parts = parts

    def _key(self) -> Hashable:
        return self.parts

    def _layout(self) -> str:
        return "".join(part.layout for part in self.parts)


class Fixed(Tuple):
    """A list that nobody changes, whose items are of different types."""

    label = "a list of different things"


class _Tagged(Composed):
    def __init__(self, of: Type) -> None:
        self.of = of
        self.label = f"None or {of.label}" if isinstance(self, Optional) else of.label

    def _key(self) -> Hashable:
        return self.of

    def _layout(self) -> str:
        return "i" + self.of.layout


class Optional(_Tagged):
    """None, or a value of another type."""

    def _layout(self) -> str:
        return "i" if self.of is CELL else super()._layout()


class Unset(_Tagged):
    """A variable that may be unbound."""


class Method(Composed):
    """A method of a value, taken but not yet called."""

    label = "a method"

    def __init__(self, of: Type, name: str) -> None:
        self.of, self.name = of, name

    def _key(self) -> Hashable:
        return self.of, self.name

    def _layout(self) -> str:
        return self.of.layout


class Known(Composed):
    """The type of one thing that is known while compiling: equal to that of the very object."""

    def __init__(self, label: str, value: Any) -> None:
        self.label, self.value = label, value

    def _key(self) -> Hashable:
        return id(self.value)


class Closure(Composed):
    """A function that is defined inside another, with the variables around it that it reads.

    It has the variables `names`, of the types `held`, with it: they are bound once, and so stay the same. All
    others are looked up in the scope that it was made in, while that lives: then it `is_bound`.
    """

    label = "a function"

    def __init__(
        self, node: Any, source: Source, scope: Hashable, names: tuple[str, ...], held: Tuple, is_bound: bool
    ) -> None:
        self.node, self.source, self.scope = node, source, scope
        self.names, self.held, self.is_bound = names, held, is_bound
        self.text = node, source.function, names
        """What it has in common with others that hold values of other types."""

    def _key(self) -> Hashable:
        return self.text, self.scope if self.is_bound else None, self.held

    def _layout(self) -> str:
        return self.held.layout

    def holding(self, held: Type) -> Closure:
        """The same function with variables of other types."""
        assert isinstance(held, Tuple)
        return Closure(self.node, self.source, self.scope, self.names, held, self.is_bound)


class Form(IntEnum):
    """How a list of the board's is kept: in each form by what is asked of it. A later one can do more."""

    TRUTH = 0
    COUNT = 1
    CELLS = 2
    LIST = 3


LAYOUTS: Final = {Form.TRUTH: "i", Form.COUNT: "i", Form.CELLS: "mi", Form.LIST: "i"}


def _fact(name: str, default: Any = False) -> property:
    return property(lambda region: region.facts.get((region.root(), name), default))


class Region:
    """All lists, sets or dicts that may be one and the same: they have one type of elements, and one form.

    What it knows are facts: read, they are those of this round; noted, they hold from the next one on.
    """

    element = _fact("element", NEVER)
    """The type of its elements."""
    is_changed = _fact("changed")
    """Somebody writes into one of them."""
    is_lasting = _fact("lasting")
    """One of them is the module's: what is written into it would outlive the run."""
    is_shuffled = _fact("shuffled")
    """Their order is that of a set, which is not imitated: a heuristic that needs it is refused."""
    is_frozen = _fact("frozen")
    is_filtered = _fact("filtered")
    """Some of a list of the board's are left out: as cells, the order among them is not known."""

    def __init__(self, facts: Facts, form: Form) -> None:
        self.facts, self._first = facts, form

    def root(self) -> Region:
        """The region that this one has become part of."""
        return self._root(self.facts.get)

    def _root(self, find: Callable[[Hashable, Any], Any]) -> Region:
        region = self
        while (other := find((region, "with"), None)) is not None:
            region = other
        return region

    @property
    def form(self) -> Form:
        """How its lists are kept."""
        root = self.root()
        return self.facts.get((root, "form"), root._first)  # type: ignore[no-any-return]

    def note(self, *names: str) -> None:
        """Note that these facts hold."""
        for name in names:
            self.facts.learn((self.root(), name), True)

    def need(self, form: Form) -> bool:
        """Note that something is asked that a form can do; whether this round's can."""
        root = self.root()
        if self.facts.newest((root, "form"), root._first) < form:
            self.facts.learn((root, "form"), form)
        return self.form >= form

    def hold(self, element: Type) -> Type:
        """Note that an element of a type is put in; what they are joined to."""
        root = self.root()
        before = self.facts.newest((root, "element"), NEVER)
        wider = join(before, plain(element))
        regions = [each.region for each in parts_in(wider) if isinstance(each, Container)]
        if "m" in wider.layout or any(region.form < Form.LIST for region in regions):
            for region in regions:
                region.need(Form.LIST)
        if wider != before:
            self.facts.learn((root, "element"), wider)
        return wider

    def unite(self, other: Region) -> None:
        """Lists of both may be one and the same."""
        one, two = (each._root(self.facts.newest) for each in (self, other))
        if one is two:
            return
        for name in ("changed", "lasting", "shuffled", "frozen", "filtered"):
            if self.facts.newest((two, name), False):
                one.note(name)
        form = max(each.facts.newest((each, "form"), each._first) for each in (one, two))
        one.need(form)
        two.need(form)
        one.hold(self.facts.newest((two, "element"), NEVER))
        self.facts.learn((two, "with"), one)


class Container(Composed):
    """A list, set or dict. Two are of one type if they may be the same."""

    def __init__(self, region: Region) -> None:
        self._region = region

    @property
    def region(self) -> Region:
        """All that it may be."""
        return self._region.root()

    def _key(self) -> Hashable:
        return self.region

    def _layout(self) -> str:
        return LAYOUTS[self.region.form]


class Listing(Container):
    """A list."""

    label = "a list"


class Grouping(Container):
    """A set; one of cells has no order."""

    label = "a set"

    def _layout(self) -> str:
        return "m" if self.region.form < Form.LIST else "i"


class Mapping(Container):
    """A dict; the elements of its region are pairs."""

    label = "a dict"


PAIR: Final = Tuple((INT, INT))
PLACE: Final = Optional(CELL)
"""Where a player stands."""


def base(kind: Type) -> Type:
    """The type without what is known of the value."""
    return kind.of if isinstance(kind, Constant) else kind


def plain(kind: Type, *, texts: bool = True) -> Type:
    """The type without the numbers that are known in it; without `texts`, they stay known."""
    if isinstance(kind, Constant):
        return kind if kind.of is TEXT and not texts else kind.of
    if isinstance(kind, Tuple):
        return type(kind)(tuple(plain(part, texts=texts) for part in kind.parts))
    if isinstance(kind, (Optional, Unset)):
        return type(kind)(plain(kind.of, texts=texts))
    return kind.holding(plain(kind.held, texts=texts)) if isinstance(kind, Closure) else kind


def is_plain(kind: Type) -> bool:
    """Whether equal words mean equal values."""
    if isinstance(kind, Tuple):
        return all(map(is_plain, kind.parts))
    return base(kind) in WHOLE or base(kind) in (CELL, PLAYER, GAME, TEXT)


def parts_in(kind: Type) -> list[Type]:
    """A type and all that is in it."""
    inside: tuple[Type, ...] = ()
    if isinstance(kind, Tuple):
        inside = kind.parts
    elif isinstance(kind, (Optional, Unset, Method, Closure)):
        inside = (kind.held if isinstance(kind, Closure) else kind.of,)
    return [kind, *(each for part in inside for each in parts_in(part))]


def optional(kind: Type) -> Type:
    """None or that type."""
    return kind if kind is NONE or kind is MIXED or isinstance(kind, Optional) else Optional(kind)


def unset(kind: Type) -> Type:
    """That type, or unbound."""
    return kind if kind is MIXED or isinstance(kind, Unset) else Unset(kind)


def join(one: Type, other: Type) -> Type:
    """The type of what is of one type or the other; `MIXED` where there is none.

    >>> join(INT, FLOAT).label, join(NONE, CELL).label, join(CELL, PAIR) == PAIR, join(INT, CELL) is MIXED
    ('a number', 'None or a cell', True, True)
    """
    if one is other or other is NEVER or one == other:
        return one
    if one is NEVER:
        return other
    if one is MIXED or other is MIXED:
        return MIXED
    if isinstance(one, Unset) or isinstance(other, Unset):
        return unset(join(*(each.of if isinstance(each, Unset) else each for each in (one, other))))
    if one is NONE or other is NONE:
        return optional(other if one is NONE else one)
    if isinstance(one, Optional) or isinstance(other, Optional):
        return optional(join(*(each.of if isinstance(each, Optional) else each for each in (one, other))))
    first, second = base(one), base(other)
    if first in NUMBERS and second in NUMBERS:
        return first if first is second else INT if first in WHOLE and second in WHOLE else NUM
    if first in TEXTS and second in TEXTS:
        return TEXT if first is second is TEXT else STRING
    return _joined(one, other)


def _joined(one: Type, other: Type) -> Type:
    if isinstance(one, Container) and isinstance(other, Container) and type(one) is type(other):
        if join(one.region.element, other.region.element) is MIXED:
            return MIXED
        one.region.unite(other.region)
        return one
    if isinstance(one, Closure) and isinstance(other, Closure):
        held = join(one.held, other.held)
        same = (one.text, one.scope, one.is_bound) == (other.text, other.scope, other.is_bound)
        return one.holding(held) if same and held is not MIXED else MIXED
    for wide, kind in ((one, other), (other, one)):
        if isinstance(wide, Composed) and wide.takes(base(kind)):
            return wide
    one, other = (PAIR if each is CELL else each for each in (one, other))
    if not isinstance(one, Tuple) or not isinstance(other, Tuple) or type(one) is not type(other):
        return MIXED
    parts = tuple(map(join, one.parts, other.parts)) if len(one.parts) == len(other.parts) else (MIXED,)
    return MIXED if any(part is MIXED for part in parts) else type(one)(parts)


UNKNOWN: Final = object()
"""The constant of a value that is not known while compiling."""


class Value:
    """A value of a type, in as many registers as that has."""

    __slots__ = ("asked", "is_constant", "kind", "row", "type")

    def __init__(self, type: Type, row: Row = (), *, asked: bool = False) -> None:  # noqa: A002 - its usual name
        self.type, self.row = type, row
        self.kind = base(type)
        """Its type, without what is known of it."""
        self.is_constant = type is NONE or isinstance(type, Constant)
        """It is known while compiling."""
        self.asked = asked
        """The board lists it in its natural order."""

    @property
    def constant(self) -> Any:
        """What it is, if it is known: a number, a text or None."""
        if isinstance(self.type, Constant):
            return self.type.value
        return None if self.type is NONE else UNKNOWN

    @property
    def one(self) -> Register:
        """Its only register."""
        (register,) = self.row
        return register

    @property
    def parts(self) -> tuple[Value, ...] | None:
        """Those of a tuple."""
        return split(self.row, self.type.parts) if isinstance(self.type, Tuple) else None


def split(row: Row, kinds: tuple[Type, ...]) -> tuple[Value, ...]:
    """Values of these types in registers that stand one after the other."""
    values, at = [], 0
    for kind in kinds:
        size = len(kind.layout)
        values.append(Value(kind, row[at : at + size]))
        at += size
    assert at == len(row)
    return tuple(values)


NOTHING: Final = Value(NONE)
TRUE: Final = Value(Constant(True))
FALSE: Final = Value(Constant(False))
SOME_TEXT: Final = Value(STRING)


def constant(value: Any) -> Value:
    """A number, a truth or a text that is known."""
    return Value(Constant(value))


def tuple_of(parts: tuple[Value, ...]) -> Value:
    """A tuple of values."""
    return Value(
        Tuple(tuple(part.type for part in parts)), tuple(each for part in parts for each in part.row)
    )
