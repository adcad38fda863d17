"""Matches as the tests of stores put them: lines that say little, secrets that are none."""

from pathlib import Path

import pytest

from replay.store.log import Commit, Committed, Entry, Keys
from replay.store.matches import Header
from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from replay.store.seats import SeatRow
from replay.store.side_tables.chat import ChatRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.postgres import Instance

KEYS = Keys(b"m" * 32, b"n" * 32, b"h" * 32)


def entry(seq: int, *openings: bytes) -> Entry:
    return Entry(seq, 1000 + seq, "Moved", 0, f'[1,"é{seq}"]'.encode(), openings)


def commit(match: str, expected: int, lines: int = 1, **more: object) -> Commit:
    entries = tuple(entry(expected + i, b"null", b'"s"') for i in range(1, lines + 1))
    return Commit(match, expected, entries, bytes([(expected + lines) % 256]) * 32, **more)  # type: ignore[arg-type]


def create(store: Store, match: str = "m1", created_ms: int = 1, lines: int = 1) -> None:
    header = Header(match, "skirmish", "1", created_ms, "A match", True, "open", "", created_ms)
    seats = (SeatRow(0, "A", "person", "", b"hash"), SeatRow(1))
    assert store.create(header, KEYS, seats, commit(match, 0, lines)) == Committed(lines)


POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.xdist_group("postgres")])


def said(n: int, room: str = "players") -> ChatRow:
    return ChatRow(n, 1000 + n, room, "seat0", "Ada", f"line {n}")


def store_of(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty store of the kind that the test is run with."""
    match request.param:
        case "memory":
            return MemoryStore()
        case "sqlite":
            return SqliteStore(tmp_path / "herald.db")
    instance: Instance = request.getfixturevalue("postgres")
    return PostgresStore(instance.emptied())
