"""The examples in the docstrings of compiled classes: pytest finds only some of them by itself."""

import doctest
from collections.abc import Iterator
from typing import Any

import pytest

from isolation_fast import Board, heuristics

CLASSES = (Board, heuristics.Heuristic)
NAMES = {"Board": Board, "heuristics": heuristics}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def documented() -> Iterator[tuple[str, str]]:
    for each in CLASSES:
        yield each.__name__, each.__doc__ or ""
        for name, member in sorted(vars(each).items()):
            # A static method hides the compiled function that holds the text.
            member = getattr(member, "__func__", member)
            # What Python says of a class attribute is about its value: `int` explains itself at `BLANK`.
            if not isinstance(member, int) and member.__doc__:
                yield f"{each.__name__}.{name}", member.__doc__


def public_methods() -> Iterator[tuple[type, str]]:
    for each in CLASSES:
        for name, member in sorted(vars(each).items()):
            if not name.startswith("_") and callable(getattr(member, "__func__", member)):
                yield each, name


@pytest.mark.parametrize(("name", "text"), [pytest.param(*pair, id=pair[0]) for pair in documented()])
def test_the_examples_of_a_docstring_say_what_happens(name: str, text: str) -> None:
    examples = doctest.DocTestParser().get_doctest(text, dict(NAMES), name, None, None)
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=said.append)
    assert outcome.failed == 0, "".join(said)


@pytest.mark.parametrize(
    ("owner", "name"), [pytest.param(*pair, id=f"{pair[0].__name__}.{pair[1]}") for pair in public_methods()]
)
def test_every_public_method_shows_an_example(owner: Any, name: str) -> None:
    assert ">>> " in getattr(owner, name).__doc__
