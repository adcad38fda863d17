"""The connections that read a SQLite database, one for each reading thread; every failure is one kind of error."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.sqlite.schema import connect


class _Reader:
    """The connection of a reading thread, and its lock: nobody may close the connection during a read."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.turn = threading.RLock()


class Readers:
    """Reads a database. If SQLite cannot read, it raises `StoreFailed` with the place and the reason."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._readers: list[_Reader] = []

    @contextmanager
    def reading(self, what: str = "") -> Iterator[sqlite3.Connection]:
        """This thread's connection for one read; `close` waits, because closing during a read crashes the process.

        `what`: the name of the rows read, for the error.
        """
        reader = self._own()
        with reader.turn:
            try:
                yield self._connection(reader)
            except (sqlite3.Error, UnicodeDecodeError) as wrong:
                raise StoreFailed(f"{self._path}: {f'{what} ' if what else ''}cannot be read: {wrong}") from wrong

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """All rows of a query."""
        with self.reading() as connection:
            return connection.execute(sql, values).fetchall()

    def row(self, sql: str, match: str) -> tuple[object, ...]:
        """The row of a match. Raises `NoSuchMatch`."""
        rows = self.rows(sql, match)
        if not rows:
            raise NoSuchMatch(f"there is no match {match!r}")
        return rows[0]

    def _connection(self, reader: _Reader) -> sqlite3.Connection:
        if reader.connection is None:
            reader.connection = connect(self._path, readonly=True)
        return reader.connection

    def _own(self) -> _Reader:
        """The reader of the calling thread."""
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = _Reader()
            self._readers.append(reader)
        return reader

    def close(self) -> None:
        """Close every connection, each after its current read."""
        for reader in self._readers:
            with reader.turn:
                if reader.connection is not None:
                    reader.connection.close()
        self._readers.clear()
