"""What a process may do once it is locked, and what is said of how far that is enforced."""

from typing import Any

import pytest

from isolation_fast import jail
from isolation_fast.exceptions import InvalidArgumentError


@pytest.mark.parametrize(
    "wrong",
    [
        {"memory": 0},
        {"memory": 1.5},
        {"cpu_seconds": True},
        {"open_files": None},
        {"open_files": 2**31},
        {"user": 0},
        {"user": -1},
        {"parent": "1"},
        {"readable": "/etc"},
        {"readable": (1,)},
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError, match=next(iter(wrong))):
        jail.Policy(**wrong)


def test_only_a_policy_locks() -> None:
    with pytest.raises(TypeError, match="lock_down takes a Policy"):
        jail.lock_down(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{}, {"enforced": "files", "missing": [], "landlock": 1}, {"missing": [1]}])
def test_what_is_no_level_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError, match="no level of a jail"):
        jail.Level.from_dict(wrong)


@pytest.mark.parametrize(
    ("enforced", "missing", "name"),
    [
        (("files", "system calls"), (), "full"),
        (("system calls",), ("files",), "partial"),
        (("files",), ("system calls",), "partial"),
        (("memory", "user"), ("files", "system calls"), "none"),
        ((), (), "none"),
    ],
)
def test_the_name_of_a_level(enforced: tuple[str, ...], missing: tuple[str, ...], name: str) -> None:
    assert jail.Level(enforced, missing).name == name
