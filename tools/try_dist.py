"""Try what `make dist` built: install it as a stranger would, and say what it supports.

Usage: python tools/try_dist.py DIST_FOLDER

There is a wheel for each Python that `tools/pythons.py` finds. What they need of other packages is fetched
first. Then each is installed without network and without cargo on the PATH, in a fresh environment of its
Python; the sdist is built into a wheel once. Each runs `tools/smoke.py` from elsewhere. On x86-64 Linux one
wheel is imported under an emulated CPU below its level, where it has to refuse in words, and at it.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from pythons import Version, find_pythons

SMOKE = Path(__file__).resolve().parent / "smoke.py"
IN_WHEEL = (
    "isolation_fast/__init__.py",
    "isolation_fast/_native.pyi",
    "isolation_fast/cost/table.json",
    "isolation_fast/py.typed",
)
IN_SDIST = (
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "python/isolation_fast/cost/table.json",
    "python/isolation_fast/py.typed",
    "rust/core/Cargo.toml",
    "rust/py/Cargo.toml",
)
NEEDED = "needed"
# Conroe (2006) is the last Intel design without `popcnt`, Nehalem (2008) the first with it.
CPU_BELOW, CPU_AT_LEVEL = "Conroe", "Nehalem"
ILLEGAL_INSTRUCTION = (-4, 128 + 4)


class DistError(Exception):
    """What was built does not do what it should."""


def run(command: list[str | Path], *, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run `command`, give its output; one that fails ends the trial with all that it said."""
    done = subprocess.run(
        command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode != 0:
        shown = " ".join(str(word) for word in command)
        raise DistError(f"exit status {done.returncode} from `{shown}`:\n{done.stdout}")
    return done.stdout


def only_file(folder: Path, pattern: str) -> Path:
    """The one file of `folder` that matches."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise DistError(f"{folder} should hold one {pattern}, and holds {[path.name for path in found]}")
    return found[0]


def wheel_of_each(dist: Path, versions: list[Version]) -> dict[Version, Path]:
    """The wheel for each version, and no other."""
    wheels = {
        (major, minor): only_file(dist, f"*-cp{major}{minor}-cp{major}{minor}-*.whl")
        for major, minor in versions
    }
    strangers = set(dist.glob("*.whl")) - set(wheels.values())
    if strangers:
        raise DistError(f"{dist} also holds {', '.join(sorted(path.name for path in strangers))}")
    return wheels


def check_wheel(wheel: Path) -> None:
    """The wheel holds what it should, and no library is left over from another build."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    missing = [name for name in IN_WHEEL if name not in names]
    if missing:
        raise DistError(f"{wheel.name} lacks {', '.join(missing)}")
    libraries = [name for name in names if name.endswith((".so", ".pyd", ".dylib"))]
    if len(libraries) != 1:
        raise DistError(f"{wheel.name} should hold one library, and holds {libraries}")
    if sys.platform == "linux" and "manylinux" not in wheel.name:
        raise DistError(f"{wheel.name} carries no manylinux tag")


def check_sdist(sdist: Path) -> None:
    """The sdist holds what a build needs, and nothing built."""
    with tarfile.open(sdist) as source:
        inside = [name.partition("/")[2] for name in source.getnames()]
    missing = [name for name in IN_SDIST if name not in inside]
    if missing:
        raise DistError(f"{sdist.name} lacks {', '.join(missing)}")
    built = [name for name in inside if name.endswith((".so", ".pyd"))]
    if built:
        raise DistError(f"{sdist.name} holds built files: {', '.join(built)}")


def fresh_environment(python: Path, folder: Path) -> Path:
    """A new virtual environment of `python`; gives its interpreter."""
    run([python, "-m", "venv", folder], cwd=folder.parent)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def stranger(interpreter: Path) -> dict[str, str]:
    """Environment variables of somebody who has Python and no compiler."""
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    env = {**kept, "PATH": str(interpreter.parent), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if shutil.which("cargo", path=env["PATH"]):
        raise DistError(f"cargo is to be found in {env['PATH']}")
    return env


def fetch_needed(wheel: Path, elsewhere: Path) -> None:
    """Fetch the other packages that a wheel names; all are pure Python, so they do for each Python."""
    command: list[str | Path] = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
    run([*command, "--dest", elsewhere / NEEDED, wheel], cwd=elsewhere)


def install(interpreter: Path, wheel: Path, elsewhere: Path) -> None:
    """Install `wheel` and what was fetched for it, without network."""
    pip: list[str | Path] = [interpreter, "-m", "pip", "install", "--quiet", "--no-index"]
    run([*pip, "--find-links", elsewhere / NEEDED, wheel], cwd=elsewhere, env=stranger(interpreter))


def smoke(interpreter: Path, elsewhere: Path) -> None:
    """Run the smoke script isolated from the source tree and from the user's own packages."""
    print(
        "  " + run([interpreter, "-I", SMOKE], cwd=elsewhere, env=stranger(interpreter)).strip(), flush=True
    )


def try_wheels(wheels: dict[Version, Path], pythons: dict[Version, Path], elsewhere: Path) -> Path:
    """Install and try each wheel on its Python; gives the interpreter of the newest."""
    interpreter = Path()
    for (major, minor), wheel in wheels.items():
        check_wheel(wheel)
        interpreter = fresh_environment(pythons[major, minor], elsewhere / f"wheel-{major}.{minor}")
        install(interpreter, wheel, elsewhere)
        smoke(interpreter, elsewhere)
    return interpreter


def try_sdist(sdist: Path, python: Path, elsewhere: Path) -> None:
    """Build a wheel from the sdist alone, with cargo, and try it."""
    interpreter = fresh_environment(python, elsewhere / "sdist")
    built = elsewhere / "built"
    # The libraries it depends on are compiled once, not at each `make dist`.
    env = {**os.environ, "CARGO_TARGET_DIR": str(SMOKE.parents[1] / "target" / "sdist")}
    for name in ("PYO3_PYTHON", "VIRTUAL_ENV"):
        env.pop(name, None)
    run(
        [interpreter, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", built, sdist],
        cwd=elsewhere,
        env=env,
    )
    install(interpreter, only_file(built, "*.whl"), elsewhere)
    smoke(interpreter, elsewhere)


def try_cpu_levels(interpreter: Path, elsewhere: Path) -> None:
    """Import under emulated CPUs: an ImportError in words below the level, no error at it."""
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        raise DistError("qemu-x86_64 is needed to try the CPU level (hint: apt-get install qemu-user)")
    for cpu in (CPU_BELOW, CPU_AT_LEVEL):
        done = subprocess.run(
            [emulator, "-cpu", cpu, interpreter, "-I", "-c", "import isolation_fast"],
            cwd=elsewhere,
            env=stranger(interpreter),
            capture_output=True,
            text=True,
            check=False,
        )
        last_line = (done.stderr.strip().splitlines() or ["nothing on stderr"])[-1]
        told = f"import on a {cpu} CPU: exit status {done.returncode}, {last_line}"
        if done.returncode in ILLEGAL_INSTRUCTION:
            raise DistError(f"{told}\nthe module runs into an illegal instruction before it looks at the CPU")
        if cpu == CPU_AT_LEVEL and done.returncode != 0:
            raise DistError(told)
        if cpu == CPU_BELOW:
            if done.returncode != 1 or "ImportError" not in last_line or "popcnt" not in last_line.lower():
                raise DistError(f"{told}\nexpected exit status 1 and an ImportError that names popcnt")
            print(f"  {cpu} is refused: {last_line}")
        else:
            print(f"  {cpu} works")


def cpu_level() -> str:
    """What the wheels ask of the processor."""
    if platform.machine() in ("x86_64", "AMD64"):
        return "x86-64 with popcnt (2008 and later)"
    return f"any {platform.machine()}"


def main(dist: Path) -> None:
    """Try everything, then say in one place what the files support."""
    pythons = find_pythons()
    wheels, sdist = wheel_of_each(dist, list(pythons)), only_file(dist, "*.tar.gz")
    check_sdist(sdist)
    with tempfile.TemporaryDirectory(prefix="isolation-fast-dist-") as name:
        elsewhere = Path(name).resolve()
        fetch_needed(wheels[sys.version_info[:2]], elsewhere)
        print("each wheel on its Python, installed without cargo:", flush=True)
        newest = try_wheels(wheels, pythons, elsewhere)
        if sys.platform == "linux" and platform.machine() == "x86_64":
            print("the CPU level of the last, emulated:", flush=True)
            try_cpu_levels(newest, elsewhere)
        print("the sdist, built into a wheel:", flush=True)
        try_sdist(sdist, pythons[max(pythons)], elsewhere)
    for path in (*wheels.values(), sdist):
        print(f"  {path.stat().st_size / 1024:7.0f} KiB  {path.name}")
    print(f"Pythons:   wheels for CPython {', '.join(f'{major}.{minor}' for major, minor in wheels)}")
    print("           the sdist for CPython 3.10 and later, with Rust to build it")
    print(f"CPU level: {cpu_level()}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/try_dist.py DIST_FOLDER")
    try:
        main(Path(sys.argv[1]).resolve())
    except DistError as error:
        sys.exit(f"dist: {error}")
