"""Connections to a database: as many as there are threads that use one at a time, and one kind of error.

Nothing that a network or a database does is final: a connection that has failed is not used again.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import psycopg
from psycopg import errors
from psycopg.rows import TupleRow

from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.health import Health
from replay.store.postgres.address import shown
from replay.store.postgres.schema import Line, connect, told

R = TypeVar("R")
ATTEMPTS: Final = 5
"""How often a transaction is tried again that the database has taken back for the sake of another."""
NUL: Final = "\0"
"""A character that no text of the database holds: a name with it is unknown."""
TAKEN_BACK: Final = (errors.SerializationFailure, errors.DeadlockDetected)


class Connections:
    """Reads and transactions in the caller's thread."""

    def __init__(self, address: str, health: Health) -> None:
        self.address, self.where = address, shown(address)
        self._health = health
        self._idle: list[Line] = []
        self._lock = threading.Lock()

    @contextmanager
    def _line(self) -> Iterator[Line]:
        """A connection for a while; one that has failed is not used again."""
        with self._lock:
            line = self._idle.pop() if self._idle else None
        line = line or connect(self.address)
        try:
            yield line
        except errors.UniqueViolation:
            self._put_back(line)
            raise
        except BaseException:
            line.close()
            raise
        self._put_back(line)

    def _put_back(self, line: Line) -> None:
        with self._lock:
            self._idle.append(line)

    def ask(self, read: Callable[[Line], R]) -> R:
        """The result of a read; over a new connection if the old one is gone. Raises `StoreFailed`."""
        for is_last in (False, True):
            try:
                with self._line() as line:
                    return read(line)
            except StoreFailed as wrong:
                self._health.refused = str(wrong)
                raise
            except psycopg.Error as wrong:
                if is_last or not isinstance(wrong, psycopg.OperationalError):
                    raise self._unread(wrong) from wrong
                self.close()  # a database that was restarted has cut them all
        raise AssertionError

    def _unread(self, wrong: psycopg.Error) -> StoreFailed:
        why = f"{self.where}: {told(wrong)}"
        if not isinstance(wrong, errors.InsufficientPrivilege):  # nothing else is kept from being read or written
            self._health.refused = why
        return StoreFailed(why)

    def rows(self, sql: str, *values: object) -> list[TupleRow]:
        """All rows of a question."""
        if any(isinstance(value, str) and NUL in value for value in values):
            return []
        return self.ask(lambda line: line.cursor(binary=True).execute(sql.encode(), values).fetchall())

    def row(self, sql: str, match: str) -> TupleRow:
        """The row of a match. Raises `NoSuchMatch`."""
        rows = self.rows(sql, match)
        if not rows:
            raise NoSuchMatch(f"there is no match {match!r}")
        return rows[0]

    def carry(self, write: Callable[[Line], R]) -> R:
        """Carry out a transaction.

        Raises `StoreFailed`, also where nobody knows what became of it, and `UniqueViolation`.
        """
        if self._health.failed:
            raise StoreFailed(self._health.failed)
        self.ask(lambda line: line.execute("SELECT 1"))  # finds out what has been cut meanwhile
        for _ in range(ATTEMPTS):
            try:
                with self._line() as line, line.transaction():
                    found = write(line)
            except TAKEN_BACK as wrong:
                refused = wrong
            except errors.UniqueViolation:
                raise
            except psycopg.DataError as wrong:  # the fault of what was to be written, and of no database
                raise StoreFailed(f"{self.where}: {told(wrong)}; nothing was written") from wrong
            except psycopg.Error as wrong:
                self._health.refused = f"{self.where}: {told(wrong)}"
                raise StoreFailed(f"{self._health.refused}; whether it was written is not known") from wrong
            else:
                self._health.refused = ""
                return found
        raise StoreFailed(f"{self.where}: {told(refused)}; nothing was written") from refused

    def carry_beside(self, write: Callable[[Line], R]) -> R:
        """As `carry`, for what is no part of a match: a right that is lacking for it keeps nobody from all else."""
        try:
            return self.carry(write)
        except StoreFailed as wrong:
            if isinstance(wrong.__cause__, errors.InsufficientPrivilege):
                self._health.refused = ""
            raise

    def close(self) -> None:
        """Close those that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()
