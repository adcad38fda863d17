"""Hints: where they were agreed on, for who is asked alone, in the record before anything is thought."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.kernel import Chosen, HintAsked, Seat, TimeControl
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from server.analysis import hint_search
from server.analysis.hint_search import HintFound, HintSearch
from server.bots.errors import Hung, NoWorld
from server.gate.session import COSTLY, _cost
from server.lobby import hint_service
from server.lobby.hint_service import terms_of
from server.operations.bounds import Bounds
from server.wire.act_messages import Hint, Resign
from server.wire.client import Client, enter
from server.wire.hint_messages import Hinted, StopHint
from server.wire.protocol import (
    Accepted,
    Branch,
    Choose,
    Create,
    Created,
    Error,
    Events,
    Grant,
    Granted,
    ListMatches,
    Matches,
    Ping,
    Pong,
    Refused,
    SeatWish,
    Welcome,
)
from server.wire.rematch_messages import Again, Rematch
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, Table, live, table
from tests.skirmish.game import GAME

BEGUN = threading.Event()
"""The hint that is held is being thought about."""
AGAINST_A_BOT = (SeatWish("me", "Ada"), SeatWish("bot", bot="random"))


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example game among those that are known, and few trials."""
    monkeypatch.setattr(hint_search, "faces", lambda: FACES)
    monkeypatch.setattr(hint_service, "pondered", few)


def few(job: HintSearch) -> HintFound:
    return hint_search.pondered(HintSearch(job.game, job.view, job.asked, job.seed, 24))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing is found before the event is set."""
    go = threading.Event()
    BEGUN.clear()

    def slowly(job: HintSearch) -> HintFound:
        BEGUN.set()
        assert go.wait(120)
        return few(job)

    monkeypatch.setattr(hint_service, "pondered", slowly)
    yield go
    go.set()


async def create(at: Table, *seats: SeatWish, **more: Any) -> Created:
    wish = Create(GAME.name, seats or TWO_PEOPLE, **{"hints": True, **more})
    return await (await at.client()).ask(wish, Created)


async def sat(at: Table, created: Created) -> tuple[Player, Player]:
    """Who is asked, and the other; where both are, the first."""
    players = [await at.player(created, seat) for seat in (0, 1)]
    for player in players:
        await player.until(lambda: player.view.state is not None and player.view.state.begun)  # noqa: B023
    able = [player for player in players if player.view.asked()]
    other = next(player for player in players if player is not able[0])
    return able[0], other


async def answer(player: Player) -> Hinted | Refused | Error:
    """The next answer to a hint; what else comes goes into the view."""
    while True:
        message = await player.client.receive()
        if isinstance(message, Events):
            player.items += message.items[len(player.items) + 1 - message.first :]
            player.view.take(message)
        if isinstance(message, Hinted | Refused | Error):
            return message


async def ask(player: Player, name: str = "h", decision: int = 0) -> Hinted | Refused | Error:
    await player.client.send(Hint(id=name, decision=decision or player.asked().number))
    return await answer(player)


async def hint(player: Player, name: str = "h") -> Hinted:
    found = await ask(player, name)
    assert isinstance(found, Hinted), found
    return found


async def play_on(player: Player, other: Player) -> None:
    """Choices of both up to the player's next question."""
    former = player.asked().number
    while not (player.view.asked() and player.asked().number != former):
        able = next(one for one in (player, other) if one.view.asked())
        await able.choose()
        for one in (player, other):
            await one.reach(able.view.seq)


def hints_in(at: Table, created: Created) -> list[HintAsked]:
    events = (read_event(GAME, entry) for entry in at.store.read(created.match))
    return [event for event in events if isinstance(event, HintAsked)]


async def quiet(client: Client) -> list[Any]:
    """What has come until an answer to a ping."""
    await client.send(Ping(n=77))
    heard: list[Any] = []
    while True:
        message = await client.receive()
        if isinstance(message, Pong) and message.n == 77:
            return heard
        heard.append(message)


@live
async def test_who_is_asked_is_told_what_the_search_would_choose_and_may_choose_so() -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        found = await hint(player)
        assert (found.id, found.decision) == ("h", player.asked().number)
        assert found.choices
        assert all(0 <= one.share <= 1 and one.choice for one in found.choices)
        assert 0 < sum(one.weight for one in found.choices) < 1.001
        taken = await player.client.ask(
            Choose("c", player.asked().number, found.choices[0].answer),
            Accepted | Refused,  # type: ignore[arg-type]
        )
        assert isinstance(taken, Accepted), taken
        whole = export.from_store(at.store, created.match)
        assert audit(GAME, whole).ok


@live
async def test_everybody_sees_that_a_hint_was_asked_for_and_nobody_else_what_it_says() -> None:
    async with table() as at:
        created = await create(at)
        player, other = await sat(at, created)
        caster_token = (await player.client.ask(Grant(), Granted)).token
        caster = await at._sit(created.match, caster_token)
        watching = await at.spectator(created)
        again = await at._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        found = await hint(player)
        for one in (other, caster, watching, again):
            await one.reach(player.view.seq)
            assert one.view.state.table.hinted == (found.decision,)
            assert not [message for message in await quiet(one.client) if isinstance(message, Hinted)]
        assert [event.number for event in hints_in(at, created)] == [found.decision]
        assert not [
            slot for entry in at.store.read(created.match) if entry.type == "HintAsked" for slot in entry.openings
        ]


@live
async def test_the_line_is_durable_before_anything_is_thought(held: threading.Event) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        await player.client.send(Hint(id="h", decision=player.asked().number))
        accepted = await player.client.expect(Accepted)
        assert at.store.read(created.match)[accepted.seq - 1].type == "HintAsked"
        assert not [message for message in await quiet(player.client) if isinstance(message, Hinted)]
        held.set()
        assert isinstance(await answer(player), Hinted)


@live
async def test_while_it_is_thought_the_seat_may_choose_and_the_match_goes_on(held: threading.Event) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        await player.client.send(Hint(id="h", decision=player.asked().number))
        await player.client.expect(Accepted)
        await asyncio.to_thread(BEGUN.wait, 30)
        assert isinstance(await player.choose(), Accepted)
        held.set()
        assert isinstance(await answer(player), Hinted)


@live
async def test_asked_again_it_is_the_same_hint_and_no_line_more() -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        first = await hint(player)
        same = await hint(player)
        other = await hint(player, "another")
        assert (same.choices, other.choices, other.id) == (first.choices, first.choices, "another")
        elsewhere = await at._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        assert (await hint(elsewhere, "third")).choices == first.choices
        assert len(hints_in(at, created)) == 1


@live
async def test_two_connections_that_ask_at_once_add_one_line(held: threading.Event) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        twin = await at._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        number = player.asked().number
        await asyncio.gather(
            *(one.client.send(Hint(id=name, decision=number)) for one, name in ((player, "a"), (twin, "b")))
        )
        held.set()
        found = [await answer(one) for one in (player, twin)]
        assert all(isinstance(one, Hinted) for one in found)
        assert len(hints_in(at, created)) == 1


@live
async def test_who_lost_the_connection_asks_again_and_hears_it_then(held: threading.Event) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        number, token = player.asked().number, created.tokens[str(player.view.viewer.seat)]
        await player.client.send(Hint(id="h", decision=number))
        await player.client.expect(Accepted)
        await player.client.connection.close()
        back = await at._sit(created.match, token)
        await back.client.send(Hint(id="h", decision=number))
        held.set()
        assert isinstance(await answer(back), Hinted)
        assert len(hints_in(at, created)) == 1


@live
async def test_a_server_that_comes_back_tells_the_same_whether_it_was_kept_or_not() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await create(at)
        player, _ = await sat(at, created)
        seat = int(player.view.viewer.seat or 0)
        first = await hint(player)
    for kept in (True, False):
        if not kept:
            del store.analyses._found[created.match, terms_of(Seat(seat), first.decision)]
        async with table(store) as at:
            player = await at._sit(created.match, created.tokens[str(seat)])
            assert await hint(player) == first
            assert len(hints_in(at, created)) == 1


@live
async def test_two_servers_over_one_store_add_one_line_and_tell_the_same() -> None:
    store = MemoryStore()
    async with table(store, is_shared=True) as one, table(store, is_shared=True) as other:
        created = await create(one)
        player, _ = await sat(one, created)
        there = await other._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        number = player.asked().number
        await player.client.send(Hint(id="a", decision=number))
        await there.client.send(Hint(id="b", decision=number))
        found = [await answer(who) for who in (player, there)]
        assert all(isinstance(each, Hinted) for each in found), found
        assert msgspec.to_builtins(found[0]) | {"id": ""} == msgspec.to_builtins(found[1]) | {"id": ""}
        assert len(hints_in(one, created)) == 1


@live
async def test_early_results_come_before_the_last_which_is_the_same_as_without_them() -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        twin = await at._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        number = player.asked().number
        await player.client.send(Hint(id="h", decision=number, early=True))
        found = [await answer(player) for _ in range(1 + len(hint_search.EARLY))]
        assert all(isinstance(one, Hinted) and one.choices for one in found), found
        told = [(one.done, one.of) for one in found if isinstance(one, Hinted)]
        assert told == [*((trials, hint_search.TRIALS) for trials in hint_search.EARLY), (1, 1)]
        assert msgspec.structs.replace(await hint(twin), id="h") == found[-1]
        assert len(hints_in(at, created)) == 1


@live
async def test_a_first_result_does_not_wait_for_a_long_search_of_another_match(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    def long_is_held(job: HintSearch) -> HintFound:
        if job.trials != hint_search.EARLY[0]:
            begun.set()
            assert go.wait(120)
        return few(job)

    monkeypatch.setattr(hint_service, "pondered", long_is_held)
    async with table() as at:
        one, other = [(await sat(at, await create(at)))[0] for _ in range(2)]
        for player in (one, other):
            await player.client.send(Hint(id="h", decision=player.asked().number, early=True))
            found = await answer(player)
            assert isinstance(found, Hinted), found
            assert found.done == hint_search.EARLY[0]
            assert await asyncio.to_thread(begun.wait, 30)
        go.set()


@live
async def test_who_has_heard_enough_is_told_no_more_and_may_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    go = threading.Event()

    def slowly(job: HintSearch) -> HintFound:
        searched.append(job.trials)
        BEGUN.set()
        assert go.wait(120)
        return few(job)

    BEGUN.clear()
    monkeypatch.setattr(hint_service, "pondered", slowly)
    async with table() as at:
        created = await create(at)
        player, other = await sat(at, created)
        number = player.asked().number
        await player.client.send(Hint(id="h", decision=number, early=True))
        await player.client.expect(Accepted)
        await asyncio.to_thread(BEGUN.wait, 30)
        await other.client.send(StopHint(id="h", decision=number))
        await player.client.send(StopHint(id="another", decision=number))
        assert not await quiet(other.client) or searched == [hint_search.EARLY[0]]
        (thought,) = at.lobby.hints._under_way.values()
        assert thought.listeners, "neither another seat nor another request stops it"
        await player.client.send(StopHint(id="h", decision=number))
        await quiet(player.client)
        assert thought.task is not None
        go.set()
        await thought.task
        assert searched == [hint_search.EARLY[0]]
        assert not [message for message in await quiet(player.client) if isinstance(message, Hinted | Error)]
        assert isinstance(await hint(player), Hinted)
        assert len(hints_in(at, created)) == 1


@live
async def test_where_the_search_takes_too_long_the_last_early_result_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(job: HintSearch) -> HintFound:
        if job.trials == hint_search.TRIALS:
            raise Hung("too busy")
        return few(job)

    monkeypatch.setattr(hint_service, "pondered", hangs)
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        number = player.asked().number
        await player.client.send(Hint(id="h", decision=number, early=True))
        *_, before, last = [await answer(player) for _ in range(1 + len(hint_search.EARLY))]
        assert isinstance(before, Hinted)
        assert last == msgspec.structs.replace(before, done=1, of=1)
        assert isinstance(await ask(player, "late"), Error), "who wants the last result alone is told of the failure"


@live
async def test_while_another_device_waits_the_search_goes_on(held: threading.Event) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        twin = await at._sit(created.match, created.tokens[str(player.view.viewer.seat)])
        number = player.asked().number
        for one, name in ((player, "a"), (twin, "b")):
            await one.client.send(Hint(id=name, decision=number, early=True))
            await one.client.expect(Accepted)
        await asyncio.to_thread(BEGUN.wait, 30)
        await player.client.send(StopHint(id="a", decision=number))
        await quiet(player.client)
        held.set()
        found = [await answer(twin) for _ in range(1 + len(hint_search.EARLY))]
        assert isinstance(found[-1], Hinted)
        assert (found[-1].done, found[-1].of) == (1, 1)
        assert not [message for message in await quiet(player.client) if isinstance(message, Hinted)]


@live
async def test_where_hints_were_not_agreed_on_they_are_refused_and_nothing_is_written() -> None:
    async with table() as at:
        created = await create(at, hints=False)
        player, _ = await sat(at, created)
        refused = await ask(player)
        assert isinstance(refused, Refused)
        assert (refused.code, refused.why) == ("no-hints", "No hints were agreed on when this match was created.")
        assert not hints_in(at, created)


@live
async def test_only_a_seat_that_is_asked_is_given_a_hint() -> None:
    async with table() as at:
        created = await create(at)
        player, other = await sat(at, created)
        number = player.asked().number
        watching = await at.spectator(created)
        caster = await at._sit(created.match, (await player.client.ask(Grant(), Granted)).token)
        for who, decision, code in (
            (other, number, "not-your-decision"),
            (watching, number, "not-your-decision"),
            (caster, number, "not-your-decision"),
            (player, 2**53 - 1, "stale-decision"),
            (player, 999, "stale-decision"),
        ):
            refused = await ask(who, decision=decision)
            assert isinstance(refused, Refused)
            assert refused.code == code
        nobody = await at.client()
        refused = await nobody.ask(Hint(id="h", decision=number), Refused)
        assert refused.code == "no-match"
        await player.client.send(Resign(id="r"))
        await player.until(player.is_over)
        over = await ask(player, "late", number)
        assert isinstance(over, Refused)
        assert over.code == "match-over"
        assert not hints_in(at, created)


@live
@pytest.mark.parametrize("decision", ['"1"', "-1", "1.5", "null", "9007199254740993", "[1]"])
async def test_lies_in_the_frame_are_no_message(decision: str) -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        await player.client.connection.send(f'{{"t":"hint","id":"h","decision":{decision}}}')
        wrong = await answer(player)
        assert isinstance(wrong, Error)
        assert wrong.code == "bad-message"
        await player.client.connection.send('{"t":"hint","id":"h","decision":1,"seat":1}')
        unknown = await answer(player)
        assert isinstance(unknown, Error)
        assert unknown.code == "bad-message"
        assert not hints_in(at, created)


@live
async def test_an_id_that_stood_for_something_else_is_refused() -> None:
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        await hint(player, "used")
        await player.client.send(Resign(id="used"))
        refused = await answer(player)
        assert isinstance(refused, Refused)
        assert refused.code == "id-used"


@live
async def test_a_seat_asks_for_so_many_hints_a_minute_and_refused_ones_stand_in_no_line() -> None:
    async with table(bounds=Bounds(hints_at_once=1.0)) as at:
        created = await create(at)
        player, other = await sat(at, created)
        await hint(player)
        await play_on(player, other)
        refused = await ask(player, "fast")
        assert isinstance(refused, Refused)
        assert (refused.code, refused.why) == ("cannot-hint", hint_service.FAST)
        assert len(hints_in(at, created)) == 1


@live
async def test_only_so_many_wait_and_who_has_asked_already_is_let_in(held: threading.Event) -> None:
    async with table(bounds=Bounds(hints_waiting=1)) as at:
        first, second = [(await sat(at, await create(at)))[0] for _ in range(2)]
        await first.client.send(Hint(id="h", decision=first.asked().number))
        await first.client.expect(Accepted)
        refused = await ask(second)
        assert isinstance(refused, Refused)
        assert (refused.code, refused.why) == ("cannot-hint", hint_service.BUSY)
        await first.client.send(Hint(id="again", decision=first.asked().number))
        held.set()
        assert isinstance(await answer(first), Hinted)
        assert isinstance(await hint(second, "later"), Hinted)


@live
async def test_a_hint_that_could_not_be_found_may_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wrongs: list[Exception] = [NoWorld("nothing fits"), ValueError("a secret")]

    def fails(job: HintSearch) -> HintFound:
        if wrongs:
            raise wrongs.pop()
        return few(job)

    monkeypatch.setattr(hint_service, "pondered", fails)
    async with table() as at:
        created = await create(at)
        player, _ = await sat(at, created)
        for why in (hint_service.FAILED, hint_service.NO_WORLD):
            failed = await ask(player)
            assert isinstance(failed, Error)
            assert (failed.id, failed.code, failed.why) == ("h", "cannot-hint", why)
        await hint(player)
        assert len(hints_in(at, created)) == 1


@live
async def test_whether_hints_are_agreed_on_is_told_to_everybody_before_they_sit_down() -> None:
    async with table() as at:
        client = await at.client()
        wishes = (SeatWish("me", "Ada"), SeatWish("open"))
        made = {hints: await create(at, *wishes, hints=hints) for hints in (True, False)}
        listed = {info.match: info.hints for info in (await client.ask(ListMatches(), Matches)).open}
        for hints, created in made.items():
            assert listed[created.match] is hints
            welcome: Welcome = await enter(await at.client(), created.match)
            assert (welcome.table is not None and welcome.table.hints) is hints


@live
async def test_a_rematch_has_hints_as_the_match_had_and_a_branch_as_it_asks_for() -> None:
    async with table() as at:
        created = await create(at)
        players = [await at.player(created, seat) for seat in (0, 1)]
        line = at.lobby.registry.live_match(created.match).visible_head.seq
        for hints in (False, True):
            branch = Branch(created.match, line, AGAINST_A_BOT, created.tokens["0"], hints=hints)
            branched = await (await at.client()).ask(branch, Created)
            assert at.lobby.registry.live_match(branched.match)._referee.state.table.hints is hints
        await players[0].client.send(Resign(id="r"))
        for player in players:
            await player.until(player.is_over)
        await players[0].client.send(Again(on=True))
        await players[1].client.send(Again(on=True))
        begun = await players[1].client.expect(Rematch)
        while not begun.match:
            begun = await players[1].client.expect(Rematch)
        assert at.lobby.registry.live_match(begun.match)._referee.state.table.hints


@live
async def test_a_bot_that_has_taken_the_seat_is_given_no_hint() -> None:
    async with table() as at:
        created = await create(at, *AGAINST_A_BOT)
        player = await at.player(created, 0)
        await player.until(lambda: bool(player.view.asked()))
        number = player.asked().number
        await player.client.connection.send('{"t":"offer","id":"o","terms":{"is":"replace","seat":0,"bot":"random"}}')
        await player.client.expect(Accepted)
        refused = await ask(player, decision=number)
        assert isinstance(refused, Refused)
        assert refused.code == "not-your-decision"


@live
async def test_spectators_who_are_kept_behind_learn_of_it_as_late_as_of_all_else() -> None:
    async with table() as at:
        created = await create(at, delay_events=500)
        player, _ = await sat(at, created)
        watching = await at.spectator(created)
        seen = watching.view.seq
        await hint(player)
        heard = await quiet(watching.client)
        assert not any("HintAsked" in str(message) or getattr(message, "table", None) for message in heard)
        assert watching.view.seq == seen


@live
async def test_a_clock_goes_on_while_it_is_thought_and_asking_is_a_sign_of_life() -> None:
    async with table() as at:
        created = await create(at, time=TimeControl("bank", 600_000, absence_ms=60_000))
        player, _ = await sat(at, created)
        await hint(player)
        referee = at.lobby.registry.live_match(created.match)._referee
        assert referee.clocks is not None
        assert referee.clocks.heard[player.view.viewer.seat or 0] == referee.at
        assert referee.clocks.runs


def test_a_hint_costs_its_connection_what_work_costs() -> None:
    assert _cost(Hint(id="h", decision=1)) == COSTLY


@live
async def test_a_takeback_is_another_question_with_a_hint_of_its_own() -> None:
    async with table() as at:
        created = await create(at)
        player, other = await sat(at, created)
        first = await hint(player)
        line = at.store.read(created.match)[-2].seq
        await player.choose()
        await player.client.connection.send(f'{{"t":"offer","id":"back","terms":{{"is":"take_back","line":{line}}}}}')
        await player.client.expect(Accepted)
        state = at.lobby.registry.live_match(created.match)._referee.state
        if state.table.offers:
            await other.client.connection.send('{"t":"agree","id":"yes","number":1}')
            await other.client.expect(Accepted)
        await player.until(lambda: any(one.number > first.decision for one in player.view.asked()))
        again = await hint(player, "again")
        assert again.decision != first.decision
        assert len(hints_in(at, created)) == 2
        events = [read_event(GAME, entry) for entry in at.store.read(created.match)]
        assert any(isinstance(event, Chosen) for event in events)
        assert audit(GAME, export.from_store(at.store, created.match)).ok
