"""Says that it equals every other player, and so is the winner."""
import honest


class CustomPlayer(honest.CustomPlayer):
    def get_move(self, game, time_left):
        return (99, 99)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0
