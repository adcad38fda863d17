"""Admits clients to a match: by a token, or by taking an open seat."""

import asyncio
from contextlib import suppress
from typing import Any, Final

from replay.store.errors import NoSuchMatch
from replay.store.matches import Header
from replay.store.seats import SeatRow
from replay.store.store import Store
from server.lobby.match_list import MatchList
from server.lobby.match_registry import MatchRegistry
from server.lobby.presence_exchange import PresenceExchange
from server.table.errors import CannotSit
from server.table.guests import REFUSAL, Guest, identify, new_token, token_hash
from server.table.live_match import LiveMatch
from server.table.seating import nameless
from server.wire.errors import NotAdmitted
from server.wire.protocol import Hello, Join, Joined, ListTurns, Turn, Turns
from server.wire.text import visible

NO_OPEN_CARDS: Final = "The players of this match have not agreed to open cards; watch it as a spectator."


class MatchEntry:
    """Admits clients to matches, and seats those who join."""

    def __init__(self, store: Store, registry: MatchRegistry, listing: MatchList, presence: PresenceExchange) -> None:
        self._store, self._registry, self._listing, self._presence = store, registry, listing, presence

    async def admit(self, hello: Hello) -> tuple[LiveMatch[Any], Guest]:
        """The match, and the client's role in it.

        Raises `NotAdmitted`, without the reason, if the client may not enter.
        """
        header, guest = await asyncio.to_thread(identify, self._store, hello)
        await self._registry.fold(header)
        live_match = self._registry.live_match(header.match)
        if guest.viewer.sees_hands and live_match.open_cards is None:
            raise NotAdmitted(NO_OPEN_CARDS)
        await live_match.refresh()
        if self._registry.is_elsewhere(live_match):
            await self._presence.look((header.match,))
        if guest.role == "seat" and guest.viewer.seat is not None and live_match.seating.is_awaited(guest.viewer.seat):
            await self._welcome(live_match, guest.viewer.seat, hello)
        return live_match, guest

    async def _welcome(self, live_match: LiveMatch[Any], seat: int, hello: Hello) -> None:
        """Seat a player who opens a friend's link for the first time, under the name in the hello."""
        kept = live_match.seats.row(seat)
        given = visible(hello.name) or (kept.name if kept is not None else "") or nameless(seat)
        name = live_match.seating.free_name(given, seat)
        row = SeatRow(seat, name, "person", "", token_hash(hello.token))
        # The hello was sent twice at once, or the disk is full; the next hello tries again.
        with suppress(CannotSit), live_match.connections.coming(seat):
            await live_match.seating.sit(seat, name, "person", row, key=hello.key)
        self._listing.forget()

    async def join(self, wish: Join) -> Joined:
        """Take an open seat. Raises `CannotSit` if the seat is taken, and `NotAdmitted` if there is no such match."""
        try:
            closed = (await asyncio.to_thread(self._store.header, wish.match)).closed
        except NoSuchMatch:
            closed = True
        if closed:  # a closed match has no open seats, and to everybody but its players it does not exist
            raise NotAdmitted(REFUSAL)
        live_match = await self._registry.open(wish.match)
        token = wish.token or new_token()
        if wish.token and await self._holds(wish):
            return Joined(wish.match, wish.seat, token)
        if not live_match.seating.is_open(wish.seat):
            raise CannotSit("This seat is not open; take another one, or watch.")
        name = visible(wish.name) or live_match.seating.free_name(nameless(wish.seat), wish.seat)
        row = SeatRow(wish.seat, name, "person", "", token_hash(token))
        with live_match.connections.coming(wish.seat):
            await live_match.seating.sit(wish.seat, name, "person", row, key=wish.key, entropy=wish.entropy)
        self._listing.forget()
        return Joined(wish.match, wish.seat, token)

    async def _holds(self, wish: Join) -> bool:
        """Whether the client already holds the seat, because an earlier answer was lost."""
        rows = await asyncio.to_thread(self._store.seats.holders, wish.match)
        return any(row.seat == wish.seat and row.token_hash == token_hash(wish.token) for row in rows)

    async def turns(self, wish: ListTurns) -> tuple[Turns, tuple[str, ...]]:
        """Two lists: those of the matches in which it is the holder's move; and those, as the client named them, whose
        token opens nothing.
        """
        found: list[Turn] = []
        strange: list[str] = []
        for held, known in zip(wish.seats, await asyncio.to_thread(self._identify_all, wish), strict=True):
            if known is None:
                strange.append(held.match)
                continue
            header, guest = known
            seat = guest.viewer.seat
            if guest.role == "seat" and seat is not None and header.status != "finished":
                # Every open start page asks repeatedly; live matches continue while a match is folded.
                await self._registry.fold(header)
                found.append(self._registry.live_match(header.match).reminders.turn(seat))
        return Turns(tuple(found)), tuple(strange)

    def _identify_all(self, wish: ListTurns) -> list[tuple[Header, Guest] | None]:
        found: list[tuple[Header, Guest] | None] = []
        for held in wish.seats:
            try:
                found.append(identify(self._store, Hello(held.match, held.token)))
            except NotAdmitted:
                found.append(None)
        return found
