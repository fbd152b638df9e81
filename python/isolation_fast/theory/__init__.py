"""The theory of the game: who wins on which board where both players place their knights freely.

>>> from isolation_fast.theory import prove
>>> print(prove(4, 7, replies="every"))
4x7: player 2 wins; player 1 wins 364 openings, player 2 392, of which 0 are exceptions to the colour rule
"""

from isolation_fast.theory.certificate import certificate
from isolation_fast.theory.openings import FirstPlacement, Opening, Theory
from isolation_fast.theory.proving import ProofProgress, prove

__all__ = [
    "FirstPlacement",
    "Opening",
    "ProofProgress",
    "Theory",
    "certificate",
    "prove",
]
