"""A line that a relay does not hold is not denied before its origin was asked."""

import asyncio

from websockets.asyncio.server import ServerConnection

from server.wire.protocol import Error, Hello, Need, Welcome
from tests.server.relay.liars import origin, tell, truth
from tests.server.relay.relayed import heard, of, relay
from tests.server.tabletop import live, play_out, table

BEHIND = 8


@live
async def test_a_line_that_the_origin_has_and_the_relay_has_not_is_asked_for_before_it_is_denied() -> None:
    true = await truth()

    async def says(connection: ServerConnection, hello: Hello) -> None:
        # The first connection brings some lines; the others were written since, and no frame with them came.
        end = BEHIND + 2 if hello.since else BEHIND
        await tell(connection, true.welcomed(end), true.said((hello.since or 0) + 1, end))

    async with origin(says) as url, relay(url) as there:
        await there.spectator(true.welcome.match)
        client = await there.client()
        welcome = await client.ask(Hello(true.welcome.match, viewer="spectator", since=BEHIND + 2), Welcome)
        assert welcome.head.seq == BEHIND + 2
        assert not of(Error, await heard(client))


@live
async def test_while_the_origin_is_away_no_line_is_said_not_to_be_there() -> None:
    true, up = await truth(), [True]

    async def says(connection: ServerConnection, hello: Hello) -> None:
        if not up[0]:
            await connection.close()
            return
        connections.append(connection)
        if not hello.since:
            await tell(connection, true.welcomed(BEHIND), true.said(1, BEHIND))

    connections: list[ServerConnection] = []
    async with origin(says) as url, relay(url) as there:
        one = await there.spectator(true.welcome.match)
        up[0] = False
        await connections[0].close()
        asked = Hello(true.welcome.match, viewer="spectator", since=BEHIND + 1)
        assert (await there.refusal(asked)).code == "try-again"
        await one.client.send(Need(BEHIND + 1, id="n"))
        while not isinstance(answer := await one.client.receive(), Error) or not answer.id:
            pass
        assert (answer.code, answer.id) == ("try-again", "n")


@live
async def test_a_relay_of_a_relay_asks_as_far_as_the_server_that_plays() -> None:
    true = await truth()

    async def says(connection: ServerConnection, hello: Hello) -> None:
        hellos.append(hello)
        # The second hello is the first relay's question for a line, which the second relay was asked for.
        end = BEHIND + 2 if hello.since else BEHIND
        await tell(connection, true.welcomed(end), true.said((hello.since or 0) + 1, end))

    hellos: list[Hello] = []
    async with origin(says) as url, relay(url) as first, relay(first.url) as second:
        await second.spectator(true.welcome.match)
        client = await second.client()
        asked = Hello(true.welcome.match, viewer="spectator", since=BEHIND + 2)
        assert (await client.ask(asked, Welcome)).head.seq == BEHIND + 2
        assert len(hellos) == 2


@live
async def test_many_lies_about_what_was_seen_ask_the_origin_no_more_often_than_it_answers() -> None:
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 1)
        one = await there.spectator(created.match)
        await one.until(one.is_over)
        show = there.registry.shows[0]
        asked = await asyncio.gather(*(there.registry.has(show, one.view.seq + n) for n in range(100)))
        assert asked == [True] + [False] * 99
