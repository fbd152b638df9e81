"""`isolation-fast compile --show`: the source with its prices, as the compiler has them."""

from pathlib import Path

from isolation_fast.cli.compile import priced_source
from isolation_fast.jail import read_heuristics
from isolation_fast.programs import Program


def test_each_line_of_the_source_is_shown_with_its_price() -> None:
    agent = Path(__file__).parents[3] / "examples" / "game_agent.py"
    [program] = read_heuristics(agent, ["custom_score_2"]).values()
    assert isinstance(program, Program)
    lines = list(priced_source(agent, program))
    source = agent.read_text().splitlines()
    for line in lines:
        price, _, rest = line.strip().partition(" ns")
        number, _, text = rest.removeprefix("+").strip().partition("  ")
        assert int(price.replace(",", "")) > 0
        assert number == "0" or source[int(number) - 1].rstrip() == text
    assert any("is_loser" in line for line in lines)
