"""Opens the store that a name refers to: a SQLite file, or a database on the PostgreSQL protocol."""

from pathlib import Path

from replay.store.errors import StoreFailed
from replay.store.postgres.address import is_address
from replay.store.sqlite.store import SqliteStore
from replay.store.store import SharedStore, Store


def open_address(address: str, *, readonly: bool = False) -> SharedStore:
    """The store at an address. Raises `StoreFailed` with advice, also if the library for the protocol is missing."""
    try:
        # A store in a file needs none of it.
        from replay.store.postgres.store import PostgresStore  # noqa: PLC0415
    except ImportError as wrong:
        raise StoreFailed(
            "psycopg is not installed, which speaks to PostgreSQL; install what requirements-postgres.lock names"
        ) from wrong
    return PostgresStore(address, readonly=readonly)


def open_named(name: str, *, readonly: bool = False) -> Store:
    """The store with a name, which may be a path. Raises `StoreFailed`."""
    return open_address(name, readonly=readonly) if is_address(name) else SqliteStore(Path(name), readonly=readonly)
