"""An event loop without an outside world: its clock stands still while anything can run, then jumps to the next event.

Everything that a program can ask of the world follows from one seed: monotonic and wall clock, the operating
system's chance, and how long a thread takes. Two runs with one seed take the same steps.
"""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any
from unittest.mock import patch

STEPS = 150_000
"""How often a run may go round before it counts as one that never ends."""
START_NS = 1_700_000_000_000_000_000
"""The wall clock at the beginning of every run."""


class Stuck(Exception):
    """Nothing can ever happen again, or things happen without end."""


class Process:
    """The owner of a server's tasks and timers, with which they all end at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False
        self.tasks: dict[asyncio.Task[Any], None] = {}

    def kill(self) -> None:
        """From now on nothing of it runs except its tasks' reaction to being cancelled."""
        self.dead = True
        for task in list(self.tasks):
            task.cancel()


PROCESS: ContextVar[Process | None] = ContextVar("PROCESS", default=None)
"""The process whose code is running; None for the clients and the world."""
OUTSIDE = Context()
"""The context of everything that belongs to no process, such as frames on their way."""


class Waiting:
    """The selector with which the loop waits: it moves the clock instead."""

    def __init__(self) -> None:
        self.now = 0.0
        self._rounds = 0

    def select(self, timeout: float | None) -> list[Any]:
        """Wait for `timeout` seconds, in no time."""
        self._rounds += 1
        if timeout is None or self._rounds > STEPS:
            raise Stuck("nothing is under way and nothing is due" if timeout is None else "it never ends")
        self.now += timeout
        return []

    def begin_anew(self) -> None:
        """What ends a run that never ends may take as many rounds again."""
        self._rounds = 0

    def close(self) -> None:
        """Nothing is open."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs what is ready in the order in which it became ready, as asyncio promises; waits in virtual time."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self._selector = Waiting()
        self._clock_resolution = 1e-9
        self._rng = rng
        self.set_task_factory(_own)

    def begin_anew(self) -> None:
        """See `Waiting`."""
        self._selector.begin_anew()

    def time(self) -> float:
        """Virtual seconds since the beginning."""
        return self._selector.now

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """A timer, which does not go off when its process is dead by then."""
        owner = (copy_context() if context is None else context).get(PROCESS)

        def unless_dead(*given: Any) -> None:
            if owner is None or not owner.dead:
                callback(*given)

        return super().call_at(when, unless_dead, *args, context=context)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        """Runs the work of a thread here, a while later, in one step."""
        future = self.create_future()

        def run() -> None:
            try:
                result = func(*args)
            except Exception as wrong:
                if not future.cancelled():
                    future.set_exception(wrong)
            else:
                if not future.cancelled():
                    future.set_result(result)

        self.call_later(self._rng.uniform(0.0005, 0.03), run)
        return future

    def _process_events(self, event_list: list[Any]) -> None:
        assert not event_list

    def _write_to_self(self) -> None:
        """Nobody waits, so nobody must be woken."""


def _own(loop: asyncio.AbstractEventLoop, coroutine: Any, **given: Any) -> "asyncio.Task[Any]":
    task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **given)
    context = given.get("context")
    owner = (copy_context() if context is None else context).get(PROCESS)
    if owner is not None:
        owner.tasks[task] = None
        task.add_done_callback(lambda done: owner.tasks.pop(done, None))
        if owner.dead:
            task.cancel()
    return task


class WallClock:
    """The time of day: it goes with the loop, and jumps when the world says so."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self.off_ns = 0

    def time_ns(self) -> int:
        """Nanoseconds since 1970, as this machine has it now."""
        return START_NS + int(self._loop.time() * 1e9) + self.off_ns


@contextmanager
def virtual(rng: random.Random) -> Iterator[tuple[VirtualLoop, WallClock]]:
    """A loop whose time and chance are all there is while the context lasts."""
    loop = VirtualLoop(rng)
    wall = WallClock(loop)
    chance = random.Random(rng.getrandbits(64))
    with (
        patch.object(time, "monotonic", loop.time),
        patch.object(time, "time_ns", wall.time_ns),
        patch.object(time, "time", lambda: wall.time_ns() / 1e9),
        patch.object(secrets, "token_bytes", lambda count=32: chance.randbytes(count)),
        patch.object(secrets, "randbelow", chance.randrange),
    ):
        try:
            yield loop, wall
        finally:
            loop.close()
