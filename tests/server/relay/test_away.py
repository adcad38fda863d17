"""Origins that are away, relays that are killed, connections that are lost, slow readers, and memory that is full."""

import signal
from typing import Any

import anyio
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from replay.record import sealing
from replay.store.memory import MemoryStore
from server.operations.settings import Limits
from server.relay.registry import RelayLimits
from server.wire.client import connected
from server.wire.protocol import (
    ClockInfo,
    Create,
    Created,
    Error,
    Events,
    Hello,
    Presence,
    SeatsChanged,
    Snapshot,
    Welcome,
)
from tests.server.pages.serving import get
from tests.server.relay.liars import origin, tell, truth
from tests.server.relay.processes import started
from tests.server.relay.relayed import heard, of, relay
from tests.server.tabletop import TWO_PEOPLE, live, play_out, table
from tests.skirmish.game import GAME


async def error(client: Any) -> Error:
    """The next error that comes by itself."""
    while not isinstance(message := await client.receive(), Error):
        pass
    return message


@live
async def test_while_the_origin_is_away_what_is_there_is_served_and_then_the_gap_is_filled() -> None:
    store = MemoryStore()
    async with table(store) as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 1, most=3)
        one = await there.spectator(created.match)
        await one.reach(ada.view.seq)
        for host in list(at.lobby.connection_limits._members):
            if host.guest.role == "spectator":
                host.dismiss(1001)
        await play_out([ada, bo], 1)
        await one.until(one.is_over)
        assert one.items == (await at.spectator(created)).items
        assert there.registry.tally.lost == 1


@live
async def test_an_origin_that_is_gone_is_told_of_once_and_by_nobody_missed_who_comes() -> None:
    true, up = await truth(), [True]

    async def says(connection: ServerConnection, hello: Hello) -> None:
        if not up[0]:
            await connection.close()
            return
        await tell(connection, true.welcomed(8), true.said((hello.since or 0) + 1, 8))
        connections.append(connection)

    connections: list[ServerConnection] = []
    async with origin(says) as url, relay(url) as there:
        one = await there.spectator(true.welcome.match)
        up[0] = False
        await connections[0].close()
        assert (await error(one.client)).code == "origin-away"
        late = await there.spectator(true.welcome.match)
        assert late.items == one.items
        assert (await error(late.client)).code == "origin-away"
        up[0] = True
        await one.client.expect(Presence)
        assert there.registry.shows[0].trouble is None
        assert not of(Error, await heard(one.client))


@live
async def test_where_no_origin_answers_a_match_is_not_said_to_be_none() -> None:
    async with relay("ws://127.0.0.1:9/ws") as there:
        assert (await there.refusal(Hello("A" * 22, viewer="spectator"))).code == "origin-away"
        assert not there.registry.shows


@live
async def test_of_several_origins_each_is_asked_and_another_goes_on_when_one_is_away() -> None:
    away = "ws://127.0.0.1:9/ws"
    async with table() as at, table() as other, relay(other.url, away, at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        one = await there.spectator(created.match)
        await play_out([ada, bo], 1)
        await one.until(one.is_over)
        nowhere = Hello("A" * 22, viewer="spectator")
        assert (await there.refusal(nowhere)).code == "origin-away"


@live
async def test_a_match_that_nobody_watches_is_dropped_after_a_while_and_taken_again() -> None:
    async with table() as at, relay(at.url, bounds=RelayLimits(idle_s=0.05)) as there:
        created = await at.create()
        one = await there.spectator(created.match)
        await anyio.sleep(0.1)
        there.registry.sweep()
        assert len(there.registry.shows) == 1
        await one.client.connection.close()
        while there.registry.shows[0].watchers:
            await anyio.sleep(0.01)
        await anyio.sleep(0.1)
        there.registry.sweep()
        assert not there.registry.shows
        while at.lobby.connection_limits.counts["spectator"]:
            await anyio.sleep(0.01)
        again = await there.spectator(created.match)
        assert again.items == one.items


@live
async def test_for_one_more_match_the_longest_unwatched_goes_and_none_that_is_watched() -> None:
    async with table() as at, relay(at.url, bounds=RelayLimits(matches=2)) as there:
        matches = [(await at.create()).match for _ in range(3)]
        one, two = [await there.spectator(match) for match in matches[:2]]
        client = await there.client()
        await client.send(Hello(matches[2], viewer="spectator"))
        with pytest.raises(ConnectionClosed) as closed:
            await client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4013
        await one.client.connection.close()
        while there.registry.shows[0].watchers:
            await anyio.sleep(0.01)
        await there.spectator(matches[2])
        assert {show.match for show in there.registry.shows} == {two.view.match, matches[2]}


@pytest.mark.parametrize(("over", "shown"), [(0, True), (-1, False)])
def test_lines_are_held_up_to_the_bytes_that_are_set(over: int, *, shown: bool) -> None:
    @live
    async def told() -> None:
        true = await truth()
        size = sum(map(len, true.lines))

        async def says(connection: ServerConnection, _: Hello) -> None:
            await tell(connection, true.welcomed(len(true.lines)), true.said(1, len(true.lines)))

        async with origin(says) as url, relay(url, bounds=RelayLimits(bytes=size + over)) as there:
            if shown:
                one = await there.spectator(true.welcome.match)
                assert (one.is_over(), there.registry.bytes) == (True, size)
                return
            client = await there.client()
            await client.send(Hello(true.welcome.match, viewer="spectator"))
            with pytest.raises(ConnectionClosed, match="4013"):
                await client.receive()
            assert not there.registry.shows

    told()


@live
async def test_a_slow_reader_misses_nothing_and_holds_nobody_up() -> None:
    true = await truth()
    last = len(true.lines)

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, true.welcomed(1), true.said(1, 1))
        connections.append(connection)

    connections: list[ServerConnection] = []
    async with origin(says) as url, relay(url, limits=Limits(waiting_bytes=1024)) as there:
        slow, quick = [await there.spectator(true.welcome.match) for _ in range(2)]
        for seq in range(2, last + 1):
            await tell(connections[0], true.said(seq, seq))
            if seq == 3:
                there.registry.shows[0].watchers[0].fall_behind()
        await quick.until(quick.is_over)
        await slow.until(slow.is_over)
        assert slow.items == quick.items
        assert there.registry.meters.catch_ups >= 1


@live
async def test_who_draws_and_was_left_behind_gets_a_scene() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        client = await there.client()
        await client.ask(Hello(created.match, viewer="spectator", caps=("scene",)), Welcome)
        await client.expect(Snapshot)
        there.registry.shows[0].watchers[0].fall_behind()
        await play_out([ada, bo], 1)
        while there.registry.shows[0].copy.seq < ada.view.seq:
            await anyio.sleep(0.01)
        told = await heard(client)
        assert len(of(Snapshot, told)) == len(of(SeatsChanged, told)) == 1
        shown = [*of(Snapshot, told), *of(Events, told)][-1]
        assert (shown.head.seq, shown.head.hash) == (ada.view.seq, sealing.b64(ada.view.head))


@live
async def test_spectators_who_are_kept_behind_are_kept_behind_at_a_relay_until_the_end() -> None:
    async with table() as at, relay(at.url) as there:
        created = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, delay_events=9), Created)
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        near = await at.spectator(created)
        client = await there.client()
        welcome = await client.ask(Hello(created.match, viewer="spectator", since=0), Welcome)
        assert welcome.delay is not None
        assert welcome.delay.events == 9
        await play_out([ada, bo], 1, most=6)
        await near.reach(near.view.seq + 1)
        while there.registry.shows[0].copy.seq < near.view.seq:
            await anyio.sleep(0.01)
        await heard(near.client)
        assert ada.view.seq - 9 >= there.registry.shows[0].copy.seq >= near.view.seq
        await play_out([ada, bo], 2)
        one = await there.spectator(created.match)
        await one.until(one.is_over)
        again = await (await there.client()).ask(Hello(created.match, viewer="spectator"), Welcome)
        assert (again.delay, again.status) == (None, "finished")


@live
async def test_what_an_operator_asks_for_is_answered_and_other_pages_are_elsewhere() -> None:
    async with table() as at, relay(at.url, home="https://herald.example") as there:
        created = await at.create()
        await there.spectator(created.match)
        assert (await get(there, "/healthz"))[0] == (await get(there, "/readyz"))[0] == 200  # type: ignore[arg-type]
        told = (await get(there, "/metrics"))[2].decode()  # type: ignore[arg-type]
        for name in ("herald_relay_matches", "herald_relay_origins_reached", 'herald_connections{kind="spectator"}'):
            assert f"\n{name} 1\n" in told
        for path in ("/", "/play", "/replay", "/lesson", "/feed", "/feed.atom"):
            status, headers, _ = await get(there, path)  # type: ignore[arg-type]
            assert (status, headers["Location"]) == (307, f"https://herald.example{path}")
        for path in ("/watch", "/wall", "/follow", f"/overlay/{created.match}", "/api/words/vera_discordia"):
            assert (await get(there, path))[0] == 200  # type: ignore[arg-type]
        status, headers, _ = await get(there, "/api/record/X")  # type: ignore[arg-type]
        assert (status, headers["Location"]) == (307, "https://herald.example/api/record/X")
        for path in ("/armies/", "/inspect"):
            assert (await get(there, path))[0] == 404  # type: ignore[arg-type]
        there.registry.is_draining = True
        assert (await get(there, "/readyz"))[0] == 503  # type: ignore[arg-type]


@pytest.mark.whole
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_who_watched_at_a_relay_that_is_killed_goes_on_at_the_next(how: signal.Signals) -> None:
    @live
    async def watched() -> None:
        async with table() as at:
            created = await at.create()
            ada, bo = await at.player(created, 0), await at.player(created, 1)
            first = await started(at.http)
            async with connected(first.url) as client:
                await client.ask(Hello(created.match, viewer="spectator", since=0), Welcome)
                await play_out([ada, bo], 1, most=3)
                items: list[Any] = []
                while len(items) < ada.view.seq:
                    items += (await client.expect(Events)).items
                assert await first.end(how) == (0 if how == signal.SIGTERM else -how)
                await client.connection.wait_closed()
                assert client.connection.close_code == (1001 if how == signal.SIGTERM else 1006)
            second = await started(at.http)
            await play_out([ada, bo], 2)
            async with connected(second.url) as client:
                await client.ask(Hello(created.match, viewer="spectator", since=len(items)), Welcome)
                while len(items) < ada.view.seq:
                    items += (await client.expect(Events)).items
            assert items == (await at.spectator(created)).items
            await second.end(signal.SIGTERM)

    watched()


@live
async def test_clocks_of_who_comes_later_show_less() -> None:
    true = await truth()

    async def says(connection: ServerConnection, _: Hello) -> None:
        clocks = {"0": ClockInfo(60_000, run=True), "1": ClockInfo(60_000), "2": ClockInfo(9, run=True)}
        await tell(connection, replace(true.welcomed(8), clocks=clocks), true.said(1, 8))

    async with origin(says) as url, relay(url) as there:
        await there.spectator(true.welcome.match)
        await anyio.sleep(0.05)
        later = await (await there.client()).ask(Hello(true.welcome.match, viewer="spectator"), Welcome)
        assert 0 < later.clocks["0"].ms <= 59_950
        assert (later.clocks["1"].ms, later.clocks["2"].ms) == (60_000, 0)
