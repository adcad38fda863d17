"""The program that listens: websockets for spectators, the page for watching, health checks and metrics."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from server.errors import place_of
from server.gate.connection_policy import CountedSocket, address_of, counted, is_addressed, is_welcome, may_measure
from server.gate.listening import listening
from server.gate.sockets import WebSocket
from server.gate.web_port import Answer, open_port
from server.operations import logs
from server.operations.certificate import Certificate
from server.operations.garbage import Swept
from server.operations.metrics import CONTENT_TYPE
from server.operations.settings import Networks, names_this_machine
from server.pages.serving import PAGES, accepted_codings, page, plain, respond
from server.pages.sharing import base_of
from server.relay.metrics import exposition
from server.relay.pages import RelayPages
from server.relay.registry import RelayRegistry
from server.relay.spectator import RelaySpectator
from server.wire.addresses import is_socket

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOG = logging.getLogger(__name__)
BEAT_S: Final = 2.0
OPEN_S: Final = 10.0
"""The time limit of an entire request."""
SWEEP_BEATS: Final = 5
WATCHED: Final = ("/healthz", "/readyz", "/metrics")
ELSEWHERE: Final = frozenset({*PAGES, "/feed", "/feed.atom"}) - {"/watch", "/wall", "/follow"}
"""Pages and feeds of a server on which people play: a client that asks for one is redirected there."""
RECORD: Final = "/api/record/"
"""Complete records are served below this path; they are read from the server where the match is played."""


def connection_of(registry: RelayRegistry, proxies: Networks = ()) -> Callable[[ServerConnection], Awaitable[None]]:
    """The function that serves each websocket."""

    async def handle(connection: ServerConnection) -> None:
        logs.new_request()
        try:
            await RelaySpectator(
                registry, WebSocket(connection, registry.meters), address_of(connection, proxies)
            ).run()
        except ConnectionClosed:
            return

    return handle


def request_of(
    registry: RelayRegistry,
    origins: tuple[str, ...] = (),
    metrics_token: str = "",
    hosts: tuple[str, ...] = (),
    proxies: Networks = (),
    embedders: tuple[str, ...] = (),
    *,
    is_tls: bool = False,
) -> Answer:
    """The function that answers other requests; the websocket is at `/ws`, and at `/ws/HASH` for a match."""
    pages = RelayPages(registry, embedders)

    async def answer(connection: ServerConnection, request: Request) -> Response | None:
        logs.new_request()
        path = request.path.partition("?")[0]
        if path not in WATCHED and not is_addressed(request.headers, hosts):
            return plain(HTTPStatus.MISDIRECTED_REQUEST, "This server does not answer to that name; see `hosts`.")
        if is_socket(path):
            return _refused(registry, request, origins)
        if path == "/readyz":
            return plain(*_readiness(registry))
        if path == "/metrics":
            if not may_measure(connection, request.headers, metrics_token):
                return plain(HTTPStatus.FORBIDDEN, "Metrics are for this machine, or with the metrics token.")
            return respond(HTTPStatus.OK, exposition(registry).encode(), CONTENT_TYPE)
        if path in ELSEWHERE and registry.home:
            return _sent_to(registry.home + path)
        if path.startswith(RECORD) and registry.home:
            return _sent_to(registry.home + request.path)
        if pages.is_made(path):
            base = base_of(request.headers, is_tls=is_tls)
            return await pages.answer(request.path, base, address_of(connection, proxies))
        return page(request.path, lambda _path, _query: None, accepted=accepted_codings(request), embedders=embedders)

    return answer


def _refused(registry: RelayRegistry, request: Request, origins: tuple[str, ...]) -> Response | None:
    """The reason why a websocket is not opened; None when it is."""
    if registry.is_draining:
        return plain(HTTPStatus.SERVICE_UNAVAILABLE, "The server is going down; connect again.")
    if "upgrade" not in ",".join(request.headers.get_all("Connection")).lower():
        return plain(HTTPStatus.UPGRADE_REQUIRED, "This address speaks websockets.")
    if "?" in request.path:
        return plain(HTTPStatus.BAD_REQUEST, "Tokens travel in the first message; this address takes no query.")
    if not is_welcome(request.headers, origins):
        return plain(HTTPStatus.FORBIDDEN, "Pages of this origin may not connect; see --origin.")
    return None


def _readiness(registry: RelayRegistry) -> tuple[HTTPStatus, str]:
    if registry.is_draining:
        return HTTPStatus.SERVICE_UNAVAILABLE, "going down"
    return HTTPStatus.OK, "ready"


def _sent_to(address: str) -> Response:
    """A redirect to another server; the browser keeps the part after the `#`, which this server never sees."""
    response = plain(HTTPStatus.TEMPORARY_REDIRECT, f"It is at {address}.")
    response.headers["Location"] = address
    return response


@asynccontextmanager
async def relaying(
    registry: RelayRegistry,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    origins: Sequence[str] = (),
    hosts: Sequence[str] = (),
    proxies: Networks = (),
    tls: Certificate | None = None,
    metrics_token: str = "",
    embedders: Sequence[str] = (),
) -> "AsyncIterator[Server]":
    """A relay that listens while the context lasts. The options are those of `server.gate.app.running`.

    Raises `Misconfigured` if the port is not available.
    """
    registry.admission.expect_proxy(is_here=names_this_machine(proxies))
    made, handled = counted(registry.limits), connection_of(registry, proxies)
    answer = request_of(
        registry, tuple(origins), metrics_token, tuple(hosts), proxies, tuple(embedders), is_tls=tls is not None
    )
    opened = await open_port(listening(host, port), registry.limits, made, handled, answer, tls, OPEN_S)
    beating = asyncio.get_running_loop().create_task(_beat(registry, made))
    try:
        yield opened.server
    finally:
        beating.cancel()
        await registry.close()
        await opened.close()


async def _beat(registry: RelayRegistry, connections: type[CountedSocket]) -> None:
    beats, swept = 0, Swept()
    while True:
        due = time.monotonic() + BEAT_S
        await asyncio.sleep(BEAT_S)
        registry.meters.lag_s = max(0.0, time.monotonic() - due)
        try:
            registry.look_round()
            registry.admission.relieve()
            beats += 1
            if beats % SWEEP_BEATS == 0:
                registry.sweep()
                swept.look(connections.gone)
        except Exception as wrong:
            LOG.error("a beat failed: %s", place_of(wrong))
