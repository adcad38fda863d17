"""Hints of one server of two processes, and of two over a database: one line each, told to one seat, never lost."""

import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest

from server.table.placement import Placement
from server.wire.act_messages import Hint
from server.wire.addresses import short_hash
from server.wire.client import View, connected, enter
from server.wire.hint_messages import Hinted
from server.wire.protocol import Create, Created, Error, Events, Ping, Pong, Refused
from tests.postgres import Instance
from tests.server.machines.checker import Records, of_database, of_file
from tests.server.machines.fleet import Node
from tests.server.machines.people import GONE
from tests.server.machines.workers import Household, household
from tests.server.tabletop import TWO_PEOPLE, Player, live
from tests.skirmish.game import GAME

PATIENCE_S = 120.0
"""More than a hint takes, the start of a process and a busy machine included."""
TWO = 2


class Servers:
    """Two servers over one database, at whose addresses a match is entered."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes

    def urls(self, match: str = "") -> list[str]:
        """The addresses at which a match can be entered."""
        del match
        return [node.url for node in self.nodes]


@contextmanager
def two_servers(folder: Path, store: str) -> Iterator[Servers]:
    """They run while the context lasts."""
    found = Servers([Node(folder / f"node{number}", store) for number in range(TWO)])
    for node in found.nodes:
        node.start()
    try:
        yield found
    finally:
        for node in found.nodes:
            with suppress(ProcessLookupError):
                node.end()


async def patiently(work: Callable[[], Any]) -> Any:
    """What the work comes to, where somebody may not listen yet or no more."""
    with anyio.fail_after(PATIENCE_S):
        while True:
            try:
                return await work()
            except GONE:
                await anyio.sleep(0.05)


async def created_at(url: str) -> Created:
    async def create() -> Created:
        async with connected(url) as client:
            return await client.ask(Create(GAME.name, TWO_PEOPLE, hints=True), Created)

    found: Created = await patiently(create)
    return found


async def sat(stack: AsyncExitStack, url: str, created: Created, seat: int | None) -> Player:
    """Somebody at an address, as a seat or as a spectator."""
    token = "" if seat is None else created.tokens[str(seat)]

    async def sit() -> Player:
        client = await stack.enter_async_context(connected(url))
        return Player(client, View(GAME, await enter(client, created.match, token)))

    player: Player = await patiently(sit)
    await player.until(lambda: player.view.state is not None and player.view.state.begun)
    return player


@asynccontextmanager
async def company(urls: Sequence[str], created: Created) -> AsyncIterator[tuple[list[Player], list[Player]]]:
    """Who sits at the seat that is asked, once at each address, and everybody else there."""
    async with AsyncExitStack() as stack:
        seats = {seat: [await sat(stack, url, created, seat) for url in urls] for seat in (0, 1)}
        watching = [await sat(stack, url, created, None) for url in urls]
        asked = next(seat for seat, players in seats.items() if players[0].view.asked())
        yield seats.pop(asked), [player for players in seats.values() for player in players] + watching


async def told(player: Player) -> Hinted:
    """The hint; what comes before it goes into the view."""
    while True:
        message = await player.client.receive()
        assert not isinstance(message, Refused | Error), message
        if isinstance(message, Events):
            player.view.take(message)
        if isinstance(message, Hinted):
            return message


async def at_once(players: Sequence[Player]) -> list[Hinted]:
    """All ask, each under an id of its own, before any is answered; what each is told."""
    number = players[0].asked().number
    for name, player in enumerate(players):
        await player.client.send(Hint(id=f"h{name}", decision=number))
    with anyio.fail_after(PATIENCE_S):
        return [await told(player) for player in players]


async def heard_until_now(player: Player) -> list[Any]:
    """What came to somebody who asked for nothing."""
    await player.client.send(Ping(n=7))
    heard: list[Any] = []
    while not (heard and heard[-1] == Pong(7)):
        heard.append(await player.client.receive())
    return heard


def lines_of(records: Records, match: str) -> list[Any]:
    """The payloads of a match's lines about hints."""
    lines = [json.loads(text) for text in records.lines[match]]
    return [line[8] for line in lines if line[4] == "HintAsked"]


async def is_told_to_one_seat_alone(urls: Sequence[str], created: Created, records: Callable[[], Records]) -> None:
    async with company(urls, created) as (askers, others):
        number = askers[0].asked().number
        found = await at_once(askers)
        assert [one.id for one in found] == [f"h{name}" for name in range(len(askers))]
        assert len({(one.decision, one.choices, one.gain, one.error) for one in found}) == 1
        assert found[0].decision == number
        assert found[0].choices
        (line,) = lines_of(records(), created.match)
        assert (line["seat"], line["number"]) == (askers[0].view.viewer.seat, number)
        for other in others:
            heard = await heard_until_now(other)
            assert not [message for message in heard if isinstance(message, Hinted)]


def thinkers(processes: Iterable[int]) -> list[int]:
    """Of these processes those that have begun one of their own."""
    return [each for each in processes if begun_by(each)]


def begun_by(process: int) -> list[int]:
    """The processes that one has begun and that go on."""
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


async def an_answer_after(kill: Callable[[], object], url: str, elsewhere: str, created: Created) -> tuple[int, Hinted]:
    """A hint is asked for, its line is there, then `kill`; what is told to who asks again."""
    async with AsyncExitStack() as stack:
        players = [await sat(stack, url, created, seat) for seat in (0, 1)]
        player = next(one for one in players if one.view.asked())
        seat, number = player.view.viewer.seat or 0, player.asked().number
        await player.client.send(Hint(id="before", decision=number))
        await player.until(lambda: number in player.view.state.table.hinted)
        await anyio.to_thread.run_sync(kill)

    async def again() -> Hinted:
        async with AsyncExitStack() as stack:
            back = await sat(stack, elsewhere, created, seat)
            return (await at_once([back]))[0]

    return number, await patiently(again)


@pytest.fixture(params=["file", pytest.param("database", marks=pytest.mark.postgres)])
def two_processes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Household, Callable[[], Records]]]:
    """One server of two processes, over SQLite or PostgreSQL, and what lies there."""
    if request.param == "file":
        with household(tmp_path, TWO) as where:
            yield where, lambda: of_file(where.db)
        return
    instance: Instance = request.getfixturevalue("postgres")
    store = instance.emptied("hinted")
    with household(tmp_path, TWO, store) as where:
        yield where, lambda: of_database(store)


@pytest.mark.xdist_group("postgres")
def test_of_two_processes_the_one_of_the_match_thinks_writes_one_line_and_tells_one_seat(
    two_processes: tuple[Household, Callable[[], Records]],
) -> None:
    where, records = two_processes

    @live
    async def played() -> None:
        created = await created_at(where.urls()[0])
        await is_told_to_one_seat_alone([*where.urls(created.match) * TWO], created, records)
        home = Placement(0, TWO).holder_of(short_hash(created.match))
        ids = {number: each[-1] for number, each in where.ids().items()}
        assert thinkers(ids.values()) == [ids[home]]

    played()


@pytest.mark.xdist_group("postgres")
def test_of_two_processes_one_killed_while_it_thinks_is_asked_again_and_tells(
    two_processes: tuple[Household, Callable[[], Records]],
) -> None:
    where, records = two_processes

    @live
    async def played() -> None:
        created = await created_at(where.urls()[0])
        home = Placement(0, TWO).holder_of(short_hash(created.match))
        plain, own = where.urls(created.match)
        number, found = await an_answer_after(lambda: where.kill(home), own, plain, created)
        assert found.decision == number
        assert found.choices
        assert len(lines_of(records(), created.match)) == 1

    played()


@pytest.mark.xdist_group("postgres")
def test_a_process_that_thinks_stands_back_behind_its_server_and_ends_with_it(tmp_path: Path) -> None:
    thinking: list[int] = []
    with household(tmp_path, TWO) as where:

        @live
        async def played() -> None:
            created = await created_at(where.urls()[0])
            async with company(where.urls(created.match)[1:], created) as (askers, _):
                await at_once(askers)
            process = where.ids()[Placement(0, TWO).holder_of(short_hash(created.match))][-1]
            thinking.extend(begun_by(process))
            ranks = {os.getpriority(os.PRIO_PROCESS, each) for each in thinking}
            assert max(ranks) > os.getpriority(os.PRIO_PROCESS, process), "nobody's choice waits for a thought"
            os.kill(process, signal.SIGKILL)

        played()
        assert thinking
        until = time.monotonic() + 60
        while any(Path(f"/proc/{each}").exists() for each in thinking):
            assert time.monotonic() < until, "it still thinks"
            time.sleep(0.05)


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_two_servers_over_one_database_that_are_asked_at_once_write_one_line_and_tell_the_same(
    tmp_path: Path, postgres: Instance
) -> None:
    store = postgres.emptied("hinted")
    with two_servers(tmp_path, store) as where:

        @live
        async def played() -> None:
            created = await created_at(where.urls()[0])
            await is_told_to_one_seat_alone(where.urls() * TWO, created, lambda: of_database(store))

        played()
        assert not [fault for node in where.nodes for fault in node.faults()]


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_where_a_server_is_killed_while_it_thinks_another_over_the_database_tells(
    tmp_path: Path, postgres: Instance
) -> None:
    store = postgres.emptied("hinted")
    with two_servers(tmp_path, store) as where:

        @live
        async def played() -> None:
            near, far = where.nodes
            created = await created_at(near.url)
            number, found = await an_answer_after(near.end, near.url, far.url, created)
            assert found.decision == number
            assert len(lines_of(of_database(store), created.match)) == 1

        played()
