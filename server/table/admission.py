"""Admission to one match: connections that enter and leave, views that seats share, and chat."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec.structs import replace

from domain.kernel import Seat, State
from projections.redaction import Viewer
from replay.store.seats import WatchRow
from replay.store.store import Store
from server.table.chat import ROOMS, ChatRooms, room_of
from server.table.clocks import now_ms
from server.table.connections import Connections, Listener
from server.table.devices import SeatDevices
from server.table.errors import GrantRefused
from server.table.guests import DIRECTED, GRANTS, new_token, token_hash
from server.table.shared_presence import Elsewhere, ServerPresence
from server.table.table_state import TableState
from server.table.visible_head import VisibleHead
from server.wire.protocol import ChatLine, Presence, Said, write_message

S = TypeVar("S", bound=State)
Changed = Callable[[], None]


class Admission(Generic[S]):
    """Admits listeners to the connections of a match, removes them, and reports the presence."""

    def __init__(
        self,
        store: Store,
        match: str,
        connections: Connections,
        chat: ChatRooms,
        visible_head: VisibleHead[S],
        table_state: TableState[S],
        devices: SeatDevices[S],
        changed: Changed | None = None,
    ) -> None:
        """`changed`: called when there is news for other servers; None if there are no other servers."""
        self._store, self._match, self._changed = store, match, changed
        self._connections, self._chat, self._visible_head, self._table_state = (
            connections,
            chat,
            visible_head,
            table_state,
        )
        self._devices = devices
        self._lending = asyncio.Lock()
        self._lent: frozenset[WatchRow] = frozenset()
        self._lendings = 0
        self._shown: dict[Viewer, Presence] = {}
        """The last presence message for each kind of viewer; the messages for all kinds are sent at the same time."""

    def enter(self, listener: Listener) -> None:
        """Add a connection to those that watch."""
        if not self.has_casters:
            self._lent = frozenset()  # nobody has checked in the meantime which views are shared
        self._connections.enter(listener)
        if listener.guest.role == "spectator":
            listener.send(write_message(self.presence_for(listener.guest.viewer)))
        else:
            self.tell_presence()
            self._devices.tell(listener)

    def leave(self, listener: Listener) -> None:
        """Remove a connection from those that watch."""
        self._connections.leave(listener)
        if listener.guest.role != "spectator":
            self.tell_presence()
            self._devices.tell()

    def presence_for(self, viewer: Viewer) -> Presence:
        """The part of the presence last sent that a viewer may know."""
        # The presence that was last sent is reused: counting it for each of a thousand simultaneous arrivals is slow.
        presence = self._connections.told
        return replace(presence, seats=(), thinking=()) if self._visible_head.is_behind(viewer) else presence

    def tell_presence(self) -> None:
        """Send everybody the presence; delayed viewers get it at the next regular check of this match.

        Any frame sent now would show delayed viewers that something is happening.
        """
        self._table_state.present(self._connections.tell().seats)
        for viewer in self._connections.groups:
            if not self._visible_head.is_behind(viewer):
                self._tell_presence(viewer)
        self.tell_others()

    def _tell_presence(self, viewer: Viewer) -> None:
        told = self._shown[viewer] = self.presence_for(viewer)
        frame = write_message(told)
        for listener in self._connections.seeing_as(viewer):
            listener.send(frame)

    def tell_others(self) -> None:
        """Inform other servers soon that there is news."""
        if self._changed is not None:
            self._changed()

    def attendance(self) -> ServerPresence:
        """The presence for other servers."""
        return replace(
            self._connections.here(), said=dict(self._chat.told), lent=self._lendings, renewed=self._devices.renewals
        )

    async def take_in(self, elsewhere: Elsewhere) -> None:
        """Apply the presence that all other servers report now. Raises the store's errors."""
        before = self._connections.take_in(elsewhere)
        self.look_round()
        for room in ROOMS.values():
            last = max((there.said.get(room, 0) for there in elsewhere.values()), default=0)
            self._tell_said(room, await self._chat.unheard(room, last))
        lent = {server: there.lent for server, there in before.items()}
        if any(there.lent != lent.get(server, 0) for server, there in elsewhere.items()):
            await self.look_at_grants()
        self._devices.tell()
        renewed = {server: there.renewed for server, there in before.items()}
        if any(there.renewed != renewed.get(server, 0) for server, there in elsewhere.items()):
            await self._devices.look()

    async def renew(self, seat: Seat, listener: Listener, token: str, signature: str) -> None:
        """Make another token open the seat from now on; only this connection stays.

        Raises `GrantRefused`, as `Devices` does.
        """
        await self._devices.renew(seat, listener, token, signature)
        self.tell_others()

    async def recognise(self, listener: Listener) -> None:
        """Close a seat's connections whose token was replaced elsewhere. Raises the store's errors."""
        seat = listener.guest.viewer.seat
        if listener.guest.role == "seat" and seat is not None and await self._devices.recognise(seat, listener):
            self.tell_others()

    def look_round(self) -> None:
        """Send the presence if anybody has arrived or left."""
        if self._connections.presence() != self._connections.told:
            self.tell_presence()
        for viewer in self._visible_head.behind:
            if self._connections.seeing_as(viewer) and self.presence_for(viewer) != self._shown.get(viewer):
                self._tell_presence(viewer)

    def think(self, seat: Seat, *, begins: bool) -> None:
        """Inform everybody that a bot has begun a long computation, or is done."""
        before = set(self._connections.thinking)
        (self._connections.thinking.add if begins else self._connections.thinking.discard)(seat)
        if self._connections.thinking != before:
            self.tell_presence()

    async def grant(self, seat: Seat, *, directs: bool = False) -> str:
        """A token whose holder sees the seat's view, or directs. Raises `GrantRefused` if the seat cannot give one."""
        number = seat + DIRECTED if directs else seat
        async with self._lending:
            if self._connections.shared.get(number, 0) >= GRANTS:
                raise GrantRefused(f"{GRANTS} people may do so by this seat's leave already; revoke theirs first.")
            token = new_token()
            self._connections.share(number)
            try:
                await asyncio.to_thread(self._store.seats.grant, self._match, WatchRow(number, token_hash(token)))
            except BaseException:
                self._connections.take_back(number)
                raise
            self._lendings += 1
            self.tell_presence()
            return token

    async def revoke(self, seat: Seat) -> None:
        """End all sharing of the seat's view, and all directing that the seat allows."""
        numbers = (seat, seat + DIRECTED)
        async with self._lending:
            for number in numbers:
                await asyncio.to_thread(self._store.seats.revoke, self._match, number)
                self._connections.unshare(number)
            self._lent = frozenset(row for row in self._lent if row.seat not in numbers)
            self._lendings += 1
            self.tell_presence()

    @property
    def has_casters(self) -> bool:
        """Whether somebody watches the seat's view, or directs with the seat's permission."""
        return any(listener.guest.grant is not None for listener in self._connections)

    async def look_at_grants(self) -> None:
        """Read which seats share their view, and close casters whose token was revoked at another server.

        Raises the store's errors.
        """
        async with self._lending:
            rows = frozenset(await asyncio.to_thread(self._store.seats.watchers, self._match))
            watched = {one.guest.grant for one in self._connections}
            taken_back = {row.seat for row in self._lent - rows} | watched - {row.seat for row in rows}
            self._lent = rows
            for seat in watched & taken_back:
                if seat is not None:
                    self._connections.unshare(seat)
            self._connections.share_anew(row.seat for row in rows)
            self.look_round()

    async def say(self, listener: Listener, text: str) -> None:
        """Write a guest's line of chat to the guest's own chat room.

        Raises `ChatRefused` if the line is not allowed.
        """
        room = room_of(listener.guest)
        line = await self._chat.say(room, listener.who, listener.name, text, now_ms())
        self._tell_said(room, (line,) if self._changed is None else await self._chat.news(room, line))
        self.tell_others()

    def _tell_said(self, room: str, lines: tuple[ChatLine, ...]) -> None:
        for line in lines:
            frame = write_message(Said((line,)))
            for other in self._connections:
                if room_of(other.guest) == room:
                    other.hear(line, frame)
