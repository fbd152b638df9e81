"""The copy of a submission that its process sees, and nothing that links lead to.

A file that is called `game_agent.py` comes with its folder, as it was handed in; of a folder of very many
files with what it imports, and some more. A file of another name may lie among those of others, and among
results and tests: it comes alone, with the modules that it imports.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail.folders import LINK, Handed, OnDisk, reason, remove_folder
from isolation_fast.jail.intake import Taking
from isolation_fast.submission.sources import FILE_NAME, MOST_BYTES, NotCopiedError, digest_of
from isolation_fast.worker.policy import NOBODY

# What cannot be imported any more once its process is locked, since it is machine code from a file.
PRELOADED: Final = rb"(?:numpy|scipy|sklearn)"
DOTTED: Final = re.compile(rb"\b(%s(?:\.[a-z]\w*)*)" % PRELOADED)
FROM: Final = re.compile(rb"\bfrom\s+(%s(?:\.[a-z]\w*)*)\s+import\s+\(?([\w\s,]+)" % PRELOADED)
# Packages' own tests and commands do something when they are imported.
NEVER: Final = re.compile(r"(?:^|\.)(?:_|test|conftest|setup|f2py|distutils)")
# For everybody, where the usual place is one that only root may enter.
COMMON_PLACES: Final = ("/tmp", "/var/tmp")
# A module with one of these is a submission itself, and no helper of another one.
SUBMITTED: Final = re.compile(rb"\bcustom_score|\bdef\s+get_move\b")
TESTS: Final = re.compile(r"(?:tests?|test_.*|.*_test|conftest)(?:\.py)?")
IMPORTS: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t](.{1,1000})", re.MULTILINE)
MOST_HELPERS: Final = 200
MOST_BESIDE: Final = 256
"""Files that a process sees besides the modules that its submission imports: each has a copy."""
MOST_MODULES: Final = 40
MOST_FOUND: Final = 10_000
MOST_WORDS: Final = 1_000
"""Behind the imports of one file, whether or not they are in a string."""
MOST_TEXT: Final = 8 * 2**20
"""Bytes of all files together that are looked at for the names of modules."""
MOST_KNOWN: Final = 256
LONGEST_LINE: Final = 1_000
LONGEST_NAME: Final = 80


_known: Final[dict[bytes, tuple[str, ...]]] = {}
"""The modules that texts name, by the digest of these texts."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Where it is, and the modules to import before the process is locked."""

    folder: Path
    file: Path
    modules: tuple[str, ...]


Interrupted: TypeAlias = Callable[[], bool] | None
"""Asked before each file is copied; where it says yes, a `KeyboardInterrupt` is raised."""


@contextmanager
def private_copy(file: Path, digest: str | None = None, interrupted: Interrupted = None) -> Iterator[Copy]:
    """A copy of a submission, there as long as the context; a `NotCopiedError` where that cannot be.

    Where we are root, only root and the user without rights can read it.
    """
    is_root = os.geteuid() == 0
    place = new_folder(for_nobody=is_root)
    try:
        folder = place / "submission"
        copy_submission(file, folder, interrupted)
        copied = folder / file.name
        if digest is not None and digest != (digest_of(copied) if copied.exists() else None):
            raise InvalidArgumentError(f"{file} has changed since it was looked at")
        if is_root:
            give_to_nobody(place)
        yield Copy(folder, copied, modules_named(folder))
    finally:
        remove_folder(place)


def copy_submission(file: Path, target: Path, interrupted: Interrupted = None) -> None:
    """Copy to a folder what the process of a submission may see of its own."""
    target.mkdir()
    Taking(target, keeps_names=True).take(_until(interrupted, _files(file)))


def content_digest(file: Path, interrupted: Interrupted = None) -> str:
    """SHA-256 of all that the process of a submission sees of it; a `NotCopiedError` where that cannot be."""
    digest = sha256(os.fsencode(file.name))
    for name, _, content in sorted(_until(interrupted, _files(file)), key=lambda each: each[0]):
        # Each part by its own digest: none can pass for the end of the one before.
        of_content = sha256()
        for part in () if isinstance(content, str) else content:
            of_content.update(part)
        digest.update(sha256(os.fsencode(name)).digest())
        digest.update(of_content.digest())
    return digest.hexdigest()


def files_seen(file: Path) -> Iterator[Path]:
    """The files that the process of a submission sees of it, the submission's own first."""
    yield from (file.parent / name for name, _, content in _files(file) if not isinstance(content, str))


def _until(interrupted: Interrupted, files: Iterable[Handed]) -> Iterator[Handed]:
    for each in files:
        if interrupted is not None and interrupted():
            raise KeyboardInterrupt
        yield each


def _files(file: Path) -> Iterator[Handed]:
    """What a submission may see of its own: the file, what it imports, and what else its folder has."""
    try:
        folder = file.parent.resolve()
    except (OSError, RuntimeError) as error:
        raise NotCopiedError(f"{file.name} cannot be read: {reason(error)}") from error
    if (folder / file.name).is_symlink():
        raise NotCopiedError(f"{file.name} {LINK}")
    names = _of_folder(folder) if file.name == FILE_NAME else _file_and_helpers(folder / file.name)
    for name in names:
        yield from OnDisk(folder / name).files(name)


def _of_folder(folder: Path) -> list[str]:
    """The names of the files there; of very many those that it imports, and so many others."""
    names = [name for name, _, content in OnDisk(folder).files("") if not isinstance(content, str)]
    names.sort(key=lambda each: (each != FILE_NAME, each.count("/"), each))
    if len(names) <= MOST_BESIDE:
        return names
    modules: dict[str, list[str]] = {}
    for each in names:
        if each.endswith(".py"):
            modules.setdefault(each.partition("/")[0].removesuffix(".py"), []).append(each)
    wanted, waiting = {FILE_NAME: None}, [FILE_NAME]
    while waiting and len(wanted) < MOST_HELPERS:
        for word in _words_imported(folder / waiting.pop()):
            new = [each for each in modules.get(word, ()) if each not in wanted]
            wanted.update(dict.fromkeys(new))
            waiting += new
    others = (each for each in names if each not in wanted)
    return [*wanted, *islice(others, MOST_BESIDE)]


def _file_and_helpers(file: Path) -> list[str]:
    """A file and the modules beside it that it imports, as far as its text tells: nothing is parsed."""
    source = file.parent
    if not file.is_file():
        return []  # loading it will say so
    if file.stat().st_size > MOST_BYTES:
        raise NotCopiedError(f"{file.name} has more than {MOST_BYTES:,} bytes, which are not parsed")
    wanted, waiting = {file: None}, [file]
    while waiting and len(wanted) < MOST_HELPERS:
        for module in _modules_beside(waiting.pop(), source):
            if module not in wanted and _is_helper(module, source):
                wanted[module] = None
                waiting.append(module)
    return [each.relative_to(source).as_posix() for each in wanted]


def _modules_beside(file: Path, folder: Path) -> Iterator[Path]:
    """The files of the modules and packages in a folder that the import lines of a file may mean."""
    for word in _words_imported(file):
        yield folder / f"{word}.py"
        if (folder / word / "__init__.py").is_file():
            yield from sorted((folder / word).glob("*.py"))


def _words_imported(file: Path) -> list[str]:
    """The words after `import` and `from` in a file, wherever these stand."""
    lines = (line[1] for line in IMPORTS.finditer(_text_of(file)))
    words = (word[0].decode("latin-1") for line in lines for word in re.finditer(rb"\w+", line))
    return sorted(set(islice((each for each in words if len(each) <= LONGEST_NAME), MOST_WORDS)))


def _text_of(file: Path) -> bytes:
    """What is looked at of a file's text; nothing of what is no file, or longer than what is ever parsed."""
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > MOST_BYTES:
            return b""
        return file.read_bytes()
    except OSError:
        return b""


def _is_helper(path: Path, folder: Path) -> bool:
    """Whether a module beside a submission can be its own: no link, no test and no other submission."""
    if not path.is_file() or path.resolve() != path or path.name == FILE_NAME:
        return False
    parts = path.relative_to(folder).parts
    return not SUBMITTED.search(_text_of(path)) and not any(TESTS.fullmatch(part) for part in parts)


def modules_named(folder: Path) -> tuple[str, ...]:
    """The modules of numpy, scipy and sklearn that stand in the Python files of a folder.

    The text is searched and not parsed: a parser can be brought down by what it is given. Searching may take
    a second, and each chunk of games has a process: it is done once for the same texts.
    """
    texts = list(_texts_of(folder))
    digest = sha256(b"".join(sha256(each).digest() for each in texts)).digest()
    found = _known.get(digest)
    if found is None:
        found = _modules_in(texts)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[digest] = found
    return found


def _texts_of(folder: Path) -> Iterator[bytes]:
    """What is looked at of a folder's Python files, the submission's own first."""
    left = MOST_TEXT
    for path in sorted(folder.rglob("*.py"), key=lambda each: (each.parent != folder, each)):
        content = _text_of(path)
        if (left := left - len(content)) < 0:
            break
        yield content


def _modules_in(texts: Iterable[bytes]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for content in texts:
        # Lines of a length that nobody writes are left out: they are there to be searched for long.
        lines = [each for each in content.splitlines() if len(each) <= LONGEST_LINE]
        text = b"\n".join(lines)
        for name in DOTTED.findall(text):
            found[name.decode()] = None
        for package, names in FROM.findall(text):
            for name in re.findall(rb"\b[a-z]\w*", names):
                found[f"{package.decode()}.{name.decode()}"] = None
        if len(found) > MOST_FOUND:
            break
    fitting = [name for name in found if len(name) <= LONGEST_NAME and not NEVER.search(name)]
    return tuple(fitting[:MOST_MODULES])


def new_folder(*, for_nobody: bool) -> Path:
    """A new folder among the temporary files; where it is for the user without rights, one to come to."""
    usual = tempfile.gettempdir()
    places = (usual, *COMMON_PLACES) if for_nobody else (usual,)
    place = next((each for each in places if _is_passable(Path(each).resolve())), usual)
    return Path(tempfile.mkdtemp(prefix="isolation-fast-", dir=place)).resolve()


def _is_passable(place: Path) -> bool:
    """Whether everybody may go through a folder and all above it."""
    return all(each.is_dir() and each.stat().st_mode & stat.S_IXOTH for each in (place, *place.parents))


def give_to_nobody(place: Path) -> None:
    """Let a process that is root no longer read a folder and all below it, and nobody else.

    A container may have a root that may not give files to others: there everybody can read them.
    """
    for folder, _, files in os.walk(place):
        for path, mode in [(folder, 0o750), *((os.path.join(folder, each), 0o640) for each in files)]:  # noqa: PTH118
            for_group = _is_given(path)
            Path(path).chmod(mode if for_group else mode | mode >> 3 & 0o007)


def _is_given(path: str) -> bool:
    try:
        os.chown(path, -1, NOBODY)
    except OSError as error:
        # In a container of one user nobody's number stands for none.
        if error.errno not in (errno.EPERM, errno.EINVAL):
            raise
        return False
    return True
