"""Answers that seats sign ahead, kept by the server: used with nobody there, told when they are, and not before."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from domain.kernel import Chosen, Seat
from domain.kernel.table import STANDING
from herald_client import Instruction, Key, Refused
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.store.memory import MemoryStore
from server.wire.client import enter
from server.wire.foresight_messages import Foresee, Foreseen
from server.wire.inviting import Devices
from server.wire.protocol import Error, Events, Ping, Pong, Presence, write_message
from server.wire.standing_messages import Ahead
from tests.server.table.standing import PRESS, TAKE, Two, two_who_sign
from tests.server.tabletop import live, table, two_servers
from tests.skirmish.game import GAME


def chosen(two: Two) -> list[Chosen]:
    return [event for event in two.events() if isinstance(event, Chosen)]


def assert_holds(two: Two) -> None:
    for viewer in (None, SPECTATOR, Viewer(0), Viewer(1)):  # type: ignore[arg-type]
        assert audit(GAME, export.from_store(two.at.store, two.match, viewer)).fault is None


@live
async def test_what_a_seat_has_signed_ahead_is_answered_with_nobody_there_and_holds_in_the_audit() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        assert len(await winner.keep_ahead(TAKE, times=3)) == 3
        await winner.close()
        assert await at.lobby.standing.look() == 1
        last = chosen(two)[-1]
        assert (last.seat, last.by, last.choice) == (winner.seat, STANDING, {"do": "Take"})
        await two.settled(two.other(winner))
        row = at.store.standing.of_seat(two.match, winner.seat or 0)
        assert row is not None
        assert row.answers.count('"id"') == 2
        assert await at.lobby.standing.look() == 0
        assert_holds(two)


@live
async def test_an_answer_kept_while_others_are_asked_waits_for_its_question_and_a_first_that_fits_is_used() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        card = Instruction("CardSelection", {"do": "Play", "card": 99})
        await winner.keep_ahead(replace(TAKE, terms={"no": "such"}), replace(TAKE, until=1), card, PRESS, TAKE)
        assert await at.lobby.standing.look() == 1
        assert chosen(two)[-1].choice == {"do": "Press"}
        # the card that there is not is offered to nobody: what says so has ended
        assert await at.lobby.standing.look() == 0
        assert "Play" not in str(await winner.kept_ahead())
        assert "Take" in str(await winner.kept_ahead())
        assert_holds(two)


def by_cancelling(two: Two, winner: Any) -> Any:
    return winner.keep_ahead()


async def by_hand(two: Two, winner: Any) -> None:
    await two.answer(winner)


async def by_another_key(two: Two, winner: Any) -> None:
    await winner.rotate(Key())


async def by_a_takeback(two: Two, winner: Any) -> None:
    other = two.other(winner)
    await two.answer(winner)
    await two.settled(winner)
    await winner.keep_ahead(TAKE)
    await winner.offer("take_back")
    await two.settled(other)
    await other.agree(other.table.offers[0].number)


@pytest.mark.parametrize("ends", [by_cancelling, by_hand, by_another_key, by_a_takeback])
@live
async def test_answers_ahead_end_at_any_time_by_hand_by_another_key_and_with_a_takeback(
    ends: Callable[[Two, Any], Any],
) -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        await winner.keep_ahead(TAKE, times=2)
        await ends(two, winner)
        assert await at.lobby.standing.look() == 0
        assert await winner.kept_ahead() == ()
        assert at.store.standing.looked() == []
        assert STANDING not in {event.by for event in chosen(two)}
        assert_holds(two)


@live
async def test_what_nobody_has_signed_is_not_kept_and_the_sentence_says_why() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        right = winner.holder.ahead([TAKE])  # type: ignore[union-attr]
        one = right["answers"][0]
        lies: list[tuple[dict[str, Any], str, str]] = [
            ({"answers": [{**one, "text": one["text"].replace("Take", "Press")}]}, "not-signed", "not signed with"),
            ({"answers": [{**one, "id": "other"}]}, "not-signed", "not signed with"),
            ({"answers": [one, one]}, "not-a-choice", "an id of its own"),
            ({"answers": [{**one, "salt": "A" * 43}]}, "not-signed", "not signed with"),
            ({"ack_seq": 1}, "other-record", "another head"),
        ]
        for lie, code, why in lies:
            with pytest.raises(Refused, match=why) as refused:
                await winner._aside(object, **{**right, **lie})
            assert refused.value.code == code
        with pytest.raises(Refused, match="cannot be read") as strange:
            await winner.keep_ahead(Instruction("Pursuit", {"do": "Fly"}))
        assert strange.value.code == "not-a-choice"
        assert await winner.kept_ahead() == ()
        watcher = await at.client()
        await enter(watcher, two.match)
        assert (await watcher.ask(Ahead(), Error)).code == "seat-refused"


@live
async def test_an_id_of_an_answer_ahead_is_the_seats_own_and_serves_nothing_else() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        (kept,) = await winner.keep_ahead(TAKE)
        assert await at.lobby.standing.look() == 1
        await two.settled(winner)
        with pytest.raises(Refused) as refused:
            await winner.choose(int(winner.question["id"]), "0", id=kept.id)  # type: ignore[index]
        assert refused.value.code == "id-used"
        assert_holds(two)


@live
async def test_nobody_but_the_seat_is_sent_anything_of_what_is_kept_or_cancelled() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        other, watcher = await two_watch(two, winner)
        before = at.store.head(two.match)
        await winner.keep_ahead(TAKE, times=8)
        await winner.kept_ahead()
        await winner.keep_ahead(replace(TAKE, until=1))
        assert await at.lobby.standing.look() == 0
        await winner.keep_ahead()
        assert at.store.head(two.match) == before
        assert at.store.matches.dues([two.match]) == {}
        # whatever comes first now is what comes of a choice by hand, and nothing came before it
        await two.answer(winner)
        for client in (other, watcher):
            told = await client.receive()
            while isinstance(told, Presence | Devices):  # who is connected is told in its own time
                told = await client.receive()
            assert isinstance(told, Events)
            assert told.first == before.seq + 1
            assert "standing" not in write_message(told)


async def two_watch(two: Two, winner: Any) -> tuple[Any, Any]:
    """The other seat and a spectator, each by a plain connection that has all there is."""
    clients = []
    for token in (two.tokens[str(two.other(winner).seat)], ""):
        client = await two.at.client()
        welcome = await enter(client, two.match, token)
        while True:
            told = await client.receive()
            if isinstance(told, Events) and told.last >= welcome.head.seq:
                break
        clients.append(client)
    for client in clients:
        await client.ask(Ping(7), Pong)
    return clients[0], clients[1]


@live
async def test_another_server_answers_where_the_one_that_kept_it_is_gone() -> None:
    store = MemoryStore()
    async with table(store) as one, two_who_sign(one) as two:
        winner = await two.until_pursued()
        await winner.keep_ahead(TAKE)
    async with table(store) as late:
        assert await late.lobby.standing.look() == 0  # it stands still since the last look, and so nobody else has it
        assert await late.lobby.standing.look() == 1
        assert chosen(two)[-1].by == STANDING
        assert_holds(two)


@live
async def test_two_servers_that_look_at_once_answer_once() -> None:
    store = MemoryStore()
    async with two_servers(store) as (one, other), two_who_sign(one, other) as two:
        winner = await two.until_pursued()
        await winner.keep_ahead(TAKE, times=4)
        async with anyio.create_task_group() as both:
            for at in (one, other):
                both.start_soon(at.lobby.standing.look)
        assert [event.by for event in chosen(two)].count(STANDING) == 1
        assert_holds(two)


@live
async def test_an_answer_by_which_the_match_would_certainly_be_lost_is_left_to_the_player() -> None:
    async with table() as at, two_who_sign(at) as two:
        winner = await two.until_pursued()
        await winner.keep_ahead(TAKE, PRESS, times=2)

        async def foresee(seat: Seat, message: Foresee) -> Foreseen:
            return Foreseen(message.id, message.decision, lost="All is lost." if message.choice["do"] == "Take" else "")

        at.lobby.registry.live_match(two.match).foresight.foresee = foresee  # type: ignore[method-assign]
        assert await at.lobby.standing.look() == 1
        assert chosen(two)[-1].choice == {"do": "Press"}
        assert "Take" not in str(await winner.kept_ahead())
