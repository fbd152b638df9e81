"""The leaderboard of a class: only new pairs are played, and students see no names."""

from __future__ import annotations

import csv
import json
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from class_scene import PLAIN, SECRET, UNREADABLE, WORST, Ended, ended, quickly, write_class

from isolation_fast.jail import content_digest
from isolation_fast.tournament import Progress, RoundRobin, Run, carry_over
from isolation_grader.classes import BoardRun, ClassRun, Marked, read_facts, read_rubric
from isolation_grader.classes.leaderboard import CHANGED, _are_equal, pseudonyms
from isolation_grader.exceptions import ExitStatus, UsageError

GAMES = 4
MIXED = """
def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(own - len(game.get_legal_moves(game.get_opponent(player))))
"""
FOUR = {
    "ada.py": PLAIN,
    "bob.py": WORST,
    "cleo.py": MIXED,
    "eve.py": UNREADABLE,
    "zoe.py": PLAIN + "\n# own\n",
}
TABLES = ("leaderboard.csv", "leaderboard.json", "staff.csv", "staff.json", "index.html", "staff.html")


def leaderboard(*words: object) -> Ended:
    return ended("leaderboard", *words)


def graded(folder: Path, results: Path, *, resume: bool = False) -> Path:
    with ClassRun(folder, results, quickly(), seed=SECRET, resume=resume, remove_missing=True) as running:
        running.grade()
        running.write()
    return results


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded class and its submissions, for tests that copy both."""
    place = tmp_path_factory.mktemp("leaderboard")
    graded(write_class(place / "class", FOUR), place / "results")
    return place


@pytest.fixture
def results(handed_in: Path, tmp_path: Path) -> Path:
    shutil.copytree(handed_in, tmp_path / "copy")
    return tmp_path / "copy" / "results"


def tables(results: Path) -> dict[str, bytes]:
    return {name: (results / "leaderboard" / name).read_bytes() for name in TABLES}


def played(results: Path) -> int:
    """How many games a run plays that no run before has played."""
    with BoardRun(results, games=GAMES) as running:
        before = running.kept_games
        running.play()
        return running.games - before


def test_each_plays_each_and_students_see_no_names(results: Path) -> None:
    found = leaderboard(results, "--games", GAMES)
    assert found.status == ExitStatus.GOOD, found.stderr
    assert "4 players, 24 games" in found.stderr
    assert "does not play: eve: syntax: eve.py:1" in found.stderr
    rows = list(csv.DictReader(tables(results)["staff.csv"].decode().splitlines()))
    assert sorted(row["name"] for row in rows) == ["ada", "bob", "cleo", "zoe"]
    assert {row["games"] for row in rows} == {str(3 * GAMES)}
    assert sum(int(row["won"]) for row in rows) == 6 * GAMES
    assert (rows[-1]["name"], rows[-1]["place"], rows[0]["place"]) == ("bob", "4", "1")
    students = json.loads(tables(results)["leaderboard.json"])
    assert [each["pseudonym"] for each in students["places"]] == [row["pseudonym"] for row in rows]
    for name in ("leaderboard.csv", "leaderboard.json", "index.html"):
        text = tables(results)[name].decode()
        assert not [each for each in (*(row["name"] + ".py" for row in rows), str(SECRET)) if each in text]
        assert "cleo" not in text
        assert rows[0]["pseudonym"] in text


def test_played_again_it_plays_nothing(results: Path) -> None:
    first = leaderboard(results, "--games", GAMES)
    before = tables(results)
    again = leaderboard(results, "--games", GAMES, "--workers", 1)
    assert "24 games, 24 of them played before" in again.stderr
    assert again.stdout == first.stdout
    assert tables(results) == before
    assert played(results) == 0


def test_an_executor_plays_the_same_and_two_at_once_are_refused(results: Path) -> None:
    leaderboard(results, "--games", GAMES)
    whole = json.loads(tables(results)["staff.json"])
    with (
        ThreadPoolExecutor(2) as pool,
        BoardRun(results, results / "other", games=GAMES, executor=pool) as running,
    ):
        second = leaderboard(results, "--games", GAMES, "--out", results / "other")
        assert running.play().to_dict(for_staff=True) == whole
    assert (second.status, "another run plays this leaderboard" in second.stderr) == (ExitStatus.USAGE, True)


def test_a_new_one_and_one_that_changed_play_only_their_pairs(results: Path) -> None:
    assert played(results) == 24
    folder = results.with_name("class")
    (folder / "abe.py").write_text(MIXED + "\n# abe\n")
    graded(folder, results, resume=True)
    assert played(results) == 4 * GAMES
    (folder / "cleo.py").write_text(MIXED + "\n# again\n")
    graded(folder, results, resume=True)
    assert played(results) == 4 * GAMES
    (folder / "bob.py").unlink()
    graded(folder, results, resume=True)
    assert played(results) == 0
    leaderboard(results, "--games", GAMES)
    night_by_night = tables(results)
    shutil.rmtree(results / "leaderboard")
    leaderboard(results, "--games", GAMES)
    assert tables(results) == night_by_night


def test_who_is_timed_may_join_and_leave(results: Path) -> None:
    folder = results.parent / "class"
    assert played(results) == 6 * GAMES
    timed = folder / "gus.py"
    timed.write_text(f"import random\n{PLAIN.rstrip()} + 0.0 * random.random()\n")
    graded(folder, results, resume=True)
    assert played(results) == 4 * GAMES
    timed.unlink()
    graded(folder, results, resume=True)
    assert played(results) == 0


def test_interrupted_and_resumed_it_is_the_same(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leaderboard(results, "--games", GAMES)
    whole = tables(results)
    shutil.rmtree(results / "leaderboard")

    def interrupted(running: BoardRun, progress: object = None) -> None:
        def stop(so_far: Progress) -> None:
            if so_far.games >= 2 * GAMES:
                raise KeyboardInterrupt

        running._run.play(stop)

    with monkeypatch.context() as patched:
        patched.setattr(BoardRun, "play", interrupted)
        found = leaderboard(results, "--games", GAMES, "--workers", 1)
    assert (found.status, "interrupted after 8 of 24 games" in found.stderr) == (ExitStatus.INTERRUPTED, True)
    journal = results / "leaderboard" / "state" / "games.jsonl"
    # As where the power failed in the middle of a line.
    journal.write_bytes(journal.read_bytes()[:-5])
    goes_on = leaderboard(results, "--games", GAMES)
    assert "24 games, 4 of them played before" in goes_on.stderr
    assert tables(results) == whole


def test_a_rubric_gives_a_bonus_by_its_places(results: Path, tmp_path: Path) -> None:
    text = "[loading]\npoints = 1\n[leaderboard]\nbonus = [10, 6, 3]\ngames = true\n"
    (tmp_path / "rubric.toml").write_text(text)
    rubric = read_rubric(tmp_path / "rubric.toml")
    assert "a bonus for the first places of its leaderboard: 10 for place 1" in "\n".join(rubric.explained())
    assert Marked.of(read_facts(results), rubric).places == {}
    leaderboard(results, "--games", GAMES)
    rows = csv.DictReader(tables(results)["staff.csv"].decode().splitlines())
    marked = Marked.of(read_facts(results), rubric)
    assert marked.places == {row["key"]: int(row["place"]) for row in rows}
    given = {key: marks.parts[1].points for key, marks in marked.marks.items()}
    assert given == {
        key: (10, 6, 3, 0)[marked.places[key] - 1] if key in marked.places else 0 for key in given
    }
    # Of what was handed in since, no game was played.
    graded_again = results.with_name("class")
    (graded_again / "bob.py").write_text(WORST + "\n# again\n")
    graded(graded_again, results, resume=True)
    assert "bob" not in Marked.of(read_facts(results), rubric).places


def test_what_has_changed_since_it_was_graded_does_not_play(results: Path) -> None:
    (results / "state/unpacked/ada/ada.py").write_text(WORST)
    found = leaderboard(results, "--games", GAMES)
    assert f"does not play: ada: {CHANGED}" in found.stderr
    assert "ada" not in tables(results)["staff.csv"].decode()


def test_errors_say_what_is_wrong(results: Path, tmp_path: Path) -> None:
    none = leaderboard(tmp_path)
    assert (none.status, "has no graded class" in none.stderr) == (ExitStatus.USAGE, True)
    assert "hint: isolation-grade class FOLDER --out RESULTS --resume grades it" in none.stderr
    odd = leaderboard(results, "--games", 3)
    assert (odd.status, "games must be even" in odd.stderr) == (ExitStatus.USAGE, True)
    played(results)
    broad = leaderboard(results, "--games", 2, "--out", tmp_path / "two")
    assert (broad.status, "4 of 4 players have no interval" in broad.stderr) == (ExitStatus.GOOD, True)
    more = leaderboard(results, "--games", 6)
    assert (more.status, "played otherwise: openings" in more.stderr) == (ExitStatus.USAGE, True)
    assert "to play all games anew, remove that folder, or name another: --out" in more.stderr
    (results / "leaderboard" / "staff.json").write_text('{"places": [{}]}')
    other = leaderboard(results, "--games", GAMES)
    assert (other.status, "staff.json is no leaderboard of this version" in other.stderr) == (2, True)
    alone = graded(write_class(tmp_path / "one", {"ada.py": PLAIN}), tmp_path / "alone")
    with pytest.raises(UsageError, match="1 of 1 submissions can play"):
        BoardRun(alone)


def test_a_broken_player_is_out_and_comes_last(tmp_path: Path) -> None:
    late = PLAIN.replace(
        "return", "assert game.move_count < 20 or len(game.get_blank_spaces()) > 26\n    return"
    )
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN, "bob.py": WORST, "zoe.py": MIXED})
    results = graded(folder, tmp_path / "results")
    # Graded well, and broken by an opponent of the class.
    file = results / "state/unpacked/ada/ada.py"
    file.write_text(late)
    facts = json.loads((results / "staff/ada.json").read_text())
    facts["digest"] = content_digest(file)
    (results / "staff/ada.json").write_text(json.dumps(facts))
    with BoardRun(results, games=8) as running:
        board = running.play()
    assert [each.place for each in board.places][-1] is None
    assert (board.places[-1].name, board.places[-1].why_out) == (
        "ada",
        "it lost three games by its own fault",
    )


def test_pseudonyms_stay_and_depend_on_the_seed() -> None:
    keys = [f"student-{number}" for number in range(300)]
    names = pseudonyms(keys, SECRET)
    assert len(set(names.values())) == 300
    assert sum(names[key] == pseudonyms([key], SECRET)[key] for key in keys) >= 298
    assert sum(names[key] == name for key, name in pseudonyms(keys, SECRET + 1).items()) == 0


def test_a_journal_is_carried_over_to_a_plan_with_other_players(tmp_path: Path) -> None:
    journal = tmp_path / "games.jsonl"
    first = RoundRobin(["Greedy", "MM_Open@depth=1", "Random"], games=220).plan()
    with Run(first, journal=journal) as running:
        running.play()
    assert carry_over(journal, first) == first.chunk_count
    second = RoundRobin(["Greedy", "MM_Center@depth=1", "Random"], games=220).plan()
    assert carry_over(journal, second) == first.chunk_count // 3
    with Run(second, journal=journal, resume=True) as running:
        assert running.resumed_games == 220
        carried = running.play()
    with Run(second) as running:
        assert running.play() == carried


def test_each_place_names_those_that_the_games_do_not_tell_from_it(results: Path) -> None:
    found = leaderboard(results, "--games", GAMES)
    rows = json.loads(tables(results)["leaderboard.json"])["places"]
    assert all(each["equal_from"] <= each["place"] <= each["equal_to"] for each in rows)
    assert "equal" in found.stdout.splitlines()[0]
    page = tables(results)["index.html"].decode()
    assert "The places beside a place are equal to it" in page
    assert {each.equal for each in read_facts(results).submissions if each.place == 1} == {
        (rows[0]["equal_from"], rows[0]["equal_to"])
    }


def test_copies_are_equal_nearly_always_and_others_are_told_apart() -> None:
    stream = random.Random(3)

    def means(rate: float) -> list[float]:
        return [sum(stream.random() < rate for _ in range(20)) / 20 for _ in range(40)]

    alike = sum(_are_equal(means(0.5), means(0.5)) for _ in range(400))
    assert 0.92 <= alike / 400 <= 0.98
    assert not any(_are_equal(means(0.7), means(0.5)) for _ in range(20))
    assert _are_equal([0.5], [1.0])
