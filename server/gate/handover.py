"""Handover between the processes of one server: sockets, forwarded connections, and counters."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from msgspec import Struct
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request

from server.cluster.processes import ServerProcesses
from server.errors import place_of
from server.gate.forwarding import FarSocket
from server.gate.raw_connection import feed, transport_of
from server.gate.session import Session
from server.lobby.lobby import Lobby
from server.operations import logs, metric_sums
from server.wire.addresses import hash_in, short_hash

LOG = logging.getLogger(__name__)
CONNECTION: Final = b"c"
LINK: Final = b"l"
COUNT: Final = b"m"
PACE: Final = b"p"
END: Final = b"\0"
"""The mark at the end of a page. Without it, the page is incomplete, because the process died while writing."""


class Linked(Struct, frozen=True):
    """The origin of a forwarded connection: the address of the client."""

    address: str


class Handover:
    """Gives connections to the process in which their match lives, and accepts connections whose match lives here."""

    def __init__(self, processes: ServerProcesses, lobby: Lobby, counted: Callable[[], Awaitable[str]]) -> None:
        """`counted`: the page of this process's metrics."""
        self._processes, self._lobby, self._counted = processes, lobby, counted
        self._tallies, former = processes.tallies, processes.tallies.last(processes.home.number)
        self._before = "" if former is None else metric_sums.counted(former.page)
        """The counts of the processes that this one replaces, so that no counter of the server decreases."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._turn = processes.home.number - 1
        processes.take(COUNT, self._tell_counts)
        processes.take(LINK, self._take_link)
        processes.take(PACE, lambda message, _: lobby.connection_limits.heard(message))
        lobby.connection_limits.tell_through(self._tell_pace)

    def begin(self, make: Callable[[], ServerConnection]) -> None:
        """Accept connections from now on; `make` creates each connection."""
        self._processes.take(CONNECTION, lambda head, files: self._spawn(self._take(make, head, files)))
        self._processes.listen()

    def _tell_pace(self, counted: bytes) -> None:
        for number in self._processes.others():
            self._processes.tell(number, PACE, counted)

    async def stop(self) -> None:
        """Accept nothing more."""
        self._processes.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def pass_on(self, connection: ServerConnection, request: Request) -> bool:
        """Hand over a connection whose path shows where its match lives; returns False if it must be served here.

        No further bytes of the client are lost: it has sent only its request, because it waits for the answer.
        """
        short, transport = hash_in(request.path), transport_of(connection)
        if short is None or self._processes.home.holder_of(short) == self._processes.home.number:
            return False
        if transport.get_extra_info("ssl_object") is not None or transport.is_closing():
            return False
        transport.pause_reading()
        file = transport.get_extra_info("socket").fileno()
        if not self._processes.tell(self._processes.home.holder_of(short), CONNECTION, request.serialize(), [file]):
            transport.resume_reading()
            return False
        # The other process also holds the socket, so this closes it only here.
        transport.abort()
        return True

    async def _take(self, make: Callable[[], ServerConnection], head: bytes, files: list[int]) -> None:
        with socket.socket(fileno=files[0]) as taken:
            try:
                taken.setblocking(False)
                loop = asyncio.get_running_loop()
                transport, connection = await loop.connect_accepted_socket(make, taken.dup())
                if not transport.is_closing():
                    feed(connection, head)
            except OSError as wrong:  # the client is already gone
                LOG.debug("a connection that was handed over is gone: %s", type(wrong).__name__)

    def link(self, match: str, address: str) -> socket.socket | None:
        """The near end of a link to the process in which a match lives; None if that is this process."""
        return self._linked(self._processes.home.holder_of(short_hash(match)), address)

    def next(self, address: str) -> socket.socket | None:
        """A link to the process whose turn it is to begin a match; None if it is this process's turn."""
        self._turn = (self._turn + 1) % self._processes.home.count
        return self._linked(self._turn, address)

    def _linked(self, number: int, address: str) -> socket.socket | None:
        if number == self._processes.home.number:
            return None
        near, far = socket.socketpair()
        near.setblocking(False)
        with far:
            if self._processes.tell(number, LINK, msgspec.json.encode(Linked(address)), [far.fileno()]):
                return near
        near.close()
        return None

    def _take_link(self, message: bytes, files: list[int]) -> None:
        self._spawn(self._serve(msgspec.json.decode(message, type=Linked), files[0]))

    async def _serve(self, linked: Linked, file: int) -> None:
        end = socket.socket(fileno=file)
        end.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=end)
        logs.new_request()
        LOG.info("a connection came over from another process")
        try:
            # A client that names yet another match in its next message is served here, because a link leads nowhere
            # else.
            await Session(self._lobby, FarSocket(reader, writer), linked.address).run()
        except EOFError:
            LOG.info("a connection over another process has ended")
        finally:
            writer.close()

    def _tell_counts(self, message: bytes, files: list[int]) -> None:
        del message
        self._spawn(self._write_counts(files[0]))

    async def _write_counts(self, file: int) -> None:
        # The socket is closed exactly once, here: at a second close, its number could already belong to another file.
        with socket.socket(fileno=file) as end:
            try:
                page = await self._page()
                await asyncio.to_thread(_written, end, page.encode() + END, self._lobby.intervals.told_s)
            except OSError as wrong:
                LOG.debug("who asked what is counted here is gone: %s", type(wrong).__name__)
            except Exception as wrong:
                LOG.error("what is counted here could not be told: %s", place_of(wrong))

    async def _page(self) -> str:
        """The page of this process, stored before its values are sent to anybody."""
        page = metric_sums.joined((await self._counted(), self._before))
        self._tallies.keep(self._processes.home.number, page)
        return page

    async def counts(self) -> str:
        """The page of all processes; for a process that takes too long or is gone, the last known values."""
        numbers = self._processes.others()
        own, *others = await asyncio.gather(self._page(), *map(self._ask, numbers))
        last = [self._last(number) for number, page in zip(numbers, others, strict=True) if not page]
        told = [own, *filter(None, others)]
        return metric_sums.summed((*told, *last), len(told))

    def _last(self, number: int) -> str:
        last = self._tallies.last(number)
        if last is None:
            return ""
        # The number of connections of a process that is gone is of no interest.
        return metric_sums.counted(last.page) if last.is_over else last.page

    async def _ask(self, number: int) -> str:
        near, far = socket.socketpair()
        near.setblocking(False)
        with far:
            is_asked = self._processes.tell(number, COUNT, b"", [far.fileno()])
        if not is_asked:
            near.close()
            return ""
        reader, writer = await asyncio.open_connection(sock=near)
        try:
            async with asyncio.timeout(self._lobby.intervals.told_s):
                told = await reader.read(-1)
                return told.removesuffix(END).decode() if told.endswith(END) else ""
        except (TimeoutError, OSError):
            return ""
        finally:
            writer.close()


def _written(end: socket.socket, page: bytes, told_s: float) -> None:
    end.settimeout(told_s)
    end.sendall(page)
