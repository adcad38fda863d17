"""Copies a SQLite database before it is updated to a newer schema."""

import logging
import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from replay.store.errors import StoreFailed
from replay.store.sqlite.schema import SCHEMA_VERSION

LOG = logging.getLogger(__name__)


def keep_as_it_was(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Copy a whole database with an older schema beside itself, synced, and report it; None if it is not older.

    Raises `StoreFailed` if it cannot be copied; then nothing is changed.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not 0 < version < SCHEMA_VERSION:
        return None
    kept = path.with_name(f"{path.name}.schema{version}-{time.strftime('%Y%m%d-%H%M%S')}")
    partial = kept.with_name(f"{kept.name}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(partial)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # so that the file alone holds the whole database
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(kept)
    except (OSError, sqlite3.Error) as wrong:
        with suppress(OSError):
            partial.unlink()
        raise StoreFailed(
            f"{path} is of an older Herald (schema {version}) and cannot be copied before it is brought up to schema"
            f" {SCHEMA_VERSION}: {wrong}; nothing was changed"
        ) from wrong
    LOG.warning(
        "%s was written by an older Herald: it is brought up from schema %d to %d. As it was it is kept in %s",
        path,
        version,
        SCHEMA_VERSION,
        kept,
    )
    return kept
