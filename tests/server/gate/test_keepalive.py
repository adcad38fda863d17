"""One task keeps all connections of a port alive: it pings them, and closes those from which nothing comes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from scripts.benchmarks.sockets import upgrade_request
from server.gate.keepalive import PING, PORTION, KeepAlive
from server.gate.raw_connection import KeptConnection
from server.operations.intervals import Intervals
from tests.server.tabletop import live

SOON = Intervals(ping_s=0.05, close_s=0.2)
CLOSED = b"\x88\x18\x03\xf3keepalive ping timeout"


class Port:
    """Where connections are kept alive; `pongs`: how many have come."""

    def __init__(self, port: int, keeper: KeepAlive) -> None:
        self.port, self.keeper, self.pongs = port, keeper, asyncio.Semaphore(0)


@asynccontextmanager
async def kept(intervals: Intervals = SOON) -> AsyncIterator[Port]:
    keeper = KeepAlive(intervals)
    here = Port(0, keeper)

    class Here(KeptConnection):
        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if data[:1] == b"\x8a":
                here.pongs.release()

    Here.keeper = keeper

    async def accept(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(accept, "127.0.0.1", 0, compression=None, create_connection=Here, ping_interval=None) as served:
        here.port = served.sockets[0].getsockname()[1]
        yield here
    keeper.stop()


async def joined(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A client that answers nothing by itself."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(upgrade_request("/"))
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


@live
async def test_a_client_that_answers_is_pinged_again_and_again_and_stays() -> None:
    async with kept() as here, connect(f"ws://127.0.0.1:{here.port}", ping_interval=None) as client:
        for _ in range(3):
            await here.pongs.acquire()
        await (await client.ping())


@live
async def test_a_client_from_which_nothing_comes_is_closed_with_1011() -> None:
    async with kept() as here:
        reader, writer = await joined(here.port)
        assert await reader.read() == PING + CLOSED
        writer.close()


@live
async def test_whatever_a_client_sends_shows_that_it_is_there() -> None:
    async with kept() as here:
        reader, writer = await joined(here.port)
        for _ in range(3):
            assert await reader.readexactly(2) == PING
            writer.write(b"\x8a\x80\0\0\0\0")
        assert await reader.read() == PING + CLOSED
        writer.close()


@live
async def test_a_connection_that_is_closed_is_kept_no_longer() -> None:
    async with kept(Intervals(ping_s=3600)) as here:
        _, writer = await joined(here.port)
        while not here.keeper.waiting:
            await asyncio.sleep(0)
        writer.transport.abort()
        while here.keeper.waiting:
            await asyncio.sleep(0)


@live
async def test_more_connections_than_are_asked_in_a_row_are_all_asked() -> None:
    async with kept(Intervals(ping_s=0.2)) as here:
        clients = [await joined(here.port) for _ in range(PORTION + 5)]
        for reader, _ in clients:
            assert await reader.readexactly(2) == PING
        for _, writer in clients:
            writer.close()
