"""Why a submission cannot be loaded: the error, how an exception becomes one, and names that are gone."""

from __future__ import annotations

import dis
import re
import sys
import traceback
from collections import abc
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Final, Literal

from isolation_fast.classic.layouts import NEVER_BESIDE
from isolation_fast.exceptions import IsolationError

Reason = Literal[
    "no such file",
    "syntax",
    "missing import",
    "outdated import",
    "exception at import",
    "no heuristics",
    "only templates",
]


class SubmissionError(IsolationError, ImportError):
    """A submission cannot be loaded. The message says where, why and what to do.

    `reason` is one of a few fixed words. `path` is the file at fault, which may be a module beside the
    submission, and `line` the line in it, None where there is none. `name` is what could not be imported,
    `replacement` what today's Python or NumPy has instead. `problem` and `remedy` are the parts of the
    message after file and line. The original exception is the `__cause__`.

    >>> from isolation_fast.submission import load
    >>> load("nowhere/game_agent.py")
    Traceback (most recent call last):
    ...
    isolation_fast.submission.failures.SubmissionError: nowhere/game_agent.py: there is no such file
    """

    def __init__(
        self,
        problem: str,
        *,
        reason: Reason,
        path: str,
        line: int | None = None,
        name: str | None = None,
        replacement: str | None = None,
        remedy: str | None = None,
    ) -> None:
        where = path if line is None else f"{path}:{line}"
        todo = "" if remedy is None else f"; {remedy}"
        super().__init__(f"{where}: {problem}{todo}", name=name, path=path)
        self.problem = problem
        self.reason: Reason = reason
        self.line = line
        self.replacement = replacement
        self.remedy = remedy

    def __reduce__(self) -> tuple[Callable[..., SubmissionError], tuple[()]]:
        named = ("reason", "path", "line", "name", "replacement", "remedy")
        return partial(SubmissionError, self.problem, **{name: getattr(self, name) for name in named}), ()


# ---- from an exception to an error

# Names of known packages for `pip install`, by their names for `import`.
_PACKAGES: Final = {
    **{name: name for name in ("joblib", "keras", "matplotlib", "networkx", "numba", "numpy", "pandas")},
    **{name: name for name in ("scipy", "seaborn", "six", "sympy", "tensorflow", "torch", "tqdm")},
    "PIL": "pillow",
    "cv2": "opencv-python",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}

_NO_NAME: Final = re.compile(r"cannot import name '(\w+)' from (partially initialized module )?'([\w.]+)'")
_NO_ATTRIBUTE: Final = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_NOT_IN_NUMPY: Final = re.compile(r"`np\.(\w+)` was removed")
_PYTHON_2: Final = re.compile(
    r"Missing parentheses in call to|multiple exception types must be parenthesized|leading zeros in decimal"
)
_TO_SEE_IT: Final = " in its folder to see the full traceback"
_TO_INSTALL: Final = ", or install the package that provides it"
_GUARD: Final = 'move what should run only as a program under `if __name__ == "__main__":`'


@dataclass(frozen=True)
class Scene:
    """Where a submission was loaded: its file as the caller named it, its folder, the files it used."""

    main: Path
    folder: Path
    files: Collection[str] = ()

    def shown(self, file: str) -> str:
        """A file as the caller would name it."""
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
        problem = "it contains null bytes, so it is not Python source"
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            problem, remedy = "it is UTF-16 text, which Python does not read", "save it as UTF-8"
    elif "codec can't decode" in what:
        problem = "it is not UTF-8 text, which Python expects"
        remedy = "save it as UTF-8, or name its encoding in the first line: # -*- coding: latin-1 -*-"
    elif isinstance(error, RecursionError | MemoryError):
        problem = "it is nested too deeply for Python to parse"
    elif "encoding" in what:
        line, problem = line or 1, what
    else:
        problem = f"Python cannot parse it: {what}"
        if _PYTHON_2.search(what):
            remedy = "it is written for Python 2: translate it to Python 3"
    return SubmissionError(problem, reason="syntax", path=file, line=line, remedy=remedy)


def import_failure(error: BaseException, scene: Scene) -> SubmissionError:
    """Why a submission that can be compiled cannot be imported."""
    steps = traceback.walk_tb(error.__traceback__)
    own = [(frame.f_code.co_filename, line) for frame, line in steps]
    file, line = next((step for step in own[::-1] if step[0] in scene.files), (str(scene.main), None))
    name, owner = _missing_name(error)
    since, replacement = OUTDATED.get(name or "", (None, None))
    reason: Reason = "missing import"
    if since is not None:
        reason = "outdated import"
        problem, remedy = f"it uses {name}, which {since} removed", f"use {replacement}"
    elif isinstance(error, ImportError) and name:
        # What can be added or installed is the top module: scipy where scipy.stats is imported.
        problem, remedy = _no_member(name, owner, error, scene) if owner else _no_module(name, scene)
    elif isinstance(error, ImportError) and "attempted relative import" in _text_of(error):
        problem = "it uses a relative import, which works only inside a package"
        remedy = "write `import helpers` instead of `from . import helpers`"
    else:
        reason, name = "exception at import", None
        problem, remedy = _raised(error, scene)
    where = scene.shown(file)
    return SubmissionError(
        problem, reason=reason, path=where, line=line, name=name, replacement=replacement, remedy=remedy
    )


def harmless_remedy(error: SubmissionError) -> str | None:
    """The remedy for people who do not trust the submission: without running it, or installing what it names.

    `pip install` stays, since it names known packages alone.
    """
    remedy = error.remedy
    if remedy is None or remedy.endswith(_TO_SEE_IT):
        return None
    return remedy.removesuffix(_TO_INSTALL)


def is_interruption(error: BaseException, scene: Scene) -> bool:
    """Whether somebody pressed Ctrl-C, and not the submission itself said `raise KeyboardInterrupt`."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return True
    code = last.tb_frame.f_code
    return code.co_filename not in scene.files or dis.opname[code.co_code[last.tb_lasti]] != "RAISE_VARARGS"


def _missing_name(error: BaseException) -> tuple[str | None, str | None]:
    """What was missing, as it would be written after a plain `import`, and the module that lacks it."""
    text = _text_of(error)
    if isinstance(error, ImportError):
        if found := _NO_NAME.search(text):
            return f"{found[3]}.{found[1]}", found[3]
        return (error.name, None) if isinstance(error, ModuleNotFoundError) else (None, None)
    if isinstance(error, AttributeError):
        if found := _NO_ATTRIBUTE.search(text):
            return f"{found[1]}.{found[2]}", found[1]
        if found := _NOT_IN_NUMPY.search(text):
            return f"numpy.{found[1]}", "numpy"
        return f"{type(error.obj).__name__}.{error.name}", None
    return (error.name, None) if isinstance(error, NameError) else (None, None)


def _no_module(name: str, scene: Scene) -> tuple[str, str]:
    top, _, rest = name.partition(".")
    if top in NEVER_BESIDE:
        return f"it imports {name}, which the course's {top} does not have", _ours(top)
    beside = scene.folder / top
    is_there = beside.is_dir() or beside.with_name(f"{top}.py").exists() or top in sys.modules
    if rest and is_there:
        return f"it imports {name}, but {top} has no such module", f"check what {top} contains"
    if top in _PACKAGES:
        return f"it imports {top}, which is not installed", f"pip install {_PACKAGES[top]}"
    problem = f"it imports {top}, which is neither in the same folder nor installed"
    others = [each.stem for each in scene.folder.glob("*.py") if each.name != scene.main.name]
    by_lower = {each.lower(): each for each in others}
    if top.lower() in by_lower:
        return problem, f"the folder has {by_lower[top.lower()]}.py: upper and lower case differ"
    for close in get_close_matches(top.lower(), by_lower, n=1, cutoff=0.85):
        return problem, f"did you mean {by_lower[close]}?"
    return problem, f"put {top}.py into the folder{_TO_INSTALL}"


def _no_member(name: str, owner: str, error: ImportError, scene: Scene) -> tuple[str, str]:
    what = name.removeprefix(f"{owner}.")
    problem = f"it imports {what} from {owner}, which has no such name"
    if "partially initialized" in _text_of(error):
        problem += " yet: the two modules import each other"
        return problem, "let one of them import the other inside a function"
    if (top := owner.partition(".")[0]) in NEVER_BESIDE:
        return problem, _ours(top)
    if error.path is not None and error.path in scene.files:
        return problem, f"define it in {scene.shown(error.path)}"
    return problem, f"check what {owner} contains"


def _text_of(error: BaseException) -> str:
    """What an exception says; nothing where even that fails, as it may with the submission's own classes."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001
        return ""


def _ours(top: str) -> str:
    return f"the folder's own {top} is not used"


def _raised(error: BaseException, scene: Scene) -> tuple[str, str]:
    if isinstance(error, SystemExit):
        code = "" if error.code is None else f" with {error.code!r}"
        return f"importing it ends the program{code}", _GUARD
    kind = type(error).__qualname__
    first_line = _text_of(error).strip().partition("\n")[0].rstrip(".")
    problem = f"importing it raises {kind}" + (f": {first_line}" if first_line else "")
    name = scene.main.stem
    tried = f"-c 'import {name}'" if name.isidentifier() else scene.main.name
    return problem, f"run python {tried}{_TO_SEE_IT}"


# ---- names that newer Pythons and packages dropped
#
# A name is written as after a plain `import`: a module, what a module had, a builtin, or a method of one.
# Only what fails is looked up, so listing a name that some Python still has does no harm.


_REPLACEMENTS: Final = {
    "Python 3": """
        Queue: queue, StringIO: io.StringIO, Tkinter: tkinter, __builtin__: builtins, basestring: str,
        cPickle: pickle, cStringIO: io, dict.has_key: in, dict.iteritems: dict.items,
        dict.iterkeys: dict.keys, dict.itervalues: dict.values, execfile: exec, itertools.ifilter: filter,
        itertools.ifilterfalse: itertools.filterfalse, itertools.imap: map, itertools.izip: zip,
        itertools.izip_longest: itertools.zip_longest, long: int, os.getcwdu: os.getcwd, raw_input: input,
        reduce: functools.reduce, reload: importlib.reload, string.join: str.join,
        string.letters: string.ascii_letters, string.lowercase: string.ascii_lowercase,
        string.maketrans: str.maketrans, string.split: str.split, string.uppercase: string.ascii_uppercase,
        sys.maxint: sys.maxsize, types.IntType: int, types.ListType: list, unicode: str,
        urllib.urlopen: urllib.request.urlopen, urllib2: urllib.request, xrange: range
    """,
    "Python 3.8": "cgi.escape: html.escape, time.clock: time.perf_counter",
    "Python 3.9": "fractions.gcd: math.gcd, sys.setcheckinterval: sys.setswitchinterval",
    "Python 3.10": ", ".join(f"collections.{name}: collections.abc.{name}" for name in abc.__all__),
    "Python 3.11": """
        inspect.formatargspec: inspect.signature, inspect.getargspec: inspect.getfullargspec
    """,
    "Python 3.12": "distutils: setuptools, imp: importlib",
    "Python 3.13": "typing.io: typing",
    "NumPy 1.18": "numpy.rank: numpy.ndim",
    "NumPy 1.23": "numpy.asscalar: numpy.ndarray.item",
    "NumPy 1.24": """
        numpy.bool: bool, numpy.complex: complex, numpy.float: float, numpy.int: int, numpy.int0: numpy.intp,
        numpy.long: int, numpy.object: object, numpy.str: str, numpy.unicode: str
    """,
    "NumPy 2.0": """
        numpy.Inf: numpy.inf, numpy.Infinity: numpy.inf, numpy.NAN: numpy.nan, numpy.NINF: -numpy.inf,
        numpy.NaN: numpy.nan, numpy.PINF: numpy.inf, numpy.alltrue: numpy.all, numpy.asfarray: numpy.asarray,
        numpy.bool8: numpy.bool, numpy.complex_: numpy.complex128, numpy.float_: numpy.float64,
        numpy.infty: numpy.inf, numpy.mat: numpy.asmatrix, numpy.product: numpy.prod,
        numpy.round_: numpy.round, numpy.row_stack: numpy.vstack, numpy.sometrue: numpy.any,
        numpy.unicode_: numpy.str_
    """,
    "NumPy 2.4": "numpy.in1d: numpy.isin, numpy.trapz: numpy.trapezoid",
    "SciPy 1.0": """
        scipy.misc: scipy.special, scipy.misc.comb: scipy.special.comb,
        scipy.misc.factorial: scipy.special.factorial, scipy.misc.logsumexp: scipy.special.logsumexp
    """,
    "scikit-learn 0.20": """
        sklearn.cross_validation: sklearn.model_selection, sklearn.grid_search: sklearn.model_selection
    """,
    "scikit-learn 0.23": "sklearn.externals.joblib: joblib",
}
"""By the version that removed them: each name and its replacement."""

OUTDATED: Final = {
    name: (since, replacement)
    for since, pairs in _REPLACEMENTS.items()
    for name, replacement in (pair.strip().split(": ") for pair in pairs.split(","))
}
"""By name: the version that removed it, and its replacement."""
