"""Who commits and who moves the log take turns, whatever process they are in."""

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from replay.store.errors import StoreFailed
from replay.store.sqlite.checkpoint_lock import CheckpointLock
from replay.store.sqlite.schema import Waits
from replay.store.sqlite.store import SqliteStore
from tests.replay.matches import played


def lines_in_file(path: Path, folder: Path) -> int:
    """Lines that lie in the file itself, the log left out."""
    copy = shutil.copyfile(path, folder / "copy.db")
    with closing(sqlite3.connect(copy)) as connection:
        try:
            found: int = connection.execute("SELECT count(*) FROM records").fetchone()[0]
        except sqlite3.DatabaseError:
            return 0
    return found


def wait_for_lines(path: Path, folder: Path, most: int) -> None:
    """Until more lines lie in the file itself."""
    until = time.monotonic() + 60
    while lines_in_file(path, folder) <= most:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_log_is_moved_into_the_file_when_enough_is_in_it(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "a.db")) as store:
        played(1, store)
        assert lines_in_file(store.path, tmp_path) == 0
    with closing(SqliteStore(tmp_path / "b.db", waits=Waits(log_pages=1))) as store:
        _, referee = played(2, store)
        store.probe()  # behind it the writer moves the log
        wait_for_lines(store.path, tmp_path, referee.seq - 1)


def test_who_commits_waits_until_the_log_is_moved(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "a.db")) as store, closing(CheckpointLock(store.path)) as other:
        done = threading.Event()
        with other.moving():

            def play() -> None:
                played(1, store)
                done.set()

            thread = threading.Thread(target=play)
            thread.start()
            assert not done.wait(0.2)
        assert done.wait(60)
        thread.join()


def test_several_may_commit_but_only_one_moves(tmp_path: Path) -> None:
    one, two = CheckpointLock(tmp_path / "a.db", 0.0), CheckpointLock(tmp_path / "a.db", 0.0)
    with closing(one), closing(two), one.committing(), two.committing():
        pass
    one, two = CheckpointLock(tmp_path / "a.db", 0.0), CheckpointLock(tmp_path / "a.db", 0.0)
    with closing(one), closing(two), one.moving():
        with pytest.raises(StoreFailed, match=r"a\.db: another program has kept the log"), two.moving():
            pass
        with pytest.raises(StoreFailed, match="kept the log"), two.committing():
            pass


def test_a_log_that_cannot_be_moved_is_tried_again_later(tmp_path: Path) -> None:
    waits = Waits(turn_s=0.0, log_pages=1)
    with closing(SqliteStore(tmp_path / "a.db", waits=waits)) as store, closing(CheckpointLock(store.path)) as other:
        with other.committing():
            _, referee = played(1, store)
            assert store.head(referee.match).seq == referee.seq
        assert lines_in_file(store.path, tmp_path) == 0
        store.probe()
        wait_for_lines(store.path, tmp_path, 0)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="nowhere cannot be opened"):
        CheckpointLock(tmp_path / "nowhere" / "a.db")


def test_a_folder_that_is_the_first_thing_a_process_opened_is_closed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    monkeypatch.setattr(os, "open", lambda *_: 0)
    monkeypatch.setattr(os, "close", closed.append)
    mine = CheckpointLock(tmp_path / "a.db")
    mine.close()
    mine.close()
    assert closed == [0]
