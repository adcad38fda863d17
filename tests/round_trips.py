"""A way to a PostgreSQL server that counts how often its clients wait for an answer, and may lose one."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

WAITS: Final = frozenset(b"QSH")
"""Messages of a client that an answer follows: Query, Sync, Flush. All between two of them go out in one go."""
FLUSHED: Final = (ord("H"), ord("S"))
UNTYPED: Final = 8
"""Bytes of a connection's first message that asks for encryption; one that names the user is longer."""


class RoundTrips:
    """A port that leads to a server's, and the round trips over it. A password would cost more than is counted.

    `loses_answers`: the server's next answer is lost, and with it the connection, while what was asked has been done.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.count = self.connections = 0
        self.loses_answers = False
        threading.Thread(target=self._accept, daemon=True).start()

    def taken(self) -> int:
        """Round trips since the last call."""
        taken, self.count = self.count, 0
        return taken

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            far = socket.create_connection(("127.0.0.1", self._target))
            counted = _Counted(self)
            for way in ((near, far, counted.take), (far, near, self._hear)):
                threading.Thread(target=_carry, args=way, daemon=True).start()

    def _hear(self, _: bytes) -> None:
        if self.loses_answers:
            raise ConnectionAbortedError

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()


class _Counted:
    """One connection's messages."""

    def __init__(self, trips: RoundTrips) -> None:
        self._trips, self._left, self._is_in = trips, b"", False
        self._last = 0

    def take(self, data: bytes) -> None:
        self._left += data
        while len(self._left) >= (5 if self._is_in else 4):
            size = int.from_bytes(self._left[1:5]) + 1 if self._is_in else int.from_bytes(self._left[:4])
            if len(self._left) < size:
                return
            kind = self._left[0]
            # A Flush right behind a Sync asks for what is sent anyway.
            if not self._is_in or (kind in WAITS and (kind, self._last) != FLUSHED):
                self._trips.count += 1
            self._last = kind if self._is_in else 0
            self._is_in = self._is_in or size > UNTYPED
            self._left = self._left[size:]


def _carry(near: socket.socket, far: socket.socket, take: Callable[[bytes], None]) -> None:
    with near, far:
        with suppress(OSError):
            while data := near.recv(1 << 16):
                take(data)
                far.sendall(data)
        for each in (near, far):  # a socket that another thread reads is not closed before
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def counted(target: int) -> Iterator[RoundTrips]:
    """A port that leads to another while the context lasts."""
    trips = RoundTrips(target)
    try:
        yield trips
    finally:
        trips.close()
