"""The SQLite store (docs/record.md 6): one writer thread, group commit, WAL, `synchronous=FULL`, plain STRICT
tables.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from sqlite_utils import Database

from replay.store.combined_reads import entrance_of, whole_of
from replay.store.errors import StoreFailed
from replay.store.health import Health, Pulse
from replay.store.log import Append, Commit, Done, Entrance, Entry, Follower, Head, Keys, Whole
from replay.store.matches import COLUMNS, Header, SqlMatches, header_of
from replay.store.seats import SeatRow, SqlSeats
from replay.store.side_tables import (
    analysis,
    calendars,
    moderation,
    notices,
    opponents,
    presence,
    rated_players,
    ratings,
    rulings,
    seat_entries,
    standing,
)
from replay.store.side_tables.analysis import SqlAnalyses
from replay.store.side_tables.calendars import SqlCalendars
from replay.store.side_tables.chat import SqlChat
from replay.store.side_tables.claims import SqlClaims
from replay.store.side_tables.devices import SqlDevices
from replay.store.side_tables.moderation import SqlModeration
from replay.store.side_tables.notices import SqlNotices
from replay.store.side_tables.opponents import SqlOpponents
from replay.store.side_tables.passkeys import SqlPasskeys
from replay.store.side_tables.people import SqlPeople
from replay.store.side_tables.presence import SqlPresence
from replay.store.side_tables.rated_players import SqlRatedPlayers
from replay.store.side_tables.ratings import SqlRatedResults
from replay.store.side_tables.rulings import SqlRulings
from replay.store.side_tables.seat_entries import SqlSeatEntries
from replay.store.side_tables.standing import SqlStandingAnswers
from replay.store.side_tables.webhooks import SqlWebhooks
from replay.store.sqlite.readers import Readers
from replay.store.sqlite.rows import SEAT, header_values, seat_values
from replay.store.sqlite.schema import SCHEMA_VERSION, WAITS, Waits, assert_known, connect
from replay.store.sqlite.tables import SqliteTables, lasting
from replay.store.sqlite.tasks import Task
from replay.store.sqlite.transactions import Transactions
from replay.store.sqlite.writer import Writer

_LINES = """SELECT seq, at, type, actor, CAST(line AS BLOB) FROM records
WHERE match = ? AND seq > ? AND seq <= ? ORDER BY seq"""
_OPENINGS = """SELECT r.seq, CAST(o.value AS BLOB) FROM records r
CROSS JOIN openings o ON o.id >= r.opened AND o.id < r.opened + r.slots
WHERE r.match = ? AND r.seq > ? AND r.seq <= ? AND r.slots > 0 ORDER BY r.seq, o.id"""
_CREATE = f"INSERT INTO matches ({COLUMNS}, seq, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"  # noqa: S608


class SqliteStore:
    """See `Store`. The file is readable by its owner only (0600).

    `readonly`: for tools that read a database while a server may write it; appends raise `StoreFailed`.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False, waits: Waits = WAITS) -> None:
        self.path, self._waits = Path(path), waits
        self._health = Health(f"{self.path} was opened to be read only" if readonly else "")
        self._readers = self._made_readers()
        self._writer: Writer | None = None
        tables = SqliteTables(self._readers, self._carry_out)
        self.matches = SqlMatches(tables)
        self.seats = SqlSeats(tables)
        self.chat = SqlChat(tables, self._empty_log)
        self.analyses = SqlAnalyses(tables, [(analysis.MAKE, ())])
        self.presence = SqlPresence(tables, [(presence.MAKE, ())])
        self.webhooks = SqlWebhooks(tables)
        self.devices = SqlDevices(tables)
        self.people = SqlPeople(tables, self._empty_log)
        self.claims = SqlClaims(tables)
        self.passkeys = SqlPasskeys(tables)
        self.ratings = SqlRatedResults(tables, [(make, ()) for make in ratings.MAKE])
        self.rated_players = SqlRatedPlayers(tables, [(make, ()) for make in rated_players.MAKE])
        self.opponents = SqlOpponents(tables, [(make, ()) for make in opponents.MAKE])
        self.rulings = SqlRulings(tables, [(make, ()) for make in rulings.MAKE])
        self.standing = SqlStandingAnswers(tables, [(make, ()) for make in standing.MAKE])
        self.calendars = SqlCalendars(tables, [(make, ()) for make in calendars.MAKE])
        self.seat_entries = SqlSeatEntries(tables, [(make, ()) for make in seat_entries.MAKE])
        self.notices = SqlNotices(tables, [(make, ()) for make in notices.MAKE])
        self.moderation = SqlModeration(tables, [(make, ()) for make in moderation.MAKE])
        if readonly:
            with self._readers.reading() as connection:
                assert_known(connection, self.path, readonly=True)
        else:
            self._writer = self._made_writer()
            self._writer.start()

    def _made_readers(self) -> Readers:
        return Readers(self.path)

    def _made_writer(self) -> Writer:
        return Writer(Transactions(self.path, self._health, self._waits), self._health, self._waits)

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Log`."""
        statements = [
            (_CREATE, (*header_values(header), b"")),
            ("INSERT INTO match_keys VALUES (?, ?, ?, ?)", (header.match, keys.k_m, keys.k_n, keys.hid)),
            *((SEAT, seat_values(header.match, row)) for row in seats),
        ]
        return lasting(self._carry_out(Task(commit, statements)))

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Log`."""
        task = Task(commit)
        if self._writer is None:
            task.future.set_exception(StoreFailed(self._health.failed))
        else:
            self._writer.submit(task)
        return task.future

    def append(self, commit: Commit) -> Append:
        """See `Log`."""
        return self._carry_out(Task(commit))

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Log`."""
        return self._writer is not None and self._writer.stage(commits, done)

    def _carry_out(self, task: Task) -> Append:
        if self._writer is None:
            raise StoreFailed(self._health.failed)
        return self._writer.carry_out(task)

    def _empty_log(self) -> bool:
        """Empty the log of erased words; the file overwrites them too (PRAGMA secure_delete)."""
        return self._writer is not None and self._writer.empty_log()

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Log`."""
        asked = (match, after, (1 << 62) if limit is None else after + limit)
        with self._readers.reading(f"the record of {match}") as reader:
            # Read lines before openings: an append between the two gives too many openings, never too few.
            lines = reader.execute(_LINES, asked).fetchall()
            openings = reader.execute(_OPENINGS, asked).fetchall()
        values: dict[int, tuple[bytes, ...]] = {}
        for seq, value in openings:
            values[seq] = (*values[seq], value) if seq in values else (value,)
        held = values.get
        return [Entry(seq, at, kind, actor, line, held(seq, ())) for seq, at, kind, actor, line in lines]

    def head(self, match: str) -> Head:
        """See `Log`."""
        return Head(*self._readers.row("SELECT seq, head FROM matches WHERE match = ?", match))  # type: ignore[arg-type]

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Log`."""
        asked = "SELECT match, seq FROM matches WHERE match IN (SELECT value FROM json_each(?))"
        return dict(self._readers.rows(asked, json.dumps(list(matches))))  # type: ignore[arg-type]

    def header(self, match: str) -> Header:
        """See `Log`."""
        return header_of(self._readers.row(f"SELECT {COLUMNS} FROM matches WHERE match = ?", match))  # noqa: S608

    def keys(self, match: str) -> Keys:
        """See `Log`."""
        return Keys(*self._readers.row("SELECT k_m, k_n, hid FROM match_keys WHERE match = ?", match))  # type: ignore[arg-type]

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Log`."""
        return self._readers.rows("SELECT seq, signed FROM checkpoints WHERE match = ? ORDER BY seq", match)  # type: ignore[return-value]

    def whole(self, match: str) -> Whole:
        """See `Log`."""
        return whole_of(self, match)

    def entrance(self, match: str) -> Entrance:
        """See `Log`."""
        return entrance_of(self, match)

    def follow(self, follower: Follower) -> None:
        """See `Log`."""
        if self._writer is not None:
            self._writer.follow(follower)

    def pulse(self) -> Pulse:
        """See `Store`."""
        waiting = 0 if self._writer is None else self._writer.waiting
        log = self.path.with_name(self.path.name + "-wal")
        return self._health.pulse(waiting, _bytes_of(self.path), _bytes_of(log))

    def probe(self) -> None:
        """See `Store`."""
        with suppress(StoreFailed):
            self._carry_out(Task(None, [(f"PRAGMA user_version = {SCHEMA_VERSION}", ())]))

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """See `Store`."""
        self._health.on_failure(failed)

    def tables(self) -> Database:
        """The database as an object of `sqlite-utils`, for queries and tools; read-only."""
        return Database(connect(self.path, readonly=True))

    def close(self) -> None:
        """See `Store`."""
        if self._writer is not None:
            self._writer.stop()
        self._readers.close()
        if self._writer is not None:
            # Close the writer last, so that SQLite moves the log into the file and removes it; readers cannot.
            self._writer.close()


def _bytes_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
