"""One connection: its first message within five seconds, its pace, its match; never in the match's way."""

import asyncio
import logging
import time
from typing import Any, Protocol

from domain.kernel import Refusal
from projections.redaction import SPECTATOR, Viewer
from server.branching import branch
from server.errors import BadMessage, CannotCreate, CannotSit, NotAdmitted, place_of
from server.hall import Hall
from server.host import Host
from server.protocol import (
    CLOSE_CODES,
    Branch,
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
    Reveal,
    ServerMessage,
    ViewerInfo,
    Welcome,
    read_message,
    write_message,
)

LOG = logging.getLogger(__name__)

HELLO_S = 5.0
RATE = 200.0
"""Messages a second that are read of one connection over a longer time; faster ones wait, none is lost."""
BURST = 400.0
COSTLY = 20.0
"""What a message that makes the server write or fold a match counts as."""
BROKEN_LIMIT = 20
"""Broken messages after which the connection is closed."""
LAG_BYTES = 1 << 20
"""Bytes waiting for a socket from which on its viewer is left behind, and caught up when it has read them."""
SLOW_S = 30.0
"""How long a viewer may be behind before it is dropped (4008)."""
POLL_S = 0.05


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
        self._sent = 0
        self._catching_up: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve until the connection ends; the caller sees the socket's own exceptions."""
        try:
            try:
                frame = await asyncio.wait_for(self._socket.recv(), HELLO_S)
            except TimeoutError:
                await self._socket.close(4000, CLOSE_CODES[4000])
                return
            while True:
                await self._take(frame)
                if self._broken >= BROKEN_LIMIT:
                    await self._socket.close(4001, CLOSE_CODES[4001])
                    return
                if not await self._has_read():
                    return
                frame = await self._socket.recv()
        finally:
            if self._catching_up is not None:
                self._catching_up.cancel()
            if self._host is not None:
                self._host.leave(self)

    def send(self, frame: str, seq: int = 0) -> None:
        """Send soon, never wait: a viewer that reads too slowly misses frames, is caught up later, or is dropped."""
        if self._catching_up is not None:
            return
        if self._socket.waiting() > LAG_BYTES:
            self._catching_up = asyncio.get_running_loop().create_task(self._catch_up())
            return
        self._socket.write(frame)
        self._sent = seq or self._sent

    async def _has_read(self) -> bool:
        """Wait until little is waiting for the socket; False when it took too long and the connection is closed."""
        if self._socket.waiting() <= LAG_BYTES:
            return True
        for _ in range(int(SLOW_S / POLL_S)):
            await asyncio.sleep(POLL_S)
            if self._socket.waiting() <= LAG_BYTES // 4:
                return True
        await self._socket.close(4008, CLOSE_CODES[4008])
        return False

    async def _catch_up(self) -> None:
        """After frames were left out: the Scene as it is now, or the lines that were missed."""
        if not await self._has_read() or self._host is None:
            return
        self._catching_up = None
        self._bring_up_to_date(self._host, self._sent)

    def _bring_up_to_date(self, host: Host[Any], since: int) -> None:
        if self.wants_scenes:
            self._socket.write(host.snapshot(self.viewer))
        else:
            for frame in host.lines_since(self.viewer, since):
                self._socket.write(frame)
        self._sent = host.seq

    def _tell(self, message: ServerMessage) -> None:
        self._socket.write(write_message(message))

    async def _pace(self, cost: float) -> None:
        """Take messages no faster than the rate: the connection waits, nobody else does."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * RATE) - cost
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / RATE)

    async def _take(self, frame: str | bytes) -> None:
        if self._hall.is_draining:
            # Unanswered, so that the client sends it again, with its id, to the server that comes next.
            return
        try:
            message = read_message(frame)
        except BadMessage as wrong:
            self._broken += 1
            await self._pace(1)
            self._tell(Error(wrong.code, str(wrong)))
            return
        await self._pace(COSTLY if isinstance(message, Create | Branch | Join | Hello | Need) else 1)
        try:
            await self._serve(message)
        except (NotAdmitted, CannotSit, CannotCreate) as wrong:
            self._tell(Error(wrong.code, str(wrong)))
        except Exception as wrong:
            # The place only: a message or a value could hold a secret.
            LOG.error("%s failed: %s", type(message).__name__, place_of(wrong))
            why = "The server could not do this now; nothing has changed. Try again."
            self._tell(
                Refused(message.id, "server-fault", why) if isinstance(message, Choose) else Error("server-fault", why)
            )

    async def _serve(self, message: ClientMessage) -> None:
        match message:
            case Choose():
                await self._choose(message)
            case Hello():
                self._hello(message)
            case Reveal(entropy):
                await self._reveal(entropy)
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
            case Branch():
                self._tell(await branch(self._hall, message))
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
        self._sent = host.seq
        host.enter(self)

    def _need(self, since: int) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
            return
        for frame in self._host.lines_since(self.viewer, since):
            self._socket.write(frame)
        if self.wants_scenes:
            self._socket.write(self._host.snapshot(self.viewer))

    async def _reveal(self, entropy: str) -> None:
        if self._host is None:
            self._tell(Error("no-match", "Say hello to a match first."))
        elif self.viewer.seat is None:
            self._tell(Error("seat-refused", "Spectators have no share of chance; take a seat."))
        else:
            try:
                await self._host.reveal(self.viewer.seat, entropy)
            except Refusal as refusal:
                self._tell(Error(refusal.code, refusal.why))

    async def _choose(self, message: Choose) -> None:
        if self._host is None:
            self._tell(Refused(message.id, "no-match", "Say hello to a match first."))
        elif self.viewer.seat is None:
            self._tell(Refused(message.id, "not-your-decision", "Spectators do not decide; take a seat to play."))
        else:
            self._tell(await self._host.choose(self.viewer.seat, message))
