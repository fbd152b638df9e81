"""Measure how AB_Improved does against each roster, and write the table that comes with the grader.

Usage: python tools/record_baselines.py [--threads N]

It takes a quarter of an hour of processor time. Finished games are kept in .baselines, and a second call goes
on from there. Remove that folder once the engine plays otherwise: its games are those of the engine before.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
from itertools import product
from pathlib import Path
from typing import Any, Final

from count_instructions import cpu_name
from isolation_fast import __version__, output
from isolation_fast.tournament import ROSTERS, parse_budget, run
from isolation_grader.baseline import TABLE, BaselineAsked, counts_of
from isolation_grader.options import BASELINE

ROOT: Final = Path(__file__).resolve().parents[1]
FINISHED: Final = ROOT / ".baselines"
OPENINGS: Final = 49 * 48
"""No seed draws an opening again before it has drawn all."""
ROUNDS: Final = {
    **dict.fromkeys(("work=2000", "nodes=2000", "work=500", "work=1000"), 10),
    "course": 4,
}
"""How often a budget plays each opening. The rate is known to ± 0.13 points with 10 rounds, ± 0.2 with 4."""
BEGINNING: Final = 50
"""Of so many blocks a row has each pair: a test plays them again, and sees if the engine plays otherwise."""


def measured(asked: BaselineAsked, blocks: int, threads: int | None) -> dict[str, Any]:
    """A row of the table."""
    described = asked.described()
    name = f"{described['roster']} at {described['budget']}"
    journal = FINISHED / f"{name.replace(' ', '-')}.jsonl"
    with output.progress(None, "game", instead=name) as bar:

        def show(so_far: Any) -> None:
            bar.part(name, so_far.games, so_far.planned_games)

        plan = asked.plan(blocks)
        result = run(plan, workers=threads, journal=journal, resume=True, progress=show)
    scores = result.player(BASELINE).scores
    began = {each.opponent: "".join(map(str, each.pair_wins[:BEGINNING])) for each in scores}
    return {**described, **counts_of(scores), "begins": began}


def main() -> None:
    """Measure row by row, and write the table anew after each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, help="games at once (default: one for each core)")
    threads = parser.parse_args().threads
    FINISHED.mkdir(exist_ok=True)
    head = {
        "date": datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat(),
        "machine": f"{cpu_name()}, {platform.machine()}",
        "version": __version__,
        "command": "make record-baseline",
    }
    rows: list[dict[str, Any]] = []
    for (budget, rounds), roster in product(ROUNDS.items(), ROSTERS):
        asked = BaselineAsked(roster, parse_budget(budget))
        rows.append(measured(asked, rounds * OPENINGS, threads))
        # A line for each fact, so that a new measurement can be read beside the old one.
        output.write_whole(TABLE, _text(head, rows))
    output.say(f"baselines: wrote {TABLE.relative_to(ROOT)}")


def _text(head: dict[str, str], rows: list[dict[str, Any]]) -> str:
    entries = []
    for row in rows:
        facts = ",\n".join(f"      {json.dumps(name)}: {json.dumps(value)}" for name, value in row.items())
        entries.append(f"    {{\n{facts}\n    }}")
    top = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    return f'{{\n{top}  "baselines": [\n' + ",\n".join(entries) + "\n  ]\n}\n"


if __name__ == "__main__":
    main()
