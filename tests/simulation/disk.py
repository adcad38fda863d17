"""The real SQLite store over a disk with a seed: its writer's thread is the loop, and its commits fail like real disks.

A commit either lasts or never happened; a crash may come before it, or after it but before any answer. A failed
sync may have written everything or nothing. The bytes inside a commit are tested by tests/server/faults.

In some runs it loses answers, like a remote database whose connection breaks: nobody knows whether the commit was
made, reads fail for a while, and everything continues.
"""

import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from replay.store.errors import StoreFailed
from replay.store.health import Health
from replay.store.log import Append, Commit, Done, Unknown
from replay.store.sqlite.readers import Readers
from replay.store.sqlite.store import SqliteStore
from replay.store.sqlite.tasks import Task
from replay.store.sqlite.transactions import Transactions
from replay.store.sqlite.writer import GROUP_LIMIT, Writer
from tests.simulation.loop import VirtualLoop

FAULTS = ("full", "failed", "failed-after", "locked", "crash", "crash-after")
LOST = ("lost", "lost-after")
AWAY_S = 4.0
"""How long reads may fail after an answer was lost."""


class PowerCut(BaseException):
    """The process is gone; nothing in it may continue."""


class Lost(sqlite3.OperationalError):
    """The connection broke before the answer came."""


class Durable:
    """The contents of the disk that survive a crash: the lines of each match."""

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}

    def keep(self, records: list[tuple[Any, ...]]) -> None:
        """A commit has lasted."""
        for match, seq, _, _, _, line, *_ in records:
            lines = self.lines.setdefault(match, [])
            assert seq == len(lines) + 1, f"line {seq} of {match} follows line {len(lines)}"
            lines.append(line)


class Disk:
    """One file and its faults; it outlives the processes that use it. `chance`: how likely a commit fails; `loses`: how
    likely its answer is lost, by a chance of its own (`away`): a run in which none is lost is the same run without."""

    def __init__(
        self,
        path: Path,
        rng: random.Random,
        trace: Callable[[str], None],
        away: random.Random,
        now: Callable[[], float],
    ) -> None:
        path.write_bytes(_empty_database())
        self.path = path
        self.durable = Durable()
        self.chance = self.loses = 0.0
        self.happened: dict[str, int] = dict.fromkeys((*FAULTS, *LOST), 0)
        self.ruled: dict[bytes, float] = {}
        """The time at which a line was first to be written, in virtual seconds."""
        self._rng, self._away, self._now = rng, away, now
        self._away_until = 0.0
        self._trace = trace

    def heal(self) -> None:
        """Stop all faults."""
        self.chance = self.loses = self._away_until = 0.0

    def is_away(self) -> bool:
        """Whether this read fails: each second one, for a while after an answer was lost."""
        return self._now() < self._away_until and self._away.random() < 0.5

    def delay_s(self) -> float:
        """How long until the disk takes the next group: mostly a moment, sometimes long."""
        return self._rng.choice((0.0, 0.001, 0.004, 0.02)) if self._rng.random() < 0.97 else self._rng.uniform(0.5, 5)

    def fault(self) -> str:
        """The fault of this commit; "" for none."""
        if self._rng.random() < self.chance:
            fault = self._rng.choice(FAULTS)
        elif self.loses and self._away.random() < self.loses:
            fault = self._away.choice(LOST)
            self._away_until = self._now() + self._away.uniform(0, AWAY_S)
        else:
            return ""
        self.happened[fault] += 1
        self._trace(f"disk {fault}")
        return fault


class Connection:
    """The writer's connection, which notes what it commits and fails when the disk says so."""

    def __init__(self, real: sqlite3.Connection, disk: Disk) -> None:
        self._real = real
        self._disk = disk
        self._records: list[tuple[Any, ...]] = []

    @property
    def in_transaction(self) -> bool:
        """As SQLite's."""
        return self._real.in_transaction

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """As SQLite's; a commit may fail."""
        if sql.startswith("BEGIN"):
            self._records = []
        if sql == "COMMIT":
            return self._commit()
        return self._real.execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> sqlite3.Cursor:
        """As SQLite's."""
        rows = list(rows)
        if sql.startswith("INSERT INTO records"):
            self._records += rows
        return self._real.executemany(sql, rows)

    def _commit(self) -> sqlite3.Cursor:
        fault = self._disk.fault()
        if fault == "full":
            raise _failure("SQLITE_FULL", "database or disk is full")
        if fault == "locked":
            raise _failure("SQLITE_BUSY", "database is locked")
        if fault in {"failed", "crash", "lost"}:
            self._real.execute("ROLLBACK")
        else:
            cursor = self._real.execute("COMMIT")
            self._disk.durable.keep(self._records)
        if fault.startswith("crash"):
            raise PowerCut
        if fault in LOST:
            raise Lost("the connection is gone")
        if fault:
            raise _failure("SQLITE_IOERR_FSYNC", "disk I/O error")
        return cursor

    def close(self) -> None:
        """As SQLite's: what was not committed is gone."""
        self._real.close()


def _failure(name: str, words: str) -> sqlite3.OperationalError:
    wrong = sqlite3.OperationalError(words)
    wrong.sqlite_errorname = name
    return wrong


@cache
def _empty_database() -> bytes:
    with TemporaryDirectory() as folder:
        SqliteStore(Path(folder, "empty.db")).close()
        return Path(folder, "empty.db").read_bytes()


class LoopReaders(Readers):
    """Reads that fail while the disk is away."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk.path)
        self._disk = disk

    def _connection(self, reader: Any) -> sqlite3.Connection:
        if self._disk.is_away():
            raise StoreFailed("the connection is gone")
        return super()._connection(reader)


class LoopTransactions(Transactions):
    """The writer's connection over such a disk."""

    def __init__(self, disk: Disk, health: Health) -> None:
        super().__init__(disk.path, health)
        # The disk's own durability is simulated, so the machine's need not be waited for.
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection = Connection(self.connection, disk)  # type: ignore[assignment]

    def give_up(self, commits: int, wrong: Exception) -> list[Append | Exception]:
        """As of the store; after a lost answer the outcome is unknown."""
        answers = super().give_up(commits, wrong)
        if not isinstance(wrong, Lost):
            return answers
        # SQLite knows the outcome of its own commit: here the next commit has to look, as after a stranger's.
        self._version = -1
        return [Unknown(str(wrong))] * commits


class LoopWriter(Writer):
    """The writer, whose thread is the loop."""

    def __init__(self, disk: Disk, loop: VirtualLoop, crashed: Callable[[], None], health: Health) -> None:
        super().__init__(LoopTransactions(disk, health), health)
        self._disk = disk
        self._loop = loop
        self._crashed = crashed
        self._waiting: list[Task] = []
        self._scheduled = False
        self.dead = False

    def start(self) -> None:
        """Nothing: there is no thread."""

    def submit(self, task: Task) -> None:
        """As of the store, after a while."""
        if self.dead:
            raise PowerCut
        if self._health.failed:
            super().submit(task)
            return
        for entry in () if task.commit is None else task.commit.entries:
            self._disk.ruled.setdefault(entry.line, self._loop.time())
        self._waiting.append(task)
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_later(self._disk.delay_s(), self._take)

    def carry_out(self, task: Task) -> Append:
        """As of the store, at once."""
        self.submit(task)
        while not task.future.done():
            if self.dead:
                raise PowerCut
            self._take()
        return task.future.result()

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """Never: what is staged waits for a thread, and here two servers share one."""
        del commits, done
        return False

    def _take(self) -> None:
        group, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
        self._scheduled = False
        if not group or self.dead:
            return
        try:
            self._work(group)
        except PowerCut:
            self._crashed()

    def stop(self) -> None:
        """Finish what waits, unless the process is gone."""
        while self._waiting and not self.dead:
            self._take()
        self.dead = True


class LoopStore(SqliteStore):
    """The store as a process has it; `crashed` is called when a commit cuts the power."""

    def __init__(self, disk: Disk, loop: VirtualLoop, crashed: Callable[[], None]) -> None:
        self._disk, self._loop, self._crashed = disk, loop, crashed
        super().__init__(disk.path)

    def _made_readers(self) -> Readers:
        return LoopReaders(self._disk)

    def _made_writer(self) -> LoopWriter:
        self.writer = LoopWriter(self._disk, self._loop, self._crashed, self._health)
        return self.writer
