"""Channels that tell persons that it is their move, and the moves that wait for them; side tables.

A *channel* is one way to a person: a mail address, a browser's push subscription, or a webhook. A *wait* is a move that
a channel has told, or will tell. Times are in ms since 1970. The first channel makes the tables in a SQLite database.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Rows, Statement, Tables

MADE: Final = {
    "person_channels": "CREATE TABLE person_channels (person TEXT NOT NULL, channel TEXT NOT NULL, kind TEXT NOT NULL,"
    " address TEXT NOT NULL, details TEXT NOT NULL, added INTEGER NOT NULL, confirmed INTEGER NOT NULL,"
    " sent INTEGER NOT NULL, due INTEGER NOT NULL, held INTEGER NOT NULL, tries INTEGER NOT NULL,"
    " token_hash BLOB NOT NULL, leave_hash BLOB NOT NULL, PRIMARY KEY (person, channel)) STRICT, WITHOUT ROWID",
    "person_waits": "CREATE TABLE person_waits (person TEXT NOT NULL, channel TEXT NOT NULL, match TEXT NOT NULL,"
    " seat INTEGER NOT NULL, decision INTEGER NOT NULL, title TEXT NOT NULL, at INTEGER NOT NULL,"
    " due INTEGER NOT NULL, told INTEGER NOT NULL, PRIMARY KEY (person, channel, match, seat)) STRICT, WITHOUT ROWID",
    "person_quiet": "CREATE TABLE person_quiet (person TEXT PRIMARY KEY, told TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "mail_limits": "CREATE TABLE mail_limits (hash BLOB PRIMARY KEY, until INTEGER NOT NULL, n INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID",
    "notice_keys": "CREATE TABLE notice_keys (n INTEGER PRIMARY KEY, secret BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "channels_by_due": "CREATE INDEX channels_by_due ON person_channels (due)",
    "channels_by_token": "CREATE INDEX channels_by_token ON person_channels (token_hash)",
    "channels_by_leave": "CREATE INDEX channels_by_leave ON person_channels (leave_hash)",
    "waits_by_match": "CREATE INDEX waits_by_match ON person_waits (match)",
}
"""How the tables and their indices are made in SQLite."""
MAKE: Final = tuple(
    made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1).replace("INDEX ", "INDEX IF NOT EXISTS ", 1)
    for made in MADE.values()
)
OWN: Final = ("person_channels", "person_waits", "person_quiet")
"""The tables that name a person in the column `person`."""
NOTHING: Final = 0
"""The due time of a channel that has nothing to tell."""
SHUT: Final = 1 << 40
"""More uses than any limit allows."""
_COLUMNS: Final = (
    "person, channel, kind, address, details, added, confirmed, sent, due, held, tries, token_hash, leave_hash"
)
_PUT: Final = f"""INSERT INTO person_channels ({_COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM persons WHERE person = ?)
AND (SELECT count(*) FROM person_channels WHERE person = ? AND channel <> ?) < ?
ON CONFLICT (person, channel) DO UPDATE SET address = excluded.address, details = excluded.details,
added = excluded.added, confirmed = excluded.confirmed, tries = 0,
due = CASE WHEN person_channels.due > 0 THEN excluded.confirmed ELSE 0 END,
token_hash = excluded.token_hash, leave_hash = excluded.leave_hash RETURNING channel"""  # noqa: S608
_WAIT: Final = """INSERT INTO person_waits (person, channel, match, seat, decision, title, at, due, told)
SELECT person, channel, ?, ?, ?, ?, ?, ?, 0 FROM person_channels WHERE person = ? AND confirmed > 0
ON CONFLICT (person, channel, match, seat) DO UPDATE SET decision = excluded.decision, title = excluded.title,
at = excluded.at, due = excluded.due, told = 0 WHERE excluded.decision > person_waits.decision"""
_DUE: Final = """UPDATE person_channels SET due = ? WHERE person = ? AND confirmed > 0 AND due = 0 AND EXISTS
(SELECT 1 FROM person_waits AS waits WHERE waits.person = person_channels.person
AND waits.channel = person_channels.channel AND waits.told = 0)"""
_TAKE: Final = f"""UPDATE person_channels SET held = ? WHERE person = ? AND channel = ? AND held <= ? AND due > 0
AND due <= ? AND confirmed > 0 RETURNING {_COLUMNS}"""  # noqa: S608
_AGAIN: Final = """UPDATE person_channels SET due = ? WHERE person = ? AND channel = ? AND due = 0 AND EXISTS
(SELECT 1 FROM person_waits AS waits WHERE waits.person = person_channels.person
AND waits.channel = person_channels.channel AND waits.told = 0)"""
_CONFIRM: Final = """UPDATE person_channels SET confirmed = ?, due = CASE WHEN EXISTS
(SELECT 1 FROM person_waits AS waits WHERE waits.person = person_channels.person
AND waits.channel = person_channels.channel AND waits.told = 0) THEN ? ELSE 0 END
WHERE token_hash = ? AND added > ? RETURNING channel"""
_END: Final = "UPDATE person_channels SET due = ?, held = 0, sent = ?, tries = ? WHERE person = ? AND channel = ?"
_TOLD: Final = """UPDATE person_waits SET told = 1 WHERE person = ? AND channel = ? AND match = ? AND seat = ?
AND decision = ?"""
_STALE: Final = """DELETE FROM person_waits WHERE person = ? AND channel = ? AND match = ? AND seat = ?
AND decision = ?"""
_DROP: Final = "DELETE FROM person_channels WHERE person = ? AND channel = ? AND (? = 0 OR added = ?)"
_NO_WAITS: Final = """DELETE FROM person_waits WHERE person = ? AND channel = ? AND NOT EXISTS
(SELECT 1 FROM person_channels AS own WHERE own.person = person_waits.person AND own.channel = person_waits.channel)"""
_SHARED: Final = "SELECT secret FROM notice_keys WHERE n = ?"
_LIMIT: Final = """INSERT INTO mail_limits (hash, until, n) VALUES (?, ?, 1) ON CONFLICT (hash) DO UPDATE
SET n = CASE WHEN mail_limits.until <= ? THEN 1 ELSE mail_limits.n + 1 END,
until = CASE WHEN mail_limits.until <= ? THEN excluded.until ELSE mail_limits.until END
WHERE mail_limits.until <= ? OR mail_limits.n < ? RETURNING n"""


class ChannelRow(Struct, frozen=True):
    """One way to tell a person. `channel`: its name among the person's; `kind`: `mail`, `push` or `hook`; `address`: a
    mail address or a URL; `details`: what else the kind needs, as JSON.

    `confirmed`: since when it is known to be the person's, 0 before; `sent`: when it last told something; `due`: when
    it must tell next, 0 for never; `held`: until when a server is in charge of that; `tries`: the failures since.
    `token_hash`, `leave_hash`: the hashes of the links that confirm and leave it; empty without links.
    """

    person: str
    channel: str
    kind: str
    address: str
    details: str
    added: int
    confirmed: int
    sent: int = 0
    due: int = NOTHING
    held: int = 0
    tries: int = 0
    token_hash: bytes = b""
    leave_hash: bytes = b""

    def __repr__(self) -> str:
        return f"ChannelRow({self.kind})"


class WaitRow(Struct, frozen=True):
    """A move that waits for a person's seat: the number of its decision, the match's title or game, its beginning, and
    the end of the seat's time, 0 without a clock. `told`: this channel has told it."""

    match: str
    seat: int
    decision: int
    title: str
    at: int
    due: int
    told: bool = False


class NoticeStore(Protocol):
    """Channels of persons and their waits. Every method may be called from any thread, and waits; see `Store`."""

    def put(self, row: ChannelRow, most: int) -> bool:
        """Add a channel, or change it; False if there is no such person, or if the person has `most` others already."""
        ...

    def drop(self, person: str, channel: str, added: int = 0) -> None:
        """Delete a channel. `added`: only if it was added at that time; 0 for any time."""
        ...

    def channels(self, person: str) -> list[ChannelRow]:
        """The channels of a person, by age."""
        ...

    def by_leave(self, leave_hash: bytes) -> ChannelRow | None:
        """The channel that a link's token leaves."""
        ...

    def confirm(self, token_hash: bytes, at: int, since: int) -> bool:
        """Confirm the channel with this token, added after `since`; False if there is none."""
        ...

    def wait(self, persons: Iterable[str], row: WaitRow, when: int) -> None:
        """Note a move that waits for persons; each of their channels must tell it, at `when` if nothing else waited.

        A channel tells no decision twice, and no decision older than one that it has told.
        """
        ...

    def settle(self, match: str) -> None:
        """End all waits of a match."""
        ...

    def due(self, at: int, most: int) -> list[ChannelRow]:
        """Channels that are due at a time, and that no server is in charge of; the earliest first."""
        ...

    def take(self, row: ChannelRow, at: int, until: int) -> ChannelRow | None:
        """Take charge of a channel until a time; returns its row, None if another server has it or nothing is due."""
        ...

    def waits(self, person: str, channel: str) -> list[WaitRow]:
        """The moves that a channel tells, or has told."""
        ...

    def end(self, row: ChannelRow, at: int, told: Iterable[WaitRow], stale: Iterable[WaitRow]) -> None:
        """Release a channel, with the row's `due`, `sent` and `tries`; it is due at `at` if more moves have come.

        `told`: the moves it has told; `stale`: the moves that it must not tell any more.
        """
        ...

    def quiet(self, person: str) -> str:
        """The times at which a person must not be told, as JSON; "" if never set."""
        ...

    def set_quiet(self, person: str, told: str, at: int) -> None:
        """Set these times; waiting moves are checked again at `at`."""
        ...

    def allow(self, hashed: bytes, at: int, until: int, most: int) -> bool:
        """Count a use of the thing with this hash; False if `most` uses that still count were noted already."""
        ...

    def shut(self, hashed: bytes, until: int) -> None:
        """Allow no use of the thing with this hash until a time."""
        ...

    def secret(self, n: int, fresh: bytes) -> bytes:
        """A secret that the servers of this store share, by its number; `fresh` if there was none."""
        ...

    def prune(self, at: int, unconfirmed: int, *, dry: bool) -> int:
        """Delete old rows: limits before `at`, and channels added before `unconfirmed` that nobody confirmed."""
        ...

    def forget(self, person: str) -> None:
        """Delete everything of a person."""
        ...

    def clear(self) -> None:
        """Delete all channels and waits, for copies of a database."""
        ...


class SqlNotices:
    """See `NoticeStore`; in tables of a database. `made`: the statements that make tables that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def put(self, row: ChannelRow, most: int) -> bool:
        """See `NoticeStore`."""
        own = (row.person, row.person, row.channel, most)
        return bool(self._tables.change([*self._made, (_PUT, (*astuple(row), *own))]))

    def drop(self, person: str, channel: str, added: int = 0) -> None:
        """See `NoticeStore`."""
        self._change([(_DROP, (person, channel, added, added)), (_NO_WAITS, (person, channel))])

    def channels(self, person: str) -> list[ChannelRow]:
        """See `NoticeStore`."""
        return self._channels("WHERE person = ? ORDER BY added, channel", person)

    def by_leave(self, leave_hash: bytes) -> ChannelRow | None:
        """See `NoticeStore`."""
        found = self._channels("WHERE leave_hash = ?", leave_hash)
        return found[0] if found else None

    def confirm(self, token_hash: bytes, at: int, since: int) -> bool:
        """See `NoticeStore`."""
        return bool(self._change([(_CONFIRM, (at, at, token_hash, since))]))

    def wait(self, persons: Iterable[str], row: WaitRow, when: int) -> None:
        """See `NoticeStore`."""
        told = (row.match, row.seat, row.decision, row.title, row.at, row.due)
        statements: list[Statement] = []
        for person in sorted(persons):
            statements += [(_WAIT, (*told, person)), (_DUE, (when, person))]
        self._change(statements)

    def settle(self, match: str) -> None:
        """See `NoticeStore`."""
        if self._has() and self._tables.ask("SELECT 1 FROM person_waits WHERE match = ?", match):
            self._change([("DELETE FROM person_waits WHERE match = ?", (match,))])

    def due(self, at: int, most: int) -> list[ChannelRow]:
        """See `NoticeStore`."""
        where = "WHERE due > 0 AND due <= ? AND held <= ? AND confirmed > 0 ORDER BY due, person LIMIT ?"
        return self._channels(where, at, at, most)

    def take(self, row: ChannelRow, at: int, until: int) -> ChannelRow | None:
        """See `NoticeStore`."""
        return next(_rows(self._change([(_TAKE, (until, row.person, row.channel, at, at))])), None)

    def waits(self, person: str, channel: str) -> list[WaitRow]:
        """See `NoticeStore`."""
        sql = """SELECT match, seat, decision, title, at, due, told FROM person_waits
        WHERE person = ? AND channel = ? ORDER BY at, match, seat"""
        rows = self._tables.ask(sql, person, channel) if self._has() else ()
        return [WaitRow(*(*row[:6], bool(row[6]))) for row in rows]

    def end(self, row: ChannelRow, at: int, told: Iterable[WaitRow], stale: Iterable[WaitRow]) -> None:
        """See `NoticeStore`."""
        own = (row.person, row.channel)
        statements: list[Statement] = [
            *((_TOLD, (*own, wait.match, wait.seat, wait.decision)) for wait in told),
            *((_STALE, (*own, wait.match, wait.seat, wait.decision)) for wait in stale),
            (_END, (row.due, row.sent, row.tries, *own)),
            (_AGAIN, (at, *own)),
        ]
        self._change(statements)

    def quiet(self, person: str) -> str:
        """See `NoticeStore`."""
        rows = self._tables.ask("SELECT told FROM person_quiet WHERE person = ?", person) if self._has() else ()
        return str(rows[0][0]) if rows else ""

    def set_quiet(self, person: str, told: str, at: int) -> None:
        """See `NoticeStore`."""
        sql = """INSERT INTO person_quiet (person, told) SELECT ?, ? WHERE EXISTS
        (SELECT 1 FROM persons WHERE person = ?) ON CONFLICT (person) DO UPDATE SET told = excluded.told"""
        anew = "UPDATE person_channels SET due = ? WHERE person = ? AND due > 0"
        self._tables.change([*self._made, (sql, (person, told, person)), (anew, (at, person))])

    def allow(self, hashed: bytes, at: int, until: int, most: int) -> bool:
        """See `NoticeStore`."""
        return bool(self._tables.change([*self._made, (_LIMIT, (hashed, until, at, at, at, most))]))

    def shut(self, hashed: bytes, until: int) -> None:
        """See `NoticeStore`."""
        sql = """INSERT INTO mail_limits (hash, until, n) VALUES (?, ?, ?)
        ON CONFLICT (hash) DO UPDATE SET until = excluded.until, n = excluded.n"""
        self._tables.change([*self._made, (sql, (hashed, until, SHUT))])

    def secret(self, n: int, fresh: bytes) -> bytes:
        """See `NoticeStore`."""
        known = self._tables.ask(_SHARED, n) if self._has() else ()
        if not known:
            put = "INSERT INTO notice_keys (n, secret) VALUES (?, ?) ON CONFLICT (n) DO NOTHING"
            self._tables.change([*self._made, (put, (n, fresh))])
            known = self._tables.ask(_SHARED, n)
        return bytes(known[0][0])

    def prune(self, at: int, unconfirmed: int, *, dry: bool) -> int:
        """See `NoticeStore`."""
        ends = {"mail_limits": "until <= ?", "person_channels": "confirmed = 0 AND added < ?"}
        values = {"mail_limits": at, "person_channels": unconfirmed}
        if not self._has():
            return 0
        counts = [
            self._tables.ask(f"SELECT count(*) FROM {table} WHERE {ended}", values[table])[0][0]  # noqa: S608
            for table, ended in ends.items()
        ]
        if not dry:
            self._change([(f"DELETE FROM {table} WHERE {ended}", (values[table],)) for table, ended in ends.items()])  # noqa: S608
        return sum(counts)

    def forget(self, person: str) -> None:
        """See `NoticeStore`."""
        self._change([(f"DELETE FROM {table} WHERE person = ?", (person,)) for table in OWN])  # noqa: S608

    def clear(self) -> None:
        """See `NoticeStore`."""
        self._change([(f"DELETE FROM {table}", ()) for table in ("person_waits", "person_channels", "notice_keys")])  # noqa: S608

    def _has(self) -> bool:
        return self._tables.has("person_channels")

    def _change(self, statements: Sequence[Statement]) -> Rows:
        return self._tables.change(statements) if self._has() else ()

    def _channels(self, where: str, *values: object) -> list[ChannelRow]:
        if not self._has():
            return []
        rows = self._tables.ask(f"SELECT {_COLUMNS} FROM person_channels {where}", *values)  # noqa: S608
        return list(_rows(rows))


def _rows(rows: Rows) -> Iterator[ChannelRow]:
    for row in rows:
        yield ChannelRow(*(*row[:11], bytes(row[11]), bytes(row[12])))
