"""From an exception to the reason why a submission cannot be loaded: where it arose, and what can be done."""

import dis
import re
import sys
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType

from isolation_fast.submission.failures import Reason, SubmissionError
from isolation_fast.submission.outdated import outdated

__all__ = ["Scene", "harmless_remedy", "import_failure", "is_interruption", "syntax_failure"]

# Where `pip install` knows a package by another name than `import`.
_PACKAGES = {
    "PIL": "pillow",
    "cv2": "opencv-python",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    **{name: name for name in ("joblib", "keras", "matplotlib", "networkx", "numba", "numpy", "pandas")},
    **{name: name for name in ("scipy", "seaborn", "six", "sympy", "tensorflow", "torch", "tqdm")},
}

_NO_NAME = re.compile(r"cannot import name '(\w+)' from (partially initialized module )?'([\w.]+)'")
_NO_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_NOT_IN_NUMPY = re.compile(r"`np\.(\w+)` was removed")
_PYTHON_2 = re.compile(
    r"Missing parentheses in call to|multiple exception types must be parenthesized|leading zeros in decimal"
)
_TO_RUN = " in its folder shows all of it"
_TO_INSTALL = ", or install the package that has it"
_GUARD = 'put what is to run only when it is started behind `if __name__ == "__main__":`'


@dataclass(frozen=True)
class Scene:
    """Where a submission was loaded: its file as people named it, its folder, and all files that it used."""

    main: Path
    folder: Path
    files: Collection[str] = ()

    def shown(self, file: str) -> str:
        """A file as people named it."""
        path = Path(file)
        if path.is_absolute() and path.is_relative_to(self.folder):
            return str(self.main.parent / path.relative_to(self.folder))
        return file


def syntax_failure(error: Exception, file: str, content: bytes) -> SubmissionError:
    """Why a file cannot be compiled."""
    line, remedy = getattr(error, "lineno", None) or None, None
    what = getattr(error, "msg", None) or str(error)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        problem = "it holds null bytes, so it is no Python source"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            problem, remedy = "it is UTF-16 text, which Python does not read", "save it as UTF-8"
    elif "codec can't decode" in what:
        problem = "it is not UTF-8 text, which Python takes it for"
        remedy = "save it as UTF-8, or name its encoding in the first line: # -*- coding: latin-1 -*-"
    elif isinstance(error, RecursionError | MemoryError):
        problem = "it is nested too deeply for Python to read it"
    elif "encoding" in what:
        line, problem = line or 1, what
    else:
        problem = f"Python cannot read it: {what}"
        if _PYTHON_2.search(what):
            remedy = "it is written for Python 2: translate it to Python 3"
    return SubmissionError(problem, reason="syntax", path=file, line=line, remedy=remedy)


def import_failure(error: BaseException, scene: Scene) -> SubmissionError:
    """Why a submission that can be compiled cannot be imported."""
    file, line = _origin(error, scene)
    where = _Where(scene, scene.shown(file), line)
    name, owner = _missing_name(error)
    gone = name and outdated(name)
    if gone:
        return where.failure(
            "outdated import",
            f"it needs {name}, which is gone since {gone.since}",
            name=name,
            replacement=gone.replacement,
            remedy=f"use {gone.replacement}",
        )
    if isinstance(error, ImportError):
        if name and owner:
            return where.failure("missing import", *_no_such_member(name, owner, error, scene), name=name)
        if name:
            # Missing is the module that can be put there or installed: scipy where scipy.stats is wanted.
            return where.failure("missing import", *_no_such_module(name, scene), name=name)
        if "attempted relative import" in _text_of(error):
            problem = "it imports with a leading dot, which works in packages only"
            return where.failure(
                "missing import", problem, "write `import helpers` for `from . import helpers`"
            )
    return where.failure("exception at import", *_raised(error, scene))


def harmless_remedy(error: SubmissionError) -> str | None:
    """What those can do who do not trust the submission: neither run it nor install what it names.

    What `pip install` is said of is a known package.
    """
    remedy = error.remedy
    if remedy is None or remedy.endswith(_TO_RUN):
        return None
    return remedy.removesuffix(_TO_INSTALL)


def is_interruption(error: BaseException, scene: Scene) -> bool:
    """Whether somebody pressed Ctrl-C; not, where the submission itself says `raise KeyboardInterrupt`."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return not (last is not None and _file_of(last) in scene.files and _raises(last))


@dataclass(frozen=True)
class _Where:
    scene: Scene
    path: str
    line: int | None

    def failure(
        self,
        reason: Reason,
        problem: str,
        remedy: str | None = None,
        name: str | None = None,
        replacement: str | None = None,
    ) -> SubmissionError:
        return SubmissionError(
            problem,
            reason=reason,
            path=self.path,
            line=self.line,
            name=name,
            replacement=replacement,
            remedy=remedy,
        )


def _origin(error: BaseException, scene: Scene) -> tuple[str, int | None]:
    """The submission's own line that was running last."""
    found: tuple[str, int | None] = str(scene.main), None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in scene.files:
            found = frame.f_code.co_filename, line
    return found


def _file_of(step: TracebackType) -> str:
    return step.tb_frame.f_code.co_filename


def _raises(step: TracebackType) -> bool:
    instruction = step.tb_frame.f_code.co_code[step.tb_lasti]
    return dis.opname[instruction] == "RAISE_VARARGS"


def _missing_name(error: BaseException) -> tuple[str | None, str | None]:
    """What was not there, as it would be written behind a plain `import`, and the module that lacks it."""
    text = _text_of(error)
    if isinstance(error, ImportError):
        found = _NO_NAME.search(text)
        if found:
            return f"{found[3]}.{found[1]}", found[3]
        return (error.name, None) if isinstance(error, ModuleNotFoundError) else (None, None)
    if isinstance(error, AttributeError):
        found = _NO_ATTRIBUTE.search(text)
        if found:
            return f"{found[1]}.{found[2]}", found[1]
        found = _NOT_IN_NUMPY.search(text)
        if found:
            return f"numpy.{found[1]}", "numpy"
        return f"{type(error.obj).__name__}.{error.name}", None
    return (error.name, None) if isinstance(error, NameError) else (None, None)


def _no_such_module(name: str, scene: Scene) -> tuple[str, str]:
    top, _, rest = name.partition(".")
    if top in ("isolation", "sample_players"):
        return f"it imports {name}, which the course's {top} does not have", _ours(top)
    if rest and _is_there(top, scene):
        return f"it imports {name}, but {top} has no such module", f"look at what {top} holds"
    if top in _PACKAGES:
        return f"it imports {top}, which is not installed here", f"pip install {_PACKAGES[top]}"
    problem = f"it imports {top}, which is neither beside it nor installed here"
    beside = {
        each.stem.lower(): each.stem for each in scene.folder.glob("*.py") if each.name != scene.main.name
    }
    if top.lower() in beside:
        return problem, f"the file beside it is {beside[top.lower()]}.py: capital and small letters differ"
    close = get_close_matches(top.lower(), beside, n=1, cutoff=0.85)
    if close:
        return problem, f"did you mean {beside[close[0]]}?"
    return problem, f"put {top}.py beside it{_TO_INSTALL}"


def _no_such_member(name: str, owner: str, error: ImportError, scene: Scene) -> tuple[str, str]:
    what = name.removeprefix(f"{owner}.")
    problem = f"it imports {what} from {owner}, which has no such name"
    if "partially initialized" in _text_of(error):
        return (
            f"{problem} yet: the two import each other",
            "let one of them import the other inside a function",
        )
    if owner.partition(".")[0] in ("isolation", "sample_players"):
        return problem, _ours(owner.partition(".")[0])
    if error.path is not None and error.path in scene.files:
        return problem, f"define it in {scene.shown(error.path)}"
    return problem, f"look at what {owner} holds"


def _text_of(error: BaseException) -> str:
    """What an exception says; nothing, where that fails too, as it may with the submission's own classes."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001
        return ""


def _is_there(top: str, scene: Scene) -> bool:
    beside = scene.folder / top
    return beside.is_dir() or beside.with_name(f"{top}.py").exists() or top in sys.modules


def _ours(top: str) -> str:
    return f"the folder's own {top} is not used"


def _raised(error: BaseException, scene: Scene) -> tuple[str, str]:
    if isinstance(error, SystemExit):
        code = "" if error.code is None else f" with {error.code!r}"
        return f"it ends the program{code} while it is imported", _GUARD
    kind = type(error).__qualname__
    first_line = _text_of(error).strip().partition("\n")[0].rstrip(".")
    told = f": {first_line}" if first_line else ""
    name = scene.main.stem
    tried = f"-c 'import {name}'" if name.isidentifier() else scene.main.name
    remedy = f"python {tried}{_TO_RUN}"
    return f"it raises {kind}{told} while it is imported", remedy
