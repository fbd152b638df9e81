"""Keep true by machine what the design promises of the tree; prints what is not, and exits with 1.

- The dependency tree of the core names no pyo3.
- A room of the package imports only rooms that stand before it in `LAYERS`; none does so lazily either.
- A module of the core uses only modules of its own layer and of those before it in `RUST_LAYERS`.
- Nothing outside python/isolation_fast imports `_native`; the reference imports it neither directly nor
  through a module that it uses.
- The grader imports public modules and names of isolation_fast alone.
- The version of Cargo.toml is that of the grader, and each of the two distributions asks for it.
- Every make target, file and folder that a document names exists.
- No source file is over 500 lines, no Python function over 80.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PACKAGE_SOURCES = Path("python")
CORE = PurePosixPath("rust/core/src")
PACKAGE = PurePosixPath("python/isolation_fast")
NATIVE = "isolation_fast._native"
IMPORTING = ("import_module", "__import__")
GRADER = PurePosixPath("grader/isolation_grader")
# What uses the package as its users do: by the names in `__all__` alone.
USERS = (GRADER, PurePosixPath("benchmarks"), PurePosixPath("examples"))
VERSION = re.compile(r'^version = "([^"]+)"$', re.MULTILINE)
# Small submissions for the tests, as odd as students' are: some of them are not even Python.
SUBMISSIONS = (PurePosixPath("tests/submissions"), PurePosixPath("tests/grader/hostile"))
# Frozen records, shared so that reports compare; they name the native Board only to show the end of a game.
RECORDS = "isolation_fast.reports"
LONGEST_FILE = 500
LONGEST_FUNCTION = 80

# The rooms of the package, lowest first: a room imports what stands before it, never what stands after it.
LAYERS = (
    ("exceptions", "numbers", "text", "output", "endings"),
    ("board", "cost", "budgets", "heuristics", "compiled", "programs"),
    ("reports", "searching", "exact", "players", "games"),
    (
        "reference",
        "twins",
        "measuring",
        "counting",
        "classic",
        "submission",
        "process",
        "worker",
        "jail",
        "foreign",
        "statistics",
    ),
    ("playing", "tournament", "theory", "worked_examples", "study", "cli", "__main__"),
)
ROOMS = tuple(room for layer in LAYERS for room in layer)

# The same in the core, where a path stands for all modules below it that no other path here names.
RUST_LAYERS = (
    ("board::geometry", "board::cells"),
    ("board",),
    ("budget",),
    ("side_by_side",),
    ("program",),
    ("heuristics",),
    ("search",),
    ("exact",),
    ("play",),
)
RUST_COMMENT = re.compile(r"//.*")
# A path from the root or from the module above, and the names in braces where there are several.
RUST_PATH = re.compile(r"(?<![$\w:])((?:crate|super)(?=::)(?:::\w+)*)(?:::\{([^}]*)\})?")

KNOWN_ENDINGS = set("py pyi rs toml md txt yml yaml json jsonl csv lock sh svg".split())  # noqa: SIM905
FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH_LIKE = re.compile(r"^\.{0,2}/?[\w.*-]+(?:/[\w.*-]+)*/?$")
MAKE_CALL = re.compile(r"(?:^|[;&|`(]\s*|\$ )make((?:[ \t]+[\w./=-]+)*)")
MAKE_TARGET = re.compile(r"^([a-z][\w-]*)[ \t]*:(?!=)", re.MULTILINE)


def listed_files() -> list[PurePosixPath]:
    """Every file of the tree that git knows or would add, but for the submissions of the tests."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = (PurePosixPath(name) for name in sorted(set(names.split("\0"))) if name)
    ours = (path for path in paths if not any(map(path.is_relative_to, SUBMISSIONS)))
    return [path for path in ours if (ROOT / path).is_file()]


def core_is_pure(_files: list[PurePosixPath]) -> Iterator[str]:
    """The core knows nothing of Python."""
    command = ["cargo", "tree", "--locked", "--package", "isolation-core", "--edges", "all"]
    command += ["--target", "all", "--prefix", "none"]
    tree = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    named = sorted({line.split()[0] for line in tree.splitlines() if line.startswith("pyo3")})
    if named:
        yield f"rust/core/Cargo.toml: the dependency tree of the core names {', '.join(named)}"


def module_of(path: PurePosixPath) -> str:
    """Dotted name of a source file of the package."""
    parts = list(path.with_suffix("").relative_to(PACKAGE_SOURCES.as_posix()).parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: PurePosixPath) -> set[str]:
    """Dotted names of all that a source file imports; of `from a import b` both `a` and `a.b`.

    `isolation_fast.a` of an imported package counts too: it is the same edge. So does a name that is given to
    `import_module` or `__import__`, unless it is put together when the program runs.
    """
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))
    inside = path.is_relative_to(PACKAGE)
    package = module_of(path).split(".") if inside else []
    if inside and path.name != "__init__.py":
        package.pop()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            upwards = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*upwards, *([node.module] if node.module else [])])
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(IMPORTING):
            words = [str(word.value) for word in node.args if isinstance(word, ast.Constant)]
            found.update(f"{PACKAGE.name}{word}" if word.startswith(".") else word for word in words)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == PACKAGE.name:
            found.update([] if node.attr.startswith("__") else [f"{PACKAGE.name}.{node.attr}"])
    return found


def room_of(module: str) -> str:
    """The room that a dotted name of the package leads to, "" for the package itself."""
    return [*module.split("."), ""][1]


def imports_point_up(files: list[PurePosixPath]) -> Iterator[str]:
    """A room knows what stands before it, and nothing of what stands after it."""
    for path in files:
        room = room_of(module_of(path)) if path.suffix == ".py" and path.is_relative_to(PACKAGE) else ""
        if not room:
            continue
        if room not in ROOMS:
            yield f"{path}: `{room}` has no place in the layers of {Path(__file__).name}"
            continue
        below = ROOMS[: ROOMS.index(room) + 1]
        imported = {name for name in imported_modules(path) if name.startswith(f"{PACKAGE.name}.")}
        for name in sorted(imported):
            is_public = name.count(".") == 1 and room_of(name) not in (*ROOMS, "_native", "__version__")
            # What is served as the course's modules is the code of users.
            if is_public and not path.is_relative_to(PACKAGE / "classic" / "isolation"):
                yield f"{path}: `{name}` is there for users; import it from the room that it lives in"
        for other in sorted({room_of(name) for name in imported} & set(ROOMS) - set(below)):
            yield f"{path}: `{room}` must not import `{other}`, which stands after it"


def rust_layer(module: str) -> int | None:
    """The number of the layer that a module of the core is in, by the longest path that names it."""
    above = [module.rsplit("::", count)[0] for count in range(module.count("::") + 1)]
    places = {path: number for number, layer in enumerate(RUST_LAYERS) for path in layer}
    return next((places[path] for path in above if path in places), None)


def rust_modules_used(path: PurePosixPath, module: str) -> set[str]:
    """The full paths of what a source file of the core uses of the core, without `crate::`."""
    text = RUST_COMMENT.sub("", (ROOT / path).read_text(encoding="utf-8"))
    found: set[str] = set()
    for base, names in RUST_PATH.findall(text):
        words = base.split("::")
        upwards = words.count("super")
        within = module.split("::")[: module.count("::") + 1 - upwards] if upwards else []
        start = [*within, *words[upwards or 1 :]]
        found.update("::".join([*start, each.strip()]) for each in (names.split(",") if names else [""]))
    return {each.removesuffix("::") for each in found}


def the_core_points_up(files: list[PurePosixPath]) -> Iterator[str]:
    """Cells know no heuristics, heuristics no search, and so on; lib.rs only lists what is public."""
    for path in files:
        if path.suffix != ".rs" or not path.is_relative_to(CORE) or path == CORE / "lib.rs":
            continue
        parts = path.relative_to(CORE).with_suffix("").parts
        module = "::".join(parts[:-1] if parts[-1] == "mod" else parts)
        layer = rust_layer(module)
        if layer is None:
            yield f"{path}: `{module}` has no place in the layers of {Path(__file__).name}"
            continue
        for other in sorted(rust_modules_used(path, module)):
            used = rust_layer(other)
            if used is None:
                yield f"{path}: `crate::{other}` is there for users; use it from the module that it lives in"
            elif used > layer:
                yield f"{path}: `{module}` must not use `{other}`, which stands after it"


def only_the_package_imports_native(files: list[PurePosixPath]) -> Iterator[str]:
    """The compiled module is private to the package."""
    for path in files:
        if path.suffix != ".py" or path.is_relative_to(PACKAGE):
            continue
        if any(name == NATIVE or name.startswith(f"{NATIVE}.") for name in imported_modules(path)):
            yield f"{path}: imports {NATIVE}, which is private to {PACKAGE}"


def imports_by_name(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of each `from module import name` of isolation_fast, the name "" for `import`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in found:
            if module.partition(".")[0] == PACKAGE.name:
                yield node.lineno, module, name


def public_names(module: str) -> set[str] | None:
    """The `__all__` of the package or of a room; None for a module inside a room, and for what is private.

    The package's own names include its rooms.
    """
    place = PACKAGE_SOURCES.joinpath(*module.split("."))
    source = place / "__init__.py" if (ROOT / place).is_dir() else place.with_suffix(".py")
    if module.count(".") > 1 or "._" in module or not (ROOT / source).is_file():
        return None
    names: set[str] = set()
    for node in ast.parse((ROOT / source).read_text(encoding="utf-8"), str(source)).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
            names.update(ast.literal_eval(node.value))  # type: ignore[attr-defined] # it is an assignment
    return names | {each for each in ROOMS if module == PACKAGE.name and not each.startswith("_")}


def the_grader_uses_public_names(files: list[PurePosixPath]) -> Iterator[str]:
    """What is private may change without the knowledge of the grader, the benchmarks and the examples."""
    for path in files:
        if path.suffix != ".py" or not any(map(path.is_relative_to, USERS)):
            continue
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))
        for line, module, name in imports_by_name(tree):
            public = public_names(module)
            if public is None:
                yield f"{path}:{line}: `{module}` is no public package of {PACKAGE.name}"
            elif name and name not in public:
                yield f"{path}:{line}: `{name}` is not in the `__all__` of `{module}`"
        named = {name for _, module, name in imports_by_name(tree) if module == PACKAGE.name} & set(ROOMS)
        rooms = {each: f"{PACKAGE.name}.{each}" for each in named}
        rooms.update((f"{PACKAGE.name}.{each}", f"{PACKAGE.name}.{each}") for each in ROOMS)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in rooms:
                room = rooms[ast.unparse(node.value)]
                if node.attr not in (public_names(room) or ()):
                    yield f"{path}:{node.lineno}: `{node.attr}` is not in the `__all__` of `{room}`"


def versions_are_one(_files: list[PurePosixPath]) -> Iterator[str]:
    """The version stands in Cargo.toml; what cannot read it there repeats it."""
    found = VERSION.search((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = found[1] if found else "(none)"
    for file, text in (
        (GRADER / "__init__.py", f'__version__ = "{version}"'),
        (GRADER.parent / "pyproject.toml", f'    "isolation-fast=={version}",'),
        (PurePosixPath("pyproject.toml"), f'grader = ["isolation-grader=={version}"]'),
    ):
        if text not in (ROOT / file).read_text(encoding="utf-8").splitlines():
            yield f"{file}: no line `{text}`, and Cargo.toml has version {version}"


def reference_is_pure_python(files: list[PurePosixPath]) -> Iterator[str]:
    """The twin is an oracle only as long as nothing it uses is the engine."""
    sources = {
        module_of(path): path for path in files if path.suffix == ".py" and path.is_relative_to(PACKAGE)
    }
    imports = {module: imported_modules(path) for module, path in sources.items()}
    # The package's own __init__ imports everything; it runs first, and the twin uses nothing of it.
    waiting = [(module, module) for module in sources if module.startswith("isolation_fast.reference")]
    seen = {"isolation_fast", RECORDS}
    while waiting:
        module, way = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        for name in sorted(imports[module]):
            if name == NATIVE or name.startswith(f"{NATIVE}."):
                yield f"{sources[module]}: the reference must not use the engine ({way} imports {NATIVE})"
                break
            if name in sources:
                waiting.append((name, f"{way} -> {name}"))


def sources_are_short(files: list[PurePosixPath]) -> Iterator[str]:
    """A file is read in one sitting, a function in one view (clippy counts the Rust functions)."""
    for path in files:
        if path.suffix not in (".py", ".pyi", ".rs"):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > LONGEST_FILE:
            yield f"{path}: {lines} lines, at most {LONGEST_FILE}"
        if path.suffix == ".rs":
            continue
        for node in ast.walk(ast.parse(text, str(path))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno:
                length = node.end_lineno - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    where = f"{path}:{node.lineno}: `{node.name}`"
                    yield f"{where} has {length} lines, at most {LONGEST_FUNCTION}"


def code_of(text: str) -> tuple[list[str], list[str]]:
    """The code spans of a Markdown text outside its fenced blocks, and the lines inside them."""
    spans: list[str] = []
    fenced: list[str] = []
    for number, part in enumerate(FENCE.split(text)):
        if number % 2:
            fenced += part.splitlines()[1:]
        else:
            spans += CODE_SPAN.findall(part)
    return spans, fenced


def missing_targets(code: list[str], targets: set[str]) -> Iterator[str]:
    """Targets of `make` calls that the Makefile does not have."""
    for line in code:
        for words in MAKE_CALL.findall(line.strip().partition(" #")[0]):
            for word in words.split():
                if "=" not in word and not word.startswith("-") and word not in targets:
                    yield f"make {word}"


def named_paths(spans: list[str], fenced: list[str], top: set[str]) -> Iterator[str]:
    """What is meant as a path of this tree: it begins with a folder of it, or ends as its files do."""
    words = [*spans, *(word.strip("'\",;:()") for line in fenced for word in line.split())]
    for number, word in enumerate(words):
        if not PATH_LIKE.match(word):
            continue
        first, slash, _ = word.removeprefix("./").partition("/")
        ending = word.rpartition(".")[2]
        in_tree = bool(slash) and first in top
        # In a fenced block a bare file name is usually one that the reader is to write.
        like_a_file = number < len(spans) and ending in KNOWN_ENDINGS and "." in word.strip(".")
        if in_tree or like_a_file:
            yield word


def path_exists(word: str, document: PurePosixPath, everything: set[str]) -> bool:
    """Whether `word` names a file, a folder or a pattern of them, or the tail of a file's path."""
    wanted = word.removeprefix("./").rstrip("/")
    for folder in (ROOT, (ROOT / document).parent):
        if (folder / wanted).exists() or ("*" in wanted and any(folder.glob(wanted))):
            return True
    if any(name == wanted or name.endswith(f"/{wanted}") for name in everything):
        return True
    ignored = subprocess.run(["git", "check-ignore", "--quiet", wanted], cwd=ROOT, check=False)
    built = subprocess.run(["git", "check-ignore", "--quiet", f"{wanted}/"], cwd=ROOT, check=False)
    return 0 in (ignored.returncode, built.returncode)


def documents_name_what_exists(files: list[PurePosixPath]) -> Iterator[str]:
    """A document's make targets, files and links are there."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(MAKE_TARGET.findall(makefile))
    top = {path.parts[0] for path in files if len(path.parts) > 1}
    everything = {str(name) for path in files for name in (path, *path.parents)}
    for document in files:
        if document.suffix != ".md":
            continue
        text = (ROOT / document).read_text(encoding="utf-8")
        spans, fenced = code_of(text)
        for call in missing_targets([*spans, *fenced], targets):
            yield f"{document}: `{call}` is no target of the Makefile"
        for word in sorted(set(named_paths(spans, fenced, top))):
            if not path_exists(word, document, everything):
                yield f"{document}: `{word}` does not exist"
        for link in LINK.findall(text):
            local = link.partition("#")[0]
            if local and "://" not in local and not (ROOT / document).parent.joinpath(local).exists():
                yield f"{document}: the link to {link} leads nowhere"


CHECKS: list[Callable[[list[PurePosixPath]], Iterator[str]]] = [
    core_is_pure,
    imports_point_up,
    the_core_points_up,
    only_the_package_imports_native,
    the_grader_uses_public_names,
    versions_are_one,
    reference_is_pure_python,
    sources_are_short,
    documents_name_what_exists,
]


def main() -> int:
    """Run every check; 1 if one of them found something."""
    files = listed_files()
    found = 0
    for check in CHECKS:
        for problem in check(files):
            print(problem, file=sys.stderr)
            found += 1
    print(f"check_tree: {len(files)} files, {len(CHECKS)} checks, {found} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
