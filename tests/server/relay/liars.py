"""An origin that sends what a test wants, with the frames of a true origin at hand."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from replay.record import sealing
from server.wire.protocol import (
    SUBPROTOCOL,
    Events,
    HeadInfo,
    Hello,
    ServerMessage,
    Welcome,
    read_message,
    write_message,
)
from tests.server.relay.relayed import heard, of
from tests.server.tabletop import play_out, table

Says = Callable[[ServerConnection, Hello], Awaitable[None]]
"""The answer to a hello."""


@asynccontextmanager
async def origin(says: Says) -> AsyncIterator[str]:
    """The address of an origin that answers each hello as it is told to, while the context lasts."""

    async def handle(connection: ServerConnection) -> None:
        async for frame in connection:
            message = read_message(frame)
            assert isinstance(message, Hello)
            assert not message.token
            assert message.viewer in ("spectator", "open")
            await says(connection, message)

    async with serve(handle, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/ws"


async def tell(connection: ServerConnection, *messages: ServerMessage) -> None:
    """Send messages."""
    for message in messages:
        await connection.send(write_message(message))


class Truth:
    """A whole match as a spectator was sent it: a welcome, and its lines."""

    def __init__(self, welcome: Welcome, lines: Sequence[str]) -> None:
        self.welcome, self.lines = welcome, list(lines)
        self.heads = [sealing.genesis(sealing.unb64(welcome.match))]
        for line in lines:
            self.heads.append(sealing.link(self.heads[-1], line.encode()))

    def said(self, first: int, last: int) -> Events:
        """A frame of true lines."""
        items = tuple((line, ()) for line in self.lines[first - 1 : last])
        return Events(first, last, items, HeadInfo(last, sealing.b64(self.heads[last])))

    def welcomed(self, seq: int) -> Welcome:
        """A welcome while the record ended at a line."""
        return replace(self.welcome, head=HeadInfo(seq, sealing.b64(self.heads[seq])), status="running")


async def truth() -> Truth:
    """A match that was played."""
    async with table() as at:
        created = await at.create()
        await play_out([await at.player(created, 0), await at.player(created, 1)], 1)
        client = await at.client()
        welcome = await client.ask(Hello(created.match, viewer="spectator", since=0), Welcome)
        lines = [text for message in of(Events, await heard(client)) for text, _ in message.items]
        return Truth(welcome, lines)
