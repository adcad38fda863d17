"""Copies of a database: made while a server writes, verified, and restored only where no server runs."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from replay.maintenance.database_check import DatabaseCheck, Progress, assert_sound, quietly
from replay.record.errors import KeyInvalid
from replay.record.serverkey import KeyRing, key_files
from replay.store.errors import StoreFailed
from replay.store.sqlite.schema import assert_herald, assert_known, connect
from replay.store.sqlite.store import SqliteStore

BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps for one database."""
Owner = tuple[int, int] | None
"""The user and group that will own files; None: their owner stays the same."""


def keys_of(database: Path) -> Path:
    """The folder beside a database with the server's keys."""
    return database.with_name(database.name + ".keys")


def life_sign_of(database: Path) -> Path:
    """The file in which a server notes that it is alive."""
    return database.with_name(database.name + ".alive")


def back_up(database: Path, target: Path, progress: Progress = quietly) -> DatabaseCheck:
    """Copy a database and its keys to `target`, as they are at one moment, and verify the copy; returns its content.

    A server may write meanwhile and is not held up. Raises `StoreFailed` if the copy cannot be made or is not sound,
    or if the database is not one of Herald's; then no copy is left.
    """
    with _told(target, "no copy is made"):
        if not database.is_file():
            raise StoreFailed(f"there is no database at {database}; name one with --db")
        if target.exists():
            raise StoreFailed(f"{target} is there already; name another file, or move it away")
        with _put_in_place(target) as draft:
            _copy(database, draft)
            found = _verified(draft, database, progress)
            _copy_keys(keys_of(database), keys_of(target))
    return found


def restore(backup: Path, database: Path, progress: Progress = quietly) -> tuple[DatabaseCheck, Path | None]:
    """Replace a database with a verified copy of `backup`; returns its content, and the place of the old database, if
    any.

    The keys in the backup are added to those of the database. If root runs this, all files belong to the owner of the
    former database, or of the folder, so that the server can open it. Raises `StoreFailed` if the backup is not sound
    or not a Herald database, or if a program has the database open; then nothing has changed.
    """
    kept = None
    with _told(database, "nothing is restored"):
        if not backup.is_file():
            raise StoreFailed(f"there is no file {backup}")
        if database.exists() and backup.samefile(database):
            raise StoreFailed(f"{backup} is the database itself; name a copy of it")
        _assert_idle(database)
        owner = _owner_of(database)
        with _put_in_place(database, owner) as draft:
            _copy(backup, draft)
            found = _verified(draft, backup, progress)
            _assert_idle(database)
            _copy_keys(keys_of(backup), keys_of(database), owner)
            # The old server's last sign of life does not apply to the copy: no clock ran after the copy's last line.
            life_sign_of(database).unlink(missing_ok=True)
            kept = _set_aside(database)
    return found, kept


@contextmanager
def _told(place: Path, then: str) -> Iterator[None]:
    """Turn a system error into a sentence: the consequence (`then`), the file, the reason. Raises `StoreFailed`."""
    try:
        yield
    except OSError as wrong:
        named = wrong.filename or place
        todo = "look whether this user may read and write there, or name another place"
        raise StoreFailed(f"{then}: {named}: {wrong.strerror}; {todo}") from wrong


def _copy(source: Path, target: Path) -> None:
    """Copy all pages in one step, at one consistent moment; this holds up no writer in WAL mode."""
    with closing(connect(source, readonly=True)) as reading, closing(sqlite3.connect(target)) as writing:
        # Check the source: the copy gets the tables that it lacks when it is brought up to date.
        assert_known(reading, source, readonly=False)
        assert_herald(reading, source)
        try:
            reading.backup(writing)
        except sqlite3.Error as wrong:
            raise StoreFailed(f"{source} cannot be copied to {target.parent}: {wrong}") from wrong


def _verified(copy: Path, source: Path, progress: Progress) -> DatabaseCheck:
    """Bring a new copy up to this program's schema and check it; afterwards it is one file, without a log beside it.

    No copy contains the addresses of notices, or the notices that wait.

    Raises `StoreFailed`, which names the source, and then the copy is removed.
    """
    try:
        store = SqliteStore(copy)
        try:
            store.webhooks.clear()
            store.notices.clear()
            found = assert_sound(store, progress)
        finally:
            store.close()
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except (StoreFailed, sqlite3.Error) as wrong:
        raise StoreFailed(str(wrong).replace(str(copy), str(source))) from wrong
    return found


@contextmanager
def _put_in_place(target: Path, owner: Owner = None) -> Iterator[Path]:
    """A draft beside the target; it replaces the target durably if all went well, and is removed if not.

    Raises `OSError`.
    """
    _make_folder(target.parent, owner)
    draft = target.with_name(f".{target.name}.draft-{os.getpid()}")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield draft
        _give(draft, owner)
        sync(draft)
        draft.rename(target)
        sync(target.parent)
    finally:
        for suffix in BESIDE:
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _make_folder(folder: Path, owner: Owner, mode: int = 0o777) -> None:
    """Make a folder and the missing folders above it."""
    if folder.is_dir():
        return
    _make_folder(folder.parent, owner)
    try:
        folder.mkdir(mode)
    except FileExistsError as wrong:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from wrong
    _give(folder, owner)


def _owner_of(target: Path) -> Owner:
    """The owner of the target, or of the nearest existing folder above it. None for a user other than root."""
    if os.geteuid() != 0:
        return None
    there = next(path for path in (target, *target.absolute().parents) if path.exists())
    found = there.stat()
    return found.st_uid, found.st_gid


def _give(path: Path, owner: Owner) -> None:
    if owner is not None:
        # Never follow a link, because the owner of the folder may have put one there meanwhile.
        os.chown(path, *owner, follow_symlinks=False)


def sync(path: Path) -> None:
    """Make a file or a folder's entries durable."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _copy_keys(source: Path, target: Path, owner: Owner = None) -> None:
    """Add the missing keys; each file is named after its key, so none is overwritten.

    Raises `KeyInvalid`, and then none has been added.
    """
    files = key_files(source)
    if not files:
        return
    _make_folder(target, owner, 0o700)
    added = [target / file.name for file in files if not (target / file.name).exists()]
    try:
        for copy in added:
            _copy_key(source / copy.name, copy)
            _give(copy, owner)
        sync(target)
        KeyRing(target)
    except (OSError, KeyInvalid):
        for copy in added:
            copy.unlink(missing_ok=True)
        if not any(target.iterdir()):
            target.rmdir()
        raise


def _copy_key(source: Path, copy: Path) -> None:
    data = source.read_bytes()
    with os.fdopen(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)
    sync(copy)


def _assert_idle(database: Path) -> None:
    """Raise `StoreFailed` if another program has the database open: such a program holds a lock on the database.

    Leaving WAL mode locks the whole file, and moves the log of a crashed program into the file, so that the old
    database is complete without its log.
    """
    if not database.exists():
        return
    try:
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    except sqlite3.OperationalError as wrong:
        mode = "wal" if "locked" in str(wrong) else ""
    except sqlite3.DatabaseError:
        mode = ""  # the file is no database any more, so no program has it open
    if mode == "wal":
        raise StoreFailed(f"{database} is in use; stop the server first")


def _set_aside(database: Path) -> Path | None:
    """Rename the old database and SQLite's files beside it: SQLite would take an old log for the new database's log."""
    found = [suffix for suffix in BESIDE if database.with_name(database.name + suffix).exists()]
    kept = database.with_name(f"{database.name}.replaced-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in found:
        database.with_name(database.name + suffix).rename(kept.with_name(kept.name + suffix))
    return kept if found else None
