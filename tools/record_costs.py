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
from statistics import median
from typing import Any

from count_instructions import cpu_name

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "python" / "isolation_fast" / "cost" / "table.json"
ARGUMENTS = ["cost", "--all", "--json"]


# They differ in a factor alone, which takes no time: what lies between their costs is noise.
ALIKE = "knight_decay_"


def with_one_cost(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries, of which those alike have the median of their costs, in each band too.

    >>> entry = {"name": "knight_decay_2", "cost": 8.0, "spread": 0.1, "bands": None}
    >>> other = {"name": "knight_decay_3", "cost": 9.0, "spread": 0.3, "bands": None}
    >>> [each["cost"] for each in with_one_cost([entry, other])]
    [8.5, 8.5]
    """
    alike = [each for each in entries if each["name"].startswith(ALIKE)]
    in_bands = [each["bands"] for each in alike if each["bands"] is not None]
    shared = {
        "cost": _median([each["cost"] for each in alike]),
        "spread": _median([each["spread"] for each in alike]),
        "bands": [_median(list(band)) for band in zip(*in_bands, strict=True)] or None,
    }
    return [{**each, **shared} if each in alike else each for each in entries]


def _median(numbers: list[float]) -> float:
    return float(f"{median(numbers):.4g}")


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
    entries = ",\n".join(f"    {json.dumps(entry)}" for entry in with_one_cost(measured.pop("heuristics")))
    head = "".join(
        f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in (made_by | measured).items()
    )
    TABLE.write_text(f'{{\n{head}  "heuristics": [\n{entries}\n  ]\n}}\n', encoding="utf-8")
    print(
        f"costs: wrote {TABLE.relative_to(ROOT)}; `make heuristics-page` brings docs/heuristics.md up to date"
    )


if __name__ == "__main__":
    main()
