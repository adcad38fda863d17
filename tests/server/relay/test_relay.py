"""A relay shows what the server shows spectators, byte for byte, and refuses whoever wants more than to watch."""

from typing import Any

import pytest

from herald_client.links import socket_at
from server.wire.client import Client, connected
from server.wire.protocol import (
    Chat,
    Choose,
    Create,
    Created,
    Events,
    Hello,
    Join,
    ListMatches,
    Matches,
    Need,
    Presence,
    Snapshot,
    Welcome,
    write_message,
)
from tests.server.relay.relayed import heard, of, relay
from tests.server.tabletop import TWO_PEOPLE, live, play_out, table
from tests.skirmish.game import GAME


async def watching(client: Client, match: str, **how: Any) -> Welcome:
    return await client.ask(Hello(match, viewer="spectator", **how), Welcome)


@live
async def test_a_spectator_at_a_relay_is_sent_the_same_lines_and_scenes_as_at_the_server() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 1, most=3)
        near, far = await at.client(), await there.client()
        welcomes = [await watching(client, created.match, since=0, caps=("scene",)) for client in (near, far)]
        assert welcomes[0] == welcomes[1]
        await play_out([ada, bo], 2)
        watcher = await there.spectator(created.match)
        await watcher.until(watcher.is_over)
        told = [of(Events, await heard(near)), of(Events, await heard(far))]
        # In the order of lines; which frames are of backlog and which came live is the same too.
        assert list(map(write_message, told[0])) == list(map(write_message, told[1]))
        assert len(told[0]) > 3
        again = [await watching(client, created.match, caps=("scene",)) for client in (near, far)]
        assert again[0].status == again[1].status == "finished"
        scenes = [await client.expect(Snapshot) for client in (near, far)]
        assert write_message(scenes[0]) == write_message(scenes[1])


@live
async def test_one_connection_to_the_server_serves_all_who_watch_at_the_relay() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        watchers = [await there.spectator(created.match) for _ in range(20)]
        await play_out([ada, bo], 1)
        for watcher in watchers:
            await watcher.until(watcher.is_over)
            assert watcher.items == watchers[0].items
        assert at.lobby.connection_limits.counts["spectator"] == 1
        assert there.registry.admission.counts["spectator"] == 20


@live
async def test_gaps_are_served_from_any_line() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 1)
        one = await there.spectator(created.match)
        await one.until(one.is_over)
        for since in (0, 1, one.view.seq - 1):
            await one.client.send(Need(since))
            (again,) = of(Events, await heard(one.client))
            assert (again.first, again.last, list(again.items)) == (since + 1, one.view.seq, one.items[since:])
        await one.client.send(Need(one.view.seq))
        assert not of(Events, await heard(one.client))
        assert (
            await there.refusal(Hello(created.match, viewer="spectator", since=one.view.seq + 1))
        ).code == "beyond-head"


@pytest.mark.parametrize(
    "message",
    [
        Hello("M" * 22, "t" * 43),
        Hello("M" * 22),
        Hello("M" * 22, "t" * 43, "spectator"),
        Choose("a", 1, 0),
        Chat("hello"),
        Create(GAME.name, TWO_PEOPLE),
        Join("M" * 22, 0, "Ada"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_who_wants_more_than_to_watch_is_told_where(message: Any) -> None:
    @live
    async def asked() -> None:
        async with table() as at, relay(at.url) as there:
            refused = await there.refusal(message)
            assert refused.code == "watch-only"
            assert at.lobby.connection_limits.counts == {"seat": 0, "caster": 0, "spectator": 0, "stranger": 0}

    asked()


@live
async def test_a_match_that_nobody_may_watch_is_none_at_the_relay_either() -> None:
    async with table() as at, relay(at.url) as there:
        client = await at.client()
        closed = await client.ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        for match in (closed.match, "A" * 22, "nonsense"):
            refused = await there.refusal(Hello(match, viewer="spectator"))
            assert (refused.code, refused.why) == ("not-admitted", "There is no such match, or not with this token.")
        assert not there.registry.shows


@live
async def test_a_match_is_watched_at_a_path_with_its_hash_too_as_pages_do() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        async with connected(socket_at(there.url, created.match)) as client:
            assert (await watching(client, created.match)).match == created.match


@live
async def test_the_list_of_matches_is_the_servers() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        told = await (await there.client()).ask(ListMatches(), Matches)
        assert [info.match for info in (*told.open, *told.running)] == [created.match]


@live
async def test_presence_counts_who_watches_here_and_there_and_the_relay_itself_not() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        await at.player(created, 0)
        await at.spectator(created)
        client = await there.client()
        await watching(client, created.match, name="Eve")
        other = await there.client()
        await watching(other, created.match)
        there.registry.look_round()
        while (told := await other.expect(Presence)).spectators < 3:
            pass
        assert (told.seats, told.spectators, told.names) == ((0,), 3, ("Eve",))
