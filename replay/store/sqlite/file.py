"""Side tables in a SQLite file without a store, for tools; a server may write to the file meanwhile."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from replay.store.errors import RowExists, StoreFailed
from replay.store.side_tables.sql import Statement
from replay.store.sqlite.checkpoint_lock import CheckpointLock
from replay.store.sqlite.schema import connect


class SqliteFile:
    """See `Tables`, but for one thread. The database must exist; close it after use. Raises `StoreFailed`."""

    among = "IN (SELECT value FROM json_each(?))"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = connect(path, readonly=False)
        self._lock = CheckpointLock(path)

    def listed(self, values: Sequence[str]) -> object:
        """See `Tables`."""
        return json.dumps(list(values))

    def has(self, table: str) -> bool:
        """See `Tables`."""
        return bool(self.ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        with self._named():
            return self._connection.execute(sql, values).fetchall()

    def change(self, statements: Sequence[Statement]) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        with self._named(), self._lock.committing():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                found = [row for sql, values in statements for row in self._connection.execute(sql, values)]
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return found

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as wrong:
            raise RowExists(f"it exists already: {wrong}") from wrong
        except (sqlite3.Error, UnicodeDecodeError) as wrong:
            raise StoreFailed(f"{self._path}: {wrong}") from wrong

    def close(self) -> None:
        """Close the database."""
        self._connection.close()
        self._lock.close()
