"""A websocket for a session: it receives frames, buffers frames to send, and is closed or cut off."""

import asyncio
import logging
from functools import lru_cache

from websockets.asyncio.server import ServerConnection

from server.gate.raw_connection import buffered, cut_off, write_frames
from server.operations.metrics import Meters

WIRE_LOG = logging.getLogger("server.wire")
# At level DEBUG the library logs frames, which hold tokens and secrets.
WIRE_LOG.addFilter(lambda record: record.levelno > logging.DEBUG)
CLOSE_S = 2.0
"""How long, in seconds, the other side has to read the waiting bytes and to close. After that, it is cut off, and the
memory is freed.
"""
TEXT = 0x81
"""A complete text message (RFC 6455, 5.2)."""


@lru_cache(maxsize=16)
def serialized(frame: str) -> bytes:
    """A text frame's bytes on the wire (RFC 6455, 5.2), made once for all sockets to which it is sent."""
    payload = frame.encode()
    size = len(payload)
    if size < 126:
        return b"%c%c%b" % (TEXT, size, payload)
    if size < 1 << 16:
        return b"%c\x7e%b%b" % (TEXT, size.to_bytes(2, "big"), payload)
    return b"%c\x7f%b%b" % (TEXT, size.to_bytes(8, "big"), payload)


class WebSocket:
    """A `websockets` connection as a session uses it."""

    __slots__ = ("_connection", "_meters")

    def __init__(self, connection: ServerConnection, meters: Meters) -> None:
        self._connection = connection
        self._meters = meters

    async def recv(self) -> str | bytes:
        """The next frame. Raises `ConnectionClosed` if the connection is closed."""
        frame = await self._connection.recv()
        self._meters.received_bytes += len(frame)
        return frame

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code; a client that does not read the code is cut off."""
        self._meters.closed[code] += 1
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._connection.close(code, reason)
        except TimeoutError:
            # The library waits without limit while the buffer is full, and its own time limit begins only after that.
            cut_off(self._connection)

    def write(self, *frames: str) -> None:
        """Put frames into the transport's buffer; does nothing if the connection is closed."""
        data = serialized(*frames) if len(frames) == 1 else b"".join(map(serialized, frames))
        if write_frames(self._connection, data):
            self._meters.sent_bytes += len(data)

    def waiting(self) -> int:
        """The number of bytes in the transport's buffer."""
        return buffered(self._connection)
