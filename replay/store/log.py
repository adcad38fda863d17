"""The log: the lines of matches, appended and read, and the secrets they are sealed with (DESIGN 6, RECORD 6)."""

import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from replay.store.matches import Header
from replay.store.seats import SeatRow, WatchRow

LOG = logging.getLogger(__name__)


class Entry(Struct, frozen=True, gc=False):
    """A stored line: its number, time in ms, event type, actor, bytes, and one JSON value per slot."""

    seq: int
    at: int
    type: str
    actor: int
    line: bytes
    openings: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        return f"Entry({self.seq}, {self.type})"


class Commit(Struct, frozen=True):
    """The unit of append: the lines of one accepted choice, after line `expected`; all or nothing.

    `head` is the chain's hash after the last of them; `status` and `result` change the match list in the same
    transaction. `earlier` are checkpoints of lines before the last, for a match that comes from another store. `seat`
    is who holds a seat from these lines on: an append that comes too late changes no token; without a hash the seat's
    token stays. `due`: when the match needs a server by itself from now on, in ms, `AT_ONCE`, or `NEVER`; None leaves
    that as it is, and it is `AT_ONCE` for a new match. `reminder`: these lines concern somebody who is away, and the
    server that appends them has the reminder in hand until this time in ms (`replay.store.side_tables.webhooks`); 0 if
    nobody is away.
    """

    match: str
    expected: int
    entries: tuple[Entry, ...]
    head: bytes
    checkpoint: bytes | None = None
    status: str | None = None
    result: str | None = None
    earlier: tuple[tuple[int, bytes], ...] = ()
    seat: SeatRow | None = None
    due: int | None = None
    reminder: int = 0


class Committed(Struct, frozen=True):
    """The lines are on disk; `seq` is the last of them."""

    seq: int


class Conflict(Struct, frozen=True):
    """Somebody else appended first; the record ends at `seq`. Nothing was written."""

    seq: int


class Unknown(Struct, frozen=True):
    """Whether the lines were written is not known: read again before going on."""

    why: str


Append = Committed | Conflict | Unknown


class Keys(Struct, frozen=True):
    """The secrets of a match, apart from its record: K_m, k_N and hid (RECORD 3, 4)."""

    k_m: bytes
    k_n: bytes
    hid: bytes

    def __repr__(self) -> str:
        return "Keys(...)"


class Head(Struct, frozen=True):
    """Where a record ends: last line and chain hash."""

    seq: int
    hash: bytes


class Whole(Struct, frozen=True):
    """All that is kept of a match's record: its secrets, lines, end, and signed checkpoints with their lines.

    The end was read after the lines: where it is a later one, somebody has appended between the two.
    """

    keys: Keys
    entries: tuple[Entry, ...]
    head: Head
    checkpoints: tuple[tuple[int, bytes], ...]

    def __repr__(self) -> str:
        return "Whole()"


class Entrance(Struct, frozen=True):
    """A match as somebody enters it: its entry in the match list, the holders of its seats, and those who may watch.

    `header` is None, and there are no rows, if there is no such match.
    """

    header: Header | None
    rows: tuple[SeatRow, ...]
    watchers: tuple[WatchRow, ...]


Done = Callable[[list[Append | Exception]], None]
"""Called once, from any thread, with the outcome of each commit, in order."""

Follower = Callable[[str, int], None]
"""Called with the match and its new last line after a commit, from the thread that wrote it; it returns at once."""


def tell(followers: Iterable[Follower], match: str, seq: int) -> None:
    """Tell the followers of a commit; one that fails is logged and stops nobody."""
    for follower in followers:
        try:
            follower(match, seq)
        except Exception:
            LOG.exception("a follower of %s failed at line %d", match, seq)


class Log(Protocol):
    """The records of many matches. Every method may be called from any thread.

    A read that fails, or a write that may not last, raises `StoreFailed`; a method for one match raises `NoSuchMatch`.
    """

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """Put a new match with its first lines. Raises `MatchExists`, and `StoreFailed` where it may not last."""
        ...

    def submit(self, commit: Commit) -> "Future[Append]":
        """Append soon; the future tells when it is durable. Raises `NoSuchMatch` through the future."""
        ...

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """Write the commits now and make them durable soon, all in one transaction; for a thread that must not wait.

        False if that is impossible: nothing was done; `submit` them. Another stage may follow once `done` was called.
        """
        ...

    def append(self, commit: Commit) -> Append:
        """Append and wait."""
        ...

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The lines after a number, in order; none where there is no such match."""
        ...

    def head(self, match: str) -> Head:
        """Where the record ends. Raises `NoSuchMatch`."""
        ...

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """The last line of each of these matches that there is."""
        ...

    def header(self, match: str) -> Header:
        """The match list's entry of the match. Raises `NoSuchMatch`."""
        ...

    def keys(self, match: str) -> Keys:
        """The secrets of the match. Raises `NoSuchMatch`."""
        ...

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """Signed checkpoints with the line each stands at."""
        ...

    def whole(self, match: str) -> Whole:
        """Keys, lines, head and checkpoints, asked for in one go. Raises `NoSuchMatch`."""
        ...

    def entrance(self, match: str) -> Entrance:
        """Header, seats and watchers, asked for in one go; the work is the same where there is no such match."""
        ...

    def follow(self, follower: Follower) -> None:
        """Be told of every commit from now on."""
        ...
