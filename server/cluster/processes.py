"""The processes of one server among themselves: notifications, questions, and connections that are handed over.

Each process has an inbox, a pair of sockets that the parent makes before it starts any process: nobody else can reach
it, and the replacement of a process that has died finds the messages sent meanwhile.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from server.cluster.nats import read, written
from server.cluster.servers import Notified
from server.operations.shared_counters import SharedCounters
from server.table.placement import Placement

LOG = logging.getLogger(__name__)
LONGEST: Final = 64 * 1024
"""The largest number of bytes in one message."""
ROOM: Final = 4 << 20
"""The number of bytes that may wait in an inbox, if the system lets them."""
FILES: Final = 4
"""The largest number of open files that come with one message."""
AT_ONCE: Final = 64
"""The number of messages that are read before other tasks have their turn on the loop."""
NOTIFICATIONS: Final = b"h"
Taken = Callable[[bytes, list[int]], None]
"""A function called on the event loop with a message and the open files that came with it, which it has to close."""


class Inbox:
    """The inbox of one process: the end that all others write to, and the end it reads."""

    def __init__(self) -> None:
        self.end, self.entry = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        for each in (self.end, self.entry):
            each.setblocking(False)
        self.entry.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)


class ServerProcesses:
    """Messages between one process and the others; carries notifications as a `PubSub` does.

    A message may be lost if an inbox is full. No message is doubled, and none comes from anybody else. `tallies`: the
    counts of each process.
    """

    is_connected = True

    def __init__(self, home: Placement, inboxes: Sequence[Inbox], tallies: SharedCounters) -> None:
        self.home, self.tallies = home, tallies
        self._inboxes = inboxes
        self._takers: dict[bytes, Taken] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def take(self, kind: bytes, taken: Taken) -> None:
        """Registers a callee for messages that begin with this byte; it gets the rest of the message."""
        self._takers[kind] = taken

    def listen(self) -> None:
        """Begin to read messages; those that have arrived since this process's predecessor died come first."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._inboxes[self.home.number].end, self._read)

    def tell(self, number: int, kind: bytes, message: bytes, files: Sequence[int] = ()) -> bool:
        """Write to one process; never waits.

        Returns whether the message reached the inbox; the files stay open here too.
        """
        if len(message) >= LONGEST:
            return False
        try:
            socket.send_fds(self._inboxes[number].entry, [kind + message], list(files))
        except OSError:  # the inbox is full, or this process may open no more files
            return False
        return True

    def others(self) -> list[int]:
        """The numbers of the other processes."""
        return [number for number in range(self.home.count) if number != self.home.number]

    def _read(self) -> None:
        for _ in range(AT_ONCE):
            try:
                message, files, _, _ = socket.recv_fds(self._inboxes[self.home.number].end, LONGEST, FILES)
            except BlockingIOError:
                return
            except OSError as wrong:
                LOG.error("what another process says cannot be read: %s", type(wrong).__name__)
                return
            taken = self._takers.get(message[:1])
            if taken is None:
                for file in files:
                    os.close(file)
            else:
                taken(message[1:], files)

    def give(self, lines: Mapping[str, int]) -> None:
        """See `PubSub`."""
        for message in written(lines):
            for number in self.others():
                self.tell(number, NOTIFICATIONS, message)

    async def start(self, notified: Notified) -> None:
        """See `PubSub`."""
        self.take(NOTIFICATIONS, lambda message, _: notified(read(message)))

    async def close(self) -> None:
        """See `PubSub`; connections still come until the process ends."""
        self._takers.pop(NOTIFICATIONS, None)

    def stop(self) -> None:
        """Stop reading."""
        if self._loop is not None:
            with suppress(OSError, ValueError):
                self._loop.remove_reader(self._inboxes[self.home.number].end)
