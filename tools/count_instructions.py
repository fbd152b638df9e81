"""Compare the instructions of one perft and one search with the committed figures.

Usage: python tools/count_instructions.py [--record]

Runs `rust/core/examples/counts.rs` under callgrind. More than the tolerance above a committed figure is a
failure; fewer is said, so that the new figure can be committed by `make record-counts`.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "benchmarks" / "instruction-counts.md"
WORKLOADS = ("perft", "search")
# The same binary repeats its count exactly; the tolerance is for another release of the compiler or the C
# library. A second branch or a second load in the innermost step costs more than that.
TOLERANCE_PERCENT = 2.0
ROW = re.compile(r"^\| (?P<workload>\w+) \| (?P<result>[^|]+) \| (?P<count>[\d,]+) \|$", re.MULTILINE)
COMPILER = re.compile(r"^- Compiler: (rustc \S+)", re.MULTILINE)
SUMMARY = re.compile(r"^summary: (\d+)", re.MULTILINE)


class CountError(Exception):
    """No figures could be had."""


def run(command: list[str]) -> str:
    """Run `command` in the tree; gives its stdout."""
    # Flags from outside would replace those of .cargo/config.toml, whose code is what is counted.
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS")
    }
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CountError(f"exit status {done.returncode} from `{' '.join(command)}`:\n{done.stderr}")
    return done.stdout


def build() -> Path:
    """Build the workload as the package is built; gives the program."""
    run(
        [
            "cargo",
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--package",
            "isolation-core",
            "--example",
            "counts",
        ]
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "examples" / "counts"


def measure(program: Path, workload: str) -> tuple[str, int]:
    """What the workload printed, and how many instructions it took."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
        result = run([*valgrind, str(program), workload]).strip()
        found = SUMMARY.search(out.read_text(encoding="utf-8"))
    if found is None:
        raise CountError("callgrind wrote no summary")
    return result, int(found[1])


def read_committed() -> dict[str, tuple[str, int]]:
    """What the committed text says of each workload: its result and its count."""
    if not FIGURES.exists():
        raise CountError(f"{FIGURES.relative_to(ROOT)} does not exist (hint: make record-counts)")
    rows = ROW.finditer(FIGURES.read_text(encoding="utf-8"))
    found = {row["workload"]: (row["result"].strip(), int(row["count"].replace(",", ""))) for row in rows}
    missing = [workload for workload in WORKLOADS if workload not in found]
    if missing:
        raise CountError(f"{FIGURES.relative_to(ROOT)} has no row for {', '.join(missing)}")
    return found


def cpu_name() -> str:
    """The processor as the system names it."""
    information = Path("/proc/cpuinfo")
    names = (
        re.findall(r"^model name\s*: (.+)$", information.read_text(), re.MULTILINE)
        if information.exists()
        else []
    )
    return names[0] if names else platform.machine()


def record(measured: dict[str, tuple[str, int]]) -> None:
    """Write the measured figures with all that they depend on."""
    rows = "\n".join(
        f"| {workload} | {result} | {count:,} |" for workload, (result, count) in measured.items()
    )
    libc = " ".join(platform.libc_ver())
    FIGURES.write_text(
        f"""# Instructions of one perft and one search

Counted by callgrind, so independent of the load of the machine. `make counts` fails where a count is more
than {TOLERANCE_PERCENT:g} % above the one here; `make record-counts` writes this file anew.

- Date: {datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()}
- Machine: {cpu_name()}, {platform.machine()}, {libc}
- Compiler: {run(["rustc", "--version"]).strip()}, flags of `.cargo/config.toml`
- Valgrind: {run(["valgrind", "--version"]).strip()}
- Command: `valgrind --tool=callgrind target/release/examples/counts perft` (and `search`)

| workload | result | instructions |
|---|---|---:|
{rows}
""",
        encoding="utf-8",
    )
    print(f"counts: wrote {FIGURES.relative_to(ROOT)}")


def compare(measured: dict[str, tuple[str, int]], committed: dict[str, tuple[str, int]]) -> list[str]:
    """Print every comparison; gives what is wrong."""
    problems = []
    for workload, (result, count) in measured.items():
        expected_result, expected = committed[workload]
        percent = 100 * (count - expected) / expected
        print(
            f"counts: {workload}: {count:,} instructions, {percent:+.2f} % against {expected:,} ({result})",
            flush=True,
        )
        if result != expected_result:
            problems.append(f"{workload} does other work: `{result}`, committed is `{expected_result}`")
        elif percent > TOLERANCE_PERCENT:
            problems.append(
                f"{workload} takes {percent:.2f} % more instructions, allowed are {TOLERANCE_PERCENT:g} %"
            )
        elif percent < -TOLERANCE_PERCENT:
            print(f"counts: {workload} became cheaper; commit to it by `make record-counts`")
    return problems


def main() -> None:
    """Measure, then record or compare."""
    parser = argparse.ArgumentParser(description="Compare instruction counts with the committed ones.")
    parser.add_argument("--record", action="store_true", help="write the committed figures anew")
    options = parser.parse_args()
    for tool, hint in (("valgrind", "apt-get install valgrind"), ("cargo", "install Rust 1.88 or newer")):
        if shutil.which(tool) is None:
            raise CountError(f"{tool} is needed (hint: {hint})")
    program = build()
    measured = {workload: measure(program, workload) for workload in WORKLOADS}
    if options.record:
        record(measured)
        return
    problems = compare(measured, read_committed())
    if problems:
        then, now = COMPILER.findall(FIGURES.read_text(encoding="utf-8")), run(["rustc", "--version"])
        if then and not now.startswith(f"{then[0]} "):
            problems.append(f"note: the committed figures are of {then[0]}, this is {now.strip()}")
        raise CountError(
            "\n".join(
                [*problems, "hint: if that is intended, say why in the commit and `make record-counts`"]
            )
        )


if __name__ == "__main__":
    try:
        main()
    except CountError as error:
        sys.exit(f"counts: {error}")
