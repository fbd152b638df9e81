"""Count the costs of all native heuristics, and write the table that comes with the package.

Usage: python tools/record_costs.py

Some minutes. It reads no clock, so it writes the same bytes on every machine.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from isolation_fast import heuristics, output
from isolation_fast.cost import BANDS, PRICES_VERSION, Cost
from isolation_fast.counting import count_cost
from isolation_fast.programs import program_of

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = ROOT / "python" / "isolation_fast" / "cost" / "table.json"


# They differ in a factor alone, so they are counted once.
ALIKE: Final = "knight_decay_"


def main() -> None:
    """Count them, and write a line for each, so that new costs can be read beside the old ones."""
    names = heuristics.names()
    alike = next(name for name in names if name.startswith(ALIKE))
    counted_as = {name: alike if name.startswith(ALIKE) else name for name in names}
    asked = list(dict.fromkeys(counted_as.values()))
    counted: dict[str, Cost] = {}
    counting = output.progress(len(asked), "heuristic", instead="costs: counting, some minutes")
    with ProcessPoolExecutor() as processes, counting as bar:
        for name, cost in zip(asked, processes.map(count_cost, map(heuristics.get, asked)), strict=True):
            counted[name] = cost
            bar.reach(len(counted), name)
    node = count_cost(program_of(lambda _game, _player: 0.0)).to_dict()
    head = {"prices": PRICES_VERSION, "bands": list(BANDS), "node": node}
    lines = [f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    entries = [{"name": name, **counted[other].to_dict()} for name, other in counted_as.items()]
    listed = ",\n".join(f"    {json.dumps(entry)}" for entry in entries)
    output.write_whole(TABLE, f'{{\n{"".join(lines)}  "heuristics": [\n{listed}\n  ]\n}}\n')
    output.say(
        f"costs: wrote {TABLE.relative_to(ROOT)}; `make heuristics-page` brings docs/heuristics.md up to date"
    )


if __name__ == "__main__":
    main()
