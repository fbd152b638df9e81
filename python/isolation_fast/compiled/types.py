"""What a value can be, as far as that is known while compiling, and the registers it fills.

A type has a *layout*: a letter for each register, `i` for integers, `f` for floats, `m` for sets of cells.

| type | layout | |
|---|---|---|
| `INT`, `BOOL` | `i` | |
| `FLOAT` | `f` | |
| `NUM` | `if` | an int or a float: 1 for a float, and the value; an int is at most 2 ** 53 |
| `NONE`, `TEXT` | | nothing at run time; a text is known while compiling, or of no use |
| `CELL` | `i` | a pair of numbers that is a cell of the board: its index |
| `PLAYER`, `GAME` | `i` | 0 or 1; a handle |
| `STATE`, `PLACES` | `i` | `_board_state` and `__last_player_move__` of a board: its handle |
| `Optional` | `i` + | 1 if there is a value; an optional cell has -1 for None instead |
| `Unset` | `i` + | 1 if the variable is bound |
| `Tuple` | parts | |
| `Listing` | `i` | the handle of a list; `mi` for cells: a set, and the cell whose order they have |
| `Grouping` | `i` | the handle of a list with each item of a set once; `m` for cells that nobody changes |
| `Mapping` | `i` | the handle of a list of pairs: each key of a dict, and its value |
| `Method` | receiver | |
| `Known` | | functions, modules, classes: known while compiling |
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final


class Again(Exception):  # noqa: N818 - no error: what was learnt changes what was compiled before
    """Something compiled earlier was compiled with too narrow a type: compile all anew."""


@dataclass(frozen=True, eq=False)
class Type:
    """A type without parts; each is one object."""

    label: str
    """What it is to people, with an article."""
    layout: str = ""


INT: Final = Type("an integer", "i")
BOOL: Final = Type("a truth value", "i")
FLOAT: Final = Type("a float", "f")
NUM: Final = Type("a number", "if")
NONE: Final = Type("None")
TEXT: Final = Type("a text")
CELL: Final = Type("a cell", "i")
PLAYER: Final = Type("a player", "i")
GAME: Final = Type("a board", "i")
STATE: Final = Type("the state", "i")
PLACES: Final = Type("the places", "i")
NEVER: Final = Type("nothing")
MIXED: Final = Type("sometimes one type, sometimes another")

NUMBERS: Final = frozenset({INT, BOOL, FLOAT, NUM})
WHOLE: Final = frozenset({INT, BOOL})


@dataclass(frozen=True, eq=True)
class Tuple(Type):
    """A tuple of so many parts, each with a type."""

    label: str = field(default="a tuple", init=False, compare=False)
    layout: str = field(default="", init=False, compare=False)
    parts: tuple[Type, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", "".join(part.layout for part in self.parts))


@dataclass(frozen=True, eq=True)
class Optional(Type):
    """None, or a value of another type."""

    label: str = field(default="", init=False, compare=False)
    layout: str = field(default="", init=False, compare=False)
    of: Type = NEVER

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", f"None or {self.of.label}")
        object.__setattr__(self, "layout", "i" if self.of is CELL else "i" + self.of.layout)


@dataclass(frozen=True, eq=True)
class Unset(Type):
    """A variable that may be unbound."""

    label: str = field(default="", init=False, compare=False)
    layout: str = field(default="", init=False, compare=False)
    of: Type = NEVER

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.of.label)
        object.__setattr__(self, "layout", "i" + self.of.layout)


@dataclass(frozen=True, eq=False)
class Known(Type):
    """The type of one thing that is known while compiling."""

    value: Any = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, eq=True)
class Method(Type):
    """A method of a value, taken but not yet called."""

    label: str = field(default="a method", init=False, compare=False)
    layout: str = field(default="", init=False, compare=False)
    of: Type = NEVER
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", self.of.layout)


class Region:
    """All the lists that may be one and the same: they have one type of elements, and one form.

    `cells`: they are kept as a set of cells, with the cell whose order the board lists them in. That is the
    form of what the board returns, until somebody changes such a list or asks for more than it can tell.
    """

    def __init__(self, name: str, element: Type = NEVER, *, cells: bool = False) -> None:
        self.name = name
        self.element = element
        self.cells = cells
        self.filtered = False
        """Some of a list of the board's: the order among them is not known."""
        self.changed = False
        """Somebody writes into one of them."""
        self.lasting = False
        """One of them is the module's: what is written into it would outlive the run."""
        self.shuffled = False
        """Their order is that of a set, which is not imitated: whoever asks for it is refused."""
        self._with: Region | None = None

    def root(self) -> Region:
        """The region that this one has become part of."""
        region = self
        while region._with is not None:
            region = region._with
        return region

    def hold(self, element: Type) -> None:
        """An element of that type is put in."""
        if element == self.element:
            return
        wider = join(self.element, element)
        if "m" in wider.layout:
            for region in regions_in(wider):
                region.spell_out()
        if wider != self.element:
            self.element = wider
            raise Again

    def spell_out(self) -> None:
        """Keep these lists as lists."""
        if self.cells:
            self.cells = False
            raise Again

    def change(self) -> None:
        """Somebody writes into one of these lists."""
        if self.cells or not self.changed:
            self.cells, self.changed = False, True
            raise Again

    def filter(self) -> None:
        """Some are left out of one of these lists."""
        if not self.filtered:
            self.filtered = True
            raise Again

    def shuffle(self) -> None:
        """One of these lists was made in the order of a set."""
        if not self.shuffled:
            self.shuffled = True
            raise Again

    def unite(self, other: Region) -> None:
        """Lists of both may be one and the same."""
        if self is other:
            return
        other._with = self
        self.cells = self.cells and other.cells
        self.filtered |= other.filtered
        self.changed |= other.changed
        self.lasting |= other.lasting
        self.shuffled |= other.shuffled
        self.element = join(self.element, other.element)
        raise Again


@dataclass(frozen=True, eq=False)
class Container(Type):
    """A list, set or dict. Two are of one type if they may be the same."""

    label: str = field(default="", init=False)
    region: Region = field(default_factory=lambda: Region(""))
    as_cells: ClassVar[str] = "i"
    """The layout of one that is kept as a set of cells."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "region", self.region.root())
        object.__setattr__(self, "layout", self.as_cells if self.region.cells else "i")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Container)
            and type(self) is type(other)
            and self.region.root() is other.region.root()
        )

    def __hash__(self) -> int:
        return id(self.region)


@dataclass(frozen=True, eq=False)
class Listing(Container):
    """A list."""

    label: str = field(default="a list", init=False)
    as_cells: ClassVar[str] = "mi"


@dataclass(frozen=True, eq=False)
class Grouping(Container):
    """A set."""

    label: str = field(default="a set", init=False)
    as_cells: ClassVar[str] = "m"


@dataclass(frozen=True, eq=False)
class Mapping(Container):
    """A dict; the elements of its region are pairs."""

    label: str = field(default="a dict", init=False)


PAIR: Final = Tuple((INT, INT))
PLACE: Final = Optional(CELL)
"""Where a player stands."""


def regions_in(kind: Type) -> list[Region]:
    """The lists that a value of a type has in it."""
    if isinstance(kind, Container):
        return [kind.region]
    if isinstance(kind, Tuple):
        return [region for part in kind.parts for region in regions_in(part)]
    if isinstance(kind, (Optional, Unset, Method)):
        return regions_in(kind.of)
    return []


def optional(kind: Type) -> Type:
    """None or that type."""
    return kind if kind is NONE or kind is MIXED or isinstance(kind, Optional) else Optional(kind)


def join(one: Type, other: Type) -> Type:
    """The type of what is of one type or the other; `MIXED` where there is none.

    >>> join(INT, FLOAT).label, join(NONE, CELL).label, join(CELL, PAIR) == PAIR, join(INT, CELL) is MIXED
    ('a number', 'None or a cell', True, True)
    """
    if one == other or other is NEVER:
        return one
    if one is NEVER:
        return other
    if one is MIXED or other is MIXED:
        return MIXED
    if isinstance(one, Unset) or isinstance(other, Unset):
        of = join(one.of if isinstance(one, Unset) else one, other.of if isinstance(other, Unset) else other)
        return MIXED if of is MIXED else Unset(of)
    if one is NONE or other is NONE:
        return optional(other if one is NONE else one)
    if isinstance(one, Optional) or isinstance(other, Optional):
        of = join(
            one.of if isinstance(one, Optional) else one, other.of if isinstance(other, Optional) else other
        )
        return optional(of)
    if one in NUMBERS and other in NUMBERS:
        return INT if one in WHOLE and other in WHOLE else NUM
    return _joined_containers(one, other)


def _joined_containers(one: Type, other: Type) -> Type:
    if isinstance(one, Container) and type(one) is type(other) and isinstance(other, Container):
        return _joined_lists(type(one), one.region.root(), other.region.root())
    one, other = (PAIR if each is CELL else each for each in (one, other))
    if isinstance(one, Tuple) and isinstance(other, Tuple) and len(one.parts) == len(other.parts):
        parts = tuple(map(join, one.parts, other.parts))
        return MIXED if MIXED in parts else Tuple(parts)
    return MIXED


def _joined_lists(kind: type[Container], one: Region, other: Region) -> Type:
    if join(one.element, other.element) is MIXED:
        return MIXED
    one.unite(other)
    return kind(region=one)
