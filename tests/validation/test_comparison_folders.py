"""Where submissions are found, and what makes a folder a classic checkout."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validation import ComparisonError, compare
from validation.sources import Checkout, NoCheckoutError, choose_checkout, find_submissions, read_checkout

Write = Callable[..., Path]
HEURISTIC = "def custom_score(game, player):\n    return 0.0\n"


def names(folder: Path) -> list[str]:
    return [each.name for each in find_submissions(folder)[0]]


def test_a_file_a_folder_and_a_folder_of_folders_hold_submissions(
    write_submission: Write, tmp_path: Path
) -> None:
    for name in ("zoe", "ann"):
        write_submission(HEURISTIC, folder=f"all/{name}")
    assert names(tmp_path / "all") == ["ann", "zoe"]
    assert names(tmp_path / "all" / "ann") == ["ann"]
    assert names(tmp_path / "all" / "zoe" / "game_agent.py") == ["zoe"]


def test_a_submission_is_named_by_its_folder_however_that_is_given(
    write_submission: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_submission(HEURISTIC, folder="ann"))
    assert names(Path()) == names(Path("game_agent.py")) == ["ann"]


def test_sub_folders_without_a_submission_are_told(write_submission: Write, tmp_path: Path) -> None:
    write_submission(HEURISTIC, folder="all/ann")
    for name in ("notes", ".git", "deeper/below"):
        (tmp_path / "all" / name).mkdir(parents=True)
    write_submission(HEURISTIC, folder="all/deeper/below")
    assert find_submissions(tmp_path / "all")[1] == ("deeper", "notes")


@pytest.mark.parametrize("name", ["empty", "nowhere"])
def test_a_folder_without_any_submission_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ComparisonError, match=name):
        find_submissions(tmp_path / name)


def test_a_folder_that_cannot_be_looked_into_is_named_as_not_compared(
    write_submission: Write, write_checkout: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ann", "locked"):
        write_submission(HEURISTIC, folder=f"all/{name}")

    # Root may look into everything, so the refusal is not left to the file system.
    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *others: Any, **named: Any) -> Any:
            if "locked" in str(path):
                raise PermissionError(13, "Permission denied", str(path))
            return function(path, *others, **named)

        return asked

    monkeypatch.setattr(Path, "is_file", refusing(Path.is_file))
    monkeypatch.setattr("isolation_fast.jail.folders.os.open", refusing(os.open))
    made = compare(tmp_path / "all", write_checkout(), positions=1, games=0)
    assert [(each.name, each.reason) for each in made.submissions] == [
        ("ann", None),
        ("locked", "game_agent.py cannot be read: Permission denied"),
    ]


@pytest.mark.parametrize("layout", ["v1", "v2"])
def test_the_layout_of_a_checkout_is_that_of_its_players(layout: str, write_checkout: Write) -> None:
    assert read_checkout(write_checkout(layout)).layout == layout


def test_a_checkout_that_lacks_something_is_refused_by_name(write_checkout: Write) -> None:
    whole = write_checkout()
    for lacking in ("isolation/__init__.py", "sample_players.py"):
        part = whole.parent / f"without {Path(lacking).stem}"
        shutil.copytree(whole, part)
        (part / lacking).unlink()
        with pytest.raises(ComparisonError, match=f"{part.name}.*{lacking}"):
            read_checkout(part)
    with pytest.raises(ComparisonError, match="no folder"):
        read_checkout(whole / "sample_players.py")


def test_a_checkout_that_cannot_be_parsed_is_refused(write_checkout: Write) -> None:
    checkout = write_checkout(added="def")
    with pytest.raises(ComparisonError, match=r"isolation\.py.*cannot be parsed"):
        read_checkout(checkout)


def test_only_a_board_that_shuffles_is_said_to(write_checkout: Write) -> None:
    shuffling = "import random\nrandom.shuffle"
    assert read_checkout(write_checkout(added=shuffling, folder="later")).shuffles
    assert not read_checkout(write_checkout(folder="first")).shuffles


def checkout(layout: str, *names: str) -> Checkout:
    return Checkout(Path("x"), layout, frozenset(names), "")  # type: ignore[arg-type]


def test_a_submission_gets_the_first_checkout_of_its_layout() -> None:
    later, first = checkout("v2"), checkout("v1")
    assert choose_checkout("v1", (), [later, first, first]) == 1
    assert choose_checkout("v2", (), [first, later]) == 1


def test_a_submission_with_the_oldest_names_gets_a_board_that_has_them() -> None:
    plain, oldest = checkout("v1"), checkout("v1", "__board_state__", "__get_moves__")
    assert choose_checkout("v1", ("__board_state__",), [plain, oldest]) == 1
    assert choose_checkout("v2", ("__board_state__",), [checkout("v2"), oldest]) == 1


def test_where_no_layout_fits_the_first_checkout_is_taken() -> None:
    assert choose_checkout("v1", (), [checkout("v2"), checkout("v2")]) == 0


def test_names_that_no_board_has_are_told() -> None:
    with pytest.raises(NoCheckoutError, match="__get_moves__"):
        choose_checkout("v1", ("__get_moves__",), [checkout("v1"), checkout("v2")])
