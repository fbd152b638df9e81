"""How commands print their findings: as a table for people, as JSON or CSV for programs.

A command adds the options with `add_format_options`, and prints with `print_table`; lines below the table go
through `print_below`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, TextIO, TypeAlias

from isolation_fast.output.commands import CommandError
from isolation_fast.text import unknown_word

Cell: TypeAlias = str | int | float | None
"""What may stand in a table. Numbers go to the right of their column, None is an empty cell."""

# Formats for programs: nothing but the data may be on stdout.
DATA_FORMATS: Final = frozenset({"csv", "json", "tsv"})

CLOSED: Final = "the output cannot be written: it is closed"
# Formats in which a bar ends a cell.
MARKDOWN_FORMATS: Final = frozenset({"github", "pipe"})


def add_format_options(parser: argparse.ArgumentParser, *added: str, default: str = "simple") -> None:
    """Add --format, --json and --csv, of which one may be given; the choice is `options.format`.

    `added` are formats of the command itself, which prints them.

    >>> parser = argparse.ArgumentParser()
    >>> add_format_options(parser)
    >>> parser.parse_args([]).format, parser.parse_args(["--json"]).format
    ('simple', 'json')
    """
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--format",
        type=partial(known_format, added),
        default=default,
        metavar="FORMAT",
        help=f"{', '.join(['json', 'csv', *added])}, or a format of the tabulate package: "
        f"simple, github, grid, html, ... (default {default})",
    )
    for name, meaning in (("json", "one JSON document"), ("csv", "comma-separated values")):
        group.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"{meaning}: --format {name}"
        )


def print_table(
    options: argparse.Namespace,
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    document: Mapping[str, object],
) -> None:
    """Print the rows, or with --json the document, on stdout, in the format that the options ask for."""
    print_text(table_text(options.format, headers, rows, document) + "\n")


def print_text(text: str, *, on_stderr: bool = False) -> None:
    """Print a text that is data, or holds tables, on stdout; what its encoding does not have is escaped."""
    stream: TextIO | None = sys.stderr if on_stderr else sys.stdout
    if stream is None and on_stderr:
        return  # as `say` does
    if stream is None:
        raise CommandError(CLOSED)
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # The interpreter would try to write the rest at its end, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise CommandError(f"the output cannot be written: {error.strerror}") from error


def print_below(options: argparse.Namespace, text: str) -> None:
    """Print a text that belongs below the table: on stderr where stdout holds data for a program."""
    print_text(text + "\n", on_stderr=options.format in DATA_FORMATS)


def json_text(document: object, margin: str = "") -> str:
    """The document as JSON that a person can read: what has names is indented, a list of numbers is one line.

    >>> print(json_text({"won": 3, "moves": [[0, 1], [2, 2]], "games": [{"won": 1}]}))
    {
      "won": 3,
      "moves": [[0, 1], [2, 2]],
      "games": [
        {
          "won": 1
        }
      ]
    }
    """
    import json

    inner = f"{margin}  "
    if isinstance(document, dict) and document:
        lines = [f"{inner}{json.dumps(name)}: {json_text(each, inner)}" for name, each in document.items()]
        return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
    if isinstance(document, list | tuple) and any(isinstance(each, dict) for each in document):
        return "[\n" + ",\n".join(f"{inner}{json_text(each, inner)}" for each in document) + f"\n{margin}]"
    # In one piece: that is written by C, and a report has a million numbers.
    return json.dumps(document, allow_nan=False)


def table_text(
    form: str,
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    document: Mapping[str, object],
    *,
    align: Sequence[str] | None = None,
) -> str:
    """The findings in one of the formats.

    `align` is "left" or "right" for each column; without it numbers go to the right, all else to the left.
    JSON knows neither infinity nor NaN, so a document that may hold them holds them as text.

    >>> print(table_text("simple", ["player", "won"], [["Random", 3], ["Greedy", 17]], {}))
    player      won
    --------  -----
    Random        3
    Greedy       17
    >>> print(table_text("csv", ["player", "won"], [["Ann, Ben", 3]], {}))
    player,won
    "Ann, Ben",3
    >>> print(table_text("json", [], [], {"won": 3}))
    {
      "won": 3
    }
    """
    if form == "json":
        return json_text(document)
    if form == "csv":
        import csv

        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows([headers, *rows])
        return buffer.getvalue().removesuffix("\n")
    from tabulate import tabulate

    if form in MARKDOWN_FORMATS:
        headers = [each.replace("|", r"\|") for each in headers]
        rows = [[cell.replace("|", r"\|") if isinstance(cell, str) else cell for cell in row] for row in rows]
    # Only numbers are aligned as such: the text "1e5" stays a text.
    columns = zip(*rows, strict=True)
    numeric = (all(isinstance(cell, int | float | None) for cell in column) for column in columns)
    aligned = ["right" if each else "left" for each in numeric]
    return tabulate(
        rows,
        headers=headers,
        tablefmt=form,
        disable_numparse=True,
        missingval="",
        colalign=align or aligned or None,
    )


def grid_lines(width: int, height: int, signs: Mapping[tuple[int, int], str]) -> list[str]:
    r"""A grid with a sign in each cell, by row and column; none where there is no sign.

    >>> print("\n".join(grid_lines(3, 2, {(0, 1): "W"})))
        0   1   2
    0 |   | W |   |
    1 |   |   |   |
    """
    wide, margin = max(map(len, signs.values()), default=1), len(str(height - 1))
    wide = max(wide, len(str(width - 1)))
    columns = range(width)
    lines = [" " * (margin + 3) + "   ".join(f"{column:>{wide}}" for column in columns)]
    for row in range(height):
        inside = " | ".join(f"{signs.get((row, column), ''):>{wide}}" for column in columns)
        lines.append(f"{row:>{margin}} | {inside} |")
    return lines


def known_format(added: Sequence[str], word: str) -> str:
    """The word, if it is a format, or one of those that are `added`; else an error for argparse."""
    from tabulate import tabulate_formats

    # A command may add a format whose name is known already.
    allowed = list(dict.fromkeys((*sorted(DATA_FORMATS - {"tsv"}), *added, *tabulate_formats)))
    if word not in allowed:
        raise argparse.ArgumentTypeError(unknown_word("format", word, allowed))
    return word


def require_stdout() -> None:
    """Refuse, before the work starts, to go on without a stdout: the shell closed it."""
    if sys.stdout is None:
        raise CommandError(CLOSED)
