"""Who may watch, through whose eyes, and what is said about who is there."""

from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedError

from domain.kernel import Seat
from projections.redaction import SPECTATOR
from replay.store.errors import StoreFailed
from replay.store.matches import Header
from replay.store.memory import MemoryStore
from server.lobby.match_list import MatchList
from server.operations.intervals import Intervals
from server.table.guests import GRANTS
from server.wire.client import Client, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    Choose,
    Create,
    Created,
    Error,
    Events,
    Grant,
    Granted,
    Hello,
    Join,
    Joined,
    ListMatches,
    Matches,
    Pong,
    Presence,
    Refused,
    Reveal,
    Revoke,
    Revoked,
    SeatWish,
    Snapshot,
    Welcome,
)
from tests.server.pages.serving import get
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, Table, live, play_out, table
from tests.skirmish.game import GAME


async def granted(player: Player) -> str:
    """A caster's token of the player's seat."""
    return (await player.client.ask(Grant(), Granted)).token


async def caster(at: Table, created: Created, token: str, *caps: str) -> tuple[Client, Welcome]:
    client = await at.client()
    return client, await enter(client, created.match, token, caps=caps)


async def presence(client: Client, seats: tuple[int, ...]) -> Presence:
    while (found := await client.expect(Presence)).seats != seats:
        pass
    return found


@live
async def test_a_caster_sees_what_the_seat_sees_and_no_more() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        client, welcome = await caster(at, created, await granted(ada))
        assert (welcome.viewer.viewer, welcome.viewer.seat, welcome.keys) == ("caster", 0, {})
        await play_out([ada, bo], 1, most=4)
        items: list[Any] = []
        while len(items) < ada.view.seq:
            items += (await client.expect(Events)).items
        await ada.reach(len(items))
        assert items == ada.items
        assert items != bo.items


@live
async def test_a_caster_decides_nothing() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        client, _ = await caster(at, created, await granted(ada))
        await client.send(Choose("x", ada.asked().number, 0))
        assert (await client.expect(Refused)).code == "not-your-decision"
        for message, code in (
            (Reveal("A" * 43), "seat-refused"),
            (Grant(), "grant-refused"),
            (Revoke(), "grant-refused"),
        ):
            await client.send(message)
            assert (await client.expect(Error)).code == code


@live
async def test_everybody_sees_that_a_seat_is_shared_and_how_many_look() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        watcher = await at.spectator(created)
        token = await granted(ada)
        await caster(at, created, token)
        for one in (bo.client, watcher.client):
            while (told := await one.expect(Presence)).casters == 0:
                pass
            assert (told.seats, told.shared, told.casters) == ((0, 1), (0,), 1)
        await ada.client.ask(Revoke(), Revoked)
        while (told := await bo.client.expect(Presence)).shared:
            pass
        assert told.shared == ()


@live
async def test_a_revoked_token_closes_with_4010_and_opens_nothing_after_a_restart_too() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        token, others = await granted(ada), await granted(bo)
        client, _ = await caster(at, created, token)
        await ada.client.ask(Revoke(), Revoked)
        with pytest.raises(ConnectionClosedError) as closed:
            await client.expect(Pong)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4010
        with pytest.raises(NotAdmitted):
            await caster(at, created, token)
        await caster(at, created, others)
    async with table(store) as at:
        with pytest.raises(NotAdmitted):
            await caster(at, created, token)
        _, welcome = await caster(at, created, others)
        assert welcome.viewer.seat == 1


@live
async def test_a_seat_shares_its_view_with_a_few_and_only_seats_do() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        assert len({await granted(ada) for _ in range(GRANTS)}) == GRANTS
        await ada.client.send(Grant())
        assert (await ada.client.expect(Error)).code == "grant-refused"
        await ada.client.ask(Revoke(), Revoked)
        assert await granted(ada)
        watcher = await at.spectator(created)
        await watcher.client.send(Grant())
        assert (await watcher.client.expect(Error)).code == "grant-refused"


@live
async def test_a_view_that_could_not_be_shared_is_not_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise StoreFailed("the disk is full")

    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        with monkeypatch.context() as patch:
            patch.setattr(at.store.seats, "grant", fail)
            await ada.client.send(Grant())
            assert (await ada.client.expect(Error)).code == "try-again"
        assert at.lobby.registry.live_match(created.match).connections.presence().shared == ()
        assert await granted(ada)


@live
async def test_a_token_that_is_taken_back_while_its_holder_comes_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        token, admit = await granted(ada), at.lobby.entry.admit

        async def slowly(hello: Hello) -> Any:
            found = await admit(hello)
            await at.lobby.registry.live_match(created.match).admission.revoke(Seat(0))
            return found

        caster = await at.client()
        with monkeypatch.context() as patch:
            patch.setattr(at.lobby.entry, "admit", slowly)
            await caster.send(Hello(created.match, token))
            assert (await caster.expect(Error)).code == "not-admitted"
        assert at.lobby.registry.live_match(created.match).connections.presence().casters == 0


@live
async def test_spectators_are_counted_and_named_only_if_they_say_so() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        for name in ("", "", " Zoe\u202e "):
            client = await at.client()
            await client.ask(Hello(created.match, "", "spectator", None, (), name), Welcome)
        at.lobby.registry.heartbeat()
        while (told := await ada.client.expect(Presence)).spectators < 3:
            pass
        assert (told.spectators, told.names) == (3, ("Zoe",))


@live
async def test_presence_is_told_on_the_beat_and_only_when_it_has_changed() -> None:
    async with table() as at:
        created = await at.create()
        await at.spectator(created)
        live_match = at.lobby.registry.live_match(created.match)
        frames: list[str] = []
        (listener,) = live_match.connections.seeing_as(SPECTATOR)
        listener.send = lambda frame, seq=0: frames.append(frame)  # type: ignore[method-assign]
        for _ in range(3):
            at.lobby.registry.heartbeat()
        assert [msgspec.json.decode(frame)["spectators"] for frame in frames] == [1]


async def closed(at: Table, **more: Any) -> Created:
    client = await at.client()
    return await client.ask(Create(GAME.name, TWO_PEOPLE, closed=True, **more), Created)


@live
async def test_a_closed_match_is_no_match_to_those_without_a_token() -> None:
    async with table() as at:
        created = await closed(at)
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        client = await at.client()
        answers = []
        for match in (created.match, "nowhere"):
            for message in (Hello(match, "", "spectator"), Hello(match, "x" * 43), Join(match, 0, "Eve")):
                await client.send(message)
                answers.append(await client.expect(Error))
        assert len(set(answers)) == 1
        pages = [
            await get(at, f"/api/{kind}/{match}") for kind in ("bundle", "record") for match in (created.match, "x")
        ]
        assert len({(status, body) for status, _, body in pages}) == 1
        listed = await client.ask(ListMatches(), Matches)
        assert listed == Matches((), (), ())
        _, welcome = await caster(at, created, await granted(ada))
        assert welcome.viewer.viewer == "caster"
        await play_out([ada, bo], 1)
        assert (await get(at, f"/api/record/{created.match}"))[0] == 404


@live
async def test_a_closed_match_has_no_open_seats() -> None:
    async with table() as at:
        client = await at.client()
        await client.send(Create(GAME.name, (SeatWish("me"), SeatWish("open")), closed=True))
        assert (await client.expect(Error)).code == "cannot-create"


@live
async def test_an_unlisted_match_is_watched_by_those_who_know_it() -> None:
    async with table() as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, TWO_PEOPLE, listed=False), Created)
        assert await client.ask(ListMatches(), Matches) == Matches((), (), ())
        await enter(client, created.match, caps=("scene",))
        assert (await client.expect(Snapshot)).seq == at.store.head(created.match).seq


@live
async def test_many_who_ask_at_once_for_the_matches_share_one_answer_until_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    asked: list[str | None] = []
    latest = store.matches.latest

    def watched(status: str | None = None, limit: int = 200) -> list[Header]:
        asked.append(status)
        return latest(status, limit)

    monkeypatch.setattr(store.matches, "latest", watched)
    async with table(store, intervals=Intervals(listed_s=3600.0)) as at:
        client = await at.client()
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        for _ in range(5):
            assert len((await client.ask(ListMatches(), Matches)).open) == 1
        assert asked == ["open", "running", "finished"]
        await client.ask(Join(created.match, 1, "Bo"), Joined)
        assert len((await client.ask(ListMatches(), Matches)).running) == 1
        await at.create()
        assert len((await client.ask(ListMatches(), Matches)).running) == 2
        await client.ask(ListMatches(), Matches)
        assert len(asked) == 9
    listing = MatchList(store, FACES, lambda _: None, intervals=Intervals(listed_s=0.0))
    await listing.matches()
    await listing.matches()
    assert len(asked) == 15, "each list is older than that when it is asked for again"
