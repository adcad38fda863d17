"""One connection: its first message within five seconds, its rate, its match; never in the match's way."""

import asyncio
import contextlib
import time
from typing import Any, Protocol

from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordError
from server.errors import BadMessage, CannotCreate, CannotSit, NotAdmitted, ServerError
from server.hall import Hall
from server.host import Host
from server.protocol import (
    Choose,
    ClientMessage,
    Create,
    Error,
    Hello,
    Join,
    ListGames,
    ListMatches,
    Need,
    Ping,
    Pong,
    Refused,
    ServerMessage,
    ViewerInfo,
    Welcome,
    read_message,
    write_message,
)

HELLO_S = 5.0
RATE = 40.0
"""Messages a second a connection may send over a longer time."""
BURST = 120.0
BROKEN_LIMIT = 20
"""Broken messages after which the connection is closed."""
LAG_BYTES = 1 << 20
"""Bytes waiting for a socket from which on its viewer is caught up by snapshot instead."""
DROP_BYTES = 8 << 20


class Socket(Protocol):
    """What a session needs of a websocket."""

    async def recv(self) -> str | bytes:
        """The next frame."""
        ...

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code."""
        ...

    def write(self, frame: str) -> None:
        """Put a frame into the socket's buffer; never waits."""
        ...

    def waiting(self) -> int:
        """Bytes in the buffer."""
        ...


class Session:
    """A connection to the hall, and to a match once it has said hello."""

    def __init__(self, hall: Hall, socket: Socket) -> None:
        self.viewer: Viewer = SPECTATOR
        self.wants_scenes = False
        self._hall = hall
        self._socket = socket
        self._host: Host[Any] | None = None
        self._allowance = BURST
        self._counted = time.monotonic()
        self._broken = 0
        self._lagging = False
        self._closing: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until the connection ends; the caller sees the socket's own exceptions."""
        try:
            try:
                frame = await asyncio.wait_for(self._socket.recv(), HELLO_S)
            except TimeoutError:
                await self._socket.close(4000, "no hello within five seconds")
                return
            while True:
                await self._take(frame)
                if self._broken >= BROKEN_LIMIT:
                    await self._socket.close(4001, "too many broken messages")
                    return
                frame = await self._socket.recv()
        finally:
            if self._host is not None:
                self._host.leave(self)

    def send(self, frame: str) -> None:
        """Send soon; a viewer that reads too slowly misses frames and is caught up, or is dropped (4008)."""
        waiting = self._socket.waiting()
        if waiting > DROP_BYTES:
            self._drop()
        elif waiting > LAG_BYTES:
            self._lagging = True
        elif self._lagging:
            self._lagging = False
            self._catch_up()
        else:
            self._socket.write(frame)

    def _drop(self) -> None:
        with contextlib.suppress(RuntimeError):
            task = asyncio.get_running_loop().create_task(self._socket.close(4008, "the client read too slowly"))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def _catch_up(self) -> None:
        """After frames were left out: the Scene as it is now. Clients without Scenes see the gap and ask."""
        if self._host is not None and self.wants_scenes:
            self._socket.write(self._host.snapshot(self.viewer))

    def _tell(self, message: ServerMessage) -> None:
        self._socket.write(write_message(message))

    def _within_rate(self) -> bool:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * RATE)
        self._counted = now
        self._allowance -= 1
        return self._allowance >= 0

    async def _take(self, frame: str | bytes) -> None:
        if not self._within_rate():
            self._tell(Error("too-fast", f"Send at most {RATE:.0f} messages a second; this one was not read."))
            return
        try:
            message = read_message(frame)
        except BadMessage as wrong:
            self._broken += 1
            self._tell(Error(wrong.code, str(wrong)))
            return
        try:
            await self._serve(message)
        except (NotAdmitted, CannotSit, CannotCreate) as wrong:
            self._tell(Error(wrong.code, str(wrong)))
        except (RecordError, ServerError):
            self._tell(Error("server-fault", "The server could not do this now; nothing has changed. Try again."))

    async def _serve(self, message: ClientMessage) -> None:
        match message:
            case Choose():
                await self._choose(message)
            case Hello():
                self._hello(message)
            case Need(since):
                self._need(since)
            case Ping(n):
                self._tell(Pong(n))
            case ListGames():
                self._tell(self._hall.games())
            case ListMatches():
                self._tell(self._hall.matches())
            case Create():
                self._tell(await self._hall.create(message))
            case Join():
                self._tell(await self._hall.join(message))

    def _hello(self, hello: Hello) -> None:
        host, viewer = self._hall.admit(hello)
        if self._host is not None:
            self._host.leave(self)
        self._host, self.viewer = host, viewer
        self.wants_scenes = "scene" in hello.caps
        info = ViewerInfo("spectator") if viewer.seat is None else ViewerInfo("seat", viewer.seat)
        header = self._hall.store.header(host.match)
        self._tell(
            Welcome(
                host.match,
                header.game,
                header.title or host.face.game.spec.title,
                header.rules,
                info,
                host.seats(),
                host.head,
                host.keys_of(viewer),
                header.status,
            )
        )
        if hello.since is not None or not self.wants_scenes:
            for frame in host.lines_since(viewer, hello.since or 0):
                self._socket.write(frame)
        if self.wants_scenes:
            self._socket.write(host.snapshot(viewer))
        host.enter(self)

    def _need(self, since: int) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
            return
        for frame in self._host.lines_since(self.viewer, since):
            self._socket.write(frame)
        if self.wants_scenes:
            self._socket.write(self._host.snapshot(self.viewer))

    async def _choose(self, message: Choose) -> None:
        if self._host is None:
            self._tell(Refused(message.id, "no-match", "Say hello to a match first."))
        elif self.viewer.seat is None:
            self._tell(Refused(message.id, "not-your-decision", "Spectators do not decide; take a seat to play."))
        else:
            self._tell(await self._host.choose(self.viewer.seat, message))
