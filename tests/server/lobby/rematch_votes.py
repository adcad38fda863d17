"""Shared by `test_rematch_votes` and other tests: told."""

from server.wire.client import Client
from server.wire.protocol import Error
from server.wire.rematch_messages import Rematch


async def told(client: Client) -> Rematch | Error:
    while True:
        message = await client.receive()
        if isinstance(message, Rematch | Error):
            return message
