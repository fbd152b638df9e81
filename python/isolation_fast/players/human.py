# ruff: noqa: ARG002, T201
# It lets the person have all the time there is, and talks in the terminal.
"""The player that asks a person, and all that it says to one."""

from collections.abc import Callable
from typing import Any

from isolation_fast.reports import NO_MOVE, Move

__all__ = ["HumanPlayer"]


class HumanPlayer:
    """Shows the board and the numbered moves in the terminal, and answers what the person there chooses.

    In `play_game` no turn of such a game has a time limit; `Board.play` wants one that a person can keep.
    The end of the input (Ctrl-D) gives the game up.

    >>> from isolation_fast import Board
    >>> HumanPlayer().get_move(Board.from_text("1x1 x - - 1"), lambda: 150.0)
    (-1, -1)
    """

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The move that was chosen; `(-1, -1)` where there is none, or when the game is given up."""
        legal_moves: list[Move] = game.get_legal_moves()
        if not legal_moves:
            return NO_MOVE
        try:
            return chosen_in_terminal(game, legal_moves)
        except EOFError:
            print("\nNo more input: the game is given up.")
            return NO_MOVE

    def __repr__(self) -> str:
        return "HumanPlayer()"


def chosen_in_terminal(game: Any, legal_moves: list[Move]) -> Move:
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
