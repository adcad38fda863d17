"""What servers over one PostgreSQL database know of each other."""

from contextlib import closing

import pytest

from replay.store.postgres.store import PostgresStore
from server.table.clocks import now_ms
from tests.postgres import Instance

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


def test_the_last_sign_of_life_is_that_of_any_server_and_never_goes_back(postgres: Instance) -> None:
    address = postgres.emptied()
    with closing(PostgresStore(address)) as one, closing(PostgresStore(address)) as two:
        begun = max(one.alive_ms(), now_ms())
        one.live(begun + 10)
        two.live(begun + 5)
        assert one.alive_ms() == two.alive_ms() == begun + 10
        two.live(begun + 20)
        assert one.alive_ms() == begun + 20


def test_all_go_by_the_databases_clock(postgres: Instance) -> None:
    with closing(PostgresStore(postgres.emptied())) as store:
        before = now_ms()
        assert before - 1000 <= store.now_ms() <= now_ms() + 1000
