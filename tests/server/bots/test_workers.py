"""Processes in which bots think: one that dies takes nobody's answer along, and nobody else's new processes."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import anyio
import pytest

from server.bots import workers
from server.bots.workers import Question, Workers

QUESTION: Any = Question("skirmish", "strong-1", None, None, 1)  # type: ignore[arg-type]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Pool:
    """Processes of which the test says what becomes of what they are asked."""

    def __init__(self) -> None:
        self.asked: list[Future[Any]] = []

    def submit(self, *_: Any) -> Future[Any]:
        self.asked.append(Future())
        return self.asked[-1]

    def shutdown(self, **_: Any) -> None:
        if not any(future.done() for future in self.asked):  # those of a broken pool are told that it is broken
            for future in self.asked:
                future.cancel()


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    begun: list[Pool] = []

    def begin(*_: Any) -> Pool:
        begun.append(Pool())
        return begun[-1]

    monkeypatch.setattr(workers, "ProcessPoolExecutor", begin)
    return begun


@pytest.mark.anyio
async def test_where_a_process_dies_all_that_was_thought_about_is_asked_once_more(pools: list[Pool]) -> None:
    several = Workers(2)
    answers: list[Any] = []

    async def ask() -> None:
        answers.append(await several.think(QUESTION))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            first, second = pools[0].asked
            first.set_exception(BrokenProcessPool())
            await anyio.wait_all_tasks_blocked()
            # The news of the same death comes later, when somebody thinks in new processes already.
            second.set_exception(BrokenProcessPool())
            await anyio.wait_all_tasks_blocked()
            assert [len(pool.asked) for pool in pools] == [2, 2]
            for future in pools[1].asked:
                future.set_result("an answer")
    assert answers == ["an answer", "an answer"]


@pytest.mark.anyio
async def test_what_a_process_dies_of_twice_is_given_up(pools: list[Pool]) -> None:
    several, failed = Workers(1), []

    async def ask() -> None:
        with pytest.raises(BrokenProcessPool):
            await several.think(QUESTION)
        failed.append(True)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            for number in range(2):
                await anyio.wait_all_tasks_blocked()
                pools[number].asked[0].set_exception(BrokenProcessPool())
    assert failed
    assert len(pools) == 2
