"""Invitations from one person to another: a match with a seat that is kept for the invited person."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from projections.face import Face
from replay.record import sealing
from replay.store.side_tables.opponents import InvitationRow
from replay.store.side_tables.people import NoticeRow
from replay.store.store import Store
from server.matchmaking.choice import MayMeet
from server.matchmaking.errors import CannotPair
from server.matchmaking.match_terms import terms_of
from server.matchmaking.searches import Make, create_by
from server.matchmaking.terms import seats_of
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.people.profiles import Profiles
from server.people.seat_entry import SeatEntry
from server.table.guests import new_token, token_hash
from server.table.placement import Placement
from server.wire.account_messages import InvitationTold
from server.wire.opponent_messages import AnswerInvitation, InvitePerson, PersonInvited
from server.wire.protocol import Create, SeatWish
from server.wire.text import skeleton

RECEIVED: Final = 100
"""The most invitations that one person may have received; it is higher than the number that one person may send."""
ID_BYTES: Final = 12
NOBODY: Final = "You can invite nobody by this handle."
OVER: Final = "This invitation is over: it was answered, withdrawn, or too old."


class PersonInvitations:
    """The invitations in a store. `make`: makes a match; `once_more`: makes a match that repeats another."""

    def __init__(
        self,
        store: Store,
        faces: Mapping[str, Face[Any]],
        profiles: Profiles,
        make: Make,
        once_more: Callable[[str], Awaitable[Create]],
        now: Callable[[], int],
        placement: Placement,
        may_meet: MayMeet,
        intervals: Intervals = INTERVALS,
        bounds: Bounds = BOUNDS,
    ) -> None:
        self._lasts_ms, self._most = intervals.invited_ms, bounds.invitations
        self._store, self._faces, self._profiles, self._make = store, faces, profiles, make
        self._entry = SeatEntry(store)
        self._once_more, self._now, self._placement, self._may_meet = once_more, now, placement, may_meet

    async def invite(self, person: str, wish: InvitePerson) -> PersonInvited:
        """Invite a person.

        Raises `CannotPair` or `CannotCreate` if it cannot be played, and `StoreFailed` if the store fails.
        """
        if wish.again:
            receiver, seat = await asyncio.to_thread(self._opponent, person, wish.again)
            create = await self._once_more(wish.again)
        else:
            receiver, seat = await asyncio.to_thread(self._found, person, wish.handle), wish.seat
            seats = seats_of(wish.terms, self._faces)
            create = create_by(wish.terms, (SeatWish("invited"),) * seats)
        if len(create.seats) != 2 or seat > 1:
            raise CannotPair("A person is invited to a match of two; for more, create one and send its links.")
        await asyncio.to_thread(self._assert_room, person, receiver)
        names = await asyncio.to_thread(lambda: [self._profiles.handle(one) for one in (person, receiver)])
        wishes = (SeatWish("invited", names[0]), SeatWish("invited", names[1]))
        create = replace(create, seats=wishes if seat == 0 else wishes[::-1], shares=True)
        mid = self._placement.new_match_id()
        hashes = {seat: token_hash(wish.token), 1 - seat: token_hash(new_token())}
        await self._make(create, hashes, mid, {seat: person})
        row = InvitationRow(secrets.token_urlsafe(ID_BYTES), person, receiver, sealing.b64(mid), 1 - seat, self._now())
        await asyncio.to_thread(self._store.opponents.invite, row)
        return PersonInvited(row.match, seat, create.game, row.id)

    def _found(self, person: str, handle: str) -> str:
        row = self._store.people.named(skeleton(handle))
        if row is None or row.handle.casefold() != handle.casefold().strip() or row.person == person:
            raise CannotPair(NOBODY)
        return row.person

    def _opponent(self, person: str, match: str) -> tuple[str, int]:
        """The other person in a person's match, and the person's seat when sides change."""
        mine = [row.seat for row in self._store.people.seats(person) if row.match == match]
        players = self._store.rated_players
        if not mine or mine[0] > 1:
            raise CannotPair("This is no match of two among your own.")
        other = players.person(players.pseudonym(match, 1 - mine[0]))
        if not other or other == person:
            raise CannotPair("Your opponent of that match is not known here; invite by the handle.")
        return other, 1 - mine[0]

    def _assert_room(self, person: str, receiver: str) -> None:
        if not self._may_meet(person, receiver):
            raise CannotPair(NOBODY)
        if len([row for row in self._current(person) if row.sender == person]) >= self._most:
            raise CannotPair(f"{self._most} of your invitations wait for an answer; withdraw one.")
        if len(self._current(receiver)) >= RECEIVED:
            raise CannotPair("Too many invitations wait there; try again later.")

    def _current(self, person: str) -> list[InvitationRow]:
        return [row for row in self._store.opponents.invitations(person) if row.at >= self._now() - self._lasts_ms]

    def told(self, person: str) -> tuple[InvitationTold, ...]:
        """The invitations from and to a person that wait for an answer. Waits for the store."""
        rows = self._current(person)
        headers = {header.match: header for header in self._store.matches.named([row.match for row in rows])}
        told = []
        for row in rows:
            header, is_mine = headers.get(row.match), row.sender == person
            other = row.receiver if is_mine else row.sender
            if header is not None and header.status == "open" and self._may_meet(person, other):
                terms = terms_of(self._store, row.match)
                first = terms.first
                told.append(
                    InvitationTold(
                        row.id,
                        self._profiles.handle(other),
                        row.match,
                        row.seat,
                        header.game,
                        row.at,
                        mine=is_mine,
                        options={} if first is None else first.options,
                        time=terms.time,
                        rated=first is not None and first.rated,
                    )
                )
        return tuple(told)

    async def answer(self, person: str, wish: AnswerInvitation) -> PersonInvited | None:
        """Accept an invitation, decline it, or withdraw one that the person sent.

        Raises `CannotPair` if it is not open to the person, and `StoreFailed` if the store fails.
        """
        row = await asyncio.to_thread(self._store.opponents.invitation, wish.invitation)
        if row is None or person not in (row.sender, row.receiver) or row.at < self._now() - self._lasts_ms:
            raise CannotPair(OVER)
        if not wish.accept:
            await asyncio.to_thread(self._end, row, person)
            return None
        if person != row.receiver or not wish.token:
            raise CannotPair("Only the person who was invited can accept, with a token for the seat.")
        return await asyncio.to_thread(self._accept, row, wish.token)

    def _accept(self, row: InvitationRow, token: str) -> PersonInvited:
        """The token that the person has drawn opens the seat, once; a repeated request gets the same answer."""
        held = next((one for one in self._store.seats.holders(row.match) if one.seat == row.seat), None)
        fresh = token_hash(token)
        if held is None or held.kind or not self._may_meet(row.sender, row.receiver):
            raise CannotPair(OVER)
        if held.token_hash != fresh and not self._store.seats.change_token(row.match, row.seat, held.token_hash, fresh):
            raise CannotPair(OVER)
        self._profiles.keep_seat(row.receiver, row.match, row.seat, on=True)
        self._entry.keep(row.receiver, row.match, row.seat, fresh)
        self._store.rated_players.sit(row.receiver, row.match, row.seat)
        self._store.opponents.end_invitation(row.id)
        return PersonInvited(row.match, row.seat, self._store.header(row.match).game)

    def _end(self, row: InvitationRow, person: str) -> None:
        if not self._store.opponents.end_invitation(row.id):
            raise CannotPair(OVER)
        self._profiles.keep_seat(row.sender, row.match, 1 - row.seat, on=False)
        if person == row.receiver:
            handle = self._profiles.handle(row.receiver)
            self._store.people.note(NoticeRow(row.sender, self._now(), "invitation-declined", handle))
