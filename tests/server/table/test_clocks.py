"""Clocks on the server: what is due is put down, whatever the wall clock does and however often the server stops."""

import asyncio
import random
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anyio
import pytest

from domain.kernel import MatchResumed, Seat, ServerReturned, TimeControl
from projections.plain import plain_face
from replay.audit.match_audit import audit
from replay.errors import RecordError
from replay.files import export
from replay.record.referee import Referee, read_event
from replay.store.log import Append, Commit, Unknown
from replay.store.memory import MemoryStore
from replay.store.store import Store
from server.lobby.errors import CannotCreate
from server.lobby.lobby import Lobby
from server.table.clocks import LifeSign, ServerTime, SharedLife, SteadyClock, now_ms
from server.table.live_match import LiveMatch, StoredMatch
from server.wire.act_messages import Offer
from server.wire.protocol import Accepted, Choose, Create, Refused
from tests.replay.matches import begun, sit
from tests.server.tabletop import FACES, TWO_PEOPLE, live
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)
MINUTE = 60_000


class FakeTime(ServerTime):
    """The server's time as the test says it is."""

    def __init__(self, at: int, gone_ms: int = 0) -> None:
        super().__init__()
        self.at = self.back_ms = at
        self.gone_ms = gone_ms
        self.now = lambda: self.at  # type: ignore[assignment]


def bank(then: Any = "default", limit: int = MINUTE) -> TimeControl:
    return TimeControl("bank", limit, on_timeout=then)


def kept(store: Store, referee: Referee[Any]) -> StoredMatch:
    return StoredMatch.read(store, referee.match, store.whole(referee.match))


class Room:
    """A host of a match between two people, at a time of the test's own."""

    def __init__(self, control: TimeControl | None, gone_ms: int = 0, later_ms: int = 0) -> None:
        self.store = MemoryStore()
        referee: Referee[Any] = begun(self.store, control=control, kind="person")
        self.time = FakeTime(referee.at + later_ms, gone_ms and referee.at + gone_ms)
        self.live_match: LiveMatch[Any] = LiveMatch(
            plain_face(GAME), self.store, referee, kept(self.store, referee), time_of=self.time
        )
        self.referee = referee

    def kinds(self) -> list[str]:
        return [entry.type for entry in self.store.read(self.live_match.match)]

    def last(self, kind: str) -> Any:
        return next(read_event(GAME, e) for e in reversed(self.store.read(self.live_match.match)) if e.type == kind)

    async def strike(self) -> None:
        await self.live_match.timers.strike()

    async def choose(self, seat: Seat, name: str = "c") -> Accepted | Refused:
        asked = next(asked for asked in self.referee.state.asked if asked.seat == seat)
        return await self.live_match.command_queue.choose(seat, Choose(name, asked.number, 0))

    def assert_audits(self) -> None:
        report = audit(GAME, export.from_store(self.store, self.live_match.match))
        assert report.fault is None, str(report.fault)


@live
async def test_who_is_out_of_time_is_decided_for_and_not_before() -> None:
    room = Room(bank())
    room.time.at += MINUTE - 1
    await room.strike()
    assert "TimeRanOut" not in room.kinds()
    room.time.at += 1
    await room.strike()
    assert room.kinds().count("TimeRanOut") >= 2
    assert all(clock.ms == 0 for clock in room.live_match.table_state.times().clocks.values())
    room.assert_audits()
    await room.live_match.close()


@live
async def test_a_time_out_wakes_the_match_by_itself() -> None:
    store = MemoryStore()
    referee: Referee[Any] = begun(store, control=TimeControl("decision", 1_000, on_timeout="forfeit"), kind="person")
    server = FakeTime(referee.at + 700)
    live_match: LiveMatch[Any] = LiveMatch(plain_face(GAME), store, referee, kept(store, referee), time_of=server)
    live_match.wake()
    assert not live_match.is_idle
    server.at += 400
    with anyio.fail_after(200):
        while not live_match.is_over:
            await anyio.sleep(0.02)
    assert referee.state.result is not None
    assert referee.state.result.reason == "out of time"
    await live_match.close()


@live
async def test_the_clock_comes_before_a_choice_that_is_too_late() -> None:
    room = Room(bank("forfeit"))
    room.time.at += MINUTE
    answer = await room.choose(ADA)
    assert isinstance(answer, Refused)
    assert answer.code == "match-over"
    assert room.kinds()[-2:] == ["TimeRanOut", "MatchEnded"]
    room.assert_audits()
    await room.live_match.close()


@live
async def test_a_choice_in_time_counts_and_its_repetition_later_is_answered_as_before() -> None:
    room = Room(bank("forfeit"))
    room.time.at += MINUTE - 1
    first = await room.choose(ADA, "x")
    assert isinstance(first, Accepted)
    room.time.at += MINUTE
    assert await room.live_match.command_queue.choose(ADA, Choose("x", 1, 0)) == first
    await room.live_match.close()


@live
async def test_a_pause_ends_by_itself() -> None:
    from domain.kernel import Agreed, Offered, Pause

    room = Room(None)
    for act in (Offered(ADA, number=1, terms=Pause(5_000)), Agreed(BO, number=1)):
        await room.live_match.command_queue.commit(room.referee.act(act, room.time.at))
    answer = await room.choose(ADA)
    assert isinstance(answer, Refused)
    assert answer.code == "match-paused"
    room.time.at += 5_000
    assert isinstance(await room.choose(ADA), Accepted)
    assert room.last("MatchResumed") == MatchResumed()
    room.assert_audits()
    await room.live_match.close()


@live
async def test_the_time_the_server_was_away_is_nobodys() -> None:
    room = Room(bank(), gone_ms=10_000, later_ms=10 * MINUTE)
    room.live_match.resume()
    await room.strike()
    returned = room.last("ServerReturned")
    assert isinstance(returned, ServerReturned)
    assert returned.back - returned.gone == 10 * MINUTE - 10_000
    assert room.live_match.table_state.times().clocks["0"].ms == MINUTE - 10_000
    assert "TimeRanOut" not in room.kinds()
    room.assert_audits()
    await room.live_match.close()


@live
async def test_a_return_that_could_not_be_written_is_written_before_anybodys_time_runs_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room(bank("forfeit"), later_ms=10 * MINUTE)
    submit, refused = room.store.submit, list[str]()

    def full(commit: Commit) -> "Future[Append]":
        if refused:
            return submit(commit)
        refused.append(commit.entries[0].type)
        answered: Future[Append] = Future()
        answered.set_result(Unknown("the answer was lost"))
        return answered

    monkeypatch.setattr(room.store, "submit", full)
    monkeypatch.setattr(room.store, "stage", lambda *_: False)
    await room.strike()
    await room.strike()
    assert refused == ["ServerReturned"]
    assert room.kinds().count("ServerReturned") == 1
    assert "TimeRanOut" not in room.kinds()
    room.time.at += MINUTE
    await room.strike()
    assert room.kinds()[-1] == "MatchEnded"
    room.assert_audits()
    await room.live_match.close()


@live
async def test_a_sign_of_life_from_before_the_clock_was_set_back_charges_nobody() -> None:
    room = Room(bank(), gone_ms=24 * 60 * MINUTE, later_ms=10 * MINUTE)
    room.live_match.resume()
    await room.strike()
    assert isinstance(room.last("ServerReturned"), ServerReturned)
    assert room.live_match.table_state.times().clocks["0"].ms == MINUTE
    assert "TimeRanOut" not in room.kinds()
    room.assert_audits()
    await room.live_match.close()


@live
async def test_without_a_sign_of_life_nothing_after_the_last_line_is_charged() -> None:
    room = Room(bank(), later_ms=10 * MINUTE)
    answer = await room.choose(ADA)
    assert isinstance(answer, Accepted)
    assert room.live_match.table_state.times().clocks["0"].ms == MINUTE
    room.assert_audits()
    await room.live_match.close()


@live
async def test_a_match_that_only_left_memory_is_charged_in_full() -> None:
    room = Room(bank("forfeit"))
    referee = Referee.open(GAME, room.store, room.live_match.match)
    again: LiveMatch[Any] = LiveMatch(
        plain_face(GAME), room.store, referee, kept(room.store, referee), time_of=room.time
    )
    room.time.at += 2 * MINUTE
    await again.timers.strike()
    assert again.is_over
    assert "ServerReturned" not in room.kinds()
    await again.close()


@live
async def test_a_clock_set_back_while_the_server_was_down_stops_no_clock() -> None:
    room = Room(bank(), later_ms=-60 * MINUTE)
    room.time.at += 20_000
    assert room.live_match.table_state.times().clocks["0"].ms == MINUTE - 20_000
    assert isinstance(await room.choose(ADA), Accepted)
    room.assert_audits()
    await room.live_match.close()


def test_a_wall_clock_that_jumps_moves_the_servers_time_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, steady = [1_700_000_000 * 10**9], [50.0]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0])
    monkeypatch.setattr(time, "monotonic", lambda: steady[0])
    clock = SteadyClock()
    start = clock()
    for jump in (3 * 3600, -5 * 3600, 86_400):
        before = clock()
        wall[0] += (jump + 10) * 10**9
        steady[0] += 10.0
        assert 9_949 <= clock() - before <= 10_051
    wall[0] = (start + 10**9) * 10**6
    for _ in range(400_000 // 100):
        steady[0] += 100.0
        wall[0] += 100 * 10**9
        clock()
    assert abs(clock() - wall[0] // 10**6) < 10**9, "it follows the wall clock in the end"


def test_time_that_passes_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, wall, steady = random.Random(1), [10**18], [0.0]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0])
    monkeypatch.setattr(time, "monotonic", lambda: steady[0])
    clock, last = SteadyClock(), 0
    for _ in range(2_000):
        wall[0] += rng.randrange(-(10**12), 10**12)
        steady[0] += rng.random()
        now = clock()
        assert now >= last
        last = now


def test_a_sign_of_life_is_read_by_the_next_server(tmp_path: Path) -> None:
    database = tmp_path / "herald.sqlite"
    assert LifeSign.beside(database).last_ms == 0
    LifeSign.beside(database).give(1234)
    assert LifeSign.beside(database).last_ms == 1234
    (tmp_path / "herald.sqlite.alive").write_text("1235 stopped")
    assert LifeSign.beside(database).last_ms == 1235, "as an older Herald wrote it"
    (tmp_path / "herald.sqlite.alive").write_text("no number")
    assert LifeSign.beside(database).last_ms == 0
    LifeSign(tmp_path / "missing" / "file").give(5)


@pytest.mark.parametrize("lives", [False, True])
def test_a_sign_of_a_time_to_come_is_given_anew_so_that_it_is_never_taken_for_a_later_one(
    lives: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = [10**18]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0])
    database = tmp_path / "herald.sqlite"
    ServerTime(LifeSign.beside(database)).beat()
    wall[0] -= 3_600 * 10**9
    second = ServerTime(LifeSign.beside(database))
    line_at = second.now()
    if lives:
        second.beat()
    wall[0] += 7_200 * 10**9
    third = ServerTime(LifeSign.beside(database))
    assert third.gone_ms - line_at < 1_000, "no more than that is charged to whoever was asked with that line"
    assert third.back_ms > third.gone_ms


@pytest.mark.parametrize("hours", [1, -1])
def test_a_process_that_begins_later_goes_on_with_the_time_of_the_others(
    hours: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall, steady = [10**18], [50.0]
    monkeypatch.setattr(time, "time_ns", lambda: wall[0])
    monkeypatch.setattr(time, "monotonic", lambda: steady[0])
    monkeypatch.setattr(time, "monotonic_ns", lambda: int(steady[0] * 1e9))
    database = tmp_path / "herald.sqlite"
    first = ServerTime(LifeSign.beside(database))
    first.beat()
    wall[0] += hours * 3_600 * 10**9
    for _ in range(2):
        steady[0] += 2.0
        wall[0] += 2 * 10**9
        late = ServerTime(LifeSign.beside(database, is_late=True))
        assert abs(late.now() - first.now()) <= 50
        assert 0 <= late.back_ms - late.gone_ms <= 2_050, "who was away is told by the clock of all"
        late.beat()
    anew = ServerTime(LifeSign.beside(database))
    assert anew.now() == wall[0] // 10**6, "a server that begins anew goes by the wall clock"


@live
async def test_while_another_server_over_the_store_is_alive_no_clock_stops_for_one_that_comes() -> None:
    at = now_ms() + 90_000
    for last, gone in ((at - 2_000, at), (at + 60_000, at), (at - 3_600_000, at - 3_600_000)):
        life = SharedLife(last, at, lambda _: None)
        time = ServerTime(life)
        assert time.gone_ms == gone
        assert abs(time.now() - at) < 5_000, "it goes by the store's clock"


@live
async def test_a_sign_of_life_is_written_aside_and_may_fail() -> None:
    given: list[int] = []

    def live(at: int) -> None:
        given.append(at)
        raise RecordError("away")

    life = SharedLife(0, now_ms(), live)
    for at in (5, 6, 7):
        life.give(at)
        await asyncio.sleep(0.02)
    assert given == [5, 6, 7]


@live
async def test_slow_matches_leave_memory_and_come_back_when_they_are_due() -> None:
    store = MemoryStore()
    referee: Referee[Any] = begun(
        store, control=TimeControl("days", 3 * 86_400_000, on_timeout="forfeit"), kind="person"
    )
    lobby = Lobby(store, FACES)
    lobby.registry.time = FakeTime(referee.at)
    live_match = await lobby.registry.open(referee.match)
    assert live_match.is_idle
    assert lobby.registry.forget_idle(-1) == 1
    lobby.registry.heartbeat()
    assert referee.match not in lobby.registry._live_matches
    lobby.registry.time.at += 3 * 86_400_000
    lobby.registry.heartbeat()
    with anyio.fail_after(200):
        while store.header(referee.match).status != "finished":
            await asyncio.sleep(0.01)
    await lobby.close()


@live
async def test_a_bot_waits_while_the_match_is_paused() -> None:
    from domain.kernel import GoOn, Pause
    from replay.store.seats import SeatRow

    store = MemoryStore()
    referee: Referee[Any] = begun(store, kinds=("person", "bot"))
    sit(store, referee.match, SeatRow(1, "Bo", "bot", "random"))
    live_match: LiveMatch[Any] = LiveMatch(plain_face(GAME), store, referee, kept(store, referee), bot_delay_s=0.01)
    assert isinstance(await live_match.command_queue.act(ADA, Offer("p", Pause(60_000))), Accepted)
    live_match.wake()
    await anyio.sleep(0.1)
    assert not any(entry.type == "Chosen" for entry in store.read(live_match.match))
    assert isinstance(await live_match.command_queue.act(ADA, Offer("g", GoOn())), Accepted)
    with anyio.fail_after(200):
        while not any(entry.type == "Chosen" for entry in store.read(live_match.match)):
            await anyio.sleep(0.01)
    await live_match.close()


@live
async def test_restarts_at_any_moment_charge_nobody_and_audit() -> None:
    """Kill and start again between random choices at random times: no time-out, and the audit agrees."""
    rng = random.Random(5)
    for _ in range(20):
        store = MemoryStore()
        referee: Referee[Any] = begun(store, control=bank("forfeit", 10 * MINUTE), kind="person")
        at = referee.at
        while referee.state.asked:
            alive = at + rng.randrange(3_000)
            at = alive + rng.randrange(20 * MINUTE)
            server = FakeTime(at, alive)
            live_match: LiveMatch[Any] = LiveMatch(
                plain_face(GAME), store, referee, kept(store, referee), time_of=server
            )
            live_match.resume()
            server.at += rng.randrange(2_000)
            asked = rng.choice(referee.state.asked)
            assert isinstance(
                await live_match.command_queue.choose(asked.seat, Choose(f"c{asked.number}", asked.number, 0)), Accepted
            )
            at = server.at
            await live_match.close()
            referee = Referee.open(GAME, store, live_match.match)
        assert referee.state.result is not None
        assert referee.state.result.reason != "out of time"
        report = audit(GAME, export.from_store(store, referee.match))
        assert report.fault is None, str(report.fault)


@live
async def test_a_clock_that_nobody_can_play_by_is_refused_as_the_clock_it_is() -> None:
    lobby = Lobby(MemoryStore(), FACES)
    with pytest.raises(CannotCreate) as refused:
        await lobby.factory.create(Create(GAME.name, TWO_PEOPLE, time=TimeControl("bank")))
    assert str(refused.value) == "The clock does not fit: A clock needs a limit; without a clock there is none."
    with pytest.raises(CannotCreate, match=r"^The options of .* do not fit: .*[^.]\.$"):
        await lobby.factory.create(Create(GAME.name, TWO_PEOPLE, {"rounds": "many"}))


@live
async def test_a_match_given_up_in_a_pause_waits_for_no_clock_and_for_no_end_of_the_pause() -> None:
    from domain.kernel import Agreed, Offered, Pause, Resigned
    from domain.kernel.clock import NEVER

    room = Room(None)
    for act in (Offered(ADA, number=1, terms=Pause(5_000)), Agreed(BO, number=1), Resigned(ADA)):
        await room.live_match.command_queue.commit(room.referee.act(act, room.time.at))
    assert room.live_match.is_over
    assert room.referee.clocks is not None
    assert room.referee.clocks.next_due() == NEVER
    await room.live_match.close()
