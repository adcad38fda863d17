"""Many spectators in one process: bare sockets that only count the frames they are sent.

`python -m scripts.benchmarks.spectators PORT COUNT GREETING FRAME` connects, sends FRAME on each socket, and prints
`ready` once each was sent GREETING frames. Then it reads a number of further frames per socket, and prints
the moment at which the last of them had arrived and the bytes received.
"""

import asyncio
import sys
import time

from websockets.frames import Frame, Opcode

from scripts.benchmarks.sockets import allow_files, upgrade_request
from server.wire.addresses import SOCKET

AT_ONCE = 100
PRESENCE = b'{"t":"presence"'
CONTROL_BYTES = 125
"""The longest payload of a ping (RFC 6455, 5.5)."""


class Count:
    """The frames sent to all sockets together."""

    def __init__(self) -> None:
        self.frames = 0
        self.bytes = 0
        self.last = 0.0


class Spectator(asyncio.Protocol):
    """One websocket (RFC 6455): greets, then counts text frames."""

    def __init__(self, greeting: bytes, count: Count) -> None:
        self._greeting = greeting
        self._count = count
        self._open = False
        self._buffer = b""
        self._left = 0
        self._opcode = 0
        self._start = b""
        self.connected: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the websocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(upgrade_request(SOCKET))

    def data_received(self, data: bytes) -> None:
        """The answer to the request, then frames."""
        if self._open:
            self._read(data)
            return
        self._buffer += data
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if end:
            assert head.startswith(b"HTTP/1.1 101"), head
            self._open, self._buffer = True, b""
            self._transport.write(self._greeting)
            self.connected.set_result(None)
            self._read(rest)

    def _read(self, data: bytes) -> None:
        """Skip over payloads; a server's frames are not masked (RFC 6455, 5.2)."""
        while data:
            if not self._left:
                data = self._buffer + data
                size = header_bytes(data)
                if len(data) < size:
                    self._buffer = data
                    return
                self._buffer = b""
                self._opcode, self._left, self._start = data[0] & 15, payload_bytes(data), b""
                data = data[size:]
            step = min(self._left, len(data))
            if len(self._start) < CONTROL_BYTES:
                self._start += data[: min(step, CONTROL_BYTES)]
            self._left -= step
            data = data[step:]
            self._count.bytes += step
            if not self._left:
                self._taken()

    def _taken(self) -> None:
        """Count a frame. Frames about arrivals and departures are not part of the measurement."""
        if self._opcode == Opcode.PING:
            self._transport.write(Frame(Opcode.PONG, self._start[:CONTROL_BYTES]).serialize(mask=True))
        elif self._opcode == Opcode.TEXT and not self._start.startswith(PRESENCE):
            self._count.frames += 1
            self._count.last = time.perf_counter()


def header_bytes(data: bytes) -> int:
    """The number of bytes of a frame's header; 2 while it is not known."""
    if len(data) < 2:
        return 2
    return {126: 4, 127: 10}.get(data[1] & 127, 2)


def payload_bytes(data: bytes) -> int:
    """The length of a frame's payload; the header is whole."""
    size = header_bytes(data)
    return data[1] & 127 if size == 2 else int.from_bytes(data[2:size])


async def until_frames(count: Count, frames: int) -> None:
    """Wait until this many frames have arrived."""
    while count.frames < frames:
        await asyncio.sleep(0.005)


async def watch(port: int, spectators: int, greeting: int, frame: str) -> None:
    """See the module."""
    loop = asyncio.get_running_loop()
    count = Count()
    hello = Frame(Opcode.TEXT, frame.encode()).serialize(mask=True)
    for begun in range(0, spectators, AT_ONCE):
        group = [
            loop.create_connection(lambda: Spectator(hello, count), "127.0.0.1", port)
            for _ in range(min(AT_ONCE, spectators - begun))
        ]
        await asyncio.gather(*(spectator.connected for _, spectator in await asyncio.gather(*group)))
    await until_frames(count, spectators * greeting)
    before = count.bytes
    print("ready", flush=True)
    frames = int(await loop.run_in_executor(None, sys.stdin.readline))
    await until_frames(count, spectators * (greeting + frames))
    print(count.last, count.bytes - before, flush=True)


if __name__ == "__main__":
    allow_files(8192)
    asyncio.run(watch(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
