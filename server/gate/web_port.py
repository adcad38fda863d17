"""Websockets and pages on sockets that listen, plain or over TLS, for servers and relays alike."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from server.gate.connection_policy import CountedSocket
from server.gate.keepalive import KeepAlive
from server.gate.listening import BACKLOG
from server.gate.sockets import WIRE_LOG
from server.gate.tls_port import TlsPort
from server.operations.bounds import BOUNDS, Bounds
from server.operations.certificate import Certificate
from server.operations.intervals import INTERVALS, Intervals
from server.operations.settings import Limits
from server.wire.codes import CLOSE_CODES
from server.wire.protocol import SUBPROTOCOL

PROTOCOLS: Final = [Subprotocol(SUBPROTOCOL)]
Handled = Callable[[ServerConnection], Awaitable[None]]
Answer = Callable[[ServerConnection, Request], Awaitable[Response | None]]


class WebPort(Struct, frozen=True):
    """The library's server, the task that keeps its connections alive, its additional sockets, and the part that
    accepts TLS. `make` creates a connection of the server.
    """

    server: Server
    make: Callable[[], ServerConnection]
    keepalive: KeepAlive
    others: tuple[asyncio.Server | socket.socket, ...] = ()
    tls: TlsPort | None = None

    async def close(self) -> None:
        """Close the listening sockets, and every connection with code 1001."""
        if self.tls is not None:
            await self.tls.close()
        for other in self.others:
            other.close()
        self.server.close(code=1001, reason=CLOSE_CODES[1001])
        await self.server.wait_closed()
        self.keepalive.stop()


async def open_port(
    bound: Sequence[socket.socket],
    limits: Limits,
    made: type[CountedSocket],
    handled: Handled,
    answer: Answer,
    certificate: Certificate | None,
    open_s: float,
    intervals: Intervals = INTERVALS,
    bounds: Bounds = BOUNDS,
) -> WebPort:
    """Serve on the sockets. `open_s`: the time limit of a request, including the computation of its answer."""
    keepalive = made.keeper = KeepAlive(intervals)
    each: dict[str, Any] = {
        "ping_interval": None,
        "close_timeout": intervals.close_s,
        "max_queue": limits.incoming_frames,
    }
    server = await serve(
        handled,
        sock=bound[0],
        subprotocols=PROTOCOLS,
        process_request=answer,
        logger=WIRE_LOG,
        compression=None,
        max_size=limits.frame_bytes,
        open_timeout=open_s,
        server_header=None,
        create_connection=made,
        backlog=BACKLOG,
        ssl=None if certificate is None else certificate.context,
        **each,
    )

    def make() -> ServerConnection:
        protocol = ServerProtocol(subprotocols=PROTOCOLS, max_size=limits.frame_bytes, logger=WIRE_LOG)
        return made(protocol, server, **each)

    if certificate is not None:
        tls = TlsPort(certificate, make, intervals, bounds)
        tls.open(bound)
        return WebPort(server, make, keepalive, tuple(bound[1:]), tls)
    loop = asyncio.get_running_loop()
    others = tuple([await loop.create_server(make, sock=door, backlog=BACKLOG) for door in bound[1:]])
    return WebPort(server, make, keepalive, others)
