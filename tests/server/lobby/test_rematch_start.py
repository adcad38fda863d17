"""Who played at two servers over one store play once more as those at one do."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import pytest

from replay.store.memory import MemoryStore
from replay.store.side_tables.presence import MemoryPresence
from replay.store.store import Store
from server.lobby import rematch_start
from server.lobby.rematch_votes import RematchVotes, once_more
from server.operations.intervals import Intervals
from server.operations.settings import Limits
from server.table.live_match import LiveMatch
from server.wire.act_messages import Resign
from server.wire.protocol import Create, Created, Error, Hello, SeatWish
from server.wire.rematch_messages import Again, Rematch
from tests.server.cluster.servers import Ends
from tests.server.lobby.rematch_votes import told
from tests.server.tabletop import TWO_PEOPLE, Player, Table, live, table, two_servers
from tests.skirmish.game import GAME


async def ended(one: Table, two: Table, *seats: SeatWish) -> tuple[Created, list[Player]]:
    """A match that its first seat has resigned, and its people, every other one at the second server."""
    client = await one.client()
    created = await client.ask(Create(GAME.name, seats or TWO_PEOPLE, listed=False), Created)
    players = [await (one, two)[int(seat) % 2].player(created, int(seat)) for seat in created.tokens]
    await players[0].client.send(Resign(id="r"))
    for player in players:
        await player.until(player.is_over)
    return created, players


async def until_told(player: Player, asked: Sequence[int]) -> None:
    """Read until somebody is told that these want it."""
    with anyio.fail_after(120):
        while True:
            message = await told(player.client)
            assert isinstance(message, Rematch), message
            if message.asked == tuple(asked) and not message.match:
                return


async def next_match(player: Player) -> Rematch:
    """Read until somebody is told of the next match."""
    with anyio.fail_after(120):
        while True:
            message = await told(player.client)
            assert isinstance(message, Rematch), message
            if message.match:
                return message


async def count(store: Store) -> int:
    return sum((await anyio.to_thread.run_sync(store.matches.counts)).values())


@pytest.mark.parametrize("first", [0, 1])
@live
async def test_both_must_want_it_wherever_they_are_and_each_then_holds_the_other_side(
    store: Store, ends: Ends, first: int
) -> None:
    async with two_servers(store, *ends) as (one, two):
        _, players = await ended(one, two)
        await players[first].client.send(Again())
        for player in players:
            await until_told(player, [first])
        await players[1 - first].client.send(Again())
        mine, other = [await next_match(player) for player in players]
        assert (mine.match, mine.seat, other.seat) == (other.match, 1, 0)
        created = Created(mine.match, {"1": mine.token, "0": other.token})
        rematch_start = [await at.player(created, seat) for at, seat in ((one, 1), (two, 0))]
        last = await anyio.to_thread.run_sync(store.head, mine.match)
        for player in rematch_start:
            await player.reach(last.seq)
        assert any(player.view.asked() for player in rematch_start), "both are there, and it has begun"
        assert await count(store) == 2


@live
async def test_where_both_want_it_at_once_one_match_begins(store: Store, ends: Ends) -> None:
    async with two_servers(store, *ends) as (one, two):
        _, players = await ended(one, two)
        async with anyio.create_task_group() as both:
            for player in players:
                both.start_soon(player.client.send, Again())
        assert len({(await next_match(player)).match for player in players}) == 1
        await anyio.sleep(0.3)
        assert await count(store) == 2


@live
async def test_a_wish_that_is_taken_back_or_whose_seat_is_gone_holds_at_no_server() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created, (ada, bo) = await ended(one, two)
        await bo.client.send(Again())
        await until_told(ada, [1])
        await bo.client.send(Again(on=False))
        await until_told(ada, [])
        await bo.client.send(Again())
        await until_told(ada, [1])
        later = await one.client()
        await later.send(Hello(created.match, created.tokens["0"]))
        assert await told(later) == Rematch((1,)), "who comes back is told"
        await bo.client.connection.close()
        await until_told(ada, [])
        await ada.client.send(Again())
        await until_told(ada, [0])
        assert await count(store) == 1


@live
async def test_it_is_played_once_more_and_once_more() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        _, players = await ended(one, two)
        begun = set()
        for _ in range(2):
            for player in players:
                await player.client.send(Again())
            ways = [await next_match(player) for player in players]
            begun |= {way.match for way in ways}
            hashes = {row.token_hash for row in store.seats.holders(ways[0].match)}
            assert len(hashes) == 2
            assert len({way.token for way in ways}) == 2
        assert len(begun) == 2
        assert await count(store) == 3


class HearingPresence(MemoryPresence):
    """Keeps all that servers say of who is there."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def announce(self, server: str, at: int, words: Mapping[str, str]) -> None:
        """See `Presence`."""
        self.heard += words.values()
        super().announce(server, at, words)


class Hearing(MemoryStore):
    """A store that keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self.presence: HearingPresence = HearingPresence()


@live
async def test_no_token_of_the_next_match_lies_in_the_store() -> None:
    store = Hearing()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        _, players = await ended(one, two)
        for player in players:
            await player.client.send(Again())
        ways = [await next_match(player) for player in players]
        assert any('"wishes"' in words for words in store.presence.heard)
        assert not [way for way in ways if any(way.token in words for words in store.presence.heard)]


@live
async def test_who_may_begin_no_match_now_is_told_so_at_the_own_server() -> None:
    store, limits = MemoryStore(), Limits(creations_per_minute=1)
    async with (
        table(store, limits=limits, is_shared=True, intervals=Intervals(poll_s=0.02)) as one,
        table(store, is_shared=True, intervals=Intervals(poll_s=0.02)) as two,
    ):
        _, (ada, bo) = await ended(one, two)
        await ada.client.send(Again())
        await until_told(bo, [0])
        await bo.client.send(Again())
        with anyio.fail_after(120):
            while not isinstance(refused := await told(ada.client), Error):
                pass
        assert refused.code == "too-often"
        await until_told(ada, [1])
        assert await count(store) == 1


@live
async def test_who_is_at_both_servers_begins_one_match() -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created, (ada, bo) = await ended(one, two)
        other = await two.player(created, 0)
        for player in (other, ada, bo):
            await player.client.send(Again())
        assert (await next_match(bo)).seat == 0
        async with anyio.create_task_group() as either:

            async def one_is_told(player: Player) -> None:
                assert (await next_match(player)).seat == 1
                either.cancel_scope.cancel()

            for player in (other, ada):
                either.start_soon(one_is_told, player)
        assert await count(store) == 2


@live
async def test_two_servers_that_begin_it_at_once_begin_one_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has heard of all wishes but that of the first seat at the other one."""
    monkeypatch.setattr(RematchVotes, "asker", lambda self, live_match: 0 if self.asked(live_match) == (0, 1) else None)
    store, both = MemoryStore(), anyio.Event()
    beginning: list[Store] = []

    async def once_both_begin(store: Store, live_match: LiveMatch[Any]) -> Create:
        beginning.append(store)
        if len(beginning) > 1:
            both.set()
        await both.wait()
        return await once_more(store, live_match)

    monkeypatch.setattr(rematch_start, "once_more", once_both_begin)
    async with two_servers(store, intervals=Intervals(poll_s=0.02)) as (one, two):
        created, (ada, bo) = await ended(one, two)
        other = await two.player(created, 0)
        for player in (other, ada, bo):
            await player.client.send(Again())
        begun = await next_match(bo)
        assert begun.seat == 0
        with anyio.fail_after(120):
            while not all(at.lobby.presence.rematches._begun.get(created.match) == begun.match for at in (one, two)):
                await anyio.sleep(0.02)
        assert await count(store) == 2


@live
async def test_nobody_is_told_that_a_wish_is_gone_while_the_match_for_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    async with two_servers(store, intervals=Intervals(poll_s=0.01)) as (one, two):
        _, (ada, bo) = await ended(one, two)
        made = one.lobby.factory.create

        async def slowly(*given: Any, **named: Any) -> Created:
            await anyio.sleep(0.1)
            return await made(*given, **named)

        monkeypatch.setattr(one.lobby.factory, "create", slowly)
        await ada.client.send(Again())
        await until_told(bo, [0])
        await bo.client.send(Again())
        for player in (ada, bo):
            heard = [await told(player.client)]
            while not (isinstance(last := heard[-1], Rematch) and last.match):
                heard.append(await told(player.client))
            assert heard[-2:-1] in ([], [Rematch((0, 1))])


@live
async def test_a_rematch_keeps_the_names_of_clients_that_send_none() -> None:
    async with table() as at:
        _, players = await ended(at, at)
        for player in players:
            await player.client.send(Again())
        mine, other = [await next_match(player) for player in players]
        created = Created(mine.match, {"1": mine.token, "0": other.token})
        for seat in (0, 1):
            await at.player(created, seat)
        assert [row.name for row in at.store.seats.holders(mine.match)] == ["Bo", "Ada"]
