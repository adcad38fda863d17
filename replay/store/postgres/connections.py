"""Connections to a database, one for each thread that is using it; every failure is one kind of error.

No failure of a network or a database is final: a connection that has failed is not used again.
"""

import select
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

import psycopg
from psycopg import errors
from psycopg.rows import TupleRow

from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.health import Health
from replay.store.postgres.address import shown
from replay.store.postgres.schema import Cursor, Line, connect, told

R = TypeVar("R")
Question = tuple[str, tuple[object, ...]]
"""SQL with `%s` in place of each value, and the values."""
ATTEMPTS: Final = 5
"""How often a transaction is retried after the database has rolled it back in favour of another."""
NUL: Final = "\0"
"""A character that no text in the database can hold: a name with it is unknown."""
TAKEN_BACK: Final = (errors.SerializationFailure, errors.DeadlockDetected)


class StoreConnections:
    """Reads and transactions in the caller's thread."""

    def __init__(self, address: str, health: Health) -> None:
        self.address, self.where = address, shown(address)
        self._health = health
        self._idle: list[Line] = []
        self._has_ended = False
        self._lock = threading.Lock()

    @contextmanager
    def _line(self) -> Iterator[Line]:
        """A connection for one use; a connection that has failed is not used again."""
        line = self._usable() or connect(self.address)
        try:
            yield line
        except errors.UniqueViolation:
            self._put_back(line)
            raise
        except BaseException:
            line.close()
            raise
        self._put_back(line)

    def _usable(self) -> Line | None:
        """An idle connection that is still open, as far as can be known without a query.

        If the other end disappeared silently, the keepalives of `connect` notice this within seconds.
        """
        while True:
            with self._lock:
                if not self._idle:
                    return None
                line = self._idle.pop()
            if not line.closed and not _has_news(line):
                return line
            line.close()

    def _put_back(self, line: Line) -> None:
        with self._lock:
            if not self._has_ended:
                self._idle.append(line)
                return
        line.close()

    def ask(self, read: Callable[[Line], R]) -> R:
        """The result of a read, over a new connection if the old one is gone. Raises `StoreFailed`."""
        for is_last in (False, True):
            try:
                with self._line() as line:
                    return read(line)
            except StoreFailed as wrong:
                self._health.refuse(str(wrong))
                raise
            except psycopg.Error as wrong:
                if is_last or not isinstance(wrong, psycopg.OperationalError):
                    raise self._unread(wrong) from wrong
                self.close()  # a restart of the database has cut all of them
        raise AssertionError

    def _unread(self, wrong: psycopg.Error) -> StoreFailed:
        why = f"{self.where}: {told(wrong)}"
        if not isinstance(wrong, errors.InsufficientPrivilege):  # this stops no other read or write
            self._health.refuse(why)
        return StoreFailed(why)

    def rows(self, sql: str, *values: object) -> list[TupleRow]:
        """All rows of a query."""
        if any(isinstance(value, str) and NUL in value for value in values):
            return []
        return self.ask(lambda line: line.cursor(binary=True).execute(sql.encode(), values).fetchall())

    def rows_of_each(self, questions: Sequence[Question]) -> list[list[TupleRow]]:
        """All rows of each of several queries, which are sent in this order and answered together."""

        def asked(line: Line) -> list[list[TupleRow]]:
            cursors = [line.cursor(binary=True) for _ in questions]
            with line.pipeline():
                for cursor, (sql, values) in zip(cursors, questions, strict=True):
                    cursor.execute(sql.encode(), values)
            return [cursor.fetchall() for cursor in cursors]

        if any(isinstance(value, str) and NUL in value for _, values in questions for value in values):
            return [[] for _ in questions]
        return self.ask(asked)

    def row(self, sql: str, match: str) -> TupleRow:
        """The row of a match. Raises `NoSuchMatch`."""
        rows = self.rows(sql, match)
        if not rows:
            raise NoSuchMatch(f"there is no match {match!r}")
        return rows[0]

    def carry(self, write: Callable[[Line], Sequence[Cursor]]) -> list[TupleRow]:
        """Carry out a transaction in one go, with its beginning, statements and end; the rows that it returns.

        `write` sends the statements and waits for none of them. Raises `StoreFailed`, also if the result is unknown,
        and `UniqueViolation`.
        """
        if self._health.failed:
            raise StoreFailed(self._health.failed)
        for _ in range(ATTEMPTS):
            try:
                with self._line() as line:
                    found = _carried(line, write)
            except StoreFailed as wrong:
                self._health.refuse(str(wrong))
                raise
            except TAKEN_BACK as wrong:
                refused = wrong
            except errors.UniqueViolation:
                raise
            except psycopg.DataError as wrong:  # the rows to write are at fault, and not the database
                raise StoreFailed(f"{self.where}: {told(wrong)}; nothing was written") from wrong
            except psycopg.Error as wrong:
                self._health.refuse(f"{self.where}: {told(wrong)}")
                raise StoreFailed(f"{self._health.refused}; whether it was written is not known") from wrong
            else:
                self._health.refuse("")
                return found
        raise StoreFailed(f"{self.where}: {told(refused)}; nothing was written") from refused

    def carry_beside(self, write: Callable[[Line], Sequence[Cursor]]) -> list[TupleRow]:
        """As `carry`, for data that is no part of a match; a missing right for such data does not stop other writes."""
        try:
            return self.carry(write)
        except StoreFailed as wrong:
            if isinstance(wrong.__cause__, errors.InsufficientPrivilege):
                self._health.refuse("")
            raise

    def end(self) -> None:
        """Close all connections: the idle ones now, the others when their work is done."""
        with self._lock:
            self._has_ended = True
        self.close()

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()


def _carried(line: Line, write: Callable[[Line], Sequence[Cursor]]) -> list[TupleRow]:
    try:
        with line.pipeline():
            line.execute("BEGIN")
            sent = write(line)
            line.execute("COMMIT")
    except errors.UniqueViolation:
        # With `rollback` the library forgets the statements that it prepared in the broken pipeline.
        line.rollback()
        raise
    return [row for each in sent if each.description for row in each.fetchall()]


def _has_news(line: Line) -> bool:
    """Whether an idle connection has data to read: usually its end, because no query was sent."""
    watched = select.poll()
    watched.register(line.fileno(), select.POLLIN)
    return bool(watched.poll(0))
