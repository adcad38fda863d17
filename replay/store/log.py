"""Where records lie: one small interface, and what goes in and out of it (DESIGN 6, RECORD 6)."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

from msgspec import Struct

from replay.store.hooks import Hooks

LOG = logging.getLogger(__name__)
AT_ONCE: Final = 0
"""A match is due that was always, and one of which it is not known."""
NEVER: Final = 1 << 62
"""A match is due at no time by itself: people are asked, or it is over."""


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


class SeatRow(Struct, frozen=True):
    """Who holds a seat: `kind` is person, bot or "" (free); the token's hash lets the person in."""

    seat: int
    name: str = ""
    kind: str = ""
    bot: str = ""
    token_hash: bytes = b""

    def __repr__(self) -> str:
        return f"SeatRow({self.seat}, {self.kind!r})"


class Commit(Struct, frozen=True):
    """The unit of append: the lines of one accepted choice, after line `expected`; all or nothing.

    `head` is the chain's hash after the last of them; `status` and `result` change the match list in the same stroke.
    `earlier` are checkpoints of lines before the last, for a match that comes from another store. `seat` is who holds a
    seat from these lines on: whoever appends too late changes nobody's token; without a hash the seat's token stays.
    `due`: when the match needs a server by itself from now on, in ms, `AT_ONCE`, or `NEVER`; None leaves that as it is,
    and it is `AT_ONCE` for a new match.
    `call`: somebody who is away is to be told of these lines, and whoever appends them has that in hand until this time
    in ms (`replay.store.hooks`); 0 where nobody is.
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
    call: int = 0


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


class Header(Struct, frozen=True):
    """What the match list says of a match. `status`: open, running or finished.

    `closed`: nobody watches without a token. `delay_events`, `delay_s`: how far spectators are behind until it ends.
    """

    match: str
    game: str
    rules: str
    created_ms: int
    title: str = ""
    listed: bool = True
    status: str = "open"
    result: str = ""
    changed_ms: int = 0
    closed: bool = False
    delay_events: int = 0
    delay_s: int = 0


class Keys(Struct, frozen=True):
    """The secrets of a match, apart from its record: K_m, k_N and hid (RECORD 3, 4)."""

    k_m: bytes
    k_n: bytes
    hid: bytes

    def __repr__(self) -> str:
        return "Keys(...)"


class WatchRow(Struct, frozen=True):
    """Somebody may watch through a seat's eyes, with the token of this hash."""

    seat: int
    token_hash: bytes

    def __repr__(self) -> str:
        return f"WatchRow({self.seat})"


class ChatRow(Struct, frozen=True):
    """A line of chat: its number in its room, time in ms, who said it and what. It is no part of the record."""

    n: int
    at: int
    room: str
    who: str
    name: str
    text: str

    def __repr__(self) -> str:
        return f"ChatRow({self.n}, {self.room!r})"


class Head(Struct, frozen=True):
    """Where a record ends: last line and chain hash."""

    seq: int
    hash: bytes


Done = Callable[[list[Append | Exception]], None]
"""Called once, from any thread, with what became of each commit, in order."""

GROUP_BOUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
"""Sizes of groups that are counted apart."""


class Pulse(Struct, frozen=True):
    """How a store does: why it takes nothing at the moment (empty: it does), commits that wait, bytes of files.

    `groups` counts transactions by how many commits each held: up to each of `GROUP_BOUNDS`, and more.
    """

    refuses: str = ""
    waiting: int = 0
    commits: int = 0
    groups: tuple[int, ...] = (0,) * (len(GROUP_BOUNDS) + 1)
    database_bytes: int = 0
    log_bytes: int = 0


Follower = Callable[[str, int], None]
"""Called with the match and its new last line after a commit, from the thread that wrote it; it returns at once."""


def tell(followers: Iterable[Follower], match: str, seq: int) -> None:
    """Tell the followers of a commit; one that fails is logged and stops nobody."""
    for follower in followers:
        try:
            follower(match, seq)
        except Exception:
            LOG.exception("a follower of %s failed at line %d", match, seq)


class Store(Protocol):
    """Records of many matches. Every method may be called from any thread."""

    @property
    def hooks(self) -> Hooks:
        """Where people who are away are told of matches, and what they are still to be told."""
        ...

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """Put a new match with its first lines. Raises `MatchExists`, and `StoreFailed` where it may not last.

        So do the methods below that write and have no answer: what they return from has lasted.
        """
        ...

    def submit(self, commit: Commit) -> "Future[Append]":
        """Append soon; the future tells when it is durable. Raises `NoSuchMatch` through the future."""
        ...

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """Write the commits now and make them durable soon, all in one transaction; for one who must not wait.

        False where that cannot be: nothing was done, `submit` them. Another stage may follow once `done` was called.
        """
        ...

    def append(self, commit: Commit) -> Append:
        """Append and wait."""
        ...

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The lines after a number, in order."""
        ...

    def head(self, match: str) -> Head:
        """Where the record ends. Raises `NoSuchMatch`."""
        ...

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """The last line of each of these matches that there is."""
        ...

    def header(self, match: str) -> Header:
        """What the match list says. Raises `NoSuchMatch`."""
        ...

    def keys(self, match: str) -> Keys:
        """The secrets of the match. Raises `NoSuchMatch`."""
        ...

    def seats(self, match: str) -> tuple[SeatRow, ...]:
        """Who holds the seats. Raises `NoSuchMatch`."""
        ...

    def set_seat(self, match: str, row: SeatRow) -> None:
        """Change who holds a seat."""
        ...

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """Let a token of this hash open the seat in the place of another; whether that other one did until now."""
        ...

    def disclose(self, match: str) -> None:
        """Let everybody see a match that was closed. Raises `NoSuchMatch`."""
        ...

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """Who may watch through a seat's eyes; nobody where there is no such match."""
        ...

    def grant(self, match: str, row: WatchRow) -> None:
        """Let somebody watch through a seat's eyes."""
        ...

    def revoke(self, match: str, seat: int) -> None:
        """Let nobody watch through the seat's eyes any more."""
        ...

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """Keep a line of chat, and the last `keep` of its room; its number: a higher one where the row's is taken."""
        ...

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """The last lines of a room, in order; none where there is no such match."""
        ...

    def erase_chat(self, match: str) -> bool:
        """Forget what was said in every room of the match.

        False: the words are still in the store's log, until it is moved.
        """
        ...

    def analysis(self, match: str, terms: str) -> str | None:
        """What was found out about a match by these terms (`replay.store.analyses`); None where nothing was."""
        ...

    def keep_analysis(self, match: str, terms: str, found: str) -> None:
        """Keep what was found out, instead of what was found by the same terms before."""
        ...

    def attend(self, server: str, at: int, told: Mapping[str, str]) -> None:
        """Keep what a server says of each of these matches (`replay.store.attendance`), and that it is there at a time.

        It says no more of a match where it says "".
        """
        ...

    def attended(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """What servers that were there at a time or later say of these matches: match, server, words."""
        ...

    def leave(self, server: str, before: int) -> None:
        """Forget all that a server said, and what those did that were last there before a time."""
        ...

    def matches(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """Matches, latest first."""
        ...

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """Matches of a status, latest first, with who holds their seats."""
        ...

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """Signed checkpoints with the line each stands at."""
        ...

    def unfinished(self) -> list[Header]:
        """Every match that may go on by itself: running, or open with all seats taken; the latest changed first."""
        ...

    def due(self, until_ms: int) -> list[Header]:
        """Every unfinished match that needs a server by itself at a time or before, the latest changed first.

        Until `NEVER`: whenever that is.
        """
        ...

    def set_due(self, match: str, seq: int, due: int) -> None:
        """Note when a match needs a server by itself, unless it has gone on since line `seq`."""
        ...

    def counts(self) -> dict[str, int]:
        """How many matches there are, by status."""
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

    def follow(self, follower: Follower) -> None:
        """Be told of every commit from now on."""
        ...

    def close(self) -> None:
        """Finish what is waiting and close."""
        ...
