"""Keys under which a signature would prove nothing are refused."""

import pytest
from nacl.signing import SigningKey

from domain.kernel import Seat
from replay.record import sealing
from replay.record.ed25519 import is_public_key
from replay.record.errors import SeatRefused
from replay.record.preparation import Preparation
from replay.store.memory import MemoryStore
from tests.replay.matches import START, created

P = 2**255 - 19
LOW_ORDER = [
    number.to_bytes(32, "little")
    for number in (
        0,
        1,
        P - 1,
        P,
        P + 1,
        2**255,
        2**255 + 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    )
]
"""Points of order 1, 2, 4 and 8, some in other spellings (RFC 7748, 7; Chalkias and others 2020, table 1)."""


@pytest.mark.parametrize("key", [*LOW_ORDER, b"\xff" * 32, b"\x02" + bytes(31)], ids=lambda key: key.hex()[:12])
def test_record_5_a_key_of_low_order_or_off_the_curve_takes_no_seat(key: bytes) -> None:
    assert not is_public_key(key)
    with pytest.raises(SeatRefused, match="of the whole order"):
        Preparation(created(MemoryStore())).take_seat(Seat(0), "Ada", "person", START, sealing.b64(key))


def test_record_5_a_key_that_was_made_takes_a_seat() -> None:
    for seed in range(20):
        key = bytes(SigningKey(bytes([seed]) * 32).verify_key)
        assert is_public_key(key)
        Preparation(created(MemoryStore())).take_seat(Seat(0), "Ada", "person", START, sealing.b64(key))
