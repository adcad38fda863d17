"""A connection that reads slowly or writes fast is its own problem: nobody else waits for it."""

import asyncio
import time
from typing import Any

import msgspec
import pytest

from server.gate.session import Session
from server.lobby.lobby import Lobby
from server.operations.bounds import Bounds
from server.operations.intervals import Intervals
from server.operations.settings import DEFAULT_LIMITS, Limits
from server.table.timers import Timers
from server.wire.codes import CLOSE_CODES
from server.wire.protocol import (
    Chat,
    Choose,
    Hello,
    Join,
    Joined,
    Mute,
    Need,
    Ping,
    SeatWish,
)
from tests.server.gate.session import Tap, gone
from tests.server.tabletop import Table, live, play_out, table

SOON = Intervals(drain_s=0.001)
LAG_BYTES = DEFAULT_LIMITS.waiting_bytes


async def joined(at: Table, match: str, token: str, *caps: str) -> tuple[Session, Tap, "asyncio.Task[None]"]:
    """A session that has said hello."""
    tap = Tap()
    session = Session(at.lobby, tap)
    task = asyncio.create_task(session.run())
    tap.put(Hello(match, token, "" if token else "spectator", None, caps))
    while "welcome" not in tap.kinds() or session.stream._kept is not None:
        await asyncio.sleep(0.001)
    return session, tap, task


@pytest.mark.parametrize(("waits", "is_sent"), [(LAG_BYTES, True), (LAG_BYTES + 1, False)])
@live
async def test_a_frame_is_left_out_when_more_than_a_mebibyte_waits(waits: int, is_sent: bool) -> None:
    async with table() as at:
        session, tap, task = await joined(at, (await at.create()).match, "")
        before = len(tap.frames)
        tap.waits = waits
        session.stream.send('{"t":"pong","n":1}')
        assert (len(tap.frames) > before) is is_sent
        tap.waits = 0
        await gone(tap, task)


@pytest.mark.parametrize(("caps", "kind"), [(("scene",), "snapshot"), ((), "events")])
@live
async def test_a_viewer_left_behind_is_caught_up_when_it_has_read(caps: tuple[str, ...], kind: str) -> None:
    async with table(intervals=SOON) as at:
        created = await at.create()
        _, tap, task = await joined(at, created.match, "", *caps)
        tap.waits = LAG_BYTES + 1
        seen = len(tap.frames)
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1)
        assert len(tap.frames) == seen
        tap.waits = LAG_BYTES // 4
        while len(tap.frames) == seen:
            await asyncio.sleep(0.001)
        caught_up = last(tap, kind)
        assert caught_up["head"]["seq"] == at.store.head(created.match).seq
        if kind == "events":
            lines = [
                line
                for frame in tap.frames[:]
                if (e := msgspec.json.decode(frame))["t"] == "events"
                for line in e["items"]
            ]
            assert lines == [[text, [list(o) for o in openings]] for text, openings in await everything(at, created)]
        await gone(tap, task)


def last(tap: Tap, kind: str) -> Any:
    """The last message of a kind, None where there is none."""
    messages = [msgspec.json.decode(frame) for frame in tap.frames]
    return next((message for message in reversed(messages) if message["t"] == kind), None)


async def said(at: Table, match: str, *texts: str) -> None:
    """A spectator who comes says so much."""
    _, tap, task = await joined(at, match, "")
    for text in texts:
        tap.frames.clear()
        tap.put(Chat(text))
        while "said" not in tap.kinds():
            await asyncio.sleep(0.001)
        assert last(tap, "said")["lines"][0]["text"] == text
    await gone(tap, task)


@pytest.mark.parametrize("caps", [("scene",), ()])
@live
async def test_a_viewer_caught_up_knows_the_seats_who_is_there_and_what_was_said(caps: tuple[str, ...]) -> None:
    async with table(intervals=SOON) as at:
        created = await at.create(SeatWish("open"), SeatWish("open"))
        _, tap, task = await joined(at, created.match, "", *caps)
        await said(at, created.match, "heard")
        tap.frames.clear()
        tap.waits = LAG_BYTES + 1
        client = await at.client()
        taken = [await client.ask(Join(created.match, seat, name), Joined) for seat, name in enumerate(("Ada", "Bo"))]
        players = [await joined(at, created.match, one.token) for one in taken]
        await said(at, created.match, "missed", "missed too")
        assert tap.frames == []
        tap.waits = 0
        while "said" not in tap.kinds():
            await asyncio.sleep(0.001)
        assert [seat["name"] for seat in last(tap, "seats")["seats"]] == ["Ada", "Bo"]
        assert last(tap, "presence")["seats"] == [0, 1]
        assert [(line["n"], line["text"]) for line in last(tap, "said")["lines"]] == [(2, "missed"), (3, "missed too")]
        for _, one, serving in players:
            await gone(one, serving)
        await gone(tap, task)


@live
async def test_a_viewer_caught_up_is_not_told_what_it_has_muted() -> None:
    async with table(intervals=SOON) as at:
        created = await at.create()
        session, tap, task = await joined(at, created.match, "")
        tap.put(Mute("*"))
        tap.put(Ping(1))
        while "pong" not in tap.kinds():
            await asyncio.sleep(0.001)
        tap.frames.clear()
        tap.waits = LAG_BYTES + 1
        session.stream.send("{}")
        await said(at, created.match, "unheard")
        tap.waits = 0
        while "presence" not in tap.kinds():
            await asyncio.sleep(0.001)
        assert "said" not in tap.kinds()
        await gone(tap, task)


@live
async def test_who_comes_to_a_long_record_is_told_what_was_said_once_it_has_read() -> None:
    async with table(limits=Limits(waiting_bytes=1024), intervals=SOON, bounds=Bounds(frame_bytes=600)) as at:
        created = await at.create()
        await said(at, created.match, "first")
        tap = Narrow()
        task = asyncio.create_task(Session(at.lobby, tap).run())
        tap.put(Hello(created.match, "", "spectator"))
        while "said" not in tap.kinds():
            await asyncio.sleep(0.003)
            tap.waits = 0
        assert at.lobby.meters.catch_ups == 1
        assert (tap.kinds().count("said"), "presence" in tap.kinds()) == (1, True)
        await gone(tap, task)


async def everything(at: Table, created: Any) -> list[Any]:
    watcher = await at.spectator(created)
    return watcher.items


@live
async def test_a_viewer_that_stays_behind_is_dropped_with_4008() -> None:
    async with table(limits=Limits(slow_s=0.01), intervals=SOON) as at:
        session, tap, task = await joined(at, (await at.create()).match, "")
        tap.waits = LAG_BYTES + 1
        session.stream.send("{}")
        while tap.closed is None:
            await asyncio.sleep(0.001)
        assert tap.closed[0] == 4008
        tap.waits = 0
        await gone(tap, task)


@live
async def test_a_connection_that_two_wait_for_is_closed_and_counted_once() -> None:
    async with table(limits=Limits(slow_s=0.01), intervals=SOON) as at:
        session, tap, task = await joined(at, (await at.create()).match, "")
        tap.waits = LAG_BYTES + 1
        session.stream.send("{}")
        tap.put(Ping(1))
        await task
        session.stream.dismiss(4013)
        await asyncio.sleep(0)
        assert (tap.closed, tap.closings) == ((4008, CLOSE_CODES[4008]), 1)


class Narrow(Tap):
    """A socket whose far end reads one frame at a time, when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 0

    def write(self, *frames: str) -> None:
        super().write(*frames)
        self.waits += sum(map(len, frames))
        self.most = max(self.most, self.waits)


@pytest.mark.parametrize("ask", [Hello, Need])
@live
async def test_a_long_record_goes_out_as_fast_as_it_is_read_and_whole(ask: type[Any]) -> None:
    async with table(limits=Limits(waiting_bytes=1024), intervals=SOON, bounds=Bounds(frame_bytes=600)) as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1, most=4)
        tap = Narrow()
        task = asyncio.create_task(Session(at.lobby, tap).run())
        tap.put(Hello(created.match, "", "spectator", None if ask is Hello else at.store.head(created.match).seq))
        if ask is Need:
            while "welcome" not in tap.kinds():
                await asyncio.sleep(0.001)
            tap.waits = 0
            tap.put(Need(0))
        lines: list[int] = []
        largest = 0
        while not lines or lines[-1] < at.store.head(created.match).seq:
            await asyncio.sleep(0.003)
            tap.waits = 0
            sent = [frame for frame in tap.frames if '"events"' in frame]
            largest = max(map(len, tap.frames), default=0)
            lines = [n for frame in sent if (e := msgspec.json.decode(frame)) for n in range(e["from"], e["to"] + 1)]
        assert lines == list(range(1, lines[-1] + 1))
        assert tap.most <= 1024 + 2 * largest
        await players[0].choose() if players[0].view.asked() else await players[1].choose()
        while msgspec.json.decode(tap.frames[-1])["head"]["seq"] < at.store.head(created.match).seq:
            await asyncio.sleep(0.001)
            tap.waits = 0
        await gone(tap, task)


@live
async def test_a_catch_up_is_counted_once_however_many_portions_it_has() -> None:
    async with table(limits=Limits(waiting_bytes=1024), intervals=SOON, bounds=Bounds(frame_bytes=600)) as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1, most=4)
        tap = Narrow()
        task = asyncio.create_task(Session(at.lobby, tap).run())
        tap.put(Hello(created.match, "", "spectator"))
        while not is_whole(at, created.match, tap):
            await asyncio.sleep(0.003)
            tap.waits = 0
        assert tap.kinds().count("events") > 2
        assert at.lobby.meters.catch_ups == 1
        await gone(tap, task)


def is_whole(at: Table, match: str, tap: Tap) -> bool:
    """Whether the record's last line has been sent."""
    sent = [event for frame in tap.frames if (event := msgspec.json.decode(frame))["t"] == "events"]
    return bool(sent) and sent[-1]["to"] == at.store.head(match).seq


@live
async def test_a_match_does_not_wait_for_a_viewer_that_reads_nothing() -> None:
    async with table(limits=Limits(waiting_bytes=1024)) as at:
        created = await at.create()
        _, tap, task = await joined(at, created.match, "", "scene")
        tap.waits = 10**9
        players = [await at.player(created, 0), await at.player(created, 1)]
        before = len(tap.frames)
        await play_out(players, 1)
        assert at.store.header(created.match).status == "finished"
        assert len(tap.frames) == before
        tap.waits = 0
        await gone(tap, task)


@live
async def test_a_client_that_asks_without_reading_is_not_read_further() -> None:
    async with table(intervals=SOON) as at:
        _, tap, task = await joined(at, (await at.create()).match, "")
        tap.waits = LAG_BYTES + 1
        for _ in range(50):
            tap.put(Need(0))
        while tap.kinds().count("events") < 2:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert tap.kinds().count("events") == 2
        tap.waits = 0
        await gone(tap, task)


@live
async def test_a_client_that_sends_too_fast_is_read_at_the_rate() -> None:
    async with table(limits=Limits(messages_per_s=100, message_burst=10)) as at:
        tap = Tap()
        task = asyncio.create_task(Session(at.lobby, tap).run())
        begun = time.monotonic()
        for n in range(30):
            tap.put(Ping(n))
        while len(tap.frames) < 30:
            await asyncio.sleep(0.001)
        assert time.monotonic() - begun >= 0.19
        assert tap.kinds() == ["pong"] * 30
        await gone(tap, task)


@live
async def test_a_connection_may_change_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        first, second = await at.create(), await at.create()
        _, tap, task = await joined(at, first.match, "")
        tap.put(Hello(second.match, second.tokens["0"]))
        while tap.kinds().count("welcome") < 2:
            await asyncio.sleep(0.001)
        assert listeners(at.lobby, first.match) == 0
        assert listeners(at.lobby, second.match) == 1
        await gone(tap, task)
        assert listeners(at.lobby, second.match) == 0


def listeners(lobby: Lobby, match: str) -> int:
    """How many connections a match tells."""
    presence = lobby.registry.live_match(match).connections.presence()
    return len(presence.seats) + presence.spectators


async def seated(at: Table) -> "tuple[list[Tap], list[asyncio.Task[None]]]":
    """Both seats of a match that has begun."""
    created = await at.create()
    both = [await joined(at, created.match, created.tokens[seat]) for seat in ("0", "1")]
    while not all('"DecisionsOpened' in "".join(tap.frames) for _, tap, _ in both):
        await asyncio.sleep(0.001)
    for _, tap, _ in both:
        tap.packets.clear()
    return [tap for _, tap, _ in both], [task for _, _, task in both]


@live
async def test_who_chooses_gets_the_lines_and_the_answer_in_one_packet() -> None:
    async with table() as at:
        (ada, bo), tasks = await seated(at)
        ada.put(Choose("once", 1, 0))
        while not (ada.packets and bo.packets):
            await asyncio.sleep(0.001)
        assert (ada.packets, bo.packets) == ([["events", "accepted"]], [["events"]])
        ada.put(Choose("once", 1, 0))
        ada.put(Choose("again", 1, 0))
        while len(ada.packets) < 3:
            await asyncio.sleep(0.001)
        assert ada.packets[1:] == [["accepted"], ["refused"]]
        for tap, task in zip((ada, bo), tasks, strict=True):
            await gone(tap, task)


@live
async def test_lines_held_back_go_out_with_the_refusal_where_telling_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        (ada, bo), tasks = await seated(at)

        def watch(timers: Timers[Any]) -> None:
            raise RuntimeError(timers.due_ms)

        monkeypatch.setattr(Timers, "watch", watch)
        ada.put(Choose("once", 1, 0))
        while not ada.packets:
            await asyncio.sleep(0.001)
        assert (ada.packets, bo.packets) == ([["events", "refused"]], [["events"]])
        monkeypatch.undo()
        ada.put(Choose("once", 1, 0))
        while len(ada.packets) < 2:
            await asyncio.sleep(0.001)
        assert ada.packets[1:] == [["accepted"]]
        for tap, task in zip((ada, bo), tasks, strict=True):
            await gone(tap, task)
