"""Connections of a seat: entering by its token, and being closed."""

import pytest
from websockets.exceptions import ConnectionClosed

from server.wire.client import Client
from server.wire.protocol import Created, Error, Hello, Welcome
from tests.server.tabletop import Table


async def entered(at: Table, created: Created, token: str, device: str = "") -> Client:
    client = await at.client()
    await client.ask(Hello(created.match, token, device=device), Welcome)
    return client


async def closing(client: Client) -> int:
    """The code with which a connection is closed."""
    with pytest.raises(ConnectionClosed) as closed:
        await told_rest(client)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def told_rest(client: Client, *never: type) -> None:
    """Read until the connection is closed; messages of some kinds must not come."""
    while True:
        assert not isinstance(await client.receive(), never)


async def refused(at: Table, created: Created, token: str) -> bool:
    client = await at.client()
    await client.send(Hello(created.match, token))
    return isinstance(await client.receive(), Error)
