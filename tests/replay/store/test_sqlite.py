"""Section 6 of docs/record.md: what the SQLite store promises beyond every store's promises."""

import os
import queue
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from replay.maintenance.database_check import file_faults
from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.health import GROUP_BOUNDS
from replay.store.log import Append, Commit, Committed, Conflict, Entry, Unknown
from replay.store.matches import AT_ONCE, Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.side_tables.chat import ChatRow
from replay.store.side_tables.webhooks import WebhookRow
from replay.store.sqlite.checkpoint_lock import CheckpointLock
from replay.store.sqlite.disk_reserve import RESERVE_BYTES, DiskReserve
from replay.store.sqlite.readers import Readers
from replay.store.sqlite.schema import CACHE_KIB, READERS_KIB, Waits, connect
from replay.store.sqlite.store import SqliteStore
from replay.store.sqlite.transactions import Transactions
from replay.store.sqlite.writer import Writer
from tests.replay.matches import played
from tests.replay.store.stored import KEYS, commit, create

ROOT = Path(__file__).parents[3]

APPENDER = """
import sys
from replay.store.sqlite.store import SqliteStore
from tests.replay.store.stored import commit, create
store = SqliteStore(sys.argv[1])
create(store, lines=3)
seq = 3
while True:
    seq = store.append(commit("m1", seq, 3)).seq
    print(seq, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "herald.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(path)
    yield made
    made.close()


def test_kill_9_in_mid_append_loses_nothing_accepted_and_keeps_commits_whole(path: Path) -> None:
    command = [sys.executable, "-c", APPENDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        accepted = [int(process.stdout.readline()) for _ in range(10)]
        time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        accepted += [int(line) for line in process.stdout]
    again = SqliteStore(path)
    lines = again.read("m1")
    assert again.head("m1").seq == len(lines) >= accepted[-1]
    assert len(lines) % 3 == 0
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert again.append(commit("m1", len(lines))) == Committed(len(lines) + 1)
    again.close()


def test_two_stores_on_one_file_arbitrate_by_the_record(path: Path, store: SqliteStore) -> None:
    create(store)
    other = SqliteStore(path)
    assert other.append(commit("m1", 1)) == Committed(2)
    assert store.append(commit("m1", 1)) == Conflict(2)
    assert store.append(commit("m1", 2)) == Committed(3)
    assert other.read("m1") == store.read("m1")
    other.close()


def test_the_primary_key_is_the_compare_and_set(store: SqliteStore, path: Path) -> None:
    create(store)
    with sqlite3.connect(path) as other:
        with pytest.raises(sqlite3.IntegrityError):
            other.execute("INSERT INTO records VALUES ('m1', 1, 0, 'Moved', 0, '[]', 0, 0)")
        other.rollback()
    other.close()


def test_a_full_disk_refuses_the_commit_whole_and_goes_on(store: SqliteStore) -> None:
    create(store)
    pages = writing(store).execute("PRAGMA page_count").fetchone()[0]
    writing(store).execute(f"PRAGMA max_page_count = {pages}")
    big = Commit("m1", 1, tuple(Entry(seq, 0, "Moved", 0, b"x" * 60_000) for seq in (2, 3)), b"")
    with pytest.raises(StoreFailed, match=r"full: .* KiB free, and about \d+ KiB are needed; nothing was written"):
        store.append(big)
    assert len(store.read("m1")) == 1
    writing(store).execute("PRAGMA max_page_count = 1000000")
    assert store.append(big) == Committed(3)


def transactions(store: SqliteStore) -> Transactions:
    """How a store writes."""
    assert store._writer is not None
    return store._writer.transactions


def writing(store: SqliteStore) -> sqlite3.Connection:
    """The connection that a store writes by."""
    return transactions(store).connection


def test_a_full_disk_takes_the_room_that_was_kept_back_and_the_log_is_moved_before_the_next_choice(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(store)
    transactions(store).move_log()
    reserve = path.with_name("herald.db.reserve")
    assert (reserve.stat().st_size, stat.S_IMODE(reserve.stat().st_mode)) == (RESERVE_BYTES, 0o600)
    pages = writing(store).execute("PRAGMA page_count").fetchone()[0]
    writing(store).execute(f"PRAGMA max_page_count = {pages}")
    monkeypatch.setattr(DiskReserve, "free_bytes", lambda _: 0)
    with pytest.raises(StoreFailed, match="full"):
        store.append(Commit("m1", 1, (Entry(2, 0, "Moved", 0, b"x" * 60_000),), b""))
    assert not reserve.exists()
    assert not store.stage([commit("m1", 1)], Told()), "the log is moved first, which takes a while"
    writing(store).execute("PRAGMA max_page_count = 1000000")
    assert store.append(commit("m1", 1)) == Committed(2)
    monkeypatch.undo()
    until = time.monotonic() + 60
    while transactions(store).is_tight:
        assert time.monotonic() < until
        store.probe()
    assert reserve.exists()
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_no_room_is_kept_back_where_a_folder_or_a_link_lies_in_its_place(path: Path, tmp_path: Path) -> None:
    reserve, other = path.with_name("herald.db.reserve"), tmp_path / "other"
    reserve.mkdir(parents=True)
    assert not DiskReserve(path).keep()
    assert reserve.is_dir()
    reserve.rmdir()
    reserve.symlink_to(other)
    assert not DiskReserve(path).keep()
    assert not other.exists(), "nothing is written through a link"
    assert DiskReserve(path).keep(), "the link is gone"
    assert reserve.stat().st_size == RESERVE_BYTES


def test_a_log_is_long_whoever_wrote_it(store: SqliteStore, path: Path) -> None:
    create(store)
    with closing(SqliteStore(path, waits=Waits(log_pages=60))) as other:
        assert not transactions(other).log_is_long()
        for seq in range(1, 40):
            store.append(commit("m1", seq))
        assert transactions(other).log_is_long(), "it has written nothing itself"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SQLITE_FULL", "its disk is full"),
        ("SQLITE_IOERR_WRITE", "the disk failed"),
        ("SQLITE_BUSY", "another program"),
        ("SQLITE_CANTOPEN", "may this user write there"),
        ("SQLITE_NOTADB", "is it a Herald database"),
    ],
)
def test_a_database_that_cannot_be_opened_is_refused_with_what_is_wrong(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        wrong = sqlite3.OperationalError("no")
        wrong.sqlite_errorname = name
        raise wrong

    monkeypatch.setattr(sqlite3, "connect", refuse)
    with pytest.raises(StoreFailed, match=said):
        connect(path, readonly=False)


@pytest.mark.parametrize(
    "read",
    ["head", "header", "keys", "checkpoints", "seats.holders", "seats.watchers", "webhooks.addresses", "read"],
)
def test_whatever_cannot_be_read_is_said_by_one_error_that_names_the_file(path: Path, read: str) -> None:
    with closing(SqliteStore(path)) as store:
        create(store)
    with closing(sqlite3.connect(path)) as connection:
        for table in ("matches", "match_keys", "records", "checkpoints", "seats", "watchers", "hooks"):
            connection.execute(f"ALTER TABLE {table} RENAME TO lost_{table}")
    with closing(SqliteStore(path, readonly=True)) as store, pytest.raises(StoreFailed, match=r"herald\.db: .*no such"):
        attrgetter(read)(store)("m1")


class FailingDisk:
    """A connection whose COMMIT fails as it does when the disk cannot sync."""

    def __init__(self, inner: sqlite3.Connection) -> None:
        self.inner = inner

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            wrong = sqlite3.OperationalError("disk I/O error")
            wrong.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise wrong
        return self.inner.execute(sql, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def fail(store: SqliteStore) -> None:
    """From now on the disk cannot sync."""
    transactions(store).connection = FailingDisk(writing(store))  # type: ignore[assignment]


def test_after_a_failed_sync_nothing_more_is_taken(store: SqliteStore) -> None:
    create(store)
    fail(store)
    assert isinstance(store.append(commit("m1", 1)), Unknown)
    with pytest.raises(StoreFailed, match="restart"):
        store.append(commit("m1", 1))
    assert len(store.read("m1")) == 1


@pytest.mark.parametrize("write", ["create", "seats.grant", "seats.revoke", "chat.say", "chat.erase"])
def test_what_a_failed_sync_may_have_lost_is_never_said_to_be_done(store: SqliteStore, write: str) -> None:
    create(store)
    given: dict[str, tuple[Any, ...]] = {
        "create": (Header("m2", "skirmish", "1", 1), KEYS, (SeatRow(0),), commit("m2", 0)),
        "seats.grant": ("m1", WatchRow(0, b"token")),
        "seats.revoke": ("m1", 0),
        "chat.say": ("m1", ChatRow(1, 1, "players", "seat0", "", "hello"), 9),
        "chat.erase": ("m1",),
    }
    fail(store)
    with pytest.raises(StoreFailed, match="not known"):
        attrgetter(write)(store)(*given[write])


def test_whatever_ends_the_writer_is_said_once_and_everybody_who_waits_is_answered(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(store)
    failures = list[str]()
    store.on_failure(failures.append)

    def ends(*_: object) -> None:
        raise ZeroDivisionError("canary")

    monkeypatch.setattr(Writer, "_work", ends)
    futures = [store.submit(commit("m1", 1)) for _ in range(3)]
    for future in futures:
        assert isinstance(future.exception(200) or future.result(), Unknown | StoreFailed)
    assert len(failures) == 1
    assert re.search(
        r"herald\.db: the writer ended by ZeroDivisionError at test_sqlite\.py:\d+; .*restart", failures[0]
    )
    with pytest.raises(StoreFailed, match="restart"):
        store.append(commit("m1", 1))
    assert len(store.read("m1")) == 1


def test_the_writer_answers_a_group_in_order_of_arrival(store: SqliteStore) -> None:
    for number in range(5):
        create(store, f"m{number}")
    heard: list[tuple[str, int]] = []
    store.follow(lambda match, seq: heard.append((match, seq)))
    futures = [store.submit(commit(f"m{i % 5}", 1 + i // 5)) for i in range(50)]
    futures.append(store.submit(commit("m0", 1)))
    answers: list[Append] = [future.result() for future in futures]
    assert answers == [*(Committed(2 + i // 5) for i in range(50)), Conflict(11)]
    assert heard == [(f"m{i % 5}", 2 + i // 5) for i in range(50)]


def test_a_refused_commit_does_not_spoil_its_group(store: SqliteStore) -> None:
    create(store)
    futures = [store.submit(c) for c in (commit("m1", 1), commit("m1", 9), commit("m1", 2))]
    assert [future.result() for future in futures] == [Committed(2), Conflict(2), Committed(3)]


def test_a_line_that_is_no_text_is_refused_and_the_writer_goes_on(store: SqliteStore) -> None:
    create(store)
    with pytest.raises(StoreFailed, match="nothing was written"):
        store.append(Commit("m1", 1, (Entry(2, 0, "Moved", 0, b"canary \xff"),), b""))
    assert store.pulse().refuses == f"{store.path}: UnicodeDecodeError", "no words of what was to be written"
    assert store.append(commit("m1", 1)) == Committed(2)


def test_the_file_is_its_owners_alone(store: SqliteStore, path: Path) -> None:
    create(store)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_the_database_is_durable_and_plain(store: SqliteStore, path: Path) -> None:
    assert writing(store).execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert writing(store).execute("PRAGMA synchronous").fetchone()[0] == 2
    create(store)
    database = store.tables()
    names = {"matches", "records", "openings", "match_keys", "seats", "checkpoints"}
    assert names <= set(database.table_names())
    assert all("STRICT" in table.schema for table in database.tables if table.name in names)
    assert next(iter(database["records"].rows))["line"] == '[1,"é1"]'
    database.close()


def test_after_a_rest_the_file_alone_holds_every_line(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path, waits=Waits(rest_s=0.01))
    create(store)
    assert store.append(commit("m1", 1)) == Committed(2)
    copy = tmp_path / "copy" / "copy.db"
    copy.parent.mkdir()
    until = time.monotonic() + 60
    lines = 0
    while lines < 2 and time.monotonic() < until:
        time.sleep(0.01)
        shutil.copyfile(path, copy)
        with closing(sqlite3.connect(copy)) as alone, suppress(sqlite3.Error):
            (lines,) = alone.execute("SELECT count(*) FROM records").fetchone()
    assert lines == 2
    store.close()


def test_readers_cannot_write(store: SqliteStore) -> None:
    with pytest.raises(StoreFailed, match="readonly"):
        store._readers.rows("DELETE FROM records")


def test_a_store_opened_to_be_read_sees_a_writers_commits_and_takes_none(path: Path, store: SqliteStore) -> None:
    create(store)
    reader = SqliteStore(path, readonly=True)
    store.append(commit("m1", 1))
    assert reader.head("m1").seq == 2
    assert len(reader.read("m1")) == 2
    with pytest.raises(StoreFailed, match="read only"):
        reader.append(commit("m1", 2))
    reader.close()


def test_a_database_that_nobody_writes_can_be_read(path: Path) -> None:
    first = SqliteStore(path)
    create(first)
    first.close()
    reader = SqliteStore(path, readonly=True)
    assert len(reader.read("m1")) == 1
    reader.close()


def test_reopening_keeps_everything(path: Path) -> None:
    first = SqliteStore(path)
    _, referee = played(1, first)
    before = (first.read(referee.match), first.head(referee.match), first.header(referee.match))
    first.close()
    first.close()
    again = SqliteStore(path)
    assert (again.read(referee.match), again.head(referee.match), again.header(referee.match)) == before
    again.close()


def test_a_closed_database_is_one_file(path: Path) -> None:
    store = SqliteStore(path)
    create(store)
    assert len(store.read("m1")) == 1
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_database_is_closed_behind_the_reads_under_way(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite takes the process with it where a connection is closed amid a read of another thread."""
    store, begun, goes_on = SqliteStore(path), threading.Event(), threading.Event()
    create(store)
    connection = Readers._connection

    def slowly(self: Readers, reader: Any) -> Any:
        begun.set()
        goes_on.wait()
        return connection(self, reader)

    monkeypatch.setattr(Readers, "_connection", slowly)
    with ThreadPoolExecutor(2) as threads:
        found = threads.submit(store.read, "m1")
        begun.wait()
        closed = threads.submit(store.close)
        with pytest.raises(TimeoutError):
            closed.result(0.1)
        goes_on.set()
        assert len(found.result()) == 1
        closed.result()


def test_a_database_is_closed_behind_a_commit_in_the_thread_that_waits_for_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, begun, goes_on = SqliteStore(path), threading.Event(), threading.Event()
    create(store)
    written = Writer.commit

    def slowly(self: Writer, group: Any) -> None:
        begun.set()
        goes_on.wait()
        written(self, group)

    monkeypatch.setattr(Writer, "commit", slowly)
    with ThreadPoolExecutor(2) as threads:
        answer = threads.submit(store.append, commit("m1", 1))
        begun.wait()
        closed = threads.submit(store.close)
        with pytest.raises(TimeoutError):
            closed.result(0.1)
        goes_on.set()
        assert answer.result() == Committed(2)
        closed.result()


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("not a database, but long enough to look at" * 20)
    for readonly in (False, True):
        with pytest.raises(StoreFailed, match="Herald database"):
            SqliteStore(path, readonly=readonly)


def test_erased_chat_is_gone_from_the_file(path: Path, store: SqliteStore) -> None:
    create(store)
    store.chat.say("m1", ChatRow(1, 1, "players", "seat0", "Ada", "unmistakable words"), 9)
    store.close()
    assert b"unmistakable words" in path.read_bytes()
    again = SqliteStore(path)
    again.chat.erase("m1")
    again.close()
    assert b"unmistakable words" not in path.read_bytes()


def on_disk(path: Path) -> bytes:
    """What lies in the database, its log and the log's index."""
    files = [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]
    return b"".join(file.read_bytes() for file in files if file.exists())


def test_chat_erased_beside_a_store_that_is_open_is_gone_from_its_log_too(path: Path, store: SqliteStore) -> None:
    create(store)
    for n in range(30):
        store.chat.say("m1", ChatRow(1, 1, "players", "seat0", "Ada", f"unmistakable words {n}"), 9)
    assert b"unmistakable words" in on_disk(path)
    other = SqliteStore(path)
    assert other.chat.erase("m1")
    assert b"unmistakable words" not in on_disk(path)
    assert store.chat.said("m1", "players", 9) == []
    assert store.chat.say("m1", ChatRow(1, 1, "players", "seat0", "Ada", "later"), 9) == 1
    assert store.append(commit("m1", 1, 1)) == Committed(2)
    other.close()
    assert store.chat.erase("m1")
    assert b"later" not in on_disk(path)
    assert len(store.read("m1")) == 2


def test_chat_that_has_given_way_to_newer_lines_is_erased_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connected(path: Path, *, readonly: bool, lock_s: float) -> sqlite3.Connection:
        made = connect(path, readonly=readonly, lock_s=lock_s)
        made.execute("PRAGMA secure_delete = OFF")  # whose default is the build's
        return made

    monkeypatch.setattr("replay.store.sqlite.transactions.connect", connected)
    store = SqliteStore(path)
    create(store)
    for n in range(60):
        store.chat.say("m1", ChatRow(1, 1, "players", "seat0", "Ada", f"unmistakable words {n} {'x' * 200}"), 9)
        transactions(store).move_log()
    assert store.chat.erase("m1")
    assert b"unmistakable words" not in on_disk(path)
    store.close()


def test_erased_chat_that_somebody_still_reads_from_the_log_is_said_to_be_there(path: Path) -> None:
    store = SqliteStore(path, waits=Waits(empty_log_s=0.0))
    create(store)
    store.chat.say("m1", ChatRow(1, 1, "players", "seat0", "Ada", "unmistakable words"), 9)
    reader = connect(path, readonly=True)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM chat").fetchone() == (1,)
    assert not store.chat.erase("m1")
    assert b"unmistakable words" in on_disk(path)
    assert store.chat.said("m1", "players", 9) == []
    reader.execute("COMMIT")
    assert store.chat.erase("m1")
    assert b"unmistakable words" not in on_disk(path)
    reader.close()


def test_a_newer_schema_is_refused(path: Path) -> None:
    SqliteStore(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for readonly in (False, True):
        with pytest.raises(StoreFailed, match="newer Herald"):
            SqliteStore(path, readonly=readonly)


SCHEMA_4 = """
DROP TABLE hooks;
DROP TABLE calls;
PRAGMA user_version = 4;
"""

SCHEMA_3 = """
DROP INDEX matches_by_due;
ALTER TABLE matches DROP COLUMN due;
PRAGMA user_version = 3;
"""

SCHEMA_2 = """
ALTER TABLE matches DROP COLUMN closed;
ALTER TABLE matches DROP COLUMN delay_events;
ALTER TABLE matches DROP COLUMN delay_s;
DROP TABLE watchers;
DROP TABLE chat;
PRAGMA user_version = 2;
"""

SCHEMA_1 = """
ALTER TABLE openings RENAME TO later;
CREATE TABLE openings (
  match TEXT NOT NULL, seq INTEGER NOT NULL, slot INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (match, seq, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO openings SELECT match, seq, slot, value FROM later;
DROP TABLE later;
ALTER TABLE records DROP COLUMN opened;
ALTER TABLE records DROP COLUMN slots;
PRAGMA user_version = 1;
"""


FORMER = ["".join((SCHEMA_4, SCHEMA_3, SCHEMA_2, SCHEMA_1)[:steps]) for steps in (1, 2, 3, 4)]
"""What makes a database of schema 4, 3, 2 and 1 of one of this."""


@pytest.mark.parametrize("former", FORMER, ids=["4", "3", "2", "1"])
def test_a_database_of_an_older_schema_is_brought_up_to_date_with_nothing_lost(path: Path, former: str) -> None:
    store = SqliteStore(path)
    played(1, store)
    (header,) = store.matches.latest()
    lines = store.read(header.match)
    assert sum(len(line.openings) for line in lines) > 10
    store.close()
    with sqlite3.connect(path) as connection:
        connection.executescript(former)
    connection.close()
    with pytest.raises(StoreFailed, match=r"older Herald.*herald serve"):
        SqliteStore(path, readonly=True)
    again = SqliteStore(path)
    assert again.read(header.match) == lines
    assert again.read(header.match, after=5, limit=3) == lines[5:8]
    assert [found.match for found in again.matches.due(AT_ONCE)] == (
        [] if header.status == "finished" else [header.match]
    )
    create(again)
    assert again.append(commit("m1", 1, 2)) == Committed(3)
    assert [line.openings for line in again.read("m1")] == [line.openings for line in commit("m1", 0, 3).entries]
    assert again.append(commit("m1", 3, reminder=5)) == Committed(4)
    assert again.webhooks.set_address("m1", WebhookRow(0, "https://club.example/", "shh"), 9)
    assert again.webhooks.overdue(5) == [("m1", 4)]
    assert list(file_faults(again)) == []
    again.close()


def test_openings_of_two_servers_on_one_database_do_not_mix(store: SqliteStore, path: Path) -> None:
    create(store)
    other = SqliteStore(path)
    create(other, "m2")
    for server, match, expected in ((store, "m1", 1), (other, "m2", 1), (other, "m1", 2), (store, "m2", 2)):
        lines = (Entry(expected + 1, 2000, "Moved", 0, b"[]", (f'"{match}"'.encode(), b"null")),)
        assert server.append(Commit(match, expected, lines, b"h" * 32)) == Committed(expected + 1)
    for match in ("m1", "m2"):
        assert [line.openings[0] for line in store.read(match, after=1)] == [f'"{match}"'.encode()] * 2
    other.close()


class Told:
    """What `done` of a stage was told."""

    def __init__(self) -> None:
        self._answers: queue.SimpleQueue[list[Append | Exception]] = queue.SimpleQueue()

    def __call__(self, answers: list[Append | Exception]) -> None:
        self._answers.put(answers)

    def answers(self) -> list[Append | Exception]:
        """Waits for them."""
        return self._answers.get(timeout=200)


def stage(store: SqliteStore, commits: list[Commit], told: Told) -> None:
    """Stage when the writer's thread leaves room: it may still tidy up after its last answer."""
    by = time.monotonic() + 200
    while not store.stage(commits, told):
        assert time.monotonic() < by, "the writer's thread never leaves room"
        time.sleep(0.001)


def test_what_is_staged_is_durable_when_it_is_told_and_each_has_its_answer(store: SqliteStore, path: Path) -> None:
    create(store)
    create(store, "m2")
    told, heard = Told(), list[tuple[str, int]]()
    store.follow(lambda match, seq: heard.append((match, seq)))
    stage(store, [commit("m1", 1), commit("m2", 5), commit("m9", 0), commit("m2", 1)], told)
    answers = told.answers()
    assert answers[:2] == [Committed(2), Conflict(1)]
    assert isinstance(answers[2], NoSuchMatch)
    assert answers[3] == Committed(2)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT match, max(seq) FROM records GROUP BY match").fetchall() == [("m1", 2), ("m2", 2)]
    assert store.append(commit("m1", 2)) == Committed(3)
    assert heard == [("m1", 2), ("m2", 2), ("m1", 3)]
    assert store.pulse().groups[GROUP_BOUNDS.index(5)] == 1


def test_what_is_submitted_after_a_stage_comes_after_it(store: SqliteStore) -> None:
    create(store)
    told = Told()
    stage(store, [commit("m1", 1)], told)
    assert store.append(commit("m1", 2)) == Committed(3)
    assert told.answers() == [Committed(2)]


def test_who_waits_commits_without_another_thread_where_nothing_else_waits(store: SqliteStore) -> None:
    heard = list[int]()
    store.follow(lambda match, seq: heard.append(threading.get_ident()))
    create(store)
    assert store.append(commit("m1", 1)) == Committed(2)
    assert heard == [threading.get_ident()] * 2
    futures = [store.submit(commit("m1", seq)) for seq in range(2, 40)]
    assert store.append(commit("m1", 40)) == Committed(41), "behind all that was submitted before"
    assert [future.result() for future in futures] == [Committed(seq + 1) for seq in range(2, 40)]


def test_nothing_is_staged_while_another_connection_writes_and_what_is_submitted_waits(
    store: SqliteStore, path: Path
) -> None:
    create(store)
    told = Told()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not store.stage([commit("m1", 1)], told)
        future = store.submit(commit("m1", 1))
        other.execute("COMMIT")
    assert future.result(timeout=200) == Committed(2)
    stage(store, [commit("m1", 2)], told)
    assert told.answers() == [Committed(3)]


def test_nothing_is_staged_while_another_program_moves_the_log(store: SqliteStore, path: Path) -> None:
    create(store)
    told, other = Told(), CheckpointLock(path)
    with other.moving():
        assert not store.stage([commit("m1", 1)], told)
    stage(store, [commit("m1", 1)], told)
    assert told.answers() == [Committed(2)]
    with other.moving():
        pass
    other.close()


def test_after_a_failed_sync_of_what_was_staged_nothing_more_is_taken(store: SqliteStore) -> None:
    create(store)
    told, failures = Told(), list[str]()
    store.on_failure(failures.append)
    fail(store)
    stage(store, [commit("m1", 1)], told)
    (answer,) = told.answers()
    assert isinstance(answer, Unknown)
    assert len(failures) == 1
    assert not store.stage([commit("m1", 1)], told)
    with pytest.raises(StoreFailed, match="restart"):
        store.append(commit("m1", 1))
    assert len(store.read("m1")) == 1


def test_a_group_with_a_line_that_is_no_text_is_not_staged_at_all(store: SqliteStore) -> None:
    create(store)
    told = Told()
    stage(store, [commit("m1", 1), Commit("m1", 2, (Entry(3, 0, "Moved", 0, b"\xff"),), b"")], told)
    for answer in told.answers():
        assert isinstance(answer, StoreFailed)
    stage(store, [commit("m1", 1)], told)
    assert told.answers() == [Committed(2)]


def test_what_was_staged_last_is_durable_before_the_store_is_closed(path: Path) -> None:
    told, store = Told(), SqliteStore(path)
    create(store)
    stage(store, [commit("m1", 1)], told)
    store.close()
    assert told.answers() == [Committed(2)]
    again = SqliteStore(path)
    assert len(again.read("m1")) == 2
    again.close()


def test_of_an_older_database_each_match_that_goes_on_is_looked_at_once(path: Path) -> None:
    store = SqliteStore(path)
    for name, status in (("m1", "open"), ("m2", "running"), ("m3", "finished"), ("m4", "open")):
        create(store, name)
        store.append(commit(name, 1, status=status))
    store.append(commit("m4", 2, seat=SeatRow(1, "B", "person")))
    store.close()
    with sqlite3.connect(path) as connection:
        connection.executescript(FORMER[1])
    connection.close()
    again = SqliteStore(path)
    assert {header.match for header in again.matches.due(AT_ONCE)} == {"m2", "m4"}
    again.close()


def test_each_thread_that_reads_keeps_few_pages_and_who_writes_many(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    with closing(connect(path, readonly=False)) as writer, closing(connect(path, readonly=True)) as reader:
        (kept,), (few,) = (one.execute("PRAGMA cache_size").fetchone() for one in (writer, reader))
    assert (kept, few) == (-CACHE_KIB, -READERS_KIB)
    assert READERS_KIB * 32 <= CACHE_KIB
