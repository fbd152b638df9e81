def custom_score(game, player):
    me = "1" if player == game._player_1 else "2"
    for row, line in enumerate(game.to_string().split("\n\r")[1:]):
        cells = [c.strip() for c in line.split("|")[1:-1]]
        if me in cells:
            return 10.0 * row + cells.index(me) + cells.count("-") / 10
    return -1.0


def custom_score_2(game, player):
    text = game.to_string(symbols=["A", "Z"])
    return len(text) + text.count("-") / 10 + (text == game.to_string(["A", "Z"])) + ("A" in text) * 1000


def custom_score_3(game, player):
    return game.print_board().count(" | ")
