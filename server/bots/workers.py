"""Processes for bots that search, so that the server's event loop is not blocked."""

import asyncio
import logging
import os
import random
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

from msgspec import Struct

from domain.kernel import Asked, Choice, Game
from server.bots import make_bot
from server.bots.errors import Hung

LOG = logging.getLogger(__name__)
SEEDS: Final = 1 << 62
"""The number of possible seeds."""
T = TypeVar("T")
R = TypeVar("R")
ANSWER_S: Final = 30.0
"""A time limit, in seconds, that no bot reaches even on a slow machine: the longest budget is a tenth of it."""
BEHIND: Final = 10
"""How far the priority of the bots' processes is below the server's. With this value, the server's p99 does not change
when all processes share a core, and the bots answer as many questions as before (docs/performance.md).
"""
LOOK_S: Final = 2.0
"""How often a worker checks whether the server still runs."""


class BotQuestion(Struct, frozen=True):
    """A bot's question: the game and the bot by name, the seat's view with the procedures, and a seed."""

    game: str
    bot: str
    view: Any
    asked: Asked
    seed: int


def answered(question: BotQuestion) -> Choice:
    """The bot's answer; the same question gets the same answer, unless the bot's budget is a time."""
    game: Game[Any] = import_module(f"domain.{question.game}").GAME
    form = game.revive_decision(question.asked).form(question.view)
    source = random.Random(question.seed)  # noqa: S311 - the seed is as good as its source
    bot = make_bot(question.game, question.bot)
    return bot.choose(question.view, question.asked, form, source.randrange)


def _serve_parent(patience: int) -> None:
    """Leave Ctrl-C to the server, and end the worker when the server has ended for any reason.

    `patience`: how far the priority is below other processes (`nice`).
    """
    os.nice(patience)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    os._exit(0)


def _named(given: object) -> str:
    """The name of the bot that was asked, without any part of its view."""
    return f"{given.bot} of {given.game}" if isinstance(given, BotQuestion) else type(given).__name__


class Worker:
    """One process for bots, started with its first task. `patience`: how far its priority is below other processes."""

    def __init__(self, patience: int = 0) -> None:
        self._patience = patience
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()

    async def asked(self, work: Callable[[T], R], given: T, within_s: float) -> R:
        """The result of a task. Raises the task's own errors, `Hung` if the time limit passes, and `BrokenProcessPool`
        if the process dies.

        A process that hangs, dies, or works on a task that nobody awaits any more is killed; the next task starts a new
        process.
        """
        try:
            async with asyncio.timeout(within_s) as limit:
                return await asyncio.wrap_future(self._begun(work, given))
        except (TimeoutError, asyncio.CancelledError, BrokenProcessPool) as wrong:
            self.end()
            if limit.expired():
                raise Hung(f"{_named(given)} has not answered within {within_s:g} s") from wrong
            raise

    def _begun(self, work: Callable[[T], R], given: T) -> Future[R]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _serve_parent, (self._patience,))
        before = set(active_children())
        thought = self._pool.submit(work, given)
        self._processes |= set(active_children()) - before
        return thought

    def end(self) -> None:
        """Kill the process, even during a task."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()
        self._pool, self._processes = None, set()


class Workers:
    """Up to `count` processes, each started when it is first needed. With a `count` of 0, tasks run in a thread.

    `within_s`: the time limit of a bot, from the moment when a process is free for it. `patience`: how far the priority
    of the processes is below others, from 0 to 19.
    """

    def __init__(self, count: int = 1, within_s: float = ANSWER_S, patience: int = 0) -> None:
        self._within_s = within_s
        self._all = [Worker(patience) for _ in range(count)]
        self._idle = list(self._all)
        self._free = asyncio.Semaphore(count)
        self._is_stopped = False

    async def think(self, question: BotQuestion) -> Choice:
        """A bot's answer. Raises the bot's own errors, and `Hung` if it takes too long; see `carry_out`."""
        return await self.carry_out(answered, question)

    async def carry_out(self, work: Callable[[T], R], given: T) -> R:
        """The result of a task that runs in a process. Raises the task's own errors, and `Hung` if it takes too long.

        If the process dies, a new process repeats the task once. Raises `BrokenProcessPool` if the new process also
        dies.
        """
        if not self._all:
            return await self._in_a_thread(work, given)
        async with self._free:
            worker = self._idle.pop()
            try:
                return await self._asked_twice(worker, work, given)
            finally:
                self._idle.append(worker)

    async def carry_out_each(self, work: Callable[[T], R], given: Iterable[T]) -> AsyncIterator[R]:
        """The results of several tasks in order; as many tasks run at a time as there are processes. See `carry_out`.

        One additional task waits for the next free process, so that no process is idle in between. If the caller is
        cancelled, all tasks are cancelled at once, so that none begins when another ends.
        """
        under_way: deque[asyncio.Task[R]] = deque()
        try:
            for one in given:
                if len(under_way) > len(self._all):
                    yield await asyncio.shield(under_way[0])
                    under_way.popleft()
                under_way.append(asyncio.create_task(self.carry_out(work, one)))
            while under_way:
                yield await asyncio.shield(under_way[0])
                under_way.popleft()
        finally:
            for task in under_way:
                task.cancel()

    async def _asked_twice(self, worker: Worker, work: Callable[[T], R], given: T) -> R:
        try:
            return await worker.asked(work, given, self._within_s)
        except BrokenProcessPool:
            if self._is_stopped:
                raise
            LOG.warning("a process in which bots think has died; another one takes its place")
            return await worker.asked(work, given, self._within_s)

    async def _in_a_thread(self, work: Callable[[T], R], given: T) -> R:
        """Do the same as `carry_out` in a thread; a thread that hangs is abandoned, because it cannot be ended."""
        try:
            async with asyncio.timeout(self._within_s) as limit:
                return await asyncio.to_thread(work, given)
        except TimeoutError as wrong:
            if limit.expired():
                raise Hung(f"{_named(given)} hangs in a thread") from wrong
            raise

    def stop(self) -> None:
        """End all processes and drop their tasks."""
        self._is_stopped = True
        for worker in self._all:
            worker.end()
