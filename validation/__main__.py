"""`python -m validation`: submissions on the classic board and on ours, as a table or a document."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

from isolation_fast.cli import carried_out
from isolation_fast.foreign import add_jail_options, jail_status
from isolation_fast.jail import available
from isolation_fast.output import (
    DATA_FORMATS,
    INTERRUPTED,
    Cell,
    CommandError,
    Parser,
    add_format_options,
    ended_politely,
    print_below,
    print_table,
    progress,
    report,
    say,
)
from validation import Comparison, HeuristicFinding, Options, SubmissionFindings, compare
from validation.findings import PROBLEMS
from validation.sources import find_submissions

__all__ = ["main"]

DESCRIPTION = """\
Evaluate the heuristics and play the players of submissions on the classic board and on ours, and say where
they differ. Each submission runs in a process of its own with limits of time and memory, in the jail where
there is one. Without the jail it can use network and files: compare only what you trust there.
"""
HEADERS: Final = ("submission", "what", "verdict", "detail")
DIFFERS: Final = 1
SUBMISSIONS: Final = "submissions"


class _Parser(Parser):
    def error(self, message: str) -> NoReturn:
        self.exit(report(message, f"{self.prog} --help"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as these arguments say, by default those of the process; gives the exit status."""
    options = _parser().parse_args(arguments)
    return carried_out(lambda: _run(options))


def _parser() -> _Parser:
    default = Options()
    parser = _Parser(prog="python -m validation", description=DESCRIPTION)
    parser.add_argument(
        "folder", metavar="FOLDER", help="a game_agent.py, a folder with one, or a folder of such folders"
    )
    parser.add_argument(
        "--classic",
        action="append",
        required=True,
        metavar="CHECKOUT",
        help="a checkout of the classic code; repeat it for each layout and age of the board",
    )
    for name, kind, meaning in (
        ("positions", int, "positions for each heuristic"),
        ("games", int, "games of each player on each board"),
        ("seed", int, "decides positions and games"),
        ("seconds", float, "time for each submission"),
        ("memory", int, "memory for each submission, in MiB"),
    ):
        given = getattr(default, name)
        parser.add_argument(
            f"--{name}", type=kind, default=given, metavar="N", help=f"{meaning} (default {given})"
        )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes at once (default: the processors)"
    )
    parser.add_argument(
        "--resume", metavar="FILE", help="keep finished submissions in FILE, and skip those it has"
    )
    add_jail_options(parser, SUBMISSIONS)
    add_format_options(parser)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Compare, and print what was found; 1 if something differs, 6 if the jail is less than required."""
    if status := jail_status(options, available(), SUBMISSIONS):
        return status
    folder = Path(options.folder)
    found, passed_over = find_submissions(folder)
    if passed_over:
        names = ", ".join(passed_over)
        say(f"isolation-fast: no game_agent.py in {len(passed_over)} of the sub-folders: {names}")
    finished = 0

    def count(findings: SubmissionFindings, done: int, _of: int) -> None:
        nonlocal finished
        finished = done
        bar.reach(done, _outcome(findings))
        if not sys.stderr.isatty():
            say(f"[{done}/{len(found)}] {_outcome(findings)}")

    try:
        with ended_politely(), progress(len(found), "submission") as bar:
            comparison = compare(
                folder,
                options.classic,
                positions=options.positions,
                games=options.games,
                seed=options.seed,
                seconds=options.seconds,
                memory=options.memory,
                workers=options.workers,
                jail=not options.no_jail,
                resume=options.resume,
                progress=count,
            )
    except KeyboardInterrupt:
        say(f"isolation-fast: interrupted with {finished} of {len(found)} submissions finished")
        if options.resume is None:
            say("hint: with --resume FILE the finished ones are kept, and the next run goes on from there")
        else:
            say(f"hint: they are kept in {options.resume}: the same command goes on from there")
        return INTERRUPTED
    except OSError as error:
        raise CommandError(f"the comparison could not go on: {error}") from error
    _print(options, comparison)
    if comparison.differs:
        return DIFFERS
    if all(each.reason is not None for each in comparison.submissions):
        raise CommandError("nothing was compared: no submission could be", "the table tells each reason")
    return 0


def _print(options: argparse.Namespace, comparison: Comparison) -> None:
    print_table(options, HEADERS, _rows(comparison), comparison.to_dict())
    if options.format not in DATA_FORMATS:
        for text in _drawn_differences(comparison):
            print_below(options, f"\n{text}")
        print_below(options, "")
    print_below(options, f"jail: {comparison.jail}")
    print_below(options, str(comparison))


def _rows(comparison: Comparison) -> list[list[Cell]]:
    """A row for each heuristic and player. What needs a look stands last, where the eye is."""
    rows: list[list[Cell]] = []
    for each in comparison.submissions:
        if each.reason is not None:
            rows.append([each.name, "", "not compared", each.reason])
        rows += [[each.name, found.name, found.verdict, found.summary()] for found in each.findings]
        rows += [[each.name, name, "template", ""] for name in each.templates]
    return sorted(rows, key=lambda row: row[2] in PROBLEMS)


def _drawn_differences(comparison: Comparison) -> Iterator[str]:
    for each in comparison.submissions:
        for found in each.findings:
            if not isinstance(found, HeuristicFinding) or found.difference is None:
                continue
            first = found.difference
            yield (
                f"{each.name}, {found.name}: {found.verdict} first here, for player {first.player}\n"
                f"  classic: {first.classic}\n  ours:    {first.ours}\n  {first.position}\n"
                + textwrap.indent(first.drawing.rstrip("\n"), "  ")
            )


def _outcome(findings: SubmissionFindings) -> str:
    verdicts = Counter(found.verdict for found in findings.findings)
    counted = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.items())
    return f"{findings.name}: {findings.reason or counted or 'nothing to compare'}"


if __name__ == "__main__":
    sys.exit(main())
