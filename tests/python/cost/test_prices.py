"""The price list: what stands in it, and that it has a version."""

import json
import sys
from hashlib import sha256
from typing import Any

from isolation_fast.cost import (
    BANDS,
    GROWING,
    NODE,
    OF_INSTRUCTIONS,
    OF_SIZES,
    PRICES_VERSION,
    WITH_IMPROVED,
)

# Private to the package, so not imported.
ENGINE: Any = sys.modules["isolation_fast._native"]


def test_the_list_changes_with_its_version_alone() -> None:
    # Results that were counted by other prices are other results: raise `VERSION`, then state the new digest.
    parts = (NODE, WITH_IMPROVED, sorted(OF_INSTRUCTIONS.items()), sorted(OF_SIZES.items()), sorted(GROWING))
    digest = sha256(json.dumps(parts).encode()).hexdigest()[:16]
    assert (PRICES_VERSION, digest) == (1, "069926140d1c785b")


def test_every_instruction_has_a_price() -> None:
    assert list(OF_INSTRUCTIONS) == list(ENGINE.OPCODES)
    assert all(price > 0 for price in (*OF_INSTRUCTIONS.values(), *OF_SIZES.values()))
    assert set(OF_INSTRUCTIONS) > GROWING


def test_a_unit_of_work_is_a_node_with_improved() -> None:
    assert len(WITH_IMPROVED) == len(BANDS)
    assert all(each > NODE for each in WITH_IMPROVED)
