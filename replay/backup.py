"""Copies of a database: made while a server writes, verified, and put back only where no server is."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from replay.errors import StoreFailed
from replay.schema import assert_herald, assert_known, connect
from replay.serverkey import KeyRing
from replay.soundness import Progress, Soundness, assert_sound, quietly
from replay.sqlite import SqliteStore

BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""The files that SQLite keeps of one database."""


def keys_of(database: Path) -> Path:
    """The folder with the server's keys beside a database."""
    return database.with_name(database.name + ".keys")


def life_sign_of(database: Path) -> Path:
    """The file in which a server says that it is alive."""
    return database.with_name(database.name + ".alive")


def back_up(database: Path, target: Path, progress: Progress = quietly) -> Soundness:
    """Copy a database and its keys to `target`, as they are at one moment, and verify the copy; what is in it.

    A server may be writing meanwhile and is not held up. Raises `StoreFailed` when the copy cannot be made, is not
    sound or the database is none of Herald's; then there is none.
    """
    if target.exists():
        raise StoreFailed(f"{target} is there already; name another file, or move it away")
    with _put_in_place(target) as draft:
        _copy(database, draft)
        found = _verified(draft, progress)
    _copy_keys(keys_of(database), keys_of(target))
    return found


def restore(backup: Path, database: Path, progress: Progress = quietly) -> tuple[Soundness, Path | None]:
    """Put a verified copy of `backup` in a database's place: what is in it, and where the old one is kept, if any.

    Keys that the backup has are added to those of the database. Raises `StoreFailed` when the backup is not sound or
    no Herald database, or a program has the database open; then nothing has changed.
    """
    if not backup.is_file():
        raise StoreFailed(f"there is no file {backup}")
    _assert_idle(database)
    kept = None
    with _put_in_place(database) as draft:
        _copy(backup, draft)
        found = _verified(draft, progress)
        _assert_idle(database)
        # When the server was last alive says nothing of the copy: no clock ran from the copy's last line on.
        life_sign_of(database).unlink(missing_ok=True)
        kept = _set_aside(database)
    _copy_keys(keys_of(backup), keys_of(database))
    return found, kept


def _copy(source: Path, target: Path) -> None:
    """All pages in one step: a consistent moment, which a writer in the log's mode is not held up by."""
    with closing(connect(source, readonly=True)) as reading, closing(sqlite3.connect(target)) as writing:
        # Of the source, for the copy is given the tables that it lacks when it is brought up to date.
        assert_known(reading, source, readonly=False)
        assert_herald(reading, source)
        try:
            reading.backup(writing)
        except sqlite3.Error as wrong:
            raise StoreFailed(f"{source} cannot be copied to {target.parent}: {wrong}") from wrong


def _verified(copy: Path, progress: Progress) -> Soundness:
    """Check a copy of ours, brought up to this program's schema; afterwards it is one file, without a log beside it."""
    store = SqliteStore(copy)
    try:
        found = assert_sound(store, progress)
    finally:
        store.close()
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return found


@contextmanager
def _put_in_place(target: Path) -> Iterator[Path]:
    """A draft beside the target that takes its place, durably, when all went well, and is removed when not."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.draft-{os.getpid()}")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield draft
        sync(draft)
        draft.rename(target)
        sync(target.parent)
    except OSError as wrong:
        raise StoreFailed(f"{target} cannot be written: {wrong.strerror}") from wrong
    finally:
        for suffix in BESIDE:
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Make a file or a folder's entries durable."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _copy_keys(source: Path, target: Path) -> None:
    """Add the keys that are not there yet; a file is named for its key, so none is written over."""
    if not source.is_dir() or not any(source.iterdir()):
        return
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in source.iterdir():
        copy = target / file.name
        if file.is_file() and not copy.exists():
            shutil.copyfile(file, copy)
            copy.chmod(0o600)
            sync(copy)
    sync(target)
    KeyRing(target)


def _assert_idle(database: Path) -> None:
    """Raise `StoreFailed` when another program has the database open: it holds a lock on it as long as it has.

    To leave the log's mode takes the whole file for oneself, and moves what a program that crashed has left in the log
    into the file, so that the old database is whole by itself.
    """
    if not database.exists():
        return
    try:
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    except sqlite3.OperationalError as wrong:
        mode = "wal" if "locked" in str(wrong) else ""
    except sqlite3.DatabaseError:
        mode = ""  # what is no database any more, nobody has open
    if mode == "wal":
        raise StoreFailed(f"{database} is in use; stop the server first")


def _set_aside(database: Path) -> Path | None:
    """Rename the old database, and what SQLite keeps beside it: a log left there would be taken for the new one's."""
    found = [suffix for suffix in BESIDE if database.with_name(database.name + suffix).exists()]
    kept = database.with_name(f"{database.name}.replaced-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in found:
        database.with_name(database.name + suffix).rename(kept.with_name(kept.name + suffix))
    return kept if found else None
