"""The command as a whole: how it is started, what it says of itself, and how it says what is wrong."""

import argparse
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import cli
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.output import CommandError

AS_MODULE = [sys.executable, "-m", "isolation_fast"]
AS_COMMAND = [str(Path(sysconfig.get_path("scripts"), "isolation-fast"))]


def isolation_fast(*arguments: str, start: list[str] = AS_MODULE) -> subprocess.CompletedProcess[str]:
    """Run the command as people do."""
    command = [*start, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("start", [AS_MODULE, AS_COMMAND], ids=["module", "command"])
def test_the_command_tells_its_version(start: list[str]) -> None:
    done = isolation_fast("--version", start=start)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("isolation-fast ")


def test_asked_for_nothing_it_lists_its_commands() -> None:
    done = isolation_fast()
    assert (done.returncode, done.stderr) == (0, "")
    for command in cli.COMMANDS:
        assert f"    {command} " in done.stdout


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert f"isolation-fast {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["run", "submission", "compile"])
def test_a_command_that_gives_code_all_rights_says_so(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    assert "with all rights you have" in " ".join(capsys.readouterr().out.split())
    root = Path(__file__).resolve().parents[3]
    (told,) = (
        each for each in (root / "README.md").read_text().splitlines() if "with all your rights" in each
    )
    assert f"`{name}`" in told
    security = " ".join((root / "docs" / "security.md").read_text().split())
    before, _, _ = security.partition("`--no-jail` give code all your rights everywhere")
    assert name in before[-80:]


def test_an_unknown_option_is_an_error_on_stderr() -> None:
    done = isolation_fast("--verison")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--verison" in done.stderr


def test_an_unknown_command_is_answered_with_the_one_that_was_meant() -> None:
    done = isolation_fast("rnu", "tournament.py")
    assert (done.returncode, done.stdout) == (2, "")
    first, *rest = done.stderr.splitlines()
    assert first.startswith(
        "isolation-fast: error: unknown command 'rnu', did you mean 'run'? Allowed: 'run'"
    )
    assert rest == ["hint: isolation-fast --help"]


def test_an_unknown_option_names_the_one_that_may_have_been_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["tournament", "AB_Open", "Random", "--game", "4"])
    assert ended.value.code == 2
    told = "isolation-fast: error: unrecognized arguments: --game 4, did you mean --games?"
    assert capsys.readouterr().err.splitlines() == [told, "hint: isolation-fast tournament --help"]


class Broken:
    """A sub-command that meets with something."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def add_to(self, commands: Any) -> None:
        commands.add_parser("broken")

    def run(self, options: argparse.Namespace) -> int:
        raise self.error


def outcome(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    monkeypatch.setattr(cli, "COMMANDS", [*cli.COMMANDS, "broken"])
    monkeypatch.setitem(sys.modules, "isolation_fast.cli.broken", Broken(error))
    return cli.main(["broken"])


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (CommandError("no"), "isolation-fast: error: no\n"),
        (CommandError("no", hint="try"), "isolation-fast: error: no\nhint: try\n"),
        (InvalidBudgetError("no limit"), "isolation-fast: error: no limit\n"),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_status_2(
    error: Exception, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(monkeypatch, error) == 2
    assert capsys.readouterr() == ("", text)


def test_an_interrupted_command_says_so_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(monkeypatch, KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "isolation-fast: interrupted\n")


@pytest.mark.parametrize("form", ["simple", "json"])
def test_where_nothing_can_be_written_a_line_says_so(form: str) -> None:
    # As with a full disk, writing fails; and it does so on every system.
    with Path(os.devnull).open() as unwritable:
        done = subprocess.run(
            [*AS_MODULE, "heuristics", "--format", form],
            stdout=unwritable,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    said = "isolation-fast: error: the output cannot be written: Bad file descriptor\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_command_whose_reader_is_gone_ends_without_a_word() -> None:
    source = (
        "import sys, types\n"
        "from isolation_fast import cli\n"
        "def run(options):\n"
        "    print('x' * 100_000)\n"
        "    return 0\n"
        "wordy = types.SimpleNamespace(run=run, add_to=lambda commands: commands.add_parser('wordy'))\n"
        "sys.modules['isolation_fast.cli.wordy'] = wordy\n"
        "cli.COMMANDS.append('wordy')\n"
        "sys.exit(cli.main(['wordy']))\n"
    )
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", source], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_names_of_files_do_nothing_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "\x1b[2Jred.py").touch()
    assert cli.main(["submission", str(tmp_path)]) != 0
    told = capsys.readouterr().err
    assert "\\x1b[2Jred.py" in told
    assert "\x1b" not in told
