"""The copy that a jailed process sees: what of a submission is in it, and for whom."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from isolation_fast import jail
from isolation_fast.jail.copies import give_to_nobody, modules_named, private_copy
from isolation_fast.submission import digest_of

Write = Callable[..., Path]

BESIDE = {
    "alice.py": "import helper, bob, results, tests.expected, carol.game_agent, kit.part, outer.end\n"
    "import linked, broken",
    "bob.py": "import secret_of_bob\ncustom_score = len",
    "dave.py": "class Player:\n    def get_move(self, game, time_left): ...",
    "secret_of_bob.py": "",
    "results.json": "{}",
    "tests/__init__.py": "",
    "tests/expected.py": "",
    "test_all.py": "",
    "carol/__init__.py": "",
    "carol/game_agent.py": "",
    "outer/end.py": "",
    "helper.py": "import dave, test_all, deeper\nfrom kit import other",
    "deeper.py": "",
    "unused.py": "",
    "broken.py": "custom_score(",
    "kit/__init__.py": "",
    "kit/part.py": "",
    "kit/other.py": "",
    "kit/unused.py": "",
}


def copied(file: Path) -> set[str]:
    with private_copy(file) as copy:
        assert copy.file.read_bytes() == file.read_bytes()
        return {each.relative_to(copy.folder).as_posix() for each in copy.folder.rglob("*") if each.is_file()}


def test_a_file_among_others_comes_with_what_it_imports_and_a_game_agent_with_its_folder(
    write_submission: Write,
) -> None:
    folder = write_submission("", dict(BESIDE))
    (folder / "linked.py").symlink_to("unused.py")
    own = {each for each in BESIDE if each.startswith("kit/")}
    assert copied(folder / "alice.py") == {"alice.py", "helper.py", "deeper.py", "carol/__init__.py", *own}
    (folder / "alice.py").write_text("import nothing (")
    assert copied(folder / "alice.py") == {"alice.py"}
    assert copied(folder / "game_agent.py") == {"game_agent.py", *BESIDE}


def test_links_are_not_followed(write_submission: Write, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = write_submission("", {"helper.py": "", "deep/more.py": ""})
    (folder / "stolen.py").symlink_to(tmp_path / "secret.txt")
    (folder / "all").symlink_to("/", target_is_directory=True)
    (folder / "loop").symlink_to("loop")
    (folder / "again").symlink_to("deep", target_is_directory=True)
    (folder / "same.py").symlink_to("helper.py")
    with private_copy(folder / "game_agent.py") as copy:
        found = {
            each.relative_to(copy.folder).as_posix() for each in copy.folder.rglob("*") if each.is_file()
        }
    assert found == {"game_agent.py", "helper.py", "deep/more.py"}


def test_copying_ends_before_the_file_where_it_is_interrupted(write_submission: Write) -> None:
    file = write_submission("", {f"part_{number}.py": "" for number in range(9)}) / "game_agent.py"
    left = [False] * 3
    with pytest.raises(KeyboardInterrupt), private_copy(file, interrupted=lambda: not left or left.pop()):
        pass
    with pytest.raises(KeyboardInterrupt):
        jail.content_digest(file, lambda: True)


def test_a_copy_is_for_nobody_else(write_submission: Write) -> None:
    folder = write_submission("", {"deep/more.py": ""})
    with private_copy(folder / "game_agent.py") as copy:
        for path in (copy.folder.parent, *copy.folder.parent.rglob("*")):
            status = path.stat()
            if os.geteuid() == 0:
                assert (status.st_uid, status.st_gid) == (0, jail.NOBODY)
                assert status.st_mode & 0o027 == 0
        assert copy.folder.parent.stat().st_mode & 0o007 == 0


def test_where_root_may_not_give_files_to_others_a_copy_can_be_read(
    write_submission: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    folder = write_submission("", {"deep/more.py": ""})
    monkeypatch.setattr(os, "chown", refused)
    give_to_nobody(folder)
    modes = {each.name: each.stat().st_mode & 0o777 for each in (folder / "deep", *folder.rglob("*.py"))}
    assert modes == {"deep": 0o755, "game_agent.py": 0o644, "more.py": 0o644}


def test_modules_are_told_from_the_text_alone(tmp_path: Path) -> None:
    text = (
        "import numpy as np, scipy.spatial\nfrom scipy import (ndimage,\n  signal as s)\n"
        "from numpy.testing import x\nimport numpy._core, scipy.conftest\n"
        "x = 'sklearn.svm.SVC'\nnumpyish = 1\n"
    )
    (tmp_path / "broken.py").write_bytes(text.encode() + b"\0(((((\xff")
    named = set(modules_named(tmp_path))
    assert {"numpy", "scipy", "scipy.spatial", "scipy.ndimage", "scipy.signal", "sklearn.svm"} <= named
    assert not {each for each in named if "test" in each or "_" in each or each.startswith("numpyish")}
    assert modules_named(tmp_path / "nowhere") == ()


def test_the_same_texts_are_searched_once(tmp_path: Path) -> None:
    (tmp_path / "part.py").write_text("import scipy.signal")
    assert modules_named(tmp_path) is modules_named(tmp_path)
    (tmp_path / "part.py").write_text("import scipy.ndimage")
    assert modules_named(tmp_path) == ("scipy.ndimage",)


def test_what_is_searched_for_names_of_libraries_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "long.py").write_text("numpy." + "a" * 900_000 + "\nimport numpy.fft\n")
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(400 * 2**20)
    (tmp_path / "many.py").write_text("\n".join(f"numpy.a{number}" for number in range(60_000)))
    found = modules_named(tmp_path)
    assert "numpy.fft" in found
    assert len(found) <= 40


def test_a_file_of_words_is_looked_at_for_a_moment_only(tmp_path: Path) -> None:
    words = " ".join(f"w{number:x}" for number in range(100_000))
    lines = "\n".join(f"import {words[at : at + 900]}" for at in range(0, 500_000, 900))
    (tmp_path / "agent.py").write_text(f'import helper\nTEXT = """\n{lines}\n"""\n')
    (tmp_path / "helper.py").write_text("DATA = 1\n")
    (tmp_path / "w1869f.py").write_text("LAST = 1\n")
    with private_copy(tmp_path / "agent.py") as copy:
        assert sorted(each.name for each in copy.folder.iterdir()) == ["agent.py", "helper.py"]


def test_more_text_than_is_looked_at_names_no_modules(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"part_{number}.py").write_text(
            "#" * (1024 * 1024 - 40) + f"\nimport scipy.part{number}\n"
        )
    found = modules_named(tmp_path)
    assert 0 < len(found) < 10


def test_the_digest_of_a_file_is_made_of_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_bytes(bytes(range(256)) * 10)
    whole = digest_of(tmp_path / "data")
    monkeypatch.setattr("isolation_fast.submission.sources.PART", 7)
    assert digest_of(tmp_path / "data") == whole == sha256(bytes(range(256)) * 10).hexdigest()
