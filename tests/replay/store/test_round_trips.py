"""How often the store on the PostgreSQL protocol waits for an answer: each time costs the network's delay."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from replay.store.errors import MatchExists
from replay.store.postgres.store import PostgresStore
from tests.postgres import Instance
from tests.replay.store.stored import commit, create, said
from tests.round_trips import RoundTrips, counted

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


@pytest.fixture
def trips(postgres: Instance) -> Iterator[RoundTrips]:
    with counted(postgres.port) as trips:
        yield trips


@pytest.fixture
def store(postgres: Instance, trips: RoundTrips) -> Iterator[PostgresStore]:
    address = postgres.emptied().replace(f":{postgres.port}/", f":{trips.port}/")
    with closing(PostgresStore(address)) as store:
        create(store)
        store.append(commit("m1", 1))  # the writer is connected by now
        trips.taken()
        yield store


def test_whatever_is_written_is_one_round_trip(store: PostgresStore, trips: RoundTrips) -> None:
    create(store, "m2")
    assert trips.taken() == 1
    store.append(commit("m1", 2, 3))
    assert trips.taken() == 1
    store.chat.say("m1", said(1), 50)
    assert trips.taken() == 1
    store.live(5)
    assert trips.taken() == 1


def test_a_record_with_its_openings_is_read_in_one_round_trip(store: PostgresStore, trips: RoundTrips) -> None:
    assert len(store.read("m1")) == 2
    assert trips.taken() == 1
    assert len(store.whole("m1").entries) == 2
    assert trips.taken() == 1


@pytest.mark.parametrize("match", ["m1", "nowhere"])
def test_whoever_enters_is_asked_for_in_one_round_trip(store: PostgresStore, trips: RoundTrips, match: str) -> None:
    store.entrance(match)
    assert trips.taken() == 1


def test_a_transaction_that_was_refused_leaves_a_connection_that_goes_on(
    store: PostgresStore, trips: RoundTrips
) -> None:
    connections = trips.connections
    with pytest.raises(MatchExists):
        create(store)
    create(store, "m2")
    assert [store.head(match).seq for match in ("m1", "m2")] == [2, 1]
    assert trips.connections == connections


def test_a_connection_that_was_cut_while_idle_is_noticed_without_asking_over_it(
    store: PostgresStore, trips: RoundTrips, postgres: Instance
) -> None:
    postgres.restart()
    create(store, "m2")
    assert store.head("m2").seq == 1
