"""The page of a study: all lines, a plot that is well formed, and words that follow from the figures."""

import json
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from isolation_fast import cli, heuristics
from isolation_fast.study import Measured, MeasuredRow, Measurer, Table, judge, reports
from isolation_fast.study.measuring import rankings
from isolation_fast.study.sentences import (
    about_better,
    about_claims,
    about_ends,
    about_misprints,
    about_noise,
    contradictions,
    each_claim,
    not_by_chance,
)

TOY = ["reproduce", "--games", "28", "--budget", "nodes=20", "--date", "today", "--machine", "two cores"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("study") / "study.md"
    assert cli.main([*TOY, "--write-study", str(page)]) == 0
    return page


def row_of(report: str, name: str, percent: float, baseline: float, blocks: int = 800) -> MeasuredRow:
    """A row with a rate that is made up."""
    means = [
        tuple(each / 100 + (0.1 if index % 2 else -0.1) for index in range(blocks))
        for each in (percent, baseline)
    ]
    row = reports()[report].row(name)
    measured, base = (Measured(name, "classic", each, (), True) for each in means)
    return MeasuredRow(row, "classic", measured, base)


def test_every_row_and_claim_and_every_heuristic_is_on_the_page(written: Path) -> None:
    lines = written.read_text(encoding="utf-8").splitlines()
    for report in reports().values():
        for row in report.rows:
            assert any(line.startswith(f"| {report.letter} ") and f"| {row.name} " in line for line in lines)
        for claim in report.claims:
            assert any(line.startswith(f"| {claim.id} ") for line in lines)
    ranked = lines[lines.index("## All heuristics against the classic roster, at nodes=20") :]
    for name in heuristics.names():
        assert any(f"| {name} " in line for line in ranked)
    assert "| `nodes=500`" not in lines
    assert any(
        line.startswith("| heuristic") and "nodes=500" in line and "nodes=20000" in line for line in lines
    )


def test_the_page_states_command_date_machine_and_seed(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    assert "--seed 0 --budget nodes=20 --games 28" in text
    assert "| date | today |" in text
    assert "| machine | two cores |" in text


def test_the_plot_is_xml_with_a_point_for_each_printed_row(written: Path) -> None:
    tree = ElementTree.fromstring(written.with_suffix(".svg").read_text(encoding="utf-8"))
    points = tree.findall("{http://www.w3.org/2000/svg}g")
    assert len(points) == sum(row.percent is not None for each in reports().values() for row in each.rows)


def test_the_same_study_is_the_same_page(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "study.md"
    assert cli.main([*TOY, "--write-study", str(again), "--workers", "1"]) == 0
    ours, theirs = (each.read_text(encoding="utf-8") for each in (written, again))
    assert ours.replace(str(written), "FILE") == theirs.replace(str(again), "FILE")
    assert written.with_suffix(".svg").read_bytes() == again.with_suffix(".svg").read_bytes()


def test_ten_are_ranked_by_each_against_each() -> None:
    ranked = rankings(Measurer(games=14, seed=2), "nodes=20", ladder=["nodes=5", "nodes=30"])
    assert len(ranked.duels.entries) == 10
    names = {each.heuristic for each in ranked.duels.entries}
    assert names == {each.heuristic for each in ranked.gauntlet.entries[:10]}
    assert all({each.heuristic for each in ladder.entries} == names for ladder in ranked.ladder)
    assert sum(each.rate or 0 for each in ranked.duels.entries) == pytest.approx(5.0)
    assert json.dumps(asdict(ranked))


def test_what_is_said_of_better_and_worse_follows_from_the_intervals() -> None:
    rows = (row_of("B", "weighted_open", 75.0, 70.0), row_of("B", "weighted_moves", 75.0, 70.0))
    told = about_better(Table("course", (*rows, row_of("B", "weighted_improved", 70.0, 70.0)), ()))
    assert "2 of 3 printed rows are better than `improved`, 0 are worse, and 1 cannot be " in told
    assert "cannot be distinguished from it." in told
    # Printed are 77.1 and 71.4 with 72.9 for improved.
    assert "Of the 2 that can be distinguished, 1 are printed on the right side of it." in told


def test_what_is_said_of_noise_follows_from_the_games() -> None:
    near, far = row_of("B", "weighted_open", 76.0, 70.0), row_of("B", "weighted_improved", 60.0, 70.0)
    told = about_noise(Table("course", (near, far), ()))
    assert "Of 2 printed rates, 1 lie so near" in told
    assert "1 are lower here than printed, and 0 higher" in told
    assert list(not_by_chance(Table("course", (near, far), ()))) == [
        "**B**: `weighted_improved` (84.3 % printed, 60.0 % measured)."
    ]
    # Ten points take 140 games, of which the report had 70.
    assert "Of 2 rows that are compared with `improved`, 0 had enough games" in told


def test_a_claim_that_does_not_hold_is_explained_by_its_sample() -> None:
    row = row_of("D", "blend_then_continuations_difference", 70.0, 68.0)
    base = row_of("D", "improved", 68.0, 68.0)
    assert row.measured is not None
    assert base.measured is not None
    means = {row.row.name: row.measured.means, "improved": base.measured.means}
    table = Table("course", (row, base), (judge(reports()["D"].claims[0], means),))
    assert about_claims(table) == "Of 1 claims at `course`, 0 hold, 1 do not (D1), and 0 stay open."
    assert [
        line.rpartition(": ")[2] for line in each_claim([table, Table("nodes=9", (), table.judgements)])
    ] == ["does not hold at `course`, does not hold at `nodes=9`."]
    (told,) = contradictions(table, [Table("nodes=9", (row, base), table.judgements)])
    assert "+2.0 points (+1.0 to +3.0). The interval is of 95 %: that it is wrong happens" in told
    assert "The report had 140 games a row; its closest comparison takes 378." in told
    assert "Those are too few: chance may have made the claim." in told
    assert "At `nodes=9` it does not either." in told
    # 67.1 is printed for improved, which chance explains.
    assert "Its games were others" not in told


def test_a_claim_that_enough_games_made_is_not_put_down_to_chance() -> None:
    row, base = (row_of("C", name, percent, 70.0) for name, percent in (("bfs", 50.0), ("improved", 70.0)))
    rows = {f"knight_decay_{root}": row for root in range(2, 11)} | {"bfs": row, "improved": base}
    means = {name: each.measured.means for name, each in rows.items() if each.measured is not None}
    table = Table("course", (row, base), (judge(reports()["C"].claims[0], means),))
    (told,) = contradictions(table)
    assert "Those are enough: chance alone did not make the claim." in told
    assert "where both are stuck, the player to move has lost, and its formula says won" in told


def test_a_baseline_far_from_print_says_that_the_games_were_others() -> None:
    rows = (row_of("C", "improved", 78.0, 78.0), row_of("C", "bfs", 60.0, 78.0))
    (told,) = not_by_chance(Table("course", rows, ()))
    assert told.startswith("**C**: `improved` (67.14 % printed, 78.0 % measured), `bfs` (74.57 % printed")
    assert "`improved` is among them" in told


def test_of_a_single_block_nothing_is_said_to_be_beyond_chance() -> None:
    # Its interval is all of 0 to 100 %, however far the rate is from what was printed.
    row = reports()["D"].row("space")
    measured = Measured("space", "early", (0.0,), (), True)
    assert list(not_by_chance(Table("course", (MeasuredRow(row, "early", measured, None),), ()))) == []


def test_places_are_told_with_their_rates_and_a_row_with_its_command(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    assert "`isolation-fast reproduce --report C --row bfs --budget nodes=20 --seed 0 --games 28`" in text
    places = text[text.index("## Their places at other budgets") :].splitlines()
    assert len(re.findall(r"\d+: [\d.]+ % \([\d.]+ to [\d.]+ %\)", "\n".join(places))) == 4 * 10


def test_two_names_of_one_heuristic_are_told() -> None:
    rows = (row_of("E", "aggressive", 70.0, 70.0), row_of("E", "as_printed_custom_3", 70.0, 70.0))
    told = list(about_misprints(Table("course", rows, ())))
    assert any("67.4 % and 63.6 %: 3.8 points of nothing but chance" in line for line in told)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--write-study", "x.md"], "--write-study needs --machine"),
        (["--write-study", "x.md", "--machine", " "], "--write-study needs --machine"),
        (["--write-study", "x.md", "--machine", "m", "--report", "A"], "leave out --report and --row"),
        (["--write-study", "x.html", "--machine", "m"], "a file that ends in .md, not x.html"),
        (["--write-study", "no/such/x.md", "--machine", "m"], "the study cannot be written"),
        (["--machine", "m"], "--machine is for the page of --write-study"),
    ],
)
def test_what_is_wrong_with_a_page_is_told_before_anything_is_played(
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["reproduce", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def pair_of(report: str, one: tuple[str, float], other: tuple[str, float]) -> Table:
    return Table("course", tuple(row_of(report, name, percent, 70.0) for name, percent in (one, other)), ())


def test_what_it_is_worth_to_know_the_end_is_told_by_the_two_rows_that_differ_in_it() -> None:
    (told,) = about_ends(pair_of("D", ("blend", 25.0), ("blend_improved", 70.0)))
    assert "`blend_improved` wins 70.0 % and `blend` 25.0 %" in told
    assert "+45.0 points (+44.0 to +46.0)" in told
    assert "rather lose than be crowded" in told
    (told,) = about_ends(pair_of("D", ("blend", 70.0), ("blend_improved", 70.0)))
    assert "rather lose" not in told
    assert list(about_ends(Table("course", (), ()))) == []


def test_a_reading_of_the_text_is_held_against_the_code() -> None:
    told = list(about_misprints(pair_of("D", ("continuations", 20.0), ("longest_win", 30.0))))
    assert any("`continuations`, 20.0 %. That is +10.0 points (+9.0 to +11.0)." in line for line in told)
    told = list(about_misprints(pair_of("D", ("continuations", 20.0), ("longest_win", 20.2))))
    assert any("no difference is shown" in line for line in told)


def test_a_tournament_that_is_printed_twice_is_taken_out_of_the_averages() -> None:
    rows = (row_of("A", "lookahead_mobility", 70.0, 70.0), row_of("B", "weighted_open", 70.0, 70.0))
    first, second = about_misprints(Table("course", rows, ()))
    assert "`lookahead_mobility` 73.8 %, not 74.5 %" in first
    assert "Without what is repeated" not in second


def test_what_is_typed_for_the_page_stays_in_its_cell(tmp_path: Path) -> None:
    page = tmp_path / "study.md"
    line = ["reproduce", "--games", "14", "--budget", "nodes=3", "--machine", "a|b\n# c", "--date", "d"]
    assert cli.main([*line, "--write-study", str(page)]) == 0
    assert "| machine | a\\|b # c |" in page.read_text(encoding="utf-8").splitlines()


def test_a_page_is_written_where_nobody_reads_the_tables_to_their_end(tmp_path: Path) -> None:
    page = tmp_path / "study.md"
    command = [sys.executable, "-m", "isolation_fast", "reproduce", "--games", "14", "--budget", "nodes=3"]
    command += ["--machine", "m", "--write-study", str(page)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=120)
    assert page.is_file()
