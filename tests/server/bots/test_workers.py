"""Processes in which bots think: one that dies or hangs takes nobody's answer along, and is replaced."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import anyio
import pytest

from server.bots import workers
from server.bots.errors import Hung
from server.bots.workers import BotQuestion, Workers
from tests.server.tabletop import live

QUESTION: Any = BotQuestion("skirmish", "strong-1", None, None, 1)  # type: ignore[arg-type]
SOON_S = 0.05


class Pool:
    """A process of which the test says what becomes of what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Future[Any]] = []
        self.is_ended = False

    def submit(self, *_: Any) -> Future[Any]:
        self.asked.append(Future())
        return self.asked[-1]

    def shutdown(self, **_: Any) -> None:
        self.is_ended = True


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    begun: list[Pool] = []

    def begin(*_: Any) -> Pool:
        begun.append(Pool())
        return begun[-1]

    monkeypatch.setattr(workers, "ProcessPoolExecutor", begin)
    return begun


def unblocked(question: BotQuestion) -> str:
    """Stands for a bot's thought in a process: one that never ends, or one that does."""
    if question.bot == "hangs":
        time.sleep(3600)
    return f"{question.bot} answers"


@live
async def test_what_a_process_that_dies_was_asked_is_asked_once_more_and_nobody_else_is_disturbed(
    pools: list[Pool],
) -> None:
    several = Workers(2)
    answers: list[Any] = []

    async def ask() -> None:
        answers.append(await several.think(QUESTION))

    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            pools[0].asked[0].set_exception(BrokenProcessPool())
            await anyio.wait_all_tasks_blocked()
            assert [(len(pool.asked), pool.is_ended) for pool in pools] == [(1, True), (1, False), (1, False)]
            for pool in pools[1:]:
                pool.asked[0].set_result("an answer")
    assert answers == ["an answer", "an answer"]


@live
async def test_what_a_process_dies_of_twice_is_given_up(pools: list[Pool]) -> None:
    several, failed = Workers(1), []

    async def ask() -> None:
        with pytest.raises(BrokenProcessPool):
            await several.think(QUESTION)
        failed.append(True)

    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            for number in range(2):
                await anyio.wait_all_tasks_blocked()
                pools[number].asked[0].set_exception(BrokenProcessPool())
    assert failed
    assert len(pools) == 2


@live
async def test_several_pieces_are_carried_out_as_many_at_a_time_as_there_are_processes_and_told_in_order(
    pools: list[Pool],
) -> None:
    several, found = Workers(2), []

    async def ask() -> None:
        async for one in several.carry_out_each(unblocked, [QUESTION] * 3):
            found.append(one)

    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            (first,), (second,) = (pool.asked for pool in pools)
            second.set_result("second")
            await anyio.wait_all_tasks_blocked()
            assert [len(pool.asked) for pool in pools] == [1, 2]
            assert not found
            first.set_result("first")
            pools[1].asked[1].set_result("third")
    assert found == ["first", "second", "third"]


@live
async def test_when_several_pieces_are_given_up_their_processes_end(pools: list[Pool]) -> None:
    several = Workers(2)

    async def ask() -> None:
        async for _ in several.carry_out_each(unblocked, [QUESTION] * 3):
            pass

    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
    assert [pool.is_ended for pool in pools] == [True, True]


@live
async def test_who_waits_for_a_process_begins_to_be_waited_for_when_it_has_one(pools: list[Pool]) -> None:
    """The first hangs; the second is asked of the process that takes its place."""
    several = Workers(1, within_s=SOON_S)
    ends: list[Any] = []

    async def ask() -> None:
        try:
            ends.append(await several.think(QUESTION))
        except Hung:
            ends.append("hung")

    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
            while len(pools) < 2:
                await asyncio.sleep(SOON_S / 10)
            pools[1].asked[0].set_result("an answer")
    assert ends == ["hung", "an answer"]
    assert [pool.is_ended for pool in pools] == [True, False]


@live
async def test_a_process_whose_thought_nobody_waits_for_is_ended(pools: list[Pool]) -> None:
    several = Workers(1)
    async with anyio.create_task_group() as group:
        group.start_soon(several.think, QUESTION)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert [pool.is_ended for pool in pools] == [True]
    async with anyio.create_task_group() as group:
        group.start_soon(several.think, QUESTION)
        await anyio.wait_all_tasks_blocked()
        pools[1].asked[0].set_result("an answer")


@live
async def test_a_thread_that_hangs_is_waited_for_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, released = asyncio.get_running_loop(), asyncio.Event()
    hanging: Callable[..., Any] = lambda _: asyncio.run_coroutine_threadsafe(released.wait(), loop).result()  # noqa: E731
    monkeypatch.setattr(workers, "answered", hanging)
    with pytest.raises(Hung):
        await Workers(0, within_s=SOON_S).think(QUESTION)
    released.set()


@pytest.mark.whole
@live
async def test_a_process_that_hangs_is_gone_and_the_next_question_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "answered", unblocked)
    one = Workers(1, within_s=20)
    try:
        assert await one.think(BotQuestion("skirmish", "quick", None, None, 1)) == "quick answers"  # type: ignore[arg-type,comparison-overlap]
        (process,) = one._all[0]._processes
        one._within_s = SOON_S
        with pytest.raises(Hung):
            await one.think(BotQuestion("skirmish", "hangs", None, None, 1))  # type: ignore[arg-type]
        process.join(120)
        assert not process.is_alive()
        one._within_s = 120
        assert await one.think(BotQuestion("skirmish", "quick", None, None, 1)) == "quick answers"  # type: ignore[arg-type,comparison-overlap]
    finally:
        one.stop()
