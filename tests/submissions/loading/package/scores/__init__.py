from .moves import open_moves
from . import deep

SCALE = 1.0
