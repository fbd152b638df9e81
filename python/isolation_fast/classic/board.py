"""The board that classic code gets: the engine's, or the reference board where a cost is measured."""

from isolation_fast._native import Board as Board
