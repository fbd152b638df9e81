"""Values and exceptions of other people's code as one short line, whatever their `repr` and `str` do.

The line is the same in every process: addresses are left out of it.
"""

import re
from typing import Final

__all__ = ["ADDRESS", "error_line", "type_name", "value_line"]

ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
LONGEST: Final = 160
LOOKED_AT: Final = 10_000
"""Of a text of megabytes only its beginning is looked at."""


def error_line(error: BaseException, without: str = "") -> str:
    """An exception as a traceback ends; `without` is a text to leave out, such as the path of a folder.

    >>> error_line(KeyError("Eve")), error_line(AssertionError())
    ("KeyError: 'Eve'", 'AssertionError')
    """
    try:
        text = ADDRESS.sub("", str(error)[:LOOKED_AT])
        text = text.replace(without, "") if without else text
    except BaseException:  # noqa: BLE001 - a submission's own exception may do anything
        text = ""
    name = type(error).__name__
    return _cut(f"{name}: {text}" if text else name)


def value_line(value: object) -> str:
    """A value as `repr` shows it.

    >>> value_line([3, 3]), value_line(object())
    ('[3, 3]', '<object object>')
    """
    try:
        return _cut(ADDRESS.sub("", repr(value)[:LOOKED_AT]))
    except BaseException as error:  # noqa: BLE001 - as above
        return f"a {type_name(type(value))} whose repr raises {type(error).__name__}"


def type_name(kind: type) -> str:
    """The name of a class, with its module unless it is built in.

    >>> type_name(int), type_name(re.Pattern)
    ('int', 're.Pattern')
    """
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
