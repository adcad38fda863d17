"""Side tables in a SQLite database in memory, so that a store in memory runs the statements of the others."""

import json
import sqlite3
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from replay.store.errors import RowExists, StoreFailed
from replay.store.side_tables.sql import Statement


class MemoryTables:
    """See `Tables`. `schema`: the statements that make the tables."""

    among = "IN (SELECT value FROM json_each(?))"

    def __init__(self, schema: str) -> None:
        self._schema = schema
        self._made: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def listed(self, values: Sequence[str]) -> object:
        """See `Tables`."""
        return json.dumps(list(values))

    def has(self, table: str) -> bool:
        """See `Tables`."""
        return bool(self.ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        with self._lock:
            try:
                return self._connection().execute(sql, values).fetchall()
            except sqlite3.Error as wrong:
                raise StoreFailed(str(wrong)) from wrong

    def change(self, statements: Sequence[Statement]) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        with self._lock:
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                found = [row for sql, values in statements for row in connection.execute(sql, values)]
            except sqlite3.Error as wrong:
                connection.execute("ROLLBACK")
                if isinstance(wrong, sqlite3.IntegrityError):
                    raise RowExists(f"it exists already: {wrong}") from wrong
                raise StoreFailed(str(wrong)) from wrong
            connection.execute("COMMIT")
            return found

    def _connection(self) -> sqlite3.Connection:
        """The connection, made when it is first needed, because most stores in memory have no such rows."""
        if self._made is None:
            self._made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._made.close)
            self._made.executescript(self._schema)
        return self._made

    def close(self) -> None:
        """Forget all rows."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None
