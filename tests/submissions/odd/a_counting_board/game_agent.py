from copy import copy

from isolation import Board


class CounterBoard(Board):
    forecasts = 0

    def copy(self):
        twin = CounterBoard(self._player_1, self._player_2, width=self.width, height=self.height)
        twin.move_count = self.move_count
        twin._active_player, twin._inactive_player = self._active_player, self._inactive_player
        twin._board_state = copy(self._board_state)
        return twin

    def forecast_move(self, move):
        CounterBoard.forecasts += 1
        return super().forecast_move(move)


def custom_score(game, player):
    board = CounterBoard(game._player_1, game._player_2, 101, 101)
    CounterBoard.forecasts = 0
    for move in [(50, 50), (100, 99)]:
        board.apply_move(move)
    for move in board.get_legal_moves():
        after = board.forecast_move(move)
        leaves = [after.forecast_move(reply) for reply in after.get_legal_moves()]
        assert all(type(leaf) is CounterBoard and leaf.move_count == 4 for leaf in leaves)
    return CounterBoard.forecasts + len(board.get_legal_moves(player)) / 10
