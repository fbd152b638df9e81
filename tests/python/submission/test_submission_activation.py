"""The process belongs to one submission at a time: threads of others wait, and all is put back."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from isolation_fast import Board
from isolation_fast.submission import Submission, SubmissionError, load

Write = Callable[..., Path]

# Slow enough at import for another thread to get in between, if it could.
SLOW = """
import time
import sys
import os

NUMBER = {number}
for _ in range(5):
    import helpers
    assert helpers.NUMBER == NUMBER
    del sys.modules["helpers"]
    assert os.path.basename(os.getcwd()) == "submission_{number}"
    time.sleep(0.001)


def custom_score(game, player):
    import helpers
    import lazy_{number}
    return helpers.NUMBER * 10 + lazy_{number}.NUMBER
"""
A_WHILE = 30.0


def written(write: Write, number: int) -> Path:
    helper = f"import time\ntime.sleep(0.001)\nNUMBER = {number}"
    beside = {"helpers.py": helper, f"lazy_{number}.py": helper}
    return write(SLOW.format(number=number), beside, folder=f"submission_{number}")


def test_submissions_loaded_by_threads_at_once_do_not_mix(write_submission: Write) -> None:
    folders = [written(write_submission, number) for number in range(6)]
    before = list(sys.path), Path.cwd()

    def loaded_and_asked(folder: Path) -> float:
        return float(load(folder).heuristics["custom_score"](Board(), None))

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(loaded_and_asked, folders * 3))
    assert found == [0.0, 11.0, 22.0, 33.0, 44.0, 55.0] * 3
    assert (list(sys.path), Path.cwd()) == before
    own = {"helpers", *(f"lazy_{number}" for number in range(6))}
    assert own.isdisjoint(sys.modules)


def test_threads_that_ask_one_submission_for_its_first_import_get_one_module(write_submission: Write) -> None:
    submission = load(written(write_submission, 1))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: submission.heuristics["custom_score"](None, None), range(20)))
    assert found == [11] * 20


def test_another_submission_waits_until_the_first_is_through(write_submission: Write) -> None:
    first, second = (load(written(write_submission, number)) for number in (1, 2))
    order: list[str] = []
    entered = threading.Event()

    def use_second() -> None:
        entered.set()
        with second.activated():
            order.append("second")

    with first.activated():
        thread = threading.Thread(target=use_second)
        thread.start()
        assert entered.wait(A_WHILE)
        thread.join(0.05)
        order.append("first")
    thread.join(A_WHILE)
    assert order == ["first", "second"]


def test_threads_share_the_while_of_one_submission(write_submission: Write) -> None:
    submission = load(written(write_submission, 1))
    found: list[float] = []

    def ask() -> None:
        with submission.activated():
            found.append(submission.heuristics["custom_score"](None, None))
            found.append(Path("helpers.py").exists())

    with submission.activated():
        # Were it not shared, this thread would wait for the other one for ever.
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(A_WHILE)
        assert found == [11, True]
        assert sys.path[0] == str(submission.folder)
    assert sys.path[0] != str(submission.folder)


def test_the_while_lasts_until_the_last_thread_is_out(write_submission: Write) -> None:
    submission = load(written(write_submission, 1))
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with submission.activated():
            inside.set()
            leave.wait(A_WHILE)

    thread = threading.Thread(target=stay)
    with submission.activated():
        thread.start()
        assert inside.wait(A_WHILE)
    assert sys.path[0] == str(submission.folder)
    leave.set()
    thread.join(A_WHILE)
    assert sys.path[0] != str(submission.folder)


def test_submissions_may_be_nested_in_one_thread(write_submission: Write) -> None:
    first, second = (load(written(write_submission, number)) for number in (1, 2))

    def number_seen(submission: Submission) -> object:
        return sys.modules["game_agent"].NUMBER, Path.cwd() == submission.folder

    with first.activated():
        with second.activated():
            assert number_seen(second) == (2, True)
            with first.activated():
                assert number_seen(first) == (1, True)
            assert number_seen(second) == (2, True)
            assert second.heuristics["custom_score"](None, None) == 22
        assert number_seen(first) == (1, True)
        assert load(second.folder).heuristics["custom_score"](None, None) == 22
        assert number_seen(first) == (1, True)
    assert "game_agent" not in sys.modules


def test_all_is_put_back_after_an_exception(write_submission: Write) -> None:
    submission = load(written(write_submission, 1))
    before = dict(sys.modules), list(sys.path), Path.cwd()

    def astray() -> None:
        os.chdir("/")
        sys.path.clear()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), submission.activated():
        astray()
    assert (dict(sys.modules), list(sys.path), Path.cwd()) == before


def test_a_folder_that_is_gone_is_an_error_that_leaves_nothing(write_submission: Write) -> None:
    folder = written(write_submission, 1)
    submission = load(folder)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    before = dict(sys.modules), list(sys.path), list(sys.meta_path)
    with pytest.raises(FileNotFoundError), submission.activated():
        pass
    assert (dict(sys.modules), list(sys.path), list(sys.meta_path)) == before
    with pytest.raises(SubmissionError, match="there is no such file"):
        load(folder)


def test_a_working_directory_that_is_gone_is_no_hindrance(
    write_submission: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(write_submission, 1)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert list(load(folder).heuristics) == ["custom_score"]


def test_modules_of_python_that_it_imports_stay_loaded(write_submission: Write) -> None:
    load(write_submission("import colorsys\ndef custom_score(game, player): return 1.0"))
    assert "colorsys" in sys.modules
