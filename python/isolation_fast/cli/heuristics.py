"""`isolation-fast heuristics`: the native heuristics, or one of them with a drawn, worked example."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any, Final

from isolation_fast import heuristics, output
from isolation_fast import worked_examples as worked
from isolation_fast._native import Heuristic
from isolation_fast.cost import of
from isolation_fast.output import Cell, CommandError

DESCRIPTION = """\
List the native heuristics: name, report (A to E: five student reports on the course's project), value at the
end of a game (T, S or –), whether it walks the tree of play, cost of a node (improved: 1), and what it
measures. With a NAME, show that one: its formula, its parameters, and an example, drawn and worked out.
"""
HEADERS: Final = ("name", "report", "end", "walks", "cost", "what it measures")
WIDEST: Final = 100
# The space that tabulate puts between columns, and after a heading, in its usual format.
GAP: Final = 2


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `heuristics`."""
    parser = commands.add_parser(
        "heuristics", description=DESCRIPTION, help="the native heuristics, or one of them, worked out"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="one heuristic, with a worked example")
    add_with_option(parser, "value of a parameter, for a variant; repeatable")
    output.add_format_options(parser)


def add_with_option(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add `--with PARAMETER=VALUE`, by which a variant is named."""
    parser.add_argument(
        "--with",
        dest="values",
        action="append",
        type=_value_of_parameter,
        default=[],
        metavar="PARAMETER=VALUE",
        help=meaning,
    )


def run(options: argparse.Namespace) -> int:
    """Print the list, or the one that is named."""
    if options.name is not None:
        heuristic = heuristics.get(options.name)
        values = values_of_parameters(options)
        _print_one(options, heuristic.variant(**values) if values else heuristic)
    elif options.values:
        raise CommandError("--with needs the NAME of a heuristic", "isolation-fast heuristics --help")
    else:
        _print_all(options)
    return 0


def _print_all(options: argparse.Namespace) -> None:
    known = [heuristics.get(name) for name in heuristics.names()]
    document = {"heuristics": [_description(each) for each in known]}
    _print_wrapped(options, HEADERS, [_row(each) for each in known], document)
    if options.format not in output.DATA_FORMATS:
        endings = "\n".join(f"{letter or '–'}: {meaning}" for letter, meaning in worked.ENDINGS.items())
        output.print_below(options, f"\n{endings}")


def _row(heuristic: Heuristic) -> list[Cell]:
    values = [f"{name} = {value:.4g}" for name, value in heuristic.parameters.items()]
    measures = f"{heuristic.summary}; {', '.join(values)}" if values else heuristic.summary
    walks, cost = "yes" if heuristic.walks else "", f"{of(heuristic).value:.2f}"
    return [heuristic.name, heuristic.report, heuristic.ending or "–", walks, cost, measures]


def _print_one(options: argparse.Namespace, heuristic: Heuristic) -> None:
    family, description = worked.family_of(heuristic), _description(heuristic)
    letters, note = worked.letters_of(heuristic.formula), worked.note_of(heuristic)
    examples = worked.worked_examples(heuristic)
    parameters = {
        f"parameter {name}": f"{each['value']:.4g}; by default {each['default']:.4g}; "
        f"from {each['lowest']:,.10g} to {each['highest']:,.10g}"
        for name, each in description["parameters"].items()
    }
    facts = {
        "name": heuristic.name,
        "family": f"{family.name}: {family.about}",
        "measures": heuristic.summary,
        "formula": heuristic.formula,
        **letters,
        **parameters,
        "at the end": worked.ending_in_words(heuristic),
        "from": worked.source_in_words(heuristic),
        "walks": "the tree of play, each position a node of the search" if heuristic.walks else "no",
        "cost of a node": worked.cost_in_words(heuristic),
        **({"note": note} if note else {}),
    }
    document = {**description, "letters": letters, "note": note, "examples": [e.to_dict() for e in examples]}
    _print_wrapped(options, ("what", "value"), [[*fact] for fact in facts.items()], document)
    if options.format not in output.DATA_FORMATS:
        for example in examples:
            output.print_below(options, f"\n{example}")


def _description(heuristic: Heuristic) -> dict[str, Any]:
    base = heuristics.get(str(heuristic.base))
    return {
        "name": heuristic.name,
        "family": worked.family_of(heuristic).name,
        "summary": heuristic.summary,
        "formula": heuristic.formula,
        "ending": heuristic.ending,
        "ending_in_words": worked.ENDINGS[heuristic.ending],
        "report": heuristic.report,
        "label": heuristic.label,
        "parameters": {
            name: {
                "value": value,
                "default": base.parameters[name],
                **dict(zip(("lowest", "highest"), heuristic.allowed[name], strict=True)),
            }
            for name, value in heuristic.parameters.items()
        },
        "walks": heuristic.walks,
        "cost": of(heuristic).to_dict(),
    }


def _print_wrapped(
    options: argparse.Namespace, headers: tuple[str, ...], rows: list[list[Cell]], document: dict[str, Any]
) -> None:
    """Print the rows, their last column wrapped where the format has cells of several lines."""
    from tabulate import multiline_formats

    if options.format in multiline_formats:
        columns = list(zip(*rows, strict=True))[:-1]
        cells = [max(len(str(cell or "")) for cell in column) for column in columns]
        headings = [len(header) + GAP for header in headers]
        taken = sum(max(widths) + GAP for widths in zip(cells, headings, strict=False))
        rows = [[*row[:-1], textwrap.fill(str(row[-1]), WIDEST - taken)] for row in rows]
    output.print_table(options, headers, rows, document)


def values_of_parameters(options: argparse.Namespace) -> dict[str, float]:
    """The values of `--with`, each parameter once."""
    values: dict[str, float] = {}
    for parameter, value in options.values:
        if parameter in values:
            raise CommandError(f"--with gives {parameter} twice, {values[parameter]:g} and {value:g}")
        values[parameter] = value
    return values


def _value_of_parameter(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a parameter and its value are given as factor=1.5, not {text!r}"
        ) from None
