"""Entries of persons who have shown that they hold a seat: the hash of the token that each has shown; a side table.

If the entry names the seat's current token, the person may get a new token in its place, on a device that has never
held one. Closing a seat on all other devices draws a new token, so that earlier entries open nothing. The first entry
makes the table in a SQLite database.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "person_entries": "CREATE TABLE person_entries (person TEXT NOT NULL, match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " token_hash BLOB NOT NULL, PRIMARY KEY (person, match, seat)) STRICT, WITHOUT ROWID",
}
"""How the table is made in SQLite."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
_KEEP: Final = """INSERT INTO person_entries SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM person_seats
WHERE person = ? AND match = ? AND seat = ?)
ON CONFLICT (person, match, seat) DO UPDATE SET token_hash = excluded.token_hash"""


class EntryRow(Struct, frozen=True):
    """The hash of a token that a person has shown, and that opened a seat at that time."""

    person: str
    match: str
    seat: int
    token_hash: bytes

    def __repr__(self) -> str:
        return f"EntryRow({self.match}, {self.seat})"


class SeatEntries(Protocol):
    """The entries of a store. Every method may be called from any thread, and waits; see `Store`."""

    def keep(self, row: EntryRow) -> None:
        """Keep an entry to a seat that the person has noted, in place of the one before."""
        ...

    def at(self, person: str, match: str) -> list[EntryRow]:
        """The entries of a person to the seats of a match, by seat."""
        ...

    def drop(self, person: str, match: str, seat: int) -> None:
        """Delete a person's entry to a seat."""
        ...

    def forget(self, person: str) -> None:
        """Delete the entries of a person."""
        ...


class SqlSeatEntries:
    """See `SeatEntries`; in a table of a database. `made`: the statements that make a table that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def keep(self, row: EntryRow) -> None:
        """See `SeatEntries`."""
        place = row.person, row.match, row.seat
        self._tables.change([*self._made, (_KEEP, (*place, row.token_hash, *place))])

    def at(self, person: str, match: str) -> list[EntryRow]:
        """See `SeatEntries`."""
        if not self._tables.has("person_entries"):
            return []
        sql = "SELECT person, match, seat, token_hash FROM person_entries WHERE person = ? AND match = ? ORDER BY seat"
        return [EntryRow(*row) for row in self._tables.ask(sql, person, match)]

    def drop(self, person: str, match: str, seat: int) -> None:
        """See `SeatEntries`."""
        self._delete("person = ? AND match = ? AND seat = ?", person, match, seat)

    def forget(self, person: str) -> None:
        """See `SeatEntries`."""
        self._delete("person = ?", person)

    def _delete(self, where: str, *values: object) -> None:
        if self._tables.has("person_entries"):
            self._tables.change([(f"DELETE FROM person_entries WHERE {where}", values)])  # noqa: S608
