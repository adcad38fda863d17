"""A match between two seats over connections within the process: choices sent again and again, people who come back at
any line, a wall clock that jumps, a reader that stalls."""

import asyncio
import random
import time
from typing import Any, Final
from unittest.mock import patch

from msgspec import to_builtins

from domain.kernel import Chosen, Seat, TimeControl, TimeRanOut
from domain.kernel.table import DAY_MS
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import read_event
from replay.store.memory import MemoryStore
from server.lobby.lobby import Lobby
from server.operations.settings import Limits
from server.table.audience import wire_item
from server.wire.client import View
from server.wire.protocol import Accepted, Choose, Create, Created, Events, Hello, Refused, Welcome
from tests.server.faults.scripted import FACES, PEOPLE, Wire
from tests.server.faults.tried import Tried
from tests.skirmish.game import GAME

COPIES: Final = [(copies, sockets) for copies in range(1, 6) for sockets in range(1, 4)]
JUMPS_S: Final = (-400 * 86400, -3600, -1, 0.001, 1, 3600, 400 * 86400)
CONTROLS: Final = {
    "no clock": TimeControl(),
    "per decision": TimeControl("decision", 600_000, on_timeout="forfeit"),
    "bank": TimeControl("bank", 600_000, 5_000, on_timeout="forfeit"),
    "days": TimeControl("days", DAY_MS, on_timeout="forfeit"),
}
"""No limit here is over in the time that a match takes; by a clock that jumps each would be."""
USED_MS: Final = 60_000
"""No seat uses up so much in a match of a second."""
STALLED_BYTES: Final = 4096
LONG: Final = 1000
"""The hundredths of a second for which the test waits for a reader that continues."""


class Playing:
    """A match of two seats, each with as many connections as asked for."""

    def __init__(self, sockets: int, control: TimeControl | None = None, limits: Limits | None = None) -> None:
        self.store = MemoryStore()
        unbounded = Limits(message_burst=1e6, messages_per_s=1e6)
        self.lobby = Lobby(self.store, FACES, bot_delay_s=0, limits=limits or unbounded)
        self.sockets = sockets
        self.control = control or TimeControl()
        self.made = 0
        self.told: list[Events] = []
        self.tried = Tried()

    async def begin(self) -> None:
        """Create the match and let everybody in."""
        self.created = await self.wire().ask(Create(GAME.name, PEOPLE, time=self.control), Created)
        self.wires = [[self.wire() for _ in range(self.sockets)] for _ in range(2)]
        self.views = []
        for seat in (0, 1):
            hello = Hello(self.created.match, self.created.tokens[str(seat)])
            for wire in self.wires[seat]:
                welcome = await wire.ask(hello, Welcome)
            self.views.append(View(GAME, welcome))

    def wire(self) -> Wire:
        """A connection."""
        return Wire(self.lobby, lambda _: None)

    async def choose(self, copies: int, rng: random.Random) -> bool:
        """One choice, sent that often; False when the match is over."""
        able = await self._asked()
        if not able:
            return False
        seat = rng.choice(able)
        asked = self.views[seat].asked()[0]
        options = tuple(GAME.revive_decision(asked).form(self.views[seat].state))
        message = Choose(f"c{self.made}", asked.number, to_builtins(rng.choice(options)))
        self.made += 1
        asking = [self.wires[seat][n % self.sockets].ask(message, Accepted, Refused) for n in range(copies)]
        self._judge_answers(message.id, await asyncio.gather(*asking))
        return True

    async def _asked(self) -> list[int]:
        """The seat that is asked, once everybody was told all that is recorded."""
        for _ in range(LONG):
            await asyncio.sleep(0.001)
            for seat, view in enumerate(self.views):
                for events in self.wires[seat][0].news():
                    view.take(events)
                    self.told.append(events)
            recorded = len(self.store.read(self.created.match))
            if all(view.seq == recorded for view in self.views):
                return [seat for seat in (0, 1) if self.views[seat].asked()]
        raise AssertionError("somebody was not told all that is recorded")

    def _judge_answers(self, name: str, answers: list[Any]) -> None:
        self.tried.came["choices"] += 1
        self.tried.came["copies sent"] += len(answers)
        if not all(isinstance(answer, Accepted) for answer in answers):
            self.tried.note(name, f"was answered with {answers}")
        elif len({answer.seq for answer in answers}) != 1:
            self.tried.note(name, f"was accepted at several lines: {answers}")

    def judge(self) -> Tried:
        """Check that every choice is in the record once, in order; returns the trial."""
        found = self.tried
        found.cases += 1
        events = [read_event(GAME, entry) for entry in self.store.read(self.created.match)]
        ids = [event.id for event in events if isinstance(event, Chosen)]
        if ids != [f"c{n}" for n in range(self.made)]:
            found.note("record", f"of {self.made} choices these are in it: {ids}")
        report = audit(GAME, export.from_store(self.store, self.created.match))
        found.note("audit", "" if report.ok else str(report.fault))
        found.came["time-outs"] += sum(isinstance(event, TimeRanOut) for event in events)
        return found


async def sent_often(copies: int, sockets: int) -> Tried:
    """Every choice of a match sent `copies` times over `sockets` connections."""
    playing = Playing(sockets)
    await playing.begin()
    rng = random.Random(copies)
    while await playing.choose(copies, rng):
        pass
    return playing.judge()


async def come_back() -> Tried:
    """After every choice both seats and a spectator come back at every line; a case is one that came back."""
    playing = Playing(1)
    await playing.begin()
    rng = random.Random(7)
    going_on, found = True, Tried()
    while going_on:
        going_on = await playing.choose(1, rng)
        for viewer, token in ((Viewer(Seat(0)), "0"), (Viewer(Seat(1)), "1"), (SPECTATOR, "")):
            found.add(await _come_back(playing, viewer, playing.created.tokens.get(token, "")))
    found.lost += playing.judge().lost
    return found


async def _come_back(playing: Playing, viewer: Viewer, token: str) -> Tried:
    found = Tried()
    items = [wire_item(entry, viewer) for entry in playing.store.read(playing.created.match)]
    wire = playing.wire()
    for since in range(len(items) + 1):
        await wire.ask(Hello(playing.created.match, token, "" if token else "spectator", since), Welcome)
        told: list[Any] = []
        for _ in range(LONG):
            told += [item for events in wire.news() for item in events.items]
            if len(told) >= len(items) - since:
                break
            await asyncio.sleep(0.001)
        found.cases += 1
        found.came["lines told"] += len(told)
        found.note(f"{viewer.label} at line {since}", "" if told == items[since:] else "was told other lines")
    wire.stop()
    return found


async def jumped(control: TimeControl) -> Tried:
    """The wall clock jumps after every choice of a match that is played by `control`."""
    off_ns = 0
    real = time.time_ns
    playing = Playing(1, control)
    rng = random.Random(11)
    with patch.object(time, "time_ns", lambda: real() + off_ns):
        await playing.begin()
        while await playing.choose(1, rng):
            off_ns += int(rng.choice(JUMPS_S) * 1e9)
            playing.lobby.registry.heartbeat()
            playing.lobby.registry.forget_idle()
            playing.tried.came["jumps"] += 1
    found = playing.judge()
    times = [entry.at for entry in playing.store.read(playing.created.match)]
    found.note("times", "" if times == sorted(times) else "go back")
    found.note("times", "" if times[-1] - times[0] < 3600 * 1000 else "jump with the wall clock")
    found.note("clocks", "" if not found.came["time-outs"] else "a seat lost its time")
    shown = [clock.ms for events in playing.told for clock in events.clocks.values()]
    if bool(shown) != bool(control.limit_ms):
        found.note("clocks", f"{len(shown)} were shown")
    if any(ms < control.limit_ms - USED_MS for ms in shown):
        found.note("clocks", f"a seat is shown {min(shown)} ms of {control.limit_ms}")
    return found


class Stalled(Wire):
    """A connection whose other side reads nothing."""

    def __init__(self, lobby: Lobby) -> None:
        self.waits = 0
        super().__init__(lobby, self.count)

    def count(self, frame: str) -> None:
        """What is told piles up."""
        self.waits += len(frame)

    def waiting(self) -> int:
        """Everything is still there."""
        return self.waits


async def stalled() -> Tried:
    """A spectator stalls for a whole match, then reads again: how much waited for it, and whether it catches up."""
    playing = Playing(1, limits=Limits(waiting_bytes=STALLED_BYTES, message_burst=1e6))
    await playing.begin()
    reader = Stalled(playing.lobby)
    await reader.ask(Hello(playing.created.match, "", "spectator"), Welcome)
    begun = reader.waits
    rng = random.Random(5)
    while await playing.choose(1, rng):
        pass
    found = playing.judge()
    longest = max(len(entry.line) for entry in playing.store.read(playing.created.match))
    found.came["bytes waited at most"] = reader.waits
    if not begun < reader.waits < begun + STALLED_BYTES + 20 * longest:
        found.note("stalled reader", f"{reader.waits} bytes waited for it")
    reader.waits = 0
    end = playing.lobby.registry.live_match(playing.created.match).visible_head.seq
    for _ in range(LONG):
        news = reader.news()
        found.came["lines caught up"] += sum(len(events.items) for events in news)
        if any(events.last == end for events in news):
            return found
        await asyncio.sleep(0.01)
    found.note("stalled reader", "was never told the end")
    return found
