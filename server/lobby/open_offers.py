"""Open matches as offers: whether anybody may still take a seat in them."""

from typing import Any, Final

from replay.store.matches import Header
from replay.store.seats import SeatRow
from replay.store.store import Store
from server.matchmaking.match_terms import OpenTerms
from server.table.live_match import LiveMatch
from server.table.shared_presence import read

WAITS_MS: Final = 10 * 60_000
"""How long a match is offered after its last line while none of its players is connected."""
WAITS_SLOWLY_MS: Final = 7 * 86_400_000
"""How long a match with days for each move is offered in the same case; its players are often away."""


def can_be_taken(rows: tuple[SeatRow, ...]) -> bool:
    """Whether anybody may take a seat: it has no holder, and it is not reserved for somebody."""
    return any(not row.kind and not row.token_hash for row in rows)


def is_alive(
    header: Header, terms: OpenTerms, live_match: LiveMatch[Any] | None, now_ms: int, *, is_attended: bool
) -> bool:
    """Whether an open match can still begin: one of its players is connected, or was connected recently.

    `is_attended`: whether another server has reported that a player is connected.
    """
    waits = WAITS_SLOWLY_MS if terms.time.kind == "days" else WAITS_MS
    if is_attended or now_ms - header.changed_ms < waits:
        return True
    return live_match is not None and any(one.guest.role == "seat" for one in live_match.connections)


def attended(store: Store, since_ms: int, matches: list[str]) -> frozenset[str]:
    """Those of the given matches at which other servers have seen a seat's holder."""
    told = store.presence.announced(since_ms, matches) if matches else ()
    return frozenset(match for match, _, words in told if read(words).seats)
