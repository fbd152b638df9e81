# ruff: noqa: T201
# It talks in the terminal.
"""A player at the terminal: the board is shown, and a number is typed."""

from typing import Any


def chosen_in_terminal(game: Any, legal_moves: list[tuple[int, int]]) -> tuple[int, int]:
    """Show the board and the numbered moves, and ask until one of the numbers is typed.

    The end of the input is an EOFError; what it means is for the caller to say.
    """
    print(game.to_string())
    print("\t".join(f"[{number}] {move}" for number, move in enumerate(legal_moves)))
    while True:
        try:
            number = int(input("Select move index:"))
        except ValueError:
            print("Invalid index! Try again.")
            continue
        if 0 <= number < len(legal_moves):
            return legal_moves[number]
        print("Illegal move! Try again.")
