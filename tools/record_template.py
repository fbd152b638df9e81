"""Write the hashes of the course's template, which a report of copies leaves out.

Usage: python tools/record_template.py CHECKOUT

CHECKOUT is a git clone of the course's code. Every version of the files that students start from is read;
what is kept of them are hashes of their statements.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from isolation_grader.classes.copies import recorded

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "grader" / "isolation_grader" / "classes" / "template.txt"
FILES = (
    *("game_agent.py", "sample_players.py", "competition_agent.py", "tournament.py"),
    *("isolation/__init__.py", "isolation/isolation.py"),
)


def main() -> None:
    """Read each version once."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", "-C", sys.argv[1], *arguments], capture_output=True, check=True).stdout

    listed = (
        git("log", "--format=", "--raw", "--no-abbrev", "--no-renames", "--", *FILES).decode().splitlines()
    )
    versions = {line.split()[3] for line in listed if line.startswith(":")} - {"0" * 40}
    hashes = recorded([git("cat-file", "blob", each) for each in sorted(versions)])
    head = git("rev-parse", "HEAD").decode().strip()
    says = f"# Of udacity/AIND-Isolation up to {head}, by tools/record_template.py: no text of it.\n"
    TEMPLATE.write_text(says + hashes, encoding="utf-8")
    print(f"{TEMPLATE.relative_to(ROOT)}: {hashes.count(chr(10))} hashes of {len(versions)} versions")


if __name__ == "__main__":
    main()
