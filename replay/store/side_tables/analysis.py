"""Results of analyses of matches, kept beside them in a database, so that each is computed only once.

A row of `analyses` is about one match, under the terms of its analysis. The first analysis makes the table in a SQLite
database.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "analyses": "CREATE TABLE analyses (match TEXT NOT NULL, terms TEXT NOT NULL, found TEXT NOT NULL,"
    " PRIMARY KEY (match, terms)) STRICT, WITHOUT ROWID"
}
"""How the table is made in SQLite. `terms` and `found` are JSON of the programs that store them."""
MAKE: Final = MADE["analyses"].replace("TABLE ", "TABLE IF NOT EXISTS ", 1)
_FOUND: Final = "SELECT found FROM analyses WHERE match = ? AND terms = ?"
_KEEP: Final = """INSERT INTO analyses (match, terms, found) VALUES (?, ?, ?)
ON CONFLICT (match, terms) DO UPDATE SET found = excluded.found"""


class Analyses(Protocol):
    """Results of analyses of matches. Every method may be called from any thread."""

    def found(self, match: str, terms: str) -> str | None:
        """The result under these terms; None if there is none yet."""
        ...

    def keep(self, match: str, terms: str, found: str) -> None:
        """Keep a result, in place of an earlier one under the same terms."""
        ...


class SqlAnalyses:
    """See `Analyses`; in a table of a database. `made`: the statements that make a table that may be missing."""

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def found(self, match: str, terms: str) -> str | None:
        """See `Analyses`."""
        rows = self._tables.ask(_FOUND, match, terms) if self._tables.has("analyses") else ()
        return str(rows[0][0]) if rows else None

    def keep(self, match: str, terms: str, found: str) -> None:
        """See `Analyses`."""
        self._tables.change([*self._made, (_KEEP, (match, terms, found))])


class MemoryAnalyses:
    """See `Analyses`; in memory."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], str] = {}

    def found(self, match: str, terms: str) -> str | None:
        """See `Analyses`."""
        return self._found.get((match, terms))

    def keep(self, match: str, terms: str, found: str) -> None:
        """See `Analyses`."""
        self._found[match, terms] = found
