"""Creates matches: checks options and seats, makes keys, stores the first lines, and seats players."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.clock import NEVER
from projections.face import Face
from replay.errors import RecordInvalid
from replay.record.creation import Beginning, Creation, Deal, create_match, unrateable
from replay.record.referee import Referee, Sign
from replay.store.seats import SeatRow
from replay.store.store import Store
from server.bots import bots_of, make_bot
from server.lobby.errors import CannotCreate
from server.lobby.given_position import opened_by
from server.lobby.match_list import MatchList
from server.lobby.match_registry import MatchRegistry
from server.lobby.open_cards import check_open_cards
from server.table.guests import Invitation, invitation_hash, new_token, token_hash
from server.table.live_match import LiveMatch, StoredMatch
from server.table.seating import nameless
from server.wire.protocol import Create, Created, SeatWish
from server.wire.text import skeleton, visible

LOG = logging.getLogger(__name__)
LINKED = ("me", "friend")
"""Seats whose token the creator gets."""
INVITED = "invited"


class MatchFactory:
    """Creates matches and takes them into memory."""

    def __init__(self, store: Store, registry: MatchRegistry, listing: MatchList, sign: Sign | None) -> None:
        self._store, self._registry, self._listing, self._sign = store, registry, listing, sign

    async def create(
        self,
        wish: Create,
        beginning: Beginning[Any] | None = None,
        deal: Deal | None = None,
        hashes: Mapping[int, bytes] | None = None,
        mid: bytes = b"",
    ) -> Created:
        """A new match, which can begin from a position of another match or be a table of an event.

        `hashes`: the hashes of tokens that the holders of seats already have. `mid`: the match's id, if it is not
        drawn.

        Raises `CannotCreate`, with the necessary change, if the match cannot be created, and `MatchExists` if another
        server has created it.
        """
        face = self._registry.faces.get(wish.game)
        if face is None:
            raise CannotCreate(f"There is no game {wish.game!r}; there are {', '.join(sorted(self._registry.faces))}.")
        if fault := wish.time.fault():
            raise CannotCreate(f"The clock does not fit: {fault}")
        options, title = wish.options, visible(wish.title)
        if wish.scenario:
            # The rules may have to be played up to the first question; live matches continue in the meantime.
            opened = await asyncio.to_thread(opened_by, face.game, wish)
            beginning, options = opened.beginning, opened.options
            title = title or opened.title
        whole = beginning is None and deal is None
        unfit = unrateable(hints=wish.hints, shares=wish.shares, reveal=wish.reveal, whole=whole)
        if wish.rated and unfit:
            raise CannotCreate(unfit)
        try:
            seats = face.game.seats_of(options)
        except msgspec.ValidationError as wrong:
            raise CannotCreate(_unfit(face, wrong)) from wrong
        _check_seats(wish, seats)
        check_open_cards(wish, face)
        try:
            # Making a match's keys takes tens of milliseconds; live matches continue in the meantime.
            referee, creation = await asyncio.to_thread(
                create_match,
                face.game,
                options,
                [""] * seats,
                at=self._registry.time.now(),
                title=title,
                listed=wish.listed,
                reveal=wish.reveal,
                control=wish.time,
                sign=self._sign,
                beginning=beginning,
                shares=wish.shares,
                hints=wish.hints,
                rated=wish.rated,
                open_cards=wish.open_cards,
                mid=mid or self._registry.placement.new_match_id(),
                deal=deal,
            )
        except (msgspec.ValidationError, RecordInvalid, ValueError) as wrong:
            raise CannotCreate(_unfit(face, wrong)) from wrong
        return await self._store_and_seat(wish, face, referee, creation, hashes or {})

    async def _store_and_seat(
        self, wish: Create, face: Face[Any], referee: Referee[Any], creation: Creation[Any], known: Mapping[int, bytes]
    ) -> Created:
        tokens = {str(i): new_token() for i, s in enumerate(wish.seats) if s.kind in LINKED and i not in known}
        invited = self._invitations(wish.seats, known)
        opened_with = {**{int(i): token_hash(token) for i, token in tokens.items()}, **known}
        opened_with |= {int(i): invitation_hash(text) for i, text in invited.items()}
        rows = tuple(SeatRow(i, _proposed(s), "", s.bot, opened_with.get(i, b"")) for i, s in enumerate(wish.seats))
        ruling = creation.ruling
        header = replace(creation.header, closed=wish.closed, delay_events=wish.delay_events, delay_s=wish.delay_s)
        # Nothing is due before the seats are given, so that a restart does not resume the match until then.
        commit = replace(ruling.commit, due=NEVER)
        await asyncio.to_thread(self._store.create, header, creation.keys, rows, commit)
        referee.accept(ruling)
        checkpoint = ruling.commit.checkpoint
        signed = None if checkpoint is None else (referee.seq, checkpoint)
        live_match = self._registry.take_in(
            face, referee, StoredMatch(ruling.commit.entries, header, rows, signed=signed)
        )
        await self._seat(live_match, wish.seats, rows)
        self._listing.forget()
        LOG.info("match %s of %s was created", referee.match, wish.game)
        return Created(referee.match, tokens, wish.id, invited)

    def _invitations(self, wishes: tuple[SeatWish, ...], known: Mapping[int, bytes]) -> dict[str, str]:
        """By seat, the invitations to seats that are reserved for somebody; the creator of the match is the host."""
        by = next((i for i, wish in enumerate(wishes) if wish.kind == "me"), None)
        kept = [i for i, wish in enumerate(wishes) if wish.kind == INVITED and i not in known]
        return {str(i): Invitation.new(by, self._registry.now_ms).text for i in kept}

    async def _seat(self, live_match: LiveMatch[Any], wishes: tuple[SeatWish, ...], rows: tuple[SeatRow, ...]) -> None:
        for row, wish in zip(rows, wishes, strict=True):
            if wish.kind in {"open", INVITED} or (wish.kind == "friend" and not visible(wish.name)):
                continue
            name = visible(wish.name) or _default_name(wish, row.seat)
            kind = "bot" if wish.kind == "bot" else "person"
            bot = wish.bot or "random" if kind == "bot" else ""
            await live_match.seating.sit(
                row.seat,
                name,
                kind,
                SeatRow(row.seat, name, kind, bot, row.token_hash),
                key=wish.key,
                entropy=wish.entropy,
            )


def _proposed(wish: SeatWish) -> str:
    """The name of an invited player who gives none."""
    return visible(wish.name) if wish.kind == INVITED else ""


def _default_name(wish: SeatWish, seat: int) -> str:
    if wish.kind == "bot":
        return f"{(wish.bot or 'random').capitalize()} bot"
    return nameless(seat)


def _unfit(face: Face[Any], wrong: Exception) -> str:
    return f"The options of {face.game.spec.title} do not fit: {str(wrong).rstrip('.')}."


def _check_seats(wish: Create, seats: int) -> None:
    if len(wish.seats) != seats:
        raise CannotCreate(f"This game has {seats} seats; the list names {len(wish.seats)}.")
    if wish.closed and any(seat.kind == "open" for seat in wish.seats):
        raise CannotCreate("Nobody finds a closed match to take an open seat; keep the seat for a friend, or open it.")
    names = [name for seat in wish.seats if seat.kind != "bot" and (name := visible(seat.name))]
    if len({skeleton(name) for name in names}) < len(names):
        raise CannotCreate("Readers cannot tell two of these names apart; change one of them.")
    for i, seat in enumerate(wish.seats):
        if seat.kind == "bot":
            try:
                make_bot(wish.game, seat.bot)
            except KeyError as wrong:
                known = ", ".join(bots_of(wish.game))
                raise CannotCreate(f"Seat {i}: there is no bot {seat.bot!r}; there are {known}.") from wrong
