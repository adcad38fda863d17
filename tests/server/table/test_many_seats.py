"""A match of three and of four over the wire: links, votes of all others, who leaves, bots, keys, restarts."""

import random
from typing import Any

import anyio
import pytest

from domain.kernel import Chosen, Draw, Pause, Seat, SeatLeft, TakeBack, TimeControl, table_order
from herald_client import Asked, Key, Match, Server, friend, me, some
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from server.wire.act_messages import Agree, Claim, Offer, Resign, TableMessage
from server.wire.client import enter
from server.wire.protocol import Accepted, Create, Created, Games, ListGames, Refused, SeatWish
from server.wire.protocol import Error as Problem
from tests.pennants.game import GAME
from tests.server.tabletop import Player, Table, live, play_out, table

THREE: dict[str, Any] = {"seats": 3}
FOUR: dict[str, Any] = {"seats": 4, "allied": True}
NAMES = ("Ada", "Bo", "Cy", "Di")


def people(seats: int) -> tuple[SeatWish, ...]:
    return tuple(SeatWish("me" if seat == 0 else "friend", name) for seat, name in enumerate(NAMES[:seats]))


async def create(at: Table, options: dict[str, Any], *wishes: SeatWish, **more: Any) -> Created:
    seats = wishes or people(GAME.seats_of(options))
    return await (await at.client()).ask(Create(GAME.name, seats, options, **more), Created)


async def begun(at: Table, options: dict[str, Any], **more: Any) -> tuple[Created, list[Player]]:
    created = await create(at, options, **more)
    players = [await at.player(created, seat) for seat in range(GAME.seats_of(options))]
    for player in players:
        await player.until(lambda player=player: player.view.state is not None and bool(player.view.state.asked))  # type: ignore[misc]
    return created, players


async def act(player: Player, message: TableMessage) -> Accepted | Refused:
    await player.client.send(message)
    return await player.client.expect(Accepted | Refused)  # type: ignore[arg-type]


async def abreast(players: list[Player]) -> None:
    head = max(player.view.seq for player in players)
    for player in players:
        await player.reach(head)


def assert_holds(at: Table, match: str, seats: int) -> None:
    for viewer in (None, SPECTATOR, *(Viewer(Seat(seat)) for seat in range(seats))):
        report = audit(GAME, export.from_store(at.store, match, viewer))
        assert report.fault is None, (viewer, str(report.fault))


@pytest.mark.parametrize("options", [THREE, FOUR], ids=["three", "four"])
def test_people_play_to_the_end_and_every_seat_audits(options: dict[str, Any]) -> None:
    @live
    async def run() -> None:
        async with table() as at:
            created, players = await begun(at, options)
            watcher = await at.spectator(created)
            await play_out(players)
            await abreast([*players, watcher])
            assert all(player.is_over() for player in (*players, watcher))
            assert_holds(at, created.match, len(players))
            (info,) = [info for info in (await at.lobby.listing.matches()).finished if info.match == created.match]
            assert [seat.name for seat in info.seats] == list(NAMES[: len(players)])

    run()


@pytest.mark.parametrize("options", [THREE, FOUR], ids=["three", "four"])
def test_clients_of_others_play_to_the_end_and_each_checks_what_its_side_shares(options: dict[str, Any]) -> None:
    @live
    async def run() -> None:
        async with table() as at:
            server, keys = Server(at.http), [Key() for _ in range(GAME.seats_of(options))]
            wishes = [me(NAMES[0], key=keys[0]), *(friend(name) for name in NAMES[1 : len(keys)])]
            created = await server.create(GAME.name, wishes, options=options, shares=True)
            matches = [server.play(created.match, created.tokens[str(seat)], key=key) for seat, key in enumerate(keys)]
            async with anyio.create_task_group() as tasks:
                for match in matches:
                    tasks.start_soon(answer_by_lot, match)
            assert [match.verifier.fault for match in matches] == [None] * len(keys)
            assert all(match.verifier.openings for match in matches)
            report = audit(GAME, export.from_store(at.store, created.match))
            assert (report.fault, report.unproven) == (None, [])

    run()


async def answer_by_lot(match: Match) -> None:
    chance = random.Random(match.id)
    async with match:
        async for news in match:
            if isinstance(news, Asked):
                await match.answer(some(news.prompt["fields"][0], chance.randrange))


@live
async def test_each_seat_has_a_link_and_the_keys_of_its_side() -> None:
    async with table() as at:
        created = await create(at, FOUR)
        assert created.tokens.keys() == {"0", "1", "2", "3"}
        for seat in range(4):
            welcome = await enter(await at.client(), created.match, created.tokens[str(seat)])
            assert {int(mask) for mask in welcome.keys} == {mask for mask in range(16) if mask & 1 << seat}
        assert (await enter(await at.client(), created.match)).keys == {}


@live
async def test_the_list_of_games_says_how_many_seats_follow_from_which_option() -> None:
    async with table() as at:
        games = await (await at.client()).ask(ListGames(), Games)
        (info,) = [info for info in games.games if info.game == GAME.name]
        assert (info.seats, info.seats_by, info.values) == (3, {"seats": {"2": 2, "4": 4}}, {"seats": (2, 3, 4)})


@live
async def test_a_match_is_made_with_as_many_seats_as_its_options_say() -> None:
    async with table() as at:
        wrong = await (await at.client()).ask(Create(GAME.name, people(2), THREE), Problem)
        assert "This game has 3 seats; the list names 2" in wrong.why
        wrong = await (await at.client()).ask(Create(GAME.name, people(2), {"seats": 9}), Problem)
        assert "do not fit" in wrong.why


@live
async def test_all_others_agree_before_an_offer_counts() -> None:
    async with table() as at:
        _, (one, two, three) = await begun(at, THREE)
        assert isinstance(await act(one, Offer("o", Draw())), Accepted)
        await abreast([one, two, three])
        assert isinstance(await act(two, Agree("a", 1)), Accepted)
        await three.until(lambda: any(offer.agreed for offer in three.view.state.table.offers))
        assert not three.is_over()
        assert isinstance(await act(three, Agree("a", 1)), Accepted)
        await one.until(one.is_over)
        assert (one.view.state.result.won, one.view.state.result.reason) == ((), "draw agreed")


@live
async def test_a_takeback_over_chance_needs_every_other_seat() -> None:
    async with table() as at:
        created, players = await begun(at, THREE)
        await play_out(players, most=2)
        await abreast(players)
        mover = next(player for player in players if player.view.viewer.seat == 1)
        assert isinstance(await act(mover, Offer("t", TakeBack())), Accepted)
        for seat in (0, 2):
            player = players[seat]
            await player.until(lambda player=player: bool(player.view.state.table.offers))  # type: ignore[misc]
            assert isinstance(await act(player, Agree("y", 1)), Accepted)
        await mover.until(lambda: not mover.view.state.seen)
        assert not mover.view.state.table.offers
        assert_holds(at, created.match, 3)


@live
async def test_who_resigns_among_three_is_out_and_the_others_play_to_the_end() -> None:
    async with table() as at:
        created, players = await begun(at, THREE)
        assert isinstance(await act(players[1], Resign("r")), Accepted)
        for player in players:
            await player.until(lambda player=player: player.view.state.table.left == (1,))  # type: ignore[misc]
        assert not players[0].is_over()
        late = await act(players[1], Offer("o", Pause(60_000)))
        assert isinstance(late, Refused)
        await abreast(players)
        await play_out([players[0], players[2]])
        await abreast(players)
        assert players[1].is_over()
        assert players[0].view.state.hands[1] == ()
        assert_holds(at, created.match, 3)


@live
async def test_who_is_away_among_three_is_claimed_to_be_out() -> None:
    async with table() as at:
        created, players = await begun(at, THREE, time=TimeControl(absence_ms=1))
        await players[1].client.connection.close()
        while 1 in at.lobby.registry.live_match(created.match).connections.presence().seats:
            await players[0].client.receive()
        await anyio.sleep(0.01)
        drawn = await act(players[2], Claim("d", 1, draw=True))
        assert isinstance(drawn, Refused)
        assert isinstance(await act(players[2], Claim("c", 1)), Accepted)
        await players[0].until(lambda: players[0].view.state.table.left == (1,))
        assert table_order(players[0].view.state) == (0, 2)
        await abreast([players[0], players[2]])
        await play_out([players[0], players[2]])
        assert_holds(at, created.match, 3)


@live
async def test_who_forfeits_by_time_among_three_is_out() -> None:
    async with table() as at:
        created, players = await begun(at, THREE, time=TimeControl("decision", 1_000, on_timeout="forfeit"))
        assert isinstance(await players[1].choose(), Accepted)
        await players[0].until(players[0].is_over)
        events = [read_event(GAME, entry) for entry in at.store.read(created.match)]
        assert any(isinstance(event, SeatLeft) and event.reason == "out of time" for event in events)
        assert_holds(at, created.match, 3)


@live
async def test_bots_fill_the_other_seats_and_play_on_when_the_person_leaves() -> None:
    async with table() as at:
        bots = (SeatWish("bot"), SeatWish("bot"), SeatWish("bot"))
        created = await create(at, FOUR, SeatWish("me", "Ada"), *bots)
        ada = await at.player(created, 0)
        await ada.until(lambda: ada.view.state is not None and bool(ada.view.asked()))
        assert isinstance(await act(ada, Resign("r")), Accepted)
        await ada.until(ada.is_over)
        state = Referee.open(GAME, at.store, created.match).state
        assert state.table.left == (0,)
        assert_holds(at, created.match, 4)


@live
async def test_a_match_of_four_goes_on_where_it_stood_on_another_server() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, players = await begun(at, FOUR)
        assert isinstance(await act(players[3], Resign("r")), Accepted)
        await abreast(players[:3])
        await players[0].until(lambda: players[0].view.state.table.left == (3,))
        await abreast(players[:3])
        await play_out(players[:3], most=2)
    async with table(store) as at:
        players = [await at.player(created, seat) for seat in range(4)]
        await play_out(players[:3])
        await players[3].until(players[3].is_over)
        events = [read_event(GAME, entry) for entry in store.read(created.match)]
        assert any(isinstance(event, Chosen) and event.by == "rules" and event.seat == 3 for event in events)
        assert_holds(at, created.match, 4)
