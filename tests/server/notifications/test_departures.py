"""Whoever leaves a table whose question waits is told of it once, unless they are back by then."""

from pathlib import Path

import anyio

from replay.store.side_tables.notices import ChannelRow, WaitRow
from replay.store.side_tables.webhooks import EVER
from replay.store.sqlite.store import SqliteStore
from server.operations.intervals import Intervals
from server.operations.settings import NoticeSettings
from server.people.own_matches import asked_seats
from server.webhooks.delivery import Departed
from server.wire.protocol import Created
from tests.server.gate.signing_up import noted
from tests.server.notifications.slow_play import FREE, begun, person_of, slow_match
from tests.server.tabletop import Table, live, table

HOOKS = NoticeSettings(webhooks=True)
SOON = Intervals(look_s=0.02, left_s=0.02)
LATE = Intervals(look_s=3600.0, left_s=3600.0)


async def asked_person(at: Table) -> tuple[Created, int, str]:
    """A match, a seat that it waits for, and the person there, who has a channel."""
    made = await slow_match(at)
    for seat in (0, 1):
        await (await at.player(made, seat)).client.connection.close()
    seat = min(asked_seats(at.store, made.match))
    person = person_of(at, await noted(await at.client(), made, seat, "Anja"))
    assert at.store.notices.put(ChannelRow(person, "hook", "hook", "x", "{}", 1, 1), 9)
    return made, seat, person


async def visited(at: Table, made: Created, seat: int) -> None:
    """The player comes, looks, and goes without an answer."""
    player = await at.player(made, seat)
    assert player.view.asked()
    await player.client.connection.close()


async def waits(at: Table, person: str) -> list[WaitRow]:
    """The moves that wait to be told, once there are any."""
    while not (found := at.store.notices.waits(person, "hook")):
        await anyio.sleep(0.01)
    return found


async def called(at: Table) -> None:
    """Until a departure is stored."""
    while not at.store.webhooks.overdue(EVER):
        await anyio.sleep(0.01)


@live
async def test_whoever_leaves_a_question_open_is_told_of_it_once() -> None:
    async with table(notices=HOOKS, limits=FREE, intervals=SOON) as at:
        made, seat, person = await asked_person(at)
        await visited(at, made, seat)
        (wait,) = await waits(at, person)
        assert (wait.match, wait.seat, wait.title) == (made.match, seat, "Sunday")
        while at.store.webhooks.overdue(EVER):
            await anyio.sleep(0.01)
        assert at.store.notices.waits(person, "hook") == [wait]
        at.store.notices.end(at.store.notices.channels(person)[0], 1, [wait], [])
        await visited(at, made, seat)
        await called(at)
        while at.store.webhooks.overdue(EVER):
            await anyio.sleep(0.01)
        assert [one.told for one in at.store.notices.waits(person, "hook")] == [True]


@live
async def test_whoever_has_come_back_is_not_told() -> None:
    async with table(notices=HOOKS, limits=FREE, intervals=LATE) as at:
        made, seat, person = await asked_person(at)
        departures = at.lobby.notifications._departures
        back = await at.player(made, seat)
        departed, call = Departed(made.match, seat, back.asked().number), (made.match, -1 - seat)
        await departures._tell(departed, call)
        assert at.store.notices.waits(person, "hook") == []
        await back.client.connection.close()
        await called(at)
        await departures._tell(departed, call)
        assert len(at.store.notices.waits(person, "hook")) == 1


@live
async def test_a_departure_that_a_server_did_not_live_to_tell_is_told_by_the_next(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "club.db")
    async with table(store, notices=HOOKS, limits=FREE, intervals=LATE) as at:
        made, seat, person = await asked_person(at)
        await visited(at, made, seat)
        await called(at)
        assert store.notices.waits(person, "hook") == []
    async with table(store, notices=HOOKS, limits=FREE, intervals=Intervals(remind_s=0.02, look_s=0.02)) as at:
        (wait,) = await waits(at, person)
        assert (wait.match, wait.seat) == (made.match, seat)
    store.close()


@live
async def test_nobody_is_called_for_a_guest_or_for_a_seat_that_is_not_asked() -> None:
    async with table(notices=HOOKS, limits=FREE, intervals=LATE) as at:
        made = await slow_match(at)
        players = await begun(at, made)
        asked = asked_seats(at.store, made.match)
        for seat in {0, 1} - asked:
            await noted(await at.client(), made, seat, "Anja")
        for player in players:
            await player.client.connection.close()
        while at.lobby.registry.live_match(made.match).connections or at.lobby.notifications._departures._waiting:
            await anyio.sleep(0.01)
        assert at.store.webhooks.overdue(EVER) == []
