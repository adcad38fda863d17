"""The tables of the SQLite store (docs/record.md 6): making them, checking their version, and updating older ones."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from replay.store.errors import StoreFailed
from replay.store.side_tables import people
from replay.store.sqlite import views

SCHEMA_VERSION: Final = 7
TABLES: Final = ("matches", "records", "openings", "match_keys", "seats", "checkpoints")
"""The tables of every schema."""
SINCE_CHAT: Final = 3
"""The first schema with watchers and chat."""
CHECKPOINT_PAGES: Final = 4096
"""The number of pages in the write-ahead log after which they move into the file.

Nobody can commit while they move, which takes about 8 ms, and 2 µs a page. With a higher number fewer pages move in
all, because a match's last page is soon written again.
"""
PAGE_BYTES: Final = 4096 + 24
"""The bytes of a page in the log, with its header."""
LOG_BYTES: Final = CHECKPOINT_PAGES * PAGE_BYTES + 32
"""The length up to which the log's file is left alone."""


class Waits(Struct, frozen=True):
    """The waiting times of a store; tests use shorter ones.

    `lock_s`: for another connection's transaction; `turn_s`: for a turn to commit or to move the log; `rest_s`: the
    time without a commit after which the log is moved into the file, so that a copy of the file alone holds every
    match; `empty_log_s`: for emptying the log of erased rows while others read from it. `log_pages`: the log is moved
    once it has more pages.
    """

    lock_s: float = 20.0
    turn_s: float = 20.0
    rest_s: float = 2.0
    empty_log_s: float = 5.0
    log_pages: int = CHECKPOINT_PAGES


WAITS: Final = Waits()

CACHE_KIB: Final = 65_536
READERS_KIB: Final = 256
"""The cache of each reading thread; it is small because a record is read from first row to last, seldom twice."""

_WATCHERS_AND_CHAT: Final = """
CREATE TABLE IF NOT EXISTS watchers (
  match TEXT NOT NULL, token_hash BLOB NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (match, token_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chat (
  match TEXT NOT NULL, room TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (match, room, n)
) STRICT, WITHOUT ROWID;
"""

_HOOKS_AND_CALLS: Final = """
CREATE TABLE IF NOT EXISTS hooks (
  match TEXT NOT NULL, seat INTEGER NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
  match TEXT NOT NULL, seq INTEGER NOT NULL, held INTEGER NOT NULL, PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
"""
"""From schema 4, which kept neither the addresses of people who are away nor their reminders."""

PEOPLE: Final = """
CREATE TABLE IF NOT EXISTS persons (
  person TEXT PRIMARY KEY, recovery BLOB NOT NULL, since INTEGER NOT NULL, changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS persons_by_recovery ON persons (recovery);
CREATE TABLE IF NOT EXISTS person_handles (
  skeleton TEXT PRIMARY KEY, person TEXT NOT NULL, handle TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS handles_by_person ON person_handles (person);
CREATE TABLE IF NOT EXISTS devices (
  key TEXT PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL, added INTEGER NOT NULL, used INTEGER NOT NULL,
  revoked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS devices_by_person ON devices (person);
CREATE TABLE IF NOT EXISTS device_sessions (
  token_hash BLOB PRIMARY KEY, person TEXT NOT NULL, key TEXT NOT NULL, began INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_by_person ON device_sessions (person);
CREATE TABLE IF NOT EXISTS device_pairings (
  code_hash BLOB PRIMARY KEY, person TEXT NOT NULL, until INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pairings_by_person ON device_pairings (person);
CREATE TABLE IF NOT EXISTS person_notices (
  person TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
  PRIMARY KEY (person, at, what, about)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS person_seats (
  person TEXT NOT NULL, match TEXT NOT NULL, seat INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (person, match, seat)
) STRICT, WITHOUT ROWID;
"""
"""From schema 5, which knew seats of matches but no persons."""

CLAIMS: Final = """
CREATE TABLE IF NOT EXISTS person_claims (
  match TEXT NOT NULL, line INTEGER NOT NULL, person TEXT NOT NULL, seat INTEGER NOT NULL, site TEXT NOT NULL,
  key TEXT NOT NULL, salt TEXT NOT NULL, signature TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (match, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS claims_by_person ON person_claims (person);
CREATE TABLE IF NOT EXISTS device_vouchers (
  person TEXT NOT NULL, key TEXT NOT NULL, by_key TEXT NOT NULL, site TEXT NOT NULL, signature TEXT NOT NULL,
  PRIMARY KEY (person, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passkeys (
  id TEXT PRIMARY KEY, public_key BLOB NOT NULL, person TEXT NOT NULL, name TEXT NOT NULL, added INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passkeys_by_person ON passkeys (person);
"""
"""From schema 6, in which no person stood behind a seat of a record, or had a passkey."""

SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS matches (
  match TEXT PRIMARY KEY, game TEXT NOT NULL, rules TEXT NOT NULL, created_ms INTEGER NOT NULL,
  title TEXT NOT NULL, listed INTEGER NOT NULL, status TEXT NOT NULL, result TEXT NOT NULL,
  changed_ms INTEGER NOT NULL, seq INTEGER NOT NULL, head BLOB NOT NULL, closed INTEGER NOT NULL DEFAULT 0,
  delay_events INTEGER NOT NULL DEFAULT 0, delay_s INTEGER NOT NULL DEFAULT 0, due INTEGER DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_ms DESC);
CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due);
CREATE TABLE IF NOT EXISTS records (
  match TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, actor INTEGER NOT NULL,
  line TEXT NOT NULL, opened INTEGER NOT NULL DEFAULT 0, slots INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS openings (
  id INTEGER PRIMARY KEY, match TEXT NOT NULL, seq INTEGER NOT NULL, slot INTEGER NOT NULL, value TEXT NOT NULL
) STRICT;
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
{_WATCHERS_AND_CHAT}{_HOOKS_AND_CALLS}{PEOPLE}{CLAIMS}
"""


_OPENINGS_AS_THEY_COME: Final = """
ALTER TABLE openings RENAME TO former;
CREATE TABLE openings (
  id INTEGER PRIMARY KEY, match TEXT NOT NULL, seq INTEGER NOT NULL, slot INTEGER NOT NULL, value TEXT NOT NULL
) STRICT;
INSERT INTO openings (match, seq, slot, value) SELECT match, seq, slot, value FROM former ORDER BY match, seq, slot;
DROP TABLE former;
ALTER TABLE records ADD COLUMN opened INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN slots INTEGER NOT NULL DEFAULT 0;
UPDATE records SET opened = first, slots = n
  FROM (SELECT match AS m, seq AS s, min(id) AS first, count(*) AS n FROM openings GROUP BY match, seq)
  WHERE match = m AND seq = s;
"""
"""From schema 1, which sorted openings by match, so that every commit wrote one more page for each match."""


def connect(path: Path, *, readonly: bool, lock_s: float = WAITS.lock_s) -> sqlite3.Connection:
    """A connection with this store's settings. Raises `StoreFailed` with advice."""
    mode = "ro" if readonly else "rwc"
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=lock_s,
            isolation_level=None,
            check_same_thread=False,
        )
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # A longer log is cut to this length when it begins anew; a log that is longer has never been moved.
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            connection.execute("PRAGMA wal_autocheckpoint = 0")  # only under the checkpoint lock
        connection.execute(f"PRAGMA cache_size = -{READERS_KIB if readonly else CACHE_KIB}")
        connection.execute("PRAGMA foreign_keys = ON")
    except (sqlite3.Error, UnicodeDecodeError) as wrong:
        raise StoreFailed(f"{path}: {wrong}; {_advice(wrong)}") from wrong
    return connection


def _advice(wrong: Exception) -> str:
    """The advice on an error that keeps a database from being opened or brought up to date."""
    name = getattr(wrong, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "its disk is full: make room there, and start again"
    if name.startswith("SQLITE_IOERR"):
        return "the disk failed, or has no room left"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another program keeps it to itself"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
        return "is it there, and may this user write there?"
    return "is it a Herald database?"


def assert_known(connection: sqlite3.Connection, path: Path, *, readonly: bool) -> None:
    """Raise `StoreFailed`, and close the connection, for a database with a schema that cannot be read as it is."""
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as wrong:
        connection.close()
        raise StoreFailed(f"{path}: {wrong}; {_advice(wrong)}") from wrong
    if version > SCHEMA_VERSION:
        connection.close()
        raise StoreFailed(
            f"{path} was written by a newer Herald (schema {version}); this one knows {SCHEMA_VERSION}. Install the"
            f" newer one again, or serve the copy that was kept before the upgrade,"
            f" {path.name}.schema{SCHEMA_VERSION}-..."
        )
    if readonly and 0 < version < SCHEMA_VERSION:
        connection.close()
        raise StoreFailed(
            f"{path} was written by an older Herald (schema {version}); start `herald serve` on it once,"
            f" which brings it up to schema {SCHEMA_VERSION}"
        )


def assert_herald(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreFailed` for a database that is not Herald's; a database with the tables but no match is Herald's."""
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except (sqlite3.DatabaseError, UnicodeDecodeError) as wrong:
        raise StoreFailed(f"{path}: {wrong}; {_advice(wrong)}") from wrong
    needed = TABLES if version < SINCE_CHAT else (*TABLES, "watchers", "chat")
    missing = [table for table in needed if table not in there]
    if missing:
        why = f"it has no table {missing[0]}" if there else "it is empty"
        raise StoreFailed(f"{path} is not a Herald database: {why}; name a file that `herald serve` or a backup made")


def strange(connection: sqlite3.Connection, optional: Mapping[str, str]) -> Iterator[str]:
    """The differences between the objects of a database and this schema, each as a sentence.

    `optional`: the statements of tables that may exist too, by name. A foreign trigger or view could change writes or
    reads.
    """
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(SCHEMA)
        views.install(model)
        model.executescript(";".join(optional.values()))
        expected, found = _made(model), _made(connection)
    for kind, name in sorted(expected.keys() | found.keys()):
        if (kind, name) not in found:
            if name not in optional:
                yield f"the {kind} {name} is missing"
        elif (kind, name) not in expected:
            yield f"there is a {kind} {name} which Herald did not make"
        elif found[kind, name] != expected[kind, name]:
            yield f"the {kind} {name} is made otherwise: {_first_other(found[kind, name], expected[kind, name])}"


def _first_other(found: str, expected: str) -> str:
    same = next((i for i, (one, two) in enumerate(zip(found, expected, strict=False)) if one != two), len(found))
    return f"{found[same:][:60]!r} stands where {expected[same:][:60]!r} should"


def _made(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The statement of each table, index, trigger and view, by kind and name, with normalised spaces and quotes."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    return {
        (kind, name): re.sub(r"\s*([(),])\s*|\s+", r"\1 ", (sql or "").replace('"', "")) for kind, name, sql in rows
    }


def bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables, or update those of an older schema, all or nothing. Raises `StoreFailed`."""
    try:
        connection.execute("BEGIN IMMEDIATE")  # if two servers start at once, one finds this done
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        steps = [SCHEMA] if version == 0 else [_STEPS[before] for before in range(version, SCHEMA_VERSION)]
        # An index of the newest schema that files of that schema may lack: it used to be made with the next seat.
        for statement in ";".join((*steps, *people.MAKE)).split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as wrong:
        connection.close()
        raise StoreFailed(f"{path}: {wrong}; {_advice(wrong)}") from wrong


_WHO_MAY_WATCH: Final = f"""
ALTER TABLE matches ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN delay_events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN delay_s INTEGER NOT NULL DEFAULT 0;
{_WATCHERS_AND_CHAT}
"""
"""From schema 2, which had neither closed and delayed matches nor watchers and chat."""


_WHAT_IS_DUE: Final = """
ALTER TABLE matches ADD COLUMN due INTEGER DEFAULT 0;
UPDATE matches SET due = NULL WHERE status = 'finished' OR (status = 'open'
  AND EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = ''));
CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due);
"""
"""From schema 3, which did not note the matches that need a server: the server looks once at each."""


_STEPS: Final = {
    1: _OPENINGS_AS_THEY_COME,
    2: _WHO_MAY_WATCH,
    3: _WHAT_IS_DUE,
    4: _HOOKS_AND_CALLS,
    5: PEOPLE,
    6: CLAIMS,
}
"""The statements that bring a database of one version to the next."""
