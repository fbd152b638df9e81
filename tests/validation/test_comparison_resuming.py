"""Findings kept in a file: what is finished is not run again, and nothing stale is taken for it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from validation import Comparison, ComparisonError, SubmissionFindings, compare

Write = Callable[..., Path]

# Leaves a line in a file each time that it is loaded, which is six times for a comparison.
NOTED = """
with open({notes!r}, "a") as file:
    file.write({name!r} + "\\n")

def custom_score(game, player):
    return float(game.move_count)
"""
LOADS = 6


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes.txt"


@pytest.fixture
def folder(write_submission: Write, tmp_path: Path, notes: Path) -> Path:
    for name in ("ann", "ben", "cat"):
        write_submission(NOTED.format(notes=str(notes), name=name), folder=f"all/{name}")
    return tmp_path / "all"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept.jsonl"


def run(folder: Path, checkout: Path, kept: Path | None, **options: int) -> Comparison:
    # In the jail they could not leave notes.
    settings = {"positions": 3, "games": 0, "workers": 1, "jail": False, **options}
    return compare(folder, checkout, resume=kept, **settings)  # type: ignore[arg-type]


def loads(notes: Path) -> dict[str, int]:
    """How often each submission was loaded since the last time that was asked."""
    lines = notes.read_text().splitlines() if notes.exists() else []
    notes.unlink(missing_ok=True)
    return {name: lines.count(name) // LOADS for name in sorted(set(lines))}


def test_what_is_finished_is_not_run_again(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    first = run(folder, checkout, kept)
    assert loads(notes) == {"ann": 1, "ben": 1, "cat": 1}
    assert run(folder, checkout, kept) == first == run(folder, checkout, None)
    assert loads(notes) == {"ann": 1, "ben": 1, "cat": 1}


def test_what_was_finished_before_an_interruption_is_kept(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()

    def interrupt(_findings: SubmissionFindings, done: int, of: int) -> None:
        assert of == 3
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(
            folder, checkout, positions=3, games=0, workers=1, jail=False, resume=kept, progress=interrupt
        )
    assert loads(notes) == {"ann": 1, "ben": 1}
    assert [each.name for each in run(folder, checkout, kept).submissions] == ["ann", "ben", "cat"]
    assert loads(notes) == {"cat": 1}


def test_a_changed_submission_is_run_again_and_the_others_are_not(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept)
    loads(notes)
    (folder / "ben" / "helper.txt").write_text("new")
    run(folder, checkout, kept)
    assert loads(notes) == {"ben": 1}


@pytest.mark.parametrize("option", ["positions", "games", "seed", "seconds", "memory"])
def test_other_options_run_all_again(
    option: str, folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept)
    loads(notes)
    run(folder, checkout, kept, **{option: 600})
    assert loads(notes) == {"ann": 1, "ben": 1, "cat": 1}


def test_another_board_runs_all_again(folder: Path, write_checkout: Write, kept: Path, notes: Path) -> None:
    run(folder, write_checkout(), kept)
    loads(notes)
    run(folder, write_checkout(added="changed = True", folder="moved/classic"), kept)
    assert loads(notes) == {"ann": 1, "ben": 1, "cat": 1}


def test_without_the_jail_all_run_again(folder: Path, write_checkout: Write, kept: Path, notes: Path) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept, jail=True)
    loads(notes)
    run(folder, checkout, kept, jail=False)
    assert loads(notes) == {"ann": 1, "ben": 1, "cat": 1}


def test_another_number_of_workers_runs_nothing_again(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept)
    loads(notes)
    run(folder, checkout, kept, workers=3)
    assert loads(notes) == {}


def test_a_line_that_was_cut_short_costs_that_submission_alone(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    first = run(folder, checkout, kept)
    loads(notes)
    kept.write_bytes(kept.read_bytes()[:-40])
    assert run(folder, checkout, kept) == first
    assert loads(notes) == {"cat": 1}
    assert run(folder, checkout, kept) == first
    assert loads(notes) == {}


def test_lines_of_other_versions_and_other_programs_are_passed_over(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept)
    loads(notes)
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    lines[0]["version"] = 0
    del lines[1]["findings"]["heuristics"]
    kept.write_text("\n".join(["[]", "3", "null", "", *map(json.dumps, lines)]))
    run(folder, checkout, kept)
    assert loads(notes) == {"ann": 1, "ben": 1}


def test_a_renamed_submission_is_not_taken_for_the_one_of_that_name(
    folder: Path, write_checkout: Write, kept: Path, notes: Path
) -> None:
    checkout = write_checkout()
    run(folder, checkout, kept)
    loads(notes)
    shutil.move(folder / "ann", folder / "zoe")
    assert [each.name for each in run(folder, checkout, kept).submissions] == ["ben", "cat", "zoe"]


def test_what_cannot_be_a_file_to_resume_from_is_refused(
    folder: Path, write_checkout: Write, tmp_path: Path, notes: Path
) -> None:
    binary = tmp_path / "picture.png"
    binary.write_bytes(b"\x89PNG\xff\xfe")
    for path in (tmp_path, tmp_path / "nowhere" / "file", binary):
        with pytest.raises(ComparisonError, match="cannot be used to resume"):
            run(folder, write_checkout(folder=f"classic {path.name}"), path)
    assert loads(notes) == {}
