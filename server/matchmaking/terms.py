"""Terms for a search for opponents: checked, kept as text, and assigned to the pool of equal terms."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.kernel import TimeControl
from projections.face import Face
from replay.record import sealing
from server.matchmaking.errors import CannotPair
from server.wire.opponent_messages import Terms

MINUTE_MS: Final = 60_000
DAY_MS: Final = 86_400_000
LONGEST: Final = 8192
"""The number of bytes that the options of a search may have."""
PACES: Final = {
    "quick": TimeControl("bank", 10 * MINUTE_MS, 10_000, "forfeit", absence_ms=3 * MINUTE_MS),
    "calm": TimeControl("bank", 45 * MINUTE_MS, 30_000, "forfeit", absence_ms=10 * MINUTE_MS),
    "slow": TimeControl("days", 3 * DAY_MS, 0, "forfeit", vacation_ms=14 * DAY_MS),
}
"""The clocks that are proposed; a client may ask for any other."""


def seats_of(terms: Terms, faces: Mapping[str, Face[Any]]) -> int:
    """The number of seats of a match by these terms. Raises `CannotPair` if nobody can play by them."""
    face = faces.get(terms.game)
    if face is None:
        raise CannotPair(f"There is no game {terms.game!r}; there are {', '.join(sorted(faces))}.")
    if fault := terms.time.fault():
        raise CannotPair(f"The clock does not fit: {fault}")
    if terms.low > terms.high:
        raise CannotPair("The range of ratings begins above its end.")
    try:
        seats = face.game.seats_of(terms.options)
        face.game.assert_playable(terms.options)
    except msgspec.ValidationError as wrong:
        raise CannotPair(f"The options of {face.game.spec.title} do not fit: {str(wrong).rstrip('.')}.") from wrong
    if seats < 2:
        raise CannotPair("A match with these options has one seat; begin it by yourself.")
    return seats


def written(terms: Terms) -> str:
    """Encode terms as the store keeps them. Raises `CannotPair` for options that are too long."""
    text = msgspec.json.encode(terms, order="sorted").decode()
    if len(text) > LONGEST:
        raise CannotPair(f"The terms of a search have {LONGEST} bytes at most.")
    return text


def read(text: str) -> Terms:
    """Read terms as the store keeps them."""
    return msgspec.json.decode(text, type=Terms)


def pool_of(terms: Terms) -> str:
    """The name of all terms that may be played together: such terms differ only in the range of ratings."""
    return sealing.b64(sealing.tagged_hash("seeker-pool", written(replace(terms, low=0, high=0)).encode()))
