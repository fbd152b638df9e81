"""`isolation-fast compile`: which heuristics of a file compile, how fast they are, and why others do not."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from isolation_fast.compiled import Explanation, Refusal, explain, random_positions
from isolation_fast.exceptions import UnknownHeuristicError
from isolation_fast.foreign import stdout_to_stderr
from isolation_fast.output import Cell, CommandError, add_format_options, add_options, print_table, progress
from isolation_fast.programs import Program, price_of_lines, program_of, program_text
from isolation_fast.submission import SubmissionError, SubmissionPlayer, as_player, load
from isolation_fast.submission.sources import located
from isolation_fast.text import unknown_word

DESCRIPTION = """\
Say for each heuristic of a file whether it compiles, and how many times as fast it is then, measured on
positions of random games; or which line keeps it with Python, and what to write instead. Searches compile
heuristics by themselves: nothing has to be done for it. Loading the file runs its code with all rights you
have, with --no-measure too. Exit status: 0 if all compile, 1 if one does not, 2 for bad input.
"""
LEFT_TO_PYTHON: Final = 1
HEADERS: Final = ("heuristic", "compiles", "times as fast", "ns a value", "ns in Python", "line", "why not")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `compile`."""
    parser = commands.add_parser(
        "compile", description=DESCRIPTION, help="which Python heuristics compile, and why others do not"
    )
    parser.add_argument(
        "heuristics",
        nargs="+",
        metavar="FILE[:NAME]",
        help="a game_agent.py, or the folder that holds it, or one of its heuristics",
    )
    add_options(
        parser,
        ("--no-measure", bool, False, "do not run the heuristics to time them"),
        ("--show", bool, False, "print each program, after its source with the price of each line"),
    )
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what became of each; 1 if one is left to Python."""
    if options.show:
        return _show(options.heuristics)
    # What a submission prints is no part of the answer.
    with stdout_to_stderr():
        asked = [(word, player) for word in options.heuristics for player in _players(word)]
        found: list[tuple[str, Explanation]] = []
        with progress(len(asked), "heuristic") as bar:
            for word, player in asked:
                bar.reach(len(found), player.name)
                found.append((word, _explained(player, measure=not options.no_measure)))
    paths = {os.path.abspath(each.filename) for _, each in found if each.filename}  # noqa: PTH100
    rows = [_row(each, shows_file=len(paths) > 1) for _, each in found]
    document = {"heuristics": [{"given": word, **each.to_dict()} for word, each in found]}
    print_table(options, HEADERS, rows, document)
    return 0 if all(each.compiles for _, each in found) else LEFT_TO_PYTHON


def _show(words: Sequence[str]) -> int:
    """Print the programs; 1 if there is none for a heuristic."""
    with stdout_to_stderr():
        shown = [_shown(player) for word in words for player in _players(word)]
    sys.stdout.write("\n".join(text for _, text in shown))
    return 0 if all(compiles for compiles, _ in shown) else LEFT_TO_PYTHON


def _shown(player: SubmissionPlayer) -> tuple[bool, str]:
    try:
        program = program_of(player.score)
    except Refusal as refusal:
        return False, f"# {player.name} is left to Python: {refusal}\n"
    priced = "".join(f"# {line}\n" for line in _priced(player, program))
    return True, f"# {player.name}\n{priced}{program_text(program)}"


def _priced(player: SubmissionPlayer, program: Program) -> Iterator[str]:
    """The lines of a file that its program comes from, each with its price."""
    source = player.submission.path.read_text(encoding="utf-8").splitlines()
    for line, (price, grows) in price_of_lines(program).items():
        text = source[line - 1].rstrip() if 0 < line <= len(source) else ""
        yield f"{price:6,} ns{'+' if grows else ' '} {line:5}  {text}".rstrip()


def _players(word: str) -> Iterator[SubmissionPlayer]:
    """Our search around each heuristic that an argument names, which has the player that it expects."""
    file, colon, name = word.rpartition(":")
    if not colon or os.sep in name or Path(word).exists():
        file, name = word, ""
    try:
        submission = load(located(Path(file)))
    except SubmissionError as error:
        where = error.path if error.line is None else f"{error.path}:{error.line}"
        raise CommandError(f"{where}: {error.problem}", error.remedy) from error
    if name and name not in submission.heuristics:
        what = f"heuristic of {submission.path.name}"
        raise UnknownHeuristicError(unknown_word(what, name, tuple(submission.heuristics)))
    for each in [name] if name else submission.heuristics:
        yield as_player(submission, each, nodes=1)


def _explained(player: SubmissionPlayer, *, measure: bool) -> Explanation:
    # Programs are asked about boards whose players are two names; one that asks more of its player has none.
    boards = random_positions() if measure else None
    with player.submission.activated() if measure else nullcontext():
        return explain(player.score, boards=boards)


def _row(found: Explanation, *, shows_file: bool) -> Sequence[Cell]:
    timing, line = found.timing, found.line
    where = f"{found.filename}:{line}" if shows_file and line and found.filename else line
    measured: list[Cell] = [None, None, None]
    why = found.message
    if timing is not None:
        if timing.bails:
            why = f"Python answers {timing.bails:,} of {timing.positions:,} positions, where it may raise"
        measured = [float(f"{timing.times_faster:.3g}"), round(timing.compiled, 1), round(timing.python)]
    return [found.name, "yes" if found.compiles else "no", *measured, where, why]
