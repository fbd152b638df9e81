"""Try what `make dist` built: install it as a stranger would, and say what it supports.

Usage: python tools/try_dist.py DIST_FOLDER

There is a wheel for each Python that `tools/pythons.py` finds, and one of the grader for all. What they need
of other packages is fetched first. Then each is installed without network and without cargo on the PATH, in a
fresh environment of its Python, with the grader by the extra that brings it; the sdists are built into wheels
once. Each runs `tools/smoke.py` from elsewhere, and the grader probes the submission among the examples. On
x86-64 Linux one wheel is imported under an emulated CPU below its level, where it has to refuse in words, and
at it.
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
from collections.abc import Sequence
from pathlib import Path

from pythons import Version, find_pythons

ROOT = Path(__file__).resolve().parents[1]
SMOKE = ROOT / "tools" / "smoke.py"
EXAMPLE = ROOT / "examples" / "game_agent.py"
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
    "rust/jit/Cargo.toml",
    "rust/py/Cargo.toml",
)
PAGE = "isolation_grader/showing/templates"
IN_GRADER_WHEEL = (
    "isolation_grader/__init__.py",
    *(f"isolation_grader/autograder/{name}" for name in ("setup.sh", "run_autograder", "Dockerfile")),
    "isolation_grader/baselines.json",
    *(f"isolation_grader/classes/{name}" for name in ("rubric.toml", "template.txt")),
    "isolation_grader/py.typed",
    *(f"{PAGE}/{name}" for name in ("page.html.jinja", "style.css", "replay.js")),
)
IN_GRADER_SDIST = ("LICENSE", "README.md", "pyproject.toml", *IN_GRADER_WHEEL)
GRADER_WHEEL, GRADER_SDIST = "isolation_grader-*-py3-none-any.whl", "isolation_grader-*.tar.gz"
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
    strangers = set(dist.glob("*.whl")) - set(wheels.values()) - {only_file(dist, GRADER_WHEEL)}
    if strangers:
        raise DistError(f"{dist} also holds {', '.join(sorted(path.name for path in strangers))}")
    return wheels


def require_names(archive: Path, inside: Sequence[str], wanted: Sequence[str]) -> None:
    """That an archive holds what it should."""
    missing = [name for name in wanted if name not in inside]
    if missing:
        raise DistError(f"{archive.name} lacks {', '.join(missing)}")


def names_in_wheel(wheel: Path) -> list[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def names_in_sdist(sdist: Path) -> list[str]:
    """The files of an sdist, without the folder that holds them all."""
    with tarfile.open(sdist) as source:
        return [name.partition("/")[2] for name in source.getnames()]


def check_wheel(wheel: Path) -> None:
    """The wheel holds what it should, and no library is left over from another build."""
    names = names_in_wheel(wheel)
    require_names(wheel, names, IN_WHEEL)
    libraries = [name for name in names if name.endswith((".so", ".pyd", ".dylib"))]
    if len(libraries) != 1:
        raise DistError(f"{wheel.name} should hold one library, and holds {libraries}")
    if sys.platform == "linux" and "manylinux" not in wheel.name:
        raise DistError(f"{wheel.name} carries no manylinux tag")


def check_sdist(sdist: Path) -> None:
    """The sdist holds what a build needs, and nothing built."""
    inside = names_in_sdist(sdist)
    require_names(sdist, inside, IN_SDIST)
    built = [name for name in inside if name.endswith((".so", ".pyd"))]
    if built:
        raise DistError(f"{sdist.name} holds built files: {', '.join(built)}")


def check_grader(dist: Path) -> None:
    """The grader's wheel and sdist hold what they should, and of the engine nothing."""
    wheel, sdist = only_file(dist, GRADER_WHEEL), only_file(dist, GRADER_SDIST)
    for archive, inside, wanted in (
        (wheel, names_in_wheel(wheel), IN_GRADER_WHEEL),
        (sdist, names_in_sdist(sdist), IN_GRADER_SDIST),
    ):
        require_names(archive, inside, wanted)
        strangers = [name for name in inside if name.startswith("isolation_fast/")]
        if strangers:
            raise DistError(f"{archive.name} also holds {', '.join(strangers)}")


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


def fetch_needed(wheels: dict[Version, Path], pythons: dict[Version, Path], elsewhere: Path) -> None:
    """Fetch the other packages that the wheels name with the grader, those that only one Python needs too."""
    options: list[str | Path] = ["--quiet", "--only-binary", ":all:", "--find-links", elsewhere / NEEDED]
    for version, wheel in wheels.items():
        # Conditions such as `python_version < "3.11"` are judged by the Python that runs pip.
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", pythons[version]]
        run([*pip, "download", *options, "--dest", elsewhere / NEEDED, f"{wheel}[grader]"], cwd=elsewhere)


def install(interpreter: Path, what: str | Path, elsewhere: Path) -> None:
    """Install a wheel and what was fetched for it, without network."""
    pip: list[str | Path] = [interpreter, "-m", "pip", "install", "--quiet", "--no-index"]
    run([*pip, "--find-links", elsewhere / NEEDED, what], cwd=elsewhere, env=stranger(interpreter))


def smoke(interpreter: Path, elsewhere: Path) -> None:
    """Run the smoke script isolated from the source tree and from the user's own packages."""
    print(
        "  " + run([interpreter, "-I", SMOKE], cwd=elsewhere, env=stranger(interpreter)).strip(), flush=True
    )


def probe(interpreter: Path, elsewhere: Path) -> None:
    """Let the installed grader say its version, and probe a submission that behaves."""
    command = interpreter.parent / ("isolation-grade.exe" if os.name == "nt" else "isolation-grade")
    env = stranger(interpreter)
    version = run([command, "--version"], cwd=elsewhere, env=env).strip()
    # It ends with 0 only if each member has played, and as it should.
    said = run([command, "probe", EXAMPLE, "--games", "2"], cwd=elsewhere, env=env)
    # The page is imported where it is asked for, and needs a package more than all else.
    run([interpreter, "-I", "-c", "import isolation_grader.showing.html"], cwd=elsewhere, env=env)
    sandbox = [line for line in said.splitlines() if line.startswith("sandbox: ")]
    print(f"  {version} probes {EXAMPLE.relative_to(ROOT)}, {''.join(sandbox)}", flush=True)


def try_wheels(wheels: dict[Version, Path], pythons: dict[Version, Path], elsewhere: Path) -> Path:
    """Install and try each wheel on its Python; gives the interpreter of the newest."""
    interpreter = Path()
    for (major, minor), wheel in wheels.items():
        check_wheel(wheel)
        interpreter = fresh_environment(pythons[major, minor], elsewhere / f"wheel-{major}.{minor}")
        install(interpreter, f"{wheel}[grader]", elsewhere)
        smoke(interpreter, elsewhere)
        probe(interpreter, elsewhere)
    return interpreter


def try_sdists(sdist: Path, grader: Path, python: Path, elsewhere: Path) -> None:
    """Build wheels from the sdists alone, with cargo, and try them."""
    interpreter = fresh_environment(python, elsewhere / "sdist")
    built = elsewhere / "built"
    # The libraries it depends on are compiled once, not at each `make dist`.
    env = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "sdist")}
    for name in ("PYO3_PYTHON", "VIRTUAL_ENV"):
        env.pop(name, None)
    run(
        [interpreter, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", built, sdist, grader],
        cwd=elsewhere,
        env=env,
    )
    for wheel in (only_file(built, "isolation_fast-*.whl"), only_file(built, GRADER_WHEEL)):
        install(interpreter, wheel, elsewhere)
    smoke(interpreter, elsewhere)
    probe(interpreter, elsewhere)


def try_cpu_levels(interpreter: Path, elsewhere: Path) -> None:
    """Import under emulated CPUs: an ImportError in words below the level, no error at it."""
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        print("  the CPU level was not tried: there is no qemu-x86_64 (hint: apt-get install qemu-user)")
        return
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
    wheels, sdist = wheel_of_each(dist, list(pythons)), only_file(dist, "isolation_fast-*.tar.gz")
    grader, grader_sdist = only_file(dist, GRADER_WHEEL), only_file(dist, GRADER_SDIST)
    check_sdist(sdist)
    check_grader(dist)
    with tempfile.TemporaryDirectory(prefix="isolation-fast-dist-") as name:
        elsewhere = Path(name).resolve()
        # Where we are root, a jailed process is nobody, who has to come to its Python.
        elsewhere.chmod(0o755)
        (elsewhere / NEEDED).mkdir()
        shutil.copy(grader, elsewhere / NEEDED)
        fetch_needed(wheels, pythons, elsewhere)
        print("each wheel on its Python, with the grader, installed without cargo:", flush=True)
        newest = try_wheels(wheels, pythons, elsewhere)
        if sys.platform == "linux" and platform.machine() == "x86_64":
            print("the CPU level of the last, emulated:", flush=True)
            try_cpu_levels(newest, elsewhere)
        print("the sdists, built into wheels:", flush=True)
        try_sdists(sdist, grader_sdist, pythons[max(pythons)], elsewhere)
    for path in (*wheels.values(), sdist, grader, grader_sdist):
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
