"""The store on the PostgreSQL protocol: for several machines over one database (docs/scaling.md).

Appends of all matches go through one connection in a thread of its own, which takes what waits and sends it as one
transaction in one go: the statements and the COMMIT are on their way before the first answer is there. The primary key
`(match, seq)` is the compare-and-set between machines: of two that write the same line, one is told that it is there.
"""

import queue
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Final, TypeVar

import psycopg
from msgspec.structs import astuple
from psycopg import errors
from psycopg.rows import TupleRow

from replay.store import attendance
from replay.store.errors import MatchExists, NoSuchMatch, StoreFailed
from replay.store.groups import REOPEN, SEAT, SET_DUE, Rows, due_value
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
from replay.store.opening import shown
from replay.store.tables import Line, assert_usable, connect, told

R = TypeVar("R")

GROUP_LIMIT: Final = 500
"""Commits that go into one transaction at most."""
HEADS_KEPT: Final = 100_000
"""Matches whose last line the writer remembers."""
ATTEMPTS: Final = 5
"""How often a transaction is tried again that the database has taken back for the sake of another."""
IN_DOUBT: Final = "40003"
"""What a distributed engine says that cannot tell whether a commit has lasted."""
NUL: Final = "\0"
"""What no text of the database holds: whoever is asked for by a name with it is not there."""
TAKEN_BACK: Final = (errors.SerializationFailure, errors.DeadlockDetected)
_HEADER: Final = (
    "match, game, rules, created_ms, title, listed, status, result, changed_ms, closed, delay_events, delay_s"
)
_SAY: Final = """INSERT INTO chat (match, room, n, at, who, name, text)
SELECT %(match)s, %(room)s, greatest(%(n)s, 1 + coalesce(max(n), 0)), %(at)s, %(who)s, %(name)s, %(text)s
FROM chat WHERE match = %(match)s AND room = %(room)s RETURNING n"""


_KEEP: Final = """INSERT INTO analyses (match, terms, found) VALUES (%s, %s, %s)
ON CONFLICT (match, terms) DO UPDATE SET found = excluded.found"""


def _placed(sql: str) -> str:
    """A statement with this database's marks in the place of values."""
    return sql.replace("?", "%s")


class PostgresStore:
    """See `Store`. Nothing that a network or a database does is final: what cannot be written now may be later."""

    def __init__(self, address: str, *, readonly: bool = False) -> None:
        """Raises `StoreFailed` where the database cannot be used as it is. `readonly`: appends are refused."""
        self._address, self.where = address, shown(address)
        self.hooks = SqlHooks(lambda asked: self._all(_placed(asked[0]), *asked[1]), self._change)
        self._idle: list[Line] = []
        self._lock = threading.Lock()
        self._tasks: queue.SimpleQueue[tuple[Commit, Future[Append]] | None] = queue.SimpleQueue()
        self._followers: list[Follower] = []
        self._refused = ""
        self._failed = f"{self.where} was opened to be read only" if readonly else ""
        self._groups = [0] * (len(GROUP_BOUNDS) + 1)
        self._commits = 0
        self._heads: dict[str, int] = {}
        self._writer: Line | None = None
        self._thread: threading.Thread | None = None
        self._ask(lambda line: assert_usable(line, address))
        if not readonly:
            self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)
            self._thread.start()

    # Connections: one to write, and for reads as many as there are threads that read at a time.

    @contextmanager
    def _line(self) -> Iterator[Line]:
        """A connection for a while; one that has failed is not used again."""
        with self._lock:
            line = self._idle.pop() if self._idle else None
        line = line or connect(self._address)
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

    def _ask(self, read: Callable[[Line], R]) -> R:
        """What is read; over a new connection where that of before is gone. Raises `StoreFailed`."""
        for is_last in (False, True):
            try:
                with self._line() as line:
                    return read(line)
            except StoreFailed as wrong:
                self._refused = str(wrong)
                raise
            except psycopg.Error as wrong:
                if is_last or not isinstance(wrong, psycopg.OperationalError):
                    raise self._unread(wrong) from wrong
                with self._lock:
                    idle, self._idle = self._idle, []
                for line in idle:  # a database that was restarted has cut them all
                    line.close()
        raise AssertionError

    def _unread(self, wrong: psycopg.Error) -> StoreFailed:
        why = f"{self.where}: {told(wrong)}"
        if not isinstance(wrong, errors.InsufficientPrivilege):  # nothing else is kept from being read or written
            self._refused = why
        return StoreFailed(why)

    def _all(self, sql: str, *values: object) -> list[TupleRow]:
        if any(isinstance(value, str) and NUL in value for value in values):
            return []
        return self._ask(lambda line: line.cursor(binary=True).execute(sql, values).fetchall())

    def _row(self, sql: str, match: str) -> TupleRow:
        rows = self._all(sql, match)
        if not rows:
            raise NoSuchMatch(f"there is no match {match!r}")
        return rows[0]

    def _carry(self, write: Callable[[Line], R]) -> R:
        """Carry out a transaction in the caller's thread.

        Raises `StoreFailed`, also where nobody knows what became of it, and `UniqueViolation`.
        """
        if self._failed:
            raise StoreFailed(self._failed)
        self._ask(lambda line: line.execute("SELECT 1"))  # finds out what has been cut meanwhile
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
                self._refused = f"{self.where}: {told(wrong)}"
                raise StoreFailed(f"{self._refused}; whether it was written is not known") from wrong
            else:
                self._refused = ""
                return found
        raise StoreFailed(f"{self.where}: {told(refused)}; nothing was written") from refused

    def _carry_beside(self, write: Callable[[Line], R]) -> R:
        """As `_carry`, for what is no part of a match: a right that is lacking for it keeps nobody from all else."""
        try:
            return self._carry(write)
        except StoreFailed as wrong:
            if isinstance(wrong.__cause__, errors.InsufficientPrivilege):
                self._refused = ""
            raise

    def _change(self, statements: Sequence[Statement]) -> list[TupleRow]:
        def write(line: Line) -> list[TupleRow]:
            done = [line.execute(_placed(sql).encode(), values) for sql, values in statements]
            return [row for each in done if each.description for row in each.fetchall()]

        return self._carry_beside(write)

    # Appends.

    def create(self, header: Header, keys: Keys, seats: tuple[SeatRow, ...], commit: Commit) -> Append:
        """See `Store`."""
        h, rows = header, Rows()
        last = rows.add(commit)

        def write(line: Line) -> None:
            with line.pipeline():
                line.execute(
                    f"INSERT INTO matches ({_HEADER}, seq, head) VALUES"  # noqa: S608
                    " (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 0, '')",
                    astuple(h),
                )
                line.execute("INSERT INTO match_keys VALUES (%s, %s, %s, %s)", (h.match, keys.k_m, keys.k_n, keys.hid))
                for row in seats:
                    line.execute(SEAT, (h.match, *astuple(row)))
                rows.send(line)

        if commit.expected != 0:
            return Conflict(0)
        try:
            self._carry(write)
        except errors.UniqueViolation as wrong:
            raise MatchExists(f"the match {h.match!r} exists already") from wrong
        tell(self._followers, h.match, last)
        return Committed(last)

    def submit(self, commit: Commit) -> "Future[Append]":
        """See `Store`."""
        future: Future[Append] = Future()
        if self._failed:
            future.set_exception(StoreFailed(self._failed))
        else:
            self._tasks.put((commit, future))
        return future

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Store`; what is sent over a network is waited for, so `submit` it."""
        del commits, done
        return False

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        return self.submit(commit).result()

    def _write(self) -> None:
        """The writer's thread: take all that waits, commit it in one transaction, then answer each."""
        task = self._tasks.get()
        while task is not None:
            group = [task]
            while len(group) < GROUP_LIMIT and not self._tasks.empty():
                task = self._tasks.get()
                if task is None:
                    break
                group.append(task)
            self._serve(group)
            if task is not None:
                task = self._tasks.get()

    def _serve(self, group: list[tuple[Commit, "Future[Append]"]]) -> None:
        # From here on a future cannot be cancelled; one that was already is not written.
        group = [task for task in group if task[1].set_running_or_notify_cancel()]
        for (commit, future), answer in zip(group, self._settle([commit for commit, _ in group]), strict=True):
            if isinstance(answer, Exception):
                future.set_exception(answer)
                continue
            future.set_result(answer)
            if isinstance(answer, Committed):
                tell(self._followers, commit.match, answer.seq)

    def _settle(self, commits: list[Commit]) -> list[Append | Exception]:
        """What becomes of each commit, together in one transaction, or one by one where one of them does not fit."""
        try:
            answers = self._together(commits)
            self._refused = ""
            self._commits += len(commits)
            self._groups[bisect_left(GROUP_BOUNDS, len(commits))] += 1
            return answers
        except (errors.UniqueViolation, *TAKEN_BACK) as wrong:
            self._heads.clear()
            self._roll_back()
            return [self._alone(commit) for commit in commits] if len(commits) > 1 else [self._again(commits[0], wrong)]
        except StoreFailed as wrong:
            return self._give_up(commits, str(wrong), wrong)
        except psycopg.Error as wrong:
            # An error that the database names has taken the transaction back; of all others nobody knows.
            is_known = wrong.sqlstate not in {None, IN_DOUBT} and self._roll_back()
            why = f"{self.where}: {told(wrong)}"
            return self._give_up(commits, why, StoreFailed(f"{why}; nothing was written") if is_known else None)
        except Exception as wrong:  # whatever it is, everybody who waits is answered and the writer goes on
            self._hang_up()
            return self._give_up(commits, f"{self.where}: {type(wrong).__name__}", None)

    def _alone(self, commit: Commit) -> Append | Exception:
        return self._settle([commit])[0]

    def _again(self, commit: Commit, wrong: psycopg.Error) -> Append | Exception:
        """A commit alone that was taken back: somebody else was first, or was in the way."""
        for _ in range(ATTEMPTS):
            try:
                return self._together([commit])[0]
            except (errors.UniqueViolation, *TAKEN_BACK) as again:
                wrong = again
                self._heads.clear()
                self._roll_back()
            except (psycopg.Error, StoreFailed) as gone:
                self._hang_up()
                return Unknown(f"{self.where}: {told(gone) if isinstance(gone, psycopg.Error) else gone}")
        return StoreFailed(f"{self.where}: {told(wrong)}; nothing was written")

    def _give_up(self, commits: list[Commit], why: str, known: StoreFailed | None) -> list[Append | Exception]:
        """Nothing was written (`known`), or nobody knows: what each is told."""
        self._refused = why
        self._heads.clear()
        if known is None:
            self._hang_up()
            return [Unknown(why) for _ in commits]
        return [StoreFailed(str(known)) for _ in commits]

    def _roll_back(self) -> bool:
        """Whether the writer's connection is fit for another transaction; if not it is closed."""
        try:
            if self._writer is not None:
                # By this name the library forgets what it had prepared in a pipeline that was broken off.
                self._writer.rollback()
                return True
        except psycopg.Error:
            self._hang_up()
        return False

    def _hang_up(self) -> None:
        line, self._writer = self._writer, None
        if line is not None:
            line.close()

    def _together(self, commits: list[Commit]) -> list[Append | Exception]:
        """One transaction, in one go. Raises what the database raises, and then nothing is known to be written."""
        if self._writer is None or self._writer.closed:
            self._writer = connect(self._address)
            self._heads.clear()
        heads, rows = self._known_heads(commits), Rows()
        answers: list[Append | Exception] = []
        # Every machine in the same order, so that no two wait for each other.
        for commit in commits:
            head = heads.get(commit.match)
            if head is None:
                answers.append(NoSuchMatch(f"there is no match {commit.match!r}"))
            elif head != commit.expected:
                answers.append(Conflict(head))
            else:
                heads[commit.match] = rows.add(commit)
                answers.append(Committed(heads[commit.match]))
        if rows:
            with self._writer.pipeline():
                self._writer.execute("BEGIN")
                rows.send(self._writer)
                self._writer.execute("COMMIT")
        if len(self._heads) > HEADS_KEPT:
            self._heads.clear()
        self._heads.update(heads)
        return answers

    def _known_heads(self, commits: list[Commit]) -> dict[str, int]:
        """Where the matches' records end. A line that was there once stays: so only what may be news is asked for."""
        first: dict[str, int] = {}
        for commit in commits:
            first.setdefault(commit.match, commit.expected)
        heads = {match: self._heads[match] for match in first if match in self._heads}
        asked = [match for match, expected in first.items() if heads.get(match, -1) < expected]
        if asked and self._writer is not None:
            heads.update(
                self._writer.execute("SELECT match, seq FROM matches WHERE match = ANY(%s)", (asked,)).fetchall()
            )
        return heads

    # Reads, and what is written beside the record.

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """See `Store`."""
        last = (1 << 62) if limit is None else after + limit
        if NUL in match:
            return []

        def both(line: Line) -> tuple[list[TupleRow], list[TupleRow]]:
            # Lines before openings: what is appended between the two has openings too many, never too few.
            with line.pipeline():
                lines, opened = line.cursor(binary=True), line.cursor(binary=True)
                lines.execute(
                    "SELECT seq, at, type, actor, line FROM records WHERE match = %s AND seq > %s AND seq <= %s"
                    " ORDER BY seq",
                    (match, after, last),
                )
                opened.execute(
                    "SELECT seq, value FROM openings WHERE match = %s AND seq > %s AND seq <= %s ORDER BY seq, slot",
                    (match, after, last),
                )
            return lines.fetchall(), opened.fetchall()

        lines, opened = self._ask(both)
        values: dict[int, tuple[bytes, ...]] = {}
        for seq, value in opened:
            values[seq] = (*values.get(seq, ()), value.encode())
        return [Entry(seq, at, kind, actor, line.encode(), values.get(seq, ())) for seq, at, kind, actor, line in lines]

    def head(self, match: str) -> Head:
        """See `Store`."""
        return Head(*self._row("SELECT seq, head FROM matches WHERE match = %s", match))

    def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """See `Store`."""
        asked = [match for match in matches if NUL not in match]
        return dict(self._all("SELECT match, seq FROM matches WHERE match = ANY(%s)", asked))

    def header(self, match: str) -> Header:
        """See `Store`."""
        return Header(*self._row(f"SELECT {_HEADER} FROM matches WHERE match = %s", match))  # noqa: S608

    def keys(self, match: str) -> Keys:
        """See `Store`."""
        return Keys(*self._row("SELECT k_m, k_n, hid FROM match_keys WHERE match = %s", match))

    def seats(self, match: str) -> tuple[SeatRow, ...]:
        """See `Store`."""
        found = self._all("SELECT seat, name, kind, bot, token_hash FROM seats WHERE match = %s ORDER BY seat", match)
        if not found:
            raise NoSuchMatch(f"there is no match {match!r}")
        return tuple(SeatRow(*row) for row in found)

    def set_seat(self, match: str, row: SeatRow) -> None:
        """See `Store`."""
        self._carry(lambda line: line.execute(SEAT, (match, *astuple(row))))

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """See `Store`."""
        given = (token_hash, match, seat, former)
        return self._carry(lambda line: line.execute(REOPEN, given).fetchone()) is not None

    def disclose(self, match: str) -> None:
        """See `Store`."""
        self.header(match)
        self._carry(lambda line: line.execute("UPDATE matches SET closed = FALSE WHERE match = %s", (match,)))

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """See `Store`."""
        return tuple(
            WatchRow(*row) for row in self._all("SELECT seat, token_hash FROM watchers WHERE match = %s", match)
        )

    def grant(self, match: str, row: WatchRow) -> None:
        """See `Store`."""
        sql = (
            "INSERT INTO watchers (match, token_hash, seat) VALUES (%s, %s, %s)"
            " ON CONFLICT (match, token_hash) DO UPDATE SET seat = excluded.seat"
        )
        self._carry(lambda line: line.execute(sql, (match, row.token_hash, row.seat)))

    def revoke(self, match: str, seat: int) -> None:
        """See `Store`."""
        self._carry(lambda line: line.execute("DELETE FROM watchers WHERE match = %s AND seat = %s", (match, seat)))

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """See `Store`."""
        values = {"match": match, "room": row.room, "n": row.n, "at": row.at, "who": row.who, "name": row.name}

        def write(line: Line) -> int:
            found = line.execute(_SAY, {**values, "text": row.text}).fetchall()
            number = int(found[0][0])
            line.execute(
                "DELETE FROM chat WHERE match = %s AND room = %s AND n <= %s", (match, row.room, number - keep)
            )
            return number

        while True:
            with suppress(errors.UniqueViolation):  # another machine has just taken the number
                return self._carry(write)

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """See `Store`."""
        sql = "SELECT n, at, room, who, name, text FROM chat WHERE match = %s AND room = %s ORDER BY n DESC LIMIT %s"
        return [ChatRow(*row) for row in self._all(sql, match, room, limit)][::-1]

    def erase_chat(self, match: str) -> bool:
        """See `Store`. False: the database overwrites what was deleted later, and keeps it in its log for a while."""
        self._carry(lambda line: line.execute("DELETE FROM chat WHERE match = %s", (match,)))
        return False

    def analysis(self, match: str, terms: str) -> str | None:
        """See `Store`."""
        rows = self._all("SELECT found FROM analyses WHERE match = %s AND terms = %s", match, terms)
        return str(rows[0][0]) if rows else None

    def keep_analysis(self, match: str, terms: str, found: str) -> None:
        """See `Store`."""
        self._carry_beside(lambda line: line.execute(_KEEP, (match, terms, found)))

    def attend(self, server: str, at: int, told: Mapping[str, str]) -> None:
        """See `Store`."""

        def write(line: Line) -> None:
            with line.pipeline():
                for sql, values in attendance.statements(server, at, told):
                    line.execute(_placed(sql).encode(), values)

        self._carry_beside(write)

    def attended(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `Store`."""
        asked = [match for match in matches if NUL not in match]
        return [(match, server, told) for match, server, told in self._all(attendance.ASK_ELSEWHERE, asked, since)]

    def leave(self, server: str, before: int) -> None:
        """See `Store`."""
        self._carry_beside(lambda line: line.execute(_placed(attendance.LEAVE).encode(), (server, before)))

    def matches(self, status: str | None = None, limit: int = 200) -> list[Header]:
        """See `Store`."""
        where, values = ("WHERE status = %s", (status,)) if status is not None else ("", ())
        sql = f"SELECT {_HEADER} FROM matches {where} ORDER BY created_ms DESC, match LIMIT %s"  # noqa: S608
        return [Header(*row) for row in self._all(sql, *values, limit)]

    def listing(self, status: str, limit: int) -> list[tuple[Header, tuple[SeatRow, ...]]]:
        """See `Store`."""
        headers = self.matches(status, limit)
        rows: dict[str, list[SeatRow]] = {header.match: [] for header in headers}
        sql = "SELECT match, seat, name, kind, bot, token_hash FROM seats WHERE match = ANY(%s) ORDER BY seat"
        for match, *row in self._all(sql, list(rows)) if rows else ():
            rows[match].append(SeatRow(*row))
        return [(header, tuple(rows[header.match])) for header in headers]

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Store`."""
        return [(seq, signed) for seq, signed in self._all(
            "SELECT seq, signed FROM checkpoints WHERE match = %s ORDER BY seq", match
        )]  # fmt: skip

    def unfinished(self) -> list[Header]:
        """See `Store`."""
        sql = (
            f"SELECT {_HEADER} FROM matches WHERE status = 'running' OR (status = 'open' AND NOT EXISTS"  # noqa: S608
            " (SELECT 1 FROM seats WHERE seats.match = matches.match AND kind = '')) ORDER BY changed_ms DESC"
        )
        return [Header(*row) for row in self._all(sql)]

    def due(self, until_ms: int) -> list[Header]:
        """See `Store`."""
        sql = f"SELECT {_HEADER} FROM matches WHERE due <= %s AND status <> 'finished' ORDER BY changed_ms DESC"  # noqa: S608
        return [Header(*row) for row in self._all(sql, until_ms)]

    def set_due(self, match: str, seq: int, due: int) -> None:
        """See `Store`."""
        self._carry(lambda line: line.execute(SET_DUE, (due_value(due), match, seq)))

    def counts(self) -> dict[str, int]:
        """See `Store`."""
        return dict(self._all("SELECT status, count(*) FROM matches GROUP BY status"))

    def now_ms(self) -> int:
        """What time it is for all who share the database, in ms. Raises `StoreFailed`."""
        return int(self._all("SELECT CAST(extract(epoch FROM current_timestamp) * 1000 AS BIGINT)")[0][0])

    def alive_ms(self) -> int:
        """When a server over this database was last alive, in ms; 0 where none ever was. Raises `StoreFailed`."""
        rows = self._all("SELECT value FROM herald WHERE name = 'alive'")
        return int(rows[0][0]) if rows else 0

    def live(self, at: int) -> None:
        """A server is alive at a time in ms. Raises `StoreFailed`."""
        sql = (
            "INSERT INTO herald VALUES ('alive', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            " WHERE CAST(herald.value AS BIGINT) < CAST(excluded.value AS BIGINT)"
        )
        self._carry(lambda line: line.execute(sql, (str(at),)))

    def pulse(self) -> Pulse:
        """See `Store`; how many bytes the database has is the database's to tell."""
        return Pulse(self._failed or self._refused, self._tasks.qsize(), self._commits, tuple(self._groups))

    def probe(self) -> None:
        """See `Store`."""
        with suppress(StoreFailed):
            self._carry(lambda line: line.execute("UPDATE herald SET value = value WHERE name = 'schema'"))

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """See `Store`; a database that is away comes back."""

    def follow(self, follower: Follower) -> None:
        """See `Store`."""
        self._followers.append(follower)

    def close(self) -> None:
        """Finish what is waiting, then close; may be called twice."""
        if self._thread is not None and self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()
        self._hang_up()
        with self._lock:
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()
