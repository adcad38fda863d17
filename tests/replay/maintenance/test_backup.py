"""Copies of a database: of one moment, verified, and never put over a database that is in use."""

import errno
import os
import random
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from replay.maintenance.backup import back_up, keys_of, life_sign_of, restore
from replay.maintenance.database_check import check_database
from replay.record.errors import KeyInvalid
from replay.record.referee import Sign
from replay.record.serverkey import KeyRing
from replay.store.errors import StoreFailed
from replay.store.side_tables.webhooks import WebhookRow
from replay.store.sqlite.disk_reserve import DiskReserve, reserve_of
from replay.store.sqlite.store import SqliteStore
from tests.replay.matches import begun, played, step


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with three matches, and a key."""
    path = tmp_path / "live" / "herald.db"
    store, sign = SqliteStore(path), signer(path)
    for seed in range(3):
        played(seed, store, sign=sign)
    store.close()
    return path


def signer(database: Path) -> Sign:
    return KeyRing.beside(database).current.stamp


def content(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as read:
        return [
            *read.execute("SELECT match, seq, line FROM records ORDER BY 1, 2"),
            *read.execute("SELECT * FROM seats"),
        ]


def spoil(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(sql)
        connection.commit()


def test_a_copy_holds_everything_and_is_its_owners_alone(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    found = back_up(database, copy)
    assert (found.matches, found.faults) == (3, ())
    assert content(copy) == content(database)
    assert found.lines == sum(len(row) == 3 for row in content(copy))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert KeyRing(keys_of(copy)).current.public == KeyRing.beside(database).current.public
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "copy.db.keys", "live"]


def test_no_copy_holds_where_people_are_told_of_their_matches(database: Path, tmp_path: Path) -> None:
    with closing(SqliteStore(database)) as store:
        match = store.matches.latest()[0].match
        assert store.webhooks.set_address(match, WebhookRow(0, "https://club.example/of-a-seat", "unmistakable"), 9)
        store.webhooks.remind(match, 1, 0)
    copy, back = tmp_path / "copy.db", tmp_path / "back.db"
    back_up(database, copy)
    assert b"unmistakable" in database.read_bytes()
    assert b"unmistakable" not in copy.read_bytes()
    assert b"of-a-seat" not in copy.read_bytes()
    restore(database, back)
    assert b"unmistakable" not in back.read_bytes()
    with closing(SqliteStore(copy, readonly=True)) as kept, closing(SqliteStore(database, readonly=True)) as before:
        assert (kept.webhooks.matches(), kept.webhooks.overdue(0)) == ([], [])
        assert (before.webhooks.matches(), before.webhooks.overdue(0)) == ([match], [(match, 1)])


def test_no_copy_has_the_room_that_a_server_keeps_back(database: Path, tmp_path: Path) -> None:
    copy, back = tmp_path / "copies" / "copy.db", tmp_path / "back" / "back.db"
    copy.parent.mkdir()
    back.parent.mkdir()
    assert DiskReserve(database).keep()
    back_up(database, copy)
    restore(copy, back)
    assert reserve_of(database).is_file()
    assert {file.name for file in copy.parent.iterdir()} == {"copy.db", "copy.db.keys"}
    assert {file.name for file in back.parent.iterdir()} == {"back.db", "back.db.keys"}


def test_a_copy_made_while_a_match_is_played_is_of_one_moment(database: Path, tmp_path: Path) -> None:
    store = SqliteStore(database)
    sign, stop = signer(database), threading.Event()
    referee = begun(store, sign=sign)

    def play() -> None:
        rng, now = random.Random(1), referee
        while not stop.is_set():
            if not step(store, now, rng):
                now = begun(store, sign=sign)

    player = threading.Thread(target=play)
    player.start()
    try:
        for number in range(5):
            assert not back_up(database, tmp_path / f"{number}.db").faults
    finally:
        stop.set()
        player.join()
        store.close()


def test_a_copy_is_not_written_over_another_file(database: Path, tmp_path: Path) -> None:
    other = tmp_path / "copy.db"
    other.write_text("precious")
    with pytest.raises(StoreFailed, match="is there already"):
        back_up(database, other)
    assert other.read_text() == "precious"


def test_of_a_database_that_is_not_sound_no_copy_is_left(database: Path, tmp_path: Path) -> None:
    spoil(database, "UPDATE records SET line = replace(line, 'Player 1', 'Player 7')")
    with pytest.raises(StoreFailed, match=r"not sound: match .*chain"):
        back_up(database, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["live"]


def test_after_a_restore_nobody_is_charged_for_the_time_since_the_copy(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    life_sign_of(database).write_text("1")
    restore(copy, database)
    assert not life_sign_of(database).exists()


def test_a_restored_database_is_the_copy_and_the_old_one_is_kept(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    before = content(database)
    store = SqliteStore(database)
    played(9, store, sign=signer(database))
    store.close()
    later = content(database)
    found, kept = restore(copy, database)
    assert found.matches == 3
    assert content(database) == before
    assert kept is not None
    assert content(kept) == later
    assert copy.exists()


def test_a_log_left_by_a_crash_goes_with_the_old_database(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    database.unlink()
    database.with_name("herald.db-wal").write_bytes(b"left over")
    _, kept = restore(copy, database)
    assert kept is not None
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"left over"
    store = SqliteStore(database)
    assert not check_database(store, deep=True).faults
    store.close()


def test_a_database_in_use_is_not_touched(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    store = SqliteStore(database)
    try:
        with pytest.raises(StoreFailed, match="in use"):
            restore(copy, database)
        played(9, store, sign=signer(database))
    finally:
        store.close()
    assert len(list(database.parent.glob("herald.db.replaced*"))) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE matches SET head = x'00'",
        "DELETE FROM openings",
        "DELETE FROM records WHERE seq = 2",
        "DELETE FROM match_keys",
        "DELETE FROM matches",
    ],
)
def test_a_copy_that_is_not_sound_is_refused_and_nothing_changes(database: Path, tmp_path: Path, wrong: str) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    spoil(copy, wrong)
    before = content(database)
    with pytest.raises(StoreFailed):
        restore(copy, database)
    assert content(database) == before
    assert sorted(path.name for path in database.parent.iterdir()) == ["herald.db", "herald.db.keys"]


def test_a_torn_copy_is_refused(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    copy.write_bytes(copy.read_bytes()[: 4096 * 5])
    with pytest.raises(StoreFailed):
        restore(copy, database)


FOREIGN = ["", "CREATE TABLE foo (n)", "CREATE TABLE matches (n); PRAGMA user_version = 3"]


@pytest.mark.parametrize("tables", FOREIGN)
def test_a_file_that_is_not_a_herald_database_is_neither_copied_nor_restored(
    database: Path, tmp_path: Path, tables: str
) -> None:
    foreign, before = tmp_path / "foreign.db", content(database)
    foreign.touch()
    with closing(sqlite3.connect(foreign)) as connection:
        connection.executescript(tables)
    with pytest.raises(StoreFailed, match=r"foreign.db is not a Herald database: it"):
        restore(foreign, database)
    with pytest.raises(StoreFailed, match=r"foreign.db is not a Herald database: it"):
        back_up(foreign, tmp_path / "copy.db")
    assert content(database) == before
    assert not (tmp_path / "copy.db").exists()


def test_a_herald_database_without_a_match_is_copied_and_restored(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    SqliteStore(empty).close()
    assert back_up(empty, tmp_path / "copy.db").matches == 0
    found, _ = restore(tmp_path / "copy.db", tmp_path / "new.db")
    assert found.matches == 0


def test_a_database_is_restored_where_there_is_none_with_its_keys(database: Path, tmp_path: Path) -> None:
    copy, new = tmp_path / "copy.db", tmp_path / "other" / "herald.db"
    back_up(database, copy)
    _, kept = restore(copy, new)
    assert kept is None
    assert content(new) == content(database)
    assert KeyRing.beside(new).current.public == KeyRing.beside(database).current.public


@pytest.mark.parametrize("place", ["/proc/nobody/c.db", "file/c.db", "file/deeper/c.db"])
def test_a_place_where_nothing_can_be_written_is_said_in_a_sentence(database: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("no folder")
    back_up(database, tmp_path / "copy.db")
    with pytest.raises(StoreFailed, match=r"^no copy is made: .*(file|/proc/nobody).*; look whether"):
        back_up(database, tmp_path / place)
    with pytest.raises(StoreFailed, match=r"^nothing is restored: .*(file|/proc/nobody).*; look whether"):
        restore(tmp_path / "copy.db", tmp_path / place)


@pytest.mark.parametrize("asked", ["exists", "is_file"])
def test_a_folder_that_may_not_be_looked_into_is_said_in_a_sentence(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    back_up(database, tmp_path / "copy.db")

    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, asked, refuse)
    with pytest.raises(StoreFailed, match=r"no copy is made: .*Permission denied"):
        back_up(database, tmp_path / "closed" / "copy.db")
    with pytest.raises(StoreFailed, match=r"nothing is restored: .*Permission denied"):
        restore(tmp_path / "copy.db", tmp_path / "closed" / "herald.db")


def test_a_key_that_cannot_be_read_leaves_everything_as_it_was(database: Path, tmp_path: Path) -> None:
    copy, new = tmp_path / "copy.db", tmp_path / "new.db"
    back_up(database, copy)
    (key,) = keys_of(copy).iterdir()
    key.write_text("no key")
    with pytest.raises(KeyInvalid, match="not a private key"):
        restore(copy, new)
    assert not list(tmp_path.glob("*new.db*"))


Given = dict[Path, tuple[int, int]]


def as_root(monkeypatch: pytest.MonkeyPatch, owned: Path, owner: tuple[int, int]) -> Given:
    """Whoever tests is root now, and `owned` is somebody else's; what is given to whom, by where it lies in the end."""
    given: Given = {}
    really, rename = Path.stat, Path.rename

    def stat_of(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        found = really(path, follow_symlinks=follow_symlinks)
        return os.stat_result((*found[:4], *owner, *found[6:])) if path == owned else found

    def chown(path: Path, uid: int, gid: int, *, follow_symlinks: bool) -> None:
        assert not follow_symlinks
        given[path] = (uid, gid)

    def renamed(path: Path, target: Path) -> Path:
        if path in given:
            given[target] = given.pop(path)
        return rename(path, target)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(Path, "stat", stat_of)
    monkeypatch.setattr(Path, "rename", renamed)
    return given


def test_what_root_restores_belongs_to_who_had_the_database(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    (lost,) = keys_of(database).iterdir()
    lost.unlink()
    given = as_root(monkeypatch, database, (1234, 5678))
    restore(copy, database)
    assert given == {database: (1234, 5678), lost: (1234, 5678)}


def test_where_there_was_no_database_what_root_restores_belongs_to_who_has_the_folder(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, home = tmp_path / "copy.db", tmp_path / "home"
    back_up(database, copy)
    home.mkdir()
    given = as_root(monkeypatch, home, (1234, 5678))
    new = home / "herald" / "herald.db"
    restore(copy, new)
    assert set(given) == {new.parent, new, keys_of(new), *keys_of(new).iterdir()}
    assert set(given.values()) == {(1234, 5678)}


def test_who_is_not_root_gives_nothing_away(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    given = as_root(monkeypatch, database, (1234, 5678))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    restore(copy, database)
    assert given == {}


@pytest.mark.parametrize(
    ("wrong", "count"), [("DELETE FROM records WHERE seq = 2", "3 faults"), ("DROP TABLE seats", "")]
)
def test_a_refusal_names_the_file_that_was_given_and_counts(
    database: Path, tmp_path: Path, wrong: str, count: str
) -> None:
    copy = tmp_path / "copy.db"
    back_up(database, copy)
    spoil(copy, wrong)
    with pytest.raises(StoreFailed) as refused:
        restore(copy, database)
    assert str(refused.value).startswith(f"{copy} is not")
    assert count in str(refused.value)
    assert "draft" not in str(refused.value)


def test_one_fault_is_one(database: Path, tmp_path: Path) -> None:
    spoil(database, "DELETE FROM match_keys WHERE match = (SELECT min(match) FROM matches)")
    with pytest.raises(StoreFailed, match=r"keys are missing \(1 fault in all\)"):
        back_up(database, tmp_path / "copy.db")


@pytest.mark.parametrize("linked", [False, True])
def test_a_database_is_not_restored_from_itself(database: Path, tmp_path: Path, *, linked: bool) -> None:
    given, before = tmp_path / "same.db" if linked else database, content(database)
    if linked:
        given.symlink_to(database)
    with pytest.raises(StoreFailed, match="the database itself"):
        restore(given, database)
    assert content(database) == before
    assert len(list(database.parent.iterdir())) == 2
