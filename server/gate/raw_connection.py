"""The undocumented parts of `websockets` that Herald uses: a connection's transport, and the bytes passed to it.

Herald uses them for three purposes that the documented calls do not serve. A frame for thousands of viewers is made
once and written to each transport. A connection that another process accepted gets the bytes that were read from it
there. One task keeps all connections alive. No other module of Herald uses these parts. `pyproject.toml` bounds the
version of `websockets`, and `tests/server/gate/test_raw_connection.py` tests what Herald requires of it.
"""

import asyncio
import re
from typing import Final, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

POST: Final = b"POST "
END: Final = b"\r\n\r\n"
LENGTH: Final = re.compile(rb"\r\nContent-Length:[^\r\n]*", re.IGNORECASE)
"""The library refuses requests that state the length of their body."""
HEAD_MOST: Final = 65_536
"""The maximum number of bytes in the head of a POST."""


class Keeper(Protocol):
    """Keeps connections alive."""

    def enter(self, connection: "KeptConnection") -> None:
        """Note that a connection's handshake is done."""
        ...

    def leave(self, connection: "KeptConnection") -> None:
        """Note that a connection is closed."""
        ...


class KeptConnection(ServerConnection):
    """A connection that a `keeper` keeps alive, if it has one.

    `is_heard`: whether something has arrived since the keeper's last ping.

    The library itself would run a task for each connection, with two timers and a future for each ping.
    """

    keeper: Keeper | None = None
    is_heard = True

    def start_keepalive(self) -> None:
        """Called when the handshake is done."""
        if self.keeper is not None:
            self.keeper.enter(self)

    def ask(self) -> bool:
        """Called when the keeper pings the other end.

        Returns whether anything has arrived since the keeper's last ping.
        """
        was_heard, self.is_heard = self.is_heard, False
        return was_heard

    def data_received(self, data: bytes) -> None:
        """Called when bytes have arrived."""
        self.is_heard = True
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the socket is closed."""
        if self.keeper is not None:
            self.keeper.leave(self)
        super().connection_lost(exc)


def forget_handshake(connection: ServerConnection) -> None:
    """Empty the headers of both sides, which would take 4 kB or more while the connection is open.

    The library's parser also holds the request, so dropping the reference here would free nothing.
    """
    for side in (connection.request, connection.response):
        if side is not None:
            side.headers.clear()


def write_frames(connection: ServerConnection, data: bytes) -> bool:
    """Put the bytes of complete frames into the transport's buffer; returns False if the connection is closed."""
    if connection.protocol.state is not State.OPEN:
        return False
    connection.transport.write(data)
    return True


def buffered(connection: ServerConnection) -> int:
    """The number of bytes that wait in the transport's buffer."""
    return connection.transport.get_write_buffer_size()


def cut_off(connection: ServerConnection) -> None:
    """Close the socket at once; bytes that wait to be sent are lost."""
    connection.transport.abort()


def transport_of(connection: ServerConnection) -> asyncio.Transport:
    """The transport of a connection that is to be handed over."""
    return connection.transport


def feed(connection: ServerConnection, data: bytes) -> None:
    """Give a connection the bytes that another process read from its socket."""
    connection.data_received(data)


class _PostBody:
    """Receives the first bytes of a connection, until they show which kind it is."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection, self._head = connection, b""

    def take(self, data: bytes) -> None:
        """Pass on all bytes, or only the head of a POST."""
        self._head += data
        if not POST.startswith(self._head[: len(POST)]):
            del self._connection.data_received
            self._connection.data_received(self._head)
        elif len(self._head) > HEAD_MOST:
            self._connection.transport.abort()
        elif len(self._head) >= len(POST) and END in self._head:
            self._connection.data_received = _drop  # type: ignore[method-assign]
            head = LENGTH.sub(b"", self._head.partition(END)[0])
            ServerConnection.data_received(self._connection, head + END)


def _drop(data: bytes) -> None:
    del data


def hold_back_bodies(connection: ServerConnection) -> None:
    """Drop the body of a POST, because the connection would take it for websocket frames, and nothing reads a body.

    Only one request is a POST: a mail program's request to unsubscribe (RFC 8058), whose address contains everything.
    """
    connection.data_received = _PostBody(connection).take  # type: ignore[method-assign]
