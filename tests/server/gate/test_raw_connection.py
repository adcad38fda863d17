"""What is used of `websockets` beneath its documents is there, does what is said, and is used in one place."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

import server
from server.gate.raw_connection import (
    HEAD_MOST,
    buffered,
    cut_off,
    feed,
    forget_handshake,
    transport_of,
    write_frames,
)
from server.gate.sockets import serialized
from tests.server.tabletop import live, table

BENEATH = re.compile(r"connection\.(transport|data_received|protocol)\b")


def test_nothing_else_reaches_beneath_the_librarys_documents() -> None:
    found = {
        path.name for path in Path(server.__file__).parent.rglob("*.py") if BENEATH.search(path.read_text("utf-8"))
    }
    assert found == {"raw_connection.py"}


@pytest.mark.parametrize("name", ["connection_made", "connection_lost", "data_received", "start_keepalive"])
def test_a_connection_is_a_protocol_of_asyncio(name: str) -> None:
    assert issubclass(ServerConnection, asyncio.Protocol)
    assert callable(getattr(ServerConnection, name))


@live
async def test_whole_frames_are_written_and_read_in_order_and_none_once_it_is_closed() -> None:
    there: list[ServerConnection] = []
    done = asyncio.Event()

    async def accept(connection: ServerConnection) -> None:
        there.append(connection)
        await connection.send("first")
        assert write_frames(connection, serialized("second") + serialized("x" * 70_000))
        await connection.send("last")
        await done.wait()

    async with serve(accept, "127.0.0.1", 0, compression=None) as served:
        port = served.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as client:
            assert [await client.recv() for _ in range(4)] == ["first", "second", "x" * 70_000, "last"]
            assert buffered(there[0]) == 0
            assert isinstance(transport_of(there[0]), asyncio.Transport)
        done.set()
        await there[0].wait_closed()
        assert not write_frames(there[0], serialized("late"))


@live
async def test_a_connection_whose_handshake_is_forgotten_goes_on_and_keeps_no_header() -> None:
    there: list[ServerConnection] = []

    async def accept(connection: ServerConnection) -> None:
        assert connection.request is not None
        assert connection.request.headers["Cookie"] == "x=1"
        forget_handshake(connection)
        there.append(connection)
        await connection.send(await connection.recv())

    async with serve(accept, "127.0.0.1", 0, compression=None) as served:
        port = served.sockets[0].getsockname()[1]
        address = f"ws://127.0.0.1:{port}"
        async with connect(address, compression=None, additional_headers={"Cookie": "x=1"}) as client:
            await client.send("heard")
            assert await client.recv() == "heard"
        assert [len(side.headers) for side in (there[0].request, there[0].response) if side] == [0, 0]


@live
async def test_bytes_that_were_read_elsewhere_are_heard_and_a_connection_is_cut_off() -> None:
    heard: asyncio.Queue[str | bytes] = asyncio.Queue()

    async def accept(connection: ServerConnection) -> None:
        # A short text frame as a client masks it (RFC 6455, 5.3), with a mask of noughts.
        feed(connection, b"\x81\x85\0\0\0\0hello")
        heard.put_nowait(await connection.recv())
        cut_off(connection)

    async with serve(accept, "127.0.0.1", 0, compression=None) as served:
        port = served.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as client:
            assert await heard.get() == "hello"
            await client.wait_closed()


@live
@pytest.mark.parametrize(
    "parts", [[b"POST /x HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"], [b"PO", b"ST /x HTTP/1.1\r\n\r", b"\nab"]]
)
async def test_the_body_of_a_post_is_no_frame_and_its_request_is_answered(parts: list[bytes]) -> None:
    async with table() as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(at.http.rpartition(":")[2]))
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        assert (await reader.readline()).startswith(b"HTTP/1.1 404 ")
        writer.close()


@live
async def test_a_head_of_a_post_that_does_not_end_is_cut_off() -> None:
    async with table() as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(at.http.rpartition(":")[2]))
        writer.write(b"POST /x HTTP/1.1\r\n" + b"a" * (HEAD_MOST + 1))
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()
