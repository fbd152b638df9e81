"""Compares random programs with CPython for as long as one likes: `make fuzz SEED=1 SECONDS=600`.

Every difference is printed as a small program to paste. The exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

# So many differences are shown as small programs; there will be few causes.
SHRUNK: Final = 6
ROOT: Final = Path(__file__).resolve().parents[3]


def main() -> int:
    """Fuzz with this Python, or with each that is installed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", default="0", help="any text: the programs follow from it [0]")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time for each Python [60]")
    parser.add_argument("--each-python", action="store_true", help="each supported CPython that is installed")
    parser.add_argument("--refusals", action="store_true", help="count the reasons of refusals")
    parser.add_argument(
        "--in-python", action="store_true", help="compare Python with itself: a difference is a false alarm"
    )
    options = parser.parse_args()
    if options.each_python:
        return _each_python(options.seed, options.seconds)
    return _fuzz(options.seed, options.seconds, refusals=options.refusals, in_python=options.in_python)


def _fuzz(seed: str, seconds: float, *, refusals: bool, in_python: bool) -> int:
    from program_fuzzing import Fuzzing
    from program_sides import native, python_again

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        fuzzing = Fuzzing(python_again(place) if in_python else native, place, compiled=not in_python)
        number = 0
        while time.process_time() < seconds:
            for found in fuzzing.program(seed, number):
                where = f"# program {seed}:{number}, after {time.process_time():.0f} s"
                shrunk = len(fuzzing.tally.differences) <= SHRUNK
                print(f"{fuzzing.smallest(found)}\n{where}\n" if shrunk else where, flush=True)
            number += 1
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"CPython {version}, seed {seed!r}: {fuzzing.tally}\n\n{fuzzing.table()}")
    if refusals:
        for reason, times in Counter(fuzzing.tally.refused.values()).most_common(40):
            print(f"{times:6} {reason}")
    return 1 if fuzzing.tally.differences else 0


def _each_python(seed: str, seconds: float) -> int:
    sys.path.insert(0, str(ROOT / "tools"))
    from pythons import find_pythons

    status, tried = 0, 0
    for version, path in find_pythons().items():
        name = ".".join(map(str, version))
        with tempfile.TemporaryDirectory() as folder:
            for place in _packages(version, Path(folder)):
                environment = os.environ | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
                asked = [str(path), "-c", "import isolation_fast.compiled"]
                if subprocess.run(asked, env=environment, capture_output=True, check=False).returncode == 0:
                    command = [str(path), __file__, "--seed", seed, "--seconds", str(seconds)]
                    status |= subprocess.run(command, env=environment, check=False).returncode
                    tried += 1
                    break
            else:
                print(f"CPython {name}: no package for it; `make dist` builds one")
    return status if tried else 2


def _packages(version: tuple[int, int], folder: Path) -> Iterator[Path]:
    """Where the package may be for this Python: the source tree, then a wheel in dist/."""
    yield ROOT / "python"
    for wheel in sorted((ROOT / "dist").glob(f"isolation_fast-*-cp{version[0]}{version[1]}-*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        yield folder


if __name__ == "__main__":
    sys.exit(main())
