"""Clocks as a relay knows them: the origin's last message about them, and how long ago it arrived."""

import time

from msgspec.structs import replace

from server.table.frame_times import NO_TIMES, FrameTimes
from server.wire.protocol import ClockInfo, TableInfo


class RelayedClocks:
    """Clocks and table state as the origin sent them; running clocks show less as time passes."""

    def __init__(self) -> None:
        self._times = NO_TIMES
        self._clocks_at = self._table_at = time.monotonic()

    def take(self, clocks: dict[str, ClockInfo], table: TableInfo | None, *, anew: bool = False) -> None:
        """Apply the origin's frame, which contains a table state only after a change. `anew`: whether a frame without a
        table state means that there is none.
        """
        at = time.monotonic()
        if clocks or anew:
            self._times, self._clocks_at = replace(self._times, clocks=clocks), at
        if table is not None or anew:
            self._times, self._table_at = replace(self._times, table=table), at

    def now(self) -> FrameTimes:
        """The clocks and the table state at this moment."""
        at = time.monotonic()
        clocks = {seat: _later(clock, _ms(at - self._clocks_at)) for seat, clock in self._times.clocks.items()}
        table = self._times.table
        return FrameTimes(clocks, None if table is None else _table_later(table, _ms(at - self._table_at)))


def _ms(seconds: float) -> int:
    return int(seconds * 1000)


def _later(clock: ClockInfo, ms: int) -> ClockInfo:
    """A clock after this much more time: the rest of a vacation is used up first, while the clock is stopped."""
    left = max(0, clock.away_ms - ms)
    return replace(clock, ms=max(0, clock.ms - ms) if clock.run else clock.ms, away_ms=left)


def _table_later(table: TableInfo, ms: int) -> TableInfo | None:
    """The table after this much more time; None if there is nothing to report."""
    paused = max(1, table.paused_ms - ms) if table.paused_ms else 0
    reveal = max(1, table.reveal_ms - ms) if table.reveal_ms else 0
    made = replace(table, paused_ms=paused, reveal_ms=reveal)
    return None if made == TableInfo() else made
