"""What the results of a class remember of the last time: what was asked, what was given, and who was in it.

| in `state` | has |
|---|---|
| `journal.jsonl` | in its first line the seed and all that gradings depend on: the same class has the same |
| `given.json` | roster, rubric, layout, assignment and shared files: kept until others are given |
| `class.json` | the submission of each student |

Rosters and rubrics are kept as texts: their files may have been changed or moved since.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from isolation_fast import JournalError
from isolation_grader.classes.finding import Found, Shared
from isolation_grader.classes.marks import Conformance, Rubric
from isolation_grader.classes.people import KINDS, Roster, Student, roster_of
from isolation_grader.classes.rubric import rubric_of
from isolation_grader.exceptions import UsageError

SCHEMA: Final = "isolation-grader/class/2"
"""What the journal of a class begins with. Another number is another meaning of its lines."""
GIVEN: Final = "isolation-grader/given/1"
UNREADABLE: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
MOST_NAMED: Final = 3
"""Students that an error names."""


@dataclass(frozen=True, slots=True)
class Given:
    """What is given with a class, beside its submissions. What is None is that of the last time."""

    roster: Roster | None = None
    layout: str | None = None
    rubric: Rubric | None = None
    assignment: str | None = None
    shared: Shared | None = None

    @property
    def column(self) -> str | None:
        """The heading of the column of `canvas.csv`: given, or the only assignment of a gradebook."""
        known = self.roster.assignments if self.roster else ()
        return self.assignment or (known[0] if len(known) == 1 else None)

    @property
    def needs_tests(self) -> bool:
        """Whether the rubric gives points for the course's own tests."""
        return any(isinstance(each, Conformance) for each in self.rubric.parts) if self.rubric else False

    def taken_from(self, before: Given) -> Iterator[str]:
        """What is not given now and was given before, in words."""
        for each in fields(self):
            value = getattr(before, each.name)
            if getattr(self, each.name) is None and value is not None:
                yield f"{each.name} {value if isinstance(value, str) else value.name}"

    def completed(self, before: Given) -> Given:
        """With what was given before in place of what is not given now."""
        missing = [each.name for each in fields(self) if getattr(self, each.name) is None]
        return replace(self, **{name: getattr(before, name) for name in missing})

    def written(self) -> str:
        """As it is kept."""
        texts = {
            name: {"name": value.name, "text": value.text}
            for name, value in (("roster", self.roster), ("rubric", self.rubric))
            if value is not None
        }
        content = {"schema": GIVEN, **texts, "layout": self.layout, "assignment": self.assignment}
        if self.shared is not None:
            content["shared"] = {name: b64encode(held).decode() for name, held in self.shared.files.items()}
        return json.dumps(content, indent=1) + "\n"


def read_given(path: Path) -> Given:
    """What was given the last time; nothing where there was none."""
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["schema"] != GIVEN:
            raise ValueError(f"its schema is {content['schema']!r}")
        roster, rubric, shared = (content.get(each) for each in ("roster", "rubric", "shared"))
        return Given(
            None if roster is None else roster_of(roster["text"], roster["name"]),
            content["layout"],
            None if rubric is None else rubric_of(rubric["text"], rubric["name"]),
            content["assignment"],
            Shared({name: b64decode(held) for name, held in shared.items()}) if shared else None,
        )
    except FileNotFoundError:
        return Given()
    except UsageError:
        raise
    except (OSError, *UNREADABLE) as error:
        hint = "remove it, and give --roster, --rubric, --layout and --assignment again"
        raise UsageError(f"{path} cannot be read: {error!r}", hint) from error


def seed_of(journal: Path) -> int | None:
    """The seed of the last time; None where there is none, or none that can be read."""
    try:
        with journal.open("rb") as file:
            return int(json.loads(file.readline())["asked"]["seed"])
    except (OSError, *UNREADABLE):
        # What is wrong with the journal is said when it is opened.
        return None


def require_same(wanted: Mapping[str, Any], found: Any) -> None:
    """Refuse the journal of another class."""
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise JournalError("this is no journal of a class")
    if found.get("version") != wanted["version"]:
        raise JournalError(
            f"the class was graded by version {found.get('version')}, and this is {wanted['version']}"
        )
    # As they come back from the file.
    asked, before = json.loads(json.dumps(wanted["asked"])), found.get("asked")
    for name, value in asked.items():
        other = before.get(name) if isinstance(before, dict) else None
        if other != value:
            raise JournalError(f"the class was graded with another {name}: {other} there, and {value} here")


# ---- who was in it


@dataclass(frozen=True, slots=True)
class Earlier:
    """A submission whose grading was finished before."""

    key: str
    digest: str
    students: tuple[Student, ...]

    @property
    def name(self) -> str:
        """The names of its students."""
        return ", ".join(each.name for each in self.students)


def earlier(document: Path, digests: Mapping[str, str]) -> tuple[Earlier, ...]:
    """The submissions of the last time that were finished, with these digests by their keys."""
    try:
        content = json.loads(document.read_text("utf-8"))
        return tuple(
            Earlier(each["key"], digests[each["key"]], tuple(Student(**one) for one in each["students"]))
            for each in content["submissions"]
            if each["key"] in digests
        )
    except FileNotFoundError:
        return ()
    except (OSError, *UNREADABLE) as error:
        hint = "remove it: it is written anew, and students without a submission are forgotten"
        raise UsageError(f"{document} cannot be read: {error!r}", hint) from error


def renamed(before: Sequence[Earlier], found: Sequence[Found]) -> dict[str, str]:
    """The new keys of submissions that are the same, by the old ones.

    A key comes of a name, so another roster may change it. The copy of somebody else is another submission.
    """
    keys = {each.key for each in before}
    new = [each for each in found if each.key not in keys]
    pairs = {}
    for each in before:
        if all(each.key != other.key for other in found):
            same = next((other for other in new if _is_same(each, other)), None)
            if same is not None:
                new.remove(same)
                pairs[each.key] = same.key
    return pairs


def _is_same(before: Earlier, found: Found) -> bool:
    """Whether it is the same content, and nothing says that it is another student's."""
    ours = {number for student in before.students for number in _numbers(student)}
    theirs = {number for student in found.students for number in _numbers(student)}
    are_others = {kind for kind, _ in ours} & {kind for kind, _ in theirs} and not ours & theirs
    return before.digest == found.digest and not are_others


def lost(before: Sequence[Earlier], found: Sequence[Found]) -> list[Earlier]:
    """The submissions of the last time whose students have none now, under this name or another."""
    keys = {each.key for each in found} | set(renamed(before, found))
    numbers = {number for each in found for student in each.students for number in _numbers(student)}
    return [
        each
        for each in before
        if each.key not in keys
        and not any(number in numbers for student in each.students for number in _numbers(student))
    ]


def require_all(before: Sequence[Earlier], found: Sequence[Found], folder: Path) -> None:
    """Refuse submissions among which finished ones are missing: their reports would be removed."""
    missing = lost(before, found)
    if missing:
        named = "; ".join(each.name for each in missing[:MOST_NAMED])
        more = f"; and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        raise UsageError(
            f"{len(missing)} of {len(before)} graded submissions are not in {folder}: {named}{more}",
            "name the folder that has them all; --remove-missing takes these out of the class, "
            "and removes their reports",
        )


def _numbers(student: Student) -> Iterator[tuple[str, str]]:
    """What names one student, whatever they are called."""
    return ((kind, value) for kind in KINDS if (value := getattr(student, kind)))
