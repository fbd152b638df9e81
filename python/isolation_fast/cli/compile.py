"""`isolation-fast compile`: which heuristics of a file compile, what they cost, and why others do not."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeAlias

from isolation_fast.compiled import Explanation, Refusal, explain, random_positions
from isolation_fast.endings import Fault
from isolation_fast.exceptions import UnknownHeuristicError
from isolation_fast.foreign import stdout_to_stderr
from isolation_fast.jail import available, outline, read_heuristics
from isolation_fast.output import Cell, CommandError, add_format_options, add_options, print_table, progress
from isolation_fast.programs import Program, price_of_lines, program_text
from isolation_fast.submission import SubmissionError, SubmissionPlayer, as_player, load, parse
from isolation_fast.submission.sources import located
from isolation_fast.text import unknown_word

Form: TypeAlias = Program | Refusal
DESCRIPTION = """\
Say for each heuristic of a file whether it compiles, and what a value costs by the price list; or which line
keeps it with Python, and what to write instead. The file is read, in a locked process where the system has
that, and nothing of it is run. Searches compile heuristics by themselves: nothing has to be done for it. With
--measure the file is run, with all rights you have. Exit status: 0 if all compile, 1 if one does not, 2 for
bad input.
"""
LEFT_TO_PYTHON: Final = 1
HEADERS: Final = ("heuristic", "compiles", "ns a value", "line", "why not")
MEASURED: Final = ("heuristic", "compiles", "times as fast", "ns a value", "ns in Python", "line", "why not")


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
        ("--measure", bool, False, "run the file, with all your rights, and time its heuristics"),
        ("--show", bool, False, "print each program, after its source with the price of each line"),
    )
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what became of each; 1 if one is left to Python."""
    try:
        return _measured(options) if options.measure else _told(options)
    except SubmissionError as error:
        raise refused_file(error) from error


def refused_file(error: SubmissionError) -> CommandError:
    """What a command says of a file that it cannot read."""
    where = error.path if error.line is None else f"{error.path}:{error.line}"
    return CommandError(f"{where}: {error.problem}", error.remedy)


# ---- read


def _told(options: argparse.Namespace) -> int:
    """Read the heuristics, and run nothing."""
    read = [(word, *each) for word in options.heuristics for each in read_forms(word)]
    if options.show:
        sys.stdout.write("\n".join(_shown(*each[1:]) for each in read))
    else:
        priced = [(*each, _price(each[-1])) for each in read]
        rows = [_row(name, form, file, price) for _, file, name, form, price in priced]
        document = {"heuristics": [_entry(*each) for each in priced]}
        print_table(options, HEADERS, rows, document)
    return LEFT_TO_PYTHON if any(isinstance(form, Refusal) for *_, form in read) else 0


def read_forms(word: str) -> Iterator[tuple[Path, str, Form]]:
    """The file of an argument, and of each heuristic the name, and the program or why there is none."""
    path, name = _parted(word)
    try:
        file = located(path)
        known = parse(file) if available().name == "none" else outline(file)
        if name and name not in (*known.heuristics, *known.bound):
            raise UnknownHeuristicError(unknown_word(f"heuristic of {file.name}", name, known.heuristics))
        for each, form in read_heuristics(file, [name] if name else known.heuristics).items():
            yield file, each, form
    except Fault as fault:
        raise CommandError(f"{path} cannot be read: {fault.ending}: {fault.detail}") from fault


def _parted(word: str) -> tuple[Path, str]:
    file, colon, name = word.rpartition(":")
    return (Path(word), "") if not colon or os.sep in name or Path(word).exists() else (Path(file), name)


def _price(form: Form) -> int | None:
    """What a value costs on average, in nanoseconds of the price list, over positions of random games."""
    if isinstance(form, Refusal):
        return None
    boards = random_positions()
    return round(fmean(form.priced_run(board, board.active_player)[1] for board in boards))


def _entry(word: str, file: Path, name: str, form: Form, price: int | None) -> dict[str, Any]:
    found = {"given": word, "name": name, "compiles": price is not None, "file": str(file)}
    why: dict[str, Any] = {"line": None, "construct": None, "message": None}
    if isinstance(form, Refusal):
        found["file"] = form.filename or str(file)
        why = {"line": form.line or None, "construct": form.construct, "message": form.message}
    return {**found, **why, "price_ns": price}


def _row(name: str, form: Form, file: Path, price: int | None) -> Sequence[Cell]:
    if isinstance(form, Program):
        return [name, "yes", price, None, None]
    elsewhere = form.filename is not None and Path(form.filename).name != file.name
    where = f"{form.filename}:{form.line}" if elsewhere else form.line or None
    return [name, "no", price, where, form.message]


def _shown(file: Path, name: str, form: Form) -> str:
    if isinstance(form, Refusal):
        return f"# {name} is left to Python: {form}\n"
    priced = "".join(f"# {line}\n" for line in priced_source(file, form))
    return f"# {name}\n{priced}{program_text(form)}"


def priced_source(file: Path, program: Program) -> Iterator[str]:
    """The lines of a file that its program comes from, each with its price."""
    source = file.read_text(encoding="utf-8", errors="replace").splitlines()
    for line, (price, grows) in price_of_lines(program).items():
        text = source[line - 1].rstrip() if 0 < line <= len(source) else ""
        yield f"{price:6,} ns{'+' if grows else ' '} {line:5}  {text}".rstrip()


# ---- measured


def _measured(options: argparse.Namespace) -> int:
    """Run the heuristics, and time them."""
    # What a submission prints is no part of the answer.
    with stdout_to_stderr():
        asked = [(word, player) for word in options.heuristics for player in _players(word)]
        found: list[tuple[str, Explanation]] = []
        with progress(len(asked), "heuristic") as bar:
            for word, player in asked:
                bar.reach(len(found), player.name)
                found.append((word, _explained(player)))
    paths = {os.path.abspath(each.filename) for _, each in found if each.filename}  # noqa: PTH100
    rows = [_measured_row(each, shows_file=len(paths) > 1) for _, each in found]
    document = {"heuristics": [{"given": word, **each.to_dict()} for word, each in found]}
    print_table(options, MEASURED, rows, document)
    return 0 if all(each.compiles for _, each in found) else LEFT_TO_PYTHON


def _players(word: str) -> Iterator[SubmissionPlayer]:
    """Our search around each heuristic that an argument names, which has the player that it expects."""
    path, name = _parted(word)
    submission = load(located(path))
    if name and name not in submission.heuristics:
        what = f"heuristic of {submission.path.name}"
        raise UnknownHeuristicError(unknown_word(what, name, tuple(submission.heuristics)))
    for each in [name] if name else submission.heuristics:
        yield as_player(submission, each, nodes=1)


def _explained(player: SubmissionPlayer) -> Explanation:
    # Programs are asked about boards whose players are two names; one that asks more of its player has none.
    with player.submission.activated():
        return explain(player.score, boards=random_positions())


def _measured_row(found: Explanation, *, shows_file: bool) -> Sequence[Cell]:
    timing, line = found.timing, found.line
    where = f"{found.filename}:{line}" if shows_file and line and found.filename else line
    measured: list[Cell] = [None, None, None]
    why = found.message
    if timing is not None:
        if timing.bails:
            why = f"Python answers {timing.bails:,} of {timing.positions:,} positions, where it may raise"
        measured = [float(f"{timing.times_faster:.3g}"), round(timing.compiled, 1), round(timing.python)]
    return [found.name, "yes" if found.compiles else "no", *measured, where, why]
