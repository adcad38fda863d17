"""A store: the log of records, and what lies beside it, each behind a small protocol of its own."""

from collections.abc import Callable
from typing import Protocol

from replay.store.health import Pulse
from replay.store.log import Log
from replay.store.matches import MatchList
from replay.store.seats import Seats
from replay.store.side_tables.analysis import Analyses
from replay.store.side_tables.chat import Chat
from replay.store.side_tables.presence import Presence
from replay.store.side_tables.webhooks import Webhooks


class Store(Log, Protocol):
    """The log, and the rooms beside it. Whoever needs one of them is given that one.

    Every method, here and in the rooms, may be called from any thread. What writes and has no answer has lasted when it
    returns; it raises `StoreFailed` where it may not last, and so does whatever reads and cannot.
    """

    @property
    def matches(self) -> MatchList:
        """The match list."""
        ...

    @property
    def seats(self) -> Seats:
        """Who holds the seats, and who may watch through their eyes."""
        ...

    @property
    def chat(self) -> Chat:
        """What people say."""
        ...

    @property
    def analyses(self) -> Analyses:
        """What was found out about matches."""
        ...

    @property
    def presence(self) -> Presence:
        """What servers say of who is at their matches."""
        ...

    @property
    def webhooks(self) -> Webhooks:
        """Where people who are away are reminded, and what of."""
        ...

    def pulse(self) -> Pulse:
        """How the store does at this moment."""
        ...

    def probe(self) -> None:
        """Write once for the sake of writing, so that `pulse` tells whether the store takes something again."""
        ...

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Be told, from any thread, when the disk has failed and nothing more is taken until a restart."""
        ...

    def close(self) -> None:
        """Finish what is waiting and close; may be called twice."""
        ...


class SharedStore(Store, Protocol):
    """A store that several servers share."""

    def now_ms(self) -> int:
        """What time it is for all who share it, in ms. Raises `StoreFailed`."""
        ...

    def alive_ms(self) -> int:
        """When a server over it was last alive, in ms; 0 where none ever was. Raises `StoreFailed`."""
        ...

    def live(self, at: int) -> None:
        """A server is alive at a time in ms. Raises `StoreFailed`."""
        ...
