"""Every store's promises about channels: told once, taken by one server, bounded, and forgotten with the person."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.notices import SHUT, ChannelRow, WaitRow
from replay.store.side_tables.people import NameRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.replay.store.stored import POSTGRES, store_of

MAIL = ChannelRow("p", "mail", "mail", "anja@club.example", "{}", 10, 20, token_hash=b"t", leave_hash=b"l")
MOVE = WaitRow("m1", 0, 3, "Sunday", 100, 5_000)


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    for person in ("p", "q"):
        name = NameRow(person, person, person, 1)
        assert made.people.sign_up(name, DeviceRow(person * 3, person, "phone", 1, 1), person.encode())
    yield made
    made.close()


def due(store: Store, at: int) -> list[str]:
    return [row.channel for row in store.notices.due(at, 9)]


def test_nothing_is_there_before_the_first_channel(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "club.db")
    held = store.notices
    held.wait(["p"], MOVE, 5)
    held.settle("m1")
    held.forget("p")
    held.clear()
    assert (held.channels("p"), held.due(9, 9), held.waits("p", "mail"), held.quiet("p")) == ([], [], [], "")
    assert (held.by_leave(b"l"), held.confirm(b"t", 1, 0), held.prune(9, 9, dry=False)) == (None, False, 0)
    store.close()


def test_a_person_has_so_many_channels_and_a_stranger_none(store: Store) -> None:
    assert store.notices.put(MAIL, 1)
    assert store.notices.put(replace(MAIL, address="bo@club.example"), 1)
    assert not store.notices.put(replace(MAIL, channel="hook"), 1)
    assert not store.notices.put(replace(MAIL, person="nobody"), 1)
    assert [row.address for row in store.notices.channels("p")] == ["bo@club.example"]


def test_a_move_is_told_once_and_the_next_decision_anew(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p", "q"], MOVE, 200)
    assert (due(store, 199), due(store, 200)) == ([], ["mail"])
    row = held.due(200, 9)[0]
    assert held.take(row, 200, 300)
    held.end(replace(row, due=0, sent=200), 201, held.waits("p", "mail"), [])
    assert [wait.told for wait in held.waits("p", "mail")] == [True]
    held.wait(["p"], MOVE, 400)
    assert due(store, 400) == []
    held.wait(["p"], replace(MOVE, decision=4), 400)
    assert (due(store, 400), [wait.told for wait in held.waits("p", "mail")]) == (["mail"], [False])


def test_one_server_takes_a_channel_until_its_time_is_over(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    row = held.due(200, 9)[0]
    assert [held.take(row, at, 300) is None for at in (200, 200, 299)] == [False, True, True]
    assert (due(store, 299), due(store, 300)) == ([], ["mail"])
    assert held.take(row, 300, 400)


def test_a_move_that_comes_while_another_is_told_is_told_too(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    row = held.due(200, 9)[0]
    assert held.take(row, 200, 300)
    told = held.waits("p", "mail")
    held.wait(["p"], replace(MOVE, match="m2"), 210)
    held.end(replace(row, due=0, sent=205), 220, told, [])
    assert (due(store, 219), due(store, 220)) == ([], ["mail"])


def test_nothing_waits_at_a_channel_that_is_not_confirmed(store: Store) -> None:
    held = store.notices
    held.put(replace(MAIL, confirmed=0), 9)
    held.wait(["p"], MOVE, 200)
    assert (due(store, 900), held.waits("p", "mail")) == ([], [])
    assert [held.confirm(b"x", 30, 9), held.confirm(b"t", 30, 10), held.confirm(b"t", 30, 9)] == [False, False, True]
    held.wait(["p"], MOVE, 200)
    assert due(store, 900) == ["mail"]


def test_an_address_that_changes_while_a_server_tells_is_sent_nothing_before_it_is_confirmed(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    taken = held.take(held.due(200, 9)[0], 200, 300)
    assert taken is not None
    held.put(replace(MAIL, address="bo@club.example", added=210, confirmed=0), 9)
    held.end(replace(taken, due=250, tries=1), 250, [], [])
    row = held.channels("p")[0]
    assert (due(store, 900), held.take(row, 900, 950)) == ([], None)
    held.drop("p", "mail", taken.added)
    assert held.confirm(b"t", 400, 9)
    assert (due(store, 399), due(store, 400)) == ([], ["mail"])


def test_a_channel_that_is_named_once_more_still_tells_what_waits(store: Store) -> None:
    held = store.notices
    held.put(replace(MAIL, channel="push"), 9)
    held.wait(["p"], MOVE, 900)
    held.put(replace(MAIL, channel="push", added=300, confirmed=300), 9)
    assert (due(store, 299), due(store, 300)) == ([], ["push"])


def test_a_channel_that_was_added_since_is_not_dropped_in_the_place_of_the_one_before(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    held.drop("p", "mail", MAIL.added + 1)
    assert (due(store, 200), len(held.waits("p", "mail"))) == (["mail"], 1)
    held.drop("p", "mail", MAIL.added)
    assert (held.channels("p"), held.waits("p", "mail")) == ([], [])


def test_a_match_that_is_over_and_a_stale_move_are_told_no_more(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    held.wait(["p"], replace(MOVE, match="m2"), 200)
    held.settle("m1")
    row = held.due(200, 9)[0]
    held.end(replace(row, due=0), 201, [], held.waits("p", "mail"))
    assert (held.waits("p", "mail"), due(store, 900)) == ([], [])


def test_quiet_hours_that_change_have_what_waits_looked_at_anew(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 9_000)
    held.set_quiet("p", '{"zone":"UTC"}', 300)
    assert (held.quiet("p"), held.quiet("q"), due(store, 300)) == ('{"zone":"UTC"}', "", ["mail"])


def test_uses_are_counted_until_their_time_is_over(store: Store) -> None:
    held = store.notices
    assert [held.allow(b"a", at, 100, 2) for at in (1, 2, 99)] == [True, True, False]
    assert held.allow(b"a", 100, 200, 2)
    held.shut(b"b", 50)
    assert [held.allow(b"b", 49, 90, SHUT), held.allow(b"b", 50, 90, 1)] == [False, True]


def test_the_servers_of_a_store_share_a_secret(store: Store) -> None:
    assert [store.notices.secret(1, b"x"), store.notices.secret(1, b"y"), store.notices.secret(2, b"z")] == [
        b"x",
        b"x",
        b"z",
    ]


def test_what_is_over_is_pruned_and_told_before(store: Store) -> None:
    held = store.notices
    held.put(replace(MAIL, confirmed=0), 9)
    held.put(replace(MAIL, person="q"), 9)
    held.allow(b"a", 1, 100, 1)
    assert [held.prune(100, 11, dry=True), held.prune(99, 10, dry=False), held.prune(100, 11, dry=False)] == [2, 0, 2]
    assert (held.channels("p"), len(held.channels("q"))) == ([], 1)


def test_a_channel_is_taken_as_it_is_then(store: Store) -> None:
    held = store.notices
    held.put(MAIL, 9)
    held.wait(["p"], MOVE, 200)
    read_before = held.due(200, 9)[0]
    assert held.take(read_before, 200, 300)
    held.end(replace(read_before, due=0, sent=210), 210, held.waits("p", "mail"), [])
    held.wait(["p"], replace(MOVE, match="m2"), 220)
    taken = held.take(read_before, 220, 320)
    assert taken is not None
    assert (taken.sent, taken.held) == (210, 320)


def test_a_channel_and_a_person_go_with_all_that_waits(store: Store) -> None:
    held = store.notices
    for row in (MAIL, replace(MAIL, channel="hook", leave_hash=b""), replace(MAIL, person="q", leave_hash=b"k")):
        held.put(row, 9)
    held.set_quiet("p", "{}", 1)
    held.wait(["p", "q"], MOVE, 200)
    held.drop("p", "hook")
    assert [row.channel for row in held.channels("p")] == ["mail"]
    found = held.by_leave(b"l")
    assert found is not None
    assert found.person == "p"
    held.forget("p")
    assert (held.channels("p"), held.waits("p", "mail"), held.quiet("p")) == ([], [], "")
    assert len(held.waits("q", "mail")) == 1
    held.clear()
    assert held.channels("q") == []
