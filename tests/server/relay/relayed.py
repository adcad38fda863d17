"""A server and a relay of it on free ports, with people at the one and spectators at the other."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from server.operations.settings import DEFAULT_LIMITS, Limits
from server.relay.app import relaying
from server.relay.registry import RelayLimits, RelayRegistry
from server.wire.client import Client, View, connected
from server.wire.protocol import Error, Hello, Ping, Pong, ServerMessage, Welcome
from tests.server.tabletop import FACES, Player


class Relay:
    """A relay that runs; connections close with it."""

    def __init__(self, registry: RelayRegistry, port: int, stack: AsyncExitStack) -> None:
        self.registry = registry
        self.url = f"ws://127.0.0.1:{port}/ws"
        self.http = f"http://127.0.0.1:{port}"
        self._stack = stack

    async def client(self) -> Client:
        """A new connection."""
        return await self._stack.enter_async_context(connected(self.url))

    async def spectator(self, match: str) -> Player:
        """Somebody who watches, with what has happened so far."""
        client = await self.client()
        welcome = await client.ask(Hello(match, viewer="spectator", since=0), Welcome)
        player = Player(client, View(FACES[welcome.game].game, welcome))
        await player.reach(welcome.head.seq)
        return player

    async def refusal(self, message: Any) -> Error:
        """The answer to a request that cannot be served."""
        client = await self.client()
        await client.send(message)
        told = await client.receive()
        assert isinstance(told, Error), told
        return told


@asynccontextmanager
async def relay(
    *origins: str,
    limits: Limits = DEFAULT_LIMITS,
    bounds: RelayLimits = RelayLimits(),  # noqa: B008 - frozen
    faces: Any = FACES,
    home: str = "",
    embedders: Sequence[str] = (),
) -> AsyncIterator[Relay]:
    """A relay of servers' websockets that runs while the context lasts."""
    registry = RelayRegistry(origins, faces, limits=limits, bounds=bounds, home=home)
    async with relaying(registry, embedders=embedders) as server, AsyncExitStack() as stack:
        yield Relay(registry, next(iter(server.sockets)).getsockname()[1], stack)


async def heard(client: Client) -> list[ServerMessage]:
    """Everything that has been sent up to now."""
    await client.send(Ping(7))
    told: list[ServerMessage] = []
    while not isinstance(message := await client.receive(), Pong):
        told.append(message)
    return told


def of(kind: type[Any], told: Sequence[ServerMessage]) -> list[Any]:
    """The messages of a kind."""
    return [message for message in told if isinstance(message, kind)]
