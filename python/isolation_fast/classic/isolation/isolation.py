"""What `import isolation.isolation` gives in classic code: the `Board`, and the names beside it there."""

# Code that says `from isolation.isolation import *` has these three from here.
import random as random
import timeit as timeit
from copy import copy as copy

from isolation_fast.classic.board import Board as Board

TIME_LIMIT_MILLIS = 150
