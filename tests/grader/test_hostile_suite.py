"""Each attack in `hostile` gains nothing, costs nobody else anything, and ends in bounded time."""

import re
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_games import LIMITS, by_itself, in_a_tournament, limits_of, of_the_well_behaved
from hostile_scene import (
    HOSTILE,
    WELL_BEHAVED,
    Attack,
    Scene,
    attacks,
    orphans_are_ours,
    processes_left,
    scene,
)
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from isolation_fast import jail

BACKSTOP_SECONDS = 120
ATTEMPT = re.compile(r"^tried (.*): (\S+) (\S+)$", re.MULTILINE)
# What would change a terminal, or begin a line of its own, in a report.
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")

ATTACKS = attacks()
PRINTING = (
    "thinks_on_its_opponents_time",
    "forges_answers_on_its_output",
    "prints_much",
    "prints_much_from_c",
)
BY_NAME = {each.name: each for each in ATTACKS}
# One of each row of the table in docs/security.md. The other attacks are slow together: `make test-all`.
ONE_OF_EACH_KIND = frozenset(
    [
        "reads_by_open",
        "writes_results",
        "calls_out_by_tcp",
        "forks",
        "kills_the_victim",
        "makes_executable_memory",
        "calls_our_engine",
        "uses_up_memory_by_numpy",
        "loops_in_python",
        "thinks_while_nobody_asks",
        "saves_up_for_a_few_turns",
        "recognises_the_measuring_board",
        "keeps_a_table_between_games",
        "names_megabytes_of_imports",
        "exits",
        "forges_answers",
        "forges_answers_on_its_output",
        "patches_our_package",
        "raises_a_chain",
        "answers_nan",
        "changes_the_board",
        "has_a_name_for_a_shell",
    ]
)


def cases(chosen: Iterable[Attack]) -> list[Any]:
    return [
        pytest.param(each, id=each.name, marks=[] if each.name in ONE_OF_EACH_KIND else [pytest.mark.slow])
        for each in chosen
    ]


@pytest.fixture(scope="module", autouse=True)
def _only_the_attacks_change_files() -> Iterator[None]:
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    with orphans_are_ours():
        for member in ("custom_score", "CustomPlayer"):
            of_the_well_behaved(member)
        yield
    sys.dont_write_bytecode = before


@pytest.fixture(autouse=True)
def _ends_in_bounded_time() -> Iterator[None]:
    def too_late(*_: object) -> None:
        raise AssertionError(f"the referee waits after {BACKSTOP_SECONDS} s")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(BACKSTOP_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def the_scene(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    with scene(request.param) as made:
        # A variable of ours that nobody is to inherit.
        monkeypatch.setenv("HOSTILE_SECRET", made.secret)
        yield made


def test_each_attack_has_a_row_and_says_what_it_tries() -> None:
    folders = {path.parent.name for path in HOSTILE.glob("*/game_agent.py")}
    assert folders - {WELL_BEHAVED.parent.name} == set(BY_NAME)
    assert set(BY_NAME) >= ONE_OF_EACH_KIND
    assert len(BY_NAME) == len(ATTACKS) >= 50
    for attack in ATTACKS:
        assert attack.tries, attack.name
        assert attack.forbidden, attack.name


def test_the_jail_is_whole_where_attacks_are_tried() -> None:
    assert jail.available().name == "full"


@pytest.mark.parametrize("the_scene", cases(ATTACKS), indirect=True)
def test_an_attack_in_a_tournament_gains_nothing(
    the_scene: Scene, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    attack = the_scene.attack
    capfd.readouterr()
    seen = in_a_tournament(the_scene.file, attack.member, tmp_path, limits_of(attack))
    printed = capfd.readouterr()
    alone = of_the_well_behaved(attack.member)
    assert seen.ending in attack.endings, seen.report
    assert set(seen.endings) <= attack.endings
    for game, same in zip(seen.games, alone.games, strict=True):
        # Each game is lost by what it did, or is the very game that it plays without that.
        if game["ending"] in attack.endings:
            assert game["players"][game["winner"] - 1] != "submission"
        else:
            assert game == same or seen.ending == "plays otherwise"
    assert seen.bystander == alone.bystander
    assert the_scene.secret not in seen.report + "".join(printed)
    assert not UNSEEN.search(seen.report)
    assert "".join(printed) == ""
    assert the_scene.damage() + processes_left(the_scene.victim.pid) == []


@pytest.mark.parametrize(
    "the_scene", cases(each for each in ATTACKS if each.refused or each.name in PRINTING), indirect=True
)
def test_what_an_attack_tries_is_refused(the_scene: Scene) -> None:
    attack = the_scene.attack
    sitting = by_itself(the_scene, attack)
    output = sitting.output.stdout.decode("utf-8", "replace")
    assert sitting.ending in attack.endings, sitting
    assert " GOT " not in output, output
    attempts = ATTEMPT.findall(output)
    assert bool(attempts) or not attack.refused, output
    for what, kind, number in attempts:
        assert attack.refused & {kind, number}, f"{what}: {kind} {number}"
    assert the_scene.secret not in output + sitting.output.stderr.decode("utf-8", "replace") + sitting.detail
    assert len(sitting.output.stdout) <= LIMITS.output
    assert len(sitting.output.stderr) <= LIMITS.output
    # Nobody thinks on while it is not asked.
    assert sitting.idle_cpu < 0.01
    assert the_scene.damage() + processes_left(the_scene.victim.pid) == []


@settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
# The kind of an answer: with the first bytes of the true one after it, it announces more than ever comes.
@example(b"\x02")
@given(st.binary(min_size=1, max_size=300))
def test_arbitrary_bytes_on_every_descriptor_break_nothing(content: bytes) -> None:
    attack = BY_NAME["writes_arbitrary_bytes"]
    with scene(attack, content) as made:
        sitting = by_itself(made, attack)
        assert sitting.ending in attack.endings
        assert content in sitting.output.stdout
        assert made.damage() + processes_left(made.victim.pid) == []


def test_what_is_thought_while_nobody_asks_counts_when_somebody_does() -> None:
    attack = BY_NAME["thinks_while_nobody_asks"]
    with scene(attack) as made:
        sitting = by_itself(made, attack, idle_cpu=1.5 * LIMITS.move_cpu)
    assert sitting.ending == "timeout", sitting
    assert "CPU" in sitting.detail
