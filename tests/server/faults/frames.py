"""The websocket's own frames (RFC 6455), made by hand and sent to a real server: valid ones and forbidden ones.

Autobahn's fuzzing client tests more (docs/testing.md), but needs Python 2.7; these are its main cases.
"""

import os
import struct

import anyio
from anyio.abc import SocketStream

from server.wire.protocol import SUBPROTOCOL
from tests.server.faults.tried import Tried
from tests.server.tabletop import Table

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
HELLO = b'{"t":"ping","n":7}'
ANSWER = b'{"t":"pong","n":7}'
PROTOCOL_ERROR, BAD_DATA, TOO_BIG = 1002, 1007, 1009


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """A client's frame (5.2)."""
    head = bytes([(fin << 7) | (reserved << 4) | opcode])
    bit = 0x80 if masked else 0
    size = len(data)
    if size < 126:
        head += bytes([bit | size])
    elif size < 1 << 16:
        head += bytes([bit | 126]) + struct.pack("!H", size)
    else:
        head += bytes([bit | 127]) + struct.pack("!Q", size)
    if not masked:
        return head + data
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


class Raw:
    """A websocket whose frames are made by hand."""

    def __init__(self, stream: SocketStream) -> None:
        self._stream = stream
        self._held = b""

    async def send(self, *frames: bytes) -> None:
        """Send bytes as they are."""
        for data in frames:
            await self._stream.send(data)

    async def _take(self, count: int) -> bytes:
        while len(self._held) < count:
            self._held += await self._stream.receive()
        taken, self._held = self._held[:count], self._held[count:]
        return taken

    async def receive(self) -> tuple[int, bytes]:
        """The server's next frame: opcode and data."""
        first, second = await self._take(2)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(await self._take(2 if size == 126 else 8), "big")
        assert not second & 0x80, "a server does not mask (5.1)"
        return first & 0x0F, await self._take(size)

    async def closed(self) -> int:
        """The code with which the server closes; other frames are passed over."""
        while True:
            opcode, data = await self.receive()
            if opcode == CLOSE:
                return int.from_bytes(data[:2], "big")


async def raw(at: Table) -> Raw:
    """A connection past the handshake (4.1)."""
    host, port = at.http.removeprefix("http://").split(":")
    stream = await anyio.connect_tcp(host, int(port))
    at._stack.push_async_callback(stream.aclose)
    await stream.send(
        f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
    )
    found = Raw(stream)
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += await found._take(1)
    assert b" 101 " in answer
    return found


SPLIT = (frame(TEXT, HELLO[:5], fin=False), frame(0, HELLO[5:9], fin=False), frame(0, HELLO[9:]))
GOOD = {
    "5.4 in one frame": (frame(TEXT, HELLO),),
    "5.4 in fragments": SPLIT,
    "5.4 in empty fragments": (frame(TEXT, b"", fin=False), frame(0, b"", fin=False), frame(0, HELLO)),
    "5.4 with a ping between fragments": (SPLIT[0], frame(PING, b"x"), *SPLIT[1:]),
    "5.5.3 after a pong nobody asked for": (frame(PONG, b"x"), frame(TEXT, HELLO)),
    "5.1 in single bytes": tuple(bytes([byte]) for byte in frame(TEXT, HELLO)),
}
NEVER_SENT = (0, 999, 1005, 1006, 1015, 2999, 5000)
BAD = {
    "5.1 not masked": ((frame(TEXT, HELLO, masked=False),), PROTOCOL_ERROR),
    **{f"5.2 reserved bits {bits:03b}": ((frame(TEXT, HELLO, reserved=bits),), PROTOCOL_ERROR) for bits in range(1, 8)},
    **{f"5.2 opcode {code}": ((frame(code, b"x"),), PROTOCOL_ERROR) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "5.4 a continuation of nothing": ((frame(0, HELLO),), PROTOCOL_ERROR),
    "5.4 a new message amid another": ((SPLIT[0], frame(TEXT, HELLO)), PROTOCOL_ERROR),
    "5.5 a ping of 126 bytes": ((frame(PING, b"x" * 126),), PROTOCOL_ERROR),
    "5.5 a ping in fragments": ((frame(PING, b"x", fin=False),), PROTOCOL_ERROR),
    "5.5.1 a close of one byte": ((frame(CLOSE, b"x"),), PROTOCOL_ERROR),
    **{f"7.4 close code {c}": ((frame(CLOSE, struct.pack("!H", c)),), PROTOCOL_ERROR) for c in NEVER_SENT},
    "8.1 bad UTF-8": ((frame(TEXT, b"\xce\xba\xe1\xbd\xb9\xcf\x83\xed\xa0\x80"),), BAD_DATA),
    "8.1 bad UTF-8 over two fragments": ((frame(TEXT, b"\xf4", fin=False), frame(0, b"\x90\x80\x80")), BAD_DATA),
    "5.5.1 a reason in bad UTF-8": ((frame(CLOSE, b"\x03\xe8\xff"),), BAD_DATA),
    "10.4 a frame over the limit": ((frame(TEXT, b" " * 70_000),), TOO_BIG),
    "10.4 a length of 2^62": ((b"\x81\xff" + struct.pack("!Q", 1 << 62) + b"\0\0\0\0",), TOO_BIG),
    "10.4 fragments over the limit": ((frame(TEXT, b" " * 40_000, fin=False), frame(0, b" " * 40_000)), TOO_BIG),
}  # fmt: skip
CLOSES = (1000, 1001, 1002, 1003, 1007, 1011, 3000, 3999, 4000, 4999)
PINGS = (b"", b"x" * 125, bytes(range(125)))


async def allowed(at: Table) -> Tried:
    """Everything that the standard allows is understood."""
    found = Tried()
    for name, frames in GOOD.items():
        connection = await raw(at)
        await connection.send(*frames)
        opcode, data = await connection.receive()
        while opcode == PONG:
            opcode, data = await connection.receive()
        _count(found, name, "understood", (opcode, data), (TEXT, ANSWER))
    return found


async def forbidden(at: Table) -> Tried:
    """A forbidden frame closes its connection with the standard's code, and the server serves others as before."""
    found = Tried()
    for name, (frames, code) in BAD.items():
        connection = await raw(at)
        await connection.send(*frames)
        _count(found, name, f"closed with {code}", await connection.closed(), code)
    other = await raw(at)
    await other.send(frame(TEXT, HELLO))
    _count(found, "another connection after that", "understood", await other.receive(), (TEXT, ANSWER))
    return found


async def controlled(at: Table) -> Tried:
    """A ping is answered with its data and a close with its code; a binary message is refused in words."""
    found = Tried()
    for data in PINGS:
        connection = await raw(at)
        await connection.send(frame(PING, data))
        _count(found, f"a ping of {len(data)} bytes", "answered", await connection.receive(), (PONG, data))
    for code in CLOSES:
        connection = await raw(at)
        await connection.send(frame(CLOSE, struct.pack("!H", code)))
        _count(found, f"close code {code}", "answered", await connection.closed(), code)
    connection = await raw(at)
    await connection.send(frame(BINARY, HELLO))
    opcode, data = await connection.receive()
    _count(found, "a binary message", "refused in words", (opcode, b"bad-message" in data), (TEXT, True))
    return found


def _count(found: Tried, name: str, came: str, answer: object, wanted: object) -> None:
    found.cases += 1
    if answer == wanted:
        found.came[came] += 1
    else:
        found.note(name, f"the answer is {answer!r}, it should be {wanted!r}")
