from copy import copy, deepcopy

from isolation import Board


class CounterBoard(Board):
    made = 0

    def copy(self):
        CounterBoard.made += 1
        twin = CounterBoard(self.__player_1__, self.__player_2__, width=self.width, height=self.height)
        twin.move_count = self.move_count
        twin.__active_player__ = self.__active_player__
        twin.__inactive_player__ = self.__inactive_player__
        twin.__last_player_move__ = copy(self.__last_player_move__)
        twin.__player_symbols__ = copy(self.__player_symbols__)
        twin.__board_state__ = deepcopy(self.__board_state__)
        return twin


def custom_score(game, player):
    board = CounterBoard(game.__player_1__, game.__player_2__, 9, 8)
    CounterBoard.made = 0
    for move in [(3, 3), (0, 0), (1, 2), (2, 1)]:
        board = board.forecast_move(move)
    ones = sum(row.count(1) for row in board.__board_state__)
    return CounterBoard.made + 10 * len(board.get_legal_moves(player)) + ones / 10
