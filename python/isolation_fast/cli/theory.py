"""`isolation-fast theory`: who wins on which board where both place their knights freely."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Final

from isolation_fast import output
from isolation_fast.exceptions import JournalError
from isolation_fast.output import Cell, CommandError, add_options, grid_lines, say
from isolation_fast.reports import Move
from isolation_fast.theory import FirstPlacement, Theory, certificate, prove
from isolation_fast.theory.openings import answers_alike

DESCRIPTION = """\
Prove who wins with best play on an empty board where both players place their knights freely, and by which
answers to each first placement. SIZES are boards such as 7x7, columns by rows; without any, all from 1x1 to
7x7. On a board with an even side player 2 wins by a theorem: it answers every move with its image under the
half turn, and no cell is its own image. Other boards are computed, to 1,024 cells. Ctrl-C ends it; with
--journal and --resume the next call goes on from what is finished.
"""
DRAWN: Final = "board"
LARGEST_SIDE: Final = 7
NOT_COUNTED: Final = "-"
THEOREM: Final = (
    f"{NOT_COUNTED}: not counted, since a side is even: player 2 wins by the half turn theorem, answering "
    "every move with its image (--openings counts)"
)
LEGEND: Final = "1: player 1   W: player 2 wins by this answer   L: player 2 loses by it"
REPLIES: Final = ("every", "one", "image")
PLACEMENTS: Final = ("board", "first", "alike", "winner", "winning replies", "nodes")
OPENINGS: Final = ("board", "first", "second", "alike", "winner", "same colour", "exception", "nodes")
BOARDS: Final = ("board", "winner", "player 1 wins", "player 2 wins", "exceptions", "nodes")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `theory`."""
    parser = commands.add_parser(
        "theory", description=DESCRIPTION, help="who wins on an empty board, and by which placements"
    )
    parser.add_argument("sizes", nargs="*", type=_size, metavar="SIZES", help="boards, such as 5x7 7x7")
    add_options(
        parser,
        ("--openings", bool, False, "all openings with their winner, and the exceptions to the colour rule"),
        (
            "--replies WHICH",
            _replies,
            None,
            "answers to look at: every, one after the other until one wins, or the image alone where the "
            "theorem holds (default: image if a side is even, else every one up to 49 cells)",
        ),
        ("--first CELL", _cell, None, "one first placement alone, such as 4,4"),
        ("--second CELL", _cell, None, "one answer to it alone"),
        (
            "--plies N",
            int,
            0,
            "moves after the placements, from which positions are solved apart (default 0)",
        ),
        ("--workers N", int, None, "threads (default: one a processor)"),
        ("--journal FOLDER", str, None, "folder that keeps what is solved, a file for each board"),
        ("--resume", bool, False, "continue from the journal, if it exists"),
        ("--certificate FILE", str, None, "file for a strategy of player 2, which a small program can check"),
    )
    output.add_format_options(parser, DRAWN, default=DRAWN)


def run(options: argparse.Namespace) -> int:
    """Prove, and print what was proved."""
    sides = range(1, LARGEST_SIDE + 1)
    sizes = options.sizes or [(width, height) for width in sides for height in sides if width <= height]
    _require_one_board(options, sizes)
    output.require_stdout()
    try:
        with output.ended_politely(), output.progress(None, "position") as bar:
            theories = [_proved(options, size, bar) for size in sizes]
            written = None if options.certificate is None else _written(options, theories[0], bar)
    except KeyboardInterrupt:
        say(f"hint: {output.go_on(options)}")
        raise
    except JournalError as error:
        raise CommandError(str(error), None if options.resume else "--resume continues from it") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"the theory cannot go on: {error}") from error
    _print(options, theories)
    if written is not None:
        say(written)
        say(
            f"hint: check it with: python -m isolation_fast.theory.checker {shlex.quote(options.certificate)}"
        )
    return 0


def _require_one_board(options: argparse.Namespace, sizes: Sequence[tuple[int, int]]) -> None:
    if options.resume and options.journal is None:
        raise CommandError("--resume needs the --journal that it continues from")
    for name in ("first", "second", "certificate"):
        if getattr(options, name) is not None and len(sizes) != 1:
            raise CommandError(f"--{name} is for one board, not for {len(sizes)}")
    if options.openings and options.replies not in (None, "every"):
        raise CommandError(
            f"--openings looks at every answer: it does not go with --replies {options.replies}"
        )
    if options.certificate is not None:
        if options.first is not None:
            raise CommandError("--certificate needs all first placements: it does not go with --first")
        if options.certificate == "-":
            raise CommandError("--certificate names a file, since stdout has the boards: ./- is one called -")
        output.require_writable(options.certificate, "the certificate")
        say(f"isolation-fast: solving the openings, then writing player 2's answers to {options.certificate}")


def _proved(options: argparse.Namespace, size: tuple[int, int], bar: output.Bar) -> Theory:
    asked = {name: getattr(options, name) for name in ("first", "second", "plies", "workers", "resume")}
    name, before = f"{size[0]}x{size[1]}", bar.done
    return prove(
        *size,
        **asked,
        replies="every" if options.openings else options.replies,
        journal=options.journal,
        progress=lambda so_far: bar.reach(before + so_far.solved, f"{name}: {so_far.nodes:,} nodes"),
    )


def _written(options: argparse.Namespace, theory: Theory, bar: output.Bar) -> str:
    """Write the certificate; what to say of it once the boards are printed."""
    content = certificate(theory, lambda done: bar.reach(done, "first placements of the certificate"))
    try:
        output.write_whole(options.certificate, content)
    except OSError as error:
        raise CommandError(f"the certificate cannot be written: {error}") from error
    return f"isolation-fast: certificate of {len(content):,} bytes: {options.certificate}"


def _print(options: argparse.Namespace, theories: Sequence[Theory]) -> None:
    if options.format == DRAWN and options.sizes:
        blocks = [line for each in theories for line in (*_drawn(each, options.openings), "")]
        output.print_text("\n".join(blocks) + "\n")
        return
    if options.format not in output.DATA_FORMATS:
        options.format = "simple" if options.format == DRAWN else options.format
        output.print_table(options, BOARDS, [_board_row(each) for each in theories], {})
        if any(each.looked_at == "image" for each in theories):
            output.print_below(options, f"\n{THEOREM}")
        output.print_below(
            options, "\nhint: name a size, such as 5x5, to see how first placements are answered"
        )
        return
    rows = [
        row for each in theories for row in (_opening_rows if options.openings else _placement_rows)(each)
    ]
    headers = OPENINGS if options.openings else PLACEMENTS
    output.print_table(options, headers, rows, {"boards": [_document(each) for each in theories]})


def _board_row(theory: Theory) -> list[Cell]:
    computed: list[Cell] = [NOT_COUNTED] * 3
    if theory.looked_at == "every":
        computed = [*theory.won, sum(each.alike for each in theory.exceptions)]
    return [_name(theory), theory.winner, *computed, theory.nodes]


def _placement_rows(theory: Theory) -> Iterator[list[Cell]]:
    for each in theory.placements:
        replies = " ".join(_text(cell) for cell in each.replies)
        nodes = sum(opening.nodes for opening in each.openings)
        yield [_name(theory), _text(each.cell), each.alike, each.winner, replies, nodes]


def _opening_rows(theory: Theory) -> Iterator[list[Cell]]:
    for each in theory.openings:
        is_same = (each.winner == 1) == each.follows_colours
        words = ("yes" if is_same else "no", "no" if each.follows_colours else "yes")
        cells = (_text(each.first), _text(each.second))
        yield [_name(theory), *cells, each.alike, each.winner, *words, each.nodes]


def _document(theory: Theory) -> dict[str, object]:
    return {
        "board": _name(theory),
        "winner": theory.winner,
        "looked_at": theory.looked_at,
        "openings_won": list(theory.won),
        "exceptions": sum(each.alike for each in theory.exceptions),
        "nodes": theory.nodes,
        "first_placements": [
            {
                "cell": list(each.cell),
                "alike": each.alike,
                "winner": each.winner,
                "winning_replies": [list(cell) for cell in each.replies],
                "openings": [
                    {
                        "second": list(opening.second),
                        "alike": opening.alike,
                        "winner": opening.winner,
                        "follows_colours": opening.follows_colours,
                        "nodes": opening.nodes,
                    }
                    for opening in each.openings
                ],
            }
            for each in theory.placements
        ],
    }


def _drawn(theory: Theory, openings: bool) -> Iterator[str]:
    yield f"{theory} ({theory.nodes:,} nodes)"
    yield LEGEND
    for each in theory.placements:
        alike = "alone of its kind" if each.alike == 1 else f"as on {each.alike} cells that are alike"
        replies = f"{len(each.replies)} winning {'reply' if len(each.replies) == 1 else 'replies'}"
        looked_at = sum(opening.alike for opening in each.openings)
        found = " found" if looked_at < each.alike * (theory.width * theory.height - 1) else ""
        yield ""
        yield f"player 1 on {_text(each.cell)}, {alike}: {replies}{found}"
        yield from grid_lines(theory.width, theory.height, _signs(theory, each))
    if openings:
        yield ""
        yield f"exceptions to the colour rule: {sum(each.alike for each in theory.exceptions)}"
        for opening in theory.exceptions:
            yield f"{opening}; {opening.alike} openings are alike"
            signs = {opening.first: "1", opening.second: "2"}
            yield from grid_lines(theory.width, theory.height, signs)


def _signs(theory: Theory, placement: FirstPlacement) -> dict[Move, str]:
    cells = [(row, column) for row in range(theory.height) for column in range(theory.width)]
    signs = dict.fromkeys(cells, "")
    for opening in placement.openings:
        alike = answers_alike(theory.width, theory.height, placement.cell, opening.second)
        signs |= dict.fromkeys(alike, "W" if opening.winner == 2 else "L")
    return signs | dict.fromkeys(placement.replies, "W") | {placement.cell: "1"}


def _name(theory: Theory) -> str:
    return f"{theory.width}x{theory.height}"


def _text(cell: Move) -> str:
    return f"{cell[0]},{cell[1]}"


def _size(word: str) -> tuple[int, int]:
    if not (sides := re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", word)):
        raise argparse.ArgumentTypeError(f"a size is columns by rows, such as 7x7, not {word!r}")
    return int(sides[1]), int(sides[2])


def _cell(word: str) -> Move:
    if not (place := re.fullmatch(r"(\d{1,4}),(\d{1,4})", word)):
        raise argparse.ArgumentTypeError(f"a cell is row,column, such as 3,3, not {word!r}")
    return int(place[1]), int(place[2])


def _replies(word: str) -> str:
    if word not in REPLIES:
        raise argparse.ArgumentTypeError(f"{' or '.join(REPLIES)}, not {word!r}")
    return word
