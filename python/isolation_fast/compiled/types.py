"""What a value can be, as far as that is known while compiling, and the registers it fills.

A type has a *layout*: a letter for each register, `i` for integers, `f` for floats, `m` for sets of cells. What is known
whole, such as a constant, fills none.

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
| `Tuple` | parts | |
| `Listing` | by form | a list: see `Region` |
| `Grouping` | by form | a set: the handle of a list with each item once, or a set of cells |
| `Mapping` | `i` | the handle of a list of pairs: each key of a dict, and its value |
| `Method` | receiver | |
| `Closure` | held | a function with the variables of its own that it has with it |
| `Known` | | builtins, functions, modules; and what can be walked over once |
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from isolation_fast.compiled.source import Source


class Type:
    """A type without parts; each is one object."""

    label: str
    """What it is to people, with an article."""
    layout: str

    def __init__(self, label: str, layout: str = "") -> None:
        self.label, self.layout = label, layout


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

    def key(self) -> Hashable:
        """What makes it equal to another."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.key() == other.key())  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.key())


class Constant(Composed):
    """A number or a text that is known. Told apart by its text, as -0.0 from 0.0."""

    layout = ""

    def __init__(self, value: Any) -> None:
        self.of = _KINDS[type(value)]
        self.value = value
        self.label = self.of.label

    def key(self) -> Hashable:
        """Its type and text."""
        return self.of, repr(self.value)


_KINDS: Final[dict[type, Type]] = {bool: BOOL, int: INT, float: FLOAT, str: TEXT}


class Tuple(Composed):
    """A tuple of so many parts, each with a type."""

    label = "a tuple"

    def __init__(self, parts: tuple[Type, ...]) -> None:
        self.parts = parts

    def key(self) -> Hashable:
        """Its parts."""
        return self.parts

    @property
    def layout(self) -> str:  # type: ignore[override]
        """Those of its parts."""
        return "".join(part.layout for part in self.parts)


class Fixed(Tuple):
    """A list that nobody changes, whose items are of different types."""

    label = "a list of different things"


class _Tagged(Composed):
    """A type with a mark before it."""

    def __init__(self, of: Type) -> None:
        self.of = of

    def key(self) -> Hashable:
        """What is marked."""
        return self.of

    @property
    def layout(self) -> str:  # type: ignore[override]
        """The mark, and the rest."""
        return "i" + self.of.layout


class Optional(_Tagged):
    """None, or a value of another type."""

    @property
    def label(self) -> str:  # type: ignore[override]
        """With None in it."""
        return f"None or {self.of.label}"

    @property
    def layout(self) -> str:
        """Cells are marked by -1."""
        return "i" if self.of is CELL else "i" + self.of.layout


class Unset(_Tagged):
    """A variable that may be unbound."""

    @property
    def label(self) -> str:  # type: ignore[override]
        """That of the bound one."""
        return self.of.label


class Method(Composed):
    """A method of a value, taken but not yet called."""

    label = "a method"

    def __init__(self, of: Type, name: str) -> None:
        self.of, self.name = of, name

    def key(self) -> Hashable:
        """Receiver and name."""
        return self.of, self.name

    @property
    def layout(self) -> str:  # type: ignore[override]
        """The receiver's."""
        return self.of.layout


class Known(Composed):
    """The type of one thing that is known while compiling."""

    layout = ""

    def __init__(self, label: str, value: Any) -> None:
        self.label, self.value = label, value

    def key(self) -> Hashable:
        """The very object."""
        return id(self.value)


class Closure(Composed):
    """A function that is defined inside another, with the variables around it that it reads.

    `names` are those it has with it, `held` their types: variables that are bound once, and so are the same for as long
    as the closure lives. All others are looked up in the scope that it was made in, while that lives.
    """

    label = "a function"

    def __init__(
        self, node: Any, source: Source, scope: Hashable, names: tuple[str, ...], held: Tuple, *, is_bound: bool
    ) -> None:
        self.node, self.source, self.scope = node, source, scope
        self.names, self.held = names, held
        self.is_bound = is_bound
        """It needs the scope that it was made in."""

    def key(self) -> Hashable:
        """Text, scope, and what it has with it."""
        return id(self.node), id(self.source.function), self.scope if self.is_bound else None, self.names, self.held

    @property
    def layout(self) -> str:  # type: ignore[override]
        """That of what it has with it."""
        return self.held.layout


class Form(IntEnum):
    """How a list of the board's is kept: in each form by what is asked of it. A later one can do more."""

    TRUTH = 0
    COUNT = 1
    CELLS = 2
    LIST = 3


LAYOUTS: Final = {Form.TRUTH: "i", Form.COUNT: "i", Form.CELLS: "mi", Form.LIST: "i"}


class Facts:
    """What was learnt in earlier rounds. It only grows, and stays the same throughout a round."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._next: dict[Hashable, Any] = {}

    def get(self, key: Hashable, default: Any) -> Any:
        """What is known in this round."""
        return self._known.get(key, default)

    def newest(self, key: Hashable, default: Any) -> Any:
        """The same with what this round learnt."""
        return self._next.get(key, self._known.get(key, default))

    def learn(self, key: Hashable, value: Any) -> None:
        """Know that from the next round on."""
        if self.newest(key, None) != value:
            self._next[key] = value

    @property
    def have_changed(self) -> bool:
        """Whether this round will have to be done again."""
        return bool(self._next)

    def commit(self) -> bool:
        """Begin the next round; whether anything is new in it."""
        changed = self.have_changed
        self._known.update(self._next)
        self._next.clear()
        return changed


class Region:
    """All the lists, sets or dicts that may be one and the same: they have one type of elements, and one form.

    What it knows are facts: read, they are those of this round; noted, they hold from the next one on.
    """

    def __init__(self, facts: Facts, key: Hashable, form: Form) -> None:
        self.facts, self.key = facts, key
        self._first = form

    def root(self) -> Region:
        """The region that this one has become part of."""
        region: Region = self
        while (other := self.facts.get((region, "with"), None)) is not None:
            region = other
        return region

    def _newest_root(self) -> Region:
        region: Region = self
        while (other := self.facts.newest((region, "with"), None)) is not None:
            region = other
        return region

    def _fact(self, name: str, default: Any) -> Any:
        return self.facts.get((self.root(), name), default)

    @property
    def form(self) -> Form:
        """How its lists are kept."""
        return self._fact("form", self.root()._first)  # type: ignore[no-any-return]

    @property
    def element(self) -> Type:
        """The type of its elements."""
        return self._fact("element", NEVER)  # type: ignore[no-any-return]

    @property
    def is_changed(self) -> bool:
        """Whether somebody writes into one of them."""
        return self._fact("changed", False)  # type: ignore[no-any-return]

    @property
    def is_lasting(self) -> bool:
        """Whether one of them is the module's: what is written into it would outlive the run."""
        return self._fact("lasting", False)  # type: ignore[no-any-return]

    @property
    def is_shuffled(self) -> bool:
        """Whether their order is that of a set, which is not imitated: whoever asks for it is refused."""
        return self._fact("shuffled", False)  # type: ignore[no-any-return]

    @property
    def is_filtered(self) -> bool:
        """Whether some of a list of the board's are left out: as cells, the order among them is not known."""
        return self._fact("filtered", False)  # type: ignore[no-any-return]

    def note(self, *names: str) -> None:
        """Note that these are so: changed, lasting, shuffled, filtered."""
        for name in names:
            self.facts.learn((self.root(), name), True)

    def need(self, form: Form) -> bool:
        """Note that something is asked that a form can do; whether this round's can."""
        known = self.facts.newest((self.root(), "form"), self.root()._first)
        self.facts.learn((self.root(), "form"), max(known, form)) if known < form else None
        return self.form >= form

    def hold(self, element: Type) -> Type:
        """Note that an element of a type is put in; what they are joined to."""
        root = self.root()
        before = self.facts.newest((root, "element"), NEVER)
        wider = join(before, plain(element))
        if "m" in wider.layout or any(region.form < Form.LIST for region in regions_in(wider)):
            for region in regions_in(wider):
                region.need(Form.LIST)
        if wider != before:
            self.facts.learn((root, "element"), wider)
        return wider

    def unite(self, other: Region) -> None:
        """Lists of both may be one and the same."""
        one, two = self._newest_root(), other._newest_root()
        if one is two:
            return
        for name in ("changed", "lasting", "shuffled", "filtered"):
            if self.facts.newest((two, name), False):
                one.note(name)
        if one._first != two._first or one.form != two.form:
            form = max(each.facts.newest((each, "form"), each._first) for each in (one, two))
            one.need(form)
            two.need(form)
        one.hold(self.facts.newest((two, "element"), NEVER))
        self.facts.learn((two, "with"), one)


class Container(Composed):
    """A list, set or dict. Two are of one type if they may be the same."""

    label = ""

    def __init__(self, region: Region) -> None:
        self._region = region

    @property
    def region(self) -> Region:
        """All that it may be."""
        return self._region.root()

    def key(self) -> Hashable:
        """All that it may be."""
        return id(self.region)

    @property
    def layout(self) -> str:  # type: ignore[override]
        """By the form of its region."""
        return LAYOUTS[self.region.form]


class Listing(Container):
    """A list."""

    label = "a list"


class Grouping(Container):
    """A set."""

    label = "a set"

    @property
    def layout(self) -> str:
        """A set of cells has no order."""
        return "m" if self.region.form < Form.LIST else "i"


class Mapping(Container):
    """A dict; the elements of its region are pairs."""

    label = "a dict"


PAIR: Final = Tuple((INT, INT))
PLACE: Final = Optional(CELL)
"""Where a player stands."""
MOST_PARTS: Final = 256


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
    if isinstance(kind, Closure):
        held = plain(kind.held, texts=texts)
        assert isinstance(held, Tuple)
        return Closure(kind.node, kind.source, kind.scope, kind.names, held, is_bound=kind.is_bound)
    return kind


def is_plain(kind: Type) -> bool:
    """Whether equal words mean equal values."""
    if isinstance(kind, Tuple):
        return all(map(is_plain, kind.parts))
    return base(kind) in WHOLE or base(kind) in (CELL, PLAYER, GAME, TEXT)


def parts_in(kind: Type) -> list[Type]:
    """A type and all that is in it."""
    if isinstance(kind, Tuple):
        return [kind, *(each for part in kind.parts for each in parts_in(part))]
    if isinstance(kind, Closure):
        return [kind, *parts_in(kind.held)]
    if isinstance(kind, (Optional, Unset, Method)):
        return [kind, *parts_in(kind.of)]
    return [kind]


def regions_in(kind: Type) -> list[Region]:
    """The lists that a value of a type has in it."""
    return [each.region for each in parts_in(kind) if isinstance(each, Container)]


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
        of = join(*(each.of if isinstance(each, Unset) else each for each in (one, other)))
        return MIXED if of is MIXED else Unset(of)
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
    if isinstance(one, Container) and type(one) is type(other):
        assert isinstance(other, Container)
        if _is_mixed(join(one.region.element, other.region.element)):
            return MIXED
        one.region.unite(other.region)
        return one
    if isinstance(one, Closure) and isinstance(other, Closure):
        held = join(one.held, other.held)
        same = (one.node, one.scope, one.names, one.is_bound) == (other.node, other.scope, other.names, other.is_bound)
        if same and one.source.function is other.source.function and isinstance(held, Tuple):
            return Closure(one.node, one.source, one.scope, one.names, held, is_bound=one.is_bound)
        return MIXED
    one, other = (PAIR if each is CELL else each for each in (one, other))
    if isinstance(one, Tuple) and type(one) is type(other):
        assert isinstance(other, Tuple)
        if len(one.parts) == len(other.parts):
            parts = tuple(map(join, one.parts, other.parts))
            return MIXED if any(map(_is_mixed, parts)) else type(one)(parts)
    return MIXED


def _is_mixed(kind: Type) -> bool:
    return kind is MIXED


