"""What was found out about matches, kept beside them in a database, so that it is worked out once.

A row of `analyses` is about one match, under the terms that it was worked out by. A database has the table from its
first analysis on.
"""

from pathlib import Path
from typing import Final

from replay.store.schema import connect
from replay.store.turns import Turns

MADE: Final = {
    "analyses": "CREATE TABLE analyses (match TEXT NOT NULL, terms TEXT NOT NULL, found TEXT NOT NULL,"
    " PRIMARY KEY (match, terms)) STRICT, WITHOUT ROWID"
}
"""How the table is made. `terms` and `found` are JSON, which who keeps them reads."""
MAKE: Final = MADE["analyses"].replace("TABLE ", "TABLE IF NOT EXISTS ", 1)
FOUND: Final = "SELECT found FROM analyses WHERE match = ? AND terms = ?"
KEEP: Final = "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?)"


class Analyses:
    """The analyses in a database that exists; close it after use. Raises `StoreFailed` for one that cannot be read."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path, readonly=False)
        self._turns = Turns(path)
        there = self._connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'analyses'").fetchone()
        if not there[0]:
            with self._turns.committing():
                self._connection.execute(MAKE)

    def found(self, match: str, terms: str) -> str | None:
        """What was found by these terms; None where nobody has looked yet."""
        row = self._connection.execute(FOUND, (match, terms)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, match: str, terms: str, found: str) -> None:
        """Keep what was found, instead of what was found by the same terms before."""
        with self._turns.committing():
            self._connection.execute(KEEP, (match, terms, found))

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
        self._turns.close()
