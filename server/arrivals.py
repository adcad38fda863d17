"""Between the event loop and the store: commits of one turn of the loop go in together, and so do their answers."""

import asyncio
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final

from replay.store import Append, Commit, Store

AT_ONCE: Final = 256
"""Commits that are staged at once at most: to write one holds the loop up for some 40 µs."""
Waiting = tuple[Commit, "asyncio.Future[Append]"]


class Arrivals:
    """Appends of one event loop, and their answers.

    What came while a transaction was under way makes the next one. The loop is woken once for all answers that have
    come meanwhile; `asyncio.wrap_future` would wake it for each, and take three turns of the loop until the one who
    waits goes on.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[Waiting] = deque()
        self._is_due = False
        self._is_under_way = False
        self._come: deque[tuple[asyncio.Future[Append], Future[Append]]] = deque()
        self._is_awaited = False

    def append(self, commit: Commit) -> "asyncio.Future[Append]":
        """Append soon. Who waits may be cancelled; what is being written is not. Raises what the store raises."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[Append] = loop.create_future()
        self._waiting.append((commit, waiting))
        if not self._is_due and not self._is_under_way:
            self._is_due = True
            loop.call_soon(self._send, loop)
        return waiting

    def _send(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stage what waits; submit it where the store cannot."""
        self._is_due = False
        while self._waiting and not self._is_under_way:
            group = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            try:
                is_staged = self._store.stage([commit for commit, _ in group], partial(self._written, loop, group))
            except Exception as wrong:
                for _, waiting in group:
                    _answer(waiting, wrong)
                continue
            if is_staged:
                self._is_under_way = True
                return
            for commit, waiting in group:
                self._submit(loop, commit, waiting)

    def _submit(self, loop: asyncio.AbstractEventLoop, commit: Commit, waiting: "asyncio.Future[Append]") -> None:
        try:
            self._store.submit(commit).add_done_callback(partial(self._take, loop, waiting))
        except Exception as wrong:
            _answer(waiting, wrong)

    def _written(
        self, loop: asyncio.AbstractEventLoop, group: list[Waiting], answers: list[Append | Exception]
    ) -> None:
        # A loop that is closed by now has nobody who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._deliver_group, loop, group, answers)

    def _deliver_group(
        self, loop: asyncio.AbstractEventLoop, group: list[Waiting], answers: list[Append | Exception]
    ) -> None:
        self._is_under_way = False
        for (_, waiting), answer in zip(group, answers, strict=True):
            _answer(waiting, answer)
        self._send(loop)

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
            wrong = done.exception()
            _answer(waiting, done.result() if wrong is None else wrong)


def _answer(waiting: "asyncio.Future[Append]", answer: Append | BaseException) -> None:
    if waiting.done():
        return
    if isinstance(answer, BaseException):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)
