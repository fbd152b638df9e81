"""The command `isolation-fast`: one module for each of its sub-commands."""

import argparse
from collections.abc import Sequence

from isolation_fast._native import __version__

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process; gives the exit status."""
    parser = argparse.ArgumentParser(prog="isolation-fast", description="Knight's Isolation at engine speed.")
    parser.add_argument("--version", action="version", version=f"isolation-fast {__version__}")
    parser.parse_args(arguments)
    parser.print_help()
    return 0
