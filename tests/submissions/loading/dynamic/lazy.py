from helpers import LOADED
