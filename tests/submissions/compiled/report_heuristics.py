"""The heuristics of the five student reports, as students write them: loops, sets, lists and helpers.

Their formulas are those of the native heuristics of these names; here only their Python matters.
"""

import math

DIRECTIONS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]


def _ended(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return None


# ---- report A


def a_lookahead_mobility(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")

    def reach(who):
        moves = game.get_legal_moves(who)
        total = len(moves)
        for row, column in moves:
            for down, right in DIRECTIONS:
                if game.move_is_legal((row + down, column + right)):
                    total += 1
        return total

    return float(reach(player) - reach(game.get_opponent(player)))


def a_mobility_center_distance(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    opponent = game.get_opponent(player)
    own_moves = len(game.get_legal_moves(player))
    opp_moves = len(game.get_legal_moves(opponent))
    w, h = game.width / 2.0, game.height / 2.0
    y, x = game.get_player_location(player)
    oy, ox = game.get_player_location(opponent)
    own_distance = math.sqrt((h - y) ** 2 + (w - x) ** 2)
    opp_distance = ((h - oy) ** 2 + (w - ox) ** 2) ** 0.5
    return float(own_moves - opp_moves + opp_distance - own_distance)


def a_corner_averse_mobility(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    corners = [(0, 0), (0, game.height - 1), (game.width - 1, 0), (game.width - 1, game.height - 1)]
    own = [move for move in game.get_legal_moves(player) if move not in corners]
    opp = [move for move in game.get_legal_moves(game.get_opponent(player)) if move not in corners]
    return float(len(own) - len(opp))


# ---- report B


def weight(game, location):
    x, y = location
    x0 = (game.width + 1) / 2 - 1
    y0 = (game.height + 1) / 2 - 1
    wx = 1 if game.width == 1 else 1 - 0.5 * abs(x - x0) / ((game.width - 1) / 2)
    wy = 1 if game.height == 1 else 1 - 0.5 * abs(y - y0) / ((game.height - 1) / 2)
    return wx * wy


def b_weighted_open(game, player):
    return len(game.get_legal_moves(player)) * weight(game, game.get_player_location(player))


def b_weighted_improved(game, player):
    opponent = game.get_opponent(player)
    own = len(game.get_legal_moves(player)) * weight(game, game.get_player_location(player))
    opp = len(game.get_legal_moves(opponent)) * weight(game, game.get_player_location(opponent))
    return own - opp


def b_weighted_moves(game, player):
    own = sum([weight(game, move) for move in game.get_legal_moves(player)])
    opp = sum(weight(game, move) for move in game.get_legal_moves(game.get_opponent(player)))
    return own - opp


# ---- report C


def stuck(game, player):
    if not game.get_legal_moves(game.get_opponent(player)):
        return float("inf")
    if not game.get_legal_moves(player):
        return float("-inf")
    return 0.0


def from_center(game, location):
    return abs(game.height / 2 - location[0]) + abs(game.width / 2 - location[1])


def c_far_from_center(game, player):
    end = stuck(game, player)
    if end != 0.0:
        return end
    own = game.get_player_location(player)
    opp = game.get_player_location(game.get_opponent(player))
    return from_center(game, own) - from_center(game, opp)


def c_close_to_center(game, player):
    return -c_far_from_center(game, player)


def c_far_from_opponent(game, player):
    end = stuck(game, player)
    if end:
        return end
    own, opp = game.get_player_location(player), game.get_player_location(game.get_opponent(player))
    return float(abs(own[0] - opp[0]) + abs(own[1] - opp[1]))


def c_knight_decay(game, player):
    end = stuck(game, player)
    if end:
        return end

    def decayed(start, ratio=1 / 2):
        distances = {start: 0}
        queue = [start]
        while queue:
            row, column = queue.pop(0)
            for down, right in DIRECTIONS:
                cell = (row + down, column + right)
                if cell in distances or not (0 <= cell[0] < game.height and 0 <= cell[1] < game.width):
                    continue
                distances[cell] = distances[(row, column)] + 1
                queue.append(cell)
        blank = game.get_blank_spaces()
        total = 1.0
        for cell in blank:
            if cell in distances:
                total += ratio ** distances[cell]
        return total

    return decayed(game.get_player_location(player)) - decayed(
        game.get_player_location(game.get_opponent(player))
    )


def c_bfs(game, player):
    end = stuck(game, player)
    if end:
        return end

    def reached(start):
        seen = set([start])
        layer = [start]
        depth, total = 0, 0.0
        while layer:
            total += len(layer) / (1 + depth)
            following = []
            for row, column in layer:
                for down, right in DIRECTIONS:
                    cell = (row + down, column + right)
                    if game.move_is_legal(cell) and cell not in seen:
                        seen.add(cell)
                        following.append(cell)
            layer = following
            depth += 1
        return total

    return reached(game.get_player_location(player)) - reached(
        game.get_player_location(game.get_opponent(player))
    )


# ---- report D


def space(game, player):
    location = game.get_player_location(player)
    if location is None:
        return 0
    row, column = location
    blank = game.get_blank_spaces()
    around = [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    return len([cell for cell in around if cell in blank])


def d_mobility_difference(game, player):
    return len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player)))


def d_space_difference(game, player):
    return space(game, player) - space(game, game.get_opponent(player))


def d_lookahead_space(game, player):
    return max([space(game.forecast_move(move), player) for move in game.get_legal_moves()], default=0)


def continuations(game, player):
    if len(game.get_blank_spaces()) > 9:
        return 0
    count = 0
    for move in game.get_legal_moves():
        after = game.forecast_move(move)
        if not after.is_loser(player):
            count += 1
        count += continuations(after, player)
    return count


def d_continuations(game, player):
    return continuations(game, player)


def longest(game, player, depth):
    best = depth if game.is_winner(player) else 0
    for move in game.get_legal_moves():
        best = max(best, longest(game.forecast_move(move), player, depth + 1))
    return best


def d_longest_win(game, player):
    return longest(game, player, 0) if len(game.get_blank_spaces()) < 10 else 0


def d_blend(game, player):
    q = len(game.get_blank_spaces()) / (game.width * game.height)
    return q * d_mobility_difference(game, player) + d_space_difference(game, player)


def d_staged_continuations(game, player):
    q = float(len(game.get_blank_spaces())) / float(game.width * game.height)
    if q > 0.7:
        return d_mobility_difference(game, player)
    elif q < 0.2:
        return continuations(game, player) - continuations(game, game.get_opponent(player))
    return d_space_difference(game, player)


# ---- report E


def e_aggressive(game, player):
    own_moves = len(game.get_legal_moves(player))
    opp_moves = len(game.get_legal_moves(game.get_opponent(player)))
    return float(own_moves - 2 * opp_moves)


def e_lookahead_ratio(game, player):
    moves = game.get_legal_moves(player)
    if not moves:
        return float("-inf")
    scores = []
    for move in moves:
        after = game.forecast_move(move)
        own = len(after.get_legal_moves(player))
        opp = len(after.get_legal_moves(after.get_opponent(player)))
        if opp == 0:
            return float("inf")
        scores.append(own / opp)
    return sum(scores) / len(scores)


def e_aggressive_open_cluster(game, player):
    score = e_aggressive(game, player)
    cells = game.width * game.height
    blank = game.get_blank_spaces()
    if cells - len(blank) < cells / 5:
        return score
    rows, columns = round(game.height / 2), round(game.width / 2)
    best, center = None, (0, 0)
    for column in range(game.width - columns + 1):
        for row in range(game.height - rows + 1):
            taken = 0
            for i in range(row, row + rows):
                for j in range(column, column + columns):
                    if (i, j) not in blank:
                        taken += 1
            if best is None or taken < best:
                best = taken
                center = (row + rows // 2, column + columns // 2)
    location = game.get_player_location(player)
    distance = abs(location[0] - center[0]) + abs(location[1] - center[1])
    side = game.height + game.width
    return score + (side - distance) / side
