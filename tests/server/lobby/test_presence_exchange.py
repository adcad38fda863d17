"""Who is at one server is known at the others over the same store, by hints or when the store is asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import pytest

from domain.kernel import Seat
from projections.redaction import Viewer
from replay.store.errors import StoreFailed
from replay.store.memory import MemoryStore
from replay.store.side_tables.presence import MemoryPresence
from replay.store.store import Store
from server.lobby import presence_exchange
from server.lobby.lobby import Lobby
from server.operations.intervals import Intervals
from server.table.placement import Placement
from server.wire.act_messages import Claim
from server.wire.client import Client
from server.wire.protocol import (
    Chat,
    Create,
    Created,
    Grant,
    Granted,
    Hello,
    Ping,
    Pong,
    Presence,
    Refused,
    Revoke,
    Revoked,
    Said,
    Welcome,
)
from tests.server.cluster.servers import Bus, End, Ends, apart
from tests.server.table.standins import Ear
from tests.server.tabletop import FACES, TWO_PEOPLE, Table, live, table, two_servers
from tests.skirmish.game import GAME


async def told(client: Client, holds: Callable[[Presence], bool]) -> Presence:
    """Read until somebody is told of presence that is so."""
    with anyio.fail_after(120):
        while True:
            message = await client.receive()
            if isinstance(message, Presence) and holds(message):
                return message


async def watching(at: Table, created: Created, name: str = "", token: str = "") -> Client:
    client = await at.client()
    await client.ask(Hello(created.match, token, "" if token else "spectator", name=name), Welcome)
    return client


@live
async def test_who_comes_and_goes_at_one_server_is_told_at_the_other(store: Store, ends: Ends) -> None:
    async with two_servers(store, *ends) as (one, two):
        created, ada, bo = await apart(one, two)
        await told(ada.client, lambda there: there.seats == (0, 1))
        await told(bo.client, lambda there: there.seats == (0, 1))
        assert one.lobby.registry.live_match(created.match).table_state.absent_ms(1) == 0, (
            "nobody can claim to have been left alone"
        )
        await bo.client.connection.close()
        await told(ada.client, lambda there: there.seats == (0,))


@live
async def test_who_enters_is_told_at_once_who_is_at_another_server() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=3600.0)) as (one, two):
        created = await one.create()
        ada = await watching(one, created, token=created.tokens["0"])
        await told(ada, lambda there: there.seats == (0,))
        while not store.presence.announced(0, [created.match]):
            await anyio.sleep(0.01)
        sue = await watching(two, created)
        assert (await sue.expect(Presence)).seats == (0,)


@live
async def test_spectators_of_all_servers_are_counted_and_named_together() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created, ada, bo = await apart(one, two)
        await watching(one, created, "Tim")
        sue = await watching(two, created, "Sue")
        for client in (ada.client, bo.client, sue):
            there = await told(client, lambda there: there.spectators == 2)
            assert there.names == ("Sue", "Tim")


@live
async def test_who_is_kept_behind_is_not_told_either_who_sits_at_another_server() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        client = await one.client()
        created = await client.ask(Create(GAME.name, TWO_PEOPLE, delay_s=60, closed=False), Created)
        ada = await watching(one, created, token=created.tokens["0"])
        sue = await watching(two, created, "Sue")
        await told(ada, lambda there: there.names == ("Sue",))
        await watching(two, created, "Tim")
        assert (await told(sue, lambda there: there.spectators == 2)).seats == ()
        assert two.lobby.registry.live_match(created.match).connections.told.seats == (0,)


@live
async def test_a_server_that_gives_no_sign_is_gone_with_all_who_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02, gone_ms=300, sign_s=0.05)) as (one, two):
        created, ada, _ = await apart(one, two)
        await told(ada.client, lambda there: there.seats == (0, 1))
        await anyio.sleep(0.6)
        assert one.lobby.registry.live_match(created.match).connections.told.seats == (0, 1), (
            "it gives a sign all the time"
        )

        async def silent(matches: Sequence[str]) -> None:
            del matches

        monkeypatch.setattr(two.lobby.presence, "look_round", silent)
        await told(ada.client, lambda there: there.seats == (0,))


@live
async def test_a_server_that_stops_leaves_nobody_behind() -> None:
    store = MemoryStore()
    async with table(store, is_shared=True) as one:
        created = await one.create()
        async with table(store, is_shared=True) as two:
            await two.player(created, 1)
            while not store.presence.announced(0, [created.match]):
                await anyio.sleep(0.01)
        assert store.presence.announced(0, [created.match]) == []


@live
async def test_hints_of_who_is_there_say_the_match_and_nothing_else() -> None:
    store, bus = MemoryStore(), Bus()
    async with two_servers(store, (End(bus), End(bus)), intervals=Intervals(calm_s=3600.0)) as (one, two):
        created, ada, _ = await apart(one, two)
        await told(ada.client, lambda there: there.seats == (0, 1))
        assert {match for given in bus.given for match in given} == {created.match}
        assert {presence_exchange.BESIDE} < {line for given in bus.given for line in given.values()}


@live
async def test_a_view_that_is_lent_or_taken_back_at_one_server_is_so_at_the_other(store: Store, ends: Ends) -> None:
    async with two_servers(store, *ends) as (one, two):
        created, ada, bo = await apart(one, two)
        token = (await ada.client.ask(Grant(), Granted)).token
        await told(bo.client, lambda there: there.shared == (0,))
        caster = Ear(Viewer(Seat(0)), "caster")
        (await two.lobby.registry.open(created.match)).admission.enter(caster)
        await told(ada.client, lambda there: there.casters == 1)
        await ada.client.ask(Revoke(), Revoked)
        await told(bo.client, lambda there: there.shared == ())
        assert (caster.code, bool(token)) == (4010, True)


class CountingPresence(MemoryPresence):
    """Counts what is asked about who is there."""

    asked = 0
    fails = False

    def announce(self, server: str, at: int, words: Mapping[str, str]) -> None:
        """See `Presence`."""
        CountingPresence.asked += 1
        if self.fails:
            raise StoreFailed("away")
        super().announce(server, at, words)

    def announced(self, since: int, matches: Sequence[str]) -> list[tuple[str, str, str]]:
        """See `Presence`."""
        CountingPresence.asked += 1
        return super().announced(since, matches)

    def leave(self, server: str, before: int) -> None:
        """See `Presence`."""
        CountingPresence.asked += 1
        super().leave(server, before)


class Counting(MemoryStore):
    """A store that counts so."""

    def __init__(self) -> None:
        super().__init__()
        self.presence: CountingPresence = CountingPresence()


@live
async def test_a_server_alone_asks_the_store_nothing_about_who_is_there() -> None:
    CountingPresence.asked = 0
    async with table(Counting()) as at:
        created = await at.create()
        ada = await at.player(created, 0)
        await at.player(created, 1)
        await told(ada.client, lambda there: there.seats == (0, 1))
    assert CountingPresence.asked == 0


@live
async def test_what_could_not_be_told_while_the_store_was_away_is_told_later() -> None:
    store: Any = Counting()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        store.presence.fails = True
        created, ada, _ = await apart(one, two)
        await anyio.sleep(0.1)
        assert one.lobby.registry.live_match(created.match).connections.told.seats == (0,)
        store.presence.fails = False
        await told(ada.client, lambda there: there.seats == (0, 1))


async def hears(client: Client, count: int) -> list[str]:
    """The next words that somebody is told."""
    heard: list[str] = []
    with anyio.fail_after(120):
        while len(heard) < count:
            message = await client.receive()
            heard += [line.text for line in message.lines] if isinstance(message, Said) else []
    return heard


async def silent(client: Client) -> bool:
    """Whether somebody was told nothing in chat up to now."""
    await client.send(Ping(1))
    while not isinstance(message := await client.receive(), Pong):
        if isinstance(message, Said):
            return False
    return True


@live
async def test_what_is_said_at_one_server_is_heard_in_that_room_at_the_other_once_and_in_order(
    store: Store, ends: Ends
) -> None:
    async with two_servers(store, *ends) as (one, two):
        created, ada, bo = await apart(one, two)
        tim, sue = await watching(one, created, "Tim"), await watching(two, created, "Sue")
        for number in range(3):
            await ada.client.send(Chat(f"ada {number}"))
            assert await hears(bo.client, 1) == [f"ada {number}"]
            await bo.client.send(Chat(f"bo {number}"))
            assert await hears(bo.client, 1) == [f"bo {number}"]
        said = [f"{who} {number}" for number in range(3) for who in ("ada", "bo")]
        assert await hears(ada.client, 6) == said
        await sue.send(Chat("from the gallery"))
        assert await hears(tim, 1) == ["from the gallery"]
        for client in (ada.client, bo.client, tim):
            assert await silent(client)


@live
async def test_of_what_is_said_at_two_servers_at_once_both_hear_all_of_it_in_one_order(
    store: Store, ends: Ends
) -> None:
    async with two_servers(store, *ends) as (one, two):
        created, ada, bo = await apart(one, two)
        await told(ada.client, lambda there: there.seats == (0, 1))
        for number in range(4):
            await ada.client.send(Chat(f"ada {number}"))
            await bo.client.send(Chat(f"bo {number}"))
        heard = await hears(ada.client, 8)
        assert heard == await hears(bo.client, 8) == [row.text for row in store.chat.said(created.match, "players", 50)]
        assert await silent(ada.client)
        assert await silent(bo.client)


@live
async def test_who_comes_hears_what_was_said_before_once() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created = await one.create()
        ada = await one.player(created, 0)
        for number in range(3):
            await ada.client.send(Chat(f"ada {number}"))
        await hears(ada.client, 3)
        bo = await two.player(created, 1)
        await bo.client.send(Chat("I am here"))
        assert await hears(bo.client, 4) == ["ada 0", "ada 1", "ada 2", "I am here"]
        assert await hears(ada.client, 1) == ["I am here"]
        await anyio.sleep(0.1)
        assert await silent(bo.client)


@live
async def test_after_chat_was_erased_each_server_still_hears_the_other() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created, ada, bo = await apart(one, two)
        for number in range(3):
            await ada.client.send(Chat(f"ada {number}"))
        await hears(bo.client, 3)
        store.chat.erase(created.match)
        await bo.client.send(Chat("again"))
        assert (await hears(ada.client, 4))[-1] == "again"
        assert await hears(bo.client, 1) == ["again"]


@live
async def test_two_spectators_at_two_servers_are_not_called_alike_in_chat() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created = await one.create()
        for at in (one, two):
            await (await watching(at, created)).send(Chat("hello"))
        while len(rows := store.chat.said(created.match, "spectators", 9)) < 2:
            await anyio.sleep(0.01)
        assert rows[0].who != rows[1].who


@live
async def test_a_line_that_was_told_by_another_server_is_told_in_no_hint() -> None:
    store, bus = MemoryStore(), Bus()
    async with two_servers(store, (End(bus), End(bus)), intervals=Intervals(calm_s=3600.0)) as (one, two):
        created, ada, bo = await apart(one, two)
        bus.given.clear()
        await ada.client.send(Chat("secret"))
        await hears(bo.client, 1)
        assert bus.given[0] == {created.match: presence_exchange.BESIDE}
        assert all(given == bus.given[0] for given in bus.given)


@live
async def test_who_has_just_come_back_at_another_server_cannot_be_claimed_to_be_gone() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=3600.0)) as (one, two):
        created = await one.create()
        ada = await one.player(created, 0)
        table_state = one.lobby.registry.live_match(created.match).table_state
        await anyio.sleep(0.01)
        assert table_state.absent_ms(1) > 0
        await two.player(created, 1)
        while not [words for _, _, words in store.presence.announced(0, [created.match]) if '"seats":[1]' in words]:
            await anyio.sleep(0.01)
        await ada.client.send(Claim("c", 1))
        assert isinstance(await ada.client.expect(Refused), Refused)
        assert table_state.absent_ms(1) == 0


@live
async def test_a_process_in_which_a_match_lives_says_who_is_there_only_once_somebody_came_to_another_one() -> None:
    store: Any = Counting()
    lobbies = [Lobby(store, FACES, home=Placement(number, 2)) for number in (0, 1)]
    match = (await lobbies[0].factory.create(Create(GAME.name, TWO_PEOPLE))).match
    own, other = await lobbies[0].registry.open(match), await lobbies[1].registry.open(match)
    near, far = Ear(Viewer(Seat(0)), "seat"), Ear(Viewer(Seat(1)), "seat")
    own.admission.enter(near)
    await anyio.sleep(0.1)
    assert store.presence.announced(0, [match]) == []
    other.admission.enter(far)
    for look in range(4):
        await lobbies[look % 2].presence.look((match,))
        await anyio.sleep(0.1)
    assert own.connections.told.seats == other.connections.told.seats == (0, 1)
    for lobby in lobbies:
        await lobby.close()
