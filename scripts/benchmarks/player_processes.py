"""Several processes of players that measure at the same time: they begin together, and end when the first ends.

Each prints `ready` when it can begin, and reads `go`. It reads `stop` when all have to end, and then prints
`over`, or prints it earlier if it has to end by itself. Finally it reads `again` and prepares for another round, or
reads `end` and prints its measurements as a line of JSON. It always reads a line between two lines that it prints.
"""

import asyncio
import selectors
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any, Final

import msgspec
from msgspec import Struct

from scripts.benchmarks.measure import percentile

PATIENCE_S: Final = 120.0
"""The longest time that a process may take to make itself ready."""


class Measured(Struct, frozen=True):
    """The requested choices per second (0: no bound), the choices accepted, and the seconds they took.

    Also times in ms (p50, p99), and processor seconds. The processor seconds of the server and the database are those
    of all their processes, and therefore include work for other processes of players.
    """

    asked: float
    choices: int
    seconds: float
    accepted_ms: tuple[float, float]
    shown_ms: tuple[float, float]
    players_s: float
    server_s: float
    database_s: float = 0.0

    @property
    def rate(self) -> float:
        """Choices accepted per second."""
        return self.choices / self.seconds

    @property
    def server_us(self) -> float:
        """Processor time of the server for a choice, in µs."""
        return self.server_s * 1e6 / self.choices


def half_and_most(values: list[float]) -> tuple[float, float]:
    """p50 and p99 of seconds, in ms."""
    return percentile(values, 0.5) * 1000, percentile(values, 0.99) * 1000


class Alone:
    """The times at which a single process of players begins and stops measuring: after a given number of seconds."""

    def __init__(self, seconds: float) -> None:
        self._left_s = seconds

    async def begin(self) -> None:
        """Wait until the measured time begins."""

    async def end(self, is_short: asyncio.Event) -> None:
        """Wait until counting ends: no further match waits, or the time is over."""
        begun = time.perf_counter()
        with suppress(TimeoutError):
            await asyncio.wait_for(is_short.wait(), self._left_s)
        self._left_s -= time.perf_counter() - begun

    async def goes_on(self) -> bool:
        """Whether the process must measure again."""
        return self._left_s > 0


class Together:
    """As `Alone`, but at the times at which lines on standard input ask for it."""

    def __init__(self) -> None:
        self._told: asyncio.Future[str] | None = None

    def _listen(self) -> "asyncio.Future[str]":
        return asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)

    async def begin(self) -> None:
        """See `Alone`."""
        print("ready", flush=True)
        await self._listen()

    async def end(self, is_short: asyncio.Event) -> None:
        """See `Alone`."""
        self._told = self._listen()
        short = asyncio.ensure_future(is_short.wait())
        both: set[asyncio.Future[Any]] = {self._told, short}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        short.cancel()

    async def goes_on(self) -> bool:
        """See `Alone`."""
        print("over", flush=True)
        assert self._told is not None
        await self._told
        return (await self._listen()).strip() == "again"


Child = subprocess.Popen[str]


def measured_together(children: Sequence[Child], seconds: float) -> tuple[Measured, ...]:
    """The measurements of processes that end after some seconds. Raises `RuntimeError` if one fails."""
    try:
        word = "again"
        while word == "again":
            seconds -= _turn(children, seconds)
            _tell(children, "stop")
            for child in children:
                _await(child, "over")
            word = "again" if seconds > 0 else "end"
            _tell(children, word)
        return tuple(msgspec.json.decode(_output(child).readline(), type=Measured) for child in children)
    finally:
        for child in children:
            child.kill()
            child.communicate()


def _turn(children: Sequence[Child], most_s: float) -> float:
    """Let all of them measure until one of them has to end; returns the seconds it took."""
    for child in children:
        _await(child, "ready")
    begun = time.perf_counter()
    _tell(children, "go")
    with selectors.DefaultSelector() as selector:
        for child in children:
            selector.register(_output(child), selectors.EVENT_READ)
        selector.select(most_s)
    return time.perf_counter() - begun


def _tell(children: Sequence[Child], word: str) -> None:
    for child in children:
        assert child.stdin is not None
        print(word, file=child.stdin, flush=True)


def _output(child: Child) -> IO[str]:
    assert child.stdout is not None
    return child.stdout


def _await(child: Child, word: str) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(_output(child), selectors.EVENT_READ)
        told = _output(child).readline().strip() if selector.select(PATIENCE_S) else "nothing"
    if told != word:
        raise RuntimeError(f"players said {told!r} in the place of {word!r}")
