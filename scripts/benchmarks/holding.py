"""Many connections in one process, which say hello, then do nothing, and reconnect all at once when told to.

`python -m scripts.benchmarks.holding PORT` reads a line of JSON: a list of frames, one for each connection, and how
many frames answer each. When all have been answered, it prints its results as one line of JSON. On every further
line it drops all connections, reconnects all of them at the same moment, and prints again.
"""

import asyncio
import sys
import time

import msgspec
from msgspec import Struct

from scripts.benchmarks.measure import percentile
from scripts.benchmarks.sockets import Socket, allow_files

AT_ONCE = 250


class Wish(Struct, frozen=True):
    """The frame to send on each connection, and how many frames answer it."""

    frames: list[str]
    answers: int


class Held(Struct, frozen=True):
    """The time until all were answered, p50 and p99 in milliseconds per connection, and the bytes received by all."""

    seconds: float
    p50_ms: float
    p99_ms: float
    bytes: int


class Holder(Socket):
    """One connection."""

    def __init__(self, frame: str, answers: int) -> None:
        super().__init__()
        self._frame = frame.encode()
        self._left = answers
        self.bytes = 0
        self.begun = time.perf_counter()
        self.answered: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def opened(self) -> None:
        """Say hello."""
        self.send(self._frame)

    def text(self, payload: bytes) -> None:
        """Count an answer."""
        self.bytes += len(payload)
        self._left -= 1
        if self._left == 0:
            self.answered.set_result(time.perf_counter() - self.begun)

    def closed(self) -> None:
        """Fail the wait for answers if the connection is lost before they have all arrived."""
        if not self.answered.done():
            self.answered.set_exception(ConnectionResetError("the server closed the connection"))


async def connect_all(port: int, wish: Wish, at_once: int) -> tuple[list[Holder], Held]:
    """Connect everything, some at a time."""
    loop = asyncio.get_running_loop()
    holders: list[Holder] = []
    begun_s = time.perf_counter()
    for begun in range(0, len(wish.frames), at_once):
        group = [Holder(frame, wish.answers) for frame in wish.frames[begun : begun + at_once]]
        await asyncio.gather(*(loop.create_connection(lambda h=h: h, "127.0.0.1", port) for h in group))  # type: ignore[misc]
        await asyncio.gather(*(holder.answered for holder in group))
        holders += group
    took = time.perf_counter() - begun_s
    times = [holder.answered.result() * 1000 for holder in holders]
    return holders, Held(took, percentile(times, 0.5), percentile(times, 0.99), sum(h.bytes for h in holders))


async def hold(port: int) -> None:
    """See the module."""
    loop = asyncio.get_running_loop()
    wish = msgspec.json.decode(await loop.run_in_executor(None, sys.stdin.readline), type=Wish)
    holders, held = await connect_all(port, wish, AT_ONCE)
    print(msgspec.json.encode(held).decode(), flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        for holder in holders:
            holder.transport.abort()
        await asyncio.sleep(0.1)
        holders, held = await connect_all(port, wish, len(wish.frames))
        print(msgspec.json.encode(held).decode(), flush=True)


if __name__ == "__main__":
    allow_files(16_384)
    asyncio.run(hold(int(sys.argv[1])))
