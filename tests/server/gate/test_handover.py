"""Two processes of one server, here two lobbies over one store: every connection is served where its match lives."""

import asyncio
import os
import socket
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress

import anyio
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from replay.store.memory import MemoryStore
from server.cluster.processes import ServerProcesses
from server.cluster.servers import OtherServers
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.intervals import INTERVALS, Intervals
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.placement import Placement
from server.wire.addresses import socket_path
from server.wire.client import View, connected, enter
from server.wire.protocol import SUBPROTOCOL, Create, Created, Error, Games, Join, Joined, ListGames, Presence, SeatWish
from tests.server.cluster.processes import Family
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, live, play_out
from tests.skirmish.game import GAME


class Process:
    """One of the lobbies, and where it listens."""

    def __init__(self, lobby: Lobby, port: int) -> None:
        self.lobby = lobby
        self.http = f"http://127.0.0.1:{port}"
        self.at = f"ws://127.0.0.1:{port}"

    async def create(self, *seats: SeatWish) -> Created:
        """A match that lives here."""
        return await self.lobby.factory.create(Create(GAME.name, seats or TWO_PEOPLE))


@asynccontextmanager
async def process(
    store: MemoryStore,
    processes: ServerProcesses,
    limits: Limits = DEFAULT_LIMITS,
    intervals: Intervals = INTERVALS,
) -> AsyncIterator[Process]:
    lobby = Lobby(store, FACES, bot_delay_s=0, home=processes.home, limits=limits, intervals=intervals)
    async with running(lobby, other_servers=OtherServers(lobby, None, processes), processes=processes) as server:
        yield Process(lobby, port_of(server))


@asynccontextmanager
async def two(limits: Limits = DEFAULT_LIMITS) -> AsyncIterator[tuple[Process, Process]]:
    store = MemoryStore()
    with ExitStack() as sockets:
        family = Family(sockets)
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(process(store, family.member(0), limits))
            other = await stack.enter_async_context(process(store, family.member(1), limits))
            yield one, other


def page(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return str(answer.read().decode())


async def player(at: str, created: Created, seat: int, stack: AsyncExitStack) -> Player:
    client = await stack.enter_async_context(connected(at))
    found = Player(client, View(GAME, await enter(client, created.match, created.tokens[str(seat)])))
    await found.until(lambda: found.view.seq > 0)
    return found


@pytest.mark.parametrize("is_plain", [True, False])
@live
async def test_whoever_comes_to_another_process_plays_where_the_match_lives(*, is_plain: bool) -> None:
    async with two() as (one, other), AsyncExitStack() as stack:
        created = await one.create()
        path = "/ws" if is_plain else socket_path(created.match)
        players = [await player(f"{where.at}{path}", created, seat, stack) for seat, where in enumerate((one, other))]
        assert await play_out(players) > 5
        assert one.lobby.registry.in_memory() == [created.match]
        assert other.lobby.registry.in_memory() == []
        assert one.lobby.meters.accepted > 5
        assert one.lobby.registry.live_match(created.match).connections.presence().seats == (0, 1)


@live
async def test_a_connection_that_was_handed_over_whole_is_none_of_the_first_process() -> None:
    async with two() as (one, other):
        created = await one.create()
        async with connected(f"{other.at}{socket_path(created.match)}") as client:
            await enter(client, created.match)
            assert (
                other.lobby.connection_limits.counts["spectator"]
                == other.lobby.connection_limits.counts["stranger"]
                == 0
            )
            assert one.lobby.connection_limits.counts["spectator"] == 1


@live
async def test_a_path_may_lie_and_the_match_is_found_all_the_same() -> None:
    async with two() as (one, other):
        created = await other.create()
        hash_of_one = next(f"/ws/{short:08x}" for short in range(4) if Placement(0, 2).holder_of(short) == 0)
        async with connected(f"{other.at}{hash_of_one}") as client:
            await enter(client, created.match, created.tokens["0"])
            assert other.lobby.registry.live_match(created.match).connections.presence().seats == (0,)
            assert one.lobby.registry.in_memory() == []


@live
async def test_what_is_of_no_match_is_answered_by_whoever_is_asked_and_a_link_leads_nowhere_else() -> None:
    async with two() as (one, other):
        here, there = await other.create(), await one.create()
        async with connected(f"{other.at}/ws") as client:
            assert await client.ask(ListGames(), Games)
            await enter(client, there.match, there.tokens["0"])
            assert await client.ask(ListGames(), Games)
            # Served by the first process, which the link leads to, as any server over the store would.
            await enter(client, here.match, here.tokens["0"])
        assert there.match in one.lobby.registry.in_memory()
        assert here.match in one.lobby.registry.in_memory()


@live
async def test_who_takes_an_open_seat_does_it_where_the_match_lives() -> None:
    async with two() as (one, other):
        created = await one.create(SeatWish("me", "Ada"), SeatWish("open"))
        async with connected(f"{other.at}/ws") as client:
            assert (await client.ask(Join(created.match, 1, "Bo"), Joined)).seat == 1
        assert other.lobby.registry.in_memory() == []


@live
async def test_who_is_told_of_presence_learns_of_those_who_came_to_another_process() -> None:
    async with two() as (one, other):
        created = await one.create()
        async with connected(f"{one.at}/ws") as ada, connected(f"{other.at}/ws") as bo:
            await enter(ada, created.match, created.tokens["0"])
            await enter(bo, created.match, created.tokens["1"])
            while (await ada.expect(Presence)).seats != (0, 1):
                pass


@live
async def test_bots_play_where_the_match_lives_alone() -> None:
    async with two() as (one, other):
        created = await one.create(SeatWish("bot"), SeatWish("bot"))
        away = await other.lobby.registry.open(created.match)
        while not one.lobby.registry.live_match(created.match).is_over:
            assert not away.bot_players.are_at_work
            await anyio.sleep(0.005)
        assert (
            away.command_queue.lives_here,
            one.lobby.registry.live_match(created.match).command_queue.lives_here,
        ) == (
            False,
            True,
        )


@live
async def test_where_a_process_is_gone_its_connections_are_closed_to_come_again() -> None:
    store = MemoryStore()
    with ExitStack() as sockets:
        family = Family(sockets)
        async with AsyncExitStack() as stack:
            other = await stack.enter_async_context(process(store, family.member(1)))
            async with AsyncExitStack() as short:
                one = await short.enter_async_context(process(store, family.member(0)))
                created = await one.create()
                client = await stack.enter_async_context(connected(f"{other.at}/ws"))
                await enter(client, created.match)
            with pytest.raises(ConnectionClosed) as closed:
                await client.expect(Created)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001


@live
async def test_a_code_with_which_a_connection_is_closed_comes_through_a_link() -> None:
    async with two() as (one, other):
        created = await one.create()
        async with connect(f"{other.at}/ws", subprotocols=[Subprotocol(SUBPROTOCOL)]) as client:
            await client.send(f'{{"t":"hello","match":"{created.match}","as":"spectator"}}')
            for _ in range(one.lobby.limits.broken_messages):
                await client.send("rubbish")
            with suppress(ConnectionClosed):
                async for _ in client:
                    pass
            assert client.close_code == 4001


@live
async def test_a_link_is_dropped_with_its_client() -> None:
    async with two() as (one, other):
        created = await one.create()
        async with connected(f"{other.at}/ws") as client:
            await enter(client, created.match, created.tokens["0"])
            live_match = one.lobby.registry.live_match(created.match)
            assert live_match.connections.presence().seats == (0,)
        while one.lobby.connection_limits.counts["seat"]:
            await anyio.sleep(0.005)


@live
async def test_metrics_are_those_of_both() -> None:
    async with two() as (one, other):
        for where in (one, other):
            where.lobby.meters.accepted += 3
            text = await asyncio.to_thread(
                lambda at: urllib.request.urlopen(f"{at}/metrics").read().decode(), where.http
            )
            assert "\nherald_processes 2\n" in text
        assert "\nherald_choices_accepted_total 6\n" in text


async def accepted(where: Process) -> tuple[int, int]:
    """What /metrics says of choices accepted, and how many processes told."""
    text = await asyncio.to_thread(page, f"{where.http}/metrics")
    found = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return int(found["herald_choices_accepted_total"]), int(found["herald_processes"])


@live
async def test_no_counter_falls_where_a_process_ends_or_is_slow() -> None:
    store, soon = MemoryStore(), Intervals(told_s=0.5)
    with ExitStack() as sockets:
        family = Family(sockets, 3)
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(process(store, family.member(0), intervals=soon))
            other = await stack.enter_async_context(process(store, family.member(1), intervals=soon))
            one.lobby.meters.accepted += 1
            async with process(store, family.member(2), intervals=soon) as ending:
                ending.lobby.meters.accepted += 5
                assert await accepted(one) == (6, 3)
            # The process that is asked now has not asked before: the news lies where all find it.
            assert await accepted(other) == (6, 2)
            again = await stack.enter_async_context(process(store, family.member(2), intervals=soon))
            again.lobby.meters.accepted += 2
            assert await accepted(other) == (8, 3)
            assert await accepted(again) == (8, 3)


@live
async def test_who_tells_what_is_counted_to_somebody_who_is_gone_closes_the_way_to_him_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = list[int]()
    monkeypatch.setattr(os, "close", closed.append)
    with ExitStack() as sockets:
        family = Family(sockets)
        async with process(MemoryStore(), family.member(0)) as one:
            near, far = socket.socketpair()
            near.close()
            assert family.member(1).tell(0, b"m", b"", [far.fileno()])
            far.close()
            assert await accepted(one)
            await asyncio.sleep(0.05)
            assert closed == []


@live
async def test_what_a_process_writes_of_a_match_that_lives_elsewhere_goes_on_there() -> None:
    async with two() as (one, other):
        created = await one.create(SeatWish("open"), SeatWish("bot"))
        one.lobby.registry.forget_idle(-1)
        assert one.lobby.registry.in_memory() == []
        await other.lobby.entry.join(Join(created.match, 0, "Ada"))
        while one.lobby.registry.found(created.match) is None:
            await anyio.sleep(0.005)
        assert one.lobby.placement.has(created.match)


@live
async def test_who_says_hello_with_a_wrong_token_learns_nothing_over_a_link() -> None:
    async with two() as (one, other):
        created = await one.create()
        answers = []
        for match in (created.match, created.match[:-2] + "AA"):
            async with connect(f"{other.at}/ws", subprotocols=[Subprotocol(SUBPROTOCOL)]) as client:
                await client.send(f'{{"t":"hello","id":"1","match":"{match}","token":"{"A" * 43}"}}')
                answers.append(await client.recv())
        assert answers[0] == answers[1]


@live
async def test_matches_that_one_client_creates_live_in_all_processes_alike() -> None:
    async with two() as (one, other), connected(f"{other.at}/ws") as client:
        made = [await client.ask(Create(GAME.name, TWO_PEOPLE), Created) for _ in range(6)]
        lives = [where.lobby.placement.has(created.match) for created in made for where in (one, other)]
        assert lives == [False, True, True, False] * 3
        assert (len(one.lobby.registry.in_memory()), len(other.lobby.registry.in_memory())) == (3, 3)


@live
async def test_what_keeps_a_match_from_beginning_is_said_by_whichever_process_it_was_the_turn_of() -> None:
    async with two() as (_, other), connected(f"{other.at}/ws") as client:
        wrong = [await client.ask(Create("chess", TWO_PEOPLE, id=f"{n}"), Error) for n in range(2)]
        assert [error.id for error in wrong] == ["0", "1"]
        assert wrong[0].why == wrong[1].why


@live
async def test_where_the_process_whose_turn_it_is_takes_nothing_the_match_begins_here() -> None:
    with ExitStack() as sockets:
        family = Family(sockets)
        family.inboxes[0].end.close()
        async with process(MemoryStore(), family.member(1)) as other, connected(f"{other.at}/ws") as client:
            for _ in range(2):
                await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
            assert len(other.lobby.registry.in_memory()) == 2


@live
async def test_matches_that_an_address_creates_are_counted_in_all_processes_together() -> None:
    async with two(Limits(creations_per_minute=3)) as (_, other), connected(f"{other.at}/ws") as client:
        for _ in range(3):
            await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
        await anyio.sleep(0.05)
        for _ in range(2):
            refused = await client.ask(Create(GAME.name, TWO_PEOPLE), Error)
            assert "too fast" in refused.why


@live
async def test_where_the_process_whose_turn_it_is_ends_nobody_is_told_that_nothing_has_changed() -> None:
    with ExitStack() as sockets:
        family = Family(sockets)
        ended = family.member(0)
        ended.take(b"l", lambda _, files: os.close(*files))
        ended.listen()
        async with process(MemoryStore(), family.member(1)) as other, connected(f"{other.at}/ws") as client:
            await client.ask(Create(GAME.name, TWO_PEOPLE), Created)
            told = await client.ask(Create(GAME.name, TWO_PEOPLE), Error)
            assert "look whether it has begun" in told.why
        ended.stop()
