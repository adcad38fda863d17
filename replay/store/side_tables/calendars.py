"""Links to calendars of deadlines, as hashes; a side table. The first link makes it in a SQLite database."""

from collections.abc import Sequence
from typing import Final, Protocol

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "person_calendars": "CREATE TABLE person_calendars (person TEXT PRIMARY KEY, token_hash BLOB NOT NULL,"
    " at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "calendars_by_token": "CREATE UNIQUE INDEX calendars_by_token ON person_calendars (token_hash)",
}
"""How the table and its index are made in SQLite."""
MAKE: Final = tuple(
    made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1).replace("INDEX ", "INDEX IF NOT EXISTS ", 1)
    for made in MADE.values()
)


class Calendars(Protocol):
    """The calendar links of persons. Every method may be called from any thread, and waits; see `Store`."""

    def open(self, person: str, token_hash: bytes, at: int) -> None:
        """Let a link open the person's calendar, in place of the one before."""
        ...

    def close(self, person: str) -> None:
        """Let no link open the person's calendar any more."""
        ...

    def person(self, token_hash: bytes) -> str:
        """The person whose calendar a link opens; empty if there is none."""
        ...

    def since(self, person: str) -> int:
        """The time since which a link opens the person's calendar, in ms; 0 if none does."""
        ...


class SqlCalendars:
    """See `Calendars`; in a table of a database. `made`: the statements that make a table that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def open(self, person: str, token_hash: bytes, at: int) -> None:
        """See `Calendars`."""
        sql = """INSERT INTO person_calendars (person, token_hash, at) VALUES (?, ?, ?)
        ON CONFLICT (person) DO UPDATE SET token_hash = excluded.token_hash, at = excluded.at"""
        self._tables.change([*self._made, (sql, (person, token_hash, at))])

    def close(self, person: str) -> None:
        """See `Calendars`."""
        if self._tables.has("person_calendars"):
            self._tables.change([("DELETE FROM person_calendars WHERE person = ?", (person,))])

    def person(self, token_hash: bytes) -> str:
        """See `Calendars`."""
        return str(self._one("SELECT person FROM person_calendars WHERE token_hash = ?", token_hash) or "")

    def since(self, person: str) -> int:
        """See `Calendars`."""
        return int(self._one("SELECT at FROM person_calendars WHERE person = ?", person) or 0)

    def _one(self, sql: str, value: object) -> str | int | None:
        rows = self._tables.ask(sql, value) if self._tables.has("person_calendars") else ()
        found: str | int | None = rows[0][0] if rows else None
        return found
