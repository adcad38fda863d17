"""Every store's entries of persons to seats: of noted seats alone, the last token counts, and deletion is whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.maintenance.database_check import OPTIONAL
from replay.store import side_tables
from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.people import NameRow, OwnSeatRow
from replay.store.side_tables.seat_entries import EntryRow
from replay.store.store import Store
from tests.replay.store.stored import POSTGRES, store_of


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    for person in ("ann", "bob"):
        made.people.sign_up(NameRow(person, person, person, 1), DeviceRow(person, person, "", 1, 1), person.encode())
    yield made
    made.close()


def test_an_entry_is_kept_for_a_noted_seat_and_replaced_by_the_next(store: Store) -> None:
    entry = EntryRow("ann", "m1", 0, b"one")
    store.seat_entries.keep(entry)
    assert store.seat_entries.at("ann", "m1") == []
    store.people.keep_seat(OwnSeatRow("ann", "m1", 0, 1), 9)
    for token_hash in (b"one", b"two"):
        store.seat_entries.keep(EntryRow("ann", "m1", 0, token_hash))
        assert store.seat_entries.at("ann", "m1") == [EntryRow("ann", "m1", 0, token_hash)]
    assert (store.seat_entries.at("bob", "m1"), store.seat_entries.at("ann", "m2")) == ([], [])


def test_an_entry_goes_with_its_seat_or_its_person(store: Store) -> None:
    store.seat_entries.forget("nobody")
    for seat in (0, 1, 2):
        store.people.keep_seat(OwnSeatRow("ann", "m1", seat, 1), 9)
        store.seat_entries.keep(EntryRow("ann", "m1", seat, b"one"))
    store.seat_entries.drop("ann", "m1", 1)
    assert [row.seat for row in store.seat_entries.at("ann", "m1")] == [0, 2]
    store.seat_entries.forget("ann")
    assert store.seat_entries.at("ann", "m1") == []


def test_a_check_knows_every_table_that_a_database_has_from_its_first_use_on() -> None:
    made = {
        name
        for path in Path(side_tables.__path__[0]).glob("*.py")
        for name in getattr(__import__(f"replay.store.side_tables.{path.stem}", fromlist=["MADE"]), "MADE", {})
    }
    assert {"person_entries", "person_calendars", "rating_names"} <= made
    assert made <= {name for tables in OPTIONAL for name in tables}
