"""The connection that writes: one transaction at a time, and its result.

A transaction takes its turn by the checkpoint lock, so that no other process moves the log meanwhile.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from replay.store.errors import MatchExists, NoSuchMatch, RowExists, StoreFailed
from replay.store.health import Health
from replay.store.log import Append, Commit, Committed, Conflict, Unknown
from replay.store.sqlite import views
from replay.store.sqlite.checkpoint_lock import PAUSE_S, CheckpointLock
from replay.store.sqlite.disk_reserve import DiskReserve
from replay.store.sqlite.rows import Rows
from replay.store.sqlite.schema import (
    PAGE_BYTES,
    WAITS,
    Waits,
    assert_known,
    bring_up_to_date,
    connect,
)
from replay.store.sqlite.tasks import Task
from replay.store.sqlite.upgrades import keep_as_it_was

PAGES_A_COMMIT: Final = 3
"""Pages of the log for each commit, and for each group besides; used to state the space needed on a full disk."""
AGAIN_S: Final = 1.0
"""How long a log that could not be moved as a whole is left alone."""
HEADS_KEPT: Final = 100_000
"""The number of matches whose last line the writer remembers."""
FATAL: Final = ("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")
"""Errors after which the disk is no longer trusted; a full disk or a long lock is only temporary."""


class Transactions:
    """The writing connection; makes a missing file. Raises `StoreFailed`. One thread at a time may use it."""

    def __init__(self, path: Path, health: Health, waits: Waits = WAITS) -> None:
        self.path, self._health, self._waits = path, health, waits
        self._log = path.with_name(path.name + "-wal")
        self._reserve = DiskReserve(path)
        self.is_logged = False
        """Whether the log may hold pages that are not in the file."""
        self.is_tight = False
        """Whether the disk was full, so that the log is moved at once."""
        self._again = 0.0
        """The time, by the monotonic clock, until which a log that could not be moved is left alone."""
        self._heads: dict[str, int] = {}
        self._opened = 0
        self._version = -1
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        self.lock = CheckpointLock(path, waits.turn_s)
        try:
            self.connection = self._prepared()
        except BaseException:
            self.lock.close()
            raise

    def _prepared(self) -> sqlite3.Connection:
        connection = connect(self.path, readonly=False, lock_s=self._waits.lock_s)
        assert_known(connection, self.path, readonly=False)
        with self.lock.committing():
            keep_as_it_was(connection, self.path)
            bring_up_to_date(connection, self.path)
            try:
                views.install(connection)
            except sqlite3.Error as wrong:
                connection.close()
                raise StoreFailed(f"{self.path}: its views cannot be made: {wrong}") from wrong
        # Only the writing thread may wait for another connection (`begin`), never the event loop.
        connection.execute("PRAGMA busy_timeout = 0")
        # This is set before the first line, because replaced rows could not be overwritten later.
        connection.execute("PRAGMA secure_delete = ON")
        return connection

    def begin(self) -> None:
        """Begin a transaction, in a turn; waits while another connection writes. Afterwards call `commit` or `give_up`,
        and then `end`.

        A process gives up its turn while it waits. Otherwise, among many processes, one would always hold a turn.
        """
        until = time.monotonic() + self._waits.lock_s
        while not self._begin_in(self.lock.take, until):
            time.sleep(PAUSE_S)

    def _begin_in(self, take: Callable[[], None], until: float) -> bool:
        take()
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except BaseException as wrong:
            self.lock.end()
            if not is_busy(wrong) or time.monotonic() > until:
                raise
            return False
        return True

    def begin_at_once(self) -> bool:
        """As `begin`, for a thread that must not wait: False if somebody else writes or moves the log."""
        if not self.lock.begin():
            return False
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except BaseException as wrong:
            self.lock.end()
            if is_busy(wrong):
                return False
            raise
        return True

    def end(self) -> None:
        """End the turn."""
        self.lock.end()

    @contextmanager
    def begun(self) -> Iterator[None]:
        """A transaction in a turn; rows not committed by its end are rolled back."""
        self.begin()
        try:
            yield
        except Exception:
            self._roll_back()
            raise
        finally:
            self.end()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A turn without commits in any process; a transaction keeps others out until the turn is exclusive."""
        self.begin()
        try:
            self.lock.take_alone()
        except BaseException:
            self.lock.end()
            raise
        finally:
            self.connection.execute("ROLLBACK")
        try:
            yield
        finally:
            self.lock.end()

    def rows(self) -> Rows:
        """The object in which a transaction gathers its rows.

        The remembered ends of records are valid only while no other connection writes (PRAGMA data_version).
        """
        version = self.connection.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version or len(self._heads) > HEADS_KEPT:
            self._heads.clear()
            self._version = version
            self._opened = self.connection.execute("SELECT coalesce(max(id), 0) FROM openings").fetchone()[0]
        return Rows(self._opened)

    def append(self, commit: Commit, rows: Rows) -> Append | Exception:
        """The outcome of a commit (compare-and-set); its rows are gathered if it fits."""
        match = commit.match
        head = self._heads.get(match)
        if head is None:
            row = self.connection.execute("SELECT seq FROM matches WHERE match = ?", (match,)).fetchone()
            if row is None:
                return NoSuchMatch(f"there is no match {match!r}")
            head = row[0]
        if head != commit.expected:
            return Conflict(head)
        self._heads[match] = rows.add(commit)
        return Committed(self._heads[match])

    def carry_out(self, task: Task, rows: Rows) -> Append | Exception:
        """The outcome of a task; a task that does not fit leaves nothing behind."""
        if not task.statements:
            return Committed(0) if task.commit is None else self.append(task.commit, rows)
        rows.flush(self.connection)
        execute = self.connection.execute
        execute("SAVEPOINT task")
        try:
            task.found = [row for sql, values in task.statements for row in execute(sql, values)]
            answer: Append | Exception = Committed(0) if task.commit is None else self.append(task.commit, rows)
            rows.flush(self.connection)
        except sqlite3.IntegrityError as wrong:
            exists = RowExists if task.commit is None else MatchExists
            answer = exists(f"it exists already: {wrong}")
        if not isinstance(answer, Committed):
            execute("ROLLBACK TO task")
            self._heads.clear()
        execute("RELEASE task")
        return answer

    def commit(self, rows: Rows, commits: int) -> None:
        """Make the transaction durable."""
        rows.flush(self.connection)
        self.connection.execute("COMMIT")
        self._opened = rows.opened
        self._health.count(commits)
        self.is_logged = True

    def give_up(self, commits: int, wrong: Exception) -> list[Append | Exception]:
        """End a group without writing; returns each answer. A failed sync ends all acceptance (docs/record.md 5)."""
        is_sure = self._roll_back()
        if getattr(wrong, "sqlite_errorname", "").startswith("SQLITE_FULL"):
            self._relieve(wrong, commits)
        # The text of other errors may hold the values to write; these texts are shown to the operator.
        self._health.refuse(
            f"{self.path}: {wrong if isinstance(wrong, sqlite3.Error | StoreFailed) else type(wrong).__name__}"
        )
        if getattr(wrong, "sqlite_errorname", "").startswith(FATAL):
            self._health.fail(f"{self.path}: {wrong}; the disk failed, nothing more is taken until a restart")
            is_sure = False
        if is_sure:
            return [StoreFailed(f"{self.path}: {wrong}; nothing was written") for _ in range(commits)]
        return [Unknown(str(wrong))] * commits

    def _roll_back(self) -> bool:
        """Roll back; returns whether it is certain that nothing was written."""
        self._heads.clear()
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

    def _relieve(self, wrong: Exception, commits: int) -> None:
        """Give up the disk reserve; the log is then moved before anything else is written."""
        needed = PAGES_A_COMMIT * (1 + commits) * PAGE_BYTES if commits else self._growth_bytes()
        wrong.args = (f"{wrong}: {self._reserve.shortage(needed)}",)
        self._reserve.give_up()
        self.is_tight = self.is_logged = True

    def log_is_long(self) -> bool:
        """Whether the log, of any writer, must be moved now: it is too long, or the disk was full."""
        if self.is_tight:
            return self.has_room_to_move()
        return self._log_bytes() > self._waits.log_pages * PAGE_BYTES + 32 and time.monotonic() >= self._again

    def has_room_to_move(self) -> bool:
        """Whether the file has room to grow by the log's pages; a failed move would use up the freed space."""
        return self.is_logged and self._growth_bytes() <= self._reserve.free_bytes()

    def _growth_bytes(self) -> int:
        try:
            (pages,), (size,) = (
                self.connection.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
            )
            return max(0, int(pages * size) - self.path.stat().st_size)
        except (sqlite3.Error, OSError):
            return 0

    def _log_bytes(self) -> int:
        try:
            return self._log.stat().st_size
        except OSError:
            return 0

    def move_log(self) -> None:
        """Move the log's pages into the file, so that the log begins anew; pages in use stay for a while."""
        try:
            with self.alone():
                _, pages, moved = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except (sqlite3.Error, StoreFailed) as wrong:
            self._again = time.monotonic() + AGAIN_S
            self.give_up(0, wrong)
            return
        self.is_logged = moved < pages
        if self.is_logged:
            self._again = time.monotonic() + AGAIN_S
        self.is_tight = not self._reserve.keep() and self.is_tight

    def empty_log(self) -> bool:
        """Move the log into the file and truncate it; False while somebody reads from it or has it locked."""
        try:
            with self.alone():
                is_held, *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except (sqlite3.Error, StoreFailed):
            return False
        return not is_held

    def close(self) -> None:
        """Close the connection; SQLite moves the log into the file and removes it if nobody else reads."""
        self.connection.close()
        self._reserve.give_up()
        self.lock.close()


def is_busy(wrong: BaseException) -> bool:
    """Whether another connection is writing."""
    return getattr(wrong, "sqlite_errorname", "").startswith("SQLITE_BUSY")
