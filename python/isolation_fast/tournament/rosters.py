"""The opponents that the course's tournaments have, by the name of the roster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["ROSTERS"]

ROSTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "classic": ("Random", "MM_Open", "MM_Center", "MM_Improved", "AB_Open", "AB_Center", "AB_Improved"),
    "early": (
        "Random",
        "MM_Null",
        "MM_Open",
        "MM_Improved",
        "AB_Null=AB:null@depth=5",
        "AB_Open=AB:open@depth=5",
        "AB_Improved=AB:improved@depth=5",
    ),
}
"""Players by the name of the roster, in the order of the course's table.

Minimax players look three moves ahead. The alpha-beta players of `classic` have the tournament's budget, as
they had the turn's time in the course; those of `early` look five moves ahead.

>>> ROSTERS["classic"][0], ROSTERS["early"][-1]
('Random', 'AB_Improved=AB:improved@depth=5')
"""
