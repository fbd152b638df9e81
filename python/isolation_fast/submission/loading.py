"""Load a submission, with the modules beside it, so that nothing of it touches the next one."""

import ast
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from isolation_fast.classic import Layout
from isolation_fast.classic.layouts import require_layout
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.submission import activation
from isolation_fast.submission.contents import Contents
from isolation_fast.submission.diagnosis import Scene, import_failure, is_interruption, syntax_failure
from isolation_fast.submission.failures import SubmissionError
from isolation_fast.submission.outline import Outline, outline_of
from isolation_fast.submission.private_modules import PrivateModules
from isolation_fast.submission.recognition import functions_in, is_custom_score, top_level
from isolation_fast.submission.sources import Source, helper_sources, located, read_source

__all__ = ["Submission", "load"]


@dataclass(frozen=True, eq=False, repr=False)
class Submission:
    """A loaded `game_agent.py`.

    `heuristics` are its functions by name, as they are; what is still a template is left out and named in
    `templates`. `players` are its classes with a `get_move`. `timeouts` are its exceptions for spent time.
    """

    outline: Outline
    module: ModuleType
    path: Path
    folder: Path
    layout: Layout
    heuristics: Mapping[str, Callable[..., Any]]
    players: Mapping[str, type]
    templates: tuple[str, ...]
    timeouts: tuple[type[BaseException], ...]
    _modules: PrivateModules

    def __repr__(self) -> str:
        counts = f"{len(self.heuristics)} heuristics, {len(self.players)} players"
        return f"<Submission {str(self.path)!r} of layout {self.layout}: {counts}>"

    def activated(self) -> AbstractContextManager[None]:
        """Its modules in `sys.modules`, its folder first on `sys.path` and the working directory there.

        Needed where it opens a file by a relative path, pickles, or imports by `importlib.import_module`.
        All is put back at the end. Threads may share it; other submissions wait for the end.
        """
        return activation.activated(self._modules)


def load(
    path: str | os.PathLike[str],
    *,
    classic: str | os.PathLike[str] | None = None,
    layout: Layout | None = None,
    players_alone: bool = False,
) -> Submission:
    """Load a submission: its file, or the folder that holds its `game_agent.py`.

    It is run, with the modules beside it; what cannot be loaded is a `SubmissionError` that says why. Its
    `isolation` and `sample_players` are ours, with `classic=` those of a checkout of the classic code. The
    layout is told from its source unless it is given. With `players_alone=True` a file that has players but
    no heuristic will do too.

    >>> from isolation_fast import Board
    >>> submission = load("examples")
    >>> submission.heuristics["custom_score"](Board("Ann", "Ben"), "Ann")
    -49.0
    """
    checkout = None if classic is None else _checkout(Path(classic))
    if layout is not None:
        layout = require_layout(layout)
    file = located(Path(path))
    folder = file.parent.absolute()
    source = read_source(file)
    helpers = list(helper_sources(source, file.parent))
    outline = outline_of(source, helpers)
    layout = layout or outline.layout
    modules = PrivateModules(folder, layout, checkout)
    contents = Contents(_imported(modules, file, folder), modules, [source, *helpers])
    submission = Submission(
        outline=outline,
        module=contents.module,
        path=folder / file.name,
        folder=folder,
        layout=layout,
        heuristics=MappingProxyType(contents.heuristics()),
        players=MappingProxyType(contents.players()),
        templates=outline.templates,
        timeouts=tuple(contents.timeouts()),
        _modules=modules,
    )
    if not submission.heuristics and not (players_alone and submission.players):
        raise _nothing_to_ask(source, outline)
    return submission


def _checkout(path: Path) -> Path:
    if not any((path / each).is_file() for each in ("isolation/__init__.py", "isolation.py")):
        raise InvalidArgumentError(
            f"{path} is no checkout of the classic code: it has no package `isolation`"
        )
    return path.absolute()


def _imported(modules: PrivateModules, file: Path, folder: Path) -> ModuleType:
    """The submission's module; whatever goes wrong in it comes out as a `SubmissionError`."""
    try:
        return modules.run(folder / file.name)
    except BaseException as error:
        scene = Scene(file, folder, modules.files)
        if is_interruption(error, scene):
            raise
        for uncompiled, path in modules.not_compiled:
            if uncompiled is error:
                raise syntax_failure(uncompiled, scene.shown(path), Path(path).read_bytes()) from error
        raise import_failure(error, scene) from error


def _nothing_to_ask(source: Source, outline: Outline) -> SubmissionError:
    unwritten = [name for name in outline.templates if "." not in name]
    if not unwritten:
        # A class, a coroutine, a generator, or a function that takes something else.
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        others = (node for node in top_level(source.tree.body) if isinstance(node, kinds))
        other = next((node for node in others if is_custom_score(node.name)), None)
        told = f": {other.name} is no function of a board and a player that returns a number" if other else ""
        return SubmissionError(
            f"it has no heuristic{told}",
            reason="no heuristics",
            path=str(source.path),
            line=None if other is None else other.lineno,
            remedy="define custom_score(game, player)",
        )
    first = next((node for node in functions_in(source.tree.body) if node.name == unwritten[0]), None)
    names = ", ".join(unwritten)
    problem = f"its heuristics are still templates that only raise NotImplementedError: {names}"
    return SubmissionError(
        problem,
        reason="only templates",
        path=str(source.path),
        line=None if first is None else first.lineno,
        remedy=f"write {unwritten[0]}",
    )
