"""How often a server waits for a database: each time costs the network's delay (docs/scaling.md)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import anyio
import pytest
from msgspec import to_builtins

from replay.store.postgres.store import PostgresStore
from server.wire.protocol import Hello, Welcome
from tests.postgres import Instance
from tests.round_trips import RoundTrips, counted
from tests.server.tabletop import Player, Table, live, table

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]

HELLO, CHOICE, TAKEOVER = 5, 1, 7
"""With the word that a seat is present, which nobody waits for."""
TIMES = 24
"""The most counts taken: what a server asks by itself now and then only adds, and so the least count is looked at."""


@pytest.fixture
def address(postgres: Instance) -> Iterator[tuple[str, RoundTrips]]:
    with counted(postgres.port) as trips:
        yield postgres.emptied().replace(f":{postgres.port}/", f":{trips.port}/"), trips


@asynccontextmanager
async def server(address: str) -> AsyncIterator[Table]:
    with closing(PostgresStore(address)) as store:
        async with table(store, is_shared=True) as at:
            yield at


async def chosen(players: list[Player]) -> None:
    head = max(player.view.seq for player in players)
    for player in players:
        await player.reach(head)
    mover = next(player for player in players if player.view.asked())
    await mover.choose(to_builtins(mover.options()[0]))


def test_a_hello_a_choice_and_a_takeover_wait_as_seldom_as_is_written_down(address: tuple[str, RoundTrips]) -> None:
    @live
    async def counts() -> None:
        where, trips = address
        async with server(where) as one, server(where) as two:
            choices, hellos, takeovers = list[int](), list[int](), list[int]()
            for _ in range(TIMES):
                created = await one.create()
                players = [await one.player(created, seat) for seat in (0, 1)]
                hello = Hello(created.match, created.tokens["0"], since=0)
                await chosen(players)
                trips.taken()
                await chosen(players)
                choices.append(trips.taken())
                for at, found in ((one, hellos), (two, takeovers)):
                    client = await at.client()
                    await anyio.sleep(0.1)
                    trips.taken()
                    await client.ask(hello, Welcome)
                    found.append(trips.taken())
                if (min(choices), min(hellos) <= HELLO, min(takeovers) <= TAKEOVER) == (CHOICE, True, True):
                    return
            raise AssertionError(f"choices {choices}, hellos {hellos}, takeovers {takeovers}")

    counts()
