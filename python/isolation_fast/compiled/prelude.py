"""What builtins and methods do, written in Python: these functions are compiled where they are called.

They are never run. `in_any_order`, `as_asked` and `unordered` stand for what Python cannot say.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, hypot, inf, sqrt
from typing import Any


def in_any_order(items: Any, may_end: bool = False) -> Iterable[Any]:
    """The items in any order, if nobody can tell."""
    raise NotImplementedError


def as_asked(items: Any) -> Iterable[Any]:
    """The items in order, if the order of what this generator gives is asked for."""
    raise NotImplementedError


def unordered(items: Any) -> Iterable[Any]:
    """The items in any order."""
    raise NotImplementedError


# ---- one value of many


def total(items, start):
    """`sum`."""
    for item in in_any_order(items):
        start = start + item
    return start


def compensated_total(items, start):
    """`sum` of floats as CPython has it since 3.12: what an addition rounds off is added at the end."""
    lost = 0.0
    for item in items:
        after = start + item
        if abs(start) >= abs(item):
            lost += (start - after) + item
        else:
            lost += (item - after) + start
        start = after
    if lost and lost - lost == 0.0:
        return start + lost
    return start


def any_of(items):
    """`any`."""
    for item in in_any_order(items, True):
        if item:
            return True
    return False


def all_of(items):
    """`all`."""
    for item in in_any_order(items, True):
        if not item:
            return False
    return True


def best(items, least):
    """`min` or `max` in a tuple, or None."""
    found = None
    for item in in_any_order(items):
        if found is None or (item < found[0] if least else item > found[0]):
            found = (item,)
    return found


def best_by(items, key, least):
    """`min` or `max` by a key, in a tuple with that, or None."""
    found = None
    for item in items:
        value = key(item)
        if found is None or (value < found[1] if least else value > found[1]):
            found = (item, value)
    return found


def first_of(items):
    """The first item in a tuple, or None."""
    for item in items:
        return (item,)
    return None


def first_part(found):
    """The item that was found."""
    if found is None:
        raise ValueError
    return found[0]


def first_part_or(found, default):
    """The item that was found, or the default."""
    return default if found is None else found[0]


# ---- numbers


def is_nan(number):
    """`math.isnan`."""
    return number != number


def is_finite(number):
    """`math.isfinite`: the difference of an infinity with itself is NaN."""
    return number - number == 0.0


def is_infinite(number):
    """`math.isinf`."""
    return abs(number) == inf


def tame_integer(number):
    """Raise where an integer of numpy's might wrap."""
    if not -2147483648 <= number < 2147483648:
        raise OverflowError


def tame_float(number):
    """Raise where numpy would warn."""
    if number - number != 0.0:
        raise OverflowError


def sign(number):
    """`numpy.sign`."""
    return number - number + ((number > 0) - (number < 0))


def root(number):
    """`numpy.sqrt`."""
    return sqrt(number)


def some_total(items):
    """`numpy.sum`: that of nothing is a float."""
    if not items:
        raise ValueError
    return sum(items)


def mean(items):
    """`numpy.mean`."""
    return sum(items) / len(items)


def norm(parts):
    """`numpy.linalg.norm` where all squares are exact, so that nobody sees in which order they are added."""
    squares = 0.0
    for part in parts:
        if not (abs(part) < 1000000 and part * 4 == floor(part * 4)):
            raise ValueError
        squares += part * part
    return sqrt(squares)


def distance(one, other):
    """`math.dist` of two pairs."""
    return hypot(float(one[0]) - float(other[0]), float(one[1]) - float(other[1]))


# ---- what is walked once


def enumerated(items, start):
    """`enumerate`."""
    for item in items:
        yield (start, item)
        start += 1


def mapped(function, items):
    """`map`."""
    for item in as_asked(items):
        yield function(item)


def mapped_in_step(function, rows):
    """`map` over several."""
    for row in rows:
        yield function(*row)


def crossed(rows, items):
    """`itertools.product` of what is known of it and one more."""
    for row in rows:
        for item in items:
            yield (*row, item)


def pairs_of(items, both):
    """`itertools.permutations` and `combinations` of two."""
    for one in range(len(items)):
        for other in range(0 if both else one + 1, len(items)):
            if one != other:
                yield (items[one], items[other])


def filtered(function, items):
    """`filter`."""
    for item in as_asked(items):
        if item if function is None else function(item):
            yield item


def chained(many):
    """`itertools.chain`."""
    for items in many:
        for item in as_asked(items):
            yield item


def backwards(items, last):
    """`reversed` of a list, as long as it was when this was made."""
    while last >= 0:
        yield items[last]
        last -= 1


def zipped_beside(parts, before, after):
    """`zip` of lists on both sides of a tuple."""
    index = 0
    for part in parts:
        row = ()
        for items in before:
            if index >= len(items):
                return
            row = (*row, items[index])
        row = (*row, part)
        for items in after:
            if index >= len(items):
                return
            row = (*row, items[index])
        index += 1
        yield row


def collected(items):
    """What is walked over, as a list."""
    return [item for item in items]  # noqa: C416 - `list` is not compiled in the prelude


def item_getter(places):
    """`operator.itemgetter`."""
    if len(places) == 1:
        return lambda item: item[places[0]]
    return lambda item: items_at(item, places)


def items_at(items, places):
    """Some items of a list or a tuple."""
    found = ()
    for place in places:
        found = (*found, items[place])
    return found


def reduced_from(function, items, start):
    """`functools.reduce` from a start."""
    for item in items:
        start = function(start, item)
    return start


def reduced(function, items):
    """`functools.reduce` from the first item."""
    found = None
    for item in items:
        found = (item,) if found is None else (function(found[0], item),)
    return first_part(found)


def zipped(lists):
    """`zip` of lists."""
    index = 0
    while True:
        row = ()
        for items in lists:
            if index >= len(items):
                return
            row = (*row, items[index])
        index += 1
        yield row


# ---- lists


def column(rows, place):
    """One part of each row."""
    return [row[place] for row in rows]


def item_at(items, index):
    """An item of a long tuple."""
    return [*items][index]


def as_pairs(cells):
    """Cells as pairs of numbers."""
    return [(cell[0], cell[1]) for cell in cells]


def is_in(wanted, items):
    """`in`."""
    for item in items:
        if (item,) == (wanted,):
            return True
    return False


def is_some_in(wanted, items):
    """`in`, of what may be None among what never is."""
    if wanted is None:
        return False
    return wanted in items


def index_in(items, wanted):
    """`list.index`."""
    for index in range(len(items)):
        if (items[index],) == (wanted,):
            return index
    raise ValueError


def count_in(items, wanted):
    """`list.count`."""
    count = 0
    for item in unordered(items):
        if (item,) == (wanted,):
            count += 1
    return count


def stepped(items, start, stop, step):
    """`items[start:stop:step]`."""
    long = len(items)
    if start is None:
        start = 0 if step > 0 else long - 1
    else:
        if start < 0:
            start = max(start + long, 0 if step > 0 else -1)
        start = min(start, long if step > 0 else long - 1)
    if stop is None:
        stop = long if step > 0 else -1
    else:
        if stop < 0:
            stop = max(stop + long, 0 if step > 0 else -1)
        stop = min(stop, long if step > 0 else long - 1)
    found = []
    for index in range(start, stop, step):
        found.append(items[index])
    return found


def equal_lists(one, other):
    """`==` of lists."""
    if len(one) != len(other):
        return False
    for index in range(len(one)):
        if (one[index],) != (other[index],):
            return False
    return True


def cells_of_state(state):
    """The cells of `_board_state`."""
    return [state[index] for index in range(len(state) - 3)]


# ---- sets


def set_and(one, other):
    """What is in both."""
    return {item for item in one if item in other}


def set_without(one, other):
    """What is in one alone."""
    return {item for item in one if item not in other}


def set_or(one, other):
    """What is in either."""
    found = set(one)
    for item in unordered(other):
        found.add(item)
    return found


def set_xor(one, other):
    """What is in just one of both."""
    found = {item for item in one if item not in other}
    for item in unordered(other):
        if item not in one:
            found.add(item)
    return found


def add_all(one, other):
    """`set.update`."""
    for item in unordered(other):
        one.add(item)


def set_to(one, other):
    """Keep in a set what is in another."""
    one.clear()
    for item in unordered(other):
        one.add(item)


# ---- dicts, as lists of pairs


def dict_items(pairs):
    """`dict.items`: where a key was added meanwhile, Python raises."""
    long = len(pairs)
    index = 0
    while True:
        if len(pairs) != long:
            raise RuntimeError
        if index >= long:
            return
        yield pairs[index]
        index += 1


def parts_of(pairs, part):
    """`dict.keys` and `dict.values`."""
    for pair in pairs:
        yield pair[part]


def set_default(found, key, default):
    """`dict.setdefault`."""
    if key not in found:
        found[key] = default
    return found[key]
