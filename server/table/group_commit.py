"""Groups commits between the event loop and the store: commits of one turn of the loop are written together."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final

from replay.store.log import Append, Commit, Committed, Log

AT_ONCE: Final = 256
"""The maximum number of commits staged at once: writing a commit holds up the loop for about 40 µs."""
PAUSE_S: Final = 0.001
"""The pause, in seconds, before staging is tried again while another process writes."""
TRIES: Final = 25
"""The number of tries before the store's own thread waits for its turn, which takes several times as long."""


class Waiting:
    """A commit in progress, the caller that waits for it, and the action to run once it is durable."""

    __slots__ = ("answered", "commit", "committed")

    def __init__(self, commit: Commit, answered: "asyncio.Future[Append]", committed: Callable[[], None]) -> None:
        self.commit = commit
        self.answered = answered
        self.committed = committed

    def answer(self, answer: Append | BaseException) -> None:
        """Give the answer: waiting callers continue in the next turn of the loop; the match continues at once."""
        if isinstance(answer, Committed):
            try:
                self.committed()
            except Exception as wrong:
                answer = wrong
        if self.answered.done():
            return
        if isinstance(answer, BaseException):
            self.answered.set_exception(answer)
        else:
            self.answered.set_result(answer)


class GroupCommit:
    """The appends of one event loop, and their answers.

    Commits that arrive during a transaction form the next transaction. The loop is woken once for all answers that have
    arrived. `asyncio.wrap_future` would wake it for each answer, and need three turns of the loop until the waiting
    caller continues.
    """

    def __init__(self, store: Log, tries: int = 0, pause_s: float = PAUSE_S) -> None:
        """`tries`: how often staging is tried again, every `pause_s`, because other processes write into the same file.

        A store that has staged once can stage again as soon as its log has moved; in that case, staging is also
        retried.
        """
        self._store, self._tries, self._tried, self._pause_s = store, tries, 0, pause_s
        self._waiting: deque[Waiting] = deque()
        self._is_due = False
        self._is_under_way = False
        self._come: deque[tuple[Waiting, Future[Append]]] = deque()
        self._is_awaited = False

    def append(self, commit: Commit, committed: Callable[[], None] = lambda: None) -> "asyncio.Future[Append]":
        """Append soon.

        `committed` is called once the append is durable, before callers that wait for the future continue.

        If a waiting caller is cancelled, the write continues. Raises the errors of the store and of `committed`.
        """
        loop = asyncio.get_running_loop()
        waiting = Waiting(commit, loop.create_future(), committed)
        self._waiting.append(waiting)
        if not self._is_due and not self._is_under_way:
            self._is_due = True
            loop.call_soon(self._send, loop)
        return waiting.answered

    def _send(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stage the waiting commits; submit those that the store cannot stage."""
        self._is_due = False
        while self._waiting and not self._is_under_way:
            group = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            try:
                is_staged = self._store.stage([one.commit for one in group], partial(self._written, loop, group))
            except Exception as wrong:
                for one in group:
                    one.answer(wrong)
                continue
            if is_staged:
                self._is_under_way, self._tries, self._tried = True, TRIES, 0
                return
            if self._tried < self._tries:
                self._tried += 1
                self._waiting.extendleft(reversed(group))
                self._is_due = True
                loop.call_later(self._pause_s, self._send, loop)
                return
            self._tried = 0
            for one in group:
                self._submit(loop, one)

    def _submit(self, loop: asyncio.AbstractEventLoop, waiting: Waiting) -> None:
        try:
            self._store.submit(waiting.commit).add_done_callback(partial(self._take, loop, waiting))
        except Exception as wrong:
            waiting.answer(wrong)

    def _written(
        self, loop: asyncio.AbstractEventLoop, group: list[Waiting], answers: list[Append | Exception]
    ) -> None:
        # Nobody waits for an answer if the loop is closed by now.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(self._deliver_group, loop, group, answers)

    def _deliver_group(
        self, loop: asyncio.AbstractEventLoop, group: list[Waiting], answers: list[Append | Exception]
    ) -> None:
        self._is_under_way = False
        # Waiting commits are sent first, so that the disk works in the meantime.
        self._send(loop)
        for waiting, answer in zip(group, answers, strict=True):
            waiting.answer(answer)

    def _take(self, loop: asyncio.AbstractEventLoop, waiting: Waiting, done: Future[Append]) -> None:
        self._come.append((waiting, done))
        if not self._is_awaited:
            self._is_awaited = True
            loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        # This is reset before the first answer is taken: any later answer wakes the loop again.
        self._is_awaited = False
        while self._come:
            waiting, done = self._come.popleft()
            wrong = done.exception()
            waiting.answer(done.result() if wrong is None else wrong)
