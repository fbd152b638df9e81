"""Play all attacks, or those that are named, and print what came of each: `make hostile-table`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from hostile_games import in_a_tournament, limits_of, of_the_well_behaved
from hostile_scene import Attack, attacks, orphans_are_ours, processes_left, scene
from tabulate import tabulate
from tqdm import tqdm

HEADERS = ("attack", "what it tries", "ending", "as expected", "seconds")


def row(attack: Attack) -> tuple[str, str, str, str, str]:
    """What came of two games of it, and of the well-behaved submission after it."""
    started = monotonic()
    with scene(attack) as made, TemporaryDirectory() as folder:
        try:
            seen = in_a_tournament(made.file, attack.member, Path(folder), limits_of(attack))
            ending = seen.ending
        except Exception as error:  # noqa: BLE001 - the others are to be seen all the same
            ending = f"the referee failed: {error!r}"
        seconds = monotonic() - started
        damage = made.damage() + processes_left(made.victim.pid)
    expected = ending in attack.endings and not damage
    verdict = "yes" if expected else "; ".join(["NO", *damage])[:200]
    return attack.name, attack.tries.rstrip("."), ending, verdict, f"{seconds:.2f}"


def main() -> int:
    """Print the table; 1 if something came otherwise than expected."""
    wanted, known = set(sys.argv[1:]), attacks()
    if unknown := sorted(wanted - {each.name for each in known}):
        print(f"there is no attack {', '.join(unknown)}", file=sys.stderr)
        return 2
    chosen = [each for each in known if not wanted or each.name in wanted]
    sys.dont_write_bytecode = True
    started = monotonic()
    with orphans_are_ours():
        of_the_well_behaved("custom_score")  # what is compiled and cached, is so from then on
        rows = [row(each) for each in tqdm(chosen, disable=None, leave=False)]
    print(tabulate(rows, HEADERS, tablefmt="github", disable_numparse=True))
    unexpected = sum(each[3] != "yes" for each in rows)
    print(f"\n{len(rows)} attacks, {unexpected} otherwise than expected, {monotonic() - started:.0f} s")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
