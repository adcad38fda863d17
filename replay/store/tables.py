"""The tables of the PostgreSQL store: made, known by their version, brought up to date from older ones.

Plain tables, primary keys and two indexes: nothing that a distributed engine which speaks the protocol lacks. No
statement takes a lock by hand, and none depends on being in one transaction with another, so that whoever was cut off
in the middle calls `create` or `migrate` again.
"""

from typing import Any, Final

import psycopg
from psycopg import Connection
from psycopg.conninfo import make_conninfo

from replay.store.errors import StoreFailed
from replay.store.opening import shown

VERSION: Final = 2
"""The schema that this program reads and writes."""
CONNECT_S: Final = 5
STATEMENT_MS: Final = 20_000
"""So long the database may take for a statement, and so long it is waited for where the network gives no answer."""
Line = Connection[tuple[Any, ...]]

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
)
_WHAT_IS_DUE: Final = (
    "ALTER TABLE matches ADD COLUMN IF NOT EXISTS due BIGINT DEFAULT 0",
    "UPDATE matches SET due = NULL WHERE due IS NOT NULL AND (status = 'finished' OR (status = 'open'"
    " AND EXISTS (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = '')))",
    "CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due)",
)
"""From schema 1, which did not say in which matches a server has something to do: it looks once at each."""
_STEPS: Final[dict[int, tuple[str, ...]]] = {0: _SCHEMA, 1: _WHAT_IS_DUE}
"""What brings a database of a version up to this one; each statement may be carried out again."""
_KNOWN: Final = """SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY(%s)"""


def connect(address: str) -> Line:
    """A connection as the store uses it. Raises `StoreFailed` with what to do."""
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
        # The words of the error may hold the password.
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
    """What an error of the database may say in a log: its first line, never the values that lead to it."""
    said = wrong.diag.message_primary or str(wrong).strip().partition("\n")[0]
    return said or type(wrong).__name__


def version_of(line: Line) -> int:
    """The schema that a database has, 0 for none."""
    if not line.execute(_KNOWN, (["herald"],)).fetchall():
        return 0
    row = line.execute("SELECT value FROM herald WHERE name = 'schema'").fetchone()
    return int(row[0]) if row else 0


def assert_usable(line: Line, address: str) -> None:
    """Raise `StoreFailed` for a database whose commits need not last, or of a schema that this program cannot use."""
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
    """Make the tables, or those of an older schema into this one's; the version before and after.

    Raises `StoreFailed`, also for a schema that is newer.
    """
    line = connect(address)
    try:
        before = version_of(line)
        if before > VERSION:
            raise StoreFailed(
                f"{shown(address)} was made by a newer Herald (schema {before}); this one knows {VERSION}"
            )
        for statement in _STEPS.get(before, ()):
            line.execute(statement)
        line.execute(
            "INSERT INTO herald VALUES ('schema', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (str(VERSION),),
        )
    except psycopg.Error as wrong:
        raise StoreFailed(f"{shown(address)}: {told(wrong)}; may this user make tables there?") from wrong
    finally:
        line.close()
    return before, VERSION


def missing(line: Line) -> list[str]:
    """The columns that the tables of this schema should have and do not, as `table.column`."""
    wanted = {
        (words[5], column.split()[0])
        for statement in _SCHEMA
        if (words := statement.replace("(", " ( ").split())[1] == "TABLE"
        for column in statement.partition("(")[2].partition("PRIMARY KEY (")[0].split(",")
        if column.strip(" )\n")
    }
    found = set(line.execute(_KNOWN, (sorted({table for table, _ in wanted}),)).fetchall())
    return sorted(f"{table}.{column}" for table, column in wanted - found)


_ORPHANS: Final = """SELECT match FROM (SELECT DISTINCT match FROM records UNION SELECT match FROM match_keys
UNION SELECT match FROM seats) AS kept EXCEPT SELECT match FROM matches ORDER BY match"""


def faults(address: str) -> list[tuple[str, str]]:
    """What does not hold of a database as a whole: the match, empty for the database itself, and why."""
    line = connect(address)
    try:
        assert_usable(line, address)
        found = [("", f"the column {column} is missing") for column in missing(line)]
        return found or [
            (match, "the match list has lost it, its record is there") for (match,) in line.execute(_ORPHANS).fetchall()
        ]
    except psycopg.Error as wrong:
        raise StoreFailed(f"{shown(address)}: {told(wrong)}") from wrong
    finally:
        line.close()
