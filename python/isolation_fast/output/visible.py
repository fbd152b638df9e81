"""What a submission printed or named, so that it can be shown: it does nothing to a terminal or a page."""

from __future__ import annotations

__all__ = ["visible"]


def visible(content: bytes | str) -> str:
    r"""A text in which only ends of lines and printable characters are left as they are.

    Escape sequences would colour, move or erase what stands above them, and marks of writing direction turn
    around what stands beside them.

    >>> print(visible(b"ready\n\x1b[2J\xff"))
    ready
    \x1b[2J\xff
    >>> print(visible("\u202egnp.exe\r"))
    \u202egnp.exe\r
    """
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    return "".join(each if each == "\n" or each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
