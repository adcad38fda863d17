"""A client that drops at any point and returns sees exactly what it would have seen."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from projections.redaction import SPECTATOR
from replay.record import sealing
from replay.record.line import read_line
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from server.operations.intervals import Intervals
from server.operations.settings import Limits
from server.wire.client import View, enter
from server.wire.protocol import Accepted, Choose, Error, Events, Hello, Need, Refused, SeatWish, Snapshot, Welcome
from tests.server.tabletop import Player, live, play_out, table, two_servers
from tests.skirmish.game import GAME


async def collected(player: Player, seq: int) -> list[Any]:
    await player.reach(seq)
    return player.items


@pytest.mark.parametrize("seed", range(3))
@live
async def test_lines_are_the_same_bytes_from_any_sequence(seed: int) -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1), await at.spectator(created)]
        await play_out(players, seed)
        end = at.store.head(created.match).seq
        for player, token in zip(players, (created.tokens["0"], created.tokens["1"], ""), strict=True):
            live_items = await collected(player, end)
            assert len(live_items) == end
            for since in range(0, end + 1, 5):
                client = await at.client()
                hello = Hello(created.match, token, "" if token else "spectator", since)
                await client.ask(hello, Welcome)
                again: list[Any] = []
                while len(again) < end - since:
                    again += (await client.expect(Events)).items
                assert again == live_items[since:]


@live
async def test_a_drop_after_any_choice_changes_nothing() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        witness = await at.player(created, 0)
        rng = random.Random(3)
        while not players[0].view.state.result:
            await play_out(players, rng.randrange(99), most=1)
            await players[0].client.connection.close()
            back = await at.client()
            welcome = await back.ask(Hello(created.match, created.tokens["0"], "", players[0].view.seq), Welcome)
            players[0].client = back
            await players[0].reach(welcome.head.seq)
        await witness.reach(players[0].view.seq)
        assert witness.items == players[0].items
        assert witness.view.state == players[0].view.state


@live
async def test_a_choice_whose_answer_was_lost_can_be_sent_again() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        number, choice = ada.asked().number, msgspec.to_builtins(ada.options()[0])
        await ada.client.choose(ada.asked(), choice, id="lost")
        await ada.client.connection.close()
        head = at.store.head(created.match)
        back = await at.player(created, 0)
        assert not back.view.asked()
        await back.client.connection.send(
            msgspec.json.encode({"t": "choose", "id": "lost", "decision": number, "choice": choice}).decode()
        )
        assert isinstance(await back.client.expect(Accepted), Accepted)
        assert at.store.head(created.match) == head


@live
async def test_a_gap_is_filled_on_request() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        client = await at.client()
        await enter(client, created.match)
        await client.expect(Events)
        await client.send(Need(3))
        assert (await client.expect(Events)).first == 4
        await ada.choose()
        assert (await client.expect(Events)).last == ada.view.seq


@live
async def test_a_line_beyond_the_last_is_refused_by_name_and_the_connection_stays() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        end = at.store.head(created.match).seq
        await client.send(Hello(created.match, "", "spectator", end + 1, id="early"))
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert (answer.code, answer.id) == ("beyond-head", "early")
        assert f"has {end} lines" in answer.why
        await client.ask(Hello(created.match, "", "spectator", end), Welcome)
        for since in (end + 1, 10_000):
            await client.send(Need(since, id="n1"))
            while not isinstance(answer := await client.receive(), Error):
                pass
            assert (answer.code, answer.id) == ("beyond-head", "n1")
        await client.send(Need(end - 1))
        assert (await client.expect(Events)).last == end


@live
async def test_a_line_of_another_server_is_waited_for_while_something_is_decided_here() -> None:
    async with two_servers(MemoryStore()) as (one, two):
        created = await one.create()
        ada = await one.player(created, 0)
        live_match = await two.lobby.registry.open(created.match)
        async with live_match.command_queue.lock:
            await ada.choose()
            end = one.store.head(created.match).seq
            assert live_match.visible_head.seq < end
            client = await two.client()
            await client.send(Hello(created.match, created.tokens["0"], since=end))
            await asyncio.sleep(0.1)
        assert (await client.expect(Welcome)).head.seq == end


@live
async def test_a_line_of_another_server_that_cannot_be_shown_yet_is_no_end_of_hope() -> None:
    async with two_servers(MemoryStore(), intervals=Intervals(undecided_s=0.01)) as (one, two):
        created = await one.create()
        ada = await one.player(created, 0)
        live_match = await two.lobby.registry.open(created.match)
        async with live_match.command_queue.lock:
            await ada.choose()
            client = await two.client()
            await client.send(Hello(created.match, created.tokens["0"], since=one.store.head(created.match).seq))
            with pytest.raises(ConnectionClosed) as closed:
                await client.expect(Welcome)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013


@live
async def test_every_viewer_computes_the_same_head() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1), await at.spectator(created)]
        await play_out(players, 5)
        head = at.store.head(created.match)
        for player in players:
            await player.reach(head.seq)
            chain = sealing.genesis(sealing.unb64(created.match))
            for text, _ in player.items:
                chain = sealing.link(chain, text.encode())
            assert chain == head.hash


@live
async def test_a_viewer_holds_the_openings_of_its_own_seat_and_no_other() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1), await at.spectator(created)]
        await play_out(players, 6)
        end = at.store.head(created.match).seq
        for player in players:
            await player.reach(end)
            mask = player.view.viewer.mask
            held = [read_line(text.encode()).masks[slot] for text, openings in player.items for slot, _ in openings]
            assert all(audience & mask for audience in held)
            assert bool(held) is (player.view.viewer != SPECTATOR)


@live
async def test_the_match_goes_on_where_it_stood_after_it_left_memory() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1, most=2)
        assert at.lobby.registry.forget_idle(0) == 0
        for player in players:
            await player.client.connection.close()
        while not at.lobby.registry.forget_idle(0):
            await asyncio.sleep(0.01)
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 2)
        assert players[0].view.state.result is not None


@live
async def test_scenes_come_with_the_welcome_and_as_steps() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        client = await at.client()
        await enter(client, created.match, created.tokens["0"], caps=("scene",))
        first = await client.expect(Snapshot)
        assert first.scene["prompt"]["id"] == str(ada.asked().number)
        assert first.scene["seq"] == first.seq == ada.view.seq
        await ada.choose(first.scene["prompt"]["fields"][0]["options"][0]["id"])
        step = (await client.expect(Events)).steps[0]
        assert step["seq"] == ada.view.seq
        assert step["set"]["prompt"]["mode"] == "wait"


@live
async def test_a_watchers_scene_has_no_prompt_of_a_seat() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        await enter(client, created.match, caps=("scene",))
        assert (await client.expect(Snapshot)).scene["prompt"]["mode"] == "wait"


@live
async def test_bots_fill_seats_and_play_to_the_end() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create(SeatWish("bot", "", "random"), SeatWish("bot", "Robin"))
        assert created.tokens == {}
        watcher = await at.spectator(created)
        await watcher.until(lambda: watcher.view.state.result is not None)
        assert watcher.view.state.players == ("Random bot", "Robin")


@live
async def test_a_person_plays_a_bot() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("bot"))
        ada = await at.player(created, 0)
        while ada.view.state.result is None:
            await ada.until(lambda: bool(ada.view.asked()) or ada.view.state.result is not None)
            if ada.view.asked():
                assert not isinstance(await ada.choose(), Refused)


@live
async def test_a_bots_match_goes_on_after_a_restart() -> None:
    store = MemoryStore()
    async with table(store, bot_delay_s=5) as at:
        created = await at.create(SeatWish("bot"), SeatWish("bot"))
        before = at.store.head(created.match).seq
    async with table(store) as at:
        watcher = await at.spectator(created)
        await watcher.until(lambda: watcher.view.state.result is not None)
        assert watcher.view.seq > before


@live
async def test_a_viewer_that_does_not_read_is_left_behind_and_caught_up() -> None:
    async with table(limits=Limits(waiting_bytes=60_000)) as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        lazy = await at.client()
        welcome = await enter(lazy, created.match)
        lazy.connection.transport.pause_reading()
        live_match = at.lobby.registry.live_match(created.match)
        listener = live_match.connections.seeing_as(SPECTATOR)[0]
        filler = '{"t":"pong","n":1}'.ljust(50_000)
        for _ in range(200):
            listener.send(filler)
        await play_out(players, 1)
        end = at.store.head(created.match).seq
        assert players[0].view.state.result is not None
        lazy.connection.transport.resume_reading()
        view = View(GAME, welcome)
        while view.seq < end:
            message = await lazy.receive()
            if isinstance(message, Events):
                view.take(message)
        events = [read_event(GAME, entry) for entry in at.store.read(created.match)]
        assert view.state == GAME.view(events, SPECTATOR.mask)


@live
async def test_a_second_hello_leaves_the_first_match_and_a_refused_one_leaves_nothing() -> None:
    async with table() as at:
        first, second = await at.create(), await at.create()
        client = await at.client()
        for created in (first, second):
            welcome = await client.ask(Hello(created.match, created.tokens["0"]), Welcome)
            assert (welcome.match, welcome.viewer.seat) == (created.match, 0)
        await client.send(Hello(first.match, "wrong", id="h"))
        while not isinstance(answer := await client.receive(), Error):
            pass
        assert (answer.code, answer.id) == ("not-admitted", "h")
        await client.send(Need(0))
        events = await client.expect(Events)
        assert read_line(events.items[0][0].encode()).mid == second.match


@live
async def test_two_connections_of_one_seat_both_hear_and_the_first_answer_counts() -> None:
    async with table() as at:
        created = await at.create()
        one, two = await at.player(created, 0), await at.player(created, 0)
        asked = one.asked()
        await one.client.send(Choose("a", asked.number, 0))
        line = (await one.client.expect(Accepted)).seq
        assert (await two.client.expect(Events)).last >= line
        await two.client.send(Choose("b", asked.number, 0))
        assert (await two.client.expect(Refused)).code == "stale-decision"
        await two.client.send(Choose("a", asked.number, 0))
        assert (await two.client.expect(Accepted)).seq == line
