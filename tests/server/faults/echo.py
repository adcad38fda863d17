"""Herald's listener with an echo in place of sessions: for Autobahn's fuzzing client, which wants its messages back.

Run as a program: prints the port, listens until it is stopped.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from unittest.mock import patch

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

import server.gate.app
from replay.store.memory import MemoryStore
from server.lobby.lobby import Lobby
from server.operations.settings import Limits

MOST = 32 << 20
"""Bytes of a frame: Autobahn's longest have 16 MiB, where Herald's own limit is 64 KiB."""


def echoing(*_: object) -> Callable[[ServerConnection], Awaitable[None]]:
    """What runs for each websocket."""

    async def serve(connection: ServerConnection) -> None:
        try:
            while True:
                await connection.send(await connection.recv())
        except ConnectionClosed:
            return

    return serve


async def listen() -> None:
    """Listen on a free port until stopped."""
    with patch.object(server.gate.app, "connection_of", echoing):
        async with server.gate.app.running(Lobby(MemoryStore(), {}, limits=Limits(frame_bytes=MOST))) as listening:
            sys.stdout.write(f"{server.gate.app.port_of(listening)}\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(listen())
