"""Certificates, and the program that checks them: it accepts what is written, and refuses what is forged."""

from __future__ import annotations

import ast
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast import InvalidArgumentError
from isolation_fast.theory import certificate, checker, prove
from isolation_fast.theory.checker import RefusedError, check

CHECKER = Path(checker.__file__)
HEAD = b"isolation-fast certificate 1\n5x5\n"


@pytest.fixture(scope="module")
def answers() -> bytes:
    """The answers of a certificate of 5 by 5."""
    content = zlib.decompress(certificate(prove(5, 5)))
    assert content.startswith(HEAD)
    return content.removeprefix(HEAD)


def forged(content: bytes, head: bytes = HEAD) -> bytes:
    return zlib.compress(head + content)


@pytest.mark.parametrize(
    "size", [(1, 2), (1, 3), (2, 2), (3, 3), (3, 5), (3, 7), (7, 3), (4, 4), (4, 5), (5, 5)]
)
def test_what_is_written_is_accepted(size: tuple[int, int]) -> None:
    width, height, count = check(certificate(prove(*size)))
    assert (width, height) == size
    assert count >= len(prove(*size).placements)


def test_the_theorem_is_checked_without_a_search() -> None:
    # The placements are the images of the theorem, of which the checker knows nothing.
    for size in [(2, 5), (3, 4), (4, 5), (5, 6)]:
        assert check(certificate(prove(*size, replies="image")))[:2] == size


def every_byte_changed(answers: bytes, by: Callable[[int], int]) -> list[bytes]:
    return [answers[:at] + bytes([by(answers[at])]) + answers[at + 1 :] for at in range(0, len(answers), 7)]


def test_an_answer_that_is_no_move_is_refused(answers: bytes) -> None:
    for changed in [
        *every_byte_changed(answers, lambda _: 255),
        *every_byte_changed(answers, lambda cell: cell ^ 128),
    ]:
        with pytest.raises(RefusedError, match="its answer"):
            check(forged(changed))


def test_an_answer_on_a_cell_that_is_taken_is_refused(answers: bytes) -> None:
    with pytest.raises(RefusedError, match="no blank cell"):
        check(forged(b"\0" + answers[1:]))


def test_an_answer_on_the_cell_that_player_1_just_took_is_refused() -> None:
    knight = checker.knight_moves(3, 3)

    def answered(blank: int, mine: int, yours: int) -> bytes | None:
        """Answers to all that player 1 can do, on the cell that it took wherever that goes well."""
        found = b""
        for move in (each for each in range(9) if (knight[mine] & blank) >> each & 1):
            reached = [each for each in range(9) if (knight[yours] & blank) >> each & 1]
            reached.sort(key=lambda each, move=move: each != move)  # type: ignore[misc]
            after = ((each, answered(blank & ~(1 << move | 1 << each), move, each)) for each in reached)
            answer = next((bytes([each]) + rest for each, rest in after if rest is not None), None)
            if answer is None:
                return None
            found += answer
        return found

    # Both knights reach cell 5 from there, and no other way.
    corner = answered(0b111111111 & ~(1 << 0 | 1 << 6), 0, 6)
    assert corner is not None
    assert 5 in corner
    with pytest.raises(RefusedError, match="its answer is 5, which player 2 cannot reach"):
        check(forged(bytes([6]) + corner, HEAD.replace(b"5x5", b"3x3")))


def test_an_answer_that_loses_is_refused(answers: bytes) -> None:
    # In the corner next to the first placement, which loses by the colour of its cell, whatever follows.
    theory = prove(5, 5)
    losing = next(each.second for each in theory.placements[0].openings if each.winner == 1)
    with pytest.raises(RefusedError):
        check(forged(bytes([losing[0] + 5 * losing[1]]) + answers[1:]))


def test_an_end_that_comes_early_or_late_is_refused(answers: bytes) -> None:
    for short in (0, 1, 2, len(answers) // 2, len(answers) - 1):
        with pytest.raises(RefusedError, match=r"its answer .* None"):
            check(forged(answers[:short]))
    with pytest.raises(RefusedError, match="goes on after the last answer"):
        check(forged(answers + b"\0"))


def test_an_answer_left_out_or_put_in_is_refused(answers: bytes) -> None:
    for at in range(0, len(answers), 11):
        for changed in (answers[:at] + answers[at + 1 :], answers[:at] + answers[at : at + 1] + answers[at:]):
            with pytest.raises(RefusedError):
                check(forged(changed))


def test_answers_of_another_board_are_refused(answers: bytes) -> None:
    for size in (b"5x7", b"7x7", b"4x5"):
        with pytest.raises(RefusedError):
            check(forged(answers, HEAD.replace(b"5x5", size)))


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (b"", "does not begin"),
        (b"isolation-fast certificate 2\n5x5\n", "does not begin"),
        (b"isolation-fast certificate 1\n5 by 5\n", "does not begin"),
        (b"isolation-fast certificate 1\n-5x-5\n", "does not begin"),
        (b"isolation-fast certificate 1\n0x5\n", "no cells"),
        (b"isolation-fast certificate 1\n" + 5000 * b"1" + b"x1\n", "does not begin"),
        (b"isolation-fast certificate 1\n99x99\n", "more than bytes"),
    ],
)
def test_another_head_is_refused(head: bytes, message: str, answers: bytes) -> None:
    with pytest.raises(RefusedError, match=message):
        check(forged(answers, head))


def test_what_is_not_compressed_whole_is_refused(answers: bytes) -> None:
    whole = forged(answers)
    for changed in (
        b"",
        answers,
        whole[:-1],
        whole + b"\0",
        whole[:40] + bytes([whole[40] ^ 1]) + whole[41:],
    ):
        with pytest.raises(RefusedError, match="compressed"):
            check(changed)


def test_a_board_that_player_2_does_not_win_has_no_certificate() -> None:
    with pytest.raises(InvalidArgumentError, match="player 2 does not win there"):
        certificate(prove(1, 1))
    with pytest.raises(InvalidArgumentError, match="it is not proven who wins there"):
        certificate(prove(3, 3, first=(1, 1)))
    with pytest.raises(RefusedError):
        check(zlib.compress(b"isolation-fast certificate 1\n1x1\n"))


def test_a_larger_board_than_bytes_have_values_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="at most 256 cells"):
        certificate(prove(20, 20))


def test_the_checker_stands_alone() -> None:
    imported = [
        name
        for node in ast.walk(ast.parse(CHECKER.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    ]
    assert imported
    assert not [name for name in imported if str(name).partition(".")[0] not in sys.stdlib_module_names]


def checked(*arguments: str | Path) -> tuple[int, str, str]:
    command = [sys.executable, "-I", str(CHECKER), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return ended.returncode, ended.stdout, ended.stderr


def test_the_checker_is_a_program(tmp_path: Path, answers: bytes) -> None:
    file = tmp_path / "certificate"
    file.write_bytes(forged(answers))
    assert checked(file) == (0, f"5x5: player 2 wins, by {len(answers):,} answers\n", "")
    file.write_bytes(forged(answers[:-1]))
    status, out, err = checked(file)
    assert (status, out) == (1, "")
    assert err.startswith("refused: ")
    assert checked(tmp_path / "none")[0] == 2
    assert checked()[0] == 2


@pytest.mark.slow
def test_7_by_7_is_certified_in_ten_megabytes() -> None:
    written = certificate(prove(7, 7))
    assert len(written) < 10_000_000
    assert check(written)[:2] == (7, 7)
