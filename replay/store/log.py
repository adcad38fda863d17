"""The log: appends and reads the lines of matches, and keeps the secrets that seal them (docs/record.md 6)."""

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
    transaction. `earlier` are checkpoints of lines before the last, for a match from another store. `seat` is the
    holder of a seat after these lines. If the append comes too late, no token changes; if the row has no hash, the
    seat's token stays. `due`: when the match next needs a server by itself, in ms, `AT_ONCE`, or `NEVER`; None leaves
    this as it is, and a new match has `AT_ONCE`. `reminder`: these lines concern somebody who is away, and the server
    that appends them is in charge of the reminder until this time in ms (`replay.store.side_tables.webhooks`); 0 if
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
    """Another writer appended first; the record ends at `seq`. Nothing was written."""

    seq: int


class Unknown(Struct, frozen=True):
    """It is not known whether the lines were written: read again before continuing."""

    why: str


Append = Committed | Conflict | Unknown


class Keys(Struct, frozen=True):
    """The secrets of a match, kept apart from its record: K_m, k_N and hid (docs/record.md 3, 4)."""

    k_m: bytes
    k_n: bytes
    hid: bytes

    def __repr__(self) -> str:
        return "Keys(...)"


class Head(Struct, frozen=True):
    """The end of a record: last line and chain hash."""

    seq: int
    hash: bytes


class Whole(Struct, frozen=True):
    """Everything that is kept of a match's record: its secrets, lines, end, and signed checkpoints with their lines.

    The end was read after the lines: if it is later than the last line, somebody has appended in between.
    """

    keys: Keys
    entries: tuple[Entry, ...]
    head: Head
    checkpoints: tuple[tuple[int, bytes], ...]

    def __repr__(self) -> str:
        return "Whole()"


class Entrance(Struct, frozen=True):
    """The data for entering a match: its entry in the match list, the holders of its seats, and those who may watch.

    `header` is None, and there are no rows, if there is no such match.
    """

    header: Header | None
    rows: tuple[SeatRow, ...]
    watchers: tuple[WatchRow, ...]


Done = Callable[[list[Append | Exception]], None]
"""Called once, from any thread, with the outcome of each commit, in order."""

Follower = Callable[[str, int], None]
"""Called after a commit with the match and its new last line, from the thread that wrote it; must return at once."""


def tell(followers: Iterable[Follower], match: str, seq: int) -> None:
    """Tell the followers of a commit; a follower that fails is logged and stops no other."""
    for follower in followers:
        try:
            follower(match, seq)
        except Exception:
            LOG.exception("a follower of %s failed at line %d", match, seq)


class Log(Protocol):
    """The records of many matches. Every method may be called from any thread.

    A read that fails, or a write that may not be durable, raises `StoreFailed`; a method for one match raises
    `NoSuchMatch`.
    """

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """Store a new match with its first lines. Raises `MatchExists`, and `StoreFailed` if it may not be durable."""
        ...

    def submit(self, commit: Commit) -> "Future[Append]":
        """Append soon; the future is done when the commit is durable. Raises `NoSuchMatch` through the future."""
        ...

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """Write the commits now and make them durable soon, all in one transaction; for a thread that must not wait.

        False if this is impossible; then nothing was done, and the caller should `submit` them. The next stage may
        follow once `done` was called.
        """
        ...

    def append(self, commit: Commit) -> Append:
        """Append and wait."""
        ...

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The lines after a number, in order; none if there is no such match."""
        ...

    def head(self, match: str) -> Head:
        """The end of the record. Raises `NoSuchMatch`."""
        ...

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """The last line of each of these matches that exists."""
        ...

    def header(self, match: str) -> Header:
        """The match list's entry of the match. Raises `NoSuchMatch`."""
        ...

    def keys(self, match: str) -> Keys:
        """The secrets of the match. Raises `NoSuchMatch`."""
        ...

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """Signed checkpoints, each with its line."""
        ...

    def whole(self, match: str) -> Whole:
        """Keys, lines, head and checkpoints, read in one go. Raises `NoSuchMatch`."""
        ...

    def entrance(self, match: str) -> Entrance:
        """Header, seats and watchers, read in one go; the work is the same if there is no such match."""
        ...

    def follow(self, follower: Follower) -> None:
        """Add a follower, which is told of every later commit."""
        ...
