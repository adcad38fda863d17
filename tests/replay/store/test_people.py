"""Every store's promises about persons: one holder for a handle, codes that work once, deletion that is whole."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from replay.store.errors import RowExists
from replay.store.side_tables.devices import DEVICES, SESSIONS, DeviceRow, PairingRow, SessionRow
from replay.store.side_tables.people import NameRow, NoticeRow, OwnSeatRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.replay.store.stored import POSTGRES, store_of

LATER = 5000


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    yield made
    made.close()


def code(person: str) -> bytes:
    return f"code of {person}".encode()


def device(person: str, key: str = "") -> DeviceRow:
    return DeviceRow(key or f"key of {person}", person, "phone", 1, 1)


def sign_up(store: Store, person: str, handle: str = "", at: int = 1) -> bool:
    named = handle or person
    return store.people.sign_up(NameRow(person, named, named.casefold(), at), device(person), code(person))


def handle(person: str, named: str, at: int) -> NameRow:
    return NameRow(person, named, named.casefold(), at)


def begin(store: Store, person: str, token: bytes = b"t", key: str = "") -> bool:
    return store.devices.begin_session(SessionRow(token, person, key or f"key of {person}", 10, 100))


def at_once(act: Callable[[int], bool]) -> list[bool]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(act, range(8)))


def test_a_person_has_a_handle_and_a_device(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    assert store.devices.device("key of p1") == device("p1")
    assert store.devices.devices("p1") == [device("p1")]
    assert store.people.handles("p1") == [handle("p1", "Anja", 1)]
    assert store.people.named("anja") == handle("p1", "Anja", 1)
    assert (store.devices.device("key"), store.devices.devices("p2"), store.people.named("Anja")) == (None, [], None)


def test_a_handle_that_is_taken_makes_no_person(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    assert not sign_up(store, "p2", "ANJA")
    assert (store.devices.device("key of p2"), store.people.by_recovery(code("p2"))) == (None, "")


def test_a_known_device_makes_no_second_person(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    with pytest.raises(RowExists):
        store.people.sign_up(handle("p2", "Bert", 1), device("p2", "key of p1"), code("p2"))
    assert store.people.named("bert") is None


def test_of_many_at_once_one_gets_the_handle(store: Store) -> None:
    assert at_once(lambda n: sign_up(store, f"p{n}", "Anja")).count(True) == 1


def test_a_former_handle_is_kept_from_others_for_a_while(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    assert sign_up(store, "p2", "Bert")
    assert store.people.rename(handle("p1", "Cleo", 10), LATER)
    assert store.people.handles("p1") == [handle("p1", "Cleo", 10), NameRow("p1", "Anja", "anja", 1, LATER)]
    assert not store.people.rename(handle("p2", "Anja", LATER - 1), LATER)
    assert store.people.rename(handle("p2", "Anja", LATER), 2 * LATER)
    named = store.people.named("anja")
    assert named is not None
    assert named.person == "p2"


def test_of_a_person_who_has_left_meanwhile_no_handle_is_kept(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    store.people.forget("p1")
    assert not store.people.rename(handle("p1", "Cleo", 10), LATER)
    assert store.people.named("cleo") is None


def test_a_person_may_spell_the_handle_otherwise_and_take_a_former_one_back(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    assert store.people.rename(handle("p1", "ANJA", 5), LATER)
    assert store.people.handles("p1") == [handle("p1", "ANJA", 5)]
    assert store.people.rename(handle("p1", "Cleo", 10), LATER)
    assert store.people.rename(handle("p1", "Anja", 20), LATER)
    assert [(row.handle, row.until) for row in store.people.handles("p1")] == [("Anja", 0), ("Cleo", LATER)]


def test_after_changes_at_once_a_person_has_one_handle(store: Store) -> None:
    assert sign_up(store, "p1", "Anja")
    assert all(at_once(lambda n: store.people.rename(handle("p1", f"name{n}", 10 + n), LATER)))
    assert [row.until for row in store.people.handles("p1")].count(0) == 1


def test_a_session_ends_in_time_by_its_end_and_with_its_device(store: Store) -> None:
    assert sign_up(store, "p1")
    assert begin(store, "p1", b"one")
    assert begin(store, "p1", b"two")
    found = store.devices.session(b"one", 99)
    assert found is not None
    assert (found.person, found.key) == ("p1", "key of p1")
    assert store.devices.session(b"one", 100) is None
    store.devices.end_session(b"one")
    assert (store.devices.session(b"one", 50), store.devices.session(b"two", 50) is None) == (None, False)
    assert store.devices.revoke("p1", "key of p1", 60)
    assert not store.devices.revoke("p1", "key of p1", 61)
    assert store.devices.session(b"two", 50) is None
    assert not begin(store, "p1", b"three")


def test_a_device_has_so_many_sessions_and_the_oldest_goes(store: Store) -> None:
    assert sign_up(store, "p1")
    for n in range(SESSIONS + 1):
        assert store.devices.begin_session(SessionRow(b"%d" % n, "p1", "key of p1", 10 + n, 10_000))
    assert [row.began for row in store.devices.sessions("p1")] == [11 + n for n in range(SESSIONS)]
    assert store.devices.session(b"0", 50) is None


def test_nobody_revokes_the_device_of_another(store: Store) -> None:
    assert sign_up(store, "p1")
    assert sign_up(store, "p2")
    assert begin(store, "p1")
    assert not store.devices.revoke("p2", "key of p1", 60)
    assert store.devices.session(b"t", 50) is not None


def test_a_recovery_code_adds_one_device_and_is_replaced(store: Store) -> None:
    assert sign_up(store, "p1")
    assert store.people.by_recovery(code("p1")) == "p1"
    found = at_once(lambda n: store.people.recover(device("p1", f"new {n}"), code("p1"), b"next %d" % n))
    assert found.count(True) == 1
    assert len(store.devices.devices("p1")) == 2
    assert store.people.by_recovery(code("p1")) == ""
    assert store.people.by_recovery(b"next %d" % found.index(True)) == "p1"


def test_a_recovery_code_is_not_used_up_by_a_device_that_cannot_be_added(store: Store) -> None:
    assert sign_up(store, "p1")
    with pytest.raises(RowExists):
        store.people.recover(device("p1"), code("p1"), b"next")
    for n in range(DEVICES - 1):
        store.devices.offer_pairing(PairingRow(b"c", "p1", 100))
        assert store.devices.ask_pairing(b"c", f"new {n}", "", 50) == "p1"
        assert store.devices.pair("p1", f"new {n}", 50)
    assert not store.people.recover(device("p1", "one too many"), code("p1"), b"next")
    assert store.people.by_recovery(code("p1")) == "p1"


def test_a_pairing_code_is_asked_by_once_in_time_and_confirmed_for_that_key(store: Store) -> None:
    assert sign_up(store, "p1")
    assert sign_up(store, "p2")
    store.devices.offer_pairing(PairingRow(b"former", "p1", 100))
    store.devices.offer_pairing(PairingRow(b"code", "p1", 100))
    assert store.devices.ask_pairing(b"former", "new", "tablet", 50) == "", "another has taken its place"
    assert store.devices.ask_pairing(b"code", "new", "tablet", 100) == "", "it is over"
    assert store.devices.ask_pairing(b"code", "key of p2", "", 50) == "", "the key is somebody's"
    assert not store.devices.pair("p1", "", 50), "nobody has asked"
    assert store.devices.ask_pairing(b"code", "new", "tablet", 99) == "p1"
    assert store.devices.ask_pairing(b"code", "other", "", 99) == "", "it was used"
    assert store.devices.pairing("p1", 99) == PairingRow(b"code", "p1", 100, "new", "tablet")
    assert not store.devices.pair("p2", "new", 99)
    assert not store.devices.pair("p1", "other", 99)
    assert store.devices.pair("p1", "new", 99)
    assert not store.devices.pair("p1", "new", 99)
    added = store.devices.device("new")
    assert added is not None
    assert (added.person, added.name, added.added) == ("p1", "tablet", 99)


def test_notices_and_seats_are_a_person_s(store: Store) -> None:
    assert sign_up(store, "p1")
    assert sign_up(store, "p2")
    for at in (3, 5):
        store.people.note(NoticeRow("p1", at, "device-added", "k"))
    store.people.note(NoticeRow("nobody", 1, "device-added", "k"))
    assert [notice.at for notice in store.people.notices("p1")] == [5, 3]
    assert [store.people.keep_seat(OwnSeatRow("p1", f"m{n}", 0, n), 2) for n in (1, 2, 3)] == [True, True, False]
    assert not store.people.keep_seat(OwnSeatRow("nobody", "m1", 0, 1), 2)
    store.people.drop_seat("p1", "m1", 0)
    assert store.people.seats("p1") == [OwnSeatRow("p1", "m2", 0, 2)]


def fill(store: Store, person: str, named: str) -> None:
    assert sign_up(store, person, named)
    assert begin(store, person)
    store.people.note(NoticeRow(person, 1, "handle", named))
    store.devices.offer_pairing(PairingRow(b"code", person, 100))
    assert store.people.keep_seat(OwnSeatRow(person, "m1", 0, 1), 9)


def test_a_person_who_is_deleted_is_nowhere(store: Store) -> None:
    fill(store, "p1", "Anja")
    assert sign_up(store, "p2", "Bert")
    store.people.forget("p1")
    assert (store.devices.device("key of p1"), store.people.named("anja"), store.devices.session(b"t", 50)) == (
        None,
        None,
        None,
    )
    assert (store.people.notices("p1"), store.people.seats("p1"), store.devices.pairing("p1", 50)) == ([], [], None)
    assert store.people.by_recovery(code("p1")) == ""
    assert store.people.handles("p2")


def test_of_a_deleted_person_no_byte_is_left_in_the_files(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "herald.db")
    fill(store, "p1", "Zaunkoenigin")

    def holds() -> bool:
        return any(b"aunkoenigin" in file.read_bytes() for file in tmp_path.iterdir())

    assert holds()
    assert store.people.forget("p1")
    assert not holds()
    store.close()
    assert not holds()
