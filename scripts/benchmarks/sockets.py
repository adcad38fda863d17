"""A minimal websocket client (RFC 6455): thousands of clients leave most of the processor to the measured server."""

import asyncio
import base64
import os
import resource

from websockets.frames import Opcode

from server.wire.addresses import SOCKET
from server.wire.protocol import SUBPROTOCOL

NO_MASK = b"\0\0\0\0"
"""A masking key that changes nothing (5.3): the server still unmasks the frame, but the client has no work."""


def upgrade_request(path: str) -> bytes:
    """The request for a websocket (4.1)."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
    ).encode()


def client_frame(payload: bytes) -> bytes:
    """A text frame as a client sends it."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, 0x80 | size)) + NO_MASK + payload
    if size < 1 << 16:
        return b"\x81\xfe" + size.to_bytes(2, "big") + NO_MASK + payload
    return b"\x81\xff" + size.to_bytes(8, "big") + NO_MASK + payload


def server_frame(data: bytes, at: int = 0) -> tuple[int, int, int] | None:
    """(opcode, where the payload begins and ends) of an unmasked frame (5.1); None while its header is not whole."""
    if len(data) - at < 2:
        return None
    size, begin = data[at + 1] & 127, at + 2
    if size >= 126:
        begin += 2 if size == 126 else 8
        if len(data) < begin:
            return None
        size = int.from_bytes(data[at + 2 : begin], "big")
    return data[at] & 15, begin, begin + size


class Socket(asyncio.Protocol):
    """One connection; its events go to `opened`, `text` and `closed`."""

    transport: asyncio.Transport
    path: str = SOCKET

    def __init__(self) -> None:
        self._data = b""
        self._is_open = False

    def opened(self) -> None:
        """Called when the websocket is open."""

    def text(self, payload: bytes) -> None:
        """Called for each text frame."""

    def closed(self) -> None:
        """Called when the connection is lost."""

    def send(self, payload: bytes) -> None:
        """Send a text frame."""
        self.transport.write(client_frame(payload))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the websocket."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(upgrade_request(self.path))

    def data_received(self, data: bytes) -> None:
        """The answer to the request, then frames."""
        self._data = self._data + data if self._data else data
        if not self._is_open:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_open, self._data = True, rest
            self.opened()
        self._read()

    def _read(self) -> None:
        at = 0
        data = self._data
        while (frame := server_frame(data, at)) is not None and frame[2] <= len(data):
            opcode, begin, at = frame
            if opcode == Opcode.TEXT:
                self.text(data[begin:at])
            elif opcode == Opcode.PING:
                # A ping of the library has at most eight bytes, and is sent back (5.5.3).
                self.transport.write(bytes((0x8A, 0x80 | (at - begin))) + NO_MASK + data[begin:at])
        self._data = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        """See `closed`."""
        del exc
        self.closed()


def allow_files(count: int) -> None:
    """Let this process, and the processes that it starts, have this many files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (count if hard == resource.RLIM_INFINITY else min(count, hard), hard)
        )
