"""The SQLite store (RECORD 6): one writer thread, group commit, WAL, `synchronous=FULL`, plain STRICT tables."""

import os
import queue
import sqlite3
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from replay.errors import MatchExists, NoSuchMatch, StoreFailed
from replay.store import (
    Append,
    Commit,
    Committed,
    Conflict,
    Entry,
    Follower,
    Head,
    Header,
    Keys,
    SeatRow,
    Unknown,
    tell,
)

SCHEMA_VERSION: Final = 1
GROUP_LIMIT: Final = 2000
"""Commits that go into one transaction at most."""
LOCK_WAIT_S: Final = 20.0
HEADS_KEPT: Final = 100_000
"""Matches whose last line the writer remembers."""
_UPDATE: Final = (
    "UPDATE matches SET seq = ?, head = ?, changed_ms = ?, status = coalesce(?, status),"
    " result = coalesce(?, result) WHERE match = ?"
)

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS matches (
  match TEXT PRIMARY KEY, game TEXT NOT NULL, rules TEXT NOT NULL, created_ms INTEGER NOT NULL,
  title TEXT NOT NULL, listed INTEGER NOT NULL, status TEXT NOT NULL, result TEXT NOT NULL,
  changed_ms INTEGER NOT NULL, seq INTEGER NOT NULL, head BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_ms DESC);
CREATE TABLE IF NOT EXISTS records (
  match TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, actor INTEGER NOT NULL,
  line TEXT NOT NULL, PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS openings (
  match TEXT NOT NULL, seq INTEGER NOT NULL, slot INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (match, seq, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS match_keys (
  match TEXT PRIMARY KEY, k_m BLOB NOT NULL, k_n BLOB NOT NULL, hid BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
  match TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, bot TEXT NOT NULL,
  token_hash BLOB NOT NULL, PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checkpoints (
  match TEXT NOT NULL, seq INTEGER NOT NULL, signed BLOB NOT NULL, PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
"""


class _Task:
    """Something for the writer's thread: a commit, or a statement of its own."""

    __slots__ = ("commit", "future", "run")

    def __init__(self, commit: Commit | None, run: "_Work | None" = None) -> None:
        self.commit = commit
        self.run = run
        self.future: Future[Append] = Future()


class _Work:
    """Statements to run in the writer's transaction before the task's commit."""

    def __init__(self, statements: Iterable[tuple[str, tuple[object, ...]]]) -> None:
        self.statements = tuple(statements)


class _Rows:
    """What the commits of one group add, gathered so that each table is written in one statement."""

    __slots__ = ("checkpoints", "openings", "records", "updates")

    def __init__(self) -> None:
        self.records: list[tuple[object, ...]] = []
        self.openings: list[tuple[object, ...]] = []
        self.updates: list[tuple[object, ...]] = []
        self.checkpoints: list[tuple[object, ...]] = []

    def add(self, commit: Commit) -> int:
        """The lines, openings and head of a commit; its last line."""
        match = commit.match
        for e in commit.entries:
            self.records.append((match, e.seq, e.at, e.type, e.actor, e.line.decode()))
            for slot, value in enumerate(e.openings):
                self.openings.append((match, e.seq, slot, value.decode()))
        last = commit.entries[-1]
        self.updates.append((last.seq, commit.head, last.at, commit.status, commit.result, match))
        if commit.checkpoint is not None:
            self.checkpoints.append((match, last.seq, commit.checkpoint))
        return last.seq

    def flush(self, connection: sqlite3.Connection) -> None:
        """Write what was gathered."""
        for sql, rows in (
            ("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", self.records),
            ("INSERT INTO openings VALUES (?, ?, ?, ?)", self.openings),
            (_UPDATE, self.updates),
            ("INSERT INTO checkpoints VALUES (?, ?, ?)", self.checkpoints),
        ):
            if rows:
                connection.executemany(sql, rows)
                rows.clear()


def connect(path: Path, *, readonly: bool) -> sqlite3.Connection:
    """A connection as this store uses it. Raises `StoreFailed` with what to do."""
    mode = "ro" if readonly else "rwc"
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=LOCK_WAIT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as wrong:
        raise StoreFailed(f"{path}: {wrong}; is it a Herald database, and may this user write there?") from wrong
    return connection


class SqliteStore:
    """See `Store`. The file is readable by its owner only (0600).

    `readonly`: for tools that look into a database that a server may be writing; appends raise `StoreFailed`.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False) -> None:
        self.path = Path(path)
        self._failed = f"{self.path} was opened to be read only" if readonly else ""
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._followers: list[Follower] = []
        self._heads: dict[str, int] = {}
        self._version = -1
        self._thread: threading.Thread | None = None
        if readonly:
            self._check_version(self._reader())
            return
        self._prepare()
        self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)
        self._thread.start()

    def _check_version(self, connection: sqlite3.Connection) -> None:
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as wrong:
            connection.close()
            raise StoreFailed(f"{self.path}: {wrong}; is it a Herald database?") from wrong
        if version > SCHEMA_VERSION:
            connection.close()
            raise StoreFailed(
                f"{self.path} was written by a newer Herald (schema {version}); this one knows {SCHEMA_VERSION}"
            )

    def _prepare(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        self._writer = connect(self.path, readonly=False)
        self._check_version(self._writer)
        try:
            self._writer.executescript(SCHEMA)
            self._writer.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except sqlite3.DatabaseError as wrong:
            self._writer.close()
            raise StoreFailed(f"{self.path}: {wrong}; is it a Herald database?") from wrong

    def _reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = connect(self.path, readonly=True)
            self._readers.append(connection)
        return connection

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Store`."""
        h = header
        statements: list[tuple[str, tuple[object, ...]]] = [
            (
                "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
                (h.match, h.game, h.rules, h.created_ms, h.title, int(h.listed), h.status, h.result, h.changed_ms, b""),
            ),
            ("INSERT INTO match_keys VALUES (?, ?, ?, ?)", (h.match, keys.k_m, keys.k_n, keys.hid)),
        ]
        statements += [(_SEAT, _seat_values(header.match, row)) for row in seats]
        return self._wait(_Task(commit, _Work(statements)))

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Store`."""
        task = _Task(commit)
        self._put(task)
        return task.future

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        return self._wait(_Task(commit))

    def _put(self, task: _Task) -> None:
        if self._failed:
            task.future.set_exception(StoreFailed(self._failed))
        else:
            self._tasks.put(task)

    def _wait(self, task: _Task) -> Append:
        self._put(task)
        return task.future.result()

    def _write(self) -> None:
        """The writer's thread: take all that waits, commit it in one transaction, then answer each."""
        while True:
            task = self._tasks.get()
            if task is None:
                break
            group = [task]
            last = False
            while len(group) < GROUP_LIMIT and not self._tasks.empty():
                more = self._tasks.get()
                if more is None:
                    last = True
                    break
                group.append(more)
            self._commit(group)
            if last:
                break

    def _commit(self, group: list[_Task]) -> None:
        # From here on a future cannot be cancelled; one that was already is not written.
        group = [task for task in group if task.future.set_running_or_notify_cancel()]
        answers: list[Append | Exception] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._forget_strange_heads()
            rows = _Rows()
            answers = [self._carry_out(task, rows) for task in group]
            rows.flush(self._writer)
            self._writer.execute("COMMIT")
        except Exception as wrong:  # whatever it is, everybody who waits is answered and the writer goes on
            self._give_up(group, wrong)
            return
        for task, answer in zip(group, answers, strict=True):
            if isinstance(answer, Exception):
                task.future.set_exception(answer)
            else:
                task.future.set_result(answer)
                if isinstance(answer, Committed) and task.commit is not None:
                    tell(self._followers, task.commit.match, answer.seq)

    def _give_up(self, group: list[_Task], wrong: Exception) -> None:
        """Nothing of the group was written; after a failed sync nothing more is taken (RECORD 5)."""
        unsure = False
        self._heads.clear()
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            unsure = True
        if getattr(wrong, "sqlite_errorname", "").startswith("SQLITE_IOERR"):
            self._failed = f"{self.path}: {wrong}; the disk failed, nothing more is taken until a restart"
            unsure = True
        for task in group:
            if unsure:
                task.future.set_result(Unknown(str(wrong)))
            else:
                task.future.set_exception(StoreFailed(f"{self.path}: {wrong}; nothing was written"))

    def _forget_strange_heads(self) -> None:
        """What is remembered of where records end holds only while no other connection writes (PRAGMA data_version)."""
        version = self._writer.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version or len(self._heads) > HEADS_KEPT:
            self._heads.clear()
            self._version = version

    def _carry_out(self, task: _Task, rows: _Rows) -> Append | Exception:
        if task.run is None:
            return Committed(0) if task.commit is None else self._append(task.commit, rows)
        rows.flush(self._writer)
        execute = self._writer.execute
        execute("SAVEPOINT task")
        try:
            for sql, values in task.run.statements:
                execute(sql, values)
            answer: Append | Exception = Committed(0) if task.commit is None else self._append(task.commit, rows)
            rows.flush(self._writer)
        except sqlite3.IntegrityError as wrong:
            answer = MatchExists(f"it exists already: {wrong}")
        if not isinstance(answer, Committed):
            execute("ROLLBACK TO task")
            self._heads.clear()
        execute("RELEASE task")
        return answer

    def _append(self, commit: Commit, rows: _Rows) -> Append | Exception:
        match = commit.match
        head = self._heads.get(match)
        if head is None:
            row = self._writer.execute("SELECT seq FROM matches WHERE match = ?", (match,)).fetchone()
            if row is None:
                return NoSuchMatch(f"there is no match {match!r}")
            head = row[0]
        if head != commit.expected:
            return Conflict(head)
        self._heads[match] = rows.add(commit)
        return Committed(self._heads[match])

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        last = (1 << 62) if limit is None else after + limit
        reader = self._reader()
        # Lines before openings: what is appended between the two reads then has openings too many, never too few.
        lines = reader.execute(
            "SELECT seq, at, type, actor, line FROM records WHERE match = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (match, after, last),
        ).fetchall()
        values: dict[int, list[bytes]] = {}
        for seq, value in reader.execute(
            "SELECT seq, value FROM openings WHERE match = ? AND seq > ? AND seq <= ? ORDER BY seq, slot",
            (match, after, last),
        ):
            values.setdefault(seq, []).append(value.encode())
        return [
            Entry(seq, at, kind, actor, line.encode(), tuple(values.get(seq, ())))
            for seq, at, kind, actor, line in lines
        ]

    def _row(self, sql: str, match: str) -> tuple[object, ...]:
        row: tuple[object, ...] | None = self._reader().execute(sql, (match,)).fetchone()
        if row is None:
            raise NoSuchMatch(f"there is no match {match!r}")
        return row

    def head(self, match: str) -> Head:
        """See `Store`."""
        return Head(*self._row("SELECT seq, head FROM matches WHERE match = ?", match))  # type: ignore[arg-type]

    def header(self, match: str) -> Header:
        """See `Store`."""
        return _header(self._row(f"SELECT {_HEADER} FROM matches WHERE match = ?", match))  # noqa: S608

    def keys(self, match: str) -> Keys:
        """See `Store`."""
        return Keys(*self._row("SELECT k_m, k_n, hid FROM match_keys WHERE match = ?", match))  # type: ignore[arg-type]

    def seats(self, match: str) -> tuple[SeatRow, ...]:
        """See `Store`."""
        rows = self._reader().execute(
            "SELECT seat, name, kind, bot, token_hash FROM seats WHERE match = ? ORDER BY seat", (match,)
        )
        found = tuple(SeatRow(*row) for row in rows)
        if not found:
            raise NoSuchMatch(f"there is no match {match!r}")
        return found

    def set_seat(self, match: str, row: SeatRow) -> None:
        """See `Store`."""
        self._wait(_Task(None, _Work([(_SEAT, _seat_values(match, row))])))

    def matches(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `Store`."""
        rows = self._reader().execute(
            f"SELECT {_HEADER} FROM matches WHERE ? IS NULL OR status = ?"  # noqa: S608
            " ORDER BY created_ms DESC, match LIMIT ?",
            (status, status, limit),
        )
        return [_header(row) for row in rows]

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Store`."""
        return (
            self._reader()
            .execute("SELECT seq, signed FROM checkpoints WHERE match = ? ORDER BY seq", (match,))
            .fetchall()
        )

    def tables(self) -> Database:
        """The database as `sqlite-utils` shows it, for queries and tools; read-only."""
        return Database(connect(self.path, readonly=True))

    def follow(self, follower: Follower) -> None:
        """See `Store`."""
        self._followers.append(follower)

    def close(self) -> None:
        """Finish what is waiting, then close; may be called twice."""
        if self._thread is not None and self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()
        for reader in self._readers:
            reader.close()
        self._readers.clear()
        if self._thread is not None:
            # Last, so that SQLite moves the log into the file and removes it, which readers cannot.
            self._writer.close()


_HEADER: Final = "match, game, rules, created_ms, title, listed, status, result, changed_ms"
_SEAT: Final = "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)"


def _header(row: tuple[object, ...]) -> Header:
    match, game, rules, created, title, listed, status, result, changed = row
    return Header(match, game, rules, created, title, bool(listed), status, result, changed)  # type: ignore[arg-type]


def _seat_values(match: str, row: SeatRow) -> tuple[object, ...]:
    return (match, row.seat, row.name, row.kind, row.bot, row.token_hash)
