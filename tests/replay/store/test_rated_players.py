"""Persons as ratings know them, in every store that needs no server."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from replay.maintenance.database_check import file_faults
from replay.store.memory import MemoryStore
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with closing(MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "herald.db")) as made:
        yield made


def test_a_person_has_one_random_name_in_all_matches(store: Store) -> None:
    players = store.rated_players
    assert (players.pseudonym("m1", 0), players.name("ann"), players.person("x")) == ("", "", "")
    for match, seat in (("m1", 0), ("m2", 1)):
        players.sit("ann", match, seat)
    players.sit("ben", "m1", 1)
    name = players.pseudonym("m1", 0)
    assert name
    assert name == players.pseudonym("m2", 1) == players.name("ann") != players.name("ben")
    assert (players.person(name), players.pseudonym("m2", 0)) == ("ann", "")
    assert "ann" not in name


def test_a_seat_stays_with_the_first_who_said_so(store: Store) -> None:
    players = store.rated_players
    players.sit("ann", "m1", 0)
    players.sit("ben", "m1", 0)
    assert players.pseudonym("m1", 0) == players.name("ann")


def test_a_person_who_is_severed_leaves_a_name_that_is_nobodys(store: Store) -> None:
    players = store.rated_players
    players.sever("ann")
    players.sit("ann", "m1", 0)
    name = players.name("ann")
    players.sever("ann")
    assert (players.pseudonym("m1", 0), players.person(name), players.name("ann")) == (name, "", "")
    players.sit("ann", "m2", 0)
    assert players.name("ann") not in ("", name)


def test_the_tables_are_those_that_the_doctor_knows(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "herald.db")) as store:
        store.rated_players.sit("ann", "m1", 0)
        assert list(file_faults(store)) == []
