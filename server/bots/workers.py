"""Processes in which bots think that take their time, so that a server's loop goes on meanwhile."""

import asyncio
import logging
import os
import random
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Asked, Choice, Game
from server.bots import make_bot

LOG = logging.getLogger(__name__)
SEEDS: Final = 1 << 62
"""How many seeds there are."""
LOOK_S: Final = 2.0
"""How often a worker looks whether the server is still there."""


class Question(Struct, frozen=True):
    """What a bot is to answer: the game and the bot by name, the seat's view with the procedures, and a seed."""

    game: str
    bot: str
    view: Any
    asked: Asked
    seed: int


def answered(question: Question) -> Choice:
    """The bot's answer; the same question has the same one, as far as the bot's budget is not a time."""
    game: Game[Any] = import_module(f"domain.{question.game}").GAME
    form = game.revive_decision(question.asked).form(question.view)
    source = random.Random(question.seed)  # noqa: S311 - the seed is as good as its source
    bot = make_bot(question.game, question.bot)
    return bot.choose(question.view, question.asked, form, source.randrange)


def _serve_parent() -> None:
    """A worker leaves Ctrl-C to the server, and ends when the server is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    os._exit(0)


class Workers:
    """Up to `count` processes, begun when somebody first thinks. With none, thinking is done in a thread."""

    def __init__(self, count: int = 1) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, question: Question) -> Choice:
        """A bot's answer. Raises what the bot raises.

        A process that dies takes with it what all of them think about; each of these questions is asked once more, of
        new processes. Raises `BrokenProcessPool` where one dies again.
        """
        if not self._count:
            return await asyncio.to_thread(answered, question)
        try:
            return await self._asked(question)
        except BrokenProcessPool:
            LOG.warning("a process in which bots think has died; another one takes its place")
            return await self._asked(question)

    async def _asked(self, question: Question) -> Choice:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._count, get_context("spawn"), _serve_parent)
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(answered, question))
        except BrokenProcessPool:
            if self._pool is pool:
                self.stop()
            raise

    def stop(self) -> None:
        """Forget what waits to be thought about; each process ends when its thought does."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
