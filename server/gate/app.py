"""The server: websockets and pages on one port, and a graceful stop."""

import asyncio
import logging
import re
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import anyio
from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from replay.store.errors import StoreFailed
from replay.store.store import Store
from server.cluster.processes import ServerProcesses
from server.cluster.servers import OtherServers
from server.errors import place_of
from server.gate.connection_policy import (
    CountedSocket,
    address_of,
    counted,
    is_addressed,
    is_welcome,
    may_measure,
    place_called,
)
from server.gate.handover import Handover
from server.gate.listening import listening
from server.gate.raw_connection import forget_handshake
from server.gate.session import Session, Ways
from server.gate.sockets import WebSocket
from server.gate.web_port import Answer, Handled, open_port
from server.lobby.lobby import Lobby
from server.notifications.errors import NoticeRefused
from server.notifications.mail import LEAVE
from server.operations import logs
from server.operations.certificate import Certificate
from server.operations.garbage import Swept
from server.operations.metrics import CONTENT_TYPE, exposition
from server.operations.settings import Networks, names_this_machine
from server.pages.bundle import bundle_api
from server.pages.commentaries import commentary_answer, is_commentary
from server.pages.feeds import Feeds, is_feed
from server.pages.inspecting import VIEW, view_of
from server.pages.outlooks import is_outlook, outlook_answer
from server.pages.serving import Api, accepted_codings, page, plain, respond
from server.pages.sharing import Sharing, base_of, is_shared
from server.pages.spectated_matches import found_in
from server.people.deadlines import PATH as CALENDARS
from server.wire.addresses import is_socket

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

T = TypeVar("T")
LOG = logging.getLogger(__name__)
LEAVE_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
OPEN_S = 60.0
"""The time limit of a request in seconds, including the time to compute its answer: a replay of a long match with four
seats takes seconds on a processor that may be busy.
"""
WATCHED = ("/healthz", "/readyz", "/metrics")
"""The paths for operators' requests, which are served under any name of the server."""
SWITCH_S = 0.0001
"""How long, in seconds, one thread may make the others wait; the writer's thread needs a turn for every statement."""


def connection_of(lobby: Lobby, proxies: Networks = (), ways: Ways | None = None) -> Handled:
    """The function that serves each websocket."""

    async def handle(connection: ServerConnection) -> None:
        logs.new_request()
        LOG.info("a connection opened")
        try:
            near, address = WebSocket(connection, lobby.meters), address_of(connection, proxies)
            place = place_called(connection)
            forget_handshake(connection)
            await Session(lobby, near, address, ways, place).run()
        except ConnectionClosed:
            return
        finally:
            LOG.info("a connection closed with %s", connection.close_code)

    return handle


def request_of(
    lobby: Lobby,
    origins: tuple[str, ...] = (),
    metrics_token: str = "",
    proxies: Networks = (),
    hosts: tuple[str, ...] = (),
    *,
    develop: bool = False,
    handover: Handover | None = None,
    feeds: Feeds | None = None,
    embedders: tuple[str, ...] = (),
    is_tls: bool = False,
) -> Answer:
    """The function that answers other requests with pages; the websocket is at `/ws`, and at `/ws/HASH` for a match."""
    api = bundle_api(lobby)
    sharing = Sharing(found_in(lobby), embedders)
    making = asyncio.Semaphore(1)
    worked_out = partial(_worked_out, lobby, api, sharing, making, is_tls)

    async def answer(connection: ServerConnection, request: Request) -> Response | None:
        logs.new_request()
        try:
            return await reply(connection, request)
        except Exception as wrong:
            LOG.error("a request failed: %s", place_of(wrong))
            return plain(HTTPStatus.INTERNAL_SERVER_ERROR, "The server could not do this now; try again.")

    async def reply(connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path not in WATCHED and not is_addressed(request.headers, hosts):
            return plain(HTTPStatus.MISDIRECTED_REQUEST, "This server does not answer to that name; see `hosts`.")
        if path.startswith(("/api/", CALENDARS, LEAVE)) or is_shared(path):
            if not lobby.connection_limits.may_replay(address_of(connection, proxies)):
                return plain(HTTPStatus.TOO_MANY_REQUESTS, "That was too often; wait a minute, then ask again.")
            return await worked_out(request, path)
        if is_feed(path) and feeds is not None:
            return await feeds.answer(request, address_of(connection, proxies))
        if path == VIEW and develop:
            async with making:
                return await asyncio.to_thread(_viewed, lobby, request)
        if path == "/readyz":
            return _readiness(lobby)
        if path == "/metrics":
            if not may_measure(connection, request.headers, metrics_token):
                return plain(HTTPStatus.FORBIDDEN, "Metrics are for this machine, or with the metrics token.")
            body = await (_measured(lobby) if handover is None else handover.counts())
            return respond(HTTPStatus.OK, body.encode(), CONTENT_TYPE)
        if not is_socket(path):
            accepted = accepted_codings(request)
            return page(request.path, api, develop=develop, accepted=accepted, embedders=embedders)
        refused = _refused(lobby, request, origins)
        if refused is None and handover is not None:
            handover.pass_on(connection, request)
        return refused

    return answer


async def _worked_out(
    lobby: Lobby, api: Api, sharing: Sharing, making: asyncio.Semaphore, is_tls: bool, request: Request, path: str
) -> Response:
    """Answers made from a match's lines, one at a time: a long match takes a while, and live matches continue in the
    meantime.
    """
    if is_outlook(path):
        return await outlook_answer(lobby.outlooks, path)
    async with making:
        return await asyncio.to_thread(_made, request, lobby, api, sharing, is_tls=is_tls)


def _left(lobby: Lobby, request: Request, token: str) -> Response:
    """Stop mails by one click (RFC 8058), which is a POST.

    A person who opens the address gets a page that asks first.
    """
    if request.method != "POST":
        answer = respond(HTTPStatus.FOUND, b"", "text/plain; charset=utf-8", cache="no-store")
        answer.headers["Location"] = f"/me#leave={token}" if LEAVE_TOKEN.fullmatch(token) else "/me"
        return answer
    try:
        lobby.person_channels.leave(token)
    except NoticeRefused as wrong:
        return plain(HTTPStatus.NOT_FOUND, str(wrong))
    return plain(HTTPStatus.OK, "No more mails are sent to this address.")


def _calendar(lobby: Lobby, path: str) -> Response:
    body = lobby.deadlines.read(path)
    if body is None:
        return plain(HTTPStatus.NOT_FOUND, "This link opens no calendar; draw another on the page of your account.")
    return respond(HTTPStatus.OK, body, "text/calendar; charset=utf-8", cache="private, no-store")


def _made(request: Request, lobby: Lobby, api: Api, sharing: Sharing, *, is_tls: bool) -> Response:
    """A bundle, a record, a picture or a commentary of a match; other requests do not wait for this work."""
    path = request.path.partition("?")[0]
    if is_commentary(path):
        return commentary_answer(lobby, path)
    if path.startswith(CALENDARS):
        return _calendar(lobby, path)
    if path.startswith(LEAVE):
        return _left(lobby, request, path.removeprefix(LEAVE))
    if is_shared(path):
        return sharing.answer(request.path, base_of(request.headers, is_tls=is_tls))
    return page(request.path, api)


def _refused(lobby: Lobby, request: Request, origins: tuple[str, ...]) -> Response | None:
    """The reason why a websocket is not opened; None when it is."""
    if lobby.is_draining:
        return plain(HTTPStatus.SERVICE_UNAVAILABLE, "The server is going down; connect again.")
    if "upgrade" not in ",".join(request.headers.get_all("Connection")).lower():
        return plain(HTTPStatus.UPGRADE_REQUIRED, "This address speaks websockets.")
    if "?" in request.path:
        return plain(HTTPStatus.BAD_REQUEST, "Tokens travel in the first message; this address takes no query.")
    if not is_welcome(request.headers, origins):
        return plain(HTTPStatus.FORBIDDEN, "Pages of this origin may not connect; see --origin.")
    return None


def _viewed(lobby: Lobby, request: Request) -> Response:
    """The view of the client that asks, for the inspector."""
    query = dict(parse_qsl(urlsplit(request.path).query))
    body = view_of(lobby, query, request.headers)
    if body is None:
        return plain(HTTPStatus.NOT_FOUND, "There is no such match, or not with this token.")
    return respond(HTTPStatus.OK, body, "application/json")


def _readiness(lobby: Lobby) -> Response:
    why = lobby.unready()
    return plain(HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK, why or "ready")


async def _measured(lobby: Lobby) -> str:
    standing, store = lobby.state(), lobby.store
    counts, pulse = await asyncio.to_thread(lambda: (store.matches.counts(), store.pulse()))
    return exposition(lobby.meters, standing, counts, pulse)


@asynccontextmanager
async def running(
    lobby: Lobby,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    origins: Sequence[str] = (),
    hosts: Sequence[str] = (),
    proxies: Networks = (),
    tls: Certificate | None = None,
    metrics_token: str = "",
    develop: bool = False,
    other_servers: OtherServers | None = None,
    bound: Sequence[socket.socket] = (),
    processes: ServerProcesses | None = None,
    embedders: Sequence[str] = (),
) -> "AsyncIterator[Server]":
    """A context manager: a server that listens while the context lasts.

    `origins`: other origins whose pages may connect; `hosts`: the names to which the server answers, or none to answer
    to any name; `proxies`: proxies whose `X-Forwarded-For` is believed; `tls`: the certificate for TLS;
    `metrics_token`: the token that opens `/metrics`; `develop`: serve the inspector for authors at `/inspect`;
    `other_servers`: receives the notifications of other servers; `bound`: sockets that already listen, used instead of
    `host` and `port`; `processes`: the other processes of this server; `embedders`: the origins whose pages may embed a
    match. Raises `Misconfigured` if the port is not available.
    """
    lobby.connection_limits.expect_proxy(is_here=names_this_machine(proxies))
    loop = asyncio.get_running_loop()
    handover = None if processes is None else Handover(processes, lobby, partial(_measured, lobby))
    feeds = Feeds(lobby)
    answer = request_of(
        lobby,
        tuple(origins),
        metrics_token,
        proxies,
        tuple(hosts),
        develop=develop,
        handover=handover,
        feeds=feeds,
        embedders=tuple(embedders),
        is_tls=tls is not None,
    )
    handled = connection_of(lobby, proxies, handover)
    made = counted(lobby.limits, lobby.bounds.pages)
    opened = await open_port(
        bound or listening(host, port), lobby.limits, made, handled, answer, tls, OPEN_S, lobby.intervals, lobby.bounds
    )
    if handover is not None:
        handover.begin(opened.make)
    loop.set_exception_handler(_log_fault)
    former = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    sweeper = loop.create_task(_sweep(lobby, made))
    beating = loop.create_task(_beat(lobby))
    resuming = loop.create_task(resume(lobby))
    ruling = loop.create_task(_rule(lobby))
    abreast = loop.create_task(other_servers.run() if other_servers is not None else asyncio.sleep(0))
    try:
        yield opened.server
    finally:
        for task in (sweeper, beating, resuming, ruling, abreast):
            task.cancel()
        await feeds.headlines.close()
        await lobby.close()
        if handover is not None:
            await handover.stop()
        await opened.close()
        sys.setswitchinterval(former)


def _log_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log the place at which a task has failed, without the error's message, which may hold a secret."""
    del loop
    wrong = context.get("exception")
    LOG.error("%s: %s", context.get("message", "a task failed"), place_of(wrong) if wrong else "")


async def _sweep(lobby: Lobby, connections: type[CountedSocket]) -> None:
    swept = Swept(lobby.intervals.collect_after)
    while True:
        await asyncio.sleep(lobby.intervals.forget_s)
        lobby.registry.forget_idle()
        swept.look(lobby.registry.forgotten + connections.gone)


async def _beat(lobby: Lobby) -> None:
    beat_s = lobby.intervals.beat_s
    while True:
        due = time.monotonic() + beat_s
        await asyncio.sleep(beat_s)
        lobby.meters.lag_s = max(0.0, time.monotonic() - due)
        for _ in lobby.registry.heartbeats():
            await asyncio.sleep(0)
        lobby.connection_limits.relieve()
        if lobby.is_refused():
            await asyncio.to_thread(lobby.store.probe)
            lobby.is_refused()


async def _rule(lobby: Lobby) -> None:
    """Carry out the host's rulings, and give the answers that seats have signed ahead."""
    while True:
        await asyncio.sleep(lobby.intervals.ruling_s)
        await lobby.rulings.carry_out()
        await lobby.standing.look()


async def resume(lobby: Lobby) -> None:
    """Resume the matches that need it after a restart, and remind players who have not come back."""
    begun = time.monotonic()
    again_s, store = lobby.intervals.retry_s, lobby.store
    resumed = await _until_read(lobby.takeover.resume, again_s)
    # Clients are admitted even if the matches to resume cannot be read, because a restart or another server would also
    # fail. A match is folded anyway when a client enters it, and refusing everybody because of the other matches would
    # be worse.
    lobby.takeover.admit()
    counts = await _until_read(partial(asyncio.to_thread, store.matches.counts), again_s)
    if resumed is not None and counts is not None:
        LOG.info(
            "of %d matches in the database, %d continue, folded in %.1f s",
            sum(counts.values()),
            resumed,
            time.monotonic() - begun,
        )
    await lobby.takeover.remind()


async def _until_read(read: Callable[[], Awaitable[T]], again_s: float) -> T | None:
    """The result of a read, which is repeated while the store is unavailable; None if it fails for another reason,
    which is logged.
    """
    is_told = False
    while True:
        try:
            return await read()
        except StoreFailed as wrong:
            if not is_told:
                LOG.error("the matches to resume cannot be read yet: %s", place_of(wrong))
            is_told = True
        except Exception as wrong:
            LOG.error("the matches to resume could not be read: %s", place_of(wrong))
            return None
        await asyncio.sleep(again_s)


def port_of(server: Server) -> int:
    """The port on which a server listens."""
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def until_stopped(store: Store, parent: int | None = None) -> str:
    """Wait for SIGINT or SIGTERM, or for the store to fail; returns why the store failed, or "" after a signal.

    `parent`: a file that ends when the parent process ends; this process then also stops.
    """
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[str] = loop.create_future()

    def stop(why: str) -> None:
        if not stopped.done():
            stopped.set_result(why)

    def failed(why: str) -> None:
        loop.call_soon_threadsafe(stop, why)

    store.on_failure(failed)
    if parent is None:
        waiting = loop.create_task(_signal(stop))
    else:
        waiting = loop.create_task(_end_of(parent, stop))
        for number in (signal.SIGINT, signal.SIGTERM):
            # The handler stays: a service manager such as systemd signals all processes, and the parent then signals
            # this one again. The second signal must not kill the process while it is stopping.
            loop.add_signal_handler(number, _told_to_stop, number, stopped, stop)
    try:
        why = await stopped
        if why:
            LOG.error("the store has failed for good: %s", why)
        return why
    finally:
        waiting.cancel()


def _told_to_stop(number: signal.Signals, stopped: "asyncio.Future[str]", stop: Callable[[str], None]) -> None:
    """Stop at the first signal."""
    if not stopped.done():
        _say_told(number)
        stop("")


def _say_told(number: int) -> None:
    LOG.info("%s: what is being written is finished, nothing more is taken", signal.Signals(number).name)


async def _end_of(file: int, stop: Callable[[str], None]) -> None:
    """Stop when nobody holds the other end of a file any more."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, ended.set)
    try:
        await ended.wait()
        LOG.warning("the process that has begun this one is gone: it stops too")
        stop("")
    finally:
        loop.remove_reader(file)


async def _signal(stop: Callable[[str], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for taken in signals:
            _say_told(taken)
            stop("")
            return
