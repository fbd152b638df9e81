"""Measure the costs of all native heuristics, and write the table that comes with the package.

Usage: python tools/record_costs.py

Some minutes, best while the machine does nothing else.
"""

from __future__ import annotations

import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path

from count_instructions import cpu_name

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "python" / "isolation_fast" / "cost" / "table.json"
ARGUMENTS = ["cost", "--all", "--json"]


def main() -> None:
    """Measure by the command, and say in the table with what."""
    done = subprocess.run(
        [sys.executable, "-m", "isolation_fast", *ARGUMENTS], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(done.returncode)
    measured = json.loads(done.stdout)
    made_by = {
        "date": datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        "machine": f"{cpu_name()}, {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "command": f"isolation-fast {' '.join(ARGUMENTS)}",
    }
    # A line for each heuristic, so that a new measurement can be read beside the old one.
    entries = ",\n".join(f"    {json.dumps(entry)}" for entry in measured.pop("heuristics"))
    head = "".join(
        f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in (made_by | measured).items()
    )
    TABLE.write_text(f'{{\n{head}  "heuristics": [\n{entries}\n  ]\n}}\n', encoding="utf-8")
    print(
        f"costs: wrote {TABLE.relative_to(ROOT)}; `make heuristics-page` brings docs/heuristics.md up to date"
    )


if __name__ == "__main__":
    main()
