"""Connections that exist only as two queues: late, cut, half open or unread, as the seed decides."""

import asyncio
import random
from collections import deque
from collections.abc import Callable

from tests.simulation.loop import OUTSIDE, VirtualLoop

Told = Callable[["Link", str], None]
"""Called with every frame that a server sends, at the moment it does so."""


class Gone(Exception):
    """The other side is gone; `code` is its close code, 1006 if it sent none."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Queue:
    """One direction of a connection: frames in order, each after a delay of its own."""

    def __init__(self, loop: VirtualLoop, rng: random.Random, latency_s: float) -> None:
        self._loop = loop
        self._rng = rng
        self._latency_s = latency_s
        self._last = 0.0
        self._under_way: deque[str | bytes | Gone] = deque()
        self._arrived: deque[str | bytes | Gone] = deque()
        self._size = 0
        self._waiter: asyncio.Future[None] | None = None
        self.stalled = False
        self.ended = False

    def send(self, frame: str | bytes | Gone, *, at_least_s: float = 0.0) -> None:
        """Put a frame on the way; after the end it is lost."""
        if self.ended:
            return
        self.ended = isinstance(frame, Gone)
        when = self._loop.time() + at_least_s + self._rng.expovariate(1 / self._latency_s)
        self._last = max(self._last, when)
        self._size += 0 if isinstance(frame, Gone) else len(frame)
        # Timers of the same moment have no order; the queue keeps the order of the frames.
        self._under_way.append(frame)
        self._loop.call_at(self._last, self._arrive, context=OUTSIDE)

    def cut(self, code: int, within_s: float) -> None:
        """Nothing more can be sent; what is under way arrives if it is quick."""
        self.ended = True
        self._loop.call_later(self._rng.uniform(0, within_s), self._end, Gone(code), context=OUTSIDE)

    def _end(self, gone: Gone) -> None:
        self._under_way.clear()
        self._arrived.append(gone)
        self._wake()

    def _arrive(self) -> None:
        if self._under_way:
            self._arrived.append(self._under_way.popleft())
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def waiting(self) -> int:
        """Characters that the reader has not taken."""
        return self._size

    async def receive(self) -> str | bytes:
        """The next frame. Raises `Gone`."""
        while not self._arrived or self.stalled:
            self._waiter = self._loop.create_future()
            await self._waiter
        frame = self._arrived[0]
        if isinstance(frame, Gone):
            raise frame
        self._arrived.popleft()
        self._size -= len(frame)
        return frame

    def go_on(self) -> None:
        """The reader reads again."""
        self.stalled = False
        self._wake()


class Link:
    """A connection: the server's side is a `Socket` of a session, the client's side is `send`, `receive` and `drop`."""

    def __init__(self, name: str, loop: VirtualLoop, rng: random.Random, told: Told) -> None:
        self.name = name
        latency_s = rng.choice((0.001, 0.01, 0.05, 0.4))
        self.up = Queue(loop, rng, latency_s)
        self.down = Queue(loop, rng, latency_s)
        self._rng = rng
        self._told = told
        self.tokens: set[str] = set()

    async def recv(self) -> str | bytes:
        """The server reads."""
        return await self.up.receive()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """The server closes; it waits a little for the client to agree."""
        self.down.send(Gone(code))
        self.up.cut(1006, 0.01)
        await asyncio.sleep(self._rng.uniform(0, 2))

    def write(self, *frames: str) -> None:
        """The server sends."""
        for frame in () if self.down.ended else frames:
            self._told(self, frame)
            self.down.send(frame)

    def waiting(self) -> int:
        """The frames that the client has not read."""
        return self.down.waiting()

    def crash(self) -> None:
        """The server's process ends: its system may still send data under way, then closes the connection."""
        self.down.cut(1006, 0.05)
        self.up.cut(1006, 0.001)

    def drop(self) -> None:
        """The client is gone; the server may notice at once, or only when a ping stays unanswered."""
        self.down.cut(1006, 0.001)
        self.up.cut(1006, self._rng.choice((0.01, 40.0)))
