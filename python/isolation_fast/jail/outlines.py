"""What the source of a submission says that it holds, as a jailed process sends it that has parsed it.

It goes as a LOADED frame: whoever asks knows which of the two was asked for. Names that are too many or too
long are left out; what is no outline is a `FrameError`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, cast, get_args

from isolation_fast.classic.layouts import EARLY_NAMES, Layout
from isolation_fast.jail.fields import (
    MOST_NAME,
    MOST_NAMES,
    exact_object,
    is_shown,
    shown_text,
    texts,
    typed_or_none,
)
from isolation_fast.jail.frames import FrameError, Kind
from isolation_fast.submission import Outline, SubmissionError

__all__ = ["OutlineAsked", "Outlined"]

LAYOUTS: Final[tuple[Layout, ...]] = get_args(Layout)
MOST_BOUND: Final = 256
"""Names that a module binds: with the other lists they fit into a frame whatever they are."""
MOST_TOLD: Final = 2048
"""Bytes of what is wrong with a file, and of what can be done."""
MOST_LINES: Final = 2**31
LISTS: Final = {
    "heuristics": MOST_NAMES,
    "players": MOST_NAMES,
    "templates": MOST_NAMES,
    "imports": MOST_NAMES,
    "early_names": MOST_NAMES,
    "bound": MOST_BOUND,
}


@dataclass(frozen=True, slots=True)
class OutlineAsked:
    """Parse the submission, and run nothing of it."""

    kind: ClassVar = Kind.OUTLINE

    def content(self) -> bytes:
        """As it is sent."""
        return b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlined:
    """An outline, or what Python says against the file: then there is a `problem`, and no layout."""

    kind: ClassVar = Kind.LOADED

    layout: Layout | None = None
    heuristics: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    early_names: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    problem: str | None = None
    line: int | None = None
    remedy: str | None = None

    @staticmethod
    def told(outline: Outline) -> Outlined:
        """That of an outline."""
        lists: dict[str, Any] = {name: _fitting(getattr(outline, name), most) for name, most in LISTS.items()}
        return Outlined(layout=outline.layout, **lists)

    @staticmethod
    def refused(error: SubmissionError) -> Outlined:
        """That of a file that Python does not read."""
        remedy = None if error.remedy is None else _one_line(error.remedy)
        return Outlined(problem=_one_line(error.problem), line=error.line, remedy=remedy)

    def of_file(self, file: Path) -> Outline:
        """The outline, of the file that was copied for the process; or the error."""
        if self.problem is not None or self.layout is None:
            raise SubmissionError(
                self.problem or "nothing is known of it",
                reason="syntax",
                path=str(file),
                line=self.line,
                remedy=self.remedy,
            )
        lists: dict[str, Any] = {name: getattr(self, name) for name in LISTS}
        return Outline(path=file, layout=self.layout, **lists)

    def content(self) -> bytes:
        """As it is sent. Names are text as it is: escapes would make them longer than a frame."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode()

    @staticmethod
    def of(content: bytes) -> Outlined:
        """As it came."""
        held = exact_object(content, Outlined)
        lists: dict[str, Any] = {name: _checked_names(held, name, most) for name, most in LISTS.items()}
        if not EARLY_NAMES.issuperset(lists["early_names"]):
            raise FrameError("early_names are those of the first boards")
        problem, remedy = (typed_or_none(held, name, str) for name in ("problem", "remedy"))
        if not all(each is None or is_shown(each, MOST_TOLD) for each in (problem, remedy)):
            raise FrameError("a problem holds what is no text to be shown")
        line = typed_or_none(held, "line", int)
        if line is not None and not 1 <= line < MOST_LINES:
            raise FrameError(f"there is no line {line}")
        layout = held["layout"]
        if layout not in (*LAYOUTS, None) or (layout is None) is (problem is None):
            raise FrameError("an outline has a layout, or else a problem")
        return Outlined(
            layout=cast("Layout | None", layout), **lists, problem=problem, line=line, remedy=remedy
        )


def _is_name(text: str) -> bool:
    """Whether it is a name of Python's, or some with dots between them, and none of them hides anything."""
    return is_shown(text, MOST_NAME) and all(each.isidentifier() for each in text.split("."))


def _fitting(names: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple([each for each in names if _is_name(each)][:most])


def _checked_names(held: dict[str, Any], name: str, most: int) -> tuple[str, ...]:
    found = texts(held, name)
    if len(found) > most or not all(_is_name(each) for each in found):
        raise FrameError(f"{name} are no list of at most {most} names")
    return found


def _one_line(text: str) -> str:
    return shown_text(text.replace("\n", " "), MOST_TOLD)
