"""The devices on which a seat of a match is open: their number, and how the holder closes the seat on all but one."""

import asyncio
from typing import Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import Seat, State
from projections.redaction import Viewer
from replay.record import sealing
from replay.record.preparation import Preparation
from replay.record.referee import Referee
from replay.record.signing import token_said
from replay.store.store import Store
from server.table.connections import Connections, Listener
from server.table.errors import GrantRefused
from server.table.guests import token_hash
from server.table.seats import Seats
from server.wire.inviting import Devices
from server.wire.protocol import write_message

S = TypeVar("S", bound=State)
RENEWED = 4011
"""The close code of a connection whose token no longer opens the seat."""


class SeatDevices(Generic[S]):
    """Counts the devices of each seat, and gives a seat another token.

    `renewals`: how often a token was replaced here.
    """

    def __init__(self, store: Store, referee: Referee[S], connections: Connections, seats: Seats) -> None:
        self._store, self._referee, self._connections, self._seats = store, referee, connections, seats
        self._preparation = Preparation(referee)
        self._renewing = asyncio.Lock()
        self._told: dict[int, int] = {}
        self.renewals = 0

    def tell(self, newcomer: Listener | None = None) -> None:
        """Send the holders of each seat the number of its devices, if it has changed or is greater than one."""
        for seat in self._connections.here().seats:
            count = self._connections.devices_of(seat)
            listeners = [one for one in self._connections.seeing_as(Viewer(Seat(seat))) if one.guest.role == "seat"]
            if self._told.get(seat, 1) == count:
                listeners = [one for one in listeners if one is newcomer and count > 1]
            self._told[seat] = count
            for listener in listeners:
                listener.send(write_message(Devices(count)))

    async def renew(self, seat: Seat, listener: Listener, token: str, signature: str) -> None:
        """Make another token open the seat from now on, and close every other connection.

        Raises `GrantRefused` if the seat's key has not signed the token, or if another device was first.
        """
        fresh = token_hash(token)
        if not self._preparation.vouches(seat, token_said(sealing.b64(fresh)), signature):
            raise GrantRefused("The seat's key is not on this device; bring it here, or sign with another one first.")
        async with self._renewing:
            held = listener.guest.held
            if held != fresh:
                match = self._referee.match
                if not await asyncio.to_thread(self._store.seats.change_token, match, seat, held, fresh):
                    raise GrantRefused("Another device has closed this one; its link opens the seat no more.")
                self.renewals += 1
            self._connections.renew(listener, fresh)
            self._send_away(seat, fresh)

    async def recognise(self, seat: Seat, listener: Listener) -> bool:
        """Whether the seat has a token that is not known here, because its person has entered the seat by the account
        alone.

        If so, every connection with a former token is closed. Raises the store's errors.
        """
        row = self._seats.row(seat)
        if row is None or row.token_hash == listener.guest.held:
            return False
        # The store knows which of the two tokens is the later one.
        await self.look()
        self.renewals += 1
        return True

    async def look(self) -> None:
        """Close connections whose token was replaced at another server. Raises the store's errors."""
        for row in await asyncio.to_thread(self._store.seats.holders, self._referee.match):
            if row.token_hash:
                self._send_away(Seat(row.seat), row.token_hash)

    def _send_away(self, seat: Seat, held: bytes) -> None:
        row = self._seats.row(seat)
        if row is not None:
            self._seats.enrol(replace(row, token_hash=held))
        for other in list(self._connections.seeing_as(Viewer(seat))):
            if other.guest.role == "seat" and other.guest.held != held:
                other.dismiss(RENEWED)
