"""Keeps the connections of a port alive: one task pings all of them, and closes connections that send nothing."""

import asyncio
from collections import OrderedDict
from typing import Final

from server.gate.raw_connection import KeptConnection, cut_off, write_frames
from server.operations.intervals import INTERVALS, Intervals

PING: Final = b"\x89\x00"
"""A ping without contents (RFC 6455, 5.5.2)."""
LOOKS: Final = 80
"""The task looks for due connections this many times in the interval between two pings of one connection."""
PORTION: Final = 100
"""The number of connections that are pinged in a row, which takes about 2 ms."""
GONE: Final = 1011
WHY: Final = "keepalive ping timeout"
"""The close code and reason that the library uses."""


class KeepAlive:
    """Pings each connection every `ping_s` seconds, and closes a connection that has sent nothing since the last
    ping.
    """

    def __init__(self, intervals: Intervals = INTERVALS) -> None:
        self._ping_s, self._close_s = intervals.ping_s, intervals.close_s
        self._due: OrderedDict[KeptConnection, float] = OrderedDict()
        """The time of each connection's next ping, in order of time, because all wait equally long."""
        self._closing: set[asyncio.Task[None]] = set()
        self._task = asyncio.get_running_loop().create_task(self._run())

    @property
    def waiting(self) -> int:
        """The connections that are kept alive."""
        return len(self._due)

    def enter(self, connection: KeptConnection) -> None:
        """Keep a connection alive from now on."""
        self._due[connection] = asyncio.get_running_loop().time() + self._ping_s

    def leave(self, connection: KeptConnection) -> None:
        """Forget a connection that is closed."""
        self._due.pop(connection, None)

    def stop(self) -> None:
        """Stop pinging."""
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._ping_s / LOOKS)
            while self._ask_some() == PORTION:
                await asyncio.sleep(0)

    def _ask_some(self) -> int:
        """Ping the connections that are due, at most a portion of them; returns their number."""
        now = asyncio.get_running_loop().time()
        for asked in range(PORTION):
            if not self._due or next(iter(self._due.values())) > now:
                return asked
            self._ask(self._due.popitem(last=False)[0])
        return PORTION

    def _ask(self, connection: KeptConnection) -> None:
        if connection.ask():
            write_frames(connection, PING)
            self.enter(connection)
        else:
            closing = asyncio.get_running_loop().create_task(self._close(connection))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _close(self, connection: KeptConnection) -> None:
        try:
            async with asyncio.timeout(self._close_s):
                await connection.close(GONE, WHY)
        except TimeoutError:
            # The library waits without limit while the buffer is full.
            cut_off(connection)
