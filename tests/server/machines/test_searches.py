"""Servers are killed while people look for opponents: nobody is paired twice, and nobody waits for ever."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import anyio
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.wire.client import Client, connected, enter
from server.wire.opponent_messages import Search
from tests.postgres import Instance
from tests.server.machines.fleet import Node
from tests.server.machines.workers import household
from tests.server.matchmaking.seekers import Seeking
from tests.server.tabletop import live

LOST: Final = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError)
PEOPLE: Final = 4


class Place(Protocol):
    """Where people look: one server of several processes, or several servers."""

    def urls(self, match: str = "") -> list[str]:
        """Where a client may connect."""
        ...


class Persistent:
    """A person who asks on, over as many connections as it takes, each at another place, from `go` on."""

    def __init__(self, where: Place, number: int, seeking: Seeking) -> None:
        self._where, self._tries, self.seeking = where, number, seeking
        self.go = anyio.Event()
        self.answered = 0
        self.found: list[Search] = []

    async def run(self) -> None:
        """Look until a match is found, and ask once more after that: the answer stays the same."""
        await self.go.wait()
        while len(self.found) < 2:
            self._tries += 1
            urls = self._where.urls()
            try:
                async with connected(urls[self._tries % len(urls)]) as client:
                    await self._look(client)
            except LOST:
                await anyio.sleep(0.05)

    async def _look(self, client: Client) -> None:
        self.seeking.client = client
        while len(self.found) < 2:
            told = await self.seeking.ask()
            self.answered += 1
            if told.state == "found":
                self.found.append(told)
            await anyio.sleep(0.02)


Kill = Callable[[int], None]
"""Kills one of the two and has another take its place, in a thread."""


async def seekers(where: Place) -> list[Persistent]:
    """People with accounts, who do not look yet."""
    found: list[Persistent] = []
    for number in range(PEOPLE):
        while len(found) == number:
            try:
                async with connected(where.urls()[0]) as client:
                    found.append(Persistent(where, number, await Seeking.of(client, f"Seeker{number}")))
            except LOST:
                await anyio.sleep(0.05)
    return found


async def looked(where: Place, kill: Kill) -> None:
    """All find a match, two by two, whoever is killed meanwhile, and enter the seat that was drawn."""
    people = await seekers(where)
    with anyio.fail_after(150):
        async with anyio.create_task_group() as tasks:
            for each in people:
                tasks.start_soon(each.run)
            for number, each in enumerate(people):
                each.go.set()
                while not each.answered:
                    await anyio.sleep(0.002)
                # one waits alone; one has just been paired, and the lots are sealed; and so on
                await anyio.to_thread.run_sync(kill, number % 2)
    seats = sorted((one.found[0].match, one.found[0].seat) for one in people)
    assert len(set(seats)) == PEOPLE, "nobody sits where another one sits"
    assert [seat for _, seat in seats] == [0, 1] * (PEOPLE // 2), "each match has both its players"
    assert all(told.match == one.found[0].match for one in people for told in one.found)
    for one in people:
        await entered(where, one)


async def entered(where: Place, one: Persistent) -> None:
    """The token that was drawn opens the seat."""
    while True:
        try:
            async with connected(where.urls(one.found[0].match)[-1]) as client:
                welcome = await enter(client, one.found[0].match, one.seeking.token)
                assert welcome.viewer.seat == one.found[0].seat
                return
        except LOST:
            await anyio.sleep(0.05)


@pytest.mark.whole
def test_a_process_of_two_that_is_killed_during_a_search_pairs_nobody_twice_and_leaves_nobody(tmp_path: Path) -> None:
    with household(tmp_path, workers=2) as where:
        live(looked)(where, where.kill)
        assert "Traceback" not in where.log


class Servers:
    """Two servers over one PostgreSQL."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    def urls(self, match: str = "") -> list[str]:
        """See `Place`."""
        del match
        return [node.url for node in self.nodes]


@pytest.mark.whole
@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_a_server_of_two_that_is_killed_during_a_search_pairs_nobody_twice_and_leaves_nobody(
    postgres: Instance, tmp_path: Path
) -> None:
    store = postgres.emptied()
    where = Servers([Node(tmp_path / f"node{n}", store) for n in range(2)])
    for node in where.nodes:
        node.start()

    def kill(number: int) -> None:
        where.nodes[number].end()
        where.nodes[number].start()

    try:
        live(looked)(where, kill)
        assert [fault for node in where.nodes for fault in node.faults()] == []
    finally:
        for node in where.nodes:
            node.end()
