"""The server's time: a clock that does not jump, the server's sign of life, and the events that are due in a match.

The clocks of a match are folded from its record (`domain.kernel.clock`). This module only reads the time and wakes the
match when something is due.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from domain.kernel import Clocks, Event, MatchResumed, State, TimeRanOut
from domain.kernel.clock import NEVER
from replay.errors import RecordError
from replay.maintenance.backup import life_sign_of

MS_NS: Final = 1_000_000
SLEW: Final = 200
"""The limit on how much faster or slower than the monotonic clock the clock runs in order to follow the wall clock: one
part in this many, which is half a percent. No player therefore loses time by a jump.
"""
LONGEST_WAIT_S: Final = 3600.0
"""A longer wait is checked again after this long, because two clocks never run equally fast."""
STOPPED: Final = " stopped"
"""The suffix of the sign of life that an older version of Herald wrote when it stopped normally."""
SOON_MS: Final = 600_000
"""A match in which nothing is due within this time need not stay in memory for its clocks."""
GONE_MS: Final = 10_000
"""A store whose servers have given no sign of life for this long had no running server."""
GONE_LEAST_MS: Final = 1_000
"""A shorter absence of the server gets no line in the record."""


def now_ms() -> int:
    """The wall clock in milliseconds."""
    return time.time_ns() // MS_NS


class SteadyClock:
    """Milliseconds since 1970 that never jump: at first the wall clock's time, then the monotonic clock's, which slowly
    approaches the wall clock. Setting the wall clock, in either direction, ends nobody's time.
    """

    def __init__(self, ahead_ms: int = 0, begins_ms: int | None = None) -> None:
        """`ahead_ms`: how far the clock to follow is ahead of the local wall clock. `begins_ms`: the reading of another
        process's clock, from which this clock continues.
        """
        self._ahead_ns = ahead_ms * MS_NS
        self._read = time.monotonic()
        self._now = float(time.time_ns() + self._ahead_ns if begins_ms is None else begins_ms * MS_NS)

    def __call__(self) -> int:
        """The time in ms."""
        steady = time.monotonic()
        passed = max(0.0, steady - self._read) * 1e9
        self._read = steady
        self._now += passed
        most = passed / SLEW
        self._now += min(most, max(-most, time.time_ns() + self._ahead_ns - self._now))
        return int(self._now) // MS_NS


class LifeSign:
    """The time at which the server was last alive, in a file beside its database; with the path "", it is not stored.

    The file also holds the reading of the machine's monotonic clock, in ms, which is the same for all processes. A
    later process therefore continues with the time of the others, even if the wall clock was set in between.
    """

    ahead_ms = 0
    """How far the servers' common clock is ahead of the local clock."""

    def __init__(self, path: Path | None = None, *, is_late: bool = False) -> None:
        """`is_late`: whether other processes of the same server have given signs of life since this process began."""
        self._path = path
        self.last_ms, steady_ms = self._read()
        self.begins_ms: int | None = None
        """The present time by the clock of the other processes; None if there is no such clock."""
        if is_late and steady_ms:
            self.begins_ms = self.last_ms + max(0, _steady_ms() - steady_ms)

    @classmethod
    def beside(cls, database: Path, *, is_late: bool = False) -> "LifeSign":
        """The sign of life of a database's servers."""
        return cls(life_sign_of(database), is_late=is_late)

    def _read(self) -> tuple[int, int]:
        try:
            text = self._path.read_text(encoding="ascii") if self._path is not None else "0"
            at, _, steady = text.removesuffix(STOPPED).partition(" ")
            return int(at), int(steady or 0)
        except (OSError, ValueError):
            return 0, 0

    def give(self, at: int) -> None:
        """Write that the server is alive at `at`, in ms. The store reports a disk that fails."""
        if self._path is None:
            return
        try:
            # The file is complete at any moment, because another process of the server may read it at any moment.
            fresh = self._path.with_name(f"{self._path.name}.new")
            fresh.write_text(f"{at} {_steady_ms()}", encoding="ascii")
            fresh.replace(self._path)
        except OSError:
            return


def _steady_ms() -> int:
    return time.monotonic_ns() // MS_NS


class SharedLife(LifeSign):
    """The last time at which any server over one store was alive, and the time by that server's clock.

    While another server is alive, this server's absence stops no clock. `live` writes a sign of life, which can take
    long.
    """

    def __init__(self, last_ms: int, there_ms: int, live: Callable[[int], None]) -> None:
        super().__init__()
        self.ahead_ms = there_ms - now_ms()
        self.last_ms = there_ms if there_ms - last_ms < GONE_MS else last_ms
        self._live = live
        self._writing: asyncio.Future[None] | None = None

    def give(self, at: int) -> None:
        """See `LifeSign`. Runs in a thread; a write that fails is repeated at the next sign."""
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().run_in_executor(None, self._write, at)

    def _write(self, at: int) -> None:
        with suppress(RecordError):
            self._live(at)


class ServerTime:
    """The time for every match of a server, and the interval in which the server was away before it started."""

    def __init__(self, sign: LifeSign | None = None) -> None:
        self._sign = sign or LifeSign()
        self.now = SteadyClock(self._sign.ahead_ms, self._sign.begins_ms)
        self.gone_ms = self._sign.last_ms
        self.back_ms = self.now()
        if self.gone_ms > self.back_ms:
            # The wall clock was set back. Otherwise, once the clock is set forward again, the sign would seem later
            # than the lines that are written from now on.
            self.beat()

    def roughly(self) -> int:
        """The approximate time in ms, for any thread; setting the wall clock changes it."""
        return now_ms() + self._sign.ahead_ms

    def beat(self) -> None:
        """Write a sign of life."""
        self._sign.give(self.now())


def time_over(state: State, clocks: Clocks | None, at: int) -> Event | None:
    """The event that is due in a match at the time `at`; None when nothing is due."""
    if clocks is None or state.result is not None:
        return None
    if state.table.paused:
        return MatchResumed() if 0 < clocks.paused_until <= at else None
    out = clocks.out(at)
    if not out:
        return None
    number = next(asked.number for asked in state.asked if asked.seat == out[0])
    return TimeRanOut(out[0], number, state.table.control.on_timeout)


class Deadline:
    """The next moment at which something is due in one match; wakes it then."""

    def __init__(self, now: Callable[[], int], expired: Callable[[], None]) -> None:
        self._now = now
        self._expired = expired
        self._handle: asyncio.TimerHandle | None = None
        self.due_ms = NEVER

    @property
    def is_soon(self) -> bool:
        """Whether the match should stay in memory for its clocks."""
        return self.due_ms != NEVER and self.due_ms - self._now() < SOON_MS

    def watch(self, clocks: Clocks | None) -> None:
        """Wait for the next due event of these clocks."""
        self.stop()
        self.due_ms = NEVER if clocks is None else clocks.next_due()
        if self.due_ms != NEVER:
            wait_s = min(LONGEST_WAIT_S, max(0.0, (self.due_ms - self._now()) / 1000))
            self._handle = asyncio.get_running_loop().call_later(wait_s, self._expired)

    def stop(self) -> None:
        """Wait no longer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
