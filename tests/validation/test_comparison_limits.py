"""Submissions that hang, eat memory, end their process or leave others: each costs itself alone."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from validation import ComparisonError, SubmissionFindings, compare

SUBMISSIONS = Path(__file__).resolve().parents[1] / "submissions" / "comparison"
Write = Callable[..., Path]
# Long enough for a busy machine to start a process and ask a few dozen times.
SHORT = 12.0


@pytest.fixture(autouse=True)
def temporary_folder(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """A place of its own for the copies of submissions, which is empty when the comparison is over."""
    tmp_path_factory.getbasetemp()  # or pytest would make its own in ours
    place = Path(tempfile.mkdtemp())
    # Where we are root, a submission is not; and the folders of pytest are for their owner alone.
    place.chmod(0o711)
    monkeypatch.setattr("tempfile.tempdir", str(place))
    yield place
    # Which also says that nothing is in it.
    place.rmdir()


def found(
    name: str | Path, checkout: Path, *, seconds: float = 60.0, memory: int = 2048, jail: bool = True
) -> SubmissionFindings:
    made = compare(
        SUBMISSIONS / name, checkout, positions=12, games=1, seconds=seconds, memory=memory, jail=jail
    )
    (findings,) = made.submissions
    return findings


def verdicts(findings: SubmissionFindings) -> dict[str, tuple[str, str]]:
    assert findings.reason is None, findings.reason
    return {each.name: (each.verdict, each.detail) for each in findings.findings}


NOT_REACHED = ("not compared", "time limit")


def test_a_hang_loses_only_what_was_not_finished(write_checkout: Write) -> None:
    assert verdicts(found("hanging", write_checkout(), seconds=SHORT)) == {
        "custom_score": ("same values", ""),
        "custom_score_2": NOT_REACHED,
        "custom_score_3": NOT_REACHED,
        "OwnPlayer": NOT_REACHED,
    }


def test_what_is_submitted_and_the_players_come_before_other_functions(write_checkout: Write) -> None:
    assert verdicts(found("hanging_behind_the_players", write_checkout(), seconds=SHORT)) == {
        "custom_score": ("same values", ""),
        "longest_path_score": NOT_REACHED,
        "OwnPlayer": ("same games", ""),
    }


def test_a_hang_at_import_costs_its_time_and_nothing_else(write_checkout: Write) -> None:
    before = time.monotonic()
    assert found("hanging_at_import", write_checkout(), seconds=2.0).reason == "time limit"
    assert time.monotonic() - before < 60


def test_memory_has_its_limit(write_checkout: Write) -> None:
    findings = verdicts(found("eating_memory", write_checkout(), memory=512))
    assert findings == {
        "custom_score": ("same values", ""),
        "custom_score_2": ("not compared", "memory limit"),
    }


def test_too_little_memory_for_anything_is_a_limit_too(write_checkout: Write) -> None:
    findings = found("eating_memory", write_checkout(), memory=1)
    last = findings.heuristics[-1].detail if findings.heuristics else findings.reason
    assert last == "memory limit"


def test_what_is_printed_goes_nowhere_and_nobody_answers_questions(
    write_checkout: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    findings = found("printing", write_checkout())
    assert verdicts(findings)["custom_score"] == ("same values", "")
    assert verdicts(findings)["custom_score_2"] == ("same exception types", "EOFError")
    assert capfd.readouterr() == ("", "")


def test_an_exit_is_an_exception_and_a_hard_one_ends_the_process_alone(write_checkout: Write) -> None:
    findings = found("exiting", write_checkout())
    assert verdicts(findings)["custom_score"] == ("same values", "")
    assert findings.heuristics[0].exceptions > 0
    assert verdicts(findings)["custom_score_2"] == ("not compared", "its process exited with status 7")
    assert verdicts(findings)["custom_score_3"] == ("not compared", "its process exited with status 7")


def test_a_crash_of_the_process_is_named(write_checkout: Write) -> None:
    findings = found("killing_itself", write_checkout())
    assert verdicts(findings)["custom_score"] == ("not compared", "its process was ended by SIGSEGV")


def test_no_process_is_left_and_no_finding_is_told_twice(write_checkout: Write, tmp_path: Path) -> None:
    folder, children = tmp_path / "forking", tmp_path / "children.txt"
    shutil.copytree(SUBMISSIONS / "forking", folder)
    (folder / "where.txt").write_text(str(children))
    assert verdicts(found(folder, write_checkout(), jail=False)) == {"custom_score": ("same values", "")}
    numbers = [int(line) for line in children.read_text().splitlines()]
    assert len(numbers) >= 4
    deadline = time.monotonic() + 30
    while any(is_running(number) for number in numbers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [number for number in numbers if is_running(number)]


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"


def test_what_is_written_does_not_land_in_the_users_folder(write_checkout: Write, tmp_path: Path) -> None:
    folder = tmp_path / "writing_files"
    shutil.copytree(SUBMISSIONS / "writing_files", folder)
    before = (folder / "game_agent.py").read_bytes()
    findings = found(folder, write_checkout(), jail=False)
    assert verdicts(findings)["custom_score"] == ("same values", "")
    assert verdicts(findings)["custom_score_2"] == ("same exception types", "OSError")
    assert [path.name for path in folder.iterdir()] == ["game_agent.py"]
    assert (folder / "game_agent.py").read_bytes() == before
    assert not (Path.home() / "isolation-home.txt").exists()


def test_who_closes_the_way_to_the_judge_is_not_judged(write_checkout: Write) -> None:
    findings = found("closing_everything", write_checkout())
    assert verdicts(findings)["custom_score"] == ("not compared", "its process exited with status 1")


def test_one_submission_costs_the_others_nothing(write_checkout: Write, tmp_path: Path) -> None:
    for name in ("asking_the_player", "exiting", "hanging_at_import", "killing_itself"):
        shutil.copytree(SUBMISSIONS / name, tmp_path / "all" / name)
    made = compare(tmp_path / "all", write_checkout(), positions=5, games=1, seconds=SHORT, workers=4)
    reasons = {each.name: each.reason for each in made.submissions}
    assert reasons == {
        "asking_the_player": None,
        "exiting": None,
        "hanging_at_import": "time limit",
        "killing_itself": None,
    }
    assert not made.differs


def test_a_submission_among_thousands_of_files_is_not_compared(
    write_checkout: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SUBMISSIONS / "asking_the_player", tmp_path / "downloads")
    for number in range(9):
        (tmp_path / "downloads" / f"{number}.jpg").touch()
    for place in ("intake", "folders"):
        monkeypatch.setattr(f"isolation_fast.jail.{place}.MOST_FILES", 8)
    reason = found(tmp_path / "downloads", write_checkout()).reason
    assert reason == "it has more than 8 files and folders"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positions": 0}, "positions must be at least 1, not 0"),
        ({"games": -1}, "games must be at least 0"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"memory": 0}, "memory must be at least 1"),
        ({"seconds": 0}, "seconds must be a number above 0"),
        ({"seconds": float("nan")}, "seconds must be a number above 0"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"classic": []}, "at least one checkout"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_begun(
    options: dict[str, object], message: str, write_checkout: Write
) -> None:
    settings = {"folder": SUBMISSIONS, "classic": write_checkout(), **options}
    with pytest.raises(ComparisonError, match=message):
        compare(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["positions", "games", "seed", "memory", "seconds", "workers"])
def test_what_is_no_number_is_named_by_its_type(name: str, write_checkout: Write) -> None:
    with pytest.raises(TypeError, match=f"{name} must be .*, not a str: 'many'"):
        compare(SUBMISSIONS, write_checkout(), **{name: "many"})  # type: ignore[arg-type]
