"""Which store a name stands for: a SQLite file, or a database on the PostgreSQL protocol."""

from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from replay.store.errors import StoreFailed
from replay.store.log import Store
from replay.store.sqlite import SqliteStore


def is_address(name: str) -> bool:
    """Whether a name is the address of a database that speaks the PostgreSQL protocol."""
    return name.startswith(("postgresql://", "postgres://"))


def shown(address: str) -> str:
    """An address as people may see it: without its password, and what else it may hold."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address of the store"
    if "@" in parts.path:  # a slash in a password that was not written as %2F
        return "the address of the store"
    user = f"{parts.username}@" if parts.username else ""
    return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"


class SharedStore(Store, Protocol):
    """A store that several servers share."""

    def now_ms(self) -> int:
        """What time it is for all who share it, in ms. Raises `StoreFailed`."""
        ...

    def alive_ms(self) -> int:
        """When a server over it was last alive, in ms; 0 where none ever was. Raises `StoreFailed`."""
        ...

    def live(self, at: int) -> None:
        """A server is alive at a time in ms. Raises `StoreFailed`."""
        ...


def open_address(address: str, *, readonly: bool = False) -> SharedStore:
    """The store at an address. Raises `StoreFailed` with what to do, also where what speaks the protocol is missing."""
    try:
        # Who keeps matches in a file needs none of it.
        from replay.store.postgres import PostgresStore  # noqa: PLC0415
    except ImportError as wrong:
        raise StoreFailed(
            "psycopg is not installed, which speaks to PostgreSQL; install what requirements-postgres.lock names"
        ) from wrong
    return PostgresStore(address, readonly=readonly)


def open_named(name: str, *, readonly: bool = False) -> Store:
    """The store of a name, which may be a path. Raises `StoreFailed`."""
    return open_address(name, readonly=readonly) if is_address(name) else SqliteStore(Path(name), readonly=readonly)
