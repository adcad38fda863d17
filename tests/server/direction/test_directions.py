"""A director points at what its viewers have, and at nothing else; viewers who come later are told of it too."""

import msgspec
import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosedError

from domain.kernel import OpenCards
from projections.redaction import SPECTATOR, Viewer
from replay.record import statements
from replay.store.memory import MemoryStore
from server.direction.directions import BURST, Directions, checked
from server.direction.errors import DirectionRefused
from server.operations.intervals import Intervals
from server.wire.direction_messages import Direct, Directed, Direction, Inset, Mark
from server.wire.protocol import (
    Create,
    Created,
    Error,
    Events,
    Grant,
    Granted,
    Hello,
    Pong,
    Presence,
    Revoke,
    Revoked,
    Welcome,
)
from tests.replay.record.stating import sign
from tests.server.cluster.servers import Bus, End
from tests.server.direction.directors import directions, entered, leave
from tests.server.relay.liars import origin, tell
from tests.server.relay.relayed import heard, of, relay
from tests.server.tabletop import TWO_PEOPLE, live, play_out, table, two_servers
from tests.skirmish.game import GAME

SHOWN = Direction(line=3, marks=(Mark("pile"), Mark("pile", "tray")), note="Look at the pile")


@live
async def test_a_director_sees_what_spectators_see_and_nothing_of_the_seat_that_let_it() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        director, welcome = await entered(at, created.match, await leave(ada))
        plain, other = await entered(at, created.match)
        assert (welcome.viewer.viewer, welcome.viewer.seat, welcome.viewer.directs) == ("spectator", None, True)
        assert (welcome.keys, other.viewer.directs) == ({}, False)
        await play_out([ada, bo], 1, most=4)
        one, two = [of(Events, await heard(client)) for client in (director, plain)]
        assert [item for frame in one for item in frame.items] == [item for frame in two for item in frame.items]
        assert not any(openings for frame in one for _, openings in frame.items)


@live
async def test_whoever_watches_is_told_what_is_directed_also_who_comes_later_and_players_are_not() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        director, _ = await entered(at, created.match, await leave(ada))
        early, _ = await entered(at, created.match)
        await director.send(Direct(SHOWN))
        late_told = Directed(SHOWN, "Cato")
        await heard(director)
        assert directions(await heard(early)) == [late_told]
        late, _ = await entered(at, created.match)
        assert directions(await heard(late)) == [late_told]
        assert directions(await heard(ada.client)) == []
        await director.send(Direct())
        await heard(director)
        assert directions(await heard(late)) == [Directed()]
        latest, _ = await entered(at, created.match)
        assert directions(await heard(latest)) == []


@live
async def test_only_a_directors_token_directs_and_only_until_it_is_taken_back() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        caster_token = (await ada.client.ask(Grant(), Granted)).token
        caster = await at.client()
        await caster.ask(Hello(created.match, caster_token), Welcome)
        plain, _ = await entered(at, created.match)
        for client in (plain, caster, ada.client, await at.client()):
            assert (await client.ask(Direct(SHOWN), Error)).code == "direction-refused"
        director, _ = await entered(at, created.match, token := await leave(ada))
        told = [one for one in of(Presence, await heard(plain)) if one.directed]
        assert (told[-1].shared, told[-1].directed) == ((0,), (0,))
        await ada.client.ask(Revoke(), Revoked)
        with pytest.raises(ConnectionClosedError) as closed:
            await director.expect(Pong)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4010
        stranger = await at.client()
        assert (await stranger.ask(Hello(created.match, token), Error)).code == "not-admitted"


BEYOND = {
    "a moment": Direction(line=10**6),
    "the end of a replay": Direction(line=1, until=10**6),
    "the inset": Direction(inset=Inset(10**6)),
}


@pytest.mark.parametrize("pointed", BEYOND)
@live
async def test_nobody_is_pointed_at_a_line_that_those_who_follow_do_not_have(pointed: str) -> None:
    async with table() as at:
        client = await at.client()
        wish = Create(GAME.name, TWO_PEOPLE, delay_s=3600)
        created = await client.ask(wish, Created)
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        director, welcome = await entered(at, created.match, await leave(ada))
        plain, _ = await entered(at, created.match)
        await play_out([ada, bo], 1, most=3)
        assert at.store.head(created.match).seq > welcome.head.seq + 1
        refused = [await director.ask(Direct(Direction(line=welcome.head.seq + 1)), Error)]
        refused.append(await director.ask(Direct(BEYOND[pointed]), Error))
        assert {one.code for one in refused} == {"direction-refused"}
        # The refusal says how far those who follow are, and nothing of what is behind it.
        assert all(f"up to {welcome.head.seq};" in one.why for one in refused)
        await director.send(Direct(Direction(line=welcome.head.seq)))
        await heard(director)
        assert [one.direction for one in directions(await heard(plain))] == [Direction(line=welcome.head.seq)]


@live
async def test_what_is_directed_for_viewers_of_open_cards_those_without_are_not_told() -> None:
    async with table() as at:
        wish = Create(GAME.name, TWO_PEOPLE, open_cards=OpenCards(0, 1), open_cards_sooner=True)
        created = await (await at.client()).ask(wish, Created)
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 3, most=3)
        token = await leave(ada)
        director, _ = await entered(at, created.match, token, "open")
        follower, _ = await entered(at, created.match, kind="open")
        plain, _ = await entered(at, created.match)
        below, _ = await entered(at, created.match, token)
        await director.send(Direct(Direction(eyes=1)))
        await heard(director)
        assert [one.direction for one in directions(await heard(follower))] == [Direction(eyes=1)]
        assert directions(await heard(plain)) == []
        assert (await below.ask(Direct(Direction(eyes=1)), Error)).code == "direction-refused"


@live
async def test_whatever_has_happened_behind_the_end_a_follower_is_sent_the_same_bytes() -> None:
    told = []
    for more in (0, 3):
        async with table() as at:
            wish = Create(GAME.name, TWO_PEOPLE, open_cards=OpenCards(3600, 0))
            created = await (await at.client()).ask(wish, Created)
            ada, bo = await at.player(created, 0), await at.player(created, 1)
            director, _ = await entered(at, created.match, await leave(ada), "open")
            follower, _ = await entered(at, created.match, kind="open")
            await heard(follower)
            if more:
                await play_out([ada, bo], 3, most=more)
            for direction in (
                Direction(line=2),
                Direction(line=10**6),
                Direction(eyes=0, marks=SHOWN.marks),
            ):
                await director.send(Direct(direction))
            answers = [one for one in await heard(director) if isinstance(one, Error | Directed)]
            told.append(msgspec.json.encode([answers, await heard(follower)]))
    assert told[0] == told[1]


@pytest.mark.parametrize("kind", ["spectator", "open"])
@live
async def test_at_another_server_over_the_same_store_viewers_are_pointed_at_the_same(kind: str) -> None:
    store, bus = MemoryStore(), Bus()
    async with two_servers(store, (End(bus), End(bus)), intervals=Intervals(poll_s=0.02)) as (one, two):
        wish = Create(GAME.name, TWO_PEOPLE, open_cards=OpenCards(0, 1), open_cards_sooner=True)
        created = await (await one.client()).ask(wish, Created)
        ada = await one.player(created, 0)
        token = await leave(ada)
        follower, _ = await entered(two, created.match, kind=kind)
        director, _ = await entered(one, created.match, token, kind)
        await director.send(Direct(SHOWN))
        assert await follower.expect(Directed) == Directed(SHOWN, "Cato")
        late, _ = await entered(two, created.match, kind=kind)
        assert directions(await heard(late)) == [Directed(SHOWN, "Cato")]
        there, _ = await entered(two, created.match, token, kind)
        await there.send(Direct(Direction(note="From here")))
        told = await director.expect(Directed)
        while told.direction != Direction(note="From here"):
            told = await director.expect(Directed)
        await director.send(Direct())
        told = await follower.expect(Directed)
        while told.direction is not None:
            told = await follower.expect(Directed)


def test_a_direction_of_another_server_counts_where_it_is_later_and_its_lines_are_here() -> None:
    here, there = Directions[Viewer](), Directions[Viewer]()
    here.direct(SPECTATOR, "Cato", Direct(Direction(note="one")), 9, sees_hands=False)
    there.direct(SPECTATOR, "Cato", Direct(Direction(line=7)), 9, sees_hands=False)
    later = replace(there.own()[SPECTATOR], at=here.own()[SPECTATOR].at + 1)
    assert here.hear(SPECTATOR, replace(later, at=later.at - 1), 9) is None
    assert here.hear(SPECTATOR, later, 6) is None
    assert here.hear(SPECTATOR, later, 7) == Directed(Direction(line=7), "Cato")
    assert here.hear(SPECTATOR, later, 7) is None
    assert not here.own()
    here.direct(SPECTATOR, "Cato", Direct(), 9, sees_hands=False)
    assert here.own()[SPECTATOR].at > later.at


@live
async def test_a_relay_hands_a_direction_on_to_those_who_watch_there_and_who_come_later() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada = await at.player(created, 0)
        director, _ = await entered(at, created.match, await leave(ada))
        follower, _ = await entered(there, created.match)
        await director.send(Direct(SHOWN))
        assert await follower.expect(Directed) == Directed(SHOWN, "Cato")
        late, _ = await entered(there, created.match)
        assert directions(await heard(late)) == [Directed(SHOWN, "Cato")]


@live
async def test_a_direction_is_signed_with_the_key_that_line_1_names_and_a_relay_hands_it_on_as_it_is() -> None:
    async with table(sign=sign) as at, relay(at.url) as there:
        created = await at.create()
        director, _ = await entered(at, created.match, await leave(await at.player(created, 0)))
        near, _ = await entered(at, created.match)
        far, _ = await entered(there, created.match)
        await director.send(Direct(SHOWN))
        told = await near.expect(Directed)
        assert await far.expect(Directed) == told
        line_1 = msgspec.json.decode(at.store.read(created.match)[0].line)[8]
        assert statements.signer(told.said, told.signed) == line_1["server"]
        kind, match, viewers, at_ms, direction, name = msgspec.json.decode(told.said)
        assert (kind, match, viewers, name) == ("directed", created.match, "spectator", "Cato")
        assert msgspec.convert(direction, Direction) == SHOWN
        await director.send(Direct())
        assert msgspec.json.decode((await far.expect(Directed)).said)[3] > at_ms


@live
async def test_a_director_who_goes_too_fast_is_refused() -> None:
    async with table() as at:
        created = await at.create()
        director, _ = await entered(at, created.match, await leave(await at.player(created, 0)))
        for _ in range(int(BURST) + 3):
            await director.send(Direct(Direction(line=1)))
        told = await heard(director)
        assert len(directions(told)) >= BURST
        assert any("too fast" in one.why for one in of(Error, told))


@pytest.mark.parametrize(("line", "until"), [(0, 3), (3, 3), (4, 3)])
def test_a_replay_goes_forward(line: int, until: int) -> None:
    assert checked(Direction(line=2, until=3), 9, sees_hands=False)
    with pytest.raises(DirectionRefused):
        checked(Direction(line=line, until=until), 9, sees_hands=False)


def test_a_note_is_one_visible_line() -> None:
    assert checked(Direction(note="look\u202e\nhere"), 9, sees_hands=False).note == "look here"


@live
async def test_a_director_whose_program_is_killed_leaves_what_was_directed_and_comes_back_to_direct() -> None:
    async with table() as at:
        created = await at.create()
        token = await leave(await at.player(created, 0))
        director, _ = await entered(at, created.match, token)
        follower, _ = await entered(at, created.match)
        await director.send(Direct(SHOWN))
        assert await follower.expect(Directed) == Directed(SHOWN, "Cato")
        director.connection.transport.abort()
        late, _ = await entered(at, created.match)
        assert directions(await heard(late)) == [Directed(SHOWN, "Cato")]
        again, _ = await entered(at, created.match, token)
        assert directions(await heard(again)) == [Directed(SHOWN, "Cato")]
        await again.send(Direct(Direction(note="Back")))
        assert (await follower.expect(Directed)).direction == Direction(note="Back")


@live
async def test_an_origin_that_points_at_a_line_it_has_not_told_is_found_by_the_relay() -> None:
    async with table() as at:
        created = await at.create()
        plain, welcome = await entered(at, created.match)
        (told,) = of(Events, await heard(plain))
        viewer = replace(welcome, viewer=replace(welcome.viewer, directs=False))

    async def says(connection: ServerConnection, _: Hello) -> None:
        await tell(connection, viewer, told, Directed(Direction(line=told.last + 1)))

    async with origin(says) as url, relay(url) as there:
        follower, _ = await entered(there, created.match)
        while not (found := [one for one in await heard(follower) if isinstance(one, Error)]):
            pass
        assert found[0].code == "origin-broken"
        assert "points at it" in found[0].why
