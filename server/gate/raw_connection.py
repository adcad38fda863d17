"""The undocumented parts of `websockets` that Herald uses: a connection's transport, and the bytes given to it.

A frame that goes to thousands is made once and written to each transport, and a connection that another process has
accepted is given what was read of it there; the library's documented calls do neither. Nothing else in Herald touches
them. `pyproject.toml` bounds the version, and `tests/server/gate/test_raw_connection.py` says what has to hold in it.
"""

import asyncio

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State


def forget_handshake(connection: ServerConnection) -> None:
    """Empty the headers of both sides, which take 4 kB and more for as long as a connection is open.

    The library's parser holds the request too, so that letting go of it here would free nothing.
    """
    for side in (connection.request, connection.response):
        if side is not None:
            side.headers.clear()


def write_frames(connection: ServerConnection, data: bytes) -> bool:
    """Put the bytes of whole frames into the transport's buffer; False where the connection is closed."""
    if connection.protocol.state is not State.OPEN:
        return False
    connection.transport.write(data)
    return True


def buffered(connection: ServerConnection) -> int:
    """Bytes that wait in the transport's buffer."""
    return connection.transport.get_write_buffer_size()


def cut_off(connection: ServerConnection) -> None:
    """Close the socket at once; what waits for it is lost."""
    connection.transport.abort()


def transport_of(connection: ServerConnection) -> asyncio.Transport:
    """The transport of a connection that is to be handed over."""
    return connection.transport


def feed(connection: ServerConnection, data: bytes) -> None:
    """Give a connection bytes that were read from its socket elsewhere."""
    connection.data_received(data)
