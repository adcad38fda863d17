"""A database of an older schema is kept as it was before it is brought up to date, or nothing is changed."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from replay.store.errors import StoreFailed
from replay.store.sqlite.schema import SCHEMA_VERSION
from replay.store.sqlite.store import SqliteStore

OLDER = SCHEMA_VERSION - 1
NEWEST = ("person_claims", "device_vouchers", "passkeys")
"""The tables that the schema before lacked."""


def made(folder: Path, version: int) -> Path:
    """A database that says of itself that it is of this schema."""
    path = folder / "played.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mark (text TEXT)")
        connection.execute("INSERT INTO mark VALUES ('as it was')")
        if version == OLDER:
            connection.executescript("; ".join(f"DROP TABLE {table}" for table in NEWEST))
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
    return path


def kept_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("played.db.schema*"))


def test_an_older_database_is_kept_as_it_was_and_that_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = made(tmp_path, OLDER)
    with caplog.at_level(logging.WARNING):
        SqliteStore(path).close()
    (kept,) = kept_in(tmp_path)
    assert kept.name.startswith(f"played.db.schema{OLDER}-")
    assert str(kept) in caplog.text
    assert kept.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (OLDER,)
        assert connection.execute("SELECT text FROM mark").fetchone() == ("as it was",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_a_database_of_this_schema_is_not_copied(tmp_path: Path) -> None:
    path = made(tmp_path, SCHEMA_VERSION)
    SqliteStore(path).close()
    assert not kept_in(tmp_path)


def test_where_it_cannot_be_copied_nothing_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path, OLDER)

    def fails(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(StoreFailed, match="cannot be copied before it is brought up"):
        SqliteStore(path)
    assert not kept_in(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (OLDER,)


def test_a_newer_database_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = made(tmp_path, SCHEMA_VERSION + 1)
    with pytest.raises(StoreFailed, match="Install the newer one again, or serve the copy that was kept"):
        SqliteStore(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)


def test_a_file_that_lacks_the_index_of_noted_seats_has_it_once_a_server_opens_it(tmp_path: Path) -> None:
    path = made(tmp_path, SCHEMA_VERSION)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP INDEX person_seats_by_match")
        connection.commit()
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute("EXPLAIN QUERY PLAN SELECT person FROM person_seats WHERE match = 'm' ORDER BY seat")
        assert "person_seats_by_match" in str(plan.fetchall())
