"""The SQLite store (RECORD 6): one writer thread, group commit, WAL, `synchronous=FULL`, plain STRICT tables."""

import json
import os
import queue
import sqlite3
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlite_utils import Database

from replay.store import analyses, attendance, views
from replay.store.errors import MatchExists, NoSuchMatch, StoreFailed
from replay.store.hooks import SqlHooks, Statement
from replay.store.log import (
    GROUP_BOUNDS,
    Append,
    ChatRow,
    Commit,
    Committed,
    Conflict,
    Done,
    Entry,
    Follower,
    Head,
    Header,
    Keys,
    Pulse,
    SeatRow,
    Unknown,
    WatchRow,
    tell,
)
from replay.store.rows import REOPEN, SEAT, Rows, due_value, header_of, header_values, seat_values
from replay.store.schema import CHECKPOINT_PAGES, LOCK_WAIT_S, SCHEMA_VERSION, assert_known, bring_up_to_date, connect
from replay.store.turns import PAUSE_S, Turns
from replay.store.upgrades import keep_as_it_was

GROUP_LIMIT: Final = 2000
"""Commits that go into one transaction at most."""
PAGES_A_COMMIT: Final = 3
"""Pages of the log that a commit fills, and a group beside its commits; when the log is moved need not be exact."""
REST_S: Final = 2.0
"""After so long without a commit the log is moved into the file: a copy of the file alone then holds every match."""
EMPTY_LOG_S: Final = 5.0
"""How long it is tried to empty the log of what was erased, while others read from it."""
HEADS_KEPT: Final = 100_000
"""Matches whose last line the writer remembers."""
FATAL: Final = ("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")
"""Errors after which the disk is not trusted any more; a full disk or a lock held too long passes."""

_SAY: Final = """INSERT INTO chat (match, room, n, at, who, name, text)
SELECT ?1, ?2, max(?7, 1 + coalesce(max(n), 0)), ?3, ?4, ?5, ?6 FROM chat WHERE match = ?1 AND room = ?2"""
"""Another server of the database may have used the number meanwhile."""
_FORGET: Final = """DELETE FROM chat WHERE match = ?1 AND room = ?2
AND n <= (SELECT max(n) FROM chat WHERE match = ?1 AND room = ?2) - ?3"""
_SAID: Final = """SELECT coalesce(max(n), 0) FROM chat
WHERE match = ? AND room = ? AND at = ? AND who = ? AND name = ? AND text = ?"""


class _Task:
    """Something for the writer's thread: a commit, or a statement of its own."""

    __slots__ = ("commit", "future", "run")

    def __init__(self, commit: Commit | None, run: "_Work | None" = None) -> None:
        self.commit = commit
        self.run = run
        self.future: Future[Append] = Future()


class _Work:
    """Statements to run in the writer's transaction before the task's commit, and the rows that they return."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.statements = tuple(statements)
        self.found: list[tuple[object, ...]] = []


class _Staged:
    """A transaction whose statements have run; after the COMMIT, the writer's thread tells `done` the answers."""

    __slots__ = ("answers", "commits", "done", "opened")

    def __init__(self, commits: Sequence[Commit], answers: list[Append | Exception], opened: int, done: Done) -> None:
        self.commits = commits
        self.answers = answers
        self.opened = opened
        self.done = done


class _Look:
    """Nothing to write: the writer's thread looks how long the log is."""


_LOOK: Final = _Look()

P = ParamSpec("P")
T = TypeVar("T")


class _Reader:
    """The connection of a thread that reads, and whose turn it is: nobody may close it amid a read."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.turn = threading.RLock()


def _reading(
    method: Callable[Concatenate["SqliteStore", P], T],
) -> Callable[Concatenate["SqliteStore", P], T]:
    """A method that reads; `close` waits for it: a connection that is closed amid a read takes the process with it."""

    @wraps(method)
    def read(store: "SqliteStore", /, *given: P.args, **named: P.kwargs) -> T:
        with store._own_reader().turn:
            return method(store, *given, **named)

    return read


class SqliteStore:
    """See `Store`. The file is readable by its owner only (0600).

    `readonly`: for tools that look into a database that a server may be writing; appends raise `StoreFailed`.
    """

    def __init__(self, path: str | Path, *, readonly: bool = False) -> None:
        self.path = Path(path)
        self.hooks = SqlHooks(self._ask, self._change)
        self._failed = f"{self.path} was opened to be read only" if readonly else ""
        self._local = threading.local()
        self._readers: list[_Reader] = []
        self._tasks: queue.SimpleQueue[_Task | _Staged | _Look | None] = queue.SimpleQueue()
        self._mutex = threading.Lock()
        self._counting = threading.Lock()
        self._given = self._answered = 0
        """Tasks that the writer's thread was given, and how many of them it has answered."""
        self._staged: _Staged | None = None
        self._followers: list[Follower] = []
        self._on_failure: list[Callable[[str], None]] = []
        self._refused = ""
        self._groups = [0] * (len(GROUP_BOUNDS) + 1)
        self._commits = 0
        self._heads: dict[str, int] = {}
        self._opened = 0
        self._logged = 0
        self._version = -1
        self._thread: threading.Thread | None = None
        if readonly:
            assert_known(self._reader(), self.path, readonly=True)
            return
        self._prepare()
        self._start()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)
        self._thread.start()

    def _prepare(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        self._turns = Turns(self.path)
        try:
            self._writer = connect(self.path, readonly=False)
            assert_known(self._writer, self.path, readonly=False)
            with self._turns.committing():
                keep_as_it_was(self._writer, self.path)
                bring_up_to_date(self._writer, self.path)
                self._install_views()
            # Only the writer's thread may wait for another connection (`_begin`), never the event loop.
            self._writer.execute("PRAGMA busy_timeout = 0")
            # From the first line on: lines that give way to newer ones could not be overwritten later.
            self._writer.execute("PRAGMA secure_delete = ON")
        except BaseException:
            self._turns.close()
            raise

    def _install_views(self) -> None:
        try:
            views.install(self._writer)
        except sqlite3.Error as wrong:
            self._writer.close()
            raise StoreFailed(f"{self.path}: its views cannot be made: {wrong}") from wrong

    def _reader(self) -> sqlite3.Connection:
        reader = self._own_reader()
        if reader.connection is None:
            reader.connection = connect(self.path, readonly=True)
        return reader.connection

    def _own_reader(self) -> "_Reader":
        """What the thread that asks reads by."""
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = _Reader()
            self._readers.append(reader)
        return reader

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Store`."""
        h = header
        statements: list[Statement] = [
            (
                f"INSERT INTO matches ({_HEADER}, seq, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",  # noqa: S608
                (*header_values(h), b""),
            ),
            ("INSERT INTO match_keys VALUES (?, ?, ?, ?)", (h.match, keys.k_m, keys.k_n, keys.hid)),
        ]
        statements += [(SEAT, seat_values(header.match, row)) for row in seats]
        return self._carry(_Work(statements), commit)

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Store`."""
        task = _Task(commit)
        self._put(task)
        return task.future

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        return self._wait(_Task(commit))

    def _put(self, task: _Task) -> None:
        if self._failed:
            task.future.set_exception(StoreFailed(self._failed))
            return
        with self._counting:
            self._given += 1
        self._tasks.put(task)

    def _wait(self, task: _Task) -> Append:
        if not self._commit_here(task):
            self._put(task)
        return task.future.result()

    def _commit_here(self, task: _Task) -> bool:
        """Commit in the thread that waits for it anyway, where the writer's has nothing to do; whether it was done."""
        if self._failed or self._given != self._answered or not self._mutex.acquire(blocking=False):
            return False
        try:
            if self._staged is not None or self._thread is None or not self._thread.is_alive():
                return False
            was_empty = not self._logged
            self._commit([task])
        finally:
            self._mutex.release()
        if was_empty or self._logged >= CHECKPOINT_PAGES:
            self._tasks.put(_LOOK)
        return True

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Store`. The statements run here, COMMIT and its sync in the writer's thread.

        `sqlite3` lets go of the interpreter's lock with every row; a thread that writes many beside a busy event loop
        waits for that lock once a row, and both take several times as long.
        """
        if self._failed or not self._mutex.acquire(blocking=False):
            return False
        try:
            return self._stage(commits, done)
        finally:
            self._mutex.release()

    def _stage(self, commits: Sequence[Commit], done: Done) -> bool:
        if self._staged is not None or not self._turns.begin():
            return False
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            self._forget_strange_heads()
            rows = Rows(self._opened)
            answers = [self._append(commit, rows) for commit in commits]
            rows.flush(self._writer)
        except Exception as wrong:
            is_busy = _is_busy(wrong) and not self._writer.in_transaction
            if not is_busy:
                done(self._give_up(len(commits), wrong))
            self._turns.end()
            return not is_busy
        self._staged = _Staged(commits, answers, rows.opened, done)
        self._tasks.put(self._staged)
        return True

    def _finish(self) -> _Staged | None:
        """Make durable what was staged, if anything; the mutex is held, for the answers are told without it."""
        staged, self._staged = self._staged, None
        if staged is None:
            return None
        try:
            self._writer.execute("COMMIT")
        except Exception as wrong:
            staged.answers = self._give_up(len(staged.commits), wrong)
        else:
            self._opened = staged.opened
            self._count(len(staged.commits))
        finally:
            self._turns.end()
        return staged

    def _tell(self, staged: _Staged) -> None:
        """Whoever is told may stage the next at once."""
        staged.done(staged.answers)
        if self._followers:
            for commit, answer in zip(staged.commits, staged.answers, strict=True):
                if isinstance(answer, Committed):
                    tell(self._followers, commit.match, answer.seq)

    def _write(self) -> None:
        """The writer's thread: take all that waits, commit it in one transaction, then answer each."""
        last = False
        while not last:
            task = self._next_task()
            group: list[_Task] = []
            while True:
                if task is None:
                    last = True
                    break
                if isinstance(task, _Task):
                    group.append(task)
                if len(group) >= GROUP_LIMIT or self._tasks.empty():
                    break
                task = self._tasks.get()
            if self._staged is not None:
                with self._mutex:
                    staged = self._finish()
                if staged is not None:
                    self._tell(staged)
            if group or self._logged >= CHECKPOINT_PAGES:
                self._work(group)
            self._answered += len(group)

    def _next_task(self) -> "_Task | _Staged | _Look | None":
        """What waits first. While nothing comes the log is moved, so that the file soon holds all that was played."""
        while self._logged and not self._failed:
            try:
                return self._tasks.get(timeout=REST_S)
            except queue.Empty:
                with self._mutex:
                    if self._staged is None:
                        self._move_log()
        return self._tasks.get()

    def _work(self, group: list[_Task]) -> None:
        """Commit a group, and move the log when it is long."""
        with self._mutex:
            staged = self._finish()
            if group:
                self._commit(group)
            self._move_log_when_long()
        if staged is not None:
            self._tell(staged)

    def _commit(self, group: list[_Task]) -> None:
        # From here on a future cannot be cancelled; one that was already is not written.
        group = [task for task in group if task.future.set_running_or_notify_cancel()]
        answers: list[Append | Exception] = []
        try:
            with self._begun():
                self._forget_strange_heads()
                rows = Rows(self._opened)
                answers = [self._carry_out(task, rows) for task in group]
                rows.flush(self._writer)
                self._writer.execute("COMMIT")
            self._opened = rows.opened
        except Exception as wrong:  # whatever it is, everybody who waits is answered and the writer goes on
            answers = self._give_up(len(group), wrong)
        else:
            self._count(len(group))
        for task, answer in zip(group, answers, strict=True):
            if isinstance(answer, Exception):
                task.future.set_exception(answer)
            else:
                task.future.set_result(answer)
                if isinstance(answer, Committed) and task.commit is not None:
                    tell(self._followers, task.commit.match, answer.seq)

    @contextmanager
    def _begun(self) -> Iterator[None]:
        """A turn with a transaction begun in it; waits while another connection writes, which only this thread may."""
        self._begin()
        try:
            yield
        finally:
            self._turns.end()

    def _begin(self) -> None:
        """See `_begun`. Who waits has no turn meanwhile: of many processes one or other always waits."""
        until = time.monotonic() + LOCK_WAIT_S
        while True:
            self._turns.take()
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                return
            except BaseException as wrong:
                self._turns.end()
                if not _is_busy(wrong) or time.monotonic() > until:
                    raise
            time.sleep(PAUSE_S)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While nobody commits, in whatever process: a transaction keeps everybody out until the turn is ours alone."""
        self._begin()
        try:
            self._turns.take_alone()
        except BaseException:
            self._turns.end()
            raise
        finally:
            self._writer.execute("ROLLBACK")
        try:
            yield
        finally:
            self._turns.end()

    def _count(self, commits: int) -> None:
        self._refused = ""
        self._commits += commits
        self._groups[bisect_left(GROUP_BOUNDS, commits)] += 1
        self._logged += PAGES_A_COMMIT * (1 + commits)

    def _move_log_when_long(self) -> None:
        if self._logged >= CHECKPOINT_PAGES and not self._failed:
            self._move_log()

    def _move_log(self) -> None:
        """Move what is in the log into the file, so that the log begins anew."""
        try:
            with self._alone():
                _, pages, moved = self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._logged = max(0, pages - moved)
        except (sqlite3.Error, StoreFailed) as wrong:
            self._logged = 0
            self._give_up(0, wrong)

    def _give_up(self, commits: int, wrong: Exception) -> list[Append | Exception]:
        """Nothing of the group was written; after a failed sync nothing more is taken (RECORD 5). What each is told."""
        unsure = False
        self._heads.clear()
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            unsure = True
        # The words of other errors may hold what was to be written; these are told to the operator.
        self._refused = (
            f"{self.path}: {wrong if isinstance(wrong, sqlite3.Error | StoreFailed) else type(wrong).__name__}"
        )
        if getattr(wrong, "sqlite_errorname", "").startswith(FATAL):
            self._failed = f"{self.path}: {wrong}; the disk failed, nothing more is taken until a restart"
            unsure = True
        if self._failed:
            for told in self._on_failure:
                told(self._failed)
        if unsure:
            return [Unknown(str(wrong))] * commits
        return [StoreFailed(f"{self.path}: {wrong}; nothing was written") for _ in range(commits)]

    def _forget_strange_heads(self) -> None:
        """What is remembered of where records end holds only while no other connection writes (PRAGMA data_version)."""
        version = self._writer.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version or len(self._heads) > HEADS_KEPT:
            self._heads.clear()
            self._version = version
            self._opened = self._writer.execute("SELECT coalesce(max(id), 0) FROM openings").fetchone()[0]

    def _carry_out(self, task: _Task, rows: Rows) -> Append | Exception:
        if task.run is None:
            return Committed(0) if task.commit is None else self._append(task.commit, rows)
        rows.flush(self._writer)
        execute = self._writer.execute
        execute("SAVEPOINT task")
        try:
            task.run.found = [row for sql, values in task.run.statements for row in execute(sql, values)]
            answer: Append | Exception = Committed(0) if task.commit is None else self._append(task.commit, rows)
            rows.flush(self._writer)
        except sqlite3.IntegrityError as wrong:
            answer = MatchExists(f"it exists already: {wrong}")
        if not isinstance(answer, Committed):
            execute("ROLLBACK TO task")
            self._heads.clear()
        execute("RELEASE task")
        return answer

    def _append(self, commit: Commit, rows: Rows) -> Append | Exception:
        match = commit.match
        head = self._heads.get(match)
        if head is None:
            row = self._writer.execute("SELECT seq FROM matches WHERE match = ?", (match,)).fetchone()
            if row is None:
                return NoSuchMatch(f"there is no match {match!r}")
            head = row[0]
        if head != commit.expected:
            return Conflict(head)
        self._heads[match] = rows.add(commit)
        return Committed(self._heads[match])

    @_reading
    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        try:
            return self._read(match, after, (1 << 62) if limit is None else after + limit)
        except (sqlite3.DatabaseError, UnicodeDecodeError, AttributeError) as wrong:
            raise StoreFailed(f"{self.path}: {match} cannot be read: {wrong}; the file is damaged") from wrong

    def _read(self, match: str, after: int, last: int) -> list[Entry]:
        reader = self._reader()
        # Lines before openings: what is appended between the two reads then has openings too many, never too few.
        lines = reader.execute(
            "SELECT seq, at, type, actor, CAST(line AS BLOB) FROM records"
            " WHERE match = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (match, after, last),
        ).fetchall()
        values: dict[int, tuple[bytes, ...]] = {}
        for seq, value in reader.execute(
            "SELECT r.seq, CAST(o.value AS BLOB) FROM records r"
            " CROSS JOIN openings o ON o.id >= r.opened AND o.id < r.opened + r.slots"
            " WHERE r.match = ? AND r.seq > ? AND r.seq <= ? AND r.slots > 0 ORDER BY r.seq, o.id",
            (match, after, last),
        ):
            values[seq] = (*values[seq], value) if seq in values else (value,)
        held = values.get
        return [Entry(seq, at, kind, actor, line, held(seq, ())) for seq, at, kind, actor, line in lines]

    def _row(self, sql: str, match: str) -> tuple[object, ...]:
        row: tuple[object, ...] | None = self._reader().execute(sql, (match,)).fetchone()
        if row is None:
            raise NoSuchMatch(f"there is no match {match!r}")
        return row

    @_reading
    def head(self, match: str) -> Head:
        """See `Store`."""
        return Head(*self._row("SELECT seq, head FROM matches WHERE match = ?", match))  # type: ignore[arg-type]

    @_reading
    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Store`."""
        asked = "SELECT match, seq FROM matches WHERE match IN (SELECT value FROM json_each(?))"
        return dict(self._reader().execute(asked, (json.dumps(list(matches)),)))

    @_reading
    def header(self, match: str) -> Header:
        """See `Store`."""
        return header_of(self._row(f"SELECT {_HEADER} FROM matches WHERE match = ?", match))  # noqa: S608

    @_reading
    def keys(self, match: str) -> Keys:
        """See `Store`."""
        return Keys(*self._row("SELECT k_m, k_n, hid FROM match_keys WHERE match = ?", match))  # type: ignore[arg-type]

    @_reading
    def seats(self, match: str) -> tuple[SeatRow, ...]:
        """See `Store`."""
        rows = self._reader().execute(
            "SELECT seat, name, kind, bot, token_hash FROM seats WHERE match = ? ORDER BY seat", (match,)
        )
        found = tuple(SeatRow(*row) for row in rows)
        if not found:
            raise NoSuchMatch(f"there is no match {match!r}")
        return found

    def set_seat(self, match: str, row: SeatRow) -> None:
        """See `Store`."""
        self._run(SEAT, *seat_values(match, row))

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """See `Store`."""
        return bool(self._change([(REOPEN, (token_hash, match, seat, former))]))

    def disclose(self, match: str) -> None:
        """See `Store`."""
        self.header(match)
        self._run("UPDATE matches SET closed = 0 WHERE match = ?", match)

    @_reading
    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """See `Store`."""
        rows = self._reader().execute("SELECT seat, token_hash FROM watchers WHERE match = ?", (match,))
        return tuple(WatchRow(*row) for row in rows)

    def grant(self, match: str, row: WatchRow) -> None:
        """See `Store`."""
        self._run("INSERT OR REPLACE INTO watchers VALUES (?, ?, ?)", match, row.token_hash, row.seat)

    def revoke(self, match: str, seat: int) -> None:
        """See `Store`."""
        self._run("DELETE FROM watchers WHERE match = ? AND seat = ?", match, seat)

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """See `Store`."""
        said = (match, row.room, row.at, row.who, row.name, row.text)
        self._carry(_Work([(_SAY, (*said, row.n)), (_FORGET, (match, row.room, keep))]))
        return self._number_of(said)

    @_reading
    def _number_of(self, said: tuple[object, ...]) -> int:
        found: int = self._reader().execute(_SAID, said).fetchone()[0]
        return found

    @_reading
    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """See `Store`."""
        rows = self._reader().execute(
            "SELECT n, at, room, who, name, text FROM chat WHERE match = ? AND room = ? ORDER BY n DESC LIMIT ?",
            (match, room, limit),
        )
        return [ChatRow(*row) for row in rows][::-1]

    def erase_chat(self, match: str) -> bool:
        """See `Store`; the words are overwritten in the file too (PRAGMA secure_delete), and the log is emptied."""
        self._run("DELETE FROM chat WHERE match = ?", match)
        until = time.monotonic() + EMPTY_LOG_S
        while not self._empty_log():
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE_S)
        return True

    def _empty_log(self) -> bool:
        """Move the log into the file and cut it off; False while somebody reads from it, or keeps it to itself."""
        with self._mutex:
            staged = self._finish()
            try:
                with self._alone():
                    is_busy, *_ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except (sqlite3.Error, StoreFailed):
                is_busy = True
        if staged is not None:
            self._tell(staged)
        return not is_busy

    def _run(self, sql: str, *values: object) -> None:
        self._carry(_Work([(sql, values)]))

    @_reading
    def _ask(self, statement: Statement) -> list[tuple[object, ...]]:
        return self._reader().execute(*statement).fetchall()

    def _change(self, statements: Sequence[Statement]) -> list[tuple[object, ...]]:
        work = _Work(statements)
        self._carry(work)
        return work.found

    def _carry(self, work: _Work, commit: Commit | None = None) -> Append:
        """Run statements that are to last. Raises `StoreFailed`, also where nobody knows whether they do."""
        answer = self._wait(_Task(commit, work))
        if isinstance(answer, Unknown):
            raise StoreFailed(f"{self.path}: {answer.why}; whether it was written is not known")
        return answer

    @_reading
    def analysis(self, match: str, terms: str) -> str | None:
        """See `Store`."""
        reader = self._reader()
        if reader.execute("SELECT 1 FROM sqlite_master WHERE name = 'analyses'").fetchone() is None:
            return None
        row = reader.execute(analyses.FOUND, (match, terms)).fetchone()
        return None if row is None else str(row[0])

    def keep_analysis(self, match: str, terms: str, found: str) -> None:
        """See `Store`."""
        self._carry(_Work([(analyses.MAKE, ()), (analyses.KEEP, (match, terms, found))]))

    def attend(self, server: str, at: int, told: Mapping[str, str]) -> None:
        """See `Store`. The table is made when it is first needed."""
        self._carry(_Work([(attendance.MAKE, ()), *attendance.statements(server, at, told)]))

    @_reading
    def attended(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `Store`."""
        if not self._attends():
            return []
        return self._reader().execute(attendance.ASK, (json.dumps(list(matches)), since)).fetchall()

    @_reading
    def _attends(self) -> bool:
        sql = "SELECT 1 FROM sqlite_master WHERE name = 'attendance'"
        return self._reader().execute(sql).fetchone() is not None

    def leave(self, server: str, before: int) -> None:
        """See `Store`."""
        if self._attends():
            self._run(attendance.LEAVE, server, before)

    @_reading
    def _headers(self, where: str, *values: object) -> list[Header]:
        rows = self._reader().execute(f"SELECT {_HEADER} FROM matches {where}", values)  # noqa: S608
        return [header_of(row) for row in rows]

    def matches(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `Store`."""
        where = "WHERE ? IS NULL OR status = ? ORDER BY created_ms DESC, match LIMIT ?"
        return self._headers(where, status, status, limit)

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """See `Store`."""
        return [(header, self.seats(header.match)) for header in self.matches(status, limit)]

    @_reading
    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Store`."""
        return (
            self._reader()
            .execute("SELECT seq, signed FROM checkpoints WHERE match = ? ORDER BY seq", (match,))
            .fetchall()
        )

    def unfinished(self) -> list[Header]:
        """See `Store`."""
        return self._headers(
            "WHERE status = 'running' OR (status = 'open' AND NOT EXISTS"
            " (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = '')) ORDER BY changed_ms DESC"
        )

    def due(self, until_ms: int) -> list[Header]:
        """See `Store`."""
        return self._headers("WHERE due <= ? AND status <> 'finished' ORDER BY changed_ms DESC", until_ms)

    def set_due(self, match: str, seq: int, due: int) -> None:
        """See `Store`."""
        self._run("UPDATE matches SET due = ? WHERE match = ? AND seq = ?", due_value(due), match, seq)

    @_reading
    def counts(self) -> dict[str, int]:
        """See `Store`."""
        return dict(self._reader().execute("SELECT status, count(*) FROM matches GROUP BY status"))

    def pulse(self) -> Pulse:
        """See `Store`."""
        return Pulse(
            self._failed or self._refused,
            self._tasks.qsize(),
            self._commits,
            tuple(self._groups),
            _bytes_of(self.path),
            _bytes_of(self.path.with_name(self.path.name + "-wal")),
        )

    def probe(self) -> None:
        """See `Store`."""
        with suppress(StoreFailed):
            self._wait(_Task(None, _Work([(f"PRAGMA user_version = {SCHEMA_VERSION}", ())])))

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """See `Store`."""
        self._on_failure.append(failed)
        if self._failed:
            failed(self._failed)

    def tables(self) -> Database:
        """The database as `sqlite-utils` shows it, for queries and tools; read-only."""
        return Database(connect(self.path, readonly=True))

    def follow(self, follower: Follower) -> None:
        """See `Store`."""
        self._followers.append(follower)

    def close(self) -> None:
        """Finish what is waiting, then close; may be called twice."""
        if self._thread is not None and self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()
        for reader in self._readers:
            with reader.turn:
                if reader.connection is not None:
                    reader.connection.close()
        self._readers.clear()
        if self._thread is not None:
            # Last, so that SQLite moves the log into the file and removes it, which readers cannot; behind who commits.
            with self._mutex:
                self._writer.close()
                self._turns.close()


_HEADER: Final = (
    "match, game, rules, created_ms, title, listed, status, result, changed_ms, closed, delay_events, delay_s"
)


def _is_busy(wrong: BaseException) -> bool:
    return getattr(wrong, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _bytes_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
