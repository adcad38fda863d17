"""Stores that several servers share, and the carriers of hints between two."""

from collections.abc import Iterator

import pytest

from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from replay.store.store import Store
from server.operations.intervals import Intervals
from tests.postgres import Instance
from tests.server.cluster.servers import Bus, End, Ends

POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.xdist_group("postgres")])


@pytest.fixture(params=["memory", POSTGRES])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    instance: Instance = request.getfixturevalue("postgres")
    made = PostgresStore(instance.emptied())
    yield made
    made.close()


@pytest.fixture(params=["hints", "lost", "none"])
def ends(request: pytest.FixtureRequest) -> Ends:
    """The carriers of notifications between two servers, which ask the store often only if none arrive."""
    bus = Bus()
    bus.loses = request.param == "lost"
    carriers = (None, None) if request.param == "none" else (End(bus), End(bus))
    return carriers, Intervals(poll_s=0.02, calm_s=0.02 if bus.loses else 3600.0)
