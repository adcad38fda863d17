"""Finding opponents: a search that the server pairs, invitations of persons, and the check of how seats were drawn.

The seat is drawn by lots (docs/record.md): each client seals one, and shows it once all commitments are known. A search
checks by itself that one's own lot belongs to its seat, and that no commitment changed after its own lot was shown.
"""

import asyncio
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from msgspec import Struct

from herald_client.accounts import Session
from herald_client.errors import Refused
from herald_client.links import Link
from herald_client.record import b64, tagged, unb64

POLL_S = 2.0
NUMBERS = 4096
LOT_BYTES = 32
MATCH_BYTES = 16
OTHER_DRAW = "other-draw"
"""The code of a refusal by this library: the seats were not drawn as the server says."""


class SeatDraw(Struct, frozen=True):
    """How seats were drawn: the commitment and the lot of each seat, by seat."""

    sealed: tuple[str, ...]
    lots: tuple[str, ...]

    def fault(self, match: str) -> str:
        """The reason why the seats of a match do not follow from the lots; empty if they do."""
        lots = [unb64(lot) for lot in self.lots]
        if len(self.sealed) != len(lots) or any(len(lot) != LOT_BYTES for lot in lots):
            return "Each seat has one lot of 32 bytes."
        if tuple(map(sealed_lot, lots)) != self.sealed:
            return "A lot is not the one that was sealed."
        joint = tagged("seat-draw", *sorted(lots))
        if lots != sorted(lots, key=lambda lot: tagged("seat-draw/place", joint, lot)):
            return "The lots give another order of seats."
        occasion = b"seat-draw:" + "".join(sorted(self.sealed)).encode()
        ids = (sha256(b"herald:occasion:%d:" % n + occasion).digest()[:MATCH_BYTES] for n in range(NUMBERS))
        return "" if unb64(match) in ids else "The id of the match does not follow from these commitments."


class BotOffer(Struct, frozen=True):
    """A bot that may be played instead; `rating` in points, if it has one."""

    bot: str
    rating: int | None = None


class Told(Struct, frozen=True):
    """The state of a search: `waiting`, `drawing` or `found`, and the number of others who look for the same."""

    state: str
    since_ms: int = 0
    others: int = 0
    bot: BotOffer | None = None
    bot_sealed: tuple[str, ...] = ()
    fresh: bool = False
    sealed: tuple[str, ...] = ()
    match: str = ""
    seat: int = 0
    drawn: SeatDraw | None = None


class Invitation(Struct, frozen=True):
    """A match to which a person is invited, one's own seat there, and the name of the invitation."""

    match: str
    seat: int
    game: str
    invitation: str = ""


def sealed_lot(lot: bytes) -> str:
    """The commitment to a lot."""
    return b64(tagged("seat-draw/lot", lot))


def terms(game: str, **more: Any) -> dict[str, Any]:
    """Terms in the protocol's form: `options`, `time`, `rated`, `listed`, `low`, `high`, as far as they are given."""
    return {"game": game, **more}


class OpponentSearch:
    """A search of a person who is signed in. `wanted`: its `terms`; `more`: other fields of `play-now`."""

    def __init__(self, session: Session, wanted: dict[str, Any], **more: Any) -> None:
        self._session, self._wanted, self._more = session, wanted, more
        self.token = secrets.token_urlsafe(LOT_BYTES)
        self._lot = secrets.token_bytes(LOT_BYTES)
        self._begins = True
        self._sealed: tuple[str, ...] = ()
        self._bots: tuple[str, ...] = ()

    async def ask(self, bot: str = "") -> Told:
        """Ask once for the search's state; `bot`: play this bot that was offered. Raises `Refused` and `Closed`."""
        fields: dict[str, Any] = {"bot": bot} if bot else {}
        if self._sealed:
            fields["lot"] = b64(self._lot)
        if self._begins:
            fields["begins"] = True
        own = sealed_lot(self._lot)
        told = await self._session.ask(
            Told, "play-now", token=self.token, sealed=own, terms=self._wanted, **self._more, **fields
        )
        self._begins = False
        if told.state == "found":
            self._check(told, own)
        elif told.fresh:
            self._lot, self._sealed = secrets.token_bytes(LOT_BYTES), ()
        elif told.state == "drawing":
            self._see(told.sealed, own)
        else:
            self._sealed = ()
            self._bots = self._bots or told.bot_sealed
        return told

    def _see(self, sealed: tuple[str, ...], own: str) -> None:
        if own not in sealed or (self._sealed and self._sealed != sealed):
            raise Refused(OTHER_DRAW, "The server has changed the commitments by which the seats are drawn.")
        self._sealed = sealed

    def _check(self, told: Told, own: str) -> None:
        drawn = told.drawn
        why = "The server does not say how the seats were drawn." if drawn is None else drawn.fault(told.match)
        if drawn is not None and not why:
            if told.seat >= len(drawn.sealed) or drawn.sealed[told.seat] != own:
                why = "The seat is not the one that the own lot has drawn."
            elif self._sealed and set(drawn.sealed) != set(self._sealed):
                why = "The server has changed the commitments by which the seats were drawn."
        if why:
            raise Refused(OTHER_DRAW, why)

    async def found(self, heard: Callable[[Told], str] | None = None, poll_s: float = POLL_S) -> tuple[Told, Link]:
        """Ask until a match is found: the last answer, and the link of one's own seat.

        `heard` is called with each answer; it returns the bot to play, if any. If the call is cancelled, the search
        stops.
        """
        bot = ""
        try:
            while True:
                told = await self.ask(bot)
                if told.state == "found":
                    return told, Link(self._session.url, told.match, self.token)
                bot = bot or (heard(told) if heard is not None else "")
                await asyncio.sleep(poll_s if told.state == "waiting" and not bot else 0.2)
        except asyncio.CancelledError:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Stop searching."""
        await self._session.ask(dict[str, Any], "stop-search", token=self.token)


async def invite(session: Session, handle: str, wanted: dict[str, Any], seat: int = 0) -> tuple[Invitation, Link]:
    """Invite a person by handle; returns the invitation, and the link of one's seat. Raises `Refused` and `Closed`."""
    token = secrets.token_urlsafe(LOT_BYTES)
    told = await session.ask(Invitation, "invite-person", token=token, handle=handle, terms=wanted, seat=seat)
    return told, Link(session.url, told.match, token)


async def once_more(session: Session, match: str) -> tuple[Invitation, Link]:
    """Invite the opponent of a finished rated match to another one, with sides changed. Raises as `invite`."""
    token = secrets.token_urlsafe(LOT_BYTES)
    told = await session.ask(Invitation, "invite-person", token=token, again=match)
    return told, Link(session.url, told.match, token)


async def accept(session: Session, invitation: str) -> Link:
    """Accept an invitation: the link of one's own seat. Raises as `invite`."""
    token = secrets.token_urlsafe(LOT_BYTES)
    told = await session.ask(Invitation, "answer-invitation", invitation=invitation, accept=True, token=token)
    return Link(session.url, told.match, token)


async def decline(session: Session, invitation: str) -> None:
    """Decline an invitation, or withdraw one's own. Raises as `invite`."""
    await session.ask(dict[str, Any], "answer-invitation", invitation=invitation)
