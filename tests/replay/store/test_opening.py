"""Which store a name stands for."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from replay.store.errors import StoreFailed
from replay.store.opening import open_address, open_named
from replay.store.postgres.address import is_address, shown
from replay.store.sqlite.store import SqliteStore


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://ada:sesame@db.example:5433/herald", "postgresql://ada@db.example:5433/herald"),
        ("postgresql://db.example/herald?password=sesame", "postgresql://db.example/herald"),
        ("postgresql://db.example:sesame/herald", "the address of the store"),
        ("postgresql://ada:12/sesame@db.example/herald", "the address of the store"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, told: str) -> None:
    assert shown(address) == told


def test_a_name_is_a_file_unless_it_begins_as_an_address_does(tmp_path: Path) -> None:
    names = ("postgres://x/y", "postgresql://x/y", "/srv/herald.db", "postgresql")
    assert [is_address(name) for name in names] == [True, True, False, False]
    store = open_named(str(tmp_path / "herald.db"))
    assert isinstance(store, SqliteStore)
    store.close()


def test_without_what_speaks_the_protocol_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def bare(name: str, *given: Any) -> Any:
        if name == "replay.store.postgres.store":
            raise ImportError(name)
        return real(name, *given)

    monkeypatch.setattr(builtins, "__import__", bare)
    with pytest.raises(StoreFailed, match="psycopg is not installed"):
        open_address("postgresql://x/y")
