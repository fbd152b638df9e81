"""The options of `isolation-grade` for what a submission may use, and how much of a sandbox there must be."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from isolation_fast import InvalidArgumentError
from isolation_fast.jail import Limits
from isolation_fast.output import CommandError

__all__ = ["add_limit_options", "limits_of", "options_given"]

DEFAULTS: Final = Limits()
OPTIONS: Final = (
    ("load_cpu", float, "seconds of processor time to load"),
    (
        "move_cpu",
        float,
        "seconds of processor time for a move, and more for a class whose turn is longer",
    ),
    ("wall_factor", float, "so many times as long it may take by the wall clock"),
    ("memory", int, "MiB of address space"),
)


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """Add them; `limits_of` reads them."""
    for name, kind, meaning in OPTIONS:
        default = getattr(DEFAULTS, name)
        told = f"{meaning} (default {default:g})"
        parser.add_argument(_option(name), type=kind, default=default, metavar="N", help=told)
    parser.add_argument(
        "--require-sandbox",
        action="store_true",
        help="do not go on where the system gives less of one",
    )


def limits_of(options: argparse.Namespace) -> Limits:
    """What the options ask for; an error where that cannot be."""
    try:
        return Limits(**{name: getattr(options, name) for name, _, _ in OPTIONS})
    except InvalidArgumentError as error:
        raise CommandError(str(error)) from error


def options_given(options: argparse.Namespace) -> Iterator[str]:
    """The words that ask for the same, without what is so anyway."""
    for name, _, _ in OPTIONS:
        if getattr(options, name) != getattr(DEFAULTS, name):
            yield from (_option(name), f"{getattr(options, name):g}")
    if options.require_sandbox:
        yield "--require-sandbox"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
