"""Acts at the table over the wire: who may, what everybody is told, and that it lasts."""

import threading
from typing import Any

import pytest

from domain.kernel import Draw, Event, NotNow, Offered, Pause, Replace, Seat, TakeBack, TimeControl
from domain.kernel.table import DAY_MS
from replay.record.referee import Referee, Ruling
from replay.store.log import Entry
from replay.store.memory import MemoryStore
from replay.store.store import Store
from server.gate.session import COSTLY, _cost
from server.lobby.lobby import Lobby
from server.wire.act_messages import Agree, Claim, Decline, Offer, Resign, TableMessage, Vacation
from server.wire.acts import act_on_past
from server.wire.client import enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import (
    Accepted,
    Create,
    Created,
    Events,
    HeldSeat,
    Join,
    Joined,
    ListTurns,
    Refused,
    SeatsChanged,
    SeatWish,
    Snapshot,
    Welcome,
    read_message,
)
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, Table, live, table
from tests.skirmish.game import GAME

BANK = TimeControl("bank", 600_000, 5_000, taken_back="returned")


async def create(at: Table, time: TimeControl, **more: Any) -> Created:
    return await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, time=time, **more), Created)


async def act(player: Player, message: TableMessage) -> Accepted | Refused:
    await player.client.send(message)
    return await player.client.expect(Accepted | Refused)  # type: ignore[arg-type]


async def begun(at: Table, time: TimeControl | None = None, **more: Any) -> tuple[Created, Player, Player]:
    created = await create(at, time or TimeControl(), **more)
    one, two = await at.player(created, 0), await at.player(created, 1)
    await one.until(lambda: bool(one.view.asked()))
    await two.until(lambda: bool(two.view.asked()))
    return created, one, two


async def gone(at: Table, created: Created, one: Player, two: Player) -> None:
    """The second seat closes its connection, and the server has seen it."""
    await two.client.connection.close()
    while 1 in at.lobby.registry.live_match(created.match).connections.presence().seats:
        await one.client.receive()


async def news(player: Player) -> Events:
    return await player.client.expect(Events)


@live
async def test_clocks_are_told_on_entering_and_with_every_commit() -> None:
    async with table() as at:
        created, one, _ = await begun(at, BANK)
        client = await at.client()
        welcome: Welcome = await enter(client, created.match, caps=("scene",))
        assert {seat: clock.run for seat, clock in welcome.clocks.items()} == {"0": True, "1": True}
        assert 590_000 < welcome.clocks["0"].ms <= 600_000
        assert welcome.table is not None
        assert welcome.table.time == BANK
        snapshot = await client.expect(Snapshot)
        assert snapshot.clocks.keys() == {"0", "1"}
        await one.choose()
        told = await client.expect(Events)
        assert (told.clocks["0"].run, told.clocks["1"].run) == (False, True)
        assert told.clocks["0"].ms > 600_000
        assert told.table is None


@live
async def test_a_match_without_clocks_is_told_of_none() -> None:
    async with table() as at:
        created, one, _ = await begun(at)
        client = await at.client()
        welcome = await enter(client, created.match)
        assert (welcome.clocks, welcome.table) == ({}, None)
        await one.choose()
        assert (await client.expect(Events)).clocks == {}


@live
async def test_who_resigns_has_lost_and_once_is_enough() -> None:
    async with table() as at:
        _, one, two = await begun(at)
        answer = await act(one, Resign("r"))
        assert isinstance(answer, Accepted)
        assert await act(one, Resign("r")) == answer
        await two.until(two.is_over)
        assert two.view.state.result.winner == 1
        late = await act(two, Resign("r"))
        assert isinstance(late, Refused)
        assert late.code == "match-over"


@live
async def test_an_offer_is_told_and_answered() -> None:
    async with table() as at:
        _, one, two = await begun(at)
        assert isinstance(await act(one, Offer("o", Draw())), Accepted)
        told = await news(two)
        assert told.table is not None
        offer = told.table.offers[0]
        assert (offer.number, offer.seat, offer.terms, offer.asked) == (1, 0, Draw(), (1,))
        refused = await act(one, Agree("a", 1))
        assert isinstance(refused, Refused)
        assert refused.code == "not-now"
        assert isinstance(await act(two, Decline("d", 1)), Accepted)
        assert isinstance(await act(two, Offer("o", Draw())), Accepted)
        assert isinstance(await act(one, Agree("b", 2)), Accepted)
        await one.until(one.is_over)
        assert one.view.state.result.reason == "draw agreed"


@live
async def test_who_watches_acts_no_more_than_chooses() -> None:
    async with table() as at:
        created, _, _ = await begun(at)
        watcher = await at.spectator(created)
        refused = await act(watcher, Resign("r"))
        assert isinstance(refused, Refused)
        assert refused.code == "not-your-decision"
        stranger = await at.client()
        await stranger.send(Resign("r"))
        assert (await stranger.expect(Refused)).code == "no-match"


@live
async def test_a_bot_takes_over_and_keeps_the_seat_after_a_restart() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, one, two = await begun(at)
        unknown = await act(one, Offer("u", Replace(two.view.viewer.seat or 0, "grandmaster")))  # type: ignore[arg-type]
        assert isinstance(unknown, Refused)
        assert "there are random" in unknown.why
        assert isinstance(await act(one, Offer("o", Replace(one.view.viewer.seat))), Accepted)  # type: ignore[arg-type]
        assert isinstance(await act(two, Agree("a", 1)), Accepted)
        seats = (await two.client.expect(SeatsChanged)).seats
        assert [seat.kind for seat in seats] == ["bot", "person"]
        refused = await one.choose()
        assert isinstance(refused, Refused)
        assert "bot plays this seat" in refused.why
        await two.until(lambda: len(two.view.state.asked) == 1)
    async with table(store) as at:
        again = await at.player(created, 1)
        while not again.is_over():
            await again.until(lambda: bool(again.view.asked()) or again.is_over())
            if not again.is_over():
                await again.choose()
        chosen = [line for line, _ in again.items if '"Chosen"' in line and '"by":"bot"' in line]
        assert chosen


@live
async def test_absence_is_what_the_server_saw() -> None:
    async with table() as at:
        created, one, two = await begun(at, TimeControl(absence_ms=60_000))
        here = await act(one, Claim("c1", 1))
        assert isinstance(here, Refused)
        await gone(at, created, one, two)
        now = at.lobby.registry.time.now
        early = await act(one, Claim("c2", 1))
        assert isinstance(early, Refused)
        at.lobby.registry.time.now = lambda: now() + 61_000  # type: ignore[assignment]
        assert isinstance(await act(one, Claim("c3", 1)), Accepted)
        await one.until(one.is_over)
        assert one.view.state.result.winner == 0


@live
async def test_whose_move_it_is_is_folded_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    store, threads, opened = MemoryStore(), list[threading.Thread](), Referee.from_record
    async with table(store) as at:
        created, _, _ = await begun(at)

    def noted(*given: Any) -> Referee[Any]:
        threads.append(threading.current_thread())
        return opened(*given)

    monkeypatch.setattr(Referee, "from_record", noted)
    lobby = Lobby(store, FACES)
    turns, _ = await lobby.entry.turns(ListTurns((HeldSeat(created.match, created.tokens["0"]),)))
    await lobby.close()
    assert [turn.yours for turn in turns.turns] == [True]
    assert threads
    assert threading.main_thread() not in threads


def later(at: Table, by_ms: int) -> None:
    """So much later than it was when the hall's clock was asked last."""
    now = at.lobby.registry.time.now
    at.lobby.registry.time.now = lambda: now() + by_ms  # type: ignore[assignment]


@live
async def test_who_never_came_is_away_from_the_beginning_on() -> None:
    async with table() as at:
        seats = (TWO_PEOPLE[0], SeatWish("open"))
        created = await (await at.client()).ask(Create(GAME.name, seats, time=TimeControl(absence_ms=60_000)), Created)
        one = await at.player(created, 0)
        later(at, 50_000)
        await (await at.client()).ask(Join(created.match, 1, "Bo"), Joined)
        await one.until(lambda: bool(one.view.asked()))
        later(at, 59_000)
        assert isinstance(await act(one, Claim("early", 1)), Refused)
        later(at, 1_000)
        assert isinstance(await act(one, Claim("late", 1)), Accepted)


@live
async def test_nobody_is_away_in_a_pause_that_all_agreed_to() -> None:
    async with table() as at:
        created, one, two = await begun(at, TimeControl(absence_ms=60_000))
        await act(one, Offer("p", Pause(100_000)))
        assert isinstance(await act(two, Agree("a", 1)), Accepted)
        await gone(at, created, one, two)
        later(at, 100_000)
        assert isinstance(await act(one, Claim("at-once", 1)), Refused)
        later(at, 59_000)
        assert isinstance(await act(one, Claim("early", 1)), Refused)
        later(at, 1_000)
        assert isinstance(await act(one, Claim("late", 1)), Accepted)


@live
async def test_nobody_is_away_on_vacation() -> None:
    async with table() as at:
        control = TimeControl("days", 10 * DAY_MS, vacation_ms=3 * DAY_MS, absence_ms=60_000)
        created, one, two = await begun(at, control)
        assert isinstance(await act(two, Vacation("v", 1)), Accepted)
        await gone(at, created, one, two)
        later(at, DAY_MS + 59_000)
        assert isinstance(await act(one, Claim("early", 1)), Refused)
        later(at, 1_000)
        assert isinstance(await act(one, Claim("late", 1)), Accepted)


@live
async def test_vacation_stops_the_own_clock() -> None:
    async with table() as at:
        _, one, two = await begun(at, TimeControl("days", 86_400_000, vacation_ms=3 * 86_400_000))
        assert isinstance(await act(one, Vacation("v", 2)), Accepted)
        clock = (await news(two)).clocks["0"]
        assert not clock.run
        assert clock.away_ms > 86_400_000
        assert clock.vacation_ms == 86_400_000
        assert isinstance(await act(one, Vacation("w", 0)), Accepted)
        clock = (await news(two)).clocks["0"]
        assert clock.run
        assert clock.vacation_ms > 2 * 86_400_000


@live
async def test_a_pause_is_told_with_its_end_and_refuses_choices() -> None:
    async with table() as at:
        _, one, two = await begun(at, BANK)
        await act(one, Offer("p", Pause(60_000)))
        await act(two, Agree("a", 1))
        assert (await news(one)).table is not None
        told = await news(one)
        assert told.table is not None
        assert 50_000 < told.table.paused_ms <= 60_000
        assert not any(clock.run for clock in told.clocks.values())
        refused = await one.choose()
        assert isinstance(refused, Refused)
        assert refused.code == "match-paused"


@live
async def test_spectators_who_are_kept_behind_see_no_clocks() -> None:
    async with table() as at:
        created, one, _ = await begun(at, BANK, delay_events=4)
        client = await at.client()
        welcome = await enter(client, created.match, caps=("scene",))
        assert (welcome.clocks, welcome.table) == ({}, None)
        assert (await client.expect(Snapshot)).clocks == {}
        await one.choose()


@live
async def test_times_that_cannot_be_are_refused_with_what_to_change() -> None:
    async with table() as at:
        with pytest.raises(NotAdmitted, match="needs a limit"):
            await create(at, TimeControl("bank"))


@pytest.mark.parametrize(
    "terms",
    ['{"is":"pause","length_ms":-1}', '{"is":"replace","seat":99}', '{"is":"pause","length_ms":99999999999999}'],
)
@live
async def test_terms_that_make_no_sense_are_refused(terms: str) -> None:
    async with table() as at:
        _, one, _ = await begun(at)
        message = read_message('{"t":"offer","id":"x","terms":' + terms + "}")
        assert isinstance(message, Offer)
        answer = await act(one, message)
        assert isinstance(answer, Refused)
        assert answer.code == "not-now"


@live
async def test_a_choice_nobody_has_learnt_of_is_taken_back_at_once() -> None:
    async with table() as at:
        _, one, two = await begun(at)
        before = one.asked()
        assert isinstance(await one.choose(), Accepted)
        assert not one.view.asked()
        answer = await act(one, Offer("t", TakeBack()))
        assert isinstance(answer, Accepted)
        await one.reach(answer.seq)
        await one.until(lambda: bool(one.view.asked()))
        again = one.asked()
        assert (again.kind, again.terms) == (before.kind, before.terms)
        assert again.number > before.number
        assert isinstance(await one.choose(), Accepted)
        await two.until(lambda: two.asked().number > again.number)
        assert isinstance(await two.choose(), Accepted)


@live
async def test_a_choice_that_others_have_seen_the_fruits_of_needs_their_consent() -> None:
    async with table() as at:
        _, one, two = await begun(at)
        await one.choose()
        assert isinstance(await two.choose(), Accepted)
        assert isinstance(await act(two, Offer("t", TakeBack())), Accepted)
        await one.until(lambda: bool(one.view.state.table.offers))
        rolled = one.view.state.draws
        answer = await act(one, Agree("a", 1))
        assert isinstance(answer, Accepted)
        await two.until(lambda: two.view.seq > answer.seq and bool(two.view.asked()))
        assert two.asked().kind == "CardSelection"
        assert two.view.state.draws == rolled, "chance that was spent stays spent"
        assert isinstance(await two.choose(), Accepted)


@live
async def test_there_must_be_something_to_take_back() -> None:
    async with table() as at:
        _, one, _ = await begun(at)
        for terms in (TakeBack(), TakeBack(1), TakeBack(999)):
            answer = await act(one, Offer(f"t{terms.line}", terms))
            assert isinstance(answer, Refused)
            assert answer.code == "not-now"


class Watched(MemoryStore):
    """Keeps which thread has read a record."""

    def __init__(self) -> None:
        super().__init__()
        self.readers: list[threading.Thread] = []

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        self.readers.append(threading.current_thread())
        return super().read(match, after, limit)


@live
async def test_a_takeback_that_cannot_be_is_refused_before_the_record_is_read() -> None:
    store = Watched()
    async with table(store) as at:
        early = await at.player(await at.create(SeatWish("me", "Ada"), SeatWish("open")), 0)
        _, one, two = await begun(at)
        await one.choose()
        await two.choose()
        assert isinstance(await act(two, Offer("t", TakeBack())), Accepted)
        store.readers.clear()
        assert isinstance(await act(two, Offer("u", TakeBack())), Refused), "an offer is open"
        assert isinstance(await act(two, Resign("r")), Accepted)
        over = await act(one, Offer("v", TakeBack()))
        assert isinstance(over, Refused)
        assert over.code == "match-over"
        assert isinstance(await act(early, Offer("w", TakeBack())), Refused), "the match has not begun"
        assert not store.readers


@live
async def test_the_record_is_read_for_a_takeback_beside_the_loop_and_once() -> None:
    store = Watched()
    async with table(store) as at:
        _, one, two = await begun(at)
        await one.choose()
        await two.choose()
        for player, message in ((two, Offer("t", TakeBack())), (one, Agree("a", 1))):
            store.readers.clear()
            assert isinstance(await act(player, message), Accepted)
            (reader,) = store.readers
            assert reader is not threading.current_thread()


@live
async def test_a_takeback_decided_on_what_the_match_was_is_decided_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def changed(referee: Referee[Any], store: Store, act: Event, at: int) -> Ruling[Any]:
        asked.append(referee.seq)
        if len(asked) == 1:
            other = referee.act(Offered(Seat(1), "d", number=1, terms=Draw()), at)
            store.append(other.commit)
            referee.accept(other)
            raise NotNow("There was no choice to take back.")
        return act_on_past(referee, store, act, at)

    monkeypatch.setattr("server.table.decider.act_on_past", changed)
    async with table() as at:
        _, one, _ = await begun(at)
        assert isinstance(await one.choose(), Accepted)
        assert isinstance(await act(one, Offer("t", TakeBack())), Accepted)
        assert asked[1] > asked[0]


def test_an_offer_to_take_back_counts_as_work() -> None:
    assert _cost(Offer("t", TakeBack())) == COSTLY
    assert _cost(Offer("t", Draw())) == 1
