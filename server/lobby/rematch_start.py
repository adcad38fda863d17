"""A rematch begins at the server of the first seat, once everybody at the ended match wants it."""

import logging
from collections.abc import Mapping
from typing import Any

from replay.record import sealing
from replay.store.errors import MatchExists
from replay.store.store import Store
from server.errors import ServerError, place_of
from server.lobby.connection_limits import ConnectionLimits
from server.lobby.match_factory import MatchFactory
from server.lobby.presence_exchange import PresenceExchange
from server.lobby.rematch_votes import once_more
from server.table.live_match import LiveMatch
from server.table.placement import Placement
from server.wire.protocol import Error, write_message

LOG = logging.getLogger(__name__)
LATER = "The match could not begin now; ask for it once more."


class RematchStart:
    """Begins rematches. `limits`: a rematch counts as a match that the address creates."""

    def __init__(
        self,
        store: Store,
        factory: MatchFactory,
        presence: PresenceExchange,
        limits: ConnectionLimits,
        placement: Placement,
    ) -> None:
        self._store, self._factory, self._presence = store, factory, presence
        self._limits, self._placement, self._votes = limits, placement, presence.rematches

    def asked(self, live_match: LiveMatch[Any]) -> tuple[int, ...]:
        """The seats that would like a rematch."""
        return self._votes.asked(live_match)

    async def ask(self, live_match: LiveMatch[Any], seat: int, address: str, *, on: bool) -> None:
        """Note that a seat would like a rematch, or no longer would.

        Raises `CannotCreate` if the match cannot be played again, and `TooOften` if the address creates too many
        matches.
        """
        await self._presence.look((live_match.match,))
        await self._votes.wish(live_match, seat, address, on=on)
        self._presence.changed(live_match.match)
        if self._votes.asker(live_match) is None:
            self._votes.tell(live_match)
        else:
            await self._begin(live_match, seat, address)

    async def news(self, live_match: LiveMatch[Any]) -> None:
        """Apply other servers' news: inform the seats, and begin the rematch if this server has to do so."""
        if not live_match.is_over:
            return
        await self._votes.take_in(live_match)
        self._presence.changed(live_match.match)
        seat = self._votes.asker(live_match)
        if seat is None:
            return
        try:
            await self._begin(live_match, seat, self._votes.address_of(live_match, seat))
        except Exception as wrong:
            LOG.warning("match %s cannot be played once more: %s", live_match.match, place_of(wrong))
            code, why = (wrong.code, str(wrong)) if isinstance(wrong, ServerError) else ("try-again", LATER)
            for listener in list(live_match.connections):
                if listener.guest.role == "seat" and listener.guest.viewer.seat == seat:
                    listener.send(write_message(Error(code, why)))
            self._votes.tell(live_match)

    async def _begin(self, live_match: LiveMatch[Any], seat: int, address: str) -> None:
        """Begin the match. If the first seat asked two servers at once, both servers call this, and the store lets only
        one of them create the match.
        """
        occasion = self._votes.occasion(live_match)
        held, hashes = self._votes.take(live_match)
        mid = self._placement.new_match_id(occasion)
        try:
            self._limits.assert_may_create(address)
            used = await self._made(live_match, hashes, mid)
        except BaseException:
            self._votes.refused(live_match, held, seat)
            raise
        finally:
            self._presence.changed(live_match.match)
        self._votes.begun(live_match, sealing.b64(mid), held, used)

    async def _made(self, live_match: LiveMatch[Any], hashes: Mapping[int, bytes], mid: bytes) -> set[bytes]:
        """Make the match unless it exists; returns the hashes of the tokens that open it."""
        try:
            await self._factory.create(await once_more(self._store, live_match), hashes=hashes, mid=mid)
        except MatchExists:
            return await self._votes.used_in(sealing.b64(mid))
        return set(hashes.values())
