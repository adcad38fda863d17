"""A person's account at a server: signing in with a device's key, devices, the handle, and one's own matches.

docs/people.md describes the signatures of devices and the data that a server stores; no account is needed to play.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from herald_client.claims import Opening
from herald_client.errors import Closed, Refused
from herald_client.keys import Key
from herald_client.links import base_of, site_of, socket_of
from herald_client.messages import SUBPROTOCOL, written
from herald_client.persons import vouch_message
from herald_client.record import tagged, u32

T = TypeVar("T")


class SignedIn(Struct, frozen=True):
    """A session, its end in ms, the handle, and, for a new or recovered person, a recovery code, which is shown only
    once.
    """

    session: str
    until_ms: int
    handle: str
    recovery: str = ""

    def __repr__(self) -> str:
        return f"SignedIn({self.handle!r})"


class Device(Struct, frozen=True):
    """A device by its public key, with times in ms; `here`: it is this device."""

    key: str
    name: str
    added_ms: int
    used_ms: int = 0
    revoked_ms: int = 0
    here: bool = False


class Change(Struct, frozen=True):
    """A change of the account: when, what, and of which key or handle."""

    at_ms: int
    what: str
    about: str


class Waiting(Struct, frozen=True):
    """A new device that waits to be confirmed."""

    key: str
    name: str
    until_ms: int


class Account(Struct, frozen=True):
    """The account as its person sees it."""

    handle: str
    devices: tuple[Device, ...]
    notices: tuple[Change, ...] = ()
    asks: Waiting | None = None


class PairingCode(Struct, frozen=True):
    """A code by which one new device may ask, and its end in ms."""

    code: str
    until_ms: int

    def __repr__(self) -> str:
        return "PairingCode()"


class OwnMatch(Struct, frozen=True):
    """A match of one's own: the seat, the players by seat, and its group: yours, waiting, open or finished."""

    match: str
    seat: int
    game: str
    title: str
    group: str
    players: tuple[str, ...]
    created_ms: int
    changed_ms: int
    result: str = ""
    due_ms: int = 0
    outcome: str = ""
    change: float | None = None
    listed: bool = True


class PersonInvitation(Struct, frozen=True):
    """An invitation between persons that waits for an answer; `handle`: the other person's, `mine`: whether this person
    sent it.
    """

    invitation: str
    handle: str
    match: str
    seat: int
    game: str
    at_ms: int
    mine: bool = False


class SeatEntered(Struct, frozen=True):
    """A seat of the person's, opened by a token that this program has drawn."""

    match: str
    seat: int
    game: str
    title: str = ""


class OwnMatches(Struct, frozen=True):
    """A page of one's own matches, the number in each group, whether more follow, and open invitations."""

    matches: tuple[OwnMatch, ...]
    counts: dict[str, int]
    more: bool = False
    invitations: tuple[PersonInvitation, ...] = ()


class _Challenge(Struct, frozen=True):
    challenge: str
    site: str
    origin: str


class _Code(Struct, frozen=True):
    recovery: str


class _Claims(Struct, frozen=True):
    claims: tuple[Opening, ...] = ()


class _Number(Struct, frozen=True):
    number: str


class _Kind(Struct, frozen=True):
    t: str
    code: str = ""
    why: str = ""


def pairing_number(code: str, key: str) -> str:
    """The twelve digits that the old and the new device both show."""
    letters = "".join(char for char in code.upper() if char.isalnum())
    plain = letters.translate(str.maketrans("ILO", "110"))
    digest = tagged("person/pairing-number", tagged("person/pairing-number", plain.encode()) + key.encode())
    digits = f"{int.from_bytes(digest[:8]) % 10**12:012}"
    return " ".join(digits[at : at + 4] for at in range(0, 12, 4))


def signed_message(purpose: str, site: str, challenge: str, *said: str) -> bytes:
    """The 32 bytes that a device without a page signs for a purpose at a site."""
    parts = [part.encode() for part in (site, "", challenge, *said)]
    return tagged(f"person/{purpose}", *(u32(len(part)) + part for part in parts))


class AccountDoor:
    """The way into the account of one device's key at a server. Each `session` is a connection of its own."""

    def __init__(self, url: str, key: Key) -> None:
        """Raises `BadLink`."""
        self.url, self.key = base_of(url), key
        self.site = site_of(self.url)

    async def sign_up(self, handle: str, name: str) -> SignedIn:
        """A new person with a handle. Keep the recovery code. Raises `Refused` and `Closed`."""
        return await self._show("sign-up", SignedIn, handle, handle=handle, name=name)

    async def recover(self, code: str, name: str) -> SignedIn:
        """Add this device by a recovery code. Keep the code that takes its place. Raises `Refused` and `Closed`."""
        return await self._show("recover", SignedIn, code, code=code, name=name)

    async def ask_pairing(self, code: str, name: str) -> str:
        """Ask another device of the person to add this one; returns the number that both show. Raises `Refused`,
        `Closed`.
        """
        await self._show("ask-pairing", _Number, code, code=code, name=name)
        # Computed here and not taken from the server, which could show each device a different number.
        return pairing_number(code, self.key.public)

    @asynccontextmanager
    async def session(self) -> AsyncIterator["Session"]:
        """Signed in while the context lasts. Raises `Refused` and `Closed`."""
        async with self._connected() as socket:
            entered = await _show(socket, self, "sign-in", SignedIn)
            session = Session(socket, entered, self)
            yield session
            await session.end()

    async def _show(self, purpose: str, kind: type[T], *said: str, **fields: str) -> T:
        async with self._connected() as socket:
            return await _show(socket, self, purpose, kind, *said, **fields)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[ClientConnection]:
        options: dict[str, Any] = {"max_size": None, "compression": None}
        try:
            async with connect(socket_of(self.url), subprotocols=[Subprotocol(SUBPROTOCOL)], **options) as socket:
                yield socket
        except ConnectionClosed as wrong:
            raise Closed(wrong.rcvd.code if wrong.rcvd else 1006, str(wrong)) from wrong
        except (OSError, WebSocketException) as wrong:
            raise Closed(0, str(wrong)) from wrong


async def _show(
    socket: ClientConnection, door: AccountDoor, purpose: str, kind: type[T], *said: str, **fields: str
) -> T:
    """Answer a challenge with a signature, which is for the site that was dialled, whatever name the server gives."""
    asked = await _asked(socket, _Challenge, t="challenge")
    if asked.site != door.site or asked.origin:
        why = f"The server says that it was called {asked.site!r}, and not {door.site!r}; nothing was signed."
        raise Refused("other-site", why)
    key = door.key
    signature = key.sign(signed_message(purpose, door.site, asked.challenge, key.public, *said))
    return await _asked(socket, kind, t=purpose, key=key.public, signature=signature, **fields)


async def _asked(socket: ClientConnection, kind: type[T], **message: Any) -> T:
    await socket.send(written(message))
    frame = await socket.recv()
    told = msgspec.json.decode(frame, type=_Kind)
    if told.t == "error":
        raise Refused(told.code, told.why)
    return msgspec.json.decode(frame, type=kind)


class Session:
    """A person who is signed in, over one connection. Every method raises `Refused` and `Closed`."""

    def __init__(self, socket: ClientConnection, entered: SignedIn, door: AccountDoor) -> None:
        self._socket, self.entered = socket, entered
        self.url, self._key, self._site = door.url, door.key, door.site

    async def ask(self, kind: type[T], t: str, **fields: Any) -> T:
        """Send a message of the session, and read its answer."""
        return await _asked(self._socket, kind, t=t, session=self.entered.session, **fields)

    async def account(self) -> Account:
        """The account."""
        return await self.ask(Account, "account")

    async def rename(self, handle: str) -> Account:
        """Take another handle."""
        return await self.ask(Account, "rename", handle=handle)

    async def revoke(self, key: str) -> Account:
        """Remove a device: it can no longer sign in."""
        return await self.ask(Account, "revoke-device", key=key)

    async def offer_pairing(self) -> PairingCode:
        """Let one new device ask by a code."""
        return await self.ask(PairingCode, "offer-pairing")

    async def confirm_pairing(self, key: str) -> Account:
        """Add the device that has asked, once both show the same number, and vouch for it with this device's key."""
        signature = self._key.sign(vouch_message(self._site, self._key.public, key))
        return await self.ask(Account, "confirm-pairing", key=key, signature=signature)

    async def renew_code(self) -> str:
        """A new recovery code, which makes the former one void."""
        return (await self.ask(_Code, "renew-code")).recovery

    async def keep_seat(
        self,
        match: str,
        token: str,
        *,
        on: bool = True,
        claim: Opening | None = None,
        shown: str = "nobody",
        signature: str = "",
    ) -> None:
        """Note a seat among one's own matches, or remove the note.

        `claim`: the opening of the line by which this device's person stands behind the seat, `shown` to nobody, to
        opponents or to everybody. `signature`: the one from `Match.entry`, by which `enter_seat` opens the seat later.
        """
        said: dict[str, Any] = {"match": match, "token": token, "on": on, "signature": signature}
        if claim is not None:
            said["claim"] = {"line": claim.line, "salt": claim.salt, "signature": claim.signature, "shown": shown}
        await self.ask(_Kind, "keep-seat", **said)

    async def enter_seat(self, match: str, token: str) -> SeatEntered:
        """Enter a seat of one's own without its link: the token, drawn and stored before, opens it from now on."""
        return await self.ask(SeatEntered, "enter-seat", match=match, token=token)

    async def matches(self, group: str = "", text: str = "", after: int = 0) -> OwnMatches:
        """A page of one's own matches."""
        return await self.ask(OwnMatches, "my-matches", group=group, text=text, after=after)

    async def claims(self) -> tuple[Opening, ...]:
        """The openings of one's own claims to seats, of all devices."""
        return (await self.ask(_Claims, "export-me")).claims

    async def export(self) -> dict[str, Any]:
        """All data that the server stores about the person, as plain data."""
        held: dict[str, Any] = await self.ask(dict[str, Any], "export-me")
        return {name: value for name, value in held.items() if name not in {"t", "id"}}

    async def delete(self, handle: str) -> bool:
        """Delete the account, by its handle typed once more; returns whether its bytes are gone from the database by
        now.
        """
        told: dict[str, Any] = await self.ask(dict[str, Any], "delete-me", handle=handle)
        return not told.get("later", False)

    async def end(self) -> None:
        """End the session; a session that is over already stays so."""
        try:
            await self.ask(_Kind, "sign-out")
        except Refused:
            return
