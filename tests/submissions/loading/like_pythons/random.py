OWN = 100000


def choice(values):
    return values[0]
