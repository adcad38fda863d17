"""A match that is over is played once more, with sides changed, when all who held a seat want it."""

from domain.kernel import MatchCreated, TimeControl
from projections.redaction import SPECTATOR
from replay.record.referee import read_event
from server.operations.settings import Limits
from server.wire.act_messages import Resign
from server.wire.protocol import Branch, Create, Created, Error, Hello, SeatWish, Welcome
from server.wire.rematch_messages import Again, Rematch
from tests.server.lobby.rematch_votes import told
from tests.server.tabletop import Player, Table, live, table
from tests.skirmish.game import GAME

TIME = TimeControl("bank", 60_000, 1_000)


async def ended(at: Table, *seats: SeatWish) -> tuple[Created, list[Player]]:
    """A match that its first seat has resigned, and who holds its seats."""
    client = await at.client()
    wishes = seats or (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
    created = await client.ask(Create(GAME.name, wishes, {}, listed=False, time=TIME), Created)
    players = [await at.player(created, int(seat)) for seat in created.tokens]
    await players[0].client.send(Resign(id="r"))
    for player in players:
        await player.until(player.is_over)
    return created, players


@live
async def test_both_must_want_it_and_each_then_holds_the_other_side() -> None:
    async with table() as at:
        _, (ada, bo) = await ended(at)
        await ada.client.send(Again())
        assert [await told(player.client) for player in (ada, bo)] == [Rematch((0,))] * 2
        await bo.client.send(Again())
        first, second = [await told(player.client) for player in (ada, bo)]
        assert isinstance(first, Rematch)
        assert isinstance(second, Rematch)
        assert (first.seat, second.seat) == (1, 0)
        assert first.match == second.match
        assert first.token != second.token
        created = Created(first.match, {"1": first.token, "0": second.token})
        again = [await at.player(created, seat) for seat in (0, 1)]
        assert any(player.view.asked() for player in again), "both are there, and it has begun"
        header, line = at.store.header(first.match), at.store.read(first.match, limit=1)[0]
        event = read_event(GAME, line)
        assert isinstance(event, MatchCreated)
        assert not header.listed
        table_info = at.lobby.registry.live_match(first.match).views.times_for(SPECTATOR).table
        assert table_info is not None
        assert table_info.time.limit_ms == TIME.limit_ms


@live
async def test_a_bot_agrees_at_once_and_takes_the_other_side() -> None:
    async with table() as at:
        _, (ada,) = await ended(at, SeatWish("me", "Ada"), SeatWish("bot", bot="random"))
        await ada.client.send(Again())
        found = await told(ada.client)
        assert isinstance(found, Rematch)
        assert found.seat == 1
        client = await at.client()
        welcome = await client.ask(Hello(found.match, found.token), Welcome)
        assert [seat.kind for seat in welcome.seats] == ["bot", "person"]


@live
async def test_a_wish_is_taken_back_and_who_comes_back_is_told_of_the_others() -> None:
    async with table() as at:
        created, (ada, bo) = await ended(at)
        await ada.client.send(Again())
        await ada.client.send(Again(on=False))
        assert [await told(bo.client) for _ in range(2)] == [Rematch((0,)), Rematch(())]
        await bo.client.send(Again())
        assert [await told(ada.client) for _ in range(2)] == [Rematch((0,)), Rematch(())]
        assert await told(ada.client) == Rematch((1,))
        later = await at.client()
        await later.send(Hello(created.match, created.tokens["0"]))
        assert await told(later) == Rematch((1,)), "who comes back is told"


@live
async def test_only_who_held_a_seat_of_a_match_that_is_over_is_heard() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        await ada.client.send(Again())
        early = await told(ada.client)
        assert isinstance(early, Error)
        assert "when it is over" in early.why
        watcher = await at.spectator(created)
        await watcher.client.send(Again())
        assert isinstance(await told(watcher.client), Error)


@live
async def test_a_match_that_began_in_another_is_not_played_once_more() -> None:
    async with table() as at:
        trunk, (first, _) = await ended(at)
        client = await at.client()
        seats = (SeatWish("me"), SeatWish("bot", bot="random"))
        made = await client.ask(Branch(trunk.match, first.view.seq - 1, seats, trunk.tokens["0"]), Created)
        player = await at.player(made, 0)
        await player.client.send(Resign(id="r"))
        await player.until(player.is_over)
        await player.client.send(Again())
        refused = await told(player.client)
        assert isinstance(refused, Error)
        assert "began in the middle" in refused.why


@live
async def test_who_may_begin_no_match_now_takes_nobodys_wish_away() -> None:
    async with table(limits=Limits(creations_per_minute=1)) as at:
        created, (ada, bo) = await ended(at)
        await ada.client.send(Again())
        assert await told(bo.client) == Rematch((0,))
        await bo.client.send(Again())
        refused = await told(bo.client)
        assert isinstance(refused, Error)
        assert refused.code == "too-often"
        later = await at.client()
        await later.send(Hello(created.match, created.tokens["1"]))
        assert await told(later) == Rematch((0,)), "the other wants it still"


@live
async def test_the_first_who_wants_what_can_never_begin_is_told_so() -> None:
    async with table() as at:
        trunk, (first, _) = await ended(at)
        client = await at.client()
        seats = (SeatWish("me"), SeatWish("friend"))
        made = await client.ask(Branch(trunk.match, first.view.seq - 1, seats, trunk.tokens["0"]), Created)
        players = [await at.player(made, seat) for seat in (0, 1)]
        await players[0].client.send(Resign(id="r"))
        for player in players:
            await player.until(player.is_over)
        await players[0].client.send(Again())
        refused = await told(players[0].client)
        assert isinstance(refused, Error)
        assert "began in the middle" in refused.why
