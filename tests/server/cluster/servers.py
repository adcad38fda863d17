"""Shared by `test_servers` and other tests: Bus, End, apart."""

from collections.abc import Mapping

from server.cluster.servers import Notified
from server.operations.intervals import Intervals
from server.wire.protocol import Created
from tests.server.tabletop import Player, Table


class Bus:
    """Carries hints between servers of one process, except those that it loses."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.loses = False
        self.given: list[dict[str, int]] = []


class End:
    """One server's end of it."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._notified: Notified | None = None
        self.is_connected = True

    async def start(self, notified: Notified) -> None:
        """See `Hints`."""
        self._notified = notified
        self._bus.ends.append(self)

    def give(self, lines: Mapping[str, int]) -> None:
        """See `Hints`; each comes twice."""
        self._bus.given.append(dict(lines))
        for end in self._bus.ends if not self._bus.loses else ():
            if end is not self and end._notified is not None:
                end._notified(lines)
                end._notified(lines)

    async def close(self) -> None:
        """See `Hints`."""
        self._notified = None


Ends = tuple[tuple[End | None, End | None], Intervals]
"""The carriers of notifications between two servers, None for none, and how often the servers ask the store."""


async def apart(one: Table, two: Table) -> tuple[Created, Player, Player]:
    """A match of two people, each at another server."""
    created = await one.create()
    return created, await one.player(created, 0), await two.player(created, 1)
