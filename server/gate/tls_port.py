"""A port that serves TLS: it redirects plain HTTP to the same address with https, and loads renewed certificates.

Connections are accepted here and not by asyncio's server, because the first byte decides whether a client uses TLS, and
because each connection is served with the current certificate.
"""

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from server.operations.bounds import BOUNDS, Bounds
from server.operations.certificate import Certificate
from server.operations.intervals import INTERVALS, Intervals

LOG = logging.getLogger(__name__)
HANDSHAKE: Final = 0x16
"""The first byte of a TLS connection: the type of a record with a handshake (RFC 8446, 5.1)."""
HEAD: Final = 8_192
"""The maximum number of bytes in a plain request."""
AGAIN_S: Final = 1.0
"""The pause, in seconds, before connections are accepted again after the system refused one, for example because too
many files were open.
"""
TARGET: Final = re.compile(rb"[A-Z]{1,16} (/[!-~]*) HTTP/1\.[01]\r?\n")
HOST: Final = re.compile(rb"\nHost:[ \t]*([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?[ \t]*(?=\r?\n)", re.IGNORECASE)
REFUSED: Final = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
MOVED: Final = (
    b"HTTP/1.1 308 Permanent Redirect\r\nLocation: https://%b%b%b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)
"""A redirect keeps the method, and the browser keeps the part after the `#`."""


def redirect(head: bytes) -> bytes:
    """The answer to the head of a plain request: the same address with https; a refusal if the request names
    no host.
    """
    target, hosts = TARGET.match(head), HOST.findall(head)
    if target is None or len(hosts) != 1:
        return REFUSED
    return MOVED % (*hosts[0], target[1])


class TlsPort:
    """Serves connections, each made by `make`, over TLS on sockets that listen, until this port is closed."""

    def __init__(
        self,
        certificate: Certificate,
        make: Callable[[], asyncio.Protocol],
        intervals: Intervals = INTERVALS,
        bounds: Bounds = BOUNDS,
    ) -> None:
        self._certificate, self._make = certificate, make
        self._intervals, self._most = intervals, bounds.handshakes
        self._accepting: list[asyncio.Task[None]] = []
        self._opening: dict[asyncio.Task[None], None] = {}

    def open(self, bound: Sequence[socket.socket]) -> None:
        """Accept connections from now on, instead of an asyncio server that also uses these sockets."""
        loop = asyncio.get_running_loop()
        for door in bound:
            loop.remove_reader(door)
        self._accepting = [loop.create_task(work) for work in (*map(self._accept, bound), self._look())]

    async def close(self) -> None:
        """Accept no further connections, and abandon those that are still in their handshake. The listening sockets
        stay open.
        """
        ended = [*self._accepting, *self._opening]
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._intervals.renew_s)
            await asyncio.to_thread(self._certificate.renew)

    async def _accept(self, door: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken, _ = await loop.sock_accept(door)
            except OSError as wrong:
                LOG.error("no connection can be accepted: %s", type(wrong).__name__)
                await asyncio.sleep(AGAIN_S)
                continue
            self._spawn(self._begin(taken))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if len(self._opening) >= self._most:
            next(iter(self._opening)).cancel()
        task = asyncio.get_running_loop().create_task(work)
        self._opening[task] = None
        task.add_done_callback(lambda done: self._opening.pop(done, None))

    async def _begin(self, taken: socket.socket) -> None:
        """Shake hands, or answer a plain request and close."""
        loop, is_handed_on = asyncio.get_running_loop(), False
        try:
            async with asyncio.timeout(self._intervals.open_s):
                first = await _first(taken)
                if first == HANDSHAKE:
                    is_handed_on = True  # the transport closes the socket from here on
                    await loop.connect_accepted_socket(self._make, taken, ssl=self._certificate.context)
                elif first is not None:
                    await loop.sock_sendall(taken, redirect(await _head(taken)))
                    taken.shutdown(socket.SHUT_WR)
        except (OSError, TimeoutError) as wrong:  # including TLS errors, because any client can send anything
            LOG.debug("a connection was not opened: %s", type(wrong).__name__)
        finally:
            if not is_handed_on:
                taken.close()


async def _first(taken: socket.socket) -> int | None:
    """The first byte, which can still be read afterwards; None if the other side has closed."""
    taken.setblocking(False)
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(taken, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(taken)
    return next(iter(taken.recv(1, socket.MSG_PEEK)), None)


async def _head(taken: socket.socket) -> bytes:
    """A request up to its empty line, if this line arrives and the request is not too long."""
    head = b""
    while b"\r\n\r\n" not in head and len(head) < HEAD:
        more = await asyncio.get_running_loop().sock_recv(taken, HEAD - len(head))
        if not more:
            break
        head += more
    return head
