"""The protocol message by message, typed by the server's own structs: for demo, saved streams, benchmarks and tests.

Players and spectators use `herald_client`.
"""

import itertools
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from domain.kernel import Asked, Event, Game, Seat, State
from projections.redaction import Viewer
from replay.record import sealing
from replay.record.line import codec_of, read_line
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    SUBPROTOCOL,
    Accepted,
    Choose,
    ClientMessage,
    Error,
    Events,
    Hello,
    Refused,
    ServerMessage,
    Welcome,
    WireItem,
    read_server_message,
    write_client_message,
)

S = TypeVar("S", bound=State)
M = TypeVar("M")


class Client:
    """A websocket that sends and receives messages."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._numbers = itertools.count(1)
        self._unread: deque[ServerMessage] = deque()

    async def send(self, message: ClientMessage) -> None:
        """Send a message as it is."""
        await self.connection.send(write_client_message(message))

    async def receive(self) -> ServerMessage:
        """The next message."""
        if self._unread:
            return self._unread.popleft()
        return read_server_message(await self.connection.recv())

    async def expect(self, kind: type[M]) -> M:
        """The next message of a kind; other messages are stored for `receive`. Raises `NotAdmitted` for an error
        message.
        """
        kept: list[ServerMessage] = []
        while True:
            message = await self.receive()
            if isinstance(message, kind):
                self._unread.extendleft(reversed(kept))
                return message
            if isinstance(message, Error):
                raise NotAdmitted(f"{message.code}: {message.why}")
            kept.append(message)

    async def ask(self, message: ClientMessage, answer: type[M]) -> M:
        """Send a message and wait for its answer."""
        await self.send(message)
        return await self.expect(answer)

    async def send_choice(self, asked: Asked, choice: Any, *, id: str = "") -> None:  # noqa: A002 - the wire's name
        """Answer a decision; the server's reply is received like any other message."""
        name = id or f"d{asked.number}-{next(self._numbers)}"
        await self.send(Choose(name, asked.number, choice))

    async def choose(self, asked: Asked, choice: Any, *, id: str = "") -> Accepted | Refused:  # noqa: A002 - the wire's name
        """Answer a decision."""
        await self.send_choice(asked, choice, id=id)
        return await self.expect(Accepted | Refused)  # type: ignore[arg-type]


class Eyes(Protocol):
    """The seat or spectator whose view a client has."""

    @property
    def seat(self) -> int | None:
        """The seat; None for a spectator."""
        ...


class EnteredMatch(Protocol):
    """A match that a client has entered; a `welcome`, from this module's client or from another, is an example."""

    @property
    def match(self) -> str:
        """The match."""
        ...

    @property
    def game(self) -> str:
        """Its game's name."""
        ...

    @property
    def viewer(self) -> Eyes:
        """The viewer whose view the client has."""
        ...


class View:
    """The viewer's own view of the match, folded from a client's messages."""

    def __init__(self, game: Game[Any], welcome: EnteredMatch) -> None:
        seat = welcome.viewer.seat
        self.viewer = Viewer(None if seat is None else Seat(seat))
        self.seq = 0
        self.state: Any = None
        self.match = welcome.match
        self.game = welcome.game
        self.head = b""
        self._game = game
        self._codec = codec_of(game)

    def take(self, events: Events) -> list[tuple[Any, Event, Any]]:
        """Fold the new lines, and return (state before, event, state after) for each."""
        return self.fold(events.items)

    def fold(self, items: Iterable[WireItem]) -> list[tuple[Any, Event, Any]]:
        """Do the same as `take` for lines with their openings."""
        told: list[tuple[Any, Event, Any]] = []
        for text, openings in items:
            line = read_line(text.encode())
            if line.seq != self.seq + 1:
                continue
            held: dict[int, bytes] = {slot: value.encode() for slot, value in openings}
            values = tuple(held.get(slot) for slot in range(len(line.seals)))
            event = self._codec.read(line.type, line.payload, values)
            before = self.state
            self.state = self._game.fold((event,), before) if before is not None else self._game.fold((event,))
            former = self.head or sealing.genesis(sealing.unb64(self.match))
            self.seq, self.head = line.seq, sealing.link(former, text.encode())
            told.append((before, event, self.state))
        return told

    def asked(self) -> tuple[Asked, ...]:
        """The decisions this viewer is asked."""
        if self.state is None or self.state.result is not None:
            return ()
        return tuple(asked for asked in self.state.asked if asked.seat == self.viewer.seat)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Client]:
    """A client connected to a server's `/ws`."""
    # A client that stops reading must still be able to say goodbye, so its unread messages are not limited.
    async with connect(
        url, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=None, max_queue=None, compression=None
    ) as connection:
        yield Client(connection)


async def enter(client: Client, match: str, token: str = "", *, caps: tuple[str, ...] = ()) -> Welcome:
    """Say hello with a seat's token, or as a spectator without a token."""
    hello = Hello(match, token, "" if token else "spectator", None, caps)
    return await client.ask(hello, Welcome)
