"""The timekeeper: what is due is put down when it is due."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from domain.kernel import MatchOver, TimeControl
from domain.kernel.clock import NEVER
from projections.registry import faces
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.table.clocks import SOON_MS
from server.table.table_state import TableState
from server.table.timers import Timers
from server.wire.protocol import Accepted
from tests.replay.matches import begun, ended
from tests.server.table.standins import StillTime, Writing
from tests.server.tabletop import live
from tests.skirmish.game import GAME


class Keeping(Writing):
    """A docket that ends the match when what is due is put down, or fails to; counts how often it is asked."""

    kept = 0
    wrong: Exception | None = None

    async def keep_time(self) -> None:
        assert self.lock.locked()
        self.kept += 1
        if self.wrong is not None:
            raise self.wrong
        await self.commit(ended(self._referee, self._referee.at))


def keeper_of(control: TimeControl | None, game: Any = GAME) -> tuple[Referee[Any], Any, StillTime, Timers[Any]]:
    store = MemoryStore()
    referee: Referee[Any] = begun(store, game, control=control, kind="person")
    command_queue: Any = Keeping(store, referee, Accepted("a", 1))
    time = StillTime(referee.at)
    return referee, command_queue, time, Timers(referee, command_queue, TableState(referee, time))


async def until(done: Callable[[], bool]) -> None:
    with anyio.fail_after(120):
        while not done():
            await asyncio.sleep(0.001)


@live
async def test_a_clock_that_runs_out_strikes() -> None:
    _, command_queue, time, keeper = keeper_of(TimeControl("bank", 60_000, on_timeout="default"))
    keeper.watch()
    assert keeper.is_busy
    assert keeper.due_ms == time.at + 60_000
    assert not command_queue.kept
    time.at += 60_000
    keeper.watch()
    await until(lambda: command_queue.kept > 0)
    keeper.stop()


@pytest.mark.parametrize(("limit_ms", "is_busy"), [(SOON_MS - 1, True), (SOON_MS, False)])
@live
async def test_a_match_stays_in_memory_for_what_is_due_soon(limit_ms: int, *, is_busy: bool) -> None:
    _, _, _, keeper = keeper_of(TimeControl("bank", limit_ms, on_timeout="default"))
    keeper.watch()
    assert keeper.is_busy is is_busy
    keeper.stop()


@live
async def test_what_cannot_be_put_down_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    referee, command_queue, _, keeper = keeper_of(None)
    command_queue.wrong = MatchOver("It is over.")
    with caplog.at_level(logging.ERROR):
        await keeper.strike()
    assert caplog.messages == [f"what is due in {referee.match} cannot be put down: It is over."]
    assert not command_queue.lock.locked()


@live
async def test_what_cannot_be_written_is_not_tried_over_and_over() -> None:
    _, command_queue, time, keeper = keeper_of(TimeControl("bank", 60_000, on_timeout="default"))
    command_queue.writes, command_queue.is_unwritten = False, True
    time.at += 60_000
    keeper.watch()
    await until(lambda: command_queue.kept > 0)
    await asyncio.sleep(0.05)
    assert command_queue.kept == 1
    command_queue.is_unwritten = False
    keeper.watch()
    await until(lambda: command_queue.kept > 3)
    command_queue.is_unwritten = True
    await asyncio.sleep(0.05)
    keeper.stop()


@live
async def test_a_limit_of_the_rules_chooses_the_default_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    game = faces()["vera_discordia"].game
    monkeypatch.setattr(type(game), "limit_s", lambda *_: 0.001)
    referee, command_queue, _, keeper = keeper_of(None, game)
    asked = referee.state.asked
    command_queue._answers = [Accepted("a", 1)] * len(asked)
    keeper.watch()
    assert keeper.is_busy
    await until(lambda: len(command_queue.chosen) == len(asked))
    seat, message, by = command_queue.chosen[0]
    assert (seat, message.id, message.decision, by) == (
        asked[0].seat,
        f"clock-{asked[0].number}",
        asked[0].number,
        "clock",
    )
    choice = game.read_choice(message.choice)
    assert choice == game.revive_decision(asked[0]).default(referee.state)
    keeper.stop()


@live
async def test_nothing_is_due_where_no_clock_runs() -> None:
    _, command_queue, _, keeper = keeper_of(None)
    keeper.watch()
    keeper.resume()
    await asyncio.sleep(0.01)
    assert not keeper.is_busy
    assert not command_queue.kept


@live
async def test_a_match_that_is_over_waits_for_nothing_though_its_clocks_were_kept_as_paused() -> None:
    referee, command_queue, time, keeper = keeper_of(TimeControl("bank", 60_000, on_timeout="default"))
    async with command_queue.lock:
        await command_queue.commit(ended(referee, referee.at))
    assert referee.clocks is not None
    referee.clocks = replace(referee.clocks, paused_until=time.at - 1)
    keeper.watch()
    assert keeper.due_ms == NEVER
    await keeper.strike()
    assert keeper.due_ms == NEVER
