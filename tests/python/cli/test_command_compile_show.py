"""`isolation-fast compile --show`: the source with its prices, as the compiler has them."""

from pathlib import Path

from isolation_fast.cli.compile import _players, _priced
from isolation_fast.programs import program_of


def test_each_line_of_the_source_is_shown_with_its_price() -> None:
    agent = Path(__file__).parents[3] / "examples" / "game_agent.py"
    [player] = _players(f"{agent}:custom_score_2")
    lines = list(_priced(player, program_of(player.score)))
    source = agent.read_text().splitlines()
    for line in lines:
        price, _, rest = line.strip().partition(" ns")
        number, _, text = rest.removeprefix("+").strip().partition("  ")
        assert int(price.replace(",", "")) > 0
        assert number == "0" or source[int(number) - 1].rstrip() == text
    assert any("is_loser" in line for line in lines)
