"""Every store's promises about moderation and calendars: bounded, chained by numbers, severed with a person."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.store.errors import RowExists
from replay.store.side_tables.moderation import LogRow, ReportRow, ShunRow
from replay.store.side_tables.rulings import RulingRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.replay.store.stored import POSTGRES, store_of


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    yield made
    made.close()


def report(name: str, source: str = "s", at: int = 1, about: str = "") -> ReportRow:
    return ReportRow(name, at, "", source, "m1", "seat1", "Bo", about, "x", "[]", 3)


def test_nothing_is_there_before_the_first_use(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "club.db")
    held = store.moderation
    assert (held.shuns("p"), held.reports(9), held.entries(), held.last()) == ([], [], [], None)
    assert (held.settle_report("a", 1), held.drop_reports(9), held.person_of("n"), held.known_name("p")) == (
        False,
        0,
        "",
        "",
    )
    assert (store.rulings.waiting(), store.calendars.person(b"t"), store.calendars.since("p")) == ([], "", 0)
    store.close()


def test_a_person_shuns_so_many_and_changes_how(store: Store) -> None:
    row = ShunRow("p", "q", "mute", "Bo", 5)
    assert store.moderation.shun(row, 1)
    assert store.moderation.shun(ShunRow("p", "q", "block", "Bo", 6), 1)
    assert not store.moderation.shun(ShunRow("p", "r", "mute", "Cem", 7), 1)
    assert [(each.other, each.kind) for each in store.moderation.shuns("p")] == [("q", "block")]
    store.moderation.unshun("p", "q")
    assert store.moderation.shuns("p") == []


def test_reports_of_one_source_are_bounded_until_they_are_settled(store: Store) -> None:
    held = store.moderation
    assert [held.report(report(name), 2) for name in "abc"] == [True, True, False]
    assert held.report(report("d", "other"), 2)
    assert (held.settle_report("a", 50), held.settle_report("a", 60)) == (True, False)
    assert held.report(report("c"), 2)
    assert [row.id for row in held.reports(9)] == ["b", "c", "d"]
    assert [row.id for row in held.reports(9, settled=True)] == ["a"]
    assert (held.drop_reports(50), held.drop_reports(51, dry=True), held.drop_reports(51), held.drop_reports(51)) == (
        0,
        1,
        1,
        0,
    )


def test_of_two_entries_with_one_number_one_is_written(store: Store) -> None:
    row = LogRow(1, 5, "host", "n", "warn", "x", 0, "", b"h" * 32)
    store.moderation.log(row)
    with pytest.raises(RowExists):
        store.moderation.log(row)
    assert (store.moderation.entries(), store.moderation.about("n"), store.moderation.last()) == ([row], [row], row)


def test_a_person_is_severed_from_all_of_it(store: Store) -> None:
    held = store.moderation
    name = held.name_of("p")
    assert held.name_of("p") == name
    for row in (ShunRow("p", "q", "block", "Bo", 1), ShunRow("q", "p", "block", "Ada", 1)):
        held.shun(row, 9)
    held.report(report("z", about="p"), 9)
    held.forget("p")
    assert (held.shuns("p"), held.shuns("q"), held.found_report("z"), held.person_of(name)) == ([], [], None, "")


def test_a_calendar_has_one_link_and_a_ruling_waits_once(store: Store) -> None:
    store.calendars.open("p", b"one", 5)
    store.calendars.open("p", b"two", 6)
    assert [store.calendars.person(each) for each in (b"one", b"two")] == ["", "p"]
    store.calendars.close("p")
    assert (store.calendars.person(b"two"), store.calendars.since("p")) == ("", 0)
    for why in ("x", "y"):
        store.rulings.note(RulingRow("m1", why, "0 2", 0, 9))
    assert [row.why for row in store.rulings.waiting()] == ["y"]
    store.rulings.settle("m1")
    assert store.rulings.waiting() == []
