"""The tables of the PostgreSQL store: made, known by their version, brought up to date from older ones.

They are plain tables with primary keys and a few indexes, which every distributed engine with the protocol has. No
statement takes an explicit lock, and none depends on sharing a transaction with another. After an interruption,
`create` or `migrate` can be called again.
"""

from typing import Any, Final

import psycopg
from psycopg import Connection, errors
from psycopg.conninfo import make_conninfo

from replay.store.errors import StoreFailed
from replay.store.postgres.address import shown
from replay.store.side_tables import (
    calendars,
    moderation,
    notices,
    opponents,
    people,
    rulings,
    seat_entries,
    standing,
)

VERSION: Final = 13
"""The schema that this program reads and writes."""
CONNECT_S: Final = 5
STATEMENT_MS: Final = 20_000
"""How long the database may take for a statement, and how long the store waits without an answer of the network."""
Line = Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]

_BESIDE: Final = (
    """CREATE TABLE IF NOT EXISTS hooks (
      match TEXT NOT NULL, seat BIGINT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (match, seat))""",
    """CREATE TABLE IF NOT EXISTS calls (
      match TEXT NOT NULL, seq BIGINT NOT NULL, held BIGINT NOT NULL, PRIMARY KEY (match, seq))""",
    """CREATE TABLE IF NOT EXISTS attendance (
      match TEXT NOT NULL, server TEXT NOT NULL, at BIGINT NOT NULL, told TEXT NOT NULL,
      PRIMARY KEY (match, server))""",
    """CREATE TABLE IF NOT EXISTS analyses (
      match TEXT NOT NULL, terms TEXT NOT NULL, found TEXT NOT NULL, PRIMARY KEY (match, terms))""",
)
"""From schema 2, which had no tables for addresses of notices and waiting notices. Servers made those for presence and
results of analysis when they first needed them, if they had the right.
"""
_PEOPLE: Final = (
    """CREATE TABLE IF NOT EXISTS persons (
      person TEXT PRIMARY KEY, recovery BYTEA NOT NULL, since BIGINT NOT NULL, changed BIGINT NOT NULL)""",
    """CREATE UNIQUE INDEX IF NOT EXISTS persons_by_recovery ON persons (recovery)""",
    """CREATE TABLE IF NOT EXISTS person_handles (
      skeleton TEXT PRIMARY KEY, person TEXT NOT NULL, handle TEXT NOT NULL, since BIGINT NOT NULL,
      until BIGINT NOT NULL)""",
    """CREATE INDEX IF NOT EXISTS handles_by_person ON person_handles (person)""",
    """CREATE TABLE IF NOT EXISTS devices (
      key TEXT PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL, added BIGINT NOT NULL, used BIGINT NOT NULL,
      revoked BIGINT NOT NULL)""",
    """CREATE INDEX IF NOT EXISTS devices_by_person ON devices (person)""",
    """CREATE TABLE IF NOT EXISTS device_sessions (
      token_hash BYTEA PRIMARY KEY, person TEXT NOT NULL, key TEXT NOT NULL, began BIGINT NOT NULL,
      until BIGINT NOT NULL)""",
    """CREATE INDEX IF NOT EXISTS sessions_by_person ON device_sessions (person)""",
    """CREATE TABLE IF NOT EXISTS device_pairings (
      code_hash BYTEA PRIMARY KEY, person TEXT NOT NULL, until BIGINT NOT NULL, key TEXT NOT NULL,
      name TEXT NOT NULL)""",
    """CREATE INDEX IF NOT EXISTS pairings_by_person ON device_pairings (person)""",
    """CREATE TABLE IF NOT EXISTS person_notices (
      person TEXT NOT NULL, at BIGINT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
      PRIMARY KEY (person, at, what, about))""",
    """CREATE TABLE IF NOT EXISTS person_seats (
      person TEXT NOT NULL, match TEXT NOT NULL, seat BIGINT NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (person, match, seat))""",
)
"""From schema 3, which knew seats of matches but no persons."""
_RATINGS: Final = (
    """CREATE TABLE IF NOT EXISTS rating_settled (match TEXT PRIMARY KEY, why TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS rating_results (
      at BIGINT NOT NULL, match BYTEA NOT NULL, result TEXT NOT NULL, PRIMARY KEY (at, match))""",
    """CREATE TABLE IF NOT EXISTS rating_names (person TEXT PRIMARY KEY, name TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS rating_seats (
      match TEXT NOT NULL, seat BIGINT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (match, seat))""",
)
"""From schema 4, which had no rated results."""
_CLAIMS: Final = (
    """CREATE TABLE IF NOT EXISTS person_claims (
      match TEXT NOT NULL, line BIGINT NOT NULL, person TEXT NOT NULL, seat BIGINT NOT NULL, site TEXT NOT NULL,
      key TEXT NOT NULL, salt TEXT NOT NULL, signature TEXT NOT NULL, shown TEXT NOT NULL,
      PRIMARY KEY (match, line))""",
    """CREATE INDEX IF NOT EXISTS claims_by_person ON person_claims (person)""",
    """CREATE TABLE IF NOT EXISTS device_vouchers (
      person TEXT NOT NULL, key TEXT NOT NULL, by_key TEXT NOT NULL, site TEXT NOT NULL, signature TEXT NOT NULL,
      PRIMARY KEY (person, key))""",
    """CREATE TABLE IF NOT EXISTS passkeys (
      id TEXT PRIMARY KEY, public_key BYTEA NOT NULL, person TEXT NOT NULL, name TEXT NOT NULL, added BIGINT NOT NULL,
      used BIGINT NOT NULL)""",
    """CREATE INDEX IF NOT EXISTS passkeys_by_person ON passkeys (person)""",
)
"""From schema 6, in which no person stood behind a seat of a record, or had a passkey."""


def _as_here(made: str) -> str:
    """The statement for this database that makes a table of SQLite's."""
    return (
        made.replace(" STRICT", "").replace(", WITHOUT ROWID", "").replace("INTEGER", "BIGINT").replace("BLOB", "BYTEA")
    )


_MODERATION: Final = tuple(_as_here(made) for made in (*rulings.MAKE, *moderation.MAKE))
"""From schema 5, which had no moderation."""
_OPPONENTS: Final = tuple(map(_as_here, opponents.MAKE))
"""From schema 7, in which nobody could look for opponents."""
_CALENDARS: Final = tuple(_as_here(made) for made in calendars.MAKE)
"""From schema 9, which had no calendars."""
_STANDING: Final = tuple(_as_here(made) for made in standing.MAKE)
"""From schema 10, in which no seat could answer ahead."""
_NOTICES: Final = tuple(map(_as_here, notices.MAKE))
"""From schema 11, which had no notices to persons."""
_ENTRIES: Final = tuple(_as_here(made) for made in seat_entries.MAKE)
"""From schema 12, in which nobody entered a seat by an account alone."""
_SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS herald (name TEXT PRIMARY KEY, value TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS matches (
      match TEXT PRIMARY KEY, game TEXT NOT NULL, rules TEXT NOT NULL, created_ms BIGINT NOT NULL,
      title TEXT NOT NULL, listed BOOLEAN NOT NULL, status TEXT NOT NULL, result TEXT NOT NULL,
      changed_ms BIGINT NOT NULL, seq BIGINT NOT NULL, head BYTEA NOT NULL, closed BOOLEAN NOT NULL,
      delay_events BIGINT NOT NULL, delay_s BIGINT NOT NULL, due BIGINT DEFAULT 0)""",
    """CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_ms DESC)""",
    """CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due)""",
    """CREATE TABLE IF NOT EXISTS records (
      match TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, type TEXT NOT NULL, actor BIGINT NOT NULL,
      line TEXT NOT NULL, PRIMARY KEY (match, seq))""",
    """CREATE TABLE IF NOT EXISTS openings (
      match TEXT NOT NULL, seq BIGINT NOT NULL, slot BIGINT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (match, seq, slot))""",
    """CREATE TABLE IF NOT EXISTS match_keys (
      match TEXT PRIMARY KEY, k_m BYTEA NOT NULL, k_n BYTEA NOT NULL, hid BYTEA NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS seats (
      match TEXT NOT NULL, seat BIGINT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, bot TEXT NOT NULL,
      token_hash BYTEA NOT NULL, PRIMARY KEY (match, seat))""",
    """CREATE TABLE IF NOT EXISTS checkpoints (
      match TEXT NOT NULL, seq BIGINT NOT NULL, signed BYTEA NOT NULL, PRIMARY KEY (match, seq))""",
    """CREATE TABLE IF NOT EXISTS watchers (
      match TEXT NOT NULL, token_hash BYTEA NOT NULL, seat BIGINT NOT NULL, PRIMARY KEY (match, token_hash))""",
    """CREATE TABLE IF NOT EXISTS chat (
      match TEXT NOT NULL, room TEXT NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL, who TEXT NOT NULL,
      name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (match, room, n))""",
    *_BESIDE,
    *_PEOPLE,
    *_RATINGS,
    *_MODERATION,
    *_CLAIMS,
    *_OPPONENTS,
    *people.MAKE,
    *_CALENDARS,
    *_STANDING,
    *_NOTICES,
    *_ENTRIES,
)
_WHAT_IS_DUE: Final = (
    "ALTER TABLE matches ADD COLUMN IF NOT EXISTS due BIGINT DEFAULT 0",
    "UPDATE matches SET due = NULL WHERE due IS NOT NULL AND (status = 'finished' OR (status = 'open'"
    " AND EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = '')))",
    "CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due)",
)
"""From schema 1, which did not note the matches that need a server: the server looks once at each."""
_STEPS: Final[dict[int, tuple[str, ...]]] = {
    1: _WHAT_IS_DUE,
    2: _BESIDE,
    3: _PEOPLE,
    4: _RATINGS,
    5: _MODERATION,
    6: _CLAIMS,
    7: _OPPONENTS,
    8: people.MAKE,
    9: _CALENDARS,
    10: _STANDING,
    11: _NOTICES,
    12: _ENTRIES,
}
"""The statements that bring a database of one version to the next; each may be repeated."""
THERE_ALREADY: Final = (
    errors.UniqueViolation,
    errors.DuplicateTable,
    errors.DuplicateObject,
    errors.DuplicateColumn,
)
"""The database's errors if another program is making the same object at this moment."""
RIGHTS: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
_LACKING: Final = """SELECT name, kind FROM unnest(%s::text[]) AS name, unnest(%s::text[]) AS kind
WHERE CASE WHEN to_regclass(name) IS NULL THEN FALSE ELSE NOT has_table_privilege(name, kind) END
ORDER BY name, kind"""
_KNOWN: Final = """SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY(%s)"""


def connect(address: str) -> Line:
    """A connection with the store's settings. Raises `StoreFailed` with advice."""
    try:
        wanted = make_conninfo(
            address,
            client_encoding="utf8",
            connect_timeout=CONNECT_S,
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=STATEMENT_MS,
        )
    except psycopg.ProgrammingError as wrong:
        # The text of the error may hold the password.
        raise StoreFailed("the address of the store is not postgresql://USER@HOST:PORT/DATABASE") from wrong
    try:
        made = psycopg.connect(wanted, autocommit=True)
        made.execute(f"SET statement_timeout = {STATEMENT_MS}")
    except psycopg.Error as wrong:
        raise StoreFailed(
            f"{shown(address)}: {told(wrong)}; is the database up, and may this user enter it?"
        ) from wrong
    return made


def told(wrong: psycopg.Error) -> str:
    """The text of a database error that a log may hold: its first line, never the values that led to it."""
    said = wrong.diag.message_primary or str(wrong).strip().partition("\n")[0]
    return said or type(wrong).__name__


def version_of(line: Line) -> int:
    """The schema version of a database, 0 for none."""
    if not line.execute(_KNOWN, (["herald"],)).fetchall():
        return 0
    row = line.execute("SELECT value FROM herald WHERE name = 'schema'").fetchone()
    return int(row[0]) if row else 0


def assert_usable(line: Line, address: str) -> None:
    """Raise `StoreFailed` for a database without durable commits, or with a schema that this program cannot use."""
    where = shown(address)
    if line.info.parameter_status("server_encoding") not in {"UTF8", None}:
        raise StoreFailed(f"{where} does not keep texts in UTF-8; make it anew with ENCODING 'UTF8'")
    if line.execute("SHOW synchronous_commit").fetchall() == [("off",)]:
        raise StoreFailed(f"{where} answers before a commit lasts; set synchronous_commit to on")
    version = version_of(line)
    if version == 0:
        raise StoreFailed(f"{where} holds no tables of Herald; make them with `herald store create`")
    if version > VERSION:
        raise StoreFailed(f"{where} was made by a newer Herald (schema {version}); this one knows {VERSION}")
    if version < VERSION:
        raise StoreFailed(f"{where} has schema {version}; bring it up to {VERSION} with `herald store migrate`")


def bring_up_to_date(address: str) -> tuple[int, int]:
    """Make the tables, or update those of an older schema; returns the version before and after.

    Raises `StoreFailed`, also for a schema that is newer.
    """
    line = connect(address)
    try:
        before = version_of(line)
        if before > VERSION:
            raise StoreFailed(
                f"{shown(address)} was made by a newer Herald (schema {before}); this one knows {VERSION}"
            )
        for statement in _SCHEMA if before == 0 else [each for at in range(before, VERSION) for each in _STEPS[at]]:
            _make(line, statement)
        line.execute(
            "INSERT INTO herald VALUES ('schema', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (str(VERSION),),
        )
    except psycopg.Error as wrong:
        raise StoreFailed(f"{shown(address)}: {told(wrong)}; may this user make tables there?") from wrong
    finally:
        line.close()
    return before, VERSION


def _make(line: Line, statement: str) -> None:
    """Carry out a step, which another program may be carrying out at the same time."""
    try:
        line.execute(statement.encode())
    except THERE_ALREADY:
        line.execute(statement.encode())  # "if not exists" does not see uncommitted objects; now they are committed


def missing(line: Line) -> list[str]:
    """The columns that the tables of this schema lack, as `table.column`."""
    wanted = {
        (table, column.split()[0])
        for table, statement in _made().items()
        for column in statement.partition("(")[2].partition("PRIMARY KEY (")[0].split(",")
        if column.strip(" )\n")
    }
    found = set(line.execute(_KNOWN, (sorted({table for table, _ in wanted}),)).fetchall())
    return sorted(f"{table}.{column}" for table, column in wanted - found)


def _made() -> dict[str, str]:
    """The statement that makes each table."""
    words = [(statement.replace("(", " ( ").split(), statement) for statement in _SCHEMA]
    return {found[5]: statement for found, statement in words if found[1] == "TABLE"}


def lacking(line: Line) -> list[str]:
    """The rights that this user lacks on existing tables, as `INSERT into table`; a server needs all of them."""
    found = line.execute(_LACKING, (sorted(_made()), list(RIGHTS))).fetchall()
    return [
        f"{kind} {'into' if kind == 'INSERT' else 'in' if kind == 'UPDATE' else 'from'} {name}" for name, kind in found
    ]


_ORPHANS: Final = """SELECT match FROM (SELECT DISTINCT match FROM records UNION SELECT match FROM match_keys
UNION SELECT match FROM seats) AS kept EXCEPT SELECT match FROM matches ORDER BY match"""


def faults(address: str) -> list[tuple[str, str]]:
    """The defects of a database as a whole: the match, empty for the database itself, and the reason."""
    line = connect(address)
    try:
        assert_usable(line, address)
        # Rights come first, because a table is invisible to a user without any rights in it.
        found = [("", f"this user may not {right}; let who owns the tables grant it") for right in lacking(line)]
        found = found or [("", f"the column {column} is missing") for column in missing(line)]
        return found or [
            (match, "the match list has lost it, its record is there") for (match,) in line.execute(_ORPHANS).fetchall()
        ]
    except psycopg.Error as wrong:
        raise StoreFailed(f"{shown(address)}: {told(wrong)}") from wrong
    finally:
        line.close()
