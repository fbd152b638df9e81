"""Raises an error of a class that fails at everything that one may ask it."""


def wrong():
    class Kind(type(Exception)):
        def __getattribute__(cls, name):
            raise SystemExit(name)

    class Wrong(BaseException, metaclass=Kind):
        def __getattribute__(self, name):
            raise KeyboardInterrupt(name)

        def __str__(self):
            raise SystemExit(0)

        __repr__ = __hash__ = __eq__ = __str__

    return Wrong


def custom_score(game, player):
    raise wrong()
