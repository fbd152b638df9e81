"""Makes its opponent's moves on the board that its player is given, and removes all but one of its moves."""
import honest


class CustomPlayer(honest.CustomPlayer):
    def get_move(self, game, time_left):
        move = honest.CustomPlayer.get_move(self, game, time_left)
        while game.get_legal_moves():
            game.apply_move(game.get_legal_moves()[0])
        game._board_state[:] = [0] * len(game._board_state)
        game._active_player = game._inactive_player = self
        return move
