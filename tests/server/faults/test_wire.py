"""Repeated choices, reconnection at every line, jumping clocks, a reader that stalls: nothing doubled or missed."""

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest
from msgspec import to_builtins

from domain.kernel import Chosen, Seat
from projections.redaction import SPECTATOR, Viewer
from replay import export
from replay.audit import audit
from replay.memory import MemoryStore
from replay.referee import read_event
from server.audience import wire_item
from server.client import View
from server.hall import Hall
from server.protocol import Accepted, Choose, Create, Created, Hello, Refused, Welcome
from server.settings import Limits
from tests.server.faults.scripted import FACES, PEOPLE, Wire
from tests.skirmish.game import GAME

COPIES = [(copies, sockets) for copies in range(1, 6) for sockets in range(1, 4)]
JUMPS_S = (-400 * 86400, -3600, -1, 0.001, 1, 3600, 400 * 86400)


def alone(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test on an event loop of its own."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


class Playing:
    """A match of two seats, each with as many connections as asked for."""

    def __init__(self, sockets: int) -> None:
        self.store = MemoryStore()
        self.hall = Hall(self.store, FACES, bot_delay_s=0, limits=Limits(message_burst=1e6, messages_per_s=1e6))
        self.sockets = sockets
        self.made = 0

    async def begin(self) -> None:
        """Create the match and let everybody in."""
        self.created = await self.wire().ask(Create(GAME.name, PEOPLE), Created)
        self.wires = [[self.wire() for _ in range(self.sockets)] for _ in range(2)]
        self.views = []
        for seat in (0, 1):
            hello = Hello(self.created.match, self.created.tokens[str(seat)])
            for wire in self.wires[seat]:
                welcome = await wire.ask(hello, Welcome)
            self.views.append(View(GAME, welcome))

    def wire(self) -> Wire:
        """A connection."""
        return Wire(self.hall, lambda _: None)

    async def choose(self, copies: int, rng: random.Random) -> bool:
        """One choice, sent that often; False when the match is over."""
        await asyncio.sleep(0.001)
        for seat in (0, 1):
            for events in self.wires[seat][0].news():
                self.views[seat].take(events)
        able = [seat for seat in (0, 1) if self.views[seat].asked()]
        if not able:
            return False
        seat = rng.choice(able)
        asked = self.views[seat].asked()[0]
        options = tuple(GAME.revive_decision(asked).form(self.views[seat].state))
        message = Choose(f"c{self.made}", asked.number, to_builtins(rng.choice(options)))
        self.made += 1
        asking = [self.wires[seat][n % self.sockets].ask(message, Accepted, Refused) for n in range(copies)]
        answers = await asyncio.gather(*asking)
        assert all(isinstance(answer, Accepted) for answer in answers)
        assert len({answer.seq for answer in answers}) == 1
        return True

    def judge(self) -> None:
        """Every choice stands in the record once, in its order."""
        entries = self.store.read(self.created.match)
        ids = [e.id for entry in entries if isinstance(e := read_event(GAME, entry), Chosen)]
        assert ids == [f"c{n}" for n in range(self.made)]
        assert audit(GAME, export.from_store(self.store, self.created.match)).ok


@pytest.mark.parametrize(("copies", "sockets"), COPIES)
@alone
async def test_a_choice_sent_often_over_several_sockets_is_made_once(copies: int, sockets: int) -> None:
    playing = Playing(sockets)
    await playing.begin()
    rng = random.Random(copies)
    while await playing.choose(copies, rng):
        pass
    assert playing.made > 5
    playing.judge()


@alone
async def test_who_comes_back_at_any_line_sees_what_staying_would_have_shown() -> None:
    playing = Playing(1)
    await playing.begin()
    rng = random.Random(7)
    going_on, compared = True, 0
    while going_on:
        going_on = await playing.choose(1, rng)
        entries = playing.store.read(playing.created.match)
        for viewer, token in ((Viewer(Seat(0)), "0"), (Viewer(Seat(1)), "1"), (SPECTATOR, "")):
            items = [wire_item(entry, viewer) for entry in entries]
            wire = playing.wire()
            for since in range(len(entries) + 1):
                held = playing.created.tokens.get(token, "")
                await wire.ask(Hello(playing.created.match, held, "" if held else "spectator", since), Welcome)
                await asyncio.sleep(0)
                told = [item for events in wire.news() for item in events.items]
                assert told == items[since:]
                compared += 1
            wire.stop()
    assert compared > 500


@alone
async def test_a_wall_clock_that_jumps_ends_nothing_and_times_never_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    off_ns = 0
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + off_ns)
    playing = Playing(1)
    await playing.begin()
    rng = random.Random(11)
    while await playing.choose(1, rng):
        off_ns += int(rng.choice(JUMPS_S) * 1e9)
        playing.hall.heartbeat()
        playing.hall.forget_idle()
    times = [entry.at for entry in playing.store.read(playing.created.match)]
    assert times == sorted(times)
    assert max(times) - min(times) < 3600 * 1000
    playing.judge()


class Stalled(Wire):
    """A connection whose other side reads nothing."""

    def __init__(self, hall: Hall) -> None:
        self.waits = 0
        super().__init__(hall, self.count)

    def count(self, frame: str) -> None:
        """What is told piles up."""
        self.waits += len(frame)

    def waiting(self) -> int:
        """Everything is still there."""
        return self.waits


@alone
async def test_a_reader_that_stalls_holds_nobody_up_and_costs_no_more_than_the_limit() -> None:
    playing = Playing(1)
    playing.hall = Hall(playing.store, FACES, bot_delay_s=0, limits=Limits(waiting_bytes=4096, message_burst=1e6))
    await playing.begin()
    stalled = Stalled(playing.hall)
    await stalled.ask(Hello(playing.created.match, "", "spectator"), Welcome)
    begun = stalled.waits
    rng = random.Random(5)
    while await playing.choose(1, rng):
        pass
    playing.judge()
    longest = max(len(entry.line) for entry in playing.store.read(playing.created.match))
    assert begun < stalled.waits < begun + 4096 + 20 * longest
    stalled.waits = 0
    while playing.hall.host(playing.created.match).seq > _last(stalled):
        await asyncio.sleep(0.01)


def _last(wire: Wire) -> int:
    lines = wire.news()
    wire._lines = lines
    return max((events.last for events in lines), default=0)
