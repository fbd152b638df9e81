"""Values and exceptions of other people's code as one short line, whatever their `repr` and `str` do.

The line is the same in every process and on every machine: addresses are left out of it, where a submission
lies, and where Python and its packages do.
"""

import os
import re
import sys
from typing import Final

__all__ = ["ADDRESS", "COPY", "error_line", "named_from", "named_from_anywhere", "type_name", "value_line"]

ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
LONGEST: Final = 160
LOOKED_AT: Final = 10_000
"""Of a text of megabytes only its beginning is looked at."""


COPY: Final = re.compile(r"isolation-fast-(?:[a-z0-9_]{8}|[a-z0-9_]{0,7}\Z)")
"""The name of a folder that a submission was copied to, which is another one each time."""


def named_from(text: str, folder: str) -> str:
    """A text in which the files of a submission's folder are named from there on.

    >>> named_from("/home/eve/game_agent.py is not in /home/eve but in /home/everybody", "/home/eve")
    'game_agent.py is not in submission but in /home/everybody'
    """
    if folder.strip(os.sep):
        text = text.replace(f"{folder}{os.sep}", "")
        text = re.sub(rf"{re.escape(folder)}(?![\w.-])", "submission", text)
    return COPY.sub("isolation-fast", text)


def named_from_anywhere(text: str, folder: str) -> str:
    """The same, and what Python has found elsewhere is named from the places where it looks for modules on.

    >>> import json
    >>> named_from_anywhere(f"no 'x' in 'json' ({json.__file__})", "/home/eve")
    "no 'x' in 'json' (json/__init__.py)"
    """
    text = named_from(text, folder)
    # Those that lie within others first. One that is the root of all files is in every path.
    places = {each.rstrip(os.sep) for each in sys.path if isinstance(each, str) and each.startswith(os.sep)}
    for place in sorted(filter(None, places), key=len, reverse=True):
        text = text.replace(f"{place}{os.sep}", "")
    return text


def error_line(error: BaseException, folder: str = "") -> str:
    """An exception as a traceback ends; `folder` is that of the submission which raised it.

    >>> error_line(KeyError("Eve")), error_line(AssertionError())
    ("KeyError: 'Eve'", 'AssertionError')
    """
    try:
        text = ADDRESS.sub("", str(error)[:LOOKED_AT])
        # Ours are told to who can do something about what lies there.
        text = named_from_anywhere(text, folder) if folder else named_from(text, folder)
    except BaseException:  # noqa: BLE001 - a submission's own exception may do anything
        text = ""
    name = type(error).__name__
    return _cut(f"{name}: {text}" if text else name)


def value_line(value: object, folder: str = "") -> str:
    """A value as `repr` shows it; `folder` is that of the submission which gave it.

    >>> value_line([3, 3]), value_line(object())
    ('[3, 3]', '<object object>')
    """
    try:
        text = ADDRESS.sub("", repr(value)[:LOOKED_AT])
        return _cut(named_from_anywhere(text, folder) if folder else named_from(text, folder))
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
