"""Find the Pythons to build wheels for; prints the paths of their interpreters, oldest first.

Usage: python tools/pythons.py

The one that runs this is always among them; the others are found as `python3.10` and so on, on the PATH and
among pyenv's, as far as `pyproject.toml` names their version. A library is built for one version of Python.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

Version = tuple[int, int]

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
CLASSIFIER = re.compile(r'^ *"Programming Language :: Python :: (3)\.(\d+)",$', re.MULTILINE)
QUESTION = (
    "import json, platform, sys, sysconfig, venv, ensurepip;"
    "print(json.dumps([platform.python_implementation(), sys.version_info[:2],"
    " bool(sysconfig.get_config_var('Py_GIL_DISABLED')), sys._base_executable]))"
)


def supported_versions() -> list[Version]:
    """The versions that the package says it runs on."""
    found = CLASSIFIER.findall(PYPROJECT.read_text(encoding="utf-8"))
    return sorted((int(major), int(minor)) for major, minor in found)


def candidates(versions: list[Version]) -> Iterator[Path]:
    """Paths at which a Python may be: those on the PATH, then pyenv's."""
    for major, minor in versions:
        on_path = shutil.which(f"python{major}.{minor}")
        if on_path:
            yield Path(on_path)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for major, minor in versions:
        yield from sorted(pyenv.glob(f"versions/{major}.{minor}.*/bin/python3"))


def ask(path: Path) -> tuple[Version, Path] | None:
    """Version and executable of the Python at `path`, if wheels can be built for it and tried with it."""
    answer = subprocess.run([path, "-c", QUESTION], capture_output=True, text=True, check=False)
    # A version manager's placeholder for a Python that is not switched on, or one without `venv`.
    if answer.returncode != 0:
        return None
    implementation, (major, minor), free_threaded, executable = json.loads(answer.stdout)
    # Boards are guarded by the interpreter's lock, so there is no wheel for a Python that has none.
    if implementation != "CPython" or free_threaded:
        return None
    return (major, minor), Path(executable)


def find_pythons() -> dict[Version, Path]:
    """The first working CPython of each supported version, oldest version first."""
    versions = supported_versions()
    found: dict[Version, Path] = {}
    for path in [Path(sys.executable), *candidates(versions)]:
        answer = ask(path)
        if answer is not None:
            found.setdefault(*answer)
    return dict(sorted(found.items()))


def main() -> None:
    """Print the paths, a line each."""
    pythons = find_pythons()
    if not pythons:
        sys.exit("pythons: no CPython with `venv` and `ensurepip` found, on which wheels could be tried")
    for path in pythons.values():
        print(path)


if __name__ == "__main__":
    main()
