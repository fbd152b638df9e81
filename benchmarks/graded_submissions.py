"""Grade a folder of submissions, one after the other: verdicts, costs, time and memory, a row for each.

    python benchmarks/graded_submissions.py FOLDER --store STORE [--burn] [-- --budget course]

Every sub-folder with a `game_agent.py` is graded by `isolation-grade check`, in a process of its own. The
rows go to stdout, and with `--save FOLDER` each report as JSON to a file there. `--burn` keeps one processor
busy meanwhile.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from tabulate import tabulate
from tqdm import tqdm

HEADERS = ("submission", "heuristic", "verdict", "difference", "blocks", "cost", "seconds", "MiB")


def main() -> int:
    """Grade as the options say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="of baselines")
    parser.add_argument("--save", type=Path, help="a folder for the reports as JSON")
    parser.add_argument("--burn", action="store_true", help="keep one processor busy meanwhile")
    parser.add_argument("--only", type=int, help="so many submissions, spread evenly")
    parser.add_argument("options", nargs="*", help="further options of `isolation-grade check`, after --")
    options = parser.parse_args()
    folders = sorted(each.parent for each in options.folder.glob("*/game_agent.py"))
    if options.only is not None:
        folders = folders[:: max(1, len(folders) // options.only)][: options.only]
    rows: list[list[Any]] = []
    seconds: list[float] = []
    most = 0.0
    with _burning(options.burn):
        for folder in tqdm(folders, unit="submission", disable=None):
            report, took, memory = _graded(folder, options)
            seconds.append(took)
            most = max(most, memory)
            rows += _rows(folder.name, report, took, memory)
            print(*rows[-1], file=sys.stderr, flush=True)
    print(tabulate(rows, HEADERS, tablefmt="github", floatfmt=".1f"))
    print()
    print(f"median {statistics.median(seconds):.1f} s, most {max(seconds):.1f} s, peak {most:.0f} MiB")
    return 0


def _graded(folder: Path, options: argparse.Namespace) -> tuple[dict[str, Any], float, float]:
    command = [sys.executable, "-m", "isolation_grader", "check", str(folder), "--json"]
    # One seed for all runs, so that two of them compare.
    command += ["--store", str(options.store), "--seed", "0", *options.options]
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE)
        memory = _most_memory(process)
        took = time.perf_counter() - started
        output.seek(0)
        text = output.read().decode()
    if process.returncode not in (0, 1, 3, 4):
        raise RuntimeError(f"{folder.name}: status {process.returncode}: {process.stderr!r}")
    if options.save is not None:
        options.save.mkdir(parents=True, exist_ok=True)
        (options.save / f"{folder.name}.json").write_text(text)
    return json.loads(text), took, memory


def _most_memory(process: subprocess.Popen[bytes]) -> float:
    """MiB of the process and all below it, shared pages counted once, looked at while it runs."""
    most = 0.0
    assert process.stderr is not None
    drained = Thread(target=process.stderr.read, daemon=True)
    drained.start()
    while process.poll() is None:
        most = max(most, sum(map(_proportional, _tree(process.pid))) / 1024)
        time.sleep(0.2)
    drained.join()
    return most


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _tree(int(child))
    except OSError:
        return  # it has ended


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _rows(name: str, report: dict[str, Any], took: float, memory: float) -> Iterator[list[Any]]:
    if report["problem"] is not None:
        yield [name, "", "not graded", report["problem"]["reason"], "", "", took, memory]
    for number, each in enumerate(report["graded"]):
        grading = each["grading"]
        difference = grading["difference"]
        shown = each["problem"]["reason"] if each["problem"] else ""
        if difference is not None and not shown:
            low, high = (100 * difference["interval"][end] for end in ("low", "high"))
            shown = f"{100 * difference['value']:+.1f} ({low:+.1f} to {high:+.1f})"
        cost = (grading["cost"] or {}).get("value", "")
        blocks = grading["test"]["count"] if grading["test"] else ""
        times = [took, memory] if number == 0 else ["", ""]
        yield [name, each["name"], each["verdict"], shown, blocks, cost, *times]


@contextmanager
def _burning(wanted: bool) -> Iterator[None]:
    if not wanted:
        yield
        return
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        burner.kill()
        burner.wait()


if __name__ == "__main__":
    sys.exit(main())
