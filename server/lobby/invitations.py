"""Invitations: each opens one seat once, to the first person who sits down with it, under a new token of that
person.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from projections.redaction import SPECTATOR
from replay.files.export import created
from replay.store.seats import SeatRow
from server.lobby.lobby import Lobby
from server.table.errors import CannotSit
from server.table.guests import (
    NOT_OPEN,
    Invitation,
    OpenedSeat,
    find_offered,
    invitation_hash,
    new_token,
    token_hash,
)
from server.table.seating import nameless
from server.table.views import ViewAnswers
from server.wire.errors import NotAdmitted
from server.wire.inviting import Invited, InvitedSeat, ReadInvitation, Withdraw, Withdrawn
from server.wire.protocol import Join, Joined, TableInfo
from server.wire.text import visible

ENDED: Final = "This invitation has ended; ask whoever sent it for another one."


async def describe(lobby: Lobby, wish: ReadInvitation) -> Invited:
    """The match and the seat that an invitation offers. Raises `NotAdmitted` if it opens nothing."""
    offered = await _offered(lobby, wish.match, wish.invitation)
    live_match = await lobby.registry.open(offered.header.match)
    await live_match.refresh()
    first = await asyncio.to_thread(created, lobby.store, live_match.match)
    said = Invitation.read(wish.invitation)
    seats = tuple(
        InvitedSeat(one.seat, one.name, one.kind, live_match.seating.is_awaited(one.seat))
        for one in live_match.views.seats(SPECTATOR)
    )
    return Invited(
        live_match.match,
        offered.header.game,
        offered.header.title or live_match.face.game.spec.title,
        offered.row.seat,
        seats,
        first.options,
        _table(live_match.views).time,
        None if said is None else said.by,
        0 if said is None else said.until_ms,
        first.hints,
        offered.header.closed,
        wish.id,
        rated=first.rated,
        open_cards=first.open_cards,
    )


def _table(views: ViewAnswers[Any]) -> TableInfo:
    return views.times_for(SPECTATOR).table or TableInfo()


async def _offered(lobby: Lobby, match: str, invitation: str, token: str = "") -> OpenedSeat:
    """The seat that an invitation opens now. Raises `NotAdmitted` if it opens none."""
    offered = await asyncio.to_thread(find_offered, lobby.store, match, invitation, token)
    said = Invitation.read(invitation)
    if not offered.is_used and said is not None and said.until_ms <= lobby.registry.now_ms:
        raise NotAdmitted(ENDED)
    return offered


async def redeem(lobby: Lobby, wish: Join) -> Joined:
    """Sit down with an invitation, which opens nothing afterwards.

    Raises `CannotSit` if the seat is taken, and `NotAdmitted` if the invitation opens nothing.

    The seat's new token is written in one transaction with the line that names the seat's holder. After a lost answer
    or a killed server, a client that asks again with the same token is therefore told that it already has the seat.
    """
    token = wish.token or new_token()
    offered = await _offered(lobby, wish.match, wish.invitation, token)
    if not offered.is_used:
        await _sit(lobby, wish, offered, token)
    return Joined(wish.match, offered.row.seat, token, wish.id)


async def _sit(lobby: Lobby, wish: Join, offered: OpenedSeat, token: str) -> None:
    seat, store = offered.row.seat, lobby.store
    live_match = await lobby.registry.open(wish.match)
    await live_match.refresh()
    name = visible(wish.name) or live_match.seating.free_name(offered.row.name or nameless(seat), seat)
    row = SeatRow(seat, name, "person", "", token_hash(token))
    try:
        with live_match.connections.coming(seat):
            await live_match.seating.sit(seat, name, "person", row, key=wish.key, entropy=wish.entropy)
    except CannotSit:
        rows = await asyncio.to_thread(store.seats.holders, wish.match)
        if row not in rows:
            raise
    lobby.listing.forget()


async def withdraw(lobby: Lobby, wish: Withdraw) -> Withdrawn:
    """Void an invitation, and replace it by a new one. Raises `NotAdmitted` if it opens nothing."""
    said, store = Invitation.read(wish.invitation), lobby.store
    fresh = Invitation.new(None if said is None else said.by, lobby.registry.now_ms, wish.next)
    for asked_before in (fresh, replace(fresh, day=fresh.day - 1)):
        with suppress(NotAdmitted):
            offered = await asyncio.to_thread(find_offered, lobby.store, wish.match, asked_before.text)
            return Withdrawn(wish.match, offered.row.seat, asked_before.text, wish.id)
    offered = await asyncio.to_thread(find_offered, lobby.store, wish.match, wish.invitation)
    seat, former = offered.row.seat, offered.row.token_hash
    if not await asyncio.to_thread(store.seats.change_token, wish.match, seat, former, invitation_hash(fresh.text)):
        raise NotAdmitted(NOT_OPEN)
    return Withdrawn(wish.match, seat, fresh.text, wish.id)
