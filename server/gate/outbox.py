"""The outbox of one connection: it soon puts messages into the socket's buffer, and nobody waits for them."""

import asyncio
import time
from typing import Protocol

from server.operations.intervals import INTERVALS
from server.operations.settings import Limits
from server.wire.codes import CLOSE_CODES
from server.wire.protocol import Accepted, ServerMessage, write_message


class Socket(Protocol):
    """The part of a websocket that a session needs."""

    async def recv(self) -> str | bytes:
        """The next frame."""
        ...

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code."""
        ...

    def write(self, *frames: str) -> None:
        """Put frames into the socket's buffer; never waits."""
        ...

    def waiting(self) -> int:
        """The number of bytes in the buffer."""
        ...


class Outbox:
    """Writes frames, holds some back, and closes.

    `seq`: the last line that was sent; `is_behind`: whether frames are omitted.
    """

    def __init__(self, socket: Socket, limits: Limits, drain_s: float = INTERVALS.drain_s) -> None:
        self.seq = 0
        self.is_behind = False
        self.is_answered = False
        """Whether the latest choice is accepted and its sender knows it."""
        self._socket, self._limits, self._drain_s = socket, limits, drain_s
        self._held: list[str] | None = None
        self._kept: list[tuple[str, int]] | None = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def is_closing(self) -> bool:
        """Whether the connection is closed, or soon will be."""
        return self._closing is not None

    @property
    def is_full(self) -> bool:
        """Whether the queue for the other side is full."""
        return self._socket.waiting() > self._limits.waiting_bytes

    def waiting(self) -> int:
        """The number of bytes that the other side has not yet read."""
        return self._socket.waiting()

    def send(self, frame: str, seq: int = 0) -> None:
        """Send soon without waiting; a viewer that reads slowly misses frames, and later catches up or is dropped."""
        if self._closing is not None:
            return
        if self._kept is not None:
            self._kept.append((frame, seq))
            return
        if self.is_behind:
            return
        if self._socket.waiting() > self._limits.waiting_bytes:
            self.fall_behind()
            return
        if self._held is None:
            self._socket.write(frame)
        else:
            self._held.append(frame)
        self.seq = seq or self.seq

    def fall_behind(self) -> None:
        """Omit frames from now on."""
        self.is_behind = True

    def keep_back(self) -> None:
        """Hold back everything sent from now on until `let_go`, because earlier messages are being read from the
        record.
        """
        if self._kept is None:
            self._kept = []

    def let_go(self) -> None:
        """Send the messages that were held back, except lines that have already been sent."""
        kept, self._kept = self._kept or (), None
        for frame, seq in kept:
            if not seq or seq > self.seq:
                self.send(frame, seq)

    def write(self, *frames: str) -> None:
        """Send frames even if others are omitted or held back, but send none to a client that is being closed."""
        if self._closing is None:
            self._socket.write(*frames)

    def hold(self) -> None:
        """Hold back frames until the next answer, so that a client that has chosen gets one packet instead of two."""
        self._held = []

    def expect_answer(self) -> None:
        """Note that a choice is being decided and its sender has no answer yet."""
        self.is_answered = False

    def accept(self, accepted: Accepted) -> None:
        """See `Asker`."""
        self.is_answered = True
        self.answer(accepted)

    def answer(self, message: ServerMessage) -> None:
        """Send a message after those that were held back."""
        held, self._held = self._held or (), None
        self._socket.write(*held, write_message(message))

    async def has_read(self) -> bool:
        """Wait until few bytes wait for the socket.

        Returns False if this took too long and the connection is being closed.
        """
        most = self._limits.waiting_bytes
        if self._socket.waiting() <= most:
            return True
        until = time.monotonic() + self._limits.slow_s
        while time.monotonic() < until:
            await asyncio.sleep(self._drain_s)
            if self._socket.waiting() <= most // 4:
                return True
        await self.close(4008)
        return False

    async def close(self, code: int) -> None:
        """Close with a code, or wait until it is closed with an earlier code."""
        # A caller that stops waiting, as a catch-up does when the connection ends, does not stop the closing.
        await asyncio.shield(self._begin_closing(code))

    def dismiss(self, code: int) -> None:
        """Close soon with a code; nothing more is sent or received."""
        self._begin_closing(code)

    def _begin_closing(self, code: int) -> "asyncio.Task[None]":
        if self._closing is None:
            closing = self._socket.close(code, CLOSE_CODES[code])
            self._closing = asyncio.get_running_loop().create_task(closing)
        return self._closing
