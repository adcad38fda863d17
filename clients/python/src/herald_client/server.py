"""A server's address: its games, new matches, seats; and the way into a match."""

from secrets import token_urlsafe
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from herald_client.chance import commitment
from herald_client.errors import BadLink, Closed, Refused
from herald_client.keys import Key
from herald_client.links import Link, base_of, read_link, socket_at, socket_of
from herald_client.match import Match
from herald_client.messages import (
    SUBPROTOCOL,
    Created,
    Fault,
    GameInfo,
    Games,
    Invited,
    Joined,
    Matches,
    Turn,
    Turns,
    Withdrawn,
    read_told,
    written,
)
from herald_client.record import b64

T = TypeVar("T")
Wish = dict[str, str]
"""The wish for the holder of a seat."""


def me(name: str = "", *, key: Key | None = None, share: bytes = b"") -> Wish:
    """The seat is the creator's, with the key that signs for it; `share`: 32 bytes of chance, without a key."""
    return _wish("me", name=name, key="" if key is None else key.public, entropy=_fixed(share))


def invited(name: str = "") -> Wish:
    """A person who gets an invitation, with this name unless they give another."""
    return _wish("invited", name=name)


def friend(name: str = "") -> Wish:
    """A person who gets the seat's token, which the creator holds too: for programs that hold several seats."""
    return _wish("friend", name=name)


def open_seat() -> Wish:
    """The seat is for anybody who joins."""
    return _wish("open")


def bot(kind: str = "") -> Wish:
    """A bot of the server's, the game's strongest unless it is named."""
    return _wish("bot", bot=kind)


def _wish(kind: str, **fields: str) -> Wish:
    return {"kind": kind, **{name: value for name, value in fields.items() if value}}


def new_token() -> str:
    """256 random bits as text: a secret that opens a seat, or makes an invitation."""
    return token_urlsafe(32)


def _fixed(share: bytes) -> str:
    return b64(commitment(share)) if share else ""


class Server:
    """A server's address, as `http://127.0.0.1:8000`. It holds no connection: each request opens its own."""

    def __init__(self, url: str) -> None:
        """Raises `BadLink`."""
        self.url = base_of(url)
        self._socket = socket_of(self.url)

    async def _ask(self, kind: type[T], **message: Any) -> T:
        """Send a message and wait for its answer. Raises `Refused`, and `Closed`, also if there is no server."""
        options: dict[str, Any] = {"max_size": None, "compression": None}
        where = socket_at(self._socket, message.get("match", ""))
        try:
            async with connect(where, subprotocols=[Subprotocol(SUBPROTOCOL)], **options) as socket:
                await socket.send(written(message))
                return await _answer(socket, kind)
        except ConnectionClosed as wrong:
            raise Closed(wrong.rcvd.code if wrong.rcvd else 1006, str(wrong)) from wrong
        except (OSError, WebSocketException) as wrong:
            raise Closed(0, str(wrong)) from wrong

    async def games(self) -> tuple[GameInfo, ...]:
        """The games that can be played."""
        return (await self._ask(Games, t="games")).games

    async def matches(self) -> Matches:
        """The matches that are listed: open, running, finished."""
        return await self._ask(Matches, t="matches")

    async def create(self, game: str, seats: list[Wish], **wishes: Any) -> Created:
        """Create a match; `wishes` are the other fields of `create` (docs/protocol.md): `options`, `time`, `shares`...

        Store the tokens: they are sent only once. Raises `Refused`.
        """
        return await self._ask(Created, t="create", game=game, seats=seats, **wishes)

    async def branch(self, match: str, seq: int, seats: list[Wish], **wishes: Any) -> Created:
        """Create a match that continues another from its state after line `seq`. Raises `Refused`."""
        return await self._ask(Created, t="branch", match=match, seq=seq, seats=seats, **wishes)

    async def join(self, match: str, seat: int, name: str, *, key: Key | None = None, share: bytes = b"") -> Joined:
        """Take an open seat. Keep the token. Raises `Refused`."""
        wish = me(name, key=key, share=share)
        del wish["kind"]
        return await self._ask(Joined, t="join", match=match, seat=seat, **{"name": name, **wish})

    async def invitation(self, match: str, invitation: str) -> Invited:
        """The content of an invitation; asking does not use it up. Raises `Refused`."""
        return await self._ask(Invited, t="invitation", match=match, invitation=invitation)

    async def accept(
        self, match: str, invitation: str, name: str = "", *, key: Key | None = None, token: str = ""
    ) -> Joined:
        """Sit down by an invitation, which opens nothing afterwards. Keep the token. Raises `Refused`.

        `token`: 32 random bytes as base64url (`new_token`), stored before this call: a repetition with them, after the
        connection broke, gets the same answer.
        """
        given = {"token": token or new_token(), "key": "" if key is None else key.public, "name": name}
        said = {field: value for field, value in given.items() if value}
        return await self._ask(Joined, t="join", match=match, invitation=invitation, **said)

    async def withdraw(self, match: str, invitation: str, following: str = "") -> Withdrawn:
        """Make an invitation void; returns the one that replaces it. Raises `Refused`.

        `following`: the secret of the new invitation, drawn and stored before this call, as `token` of `accept` is.
        """
        made = following or new_token()
        return await self._ask(Withdrawn, t="withdraw", match=match, invitation=invitation, next=made)

    async def turns(self, seats: list[tuple[str, str]]) -> tuple[Turn, ...]:
        """The matches that continue, of those whose seats are given by match and token, and whether each waits for the
        seat.
        """
        held = [{"match": match, "token": token} for match, token in seats]
        return (await self._ask(Turns, t="turns", seats=held)).turns

    def play(self, match: str, token: str, **options: Any) -> Match:
        """The entrance to a seat, or to a caster's place; `options` are those of `Match`."""
        return Match(self._socket, match, token, **options)

    def watch(self, match: str, name: str = "", **options: Any) -> Match:
        """The entrance to a spectator's place, under a name or unseen; `options` are those of `Match`."""
        return Match(self._socket, match, name=name, **options)

    def link(self, match: str, token: str = "", key: Key | None = None) -> Link:
        """The link of a page; with a seat's token and key, whoever has the link can play the seat."""
        return Link(self.url, match, token, "" if key is None else key.text)


async def _answer(socket: ClientConnection, kind: type[T]) -> T:
    """The next message of a kind. Raises `Refused`."""
    while True:
        told = read_told(await socket.recv())
        if isinstance(told, kind):
            return told
        if isinstance(told, Fault):
            raise Refused(told.code, told.why, "", told.id)


def open_link(text: str, **options: Any) -> Match:
    """The match of a page's link. Raises `BadLink`."""
    link = read_link(text)
    server = Server(link.server)
    if link.invitation:
        raise BadLink("This is an invitation: sit down by it first, with `Server.accept`.")
    if not link.token:
        return server.watch(link.match, **options)
    key = {"key": Key.read(link.key)} if link.key else {}
    return server.play(link.match, link.token, **{**key, **options})
