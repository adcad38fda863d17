"""The server: websockets and pages on one port, a graceful stop."""

import asyncio
import gc
import logging
import signal
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import anyio
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.typing import Subprotocol

from replay.store.log import Store
from server.errors import Misconfigured, place_of
from server.gate.doors import address_of, counted, is_addressed, is_welcome, may_measure
from server.gate.session import Session
from server.hall.matches import Hall
from server.hall.neighbours import Neighbours
from server.operations import logs
from server.operations.metrics import CONTENT_TYPE, Meters, exposition
from server.operations.settings import Networks, names_this_machine
from server.pages.bundle import bundle_api
from server.pages.inspecting import VIEW, view_of
from server.pages.serving import page, respond
from server.wire.codes import CLOSE_CODES
from server.wire.protocol import SUBPROTOCOL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOG = logging.getLogger(__name__)
WIRE_LOG = logging.getLogger("server.wire")
# At level DEBUG the library logs frames, which hold tokens and secrets.
WIRE_LOG.addFilter(lambda record: record.levelno > logging.DEBUG)
SWEEP_S = 30.0
BEAT_S = 2.0
CLOSE_S = 2.0
"""How long the other side has to take what waits for it and to close; then it is cut off, and its memory is free."""
BACKLOG = 4096
WATCHED = ("/healthz", "/readyz", "/metrics")
"""What those who look after the server ask for, by whatever address."""
SWITCH_S = 0.0001
"""How long one thread may keep the others waiting: the writer's thread asks for its turn with every statement."""
COLLECT_AFTER = (5_000, 20, 1_000_000_000)
"""Objects, and smaller collections, after which the garbage collector looks: never at all objects by itself."""
TEXT = 0x81
"""A whole message of text (RFC 6455, 5.2)."""


@lru_cache(maxsize=16)
def serialized(frame: str) -> bytes:
    """A text frame's bytes on the wire (RFC 6455, 5.2), made once for all the sockets it goes to."""
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
        """The next frame. Raises `ConnectionClosed`."""
        frame = await self._connection.recv()
        self._meters.received_bytes += len(frame)
        return frame

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code; who does not read it is cut off."""
        self._meters.closed[code] += 1
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._connection.close(code, reason)
        except TimeoutError:
            # The library waits without end for a full buffer, and its own limit begins only then.
            self._connection.transport.abort()

    def write(self, *frames: str) -> None:
        """Put frames into the transport's buffer; a closed connection is left alone."""
        if self._connection.protocol.state is State.OPEN:
            data = serialized(*frames) if len(frames) == 1 else b"".join(map(serialized, frames))
            self._meters.sent_bytes += len(data)
            self._connection.transport.write(data)

    def waiting(self) -> int:
        """Bytes in the transport's buffer."""
        return self._connection.transport.get_write_buffer_size()


@contextmanager
def rare_collections() -> Iterator[None]:
    """Leave what was loaded so far out of garbage collections, and whole collections to `_sweep`; for a whole process.

    A whole collection walks all matches in memory and holds every one of them up meanwhile. Choices leave no cycles
    behind; matches that leave memory do.
    """
    former = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*former)
        gc.unfreeze()


def connection_of(hall: Hall, proxies: Networks = ()) -> Callable[[ServerConnection], Awaitable[None]]:
    """What runs for each websocket."""

    async def handle(connection: ServerConnection) -> None:
        logs.new_request()
        LOG.info("a connection opened")
        try:
            await Session(hall, WebSocket(connection, hall.meters), address_of(connection, proxies)).run()
        except ConnectionClosed:
            return
        finally:
            LOG.info("a connection closed with %s", connection.close_code)

    return handle


Answer = Callable[[ServerConnection, Request], Awaitable[Response | None]]


def request_of(
    hall: Hall,
    origins: tuple[str, ...] = (),
    metrics_token: str = "",
    proxies: Networks = (),
    hosts: tuple[str, ...] = (),
    *,
    develop: bool = False,
) -> Answer:
    """What answers a request that is no websocket: pages; the websocket is at `/ws`."""
    api = bundle_api(hall)
    making = asyncio.Semaphore(1)

    async def answer(connection: ServerConnection, request: Request) -> Response | None:
        logs.new_request()
        try:
            return await reply(connection, request)
        except Exception as wrong:
            LOG.error("a request failed: %s", place_of(wrong))
            return _plain(HTTPStatus.INTERNAL_SERVER_ERROR, "The server could not do this now; try again.")

    async def reply(connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path not in WATCHED and not is_addressed(request.headers, hosts):
            return _plain(HTTPStatus.MISDIRECTED_REQUEST, "This server does not answer to that name; see `hosts`.")
        if path.startswith("/api/"):
            if not hall.admission.may_replay(address_of(connection, proxies)):
                return _plain(HTTPStatus.TOO_MANY_REQUESTS, "That was too often; wait a minute, then ask again.")
            # A long match takes a while to tell; live matches go on meanwhile.
            async with making:
                return await asyncio.to_thread(page, request.path, api)
        if path == VIEW and develop:
            async with making:
                return await asyncio.to_thread(_viewed, hall, request)
        if path == "/readyz":
            return _readiness(hall)
        if path == "/metrics":
            if not may_measure(connection, request.headers, metrics_token):
                return _plain(HTTPStatus.FORBIDDEN, "Metrics are for this machine, or for who has their token.")
            return await _measured(hall)
        if path != "/ws":
            return page(request.path, api, develop=develop)
        return _refused(hall, request, origins)

    return answer


def _refused(hall: Hall, request: Request, origins: tuple[str, ...]) -> Response | None:
    """Why a websocket is not opened; None when it is."""
    if hall.is_draining:
        return _plain(HTTPStatus.SERVICE_UNAVAILABLE, "The server is going down; connect again.")
    if "upgrade" not in ",".join(request.headers.get_all("Connection")).lower():
        return _plain(HTTPStatus.UPGRADE_REQUIRED, "This address speaks websockets.")
    if "?" in request.path:
        return _plain(HTTPStatus.BAD_REQUEST, "Tokens travel in the first message; this address takes no query.")
    if not is_welcome(request.headers, origins):
        return _plain(HTTPStatus.FORBIDDEN, "Pages of this origin may not connect; see --origin.")
    return None


def _viewed(hall: Hall, request: Request) -> Response:
    """The view of who asks, for the inspector."""
    query = dict(parse_qsl(urlsplit(request.path).query))
    body = view_of(hall, query, request.headers)
    if body is None:
        return _plain(HTTPStatus.NOT_FOUND, "There is no such match, or not with this token.")
    return respond(HTTPStatus.OK, body, "application/json")


def _readiness(hall: Hall) -> Response:
    why = hall.unready()
    return _plain(HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK, why or "ready")


async def _measured(hall: Hall) -> Response:
    standing = hall.standing()
    counts, pulse = await asyncio.to_thread(lambda: (hall.store.counts(), hall.store.pulse()))
    return respond(HTTPStatus.OK, exposition(hall.meters, standing, counts, pulse).encode(), CONTENT_TYPE)


def _plain(status: HTTPStatus, text: str) -> Response:
    return respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8")


@asynccontextmanager
async def running(
    hall: Hall,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    origins: Sequence[str] = (),
    hosts: Sequence[str] = (),
    proxies: Networks = (),
    tls: ssl.SSLContext | None = None,
    metrics_token: str = "",
    develop: bool = False,
    neighbours: Neighbours | None = None,
) -> "AsyncIterator[Server]":
    """A server that listens while the context lasts.

    `origins`: whose pages may connect beside its own; `hosts`: the names it answers to, any without; `proxies`: whose
    `X-Forwarded-For` is believed; `tls`: serve TLS; `metrics_token`: who has it may read `/metrics`; `develop`: the
    inspector for authors is at `/inspect`; `neighbours`: keeps the hall abreast of others. Raises `Misconfigured`
    when the port cannot be had.
    """
    hall.admission.is_proxied = names_this_machine(proxies)
    try:
        server = await serve(
            connection_of(hall, proxies),
            host,
            port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            process_request=request_of(hall, tuple(origins), metrics_token, proxies, tuple(hosts), develop=develop),
            logger=WIRE_LOG,
            compression=None,
            max_size=hall.limits.frame_bytes,
            max_queue=hall.limits.incoming_frames,
            open_timeout=10,
            ping_interval=20,
            ping_timeout=20,
            close_timeout=CLOSE_S,
            server_header=None,
            create_connection=counted(hall.limits),
            backlog=BACKLOG,
            ssl=tls,
        )
    except OSError as wrong:
        raise Misconfigured(f"Cannot listen on {host}:{port}: {wrong.strerror}. Choose another with --port.") from wrong
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_fault)
    former = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    sweeper = loop.create_task(_sweep(hall))
    beating = loop.create_task(_beat(hall))
    resuming = loop.create_task(_resume(hall))
    abreast = loop.create_task(neighbours.run() if neighbours is not None else asyncio.sleep(0))
    try:
        yield server
    finally:
        for task in (sweeper, beating, resuming, abreast):
            task.cancel()
        await hall.close()
        server.close(code=1001, reason=CLOSE_CODES[1001])
        await server.wait_closed()
        sys.setswitchinterval(former)


def _log_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say where a task has failed, without its words, which may be secret."""
    del loop
    wrong = context.get("exception")
    LOG.error("%s: %s", context.get("message", "a task failed"), place_of(wrong) if wrong else "")


async def _sweep(hall: Hall) -> None:
    while True:
        await anyio.sleep(SWEEP_S)
        if hall.forget_idle():
            gc.collect()


async def _beat(hall: Hall) -> None:
    while True:
        due = time.monotonic() + BEAT_S
        await anyio.sleep(BEAT_S)
        hall.meters.lag_s = max(0.0, time.monotonic() - due)
        hall.heartbeat()
        hall.admission.relieve()
        if hall.is_refused():
            await asyncio.to_thread(hall.store.probe)
            hall.is_refused()


async def _resume(hall: Hall) -> None:
    begun = time.monotonic()
    try:
        resumed, counts = await hall.resume(), await asyncio.to_thread(hall.store.counts)
    except Exception as wrong:
        LOG.error("what is to go on could not be read: %s", place_of(wrong))
        return
    LOG.info(
        "of %d matches in the database %d go on, folded in %.1f s",
        sum(counts.values()),
        resumed,
        time.monotonic() - begun,
    )
    await hall.remind()


def port_of(server: Server) -> int:
    """The port a server listens on."""
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def until_stopped(store: Store) -> str:
    """Wait for SIGINT or SIGTERM, or for the store to fail: why it did, empty for a signal."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[str] = loop.create_future()

    def stop(why: str) -> None:
        if not stopped.done():
            stopped.set_result(why)

    def failed(why: str) -> None:
        loop.call_soon_threadsafe(stop, why)

    store.on_failure(failed)
    waiting = loop.create_task(_signal(stop))
    try:
        why = await stopped
        if why:
            LOG.error("the store has failed for good: %s", why)
        return why
    finally:
        waiting.cancel()


async def _signal(stop: Callable[[str], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for taken in signals:
            LOG.info("%s: what is being written is finished, nothing more is taken", signal.Signals(taken).name)
            stop("")
            return
