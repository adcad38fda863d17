"""The key chain of public dice: every key follows from the one above it, in whatever order keys are asked for."""

import random

import pytest

from replay.record import sealing
from replay.record.errors import ChainSpent
from replay.record.keychain import STRIDE, KeyChain

LAST = bytes(range(32))


def straight(length: int) -> list[bytes]:
    """k_0 to k_N, each made from the one above it."""
    keys = [LAST]
    for _ in range(length):
        keys.append(sealing.chained(keys[-1], 1))
    return keys[::-1]


@pytest.mark.parametrize("length", [1, 2, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE + 1, 300])
def test_record_4_keys_are_the_same_whichever_is_asked_for_first(length: int) -> None:
    expected, chain = straight(length), KeyChain(LAST, length)
    assert chain.anchor == expected[0]
    numbers = [*range(length + 1), *range(length, -1, -1), *random.choices(range(length + 1), k=50)]
    assert [chain.key(number) for number in numbers] == [expected[number] for number in numbers]


def test_record_4_a_chain_has_no_key_beyond_its_end() -> None:
    chain = KeyChain(LAST, 3)
    assert chain.key(3) == LAST
    with pytest.raises(ChainSpent, match="draw 4 of 3"):
        chain.key(4)
