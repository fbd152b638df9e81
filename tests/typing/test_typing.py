"""The published types, as mypy sees them from outside."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import isolation_fast

HERE = Path(__file__).parent
ERROR = re.compile(r"^[^:]+:(?P<line>\d+): error: .*\[(?P<code>[a-z-]+)\]$", re.MULTILINE)
EXPECTED = re.compile(r"# expect: (?P<codes>[a-z, -]+)$")


@pytest.fixture(scope="module")
def errors_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Check a snippet as its reader would, and return its errors as (line, code)."""
    cache = tmp_path_factory.mktemp("mypy")
    installed_in = Path(isolation_fast.__file__).parents[1]
    environment = dict(os.environ)
    # Of a checkout that is used in place mypy must be told; of an installed package it knows.
    if installed_in.name != "site-packages":
        environment["MYPYPATH"] = str(installed_in)

    def check(snippet: str) -> Any:
        command = [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            f"--cache-dir={cache}",
            snippet,
        ]
        done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        found = [(int(error["line"]), error["code"]) for error in ERROR.finditer(done.stdout)]
        assert len(found) == done.stdout.count(": error: "), done.stdout
        assert all(line.startswith(snippet) for line in done.stdout.splitlines()[:-1]), done.stdout
        return found

    return check


def test_what_people_write_is_accepted(errors_of: Any) -> None:
    assert errors_of("must_pass.py") == []


def test_every_slip_is_found_and_nothing_else(errors_of: Any) -> None:
    expected = [
        (number, code.strip())
        for number, line in enumerate((HERE / "must_fail.py").read_text().splitlines(), start=1)
        if (marked := EXPECTED.search(line))
        for code in marked["codes"].split(",")
    ]
    assert len(expected) > 20
    assert errors_of("must_fail.py") == expected


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(isolation_fast.__file__).parent / "py.typed").is_file()
