"""From the writer's thread to the event loop: what the store answers, a whole group of commits at one stroke."""

import asyncio
from collections import deque
from concurrent.futures import Future
from functools import partial

from replay.store import Append, Commit, Store


class Arrivals:
    """Appends of one event loop, and their answers.

    The loop is woken once for all answers that have come meanwhile; `asyncio.wrap_future` would wake it for each, and
    take three turns of the loop until the one who waits goes on.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._come: deque[tuple[asyncio.Future[Append], Future[Append]]] = deque()
        self._is_awaited = False

    def append(self, commit: Commit) -> "asyncio.Future[Append]":
        """Append soon. Who waits may be cancelled; what is being written is not. Raises what the store raises."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Append] = loop.create_future()
        self._store.submit(commit).add_done_callback(partial(self._take, loop, waiting))
        return waiting

    def _take(self, loop: asyncio.AbstractEventLoop, waiting: "asyncio.Future[Append]", done: Future[Append]) -> None:
        self._come.append((waiting, done))
        if not self._is_awaited:
            self._is_awaited = True
            loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        # Before the first is taken: what comes from now on wakes the loop again.
        self._is_awaited = False
        while self._come:
            waiting, done = self._come.popleft()
            if waiting.done():
                continue
            wrong = done.exception()
            if wrong is None:
                waiting.set_result(done.result())
            else:
                waiting.set_exception(wrong)
