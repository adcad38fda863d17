"""The host's rulings that end matches, kept until a server has written them into the records; a side table.

A command of the host notes the ruling here, so that the server which holds the match writes the line. The first ruling
makes the table in a SQLite database.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "host_rulings": "CREATE TABLE host_rulings (match TEXT PRIMARY KEY, why TEXT NOT NULL, winners TEXT NOT NULL,"
    " void INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
}
"""How the table is made in SQLite."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())


class RulingRow(Struct, frozen=True):
    """How the host ends a match: the reason, and the winning seats, separated by spaces; `void`: nobody wins."""

    match: str
    why: str
    winners: str
    void: int
    at: int


class Rulings(Protocol):
    """The host's rulings that no server has carried out yet. Every method may be called from any thread, and waits."""

    def note(self, row: RulingRow) -> None:
        """Note a ruling for a server to carry out, in place of an earlier one on the match."""
        ...

    def waiting(self) -> list[RulingRow]:
        """The rulings that wait, the oldest first."""
        ...

    def settle(self, match: str) -> None:
        """Delete the ruling on a match after it was carried out."""
        ...


class SqlRulings:
    """See `Rulings`; in a table of a database. `made`: the statements that make a table that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def note(self, row: RulingRow) -> None:
        """See `Rulings`."""
        sql = """INSERT INTO host_rulings (match, why, winners, void, at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (match) DO UPDATE
        SET why = excluded.why, winners = excluded.winners, void = excluded.void, at = excluded.at"""
        self._tables.change([*self._made, (sql, (row.match, row.why, row.winners, row.void, row.at))])

    def waiting(self) -> list[RulingRow]:
        """See `Rulings`."""
        if not self._tables.has("host_rulings"):
            return []
        sql = "SELECT match, why, winners, void, at FROM host_rulings ORDER BY at, match"
        return [RulingRow(*row) for row in self._tables.ask(sql)]

    def settle(self, match: str) -> None:
        """See `Rulings`."""
        self._tables.change([("DELETE FROM host_rulings WHERE match = ?", (match,))])
