"""Seekers are claimed all or none, in every store; invitations and profiles are kept until their person goes."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.maintenance.database_check import file_faults
from replay.store.errors import RowExists
from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from replay.store.side_tables.opponents import USED, InvitationRow, SeekerRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.postgres import Instance

POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.xdist_group("postgres")])


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "postgres":
        instance: Instance = request.getfixturevalue("postgres")
        with closing(PostgresStore(instance.emptied())) as there:
            yield there
        return
    with closing(MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "herald.db")) as made:
        yield made


def seeker(person: str, seen: int = 100, **more: object) -> SeekerRow:
    row = SeekerRow(person, f"offer-{person}", "pool", "{}", 1500, person.encode(), f"sealed-{person}", "s", 10, seen)
    return replace(row, **more)


def test_nothing_is_there_before_somebody_looks(store: Store) -> None:
    kept = store.opponents
    assert (kept.seekers(0), kept.seeker("a"), kept.offered("x"), kept.draw("m"), kept.shown("a")) == (
        [],
        None,
        None,
        "",
        "",
    )
    assert (kept.invitations("a"), kept.invitation("i"), kept.end_invitation("i")) == ([], None, False)
    kept.stop("a", b"")
    kept.sweep(5)
    kept.forget("a")


def test_seekers_are_claimed_all_or_none(store: Store) -> None:
    kept = store.opponents
    for name in "abc":
        kept.seek(seeker(name))
    assert kept.claim(["a", "b"], "m1", 5, 100)
    assert not kept.claim(["b", "c"], "m2", 5, 100)
    assert [row.person for row in kept.meeting("m1")] == ["a", "b"]
    assert kept.meeting("m2") == []
    assert [row.person for row in kept.seekers(100)] == ["c"]
    kept.heard("c", 300)
    assert not kept.claim(["c"], "m3", 5, 301)
    assert kept.claim(["c"], "m3", 5, 300, "steady")
    assert kept.meeting("m3")[0].bot == "steady"


def test_of_many_claims_at_once_each_seeker_is_in_one(store: Store) -> None:
    kept, names = store.opponents, "abcdef"
    for name in names:
        kept.seek(seeker(name))
    pairs = [(one, other) for one in names for other in names if one < other]
    threads = [
        threading.Thread(target=kept.claim, args=(pair, "".join(pair), 5, 100)) for pair in pairs[::2] + pairs[1::2]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    meetings = [sorted(row.person for row in kept.meeting("".join(pair))) for pair in pairs]
    met = [sorted(pair) for pair, found in zip(pairs, meetings, strict=True) if found]
    assert [found for found in meetings if found] == met
    assert len(met) == 3 == len({name for pair in met for name in pair}) / 2


def test_who_does_not_show_a_lot_in_time_is_left_out_and_the_others_draw_again(store: Store) -> None:
    kept = store.opponents
    for name in "abc":
        kept.seek(seeker(name))
    kept.claim(["a", "b", "c"], "m", 50, 100)
    kept.reveal("a", "m", "lot")
    kept.reveal("a", "m", "another")
    kept.heard("b", 200)
    kept.part("m", 150, 40)
    assert kept.seeker("c") is None
    a, b = kept.seeker("a"), kept.seeker("b")
    assert a is not None
    assert b is not None
    assert (a.meeting, a.lot, a.sealed, b.meeting) == ("", "", f"{USED}sealed-a", "")
    assert not kept.claim(["a", "b"], "m2", 60, 0)
    kept.heard("a", 201, "sealed-a")
    assert kept.seeker("a") == replace(a, seen=201)
    for name in "ab":
        kept.heard(name, 202, f"fresh-{name}")
    assert kept.claim(["a", "b"], "m2", 60, 0)
    kept.heard("a", 203, "later")
    assert [row.sealed for row in kept.meeting("m2")] == ["fresh-a", "fresh-b"]


def test_a_search_is_stopped_by_its_own_token(store: Store) -> None:
    kept = store.opponents
    kept.seek(seeker("a"))
    kept.stop("a", b"other")
    assert kept.seeker("a") is not None
    kept.stop("a", b"a")
    assert kept.seeker("a") is None
    kept.seek(seeker("a", seen=4))
    kept.sweep(5)
    assert kept.seeker("a") is None


def test_a_draw_stays_as_it_was_kept_first(store: Store) -> None:
    store.opponents.keep_draw("m", "one")
    store.opponents.keep_draw("m", "two")
    assert store.opponents.draw("m") == "one"


def test_invitations_go_both_ways_and_end_once(store: Store) -> None:
    kept, row = store.opponents, InvitationRow("i", "a", "b", "m", 1, 5)
    kept.invite(row)
    with pytest.raises(RowExists):
        kept.invite(row)
    assert kept.invitations("a") == kept.invitations("b") == [row]
    assert (kept.invitation("i"), kept.invitations("c")) == (row, [])
    assert (kept.end_invitation("i"), kept.end_invitation("i")) == (True, False)


def test_a_person_who_goes_leaves_nothing(store: Store) -> None:
    kept = store.opponents
    kept.seek(seeker("a"))
    kept.show("a", "one")
    kept.show("a", "two")
    assert kept.shown("a") == "two"
    kept.show("b", "three")
    assert kept.shown_by(["a", "b", "c"]) == {"a": "two", "b": "three"}
    assert kept.shown_by([]) == {}
    for one in (InvitationRow("i", "a", "b", "m", 1, 5), InvitationRow("j", "b", "a", "m", 1, 5)):
        kept.invite(one)
    kept.forget("a")
    assert (kept.seeker("a"), kept.shown("a"), kept.invitations("b")) == (None, "", [])


def test_the_tables_are_those_that_the_doctor_knows(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "herald.db")) as made:
        made.opponents.seek(seeker("a"))
        assert list(file_faults(made)) == []
