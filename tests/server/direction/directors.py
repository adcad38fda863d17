"""Shared by the tests of directors: people who direct, and people who watch."""

from collections.abc import Sequence
from typing import Any

from server.wire.client import Client
from server.wire.direction_messages import Directed
from server.wire.protocol import Grant, Granted, Hello, Welcome
from tests.server.relay.relayed import Relay, of
from tests.server.tabletop import Player, Table


async def leave(player: Player) -> str:
    """A director's token, by a player's leave."""
    return (await player.client.ask(Grant(directs=True), Granted)).token


async def entered(where: Table | Relay, match: str, token: str = "", kind: Any = "spectator") -> tuple[Client, Welcome]:
    """Somebody who watches, or directs with a token."""
    client = await where.client()
    name = "Cato" if token else ""
    return client, await client.ask(Hello(match, token, kind, 0, name=name), Welcome)


def directions(told: Sequence[Any]) -> list[Directed]:
    """The directions received."""
    return of(Directed, told)
