"""Forwards a connection that reached one process of a server to the process in which its match lives, frame by frame.

It serves clients that name the match only in a message, and clients that use TLS. Other connections are handed over as
sockets.
"""

import asyncio
import socket
import struct
from contextlib import suppress
from typing import Final

from server.gate.outbox import Socket
from server.operations.intervals import INTERVALS
from server.wire.codes import CLOSE_CODES

HEAD: Final = struct.Struct(">cI")
"""The header of each piece: its kind, and the number of bytes that follow."""
TEXT: Final = b"t"
BYTES: Final = b"b"
CLOSE: Final = b"x"
MOST: Final = 256 * 1024
"""The limit of bytes that wait for the client; above this limit, the other process is not read."""
GONE: Final = 1001


async def _read(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    try:
        kind, size = HEAD.unpack(await reader.readexactly(HEAD.size))
        return kind, await reader.readexactly(size)
    except OSError as wrong:
        raise EOFError from wrong


def _piece(kind: bytes, data: bytes) -> bytes:
    return HEAD.pack(kind, len(data)) + data


def _sent(frame: str | bytes) -> bytes:
    return _piece(TEXT, frame.encode()) if isinstance(frame, str) else _piece(BYTES, frame)


class FarSocket:
    """The client's socket, as a session uses it in the process where the match lives."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def recv(self) -> str | bytes:
        """The next frame. Raises `EOFError` if the other end is gone."""
        kind, data = await _read(self._reader)
        return data.decode() if kind == TEXT else data

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Have the client's connection closed with a code."""
        self._writer.write(_piece(CLOSE, code.to_bytes(2) + reason.encode()))
        self._writer.close()

    def write(self, *frames: str) -> None:
        """Send frames; never waits."""
        if not self._writer.is_closing():
            self._writer.write(b"".join(map(_sent, frames)))

    def waiting(self) -> int:
        """The number of bytes that the process with the client's connection has not yet read."""
        return self._writer.transport.get_write_buffer_size()


async def carry(near: Socket, end: socket.socket, first: str | bytes) -> None:
    """Carry a client's frames to the other end of a link, beginning with `first`, and carry that end's frames to the
    client.

    Ends when either side is gone; if the other process is gone, the client is asked to reconnect. Raises the exceptions
    of a closed `near`.
    """
    reader, writer = await asyncio.open_connection(sock=end)
    writer.write(_sent(first))
    up = asyncio.get_running_loop().create_task(_up(near, writer))
    down = asyncio.get_running_loop().create_task(_down(near, reader))
    try:
        await asyncio.wait((up, down), return_when=asyncio.FIRST_COMPLETED)
        for ended in (up, down):
            if ended.done():
                ended.result()
    finally:
        for task in (up, down):
            task.cancel()
        await asyncio.gather(up, down, return_exceptions=True)
        writer.close()


async def asked(end: socket.socket, frame: str | bytes) -> str:
    """The single answer of a link's other end to a frame. Raises `EOFError` if the other end is gone."""
    reader, writer = await asyncio.open_connection(sock=end)
    try:
        writer.write(_sent(frame))
        kind, data = await _read(reader)
        if kind != TEXT:
            raise EOFError
        return data.decode()
    finally:
        writer.close()


async def _up(near: Socket, writer: asyncio.StreamWriter) -> None:
    while True:
        frame = await near.recv()
        writer.write(_sent(frame))
        with suppress(OSError):  # the other process is gone, which `_down` also notices
            await writer.drain()


async def _down(near: Socket, reader: asyncio.StreamReader) -> None:
    while True:
        try:
            kind, data = await _read(reader)
        except EOFError:
            await near.close(GONE, CLOSE_CODES[GONE])
            return
        if kind == CLOSE:
            await near.close(int.from_bytes(data[:2]), data[2:].decode())
            return
        near.write(data.decode())
        while near.waiting() > MOST:
            await asyncio.sleep(INTERVALS.drain_s)
