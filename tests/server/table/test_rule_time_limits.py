"""VD-145 on the server: when the time for issuing orders is over, what is not placed is left to recorded chance."""

import random

import anyio

from domain.kernel import Chosen, Seat
from domain.vera_discordia import GAME
from domain.vera_discordia.state.state import VeraState
from projections.registry import faces
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from server.table.live_match import LiveMatch, StoredMatch
from tests.server.tabletop import live


def match_at_issuing(store: MemoryStore, seconds: int) -> Referee[VeraState]:
    """A Hurry Up match in which both players are to issue orders."""
    source = random.Random(3)
    options = {"hurry_up_s": seconds, "without_generals": True}
    referee, creation = create_match(GAME, options, ("Abel", "Doviso"), at=1)
    store.create(creation.header, creation.keys, (), creation.ruling.commit)
    referee.accept(creation.ruling)
    ruling = Preparation(referee).begin(2)
    while True:
        store.append(ruling.commit)
        referee.accept(ruling)
        if any(asked.kind == "OrderIssue" for asked in referee.state.asked):
            return referee
        asked = referee.state.asked[0]
        choice = GAME.revive_decision(asked).form(referee.state).sample(source.randrange)
        ruling = referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, asked.number), 3)


@live
async def test_vd_145_orders_not_placed_in_time_are_placed_at_random_by_the_clock() -> None:
    store = MemoryStore()
    referee = match_at_issuing(store, 1)
    live_match = LiveMatch(
        faces()["vera_discordia"], store, referee, StoredMatch.read(store, referee.match, store.whole(referee.match))
    )
    live_match.wake()
    assert not live_match.is_idle
    with anyio.fail_after(200):
        while any(asked.kind == "OrderIssue" for asked in referee.state.asked):
            await anyio.sleep(0.05)
    events = [read_event(GAME, entry) for entry in store.read(live_match.match, after=0)]
    by_clock = [event for event in events if isinstance(event, Chosen) and event.by == "clock"]
    assert [event.seat for event in by_clock] == [Seat(0), Seat(1)]
    kinds = [type(event).__name__ for event in events[events.index(by_clock[-1]) :]]
    assert kinds[:5] == ["Chosen", "Shuffled", "OrdersIssued", "Shuffled", "OrdersIssued"]
    await live_match.close()


@live
async def test_vd_145_without_hurry_up_nothing_is_placed_by_the_clock() -> None:
    store = MemoryStore()
    referee = match_at_issuing(store, 0)
    live_match = LiveMatch(
        faces()["vera_discordia"], store, referee, StoredMatch.read(store, referee.match, store.whole(referee.match))
    )
    live_match.wake()
    assert live_match.is_idle
    await live_match.close()
