"""Answers of the store reach the event loop: each its own, in order, one awakening for all that came meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

import pytest

from replay.errors import NoSuchMatch
from replay.store import Append, Commit, Committed, Conflict, Store
from server.arrivals import Arrivals


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Writer:
    """A store whose answers come when the test says so."""

    def __init__(self) -> None:
        self.futures: list[Future[Append]] = []

    def submit(self, commit: Commit) -> "Future[Append]":
        self.futures.append(Future())
        return self.futures[-1]


COMMIT = Commit("m", 0, (), b"")


@pytest.mark.anyio
async def test_each_append_is_answered_with_its_own_answer_and_the_loop_is_woken_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = Writer()
    arrivals = Arrivals(cast(Store, writer))
    waiting = [arrivals.append(COMMIT) for _ in range(3)]
    woken: list[object] = []
    loop = asyncio.get_running_loop()
    wake = loop.call_soon_threadsafe

    def count(deliver: Callable[..., object], *given: object) -> None:
        woken.append(deliver)
        wake(deliver, *given)

    monkeypatch.setattr(loop, "call_soon_threadsafe", count)
    await asyncio.to_thread(writer.futures[0].set_result, Committed(1))
    assert await waiting[0] == Committed(1)
    woken.clear()
    writer.futures[1].set_result(Conflict(7))
    writer.futures[2].set_exception(NoSuchMatch("none"))
    assert await waiting[1] == Conflict(7)
    with pytest.raises(NoSuchMatch):
        await waiting[2]
    assert len(woken) == 1


@pytest.mark.anyio
async def test_who_no_longer_waits_holds_nobody_up() -> None:
    writer = Writer()
    arrivals = Arrivals(cast(Store, writer))
    gone, there = arrivals.append(COMMIT), arrivals.append(COMMIT)
    gone.cancel()
    for future in writer.futures:
        assert not future.cancelled(), "what is being written is not given up"
        future.set_result(Committed(2))
    assert await there == Committed(2)
